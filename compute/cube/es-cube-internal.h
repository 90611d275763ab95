/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube-window-internal.h"
#include "es-cube.h"
#include "classes/es-class-table.h"
#include "dataset/es-dataset-internal.h"
#include "georeference/es-places-internal.h"
#include "es-hotspots.h"

G_BEGIN_DECLS

/*
 * Where samples come from: one of each reader's own, behind a cube. `read` is called from several threads, each with
 * its own handle (a GDAL handle is never shared). Raw files are read by pread: a file that shrinks while it is read
 * is then an error like any other, not a SIGBUS, and the resident size stays that of the tiles.
 */
typedef struct _EsSampleSource EsSampleSource;
struct _EsSampleSource
{
  gpointer (*handle_new)  (EsSampleSource *self, GError **error);
  void     (*handle_free) (EsSampleSource *self, gpointer handle);
  /* Fills buffer (es_cube_window_bytes () of it) and describes it in tile. */
  gboolean (*read)        (EsSampleSource *self, gpointer handle, const EsCubeWindow *window,
                           void *buffer, EskTile *tile, GError **error);
  /* One band only, for display; NULL: read () is used. */
  gboolean (*read_band)   (EsSampleSource *self, gpointer handle, guint band, const EsCubeWindow *window,
                           void *buffer, EskTile *tile, GError **error);
  void     (*free)        (EsSampleSource *self);

  /* Windows that are whole multiples of this block are the cheapest (1 x 1: any); whole rows are always preferred. */
  guint64  block_width, block_height;
  /* read () leaves buffer alone and describes samples that lie in page-locked memory as long as the source lives:
   * es_staging_take (). */
  gboolean page_locked;
  /* Reading costs what its bytes do, whichever window and thread: nothing is unpacked, nor waited for. */
  gboolean by_bytes;
  /* Rows of a band follow each other: it is read in one run. */
  gboolean bands_in_runs;
  /* Rows are unpacked from the first one on: passes read with one handle, from top to bottom. */
  gboolean in_order;
  /* One band is read without what belongs to the others. */
  gboolean bands_apart;
  /* Bytes that are unpacked for a single sample; 0: none but those that are read. */
  guint64  unpacked;

  /* The data set's own mask, for what no-data values do not say: mask[height * width of the window] becomes 0 where a
   * pixel is missing in any of the n bands, and stays as it is elsewhere. NULL: it has none. */
  gboolean (*read_mask)   (EsSampleSource *self, gpointer handle, const guint32 *bands, gsize n,
                           const EsCubeWindow *window, guint8 *mask, GError **error);
  gboolean mask_by_band;       /* each band has one of its own; else all bands share one */
};

/* A reader fills one of these and calls es_cube_new (), which checks every product and takes what it points to
 * (everything is transfer full). Arrays have `bands` entries or are NULL. */
typedef struct
{
  guint64          width, height;
  guint            bands;
  EskType          type;
  char            *format_name;
  double          *wavelengths;        /* in the unit below; converted to nm by es_cube_new () */
  char            *wavelength_unit;    /* as the file says it, or NULL: guessed (below 100: micrometres) */
  double          *fwhm;
  gboolean        *good_bands;
  gboolean         settled;            /* those are all there is to say: nobody looks for bands that hold nothing */
  double          *no_data;            /* NAN where a band has none */
  double          *scale, *offset;
  char           **band_names;         /* NULL-terminated */
  int              default_bands[3];   /* from 0; -1 where not given */
  char            *unit;
  double          *geotransform;       /* 6 */
  char            *projection;
  EsClassTable    *classes;            /* the samples are numbers of classes: of one band only */
  EsPlaces        *places;             /* where there is no transform; nullable */
  EsSampleSource  *source;
} EsCubeInfo;

/* Frees what info points to. */
void     es_cube_info_clear      (EsCubeInfo *info);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsCubeInfo, es_cube_info_clear)

