/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <math.h>

#include "device/es-limits.h"
#include "device/es-upload-choice.h"
#include "es-beam-settings.h"
#include "device/es-device.h"

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
/* s, the middle of what it is of: of the block; adaptive beams: of all blocks that their matrices remember, each as
 * much as it counts. */
double        es_beam_block_get_time     (EsBeamBlock *self);
double        es_beam_block_get_time_of  (EsBeamBlock *self, EsBeamKind kind);
double        es_beam_block_get_seconds  (EsBeamBlock *self);        /* of signal */
double        es_beam_block_get_compute_seconds (EsBeamBlock *self); /* what it took, from samples in memory */
/* n_ranges x n_angles: wide-band power of the CBF band. */
const float  *es_beam_block_get_field    (EsBeamBlock *self);
/* The far row of it; NULL where there is none. */
const float  *es_beam_block_get_far      (EsBeamBlock *self);
/* n_angles x n_bins of the far field, by bin (bins first_bin .. of the settings). NULL where there is no far row. */
const float  *es_beam_block_get_spectra  (EsBeamBlock *self);
const EsBeamSettings *es_beam_block_get_settings (EsBeamBlock *self);

/* ---- adaptive beams; NULL, 0 where there are none of that kind. Of ES_BEAM_CBF: the functions above ---- */
gboolean      es_beam_block_has          (EsBeamBlock *self, EsBeamKind kind);
/* n_ranges x n_angles; MUSIC too. */
const float  *es_beam_block_get_field_of (EsBeamBlock *self, EsBeamKind kind);
const float  *es_beam_block_get_far_of   (EsBeamBlock *self, EsBeamKind kind);
const float  *es_beam_block_get_spectra_of (EsBeamBlock *self, EsBeamKind kind);
/* Whether there are tones between two bins that adaptive beams smear and read too low (no line; coarse angles). */
gboolean      es_beam_block_has_loose_tones (EsBeamBlock *self);
/* How many snapshots the matrices were of (2 for the second block where each has one); 0: R was kept, as it forgets. */
guint         es_beam_block_get_used     (EsBeamBlock *self);
/* n_bins x n, descending; NULL where the settings ask for none. */
const double *es_beam_block_get_eigenvalues (EsBeamBlock *self, guint *n);

/* What adaptive beams took at this block. Seconds. */
typedef struct
{
  double  matrix, factor, spectrum;
  EsAdaptiveMethod method;     /* never AUTO */
  double  loading;             /* as it was */
  guint   sweeps;              /* Jacobi */
  guint64 rotations;
  double  off;
} EsAdaptiveReport;
/* NULL: no adaptive beams. */
const EsAdaptiveReport *es_beam_block_get_report (EsBeamBlock *self);

/* A closer look at one bearing and bin (es_beamformer_set_probe ()). */
typedef struct
{
  double  bearing, frequency;  /* degrees, Hz: as asked for; the bin is the nearest */
  guint   bin;                 /* of the kept ones */
  guint   n_eigenvalues;
  double *eigenvalues;         /* of that bin, descending, without loading */
  guint   n_angles;            /* of the patterns: the span of the settings' angles, finer */
  double *angles;              /* degrees */
  float  *patterns[ES_BEAM_MUSIC];     /* |w'a (angle)|^2 of ES_BEAM_CBF and ES_BEAM_MVDR; 1 at the bearing */
} EsBeamProbe;
/* NULL: none was asked for, or it could not be (no far row; B above 4,096). The smaller of K and B above 1,024: without
 * the pattern of ES_BEAM_MVDR (NULL); above 256: without eigenvalues, unless the block has them. Conventional beams
 * have a probe too. */
const EsBeamProbe *es_beam_block_get_probe (EsBeamBlock *self);

/* Of an element since the beamformer began; at most (as flags for people). */
typedef struct
{
  guint64 samples, not_finite, clipped;
  double  peak;                /* fraction of full scale */
} EsElementHealth;

/* One more sample; full: scale, highest: the highest there is below it, both in the sample's unit. */
static inline void
es_element_health_count (EsElementHealth *health, double value, double full, double highest)
{
  health->samples++;
  if (!isfinite (value))
    {
      health->not_finite++;
      return;
    }
  health->clipped += value >= highest || value <= -full;
  health->peak = MAX (health->peak, fabs (value) / full);
}

