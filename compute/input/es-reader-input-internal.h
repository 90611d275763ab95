/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"
#include "dataset/es-file-array.h"

G_BEGIN_DECLS

#define ES_READER_HEAD 2048

/* A file that is being opened, as every reader gets it. */
typedef struct
{
  GFile         *file;
  char          *path;                     /* of an address: guarded (es-address.h) */
  char          *name;                     /* as messages call it */
  guint64        size;                     /* bytes */
  guint8         head[ES_READER_HEAD];     /* its first bytes */
  gsize          head_length;              /* 0: of a store */
  gboolean       store;                    /* a folder that holds arrays as Zarr has them */
  EsOpenOptions  options;
  GCancellable  *cancellable;              /* nullable */
  GPtrArray     *notes;                    /* of char *: become the data set's notes */
  GPtrArray     *files;                    /* of GFile: what else was read for it, and becomes its files */
  char          *elsewhere;                /* a link of HDF5 into another file; nullable */
  GPtrArray     *arrays;                   /* of EsFileArray: what else the file holds; become the data set's */
} EsReaderInput;

/* The address that a path means goes in its place, guarded. ES_DATA_ERROR_OPEN: nobody has named it. */
gboolean es_reader_take_address  (EsReaderInput *input, GError **error);
gboolean es_reader_is_address    (const EsReaderInput *input);
/* Size and first bytes of what lies at the path. ES_DATA_ERROR_OPEN, ES_DATA_ERROR_FORMAT. */
gboolean es_reader_fill          (EsReaderInput *input, GError **error);
/* FALSE: there is no file at a path, also at a guarded one. */
gboolean es_reader_find_size     (const char *path, guint64 *size);
/* What the file at a path consists of, also at a guarded one; of a store what tells its arrays. Transfer full. */
char    *es_reader_identify      (const char *path);
char    *es_reader_identify_store (const EsReaderInput *input);

void     es_reader_note          (EsReaderInput *input, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* A header, or what else beside the file was read for it. */
void     es_reader_add_file      (EsReaderInput *input, const char *path);
gboolean es_reader_is_hdf5       (EsReaderInput *input);
/* What a file of HDF5 or HDF4 can do to a library, it does to a helper first: also one that GDAL would take for a mask
 * or overview, and what a driver that a person named makes of the file. */
gboolean es_reader_is_risky      (EsReaderInput *input);
gboolean es_reader_is_netcdf3    (EsReaderInput *input);
gboolean es_reader_is_matlab     (EsReaderInput *input);
/*
 * Gives a list its place where it has `bands` entries; else leaves a note ("the list of wavelengths has 3
 * entries for 224 bands and was ignored") and frees it. values: transfer full, may be NULL.
 */
double  *es_reader_take_list     (EsReaderInput *input, double *values, guint n, guint bands,
                                  const char *what);
/* What a bad-band list says, as booleans: 0 is bad, everything else good. values: transfer full, or NULL. */
gboolean *es_reader_take_flags   (EsReaderInput *input, double *values, guint n, guint bands,
                                  const char *what);
/* Leaves a note that the file has a mask. */
void     es_reader_note_mask        (EsReaderInput *input, gboolean by_band);
/* Of the HDF5 dataset that is about to be read: FALSE with a sentence where nothing of it was ever written; a note
 * where parts of it were not. Called with es_hdf_lock () held. */
gboolean es_reader_check_written (EsReaderInput *input, const char *dataset, GError **error);
/* n copies of one value. */
double  *es_reader_repeat        (double value, guint n);
/* What the file holds, whether or not it is what was opened: becomes one of the data set's arrays. Takes it over. */
void     es_reader_add_array     (EsReaderInput *input, EsFileArray *array);

G_END_DECLS
