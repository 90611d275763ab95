/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beamformer-private.h"

G_BEGIN_DECLS

/* How many devices work: with memory of blocks only one of several GPUs. */
guint    _es_beamformer_count_members     (EsDevice *device, const EsBeamSettings *settings);
/* Bytes of the results of a block of so many living elements, and where band and health begin. */
guint64  _es_beamformer_measure_results   (const EsBeamSettings *settings, guint n_alive, gsize *band_at,
                                           gsize *health_at);
/* Bytes of all of it, however much will be played; 0: nobody knows. */
guint64  _es_beamformer_measure_recording (EsRecording *recording);
/* As many slots a device as fit. ES_COMPUTE_ERROR_MEMORY where not even one does. */
gboolean _es_beamformer_choose_slots      (EsBeamformer *self, const EsLimits *limits, const EsUploadChoice *choice,
                                           guint *n_slots, GError **error);

G_END_DECLS
