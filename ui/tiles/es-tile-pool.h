/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-plane-source.h"
#include "es-tile-cache.h"

G_BEGIN_DECLS

/*
 * Reads tiles into the cache, in a few threads that all pictures of the program share: what was asked for last comes
 * first, of that what is nearest to the middle, and neighbours of what is in view after all else.
 */
typedef struct _EsTileQueue EsTileQueue;

/* A tile has come, or could not be read (error; else NULL). Main context; several that came in short order are told
 * once. */
typedef void (*EsTilesCame) (const GError *error, gpointer user_data);

EsTileQueue *es_tile_queue_new    (EsTilesCame came, gpointer user_data);
/* Nothing is told any more. */
void         es_tile_queue_free   (EsTileQueue *self);
/* What was asked for and has not been begun is not read any more. */
void         es_tile_queue_clear  (EsTileQueue *self);
/* distance: the lower the earlier. */
void         es_tile_queue_ask    (EsTileQueue *self, EsPlaneSource *source, const EsTileKey *key, double distance);
/* How many tiles are being read just now, of all queues. Any thread. */
guint        es_tile_pool_count   (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTileQueue, es_tile_queue_free)

G_END_DECLS
