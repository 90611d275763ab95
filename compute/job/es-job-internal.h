/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "checkpoint/es-checkpoint-internal.h"
#include "cube/es-cube-internal.h"
#include "device/es-device-internal.h"
#include "device/es-upload-choice.h"
#include "layer/es-image-stack.h"
#include "es-job.h"

G_BEGIN_DECLS

/* For operations, on the worker thread. */
/* What the weights of all stages add up to; 1 where not told. */
void           es_job_set_total_weight (EsJob *self, double weight);
void           es_job_begin_stage  (EsJob *self, const char *name, const char *title, double weight);
void           es_job_set_fraction (EsJob *self, double fraction);                /* of the stage, 0..1 */
/* Sets G_IO_ERROR_CANCELLED and returns TRUE where the job has been cancelled. */
gboolean       es_job_is_cancelled (EsJob *self, GError **error);
GCancellable  *es_job_get_cancellable (EsJob *self);
/* Calls on this stream (nullable), which is used for this job alone, end soon once the job has been cancelled. */
void           es_job_watch_stream (EsJob *self, const EskHotspots *hotspots, EskStream *stream);
const EsLimits *es_job_get_limits  (EsJob *self);
/* Of the same data and the same part of them; nullable. */
EsResult      *es_job_get_previous (EsJob *self);
/* What takes part of a cube, as run () is given it: es_cube_take_part (). Borrowed. */
EsDataset     *es_job_get_part     (EsJob *self);
/* Another part instead, of an operation that learns only then which it is; selection nullable. */
gboolean       es_job_take_part    (EsJob *self, EsSelection *selection, GError **error);
EsResult      *es_job_get_source   (EsJob *self);                                   /* nullable */
/* Shows a stack that is being filled (es_job_get_preview ()); NULL: no more. The job takes it back when it ends. */
void           es_job_set_preview  (EsJob *self, EsImageStack *stack);
/* Shows a curve that has grown (es_job_get_live_curve ()), which nobody changes from now on; NULL: no more. As often as
 * one likes: the main context is told of the last one. */
void           es_job_set_live_curve (EsJob *self, EsCurve *curve);
/* Time spent in reading, summed over lanes and divided by them, is accounted to stage "input". */
void           es_job_add_stage_ms (EsJob *self, const char *name, const char *title, double ms);
/* What a step did, added to what is known of it; name NULL: the step under way. A step that is not there yet has no
 * work. Any thread. */
void           es_job_add_work     (EsJob *self, const char *name, const EsStageWork *work);
/* How samples come to cards, as it was chosen and then done: "upload" of the result's values, and its step. */
void           es_job_tell_upload  (EsJob *self, const EsUploadChoice *choice);
/* Of several processes: what added their sums, and how long they took to join for it. */
void           es_job_tell_sums    (EsJob *self, const char *how, double joined_ms);
/* For the result that the job will have. */
void           es_job_add_warning  (EsJob *self, const char *warning);

/* How a cube is cut for a pass: into strips over its width, each of `columns` times `rows` tiles (the last strip may
 * have fewer rows). Only blocks of the file that are too large for the memory make rows more than one. */
typedef struct
{
  guint64 tile_width, tile_height, strip_height, columns, rows, tiles;
  guint   lanes;
  gsize   tile_bytes;
  guint   staging;             /* GPUs: tiles that a lane has in page-locked memory; 0: none */
  /* GPUs: what it follows; of it piece_bytes is what a lane reads at once where bands are brought there one by one. */
  EsUploadChoice upload;
  gsize   scratch;             /* as asked for, bytes a pixel */
  gboolean resident;           /* GPUs: the cube fits there as a whole, and stays */
  gboolean load_first;         /* then all of it is brought there before anything is computed */
  /* What tiles have round them (es_tiling_plan_with_margin ()): neighbours, for noise. */
  EskMargin margin;
} EsTiling;

/* scratch_bytes: what a lane needs beside its tile, for each pixel of it; fixed_bytes: once a lane (sums). On a GPU
 * both are of its memory and of the host's. Where scratch_bytes are 0 there, all of a resident cube is one tile. */
EsTiling       es_tiling_plan      (EsCube *cube, EsDevice *device, const EsLimits *limits,
                                    gsize scratch_bytes_a_pixel, gsize fixed_bytes);

/* The same where each tile needs rows and columns of its neighbours: tile_bytes are with them. */
EsTiling       es_tiling_plan_with_margin (EsCube *cube, EsDevice *device, const EsLimits *limits,
                                    gsize scratch_bytes_a_pixel, gsize fixed_bytes, const EskMargin *margin);

/* As many groups of tiles are shared out, none divided: sums of float64 are added by groups, so that their bytes are
 * the same for any number of processes. */
#define ES_PASS_GROUPS 64
guint          es_tiling_n_groups  (const EsTiling *tiling);
/* The first tile of a group, and of the one that would follow the last. */
guint64        es_tiling_group_begin (const EsTiling *tiling, guint64 group);
/* The groups that are this process's: [*first, *end). */
void           es_tiling_share_groups (const EsTiling *tiling, guint64 *first, guint64 *end);

