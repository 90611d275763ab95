/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-raw-internal.h"

G_BEGIN_DECLS

/* The content of a file as it is looked at: places spread over it, of which each is read once. */
typedef struct
{
  EsRawRead     read;
  gpointer      data;
  guint64       size, start;           /* bytes; no sample lies before start */
  GCancellable *cancellable;
} EsRawContent;

/* How samples are taken. */
typedef struct
{
  EskType  type;
  gboolean big_endian;
  double   weight;                     /* how plausible that is, 0..1 */
  double   low, high;                  /* between which nearly all of them lie: beyond, they are cut */
  double   fill;                       /* a number that stands in so many places that it is none; NAN */
} EsRawNumbers;

/* So many samples that begin at a byte, NAN where they are none. FALSE: they cannot be read. */
gboolean es_raw_content_take (const EsRawContent *self, const EsRawNumbers *numbers, guint64 byte, guint n,
                              float *values);

/* Of every type and order, or of those that were told: how plausible it is by what the bytes look like, the most
 * plausible first. Of EsRawNumbers. Transfer full. */
GArray  *es_raw_types_weigh  (const EsRawContent *content, const EsRawShape *told, EsRawFields fields);

/* Differences of samples that are some samples apart, by that lag, as shares of those of samples anywhere: 0 alike, 1
 * nothing in common. */
typedef struct _EsRawLags EsRawLags;
EsRawLags *es_raw_lags_new  (const EsRawContent *content, const EsRawNumbers *numbers);
void       es_raw_lags_free (EsRawLags *self);
/* NAN where the file is too short for it. */
double     es_raw_lags_get  (EsRawLags *self, guint64 lag);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsRawLags, es_raw_lags_free)

/* Three axes as samples follow each other, the fastest first: how much of the samples' variance is that of the means
 * along each. The spectral one has most of it: spectra are alike in shape, rows and columns are not. */
void       es_raw_axes_weigh (const EsRawContent *content, const EsRawNumbers *numbers, guint64 offset,
                              const guint64 lengths[3], double shares[3]);

G_END_DECLS
