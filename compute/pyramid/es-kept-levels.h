/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-level-read.h"

G_BEGIN_DECLS

/*
 * Levels of the bands of large cubes that are kept in the person's cache folder, a file a band, so that zoomed-out
 * views need not read all pixels again. They belong to the content of a data set: of a file that has been written to
 * since, or is understood otherwise by now, they are not used. There is a budget: what was used longest ago goes first.
 * Only files that are known to be of this kind are read or removed. Blocking, for workers; several processes may use
 * them at once.
 *
 * The first level is that of 4 x 4 pixels (2 x 2 where `last` is that): a finer one takes as much as the cube itself,
 * and is read from it as quickly.
 */
#define ES_KEPT_LEVELS_BUDGET ((guint64) 4 << 30)

/* While it says so the build waits. */
typedef gboolean (*EsLevelsHold) (gpointer data);

/* Whether they are there, to the level `last`. */
gboolean es_kept_levels_have  (EsCube *cube, guint band, guint last);
/* FALSE: that level is not kept, or cannot be read; nobody is told why. */
gboolean es_kept_levels_read  (EsCube *cube, guint band, const EsLevelWindow *window, float *out);
/*
 * Makes those of n bands in one go through the cube, after what has to go for them; they are there when they are
 * whole, or not at all. TRUE, too, where nothing is to be kept: they are there already, the cube has no file, or they
 * take more than half of the budget. ES_DATA_ERROR_WRITE: one sentence, as for a disk that is full; it is left a
 * quarter of a GiB.
 */
gboolean es_kept_levels_build (EsCube *cube, guint n, const guint *bands, guint last, guint64 budget,
                               EsLevelsHold hold, gpointer data, GCancellable *cancellable, GError **error);
/* Removes what was used longest ago until the rest takes no more than that. Returns what the rest takes, bytes. */
guint64  es_kept_levels_limit (guint64 bytes);

G_END_DECLS
