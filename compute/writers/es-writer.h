/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "layer/es-curve.h"
#include "layer/es-field.h"
#include "layer/es-image-stack.h"
#include "layer/es-matrix.h"
#include "cube/es-region-set.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * Writers. All of them write beside the target and rename, so that a failed save leaves the old file as it was.
 * Errors: ES_DATA_ERROR_WRITE in one sentence (target, reason). Blocking: call them on a worker.
 */
/* progress (nullable) gets 0..1 on the calling thread. The georeference, where dataset (nullable) has one, and a
 * description go along; planes NULL: all. path: ENVI, in any of its three orders, writes path and its .hdr; no-data is
 * NaN. HDF5: /values (planes x rows x columns), in one piece, with the planes' names, no-data NaN, and what is known of
 * them as attributes; /wavelength as its scale where the planes are bands. */
gboolean es_write_image_stack (EsImageStack *stack, EsDataset *dataset, const char *description, EsStackFormat format,
                               GFile *target, void (*progress) (double fraction, gpointer data), gpointer data,
                               GPtrArray *notes, GCancellable *cancellable, GError **error);

/* Colours as a picture: by its name a GeoTIFF (.tif, .tiff) of three bands of bytes, with the georeference of the cube
 * and a mask of what is missing; else a PNG with transparency. What GDAL would read from beside it is kept as for
 * stacks, and told among notes (nullable). */
typedef struct
{
  guint         width, height;
  const guint8 *pixels;        /* rows of 4 x width bytes: red, green, blue, and 0 where there is nothing, else 255 */
  guint         step;          /* so many pixels of the cube a side in one of the picture */
  EsCube       *cube;          /* nullable */
  const char   *description;   /* nullable */
  gboolean      keeps;         /* nobody was asked: a file there that is no picture of Eigenscope's is kept, and told */
} EsWrittenImage;
gboolean es_write_image       (const EsWrittenImage *image, GFile *target, GPtrArray *notes, GCancellable *cancellable,
                               GError **error);
gboolean es_written_image_is_geotiff (GFile *target);

/* What is to be said of a data set whose projection no file can hold: stacks of it are written without. NULL: it can.
 * es_write_result_with () says it among its notes. Transfer full. */
char    *es_write_tell_projection (EsDataset *dataset);
/* RFC 4180, '.' as decimal point, header row with units: "Wavelength (nm)". */
gboolean es_write_curve_csv   (EsCurve *curve, GFile *target, GError **error);
gboolean es_write_table_csv   (EsTable *table, GFile *target, GError **error);
/* A row a row, after its title; the column titles in the header row, behind what the rows are. */
gboolean es_write_matrix_csv  (EsMatrix *matrix, GFile *target, GError **error);

/* The first row has the columns' values, each other row its own value first; levels in dB where the values are powers
 * (values as they are otherwise). */
gboolean es_write_field_csv   (EsField *field, GFile *target, GCancellable *cancellable, GError **error);
/* viridis, over the loudest 40 dB at most, the first row below, what the axes are in the file's text chunks, and drawn
 * where the program has told who can (es_figure_set_draw ()); a field row is so many pixels high that the picture has a
 * sensible shape; long waterfalls take the maximum of what falls into a pixel, at most 4,096 a side. */
gboolean es_write_field_png   (EsField *field, GFile *target, GCancellable *cancellable, GError **error);
/* HDF5: /values (rows x columns, float32, chunked, compressed), /rows, /columns as dimension scales, /headings along
 * the rows where they are told (degrees clockwise from true north, NaN where one is not known), and as attributes
 * title, role, reference, units and the field's metadata (texts over 16,000 bytes are data sets of their own). */
gboolean es_write_field_hdf5  (EsField *field, GFile *target, GCancellable *cancellable, GError **error);

/*
 * The whole result into a directory (made if need be): every layer and result.json last, in DESIGN section 7's form,
 * with the size and the checksums of every other file. On error or cancellation nothing that it wrote stays behind.
 * Where there is a result.json already, the files of its layers that are not written again are removed with it, if they
 * are certainly those that it was saved with.
 */
gboolean es_write_result      (EsResult *result, GFile *directory, EsStackFormat format, GCancellable *cancellable,
                               GError **error);

typedef struct
{
  EsStackFormat format;
  /* With the others a PNG of every plane of every image stack that is not a cube itself, <layer>-<plane>.png: grey from
   * its 2 % to its 98 % quantile (signed stacks: symmetric about zero), missing pixels transparent, at most 2,048
   * pixels a side. For where there is no display. */
  gboolean      previews;
  GPtrArray    *notes;         /* nullable; gets sentences (char *) for whoever saves, where it was saved */
  gboolean      kept;          /* for the program itself, not for a person: the result does not count as saved */
  void        (*read) (gpointer data);   /* nullable: all samples are in files; what is left is done with these alone */
  gpointer      data;
} EsResultWriting;
gboolean es_write_result_with (EsResult *result, GFile *directory, const EsResultWriting *how,
                               GCancellable *cancellable, GError **error);

/*
 * Whether a result may go to a directory, as far as that is known before there is one: FALSE where the earlier result
 * that would be replaced has files that are open as data. es_write_result () refuses the others.
 */
gboolean es_write_result_check (GFile *directory, GError **error);

/*
 * An ENVI classification of the size of the cube (uint8; 0 = unclassified, then the regions in their order, later ones
 * over earlier) with class names, colours and the georeference; at most 255 regions. The mean spectra as CSV: a row a
 * band; wavelength, then mean and deviation of every region that is ready.
 */
gboolean es_region_set_write_classification (EsRegionSet *self, GFile *target, GCancellable *cancellable,
                                             GError **error);
gboolean es_region_set_write_spectra        (EsRegionSet *self, GFile *target, GError **error);

G_END_DECLS
