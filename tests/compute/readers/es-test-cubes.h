/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-internal.h"

G_BEGIN_DECLS

/* A folder of its own for a test, removed with all that is in it by es_test_folder_free (). */
char    *es_test_folder_new    (void);
void     es_test_folder_free   (char *folder);

char    *es_test_write         (const char *folder, const char *name, const void *bytes, gsize length);
char    *es_test_write_text    (const char *folder, const char *name, const char *text);

/* The value of one sample: another one for every column, row and band within sight, exact in `type` and
 * float64. */
double   es_test_value         (EskType type, guint64 x, guint64 y, guint64 band);
/* Stores a value as `size` bytes of the type, in this machine's order or the other. */
void     es_test_store         (EskType type, double value, gboolean swapped, guint8 *bytes);
/* A sample of a tile, found by its strides and put together byte by byte: nothing of the product is used. */
double   es_test_tile_value    (const EskTile *tile, guint64 x, guint64 y, guint64 band);

/* The samples of a cube, in one of ENVI's three orders. Transfer full. */
guint8  *es_test_samples       (EskType type, const char *interleave, gboolean swapped, guint64 width,
                                guint64 height, guint bands, gsize *length);
/* A header: extra lines go to the end. Transfer full. */
char    *es_test_header        (guint64 width, guint64 height, guint64 bands, int type_code,
                                const char *interleave, int byte_order, const char *extra);
int      es_test_envi_code     (EskType type);
/* Writes <folder>/cube.img and its header; the image's path. Transfer full. */
char    *es_test_write_envi    (const char *folder, EskType type, const char *interleave, gboolean swapped,
                                guint64 width, guint64 height, guint bands, const char *extra);

EsCube  *es_test_open          (const char *path);
EsCube  *es_test_open_with     (const char *path, const EsOpenOptions *options);
/* Fails unless opening fails with this code and a sentence that holds every one of the words
 * (NULL-terminated). */
void     es_test_refused       (const char *path, const EsOpenOptions *options, int code, ...)
                                G_GNUC_NULL_TERMINATED;

/* Compares every sample, through reader, band and spectrum, with expected (x, y, band) in several windows. */
typedef double (*EsTestExpected) (guint64 x, guint64 y, guint band, gpointer data);
void     es_test_compare       (EsCube *cube, EsTestExpected expected, gpointer data);
gboolean es_test_has_note      (EsCube *cube, const char *words);

/* Four threads read all of a cube of int16 at once, and compare. */
void     es_test_read_in_threads (EsCube *cube);

G_END_DECLS