/* Errors: ES_DATA_ERROR_SIZE with the file named. Transfer full. On error everything in info is freed too. */
EsCube  *es_cube_new          (GFile *file, EsCubeInfo *info, GError **error);
EskType  es_cube_get_type_code (EsCube *self);
void     es_cube_get_block     (EsCube *self, guint64 *block_width, guint64 *block_height);
EsSampleSource *es_cube_get_source (EsCube *self);
/* Pixels may be missing whatever their samples say: es_cube_reader_mask (). */
gboolean es_cube_has_mask      (EsCube *self);

/*
 * What takes part of a cube, as a cube of its own: the smallest window that holds it, its bands as the good ones, and a
 * mask of the pixels. Samples are read from the whole; the name and the files are those of the whole. outline: only
 * what a plan asks for (no mask, nothing read). A selection of everything is the whole itself.
 * ES_COMPUTE_ERROR_PARAMETER, ES_DATA_ERROR_EMPTY: nothing is left, in one sentence. Transfer full.
 */
EsCube  *es_cube_take_part    (EsCube *self, EsSelection *selection, gboolean outline, GError **error);
/* Of such a part: what it is a part of; else the cube itself. Borrowed. */
EsCube  *es_cube_get_whole    (EsCube *self);
/* Where the cube lies in its whole. */
EsCubeWindow es_cube_get_place (EsCube *self);
/* Whether its window is not all of the whole. */
gboolean es_cube_is_window    (EsCube *self);

/* What takes part by the file beside the cube, if there is one; what is wrong with it becomes a note. While it is made.
 * */
void     es_cube_take_sidecar (EsCube *self);

/* One array in memory that all threads read: strides count samples. destroy frees owner. */
EsSampleSource *es_memory_source_new (const void *data, EskType type, ptrdiff_t column_stride,
                                      ptrdiff_t row_stride, ptrdiff_t band_stride, guint bands,
                                      gpointer owner, GDestroyNotify destroy);
/* Gives such a source, or one of page-locked memory, a mask: rows of `width` pixels, 0 = missing in every band. Takes
 * it over. */
void            es_memory_source_set_mask (EsSampleSource *self, guint8 *mask, guint64 width);
/* The same of page-locked memory (es_staging_take ()): GPUs load it from where it lies. */
EsSampleSource *es_staging_source_new (const void *data, EskType type, ptrdiff_t column_stride,
                                       ptrdiff_t row_stride, ptrdiff_t band_stride, guint bands,
                                       gpointer owner, GDestroyNotify destroy);

/* One reader a thread: owns a handle and the buffer its tiles live in. */
typedef struct _EsCubeReader EsCubeReader;
EsCubeReader *es_cube_reader_new  (EsCube *cube, GError **error);
void          es_cube_reader_free (EsCubeReader *self);
/* The tile is valid until the next read of this reader. */
gboolean      es_cube_reader_read (EsCubeReader *self, const EsCubeWindow *window, EskTile *tile, GError **error);
/* The same into memory of the caller's (es_cube_window_bytes () of it). Sources that have the samples in memory already
 * describe those and leave the buffer alone. */
gboolean      es_cube_reader_read_into (EsCubeReader *self, const EsCubeWindow *window, void *buffer, EskTile *tile,
                                        GError **error);
/* One band of such a source that has read_band (). */
gboolean      es_cube_reader_read_band_into (EsCubeReader *self, guint band, const EsCubeWindow *window, void *buffer,
                                             EskTile *tile, GError **error);
/* valid[height * width of the window] becomes 0 where the cube's mask says that a pixel is missing in one of the bands;
 * the rest stays. What no-data values say is not looked at: that is the hot spots'. */
gboolean      es_cube_reader_mask      (EsCubeReader *self, const EsCubeWindow *window, const guint32 *bands, gsize n,
                                        guint8 *valid, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsCubeReader, es_cube_reader_free)

G_END_DECLS
