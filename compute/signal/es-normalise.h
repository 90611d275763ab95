/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Estimates the background along a line of powers and divides by it, so that what stands out does so everywhere. */
typedef enum
{
  ES_NORMALISER_NONE,
  ES_NORMALISER_SPLIT_WINDOW,      /* two-pass split window: a mean over both sides of a gap, peaks over a threshold are
                                    * replaced by the first mean, and again (Struzinski and Lowe 1984) */
  ES_NORMALISER_ORDER_TRUNCATE,    /* order-truncate-average: mean of what is below a multiple of the median (same) */
  ES_N_NORMALISERS,
} EsNormaliserKind;

typedef struct
{
  EsNormaliserKind kind;
  guint  window;               /* samples on each side; 1.. */
  guint  gap;                  /* samples on each side that are left out */
  double threshold;            /* of the first pass, a factor in power; 2 */
} EsNormaliser;

const char *es_normaliser_id    (EsNormaliserKind kind);         /* "none", "split-window", "order-truncate" */
const char *es_normaliser_title (EsNormaliserKind kind);         /* translated */

/* n powers, `stride` apart, to out (stride out_stride; may be the same): power / background. NAN stays NAN. With NONE
 * it copies. */
void es_normalise_line (const EsNormaliser *self, const float *powers, gsize stride, guint n, float *out,
                        gsize out_stride);
/* Every row (along columns) or every column of a matrix. */
void es_normalise_rows    (const EsNormaliser *self, const float *powers, guint rows, guint columns, float *out);
void es_normalise_columns (const EsNormaliser *self, const float *powers, guint rows, guint columns, float *out);

G_END_DECLS
