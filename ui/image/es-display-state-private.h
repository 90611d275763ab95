/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-display.h"

G_BEGIN_DECLS

/* What a channel of a composite borrows of another source of the same scene. */
typedef struct
{
  GWeakRef data;                 /* the cube or stack: a look does not keep a removed result */
  guint    plane;
  char    *reference;            /* by which it is found in another run of the program; nullable */
  char    *kind;                 /* what takes its place is of the same; nullable */
} EsDisplayOther;

/* How one source is shown: what EsDisplay remembers of it. */
typedef struct
{
  gboolean    composite;
  guint       rgb[3];            /* as wanted: a stack that has fewer planes shows its last one instead */
  EsDisplayOther *others[3];     /* instead of a plane of rgb, as soon as it is there; NULL: nothing is borrowed */
  guint       plane;
  EsColormap  colormap;
  double      cut;
  double      deviations;        /* instead of the cut; 0: the cut */
  EsStretch   curve;
  gboolean    linked;            /* red, green and blue have one stretch */
  EsStretchBasis basis;
  gboolean    symmetric;
  EsImageHint hint;
  GHashTable *stretches;         /* plane -> double[2]; behind the source's own those that are borrowed */
} EsDisplayState;

#define ES_DISPLAY_DEFAULT_CUT 0.02

struct _EsDisplay
{
  GObject        parent_instance;

  EsPlaneSource *base;            /* as it was set */
  EsPlaneSource *source;         /* the same, with the planes that the channels borrow */
  GListModel    *groups;         /* of EsPlaneGroup: what there is to be borrowed; nullable */
  EsDisplayOther *last[3];       /* of the composite that was shown last */
  gboolean       held;
  EsDisplayState *state;          /* belongs to the source's data; NULL without a source */
  gboolean       detached;       /* states are kept here, not with the data */
  GHashTable    *states;         /* of a detached one: GObject -> State */
  GPtrArray     *changes;        /* of JsonNode: stretches of the state as they were, the newest last */
  gint64         changed;        /* when the last one by hand was */
};

void      _es_display_planes_changed (EsDisplay *self);
void      _es_display_look_changed (EsDisplay *self);
void      _es_display_stretched    (EsDisplay *self);
/* es-display-stretch.c: "cut 2 %, square root". Transfer full. */
char     *_es_display_describe_stretch (EsDisplay *self, guint n_planes, const guint *planes);

/* es-display-channels.c */
void      _es_display_other_free  (EsDisplayOther *other);
EsDisplayOther *_es_display_other_copy (const EsDisplayOther *other);
/* One of which no more is known than a session has told. */
EsDisplayOther *_es_display_other_told (const char *reference, guint plane);
/* The source with what its state borrows, as far as that is there. */
void      _es_display_link_source (EsDisplay *self);
/* A composite is about to be shown, or not any more. */
void      _es_display_note_composite (EsDisplay *self);
/* A held composite goes on with the state of another source. */
void      _es_display_hand_over   (EsDisplay *self);
/* A channel has a plane of its own again. */
void      _es_display_give_back   (EsDisplay *self, guint channel);
/* Disconnects from the groups. */
void      _es_display_drop_groups (EsDisplay *self);

/* es-display-state.c: as JSON and back. */
JsonNode *_es_display_state_tell (const EsDisplayState *state);
/* Whatever it says that can be, of so many planes. */
void      _es_display_state_take (EsDisplayState *state, JsonNode *told, guint n_planes);

G_END_DECLS
