/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-display.h"

G_BEGIN_DECLS

/* How one source is shown: what EsDisplay remembers of it. */
typedef struct
{
  gboolean    composite;
  guint       rgb[3];            /* as wanted: a stack that has fewer planes shows its last one instead */
  guint       plane;
  EsColormap  colormap;
  double      cut;
  gboolean    symmetric;
  EsImageHint hint;
  GHashTable *stretches;         /* plane -> double[2] */
} EsDisplayState;

/* es-display-state.c: as JSON and back. */
JsonNode *_es_display_state_tell (const EsDisplayState *state);
/* Whatever it says that can be, of so many planes. */
void      _es_display_state_take (EsDisplayState *state, JsonNode *told, guint n_planes);

G_END_DECLS