/*
 * One pass over a cube; of several processes (es-ranks.h) each works on tiles of its own, and all of them return the
 * same. On the CPU `lanes` threads read tiles and give each to `tile`, in no order, then to `merge`,
 * one at a time and in the order of the tiles (so that float64 totals do not depend on the threads). On a GPU the same
 * lanes read into page-locked memory, bring tiles to the card and launch; a cube that is on the card already is one
 * tile. With several GPUs each lane belongs to one of them, which works on rows of its own. lane_new makes what a lane
 * owns beside its stream. Stops at the first error or at cancellation; reports progress to the job's stage, and
 * the time lanes spent reading to stage "input".
 *
 * EskTile, `valid` (NULL: every pixel) and whatever else the hot spots are given lie in the lane's device's memory:
 * es-buffer-internal.h. On a GPU what `tile` has asked of the stream is done when the lane's next `tile`, or any other
 * of these functions, is called; nobody has to wait.
 */
typedef struct
{
  EsDevice   *device;          /* the CPU or one GPU */
  EskStream  *stream;
  const EskHotspots *hotspots;
  guint       index;           /* of the lane, from 0 */
  guint       group;           /* the CPU's: of the tile at hand (EsPass.group_done) */
  /*
   * With EsTiling.margin, of the tile at hand: what it really has round the window (less at the image's borders; the
   * window itself is the part of the image that is this tile's alone). A residual that needs `wanted` round a pixel
   * exists for the tile less `wanted` on every side, whatever `margin` is: windows tile the image, and so do those.
   * Several GPUs with the cube on them: neighbours that lie on another card are brought by tiles on the CPU, where
   * `seam` is TRUE: their residuals count, their own pixels have been counted already.
   */
  EskMargin   margin;
  gboolean    seam;
} EsLaneContext;

typedef struct
{
  gpointer (*lane_new)  (const EsLaneContext *context, const EsTiling *tiling, gpointer pass, GError **error);
  void     (*lane_free) (gpointer lane);
  gboolean (*tile)      (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
                         const guint8 *valid, gpointer pass, GError **error);
  /* nullable: where nothing depends on the order (exact sums, disjoint windows), nobody waits for a turn */
  gboolean (*merge)     (gpointer lane, const EsLaneContext *context, const EsCubeWindow *window, gpointer pass,
                         GError **error);
  /* nullable: once a lane, one at a time, after its last tile (not after an error): what a lane gathered by itself */
  gboolean (*lane_done) (gpointer lane, const EsLaneContext *context, gpointer pass, GError **error);
  /* nullable: once a lane, several at a time, after its last tile and before lane_done: what it still has to write */
  gboolean (*flush)     (gpointer lane, const EsLaneContext *context, gpointer pass, GError **error);
  /* nullable: forgets what has been merged. Where it is given, a pass for which a GPU's memory did not suffice is
   * repeated with smaller tiles */
  void     (*restart)   (gpointer pass);
  /*
   * nullable: what has been merged since the last call, or the beginning, is one group of tiles (under the same lock).
   * There are up to ES_PASS_GROUPS of them, which depend on the tiles alone, and each is of one process. Who adds the
   * sums of groups in their order has the same float64 totals for any number of processes. On the CPU alone.
   */
  gboolean (*group_done) (gpointer pass, guint group, GError **error);
  /* nullable: before the first tile of a group is merged (es_pass_run_kept ()): there may have been others of it */
  void     (*group_begun) (gpointer pass, guint group);
} EsPass;

/* selection: bands and no-data values that decide which pixels are valid, before every tile; NULL on the CPU: nobody
 * asks, `valid` is NULL. */
gboolean       es_pass_run         (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection,
                                    const EsPass *pass, gpointer data, GError **error);
/* The same by the CPU's lanes, whichever device the job has; tiling: of the CPU. No group_done. */
gboolean       es_pass_run_on_host (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection,
                                    const EsPass *pass, gpointer data, GError **error);

/*
 * A pass that can be stopped amid itself, and that another run goes on with (es-checkpoint.h): es-pass-kept.c. What it
 * has summed goes into a piece of the checkpoint.
 */
typedef enum
{
  ES_PASS_KEEP_PARTS,
  ES_PASS_KEEP_WHOLE,          /* once it is done */
  ES_PASS_KEEP_NOTHING,        /* more than a file is to hold */
} EsPassExtent;

typedef struct
{
  const char  *name;           /* of the piece */
  EsPassExtent extent;
  /* By all processes, which have done the first done[g] tiles of each group g, all of them together: adds to `to` what
   * is needed to go on. Of a pass that is done (complete), its results are there in every process. */
  gboolean (*save)  (gpointer pass, const EsTiling *tiling, const guint64 *done, gboolean complete, GByteArray *to,
                     GError **error);
  /* Into what is empty. FALSE: it is not what this pass saves. */
  gboolean (*load)  (gpointer pass, const EsTiling *tiling, const guint64 *done, gboolean complete,
                     EsCheckpointReader *from);
  /* nullable: after the last tile: makes of the sums of all processes one (es-ranks.h) */
  gboolean (*finish) (gpointer pass, GError **error);
} EsPassKeep;

/* es_pass_run () and then finish (). Where it is stopped: G_IO_ERROR_CANCELLED. On GPUs a pass is kept once it is
 * done. */
gboolean       es_pass_run_kept    (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection,
                                    const EsPass *pass, const EsPassKeep *keep, gpointer data, GError **error);
/* nullable */
EsCheckpoint  *es_job_get_checkpoint (EsJob *self);

G_END_DECLS
