/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "picture/es-picture.h"
#include "image/es-plane-source.h"

G_BEGIN_DECLS

/* One plane less another, of the pixels that both have. */
typedef struct
{
  EsPlane *ready;              /* NAN where either is missing */
  guint    step;
  guint64  n_valid;            /* samples that both have */
  double   correlation;        /* Pearson's r of them; NAN: one of the two is constant, or fewer than two samples */
  gboolean standardised;       /* each less its mean, by its deviation */
  gboolean reversed;           /* the second one's sign was: they are correlated negatively */
} EsDifference;

/* values: n samples each; difference may be either. Standardised where asked for and where both vary. */
void es_difference_compute (const float *first, const float *second, gsize n, gboolean standardise, float *difference,
                            EsDifference *answer);

/*
 * Differences for a display: computed on a worker thread, newest wins. Signals: "loaded" (const EsDifference *),
 * "failed" (const GError *).
 */
#define ES_TYPE_DIFFERENCE_LOADER (es_difference_loader_get_type ())
G_DECLARE_FINAL_TYPE (EsDifferenceLoader, es_difference_loader, ES, DIFFERENCE_LOADER, GObject)

EsDifferenceLoader *es_difference_loader_new (void);
/* Planes of sources of one size. */
void     es_difference_loader_load    (EsDifferenceLoader *self, EsPlaneSource *first, guint first_plane,
                                       EsPlaneSource *second, guint second_plane, gboolean standardise);
void     es_difference_loader_cancel  (EsDifferenceLoader *self);
gboolean es_difference_loader_is_busy (EsDifferenceLoader *self);

G_END_DECLS
