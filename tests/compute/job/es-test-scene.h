/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"
#include "es-hotspots.h"

/* Cubes for tests, written as ENVI by the test itself (not by the program's own writer), and an independent float64
 * reference of what PCA must find in them. */
typedef struct
{
  guint         width, height, bands;
  EskType       type;              /* ESK_U8, ESK_I16, ESK_U16, ESK_I32, ESK_U32, ESK_F32 or ESK_F64 */
  const char   *interleave;        /* "bsq", "bil", "bip" */
  gboolean      big_endian;
  double        no_data;           /* NAN: none */
  const int    *bad_bands;         /* ended by -1; NULL: none */
  double        missing;           /* share of the pixels that are no-data in some band */
  double       *values;            /* bands x height x width: as stored, set by es_test_scene_fill () */
} EsTestScene;

void        es_test_scene_fill  (EsTestScene *scene, guint32 seed);
void        es_test_scene_clear (EsTestScene *scene);
/* Writes and opens; the path is that of the data file. Transfer full. */
EsDataset  *es_test_scene_open  (EsTestScene *scene, const char *directory, const char *name);
char       *es_test_directory   (void);
void        es_test_remove      (const char *directory);
/* Runs the main context until the job has ended and said so; fails after a minute. */
void        es_test_spin_until_ended (EsJob *job);

/* Two-pass mean and covariance (N - 1) in long double over the pixels valid in every good band; bands holds the n good
 * ones. Returns N. */
gint64      es_test_scene_covariance (const EsTestScene *scene, const guint *bands, guint n, double *mean,
                                      double *covariance, gboolean *valid);
guint       es_test_scene_good_bands (const EsTestScene *scene, guint *bands);