/* Of several processes (es-ranks.h), which all call it: what all of them have counted of n elements. */
gboolean es_element_health_share (EsElementHealth *health, guint n, GError **error);

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
/* The same with another calibration (nullable) than the recording has now: of a run that begins anew. */
EsBeamformer *es_beamformer_new_calibrated (EsRecording *recording, EsArray *array, const EsBeamSettings *settings,
                                            EsCalibration *calibration, EsDevice *device, const EsLimits *limits,
                                            GError **error);
void          es_beamformer_free    (EsBeamformer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamformer, es_beamformer_free)
/* The block that begins at `frame`; what lies past the end is 0. Transfer full. */
EsBeamBlock  *es_beamformer_process (EsBeamformer *self, guint64 frame, GError **error);
/*
 * Adaptive beams: ES_COMPUTE_ERROR_PARAMETER where a matrix is singular, with the loading that would do. As long as
 * fewer snapshots than elements have been heard (the beginning of a recording), a loading of 0 or an automatic one is
 * 0.1; the report says it. They are in the compute_seconds of blocks and in the beams of es_beamformer_get_times ().
 *
 * Adaptive beams remember blocks (settings->adaptive.blocks, forgetting). A block that does not follow on the one
 * before by `block` samples begins anew with the snapshots of so many blocks before it as the settings average
 * (forgetting: as weigh more than 1 %, at most 64), so that what is seen there does not depend on how one came there.
 * One that leaves out fewer blocks than are remembered hears those first.
 * With memory of blocks only the first of several GPUs works.
 */
/* Only of what es_beam_settings_equal_but_adaptive () allows to differ; what was heard is kept. */
gboolean      es_beamformer_set_adaptive (EsBeamformer *self, const EsAdaptiveSettings *adaptive, GError **error);
/* The last block of es_beamformer_process () once more, its adaptive beams anew from what has been heard: after
 * es_beamformer_set_adaptive () or _set_probe (). NULL without an error: there was none. Transfer full. */
EsBeamBlock  *es_beamformer_again       (EsBeamformer *self, GError **error);
/* Evaluations of adaptive beams, which may take minutes, and on the CPU all of a block are given up soon
 * (G_IO_ERROR_CANCELLED) once `flag`, which any thread may set by g_atomic_int_set () and which outlives the
 * beamformer, is not 0. NULL: no flag. */
void          es_beamformer_set_give_up (EsBeamformer *self, const int *flag);
/* Blocks from now on carry it; NAN: no more. */
void          es_beamformer_set_probe   (EsBeamformer *self, double bearing, double frequency);
/* Of the block that begins at `frame` the probe alone, without its eigenvalues, and no beams:
 * es_beam_block_get_probe (). Transfer full. */
EsBeamBlock  *es_beamformer_look        (EsBeamformer *self, guint64 frame, GError **error);

/* Blocks at first, first + step, ... (n of them), as fast as possible and several in flight; `take` gets them in order
 * on the calling thread and returns FALSE to stop: without an error that is no failure. */
typedef gboolean (*EsBeamTake) (EsBeamBlock *block, gpointer data, GError **error);
gboolean      es_beamformer_run     (EsBeamformer *self, guint64 first, guint64 step, guint64 n, EsBeamTake take,
                                     gpointer data, GCancellable *cancellable, GError **error);
/* What several processes (es-ranks.h) share: of the n blocks this one forms begin .. end - 1, which are as those of
 * es_beamformer_run () of all of them. What forgets without an end goes through all blocks before them, without forming
 * their beams. All processes call it; health becomes that of all blocks. */
gboolean      es_beamformer_run_share (EsBeamformer *self, guint64 first, guint64 step, guint64 begin, guint64 end,
                                     EsBeamTake take, gpointer data, GCancellable *cancellable, GError **error);
/* What making ready took (plans, first launches), seconds: reported apart. */
double        es_beamformer_get_setup_seconds (EsBeamformer *self);
/* What each step was busy, ms, summed over blocks; steps of neighbouring blocks overlap. input: reading, and copying to
 * a GPU. */
void          es_beamformer_get_times (EsBeamformer *self, double *input, double *transform, double *beams);
/* How blocks are brought to cards by several threads; FALSE: they are not, but read by one. */
gboolean      es_beamformer_get_upload (EsBeamformer *self, EsUploadChoice *choice);
const EsElementHealth *es_beamformer_get_health (EsBeamformer *self, guint *n_elements);
/* Bytes of host and of device memory, and flops a block, for plans. */
void          es_beamformer_estimate (EsRecording *recording, EsArray *array, const EsBeamSettings *settings,
                                     EsDevice *device, guint64 *memory, guint64 *device_memory, double *flops);

G_END_DECLS
