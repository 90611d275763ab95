/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "signal/es-beam-peaks.h"
#include "beam/es-beamformer.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "layer/es-store-internal.h"
#include "ranks/es-ranks-groups-internal.h"
#include "result/es-result-internal.h"
#include "signal/es-tracker.h"

G_BEGIN_DECLS

/* Of the host's memory, for one layer over time; what is larger goes to a file. */
#define ES_BEAM_LAYER_SHARE ((EsMemoryShare) { .of_limit = 8, .of_machine = 8 })

/* Beams of one kind: means over blocks, once es_beam_gather_run () has them, inside EsBeamGather.sums_of_all. MUSIC's
 * are means of reciprocals, as over a band. */
typedef struct
{
  double  *field;              /* n_ranges x n_angles; NULL: no beams of this kind */
  double  *spectra;            /* n_angles x n_bins; NULL where there is no far row */
  double  *between;            /* of MVDR, EsBeamCurve.between of the far row; NULL: not known */
  EsField *btr;                /* over time; NULL where there is no far row */
} EsBeamSums;

/* Where they lie among all numbers that are added up; G_MAXSIZE: there are none. */
typedef struct
{
  gsize field, spectra, between;
} EsBeamPlaces;

/*
 * What a block leaves beside the sums: made by the process that formed it, and taken in the order of blocks by all of
 * them. One piece of memory that begins with this; what it counts follows, in its order.
 */
typedef struct
{
  gsize    bytes;              /* of all of it, a multiple of 8 */
  double   time, adaptive_time;
  guint    n_detections;       /* EsBeamPeak, of all rows */
  guint    n_tracked;          /* EsBeamPeak of the far row, which belong to tracks */
  guint    n_lifts;            /* EsBeamLift */
  guint    n_rows;             /* of n_angles float32: the far rows of all kinds, as they are shown */
  guint    n_lofar;            /* float32: n_bins, or 0 */
  gboolean is_block;           /* FALSE: a row of the LOFAR alone */
  gboolean has_loose_tones;
  gboolean between_known;

  /* Of adaptive beams. */
  gboolean has_counts;
  guint    aic, mdl;           /* how many sources there are */
  guint    used;
  EsAdaptiveReport report;
} EsBeamRecord;

typedef struct _EsBeamGather EsBeamGather;

/* What an operation has to say to a block; each is nullable. add: to the record, on the process that formed it, one
 * thread at a time; take: of every block, in order; after: a last word with the beamformer, once means are there. */
typedef struct
{
  void     (*add)   (EsBeamBlock *block, EsBeamRecord *record, gpointer data);
  void     (*take)  (const EsBeamRecord *record, gpointer data);
  gboolean (*after) (EsBeamformer *beamformer, gpointer data, GError **error);
} EsBeamGatherCalls;

/* What operations of beams gather from the blocks of a run. */
struct _EsBeamGather
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
  guint64         begin, end;          /* those of them that this process forms */
  const EsBeamGatherCalls *calls;
  gpointer        calls_data;
  guint           n_peaks;
  double          peak_range, peak_distance;

  guint64         done;                /* blocks of this process */
  gboolean        has_loose_tones;     /* some block has */
  gboolean        between_lost;        /* some block does not tell what is between the angles */
  EsBeamSums      sums[ES_N_BEAM_KINDS];
  double         *eigenvalues;         /* n_bins x n_eigenvalues: means; NULL: none */
  guint           n_eigenvalues;
  EsRanksGroups  *groups;              /* the sums that they are made of, while blocks come; then sums_of_all */
  double         *sums_of_all;
  EsBeamPlaces    places[ES_N_BEAM_KINDS];
  gsize           eigenvalues_at, n_sums;
  GByteArray     *record;              /* that is being made */
  EsStore        *records;             /* of this process, where there are others; nullable */
  gsize           records_bytes;
  EsField        *lofar;       /* NULL where there is no far row */
  EsTable        *detections;
  EsTable        *lifts;       /* of MVDR's rows; NULL: there are none */
  EsTracker      *tracker;
  /* LOFAR of the beam that turns out to be the strongest: blocks are kept where all of them do not take too much. */
  guint           lofar_angle; /* G_MAXUINT: not known yet */
  GPtrArray      *kept;        /* of this process; NULL: they would */

  double          setup_seconds, run_seconds, input_ms, transform_ms, beams_ms;
  double          matrix_ms, factor_ms, spectrum_ms;   /* of adaptive beams, parts of beams_ms */
  EsElementHealth *health;     /* n_elements */
};

/* self is all zeros. Refusals of settings. */
gboolean  es_beam_gather_init  (EsBeamGather *self, const EsOperation *operation, EsJob *job, EsRecording *recording,
                                EsParams *params, GError **error);
void      es_beam_gather_clear (EsBeamGather *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsBeamGather, es_beam_gather_clear)
/*
 * All blocks: several processes (es-ranks.h) form a share each, and have what all of them give. Then means and LOFAR,
 * for which it may go through the recording once more. Times, and the work of the steps, are those of this process.
 */
gboolean  es_beam_gather_run   (EsBeamGather *self, const EsBeamGatherCalls *calls, gpointer data, GError **error);
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
/* What hearing a block, for the sake of adaptive beams behind it, costs of what forming its beams does; 0..1. */
double    es_beam_get_cost_of_hearing (const EsBeamSettings *settings, guint n_alive);
/* What forming a block's adaptive beams costs with so few blocks heard before it, of what it does where none is
 * missing; above 0, at most 1. */
double    es_beam_get_cost_of_early   (const EsBeamSettings *settings, guint n_alive, guint before);

/* Rows of the tables of operations of beams, with N_() in scope. */
#define ES_BEAM_GATHER_PARAMS \
  ES_BEAM_PARAMS_PART (TRUE), \
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

/* es-beam-record.c: adds a block to the sums, and gives away its record; and takes one, of whichever process. */
gboolean     es_beam_gather_add_block (EsBeamGather *self, EsBeamBlock *block, GError **error);
gboolean     es_beam_gather_add_lofar (EsBeamGather *self, EsBeamBlock *block, guint angle, GError **error);
gboolean     es_beam_gather_take      (EsBeamGather *self, const EsBeamRecord *record, GError **error);
/* es-beam-share.c: which blocks this process forms; begins has one a process and one more. And the way of records:
 * taken at once where there is one process, else kept until es_beam_gather_collect (), which all processes call. */
void         es_beam_gather_share     (EsBeamGather *self, guint *begins);
gboolean     es_beam_gather_give      (EsBeamGather *self, const EsBeamRecord *record, GError **error);
gboolean     es_beam_gather_collect   (EsBeamGather *self, GError **error);
/* What the steps of the run did; upload: how samples came to cards, nullable. And what going through all of it once
 * more did, with these settings: es-beam-work.c. */
void         es_beam_gather_tell_work  (EsBeamGather *self, const EsUploadChoice *upload);
void         es_beam_gather_tell_again (EsBeamGather *self, const EsBeamSettings *settings);

G_END_DECLS
