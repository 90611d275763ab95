/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-colormap.h"

G_BEGIN_DECLS

/* Red, green, blue of the published maps; es_colormap_entries() makes the rows of four from them. */
extern const guint8 es_colormap_viridis_table[256][3];
extern const guint8 es_colormap_magma_table[256][3];
extern const guint8 es_colormap_cividis_table[256][3];
extern const guint8 es_colormap_vik_table[256][3];

G_END_DECLS
