/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Tiles of planes that were read for a view, of all pictures of the program: floats, as many as of the level lie in
 * ES_TILE_SIDE x ES_TILE_SIDE samples. What was used longest ago goes first (256 MiB at most), and with a cube or stack
 * all of its own. Any thread.
 */
#define ES_TILE_SIDE 256

typedef struct
{
  guint64 data;                /* es_tile_cache_name () of the cube or stack */
  guint   plane, level;
  guint   x, y;                /* counted in tiles */
} EsTileKey;

/* A number that no other cube or stack ever has. Main context. */
guint64  es_tile_cache_name  (GObject *data);
/* NULL: it is not there. Transfer full. */
GBytes  *es_tile_cache_find  (const EsTileKey *key);
void     es_tile_cache_add   (const EsTileKey *key, GBytes *samples);
/* What all of them take, bytes. */
gsize    es_tile_cache_get_size (void);

G_END_DECLS
