/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "cube/es-cube.h"

G_BEGIN_DECLS

/*
 * The noise of a cube: its covariance over the good bands, in the values as stored (or quantised to 8 bits). Part of
 * an MNF's result.json ("noise_statistics" among its values), from where it can be used again. Counted; not changed any
 * more once it is shared.
 */
typedef struct
{
  gatomicrefcount references;
  char           *kind;                    /* "lower-right", "mean-residual", "region", "dark-current" ... */
  guint           n, cube_bands;           /* bands used, of so many */
  guint32        *bands;                   /* n, of the cube, from 0 */
  double         *wavelengths;             /* cube_bands, nm; NULL where the cube has none */
  double         *minimum, *maximum;       /* n: quantised to 8 bits from there to there; else NULL */
  gint64          count;                   /* pairs of pixels, windows or pixels */
  double         *covariance;              /* n x n, symmetric */
} EsNoiseStatistics;

/* The covariance is zero. minimum and maximum nullable. NULL: no memory for it. */
EsNoiseStatistics *es_noise_statistics_new   (EsCube *cube, const char *kind, guint n, const guint32 *bands,
                                              const double *minimum, const double *maximum);
EsNoiseStatistics *es_noise_statistics_ref   (EsNoiseStatistics *self);
void               es_noise_statistics_unref (EsNoiseStatistics *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsNoiseStatistics, es_noise_statistics_unref)

/* Exact: the covariance is the lower triangle, row after row, little-endian float64 in base 64. Transfer full. */
JsonObject        *es_noise_statistics_to_json (EsNoiseStatistics *self);
/* From a result.json of an MNF, or from such an object alone. ES_DATA_ERROR_FORMAT; `name` is what messages name. */
EsNoiseStatistics *es_noise_statistics_from_json (JsonNode *root, const char *name, GError **error);
/* Whether a file's text can be JSON, by its beginning; FALSE too where it cannot be read. */
gboolean           es_noise_statistics_is_json (GFile *file);
EsNoiseStatistics *es_noise_statistics_load  (GFile *file, GError **error);

/* Whether they describe this cube with these bands and this quantising. ES_DATA_ERROR_UNSUPPORTED, which says what
 * differs. */
gboolean           es_noise_statistics_fit   (EsNoiseStatistics *self, const char *name, EsCube *cube, guint n,
                                              const guint32 *bands, const double *minimum, const double *maximum,
                                              GError **error);
/* Two cubes' wavelengths say the same: to a hundredth of a nanometre; TRUE where either has none. */
gboolean           es_wavelengths_agree      (const double *a, const double *b, guint n);

G_END_DECLS
