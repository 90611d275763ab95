/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-settings.h"
#include "es-device.h"
#include "es-operation.h"

G_BEGIN_DECLS

/*
 * What one block of samples gave: immutable, counted, any thread. Powers are those of a unit plane wave: 1 is the mean
 * square of one unit (micropascal where the recording is calibrated, else full scale).
 */
typedef struct _EsBeamBlock EsBeamBlock;

EsBeamBlock  *es_beam_block_ref          (EsBeamBlock *self);
void          es_beam_block_unref        (EsBeamBlock *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamBlock, es_beam_block_unref)
guint64       es_beam_block_get_frame    (EsBeamBlock *self);        /* its first */
double        es_beam_block_get_time     (EsBeamBlock *self);        /* s, of its first frame */
double        es_beam_block_get_seconds  (EsBeamBlock *self);        /* of signal */
double        es_beam_block_get_compute_seconds (EsBeamBlock *self); /* what it took, from samples in memory */
/* n_ranges x n_angles: wide-band power of the CBF band. */
const float  *es_beam_block_get_field    (EsBeamBlock *self);
/* The far row of it; NULL where there is none. */
const float  *es_beam_block_get_far      (EsBeamBlock *self);
/* n_angles x n_bins of the far field, by bin (bins first_bin .. of the settings). NULL where there is no far row. */
const float  *es_beam_block_get_spectra  (EsBeamBlock *self);
const EsBeamSettings *es_beam_block_get_settings (EsBeamBlock *self);

/* Of an element since the beamformer began; at most (as flags for people). */
typedef struct
{
  guint64 samples, not_finite, clipped;
  double  peak;                /* fraction of full scale */
} EsElementHealth;

/* Samples stand at full scale. What goes beyond it, as floats in a unit of their own do, is not clipped there. */
static inline gboolean
es_element_health_is_clipped (const EsElementHealth *health)
{
  return health->clipped > 0 && health->peak <= 1 + 1e-6;
}

/*
 * Forms the beams of a recording, block by block, on a device: the CPU, one GPU, or all GPUs, which take blocks in turn
 * (es_beamformer_run ()). One thread at a time. Both the operation and the player lean on it. Reads ahead on a thread
 * of its own when blocks are asked for one after the other; on a GPU copies run beside the computation of the block
 * before (es_beamformer_run ()).
 */
typedef struct _EsBeamformer EsBeamformer;

/* ES_COMPUTE_ERROR_MEMORY, _DEVICE. limits is nullable. */
EsBeamformer *es_beamformer_new     (EsRecording *recording, EsArray *array, const EsBeamSettings *settings,
                                     EsDevice *device, const EsLimits *limits, GError **error);
void          es_beamformer_free    (EsBeamformer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamformer, es_beamformer_free)
/* The block that begins at `frame`; what lies past the end is 0. Transfer full. */
EsBeamBlock  *es_beamformer_process (EsBeamformer *self, guint64 frame, GError **error);
/* Blocks at first, first + step, ... (n of them), as fast as possible and several in flight; `take` gets them in order
 * on the calling thread and returns FALSE to stop: without an error that is no failure. */
typedef gboolean (*EsBeamTake) (EsBeamBlock *block, gpointer data, GError **error);
gboolean      es_beamformer_run     (EsBeamformer *self, guint64 first, guint64 step, guint64 n, EsBeamTake take,
                                     gpointer data, GCancellable *cancellable, GError **error);
/* What making ready took (plans, first launches), seconds: reported apart. */
double        es_beamformer_get_setup_seconds (EsBeamformer *self);
/* What each step was busy, ms, summed over blocks; steps of neighbouring blocks overlap. input: reading, and copying to
 * a GPU. */
void          es_beamformer_get_times (EsBeamformer *self, double *input, double *transform, double *beams);
const EsElementHealth *es_beamformer_get_health (EsBeamformer *self, guint *n_elements);
/* Bytes of host and of device memory, and flops a block, for plans. */
void          es_beamformer_estimate (EsRecording *recording, EsArray *array, const EsBeamSettings *settings,
                                     EsDevice *device, guint64 *memory, guint64 *device_memory, double *flops);

G_END_DECLS
