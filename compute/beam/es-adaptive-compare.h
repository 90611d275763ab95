/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beamformer.h"

G_BEGIN_DECLS

/* One way to the inverse, on one block of this data. */
typedef struct
{
  EsAdaptiveMethod method;
  char    *refusal;            /* why it cannot be used here, a sentence; NULL: it was used, and what follows counts */
  double   matrix_ms, factor_ms, spectrum_ms, total_ms;        /* medians of three, or once where it takes long */
  double   difference;         /* largest |P - Q| / Q over angles and bins, Q of the first method that could be used */
  double   bearing;            /* of the maximum */
  guint    sweeps;
  guint64  rotations;
} EsAdaptiveRoute;

/*
 * Takes every method over the same snapshots: those that the block at `frame` is made of. `most_seconds`: a method that
 * would take longer by its operations is refused with how long it would have taken. Any thread. Transfer full, of
 * ES_N_ADAPTIVE_METHODS - 1 entries (not AUTO) in the order of the enumeration, freed with es_adaptive_routes_free ().
 */
EsAdaptiveRoute *es_adaptive_compare     (EsRecording *recording, EsArray *array, const EsBeamSettings *settings,
                                          EsDevice *device, guint64 frame, double most_seconds,
                                          GCancellable *cancellable, GError **error);
void             es_adaptive_routes_free (EsAdaptiveRoute *routes);
/* "cholesky", as in params; "Cholesky", for people. */
const char      *es_adaptive_method_get_id   (EsAdaptiveMethod method);
const char      *es_adaptive_method_get_name (EsAdaptiveMethod method);

G_END_DECLS
