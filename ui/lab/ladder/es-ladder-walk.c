/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-walk.h"

#include <math.h>

struct _EsLadderWalk
{
  GObject        parent_instance;

  EsLadderSheet *sheet;              /* nullable */
  gboolean       on;
  guint          n_seen;             /* while it is on */
  GArray        *guesses;            /* double, of each rung */
  guint          selected;
};

G_DEFINE_FINAL_TYPE (EsLadderWalk, es_ladder_walk, G_TYPE_OBJECT)

enum { CHANGED, SELECTED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
tell (EsLadderWalk *self, guint signal)
{
  g_signal_emit (self, signals[signal], 0);
}

/* ---- which ladder ---- */

static gboolean
has_same_rungs (EsLadderSheet *a, EsLadderSheet *b)
{
  if (es_ladder_sheet_get_n (a) != es_ladder_sheet_get_n (b))
    return FALSE;
  for (guint i = 0; i < es_ladder_sheet_get_n (a); i++)
    if (g_strcmp0 (es_ladder_sheet_get (a, i)->id, es_ladder_sheet_get (b, i)->id) != 0)
      return FALSE;
  return TRUE;
}

static void
forget_guesses (EsLadderWalk *self)
{
  const double none = NAN;

  g_array_set_size (self->guesses, 0);
  for (guint i = 0; i < es_ladder_sheet_get_n (self->sheet); i++)
    g_array_append_val (self->guesses, none);
}

void
es_ladder_walk_set_sheet (EsLadderWalk *self, EsLadderSheet *sheet)
{
  g_return_if_fail (ES_IS_LADDER_WALK (self));

  if (self->sheet == sheet)
    return;
  const gboolean same = self->sheet != NULL && sheet != NULL && has_same_rungs (self->sheet, sheet);
  const gboolean keep = same && !self->sheet->measured;
  EsLadderSheet *old = self->sheet;

  self->sheet = sheet != NULL ? es_ladder_sheet_ref (sheet) : NULL;
  es_ladder_sheet_unref (old);
  self->n_seen = 0;
  if (!keep)
    forget_guesses (self);
  if (!same)
    self->selected = 0;
  tell (self, CHANGED);
  tell (self, SELECTED);
}

EsLadderSheet *
es_ladder_walk_get_sheet (EsLadderWalk *self)
{
  g_return_val_if_fail (ES_IS_LADDER_WALK (self), NULL);
  return self->sheet;
}

/* ---- climbing ---- */

void
es_ladder_walk_set_on (EsLadderWalk *self, gboolean on)
{
  g_return_if_fail (ES_IS_LADDER_WALK (self));

  if (self->on == on)
    return;
  self->on = on;
  self->n_seen = 0;
  if (on)
    forget_guesses (self);
  if (on && self->selected != 0)
    es_ladder_walk_select (self, 0);
  tell (self, CHANGED);
}

gboolean
es_ladder_walk_is_on (EsLadderWalk *self)
{
  g_return_val_if_fail (ES_IS_LADDER_WALK (self), FALSE);
  return self->on;
}

gboolean
es_ladder_walk_is_seen (EsLadderWalk *self, guint rung)
{
  g_return_val_if_fail (ES_IS_LADDER_WALK (self), FALSE);
  return !self->on || rung < self->n_seen;
}

gboolean
es_ladder_walk_is_all_seen (EsLadderWalk *self)
{
  g_return_val_if_fail (ES_IS_LADDER_WALK (self), FALSE);
  return !self->on || self->n_seen >= es_ladder_sheet_get_n (self->sheet);
}

int
es_ladder_walk_get_next (EsLadderWalk *self)
{
  g_return_val_if_fail (ES_IS_LADDER_WALK (self), -1);
  return es_ladder_walk_is_all_seen (self) ? -1 : (int) self->n_seen;
}

gboolean
es_ladder_walk_can_guess (EsLadderWalk *self, guint rung)
{
  g_return_val_if_fail (ES_IS_LADDER_WALK (self), FALSE);
  return rung < es_ladder_sheet_get_n (self->sheet) && es_ladder_sheet_get (self->sheet, rung)->below >= 0;
}

void
es_ladder_walk_guess (EsLadderWalk *self, double speedup)
{
  const int next = es_ladder_walk_get_next (self);

  if (next < 0 || !es_ladder_walk_can_guess (self, (guint) next))
    return;
  g_array_index (self->guesses, double, next) = isfinite (speedup) && speedup > 0 ? speedup : NAN;
  tell (self, CHANGED);
}

double
es_ladder_walk_get_guess (EsLadderWalk *self, guint rung)
{
  g_return_val_if_fail (ES_IS_LADDER_WALK (self), NAN);
  return self->on && rung < self->guesses->len ? g_array_index (self->guesses, double, rung) : NAN;
}

gboolean
es_ladder_walk_reveal (EsLadderWalk *self)
{
  const int next = es_ladder_walk_get_next (self);

  if (next < 0 || !self->sheet->measured)
    return FALSE;
  self->n_seen++;
  es_ladder_walk_select (self, (guint) next);
  tell (self, CHANGED);
  return TRUE;
}

void
es_ladder_walk_reveal_all (EsLadderWalk *self)
{
  g_return_if_fail (ES_IS_LADDER_WALK (self));

  if (!self->on || self->sheet == NULL || !self->sheet->measured)
    return;
  self->n_seen = es_ladder_sheet_get_n (self->sheet);
  tell (self, CHANGED);
}

void
es_ladder_walk_restart (EsLadderWalk *self)
{
  g_return_if_fail (ES_IS_LADDER_WALK (self));

  self->n_seen = 0;
  forget_guesses (self);
  es_ladder_walk_select (self, 0);
  tell (self, CHANGED);
}

/* ---- looking ---- */

void
es_ladder_walk_select (EsLadderWalk *self, guint rung)
{
  g_return_if_fail (ES_IS_LADDER_WALK (self));

  if (rung >= es_ladder_sheet_get_n (self->sheet) || rung == self->selected)
    return;
  self->selected = rung;
  tell (self, SELECTED);
}

int
es_ladder_walk_get_selected (EsLadderWalk *self)
{
  g_return_val_if_fail (ES_IS_LADDER_WALK (self), -1);
  return self->selected < es_ladder_sheet_get_n (self->sheet) ? (int) self->selected : -1;
}

/* ---- the object ---- */

static void
es_ladder_walk_finalize (GObject *object)
{
  EsLadderWalk *self = ES_LADDER_WALK (object);

  es_ladder_sheet_unref (self->sheet);
  g_array_unref (self->guesses);
  G_OBJECT_CLASS (es_ladder_walk_parent_class)->finalize (object);
}

static void
es_ladder_walk_class_init (EsLadderWalkClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_ladder_walk_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
}

static void
es_ladder_walk_init (EsLadderWalk *self)
{
  self->guesses = g_array_new (FALSE, FALSE, sizeof (double));
}

EsLadderWalk *
es_ladder_walk_new (void)
{
  return g_object_new (ES_TYPE_LADDER_WALK, NULL);
}
