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
  double      deviations;        /* instead of the cut; 0: the cut */
  EsStretch   curve;
  gboolean    linked;            /* red, green and blue have one stretch */
  EsStretchBasis basis;
  gboolean    symmetric;
  EsImageHint hint;
  GHashTable *stretches;         /* plane -> double[2] */
} EsDisplayState;

#define ES_DISPLAY_DEFAULT_CUT 0.02

struct _EsDisplay
{
  GObject        parent_instance;

  EsPlaneSource *source;
  EsDisplayState *state;          /* belongs to the source's data; NULL without a source */
  gboolean       detached;       /* states are kept here, not with the data */
  GHashTable    *states;         /* of a detached one: GObject -> State */
  GPtrArray     *changes;        /* of JsonNode: stretches of the state as they were, the newest last */
  gint64         changed;        /* when the last one by hand was */
};

void      _es_display_look_changed (EsDisplay *self);
void      _es_display_stretched    (EsDisplay *self);
/* es-display-stretch.c: "cut 2 %, square root". Transfer full. */
char     *_es_display_describe_stretch (EsDisplay *self, guint n_planes, const guint *planes);

/* es-display-state.c: as JSON and back. */
JsonNode *_es_display_state_tell (const EsDisplayState *state);
/* Whatever it says that can be, of so many planes. */
void      _es_display_state_take (EsDisplayState *state, JsonNode *told, guint n_planes);

G_END_DECLS
