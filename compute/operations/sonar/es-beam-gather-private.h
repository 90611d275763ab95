/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "signal/es-beam-peaks.h"
#include "beam/es-beamformer.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"
#include "signal/es-tracker.h"

G_BEGIN_DECLS

/* Beams of one kind: sums over blocks until es_beam_gather_run () makes them means. MUSIC's are means of reciprocals,
 * as over a band. */
typedef struct
{
  double  *field;              /* n_ranges x n_angles; NULL: no beams of this kind */
  double  *spectra;            /* n_angles x n_bins; NULL where there is no far row */
  double  *between;            /* of MVDR, EsBeamCurve.between of the far row; NULL: not known */
  EsField *btr;                /* the same */
} EsBeamSums;

/* What operations of beams gather from the blocks of a run. */
typedef struct
{
  const EsOperation *operation;
  EsRecording    *recording;
  EsArray        *array;
  EsCalibration  *calibration; /* as it was at the start; nullable */
  EsNavigation   *navigation;  /* the same */
  EsBeamSettings *settings;
  EsParams       *params;      /* borrowed */
  EsJob          *job;         /* borrowed */
  EsBeamKind      kind;        /* whose peaks are listed and linked, whose LOFAR is shown: MVDR where there is any */
  guint64         first, n_blocks;     /* frame of the first, how many */
  guint           n_peaks;
  double          peak_range, peak_distance;

  guint64         done;
  gboolean        has_loose_tones;     /* some block has */
  EsBeamSums      sums[ES_N_BEAM_KINDS];
  EsField        *lofar;       /* NULL where there is no far row */
  EsTable        *detections;
  EsTable        *lifts;       /* of MVDR's rows; NULL: there are none */
  EsTracker      *tracker;
  /* LOFAR of the beam that turns out to be the strongest: blocks are kept while they do not take more than this. */
  guint           lofar_angle; /* G_MAXUINT: not known yet */
  GPtrArray      *kept;        /* NULL: they did */
  guint64         kept_limit;

  double          setup_seconds, run_seconds, input_ms, transform_ms, beams_ms;
  double          matrix_ms, factor_ms, spectrum_ms;   /* of adaptive beams, parts of beams_ms; `take` adds them up */
  EsElementHealth *health;     /* n_elements */
} EsBeamGather;

/* self is all zeros. Refusals of settings. */
gboolean  es_beam_gather_init  (EsBeamGather *self, const EsOperation *operation, EsJob *job, EsRecording *recording,
                                EsParams *params, GError **error);
void      es_beam_gather_clear (EsBeamGather *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsBeamGather, es_beam_gather_clear)
/* Takes one block. */
gboolean  es_beam_gather_take  (EsBeamGather *self, EsBeamBlock *block, GError **error);
/*
 * All blocks, each given to `take` (which gives it to es_beam_gather_take ()), then means and LOFAR, for which it may
 * go through the recording once more. after: nullable; a last word with the beamformer, once means are there.
 */
gboolean  es_beam_gather_run   (EsBeamGather *self, EsBeamTake take,
                                gboolean (*after) (EsBeamformer *beamformer, gpointer data, GError **error),
                                gpointer data, GError **error);
/* The strongest direction of the far row of a kind's means; the first where nothing is. */
guint     es_beam_gather_find_strongest (EsBeamGather *self, EsBeamKind kind);
gboolean  es_beam_gather_has_far        (EsBeamGather *self);

/* Frames from..to of the parameters as whole blocks. ES_COMPUTE_ERROR_PARAMETER. */
gboolean  es_beam_find_blocks  (EsRecording *recording, EsParams *params, const EsBeamSettings *settings,
                                guint64 *first, guint64 *n_blocks, GError **error);
/* The angle nearest to a bearing or to its mirror image, which the array cannot tell from it. */
guint     es_beam_find_angle   (const EsBeamSettings *settings, EsArray *array, double bearing);
/* EsOperation.plan of operations of beams. */
EsPlan    es_beam_plan         (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits);
/* EsParamSpec.check: of lofar-bearing. */
gboolean  es_beam_check_bearing (const char *text, GError **error);

/* Rows of the tables of operations of beams, with N_() in scope. */
#define ES_BEAM_GATHER_PARAMS \
  { .key = "from", .label = N_("From"), \
    .help = N_("Where in the recording it begins."), \
    .type = ES_PARAM_FLOAT, .unit = N_("s"), .maximum = 1e9, .step = 1, .digits = 3, .zero_label = N_("Beginning"), \
    .advanced = TRUE }, \
  { .key = "to", .label = N_("To"), \
    .help = N_("Where in the recording it ends."), \
    .type = ES_PARAM_FLOAT, .unit = N_("s"), .maximum = 1e9, .step = 1, .digits = 3, .zero_label = N_("End"), \
    .advanced = TRUE }, \
  { .key = "lofar-bearing", .label = N_("LOFAR bearing"), \
    .help = N_("The bearing of the beam whose frequencies are shown over time. Automatic: the strongest."), \
    .type = ES_PARAM_TEXT, .unit = N_("°"), .zero_label = N_("Strongest"), .check = es_beam_check_bearing, \
    .advanced = TRUE }, \
  { .key = "peaks", .label = N_("Peaks"), \
    .help = N_("How many peaks are listed at most, strongest first."), \
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 1, .maximum = 1000, .default_value = 5 }, \
  { .key = "peak-range", .label = N_("Peak range"), \
    .help = N_("Peaks that are weaker than the strongest by more than this are not listed."), \
    .type = ES_PARAM_FLOAT, .unit = N_("dB"), .group = ES_PARAM_GROUP_THRESHOLDS, \
    .maximum = 200, .step = 1, .digits = 1, .default_value = 10 }, \
  { .key = "peak-distance", .label = N_("Peak distance"), \
    .help = N_("Peaks are at least so far apart, and never closer than one is wide where the level between them " \
               "falls by less than 3 dB."), \
    .type = ES_PARAM_FLOAT, .unit = N_("°"), .group = ES_PARAM_GROUP_THRESHOLDS, \
    .maximum = 180, .step = 1, .digits = 1, .advanced = TRUE }

/* What the steps of the run did; upload: how samples came to cards, nullable. And what going through all of it once
 * more did, with these settings: es-beam-work.c. */
void         es_beam_gather_tell_work  (EsBeamGather *self, const EsUploadChoice *upload);
void         es_beam_gather_tell_again (EsBeamGather *self, const EsBeamSettings *settings);

G_END_DECLS
