/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-job-internal.h"

G_BEGIN_DECLS

/* What the lanes of one pass share. */
typedef struct
{
  EsJob              *job;
  EsCube             *cube;
  const EsTiling     *tiling;
  const EskSelection *selection;       /* nullable: nothing is asked about pixels, all count */
  const EsPass       *pass;
  gpointer            data;

  GMutex              lock;
  GCond               turn;
  guint64             next, merged, done;
  guint64             end, total;      /* tiles up to there, of this process; how many that is */
  gboolean            stop;
  GError             *error;
  gint64              read_us;
  double              read_bytes;      /* of samples, as they are stored */
} EsPassRun;

void     es_pass_run_init     (EsPassRun *self, EsJob *job, EsCube *cube, const EsTiling *tiling,
                               const EskSelection *selection, const EsPass *pass, gpointer data);
/* Accounts the time of reading to `lanes` lanes; FALSE: it failed, and how. */
gboolean es_pass_run_finish   (EsPassRun *self, guint lanes, GError **error);
/* The first error stops the pass and is kept. Takes it. */
void     es_pass_run_fail     (EsPassRun *self, GError *error);
/* Waits until it is the turn of `index` and merges. FALSE without error: another lane stopped the pass. */
gboolean es_pass_run_merge    (EsPassRun *self, gpointer lane, const EsLaneContext *context, guint64 index,
                               const EsCubeWindow *window, GError **error);
/* One lane after the other; nothing where the pass has been stopped. */
void     es_pass_run_lane_done (EsPassRun *self, gpointer lane, const EsLaneContext *context, GError **error);
/* Counts one tile as done, and what reading it took; of bytes that were read before, 0. */
void     es_pass_run_advance  (EsPassRun *self, gint64 read_us, double read_bytes);
/* The bytes of a tile's samples. */
double   es_pass_tile_bytes   (const EskTile *tile);
/* Tile `index` of a tiling of `rows` rows from `top` on: strip by strip, in it column by column, and from top to bottom
 * last, so that a block that is cut stays at hand. */
EsCubeWindow es_tiling_window (const EsTiling *tiling, guint64 width, guint64 top, guint64 rows, guint64 index);
guint64  es_tiling_count      (const EsTiling *tiling, guint64 rows);

gboolean es_tiling_has_margin (const EsTiling *tiling);
/* The window with what it has round it inside the image, and how much that is. */
EsCubeWindow es_tiling_with_margin (const EsTiling *tiling, EsCube *cube, const EsCubeWindow *window,
                                    EskMargin *margin);

/* The tiles that are this process's, [*first, *end): all of them, of several processes whole groups. */
void     es_tiling_share      (const EsTiling *tiling, guint64 *first, guint64 *end);

/* Which group a tile belongs to, and whether it is the last one of it. */
guint    es_tiling_group      (const EsTiling *tiling, guint64 index);
gboolean es_tiling_ends_group (const EsTiling *tiling, guint64 index);

/* The tiling of rows that lie on a GPU already: whole rows, and all of them at once unless each pixel needs scratch
 * and no neighbours. */
EsTiling es_tiling_of_resident (const EsTiling *tiling, EsCube *cube, guint64 rows);
/* Smaller tiles and fewer of them at once, for memory that did not suffice. */
void     es_tiling_shrink     (EsTiling *tiling, EsCube *cube);

/*
 * Rows whose neighbours lie on different GPUs: es-pass-seam.c.
 *
 * is_here[i] of n members: its rows are on its card, without those above and below; others read theirs with their
 * neighbours. The rows of residuals that nobody has, in order: how many runs of them, and where each begins and ends.
 * begin and end have room for n + 1.
 */
guint    es_seams_find        (EsCube *cube, const EskMargin *margin, guint n, const guint64 *top, const guint64 *rows,
                               const gboolean *is_here, guint64 *begin, guint64 *end);
/* Tiles of those rows, with a lane of their own on the CPU, on this thread. */
gboolean es_seams_run         (EsPassRun *run, guint n, const guint64 *begin, const guint64 *end, guint lane_index,
                               GError **error);

/* The pass on GPUs: es-pass-device.c. */
gboolean es_pass_run_on_devices (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection,
                                 const EsPass *pass, gpointer data, GError **error);

G_END_DECLS
