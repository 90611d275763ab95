/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-sheet.h"

#include <math.h>

static void
clear_strategy (gpointer data)
{
  EsSheetStrategy *self = data;

  g_free (self->id);
  g_free (self->title);
  g_free (self->text);
}

static void
clear_number (gpointer data)
{
  EsSheetNumber *self = data;

  g_free (self->title);
  g_free (self->unit);
  g_free (self->text);
}

static void
clear_line (gpointer data)
{
  g_free (((EsSheetLine *) data)->text);
}

static void
clear_roof (gpointer data)
{
  g_free (((EsSheetRoof *) data)->title);
}

static void
free_rung (gpointer data)
{
  EsSheetRung *self = data;

  g_free (self->id);
  g_free (self->name);
  g_free (self->title);
  g_free (self->text);
  g_free (self->found);
  g_strfreev (self->strategies);
  g_free (self->refused);
  g_free (self->wrong);
  g_free (self->hardware);
  g_free (self->source_of);
  g_array_unref (self->numbers);
  g_free (self->source);
  g_array_unref (self->lines);
  g_free (self);
}

static GArray *
make_array (gsize size, GDestroyNotify clear)
{
  GArray *array = g_array_new (FALSE, TRUE, (guint) size);

  g_array_set_clear_func (array, clear);
  return array;
}

EsLadderSheet *
es_ladder_sheet_new (const char *title, const char *of)
{
  EsLadderSheet *self = g_new0 (EsLadderSheet, 1);

  g_atomic_ref_count_init (&self->refs);
  self->title = g_strdup (title);
  self->of = g_strdup (of);
  self->rungs = g_ptr_array_new_with_free_func (free_rung);
  self->strategies = make_array (sizeof (EsSheetStrategy), clear_strategy);
  self->roofs = make_array (sizeof (EsSheetRoof), clear_roof);
  return self;
}

EsLadderSheet *
es_ladder_sheet_ref (EsLadderSheet *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
es_ladder_sheet_unref (EsLadderSheet *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->title);
  g_free (self->of);
  g_free (self->label);
  g_free (self->size);
  g_free (self->published_size);
  g_ptr_array_unref (self->rungs);
  g_array_unref (self->strategies);
  g_array_unref (self->roofs);
  g_free (self);
}

/* ---- filling ---- */

EsSheetRung *
es_ladder_sheet_add_rung (EsLadderSheet *self, EsSheetMark mark, const char *id, const char *name, const char *title)
{
  EsSheetRung *rung = g_new0 (EsSheetRung, 1);

  rung->mark = mark;
  rung->id = g_strdup (id);
  rung->name = g_strdup (name);
  rung->title = g_strdup (title);
  rung->strategies = g_new0 (char *, 1);
  rung->below = -1;
  rung->seconds = rung->low = rung->high = rung->over_below = rung->over_first = NAN;
  rung->intensity = rung->rate = rung->published = NAN;
  rung->numbers = make_array (sizeof (EsSheetNumber), clear_number);
  rung->lines = make_array (sizeof (EsSheetLine), clear_line);
  g_ptr_array_add (self->rungs, rung);
  return rung;
}

void
es_ladder_sheet_add_strategy (EsLadderSheet *self, const char *id, const char *title, const char *text)
{
  const EsSheetStrategy strategy = { g_strdup (id), g_strdup (title), g_strdup (text) };

  g_array_append_val (self->strategies, strategy);
}

void
es_ladder_sheet_add_roof (EsLadderSheet *self, const char *title, gboolean sloped, double value)
{
  const EsSheetRoof roof = { g_strdup (title), sloped, value };

  g_array_append_val (self->roofs, roof);
}

void
es_sheet_rung_add_number (EsSheetRung *rung, const char *title, double value, const char *unit, const char *text)
{
  const EsSheetNumber number = { g_strdup (title), value, g_strdup (unit), g_strdup (text) };

  g_array_append_val (rung->numbers, number);
}

void
es_sheet_rung_add_line (EsSheetRung *rung, EsSheetChange change, guint old, guint new, const char *text)
{
  const EsSheetLine line = { change, old, new, g_strdup (text) };

  g_array_append_val (rung->lines, line);
}

/* ---- asking ---- */

const char *
es_ladder_sheet_get_label (EsLadderSheet *self)
{
  return self->label != NULL ? self->label : self->of != NULL ? self->of : "";
}

guint
es_ladder_sheet_get_n (EsLadderSheet *self)
{
  return self != NULL ? self->rungs->len : 0;
}

EsSheetRung *
es_ladder_sheet_get (EsLadderSheet *self, guint i)
{
  g_return_val_if_fail (self != NULL && i < self->rungs->len, NULL);

  return g_ptr_array_index (self->rungs, i);
}

int
es_ladder_sheet_find (EsLadderSheet *self, const char *id)
{
  for (guint i = 0; i < es_ladder_sheet_get_n (self); i++)
    if (g_strcmp0 (es_ladder_sheet_get (self, i)->id, id) == 0)
      return (int) i;
  return -1;
}

const EsSheetStrategy *
es_ladder_sheet_find_strategy (EsLadderSheet *self, const char *id)
{
  for (guint i = 0; i < self->strategies->len; i++)
    if (g_strcmp0 (g_array_index (self->strategies, EsSheetStrategy, i).id, id) == 0)
      return &g_array_index (self->strategies, EsSheetStrategy, i);
  return NULL;
}

gboolean
es_sheet_rung_has (const EsSheetRung *rung, const char *strategy)
{
  return g_strv_contains ((const char * const *) rung->strategies, strategy);
}

static gboolean
differs_in_one (EsLadderSheet *self, const EsSheetRung *a, const EsSheetRung *b, const char *strategy)
{
  for (guint i = 0; i < self->strategies->len; i++)
    {
      const char *id = g_array_index (self->strategies, EsSheetStrategy, i).id;

      if ((es_sheet_rung_has (a, id) != es_sheet_rung_has (b, id)) != g_str_equal (id, strategy))
        return FALSE;
    }
  return TRUE;
}

int
es_ladder_sheet_find_other (EsLadderSheet *self, guint rung, const char *strategy)
{
  const EsSheetRung *from = es_ladder_sheet_get (self, rung);
  int found = -1;

  for (guint i = 0; from != NULL && i < self->rungs->len; i++)
    {
      const EsSheetRung *other = es_ladder_sheet_get (self, i);

      if (!differs_in_one (self, from, other, strategy))
        continue;
      if (other->mark == ES_SHEET_STEP)
        return (int) i;
      found = found < 0 ? (int) i : found;
    }
  return found;
}
