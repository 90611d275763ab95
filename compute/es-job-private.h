/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube-private.h"
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
const EsLimits *es_job_get_limits  (EsJob *self);
EsResult      *es_job_get_previous (EsJob *self);                                 /* nullable */
/* Time spent in reading, summed over lanes and divided by them, is accounted to stage "input". */
void           es_job_add_stage_ms (EsJob *self, const char *name, const char *title, double ms);

/* Maps a hot spot's code to ES_COMPUTE_ERROR; what: "covariance sums". Returns FALSE where code is not ESK_OK. */
gboolean       es_device_check     (EsDevice *device, EskStream *stream, int code, const char *what, GError **error);
const EskHotspots *es_device_get_hotspots (EsDevice *self);
int            es_device_get_index (EsDevice *self);

/* How a cube is cut for a pass: into strips over its width, each of `columns` times `rows` tiles (the last strip may
 * have fewer rows). Only blocks of the file that are too large for the memory make rows more than one. */
typedef struct
{
  guint64 tile_width, tile_height, strip_height, columns, rows, tiles;
  guint   lanes;
  gsize   tile_bytes;
} EsTiling;

/* scratch_bytes: what a lane needs beside its tile, for each pixel of it; fixed_bytes: once a lane (sums). */
EsTiling       es_tiling_plan      (EsCube *cube, EsDevice *device, const EsLimits *limits,
                                    gsize scratch_bytes_a_pixel, gsize fixed_bytes);

/*
 * One pass over a cube: `lanes` threads read tiles and give each to `tile`, in no order, then to `merge`, one at a
 * time and in the order of the tiles (so that float64 totals do not depend on the threads). lane_new makes what a
 * lane owns beside its stream. Stops at the first error or at cancellation; reports progress to the job's stage, and
 * the time lanes spent reading to stage "input".
 */
typedef struct
{
  gpointer (*lane_new)  (EskStream *stream, const EsTiling *tiling, gpointer pass, GError **error);   /* nullable */
  void     (*lane_free) (gpointer lane);
  gboolean (*tile)      (gpointer lane, EskStream *stream, const EsWindow *window, const EskTile *tile,
                         gpointer pass, GError **error);
  /* nullable: where nothing depends on the order (exact sums, disjoint windows), nobody waits for a turn */
  gboolean (*merge)     (gpointer lane, const EsWindow *window, gpointer pass, GError **error);
  /* nullable: once a lane, one at a time, after its last tile (not after an error): what a lane gathered by itself */
  gboolean (*lane_done) (gpointer lane, gpointer pass, GError **error);
} EsPass;

gboolean       es_pass_run         (EsJob *job, EsCube *cube, const EsTiling *tiling, const EsPass *pass,
                                    gpointer data, GError **error);

G_END_DECLS
