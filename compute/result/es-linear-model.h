/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * What a linear reduction says about a cube: components from a spectrum, and the spectrum back from components.
 *
 *   y = transform (x - mean)      transform: m x n        x: the n bands used, as stored (or quantised to 8 bits)
 *   x ~ mean + mixing y           mixing: n x m
 *
 * PCA: transform = V^T S, mixing = S^-1 V (S: the scaling of the bands); MNF: T_m^T and C_N T_m; FastICA: W M and
 * its pseudoinverse V D^(1/2) W^T. Immutable, counted.
 */
typedef struct
{
  guint          m, n;
  const guint32 *bands;        /* n, of the cube, from 0 */
  const double  *mean;         /* n */
  const double  *transform;    /* m x n, row-major */
  const double  *mixing;       /* n x m, row-major: column k is what one unit of component k adds to the spectrum */
  const double  *minimum, *maximum;   /* n: bands were quantised first; else NULL */
  const double  *origin;       /* n: the planes of the result's stack are transform (x - origin): the mean, or where it
                                * was not removed, the stored values that mean 0; NULL: nothing was subtracted */
} EsLinearModel;

/* Everything is copied; minimum, maximum and origin may be NULL. */
EsLinearModel *es_linear_model_new   (guint m, guint n, const guint32 *bands, const double *mean,
                                      const double *transform, const double *mixing, const double *minimum,
                                      const double *maximum, const double *origin);
EsLinearModel *es_linear_model_ref   (const EsLinearModel *self);
void           es_linear_model_unref (EsLinearModel *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsLinearModel, es_linear_model_unref)

/*
 * Matrices for project_error () and for reconstructing, with the components in `kept` alone (m booleans; NULL: all):
 * forward is n_kept x n and backward n x n_kept, both float32. Returns n_kept. Transfer full.
 */
guint          es_linear_model_select (const EsLinearModel *self, const gboolean *kept, float **forward,
                                       float **backward);

G_END_DECLS
