/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What of the record has been computed, and what is to be computed next: the whole of it in some lines, what is looked
 * at, with spectra that had no room, and then the rest, coarse to fine. */

#include "es-player-private.h"

#include <math.h>

/* Rows that are seen at once: a screen has hardly more lines. */
#define LINES 1024
/* How much fewer there are at first, so that the whole of it is seen at once. */
#define FIRST 16
/* Of one run. */
#define MOST_ROWS 4096

/* Whole blocks that there are. */
static guint
count_rows (EsPlayerLink *self)
{
  const guint64 past = self->frames - MIN (self->origin, self->frames);

  return (guint) MIN (past / MAX (self->form->settings->block, 1), self->most_rows);
}

void
es_player_link_set_form (EsPlayerLink *self, EsBeamForm *form)
{
  self->prepared = self->params_serial;
  g_cond_broadcast (&self->wake);
  if (self->form != NULL && es_beam_form_equal (self->form, form))
    {
      const EsAdaptiveSettings *old = &self->form->settings->adaptive, *now = &form->settings->adaptive;

      if (old->loading != now->loading || old->sources != now->sources)
        self->generation++;
      es_beam_form_unref (self->form);
      self->form = es_beam_form_ref (form);
      return;
    }
  /* Beams of other settings that nobody has seen yet. */
  g_queue_clear_full (&self->news, (GDestroyNotify) es_player_news_free);
  g_queue_clear_full (&self->ahead_news, (GDestroyNotify) es_player_news_free);
  g_clear_pointer (&self->form, es_beam_form_unref);
  g_clear_pointer (&self->archive, es_beam_archive_unref);
  g_free (self->known);
  g_free (self->in_vain);
  self->form = es_beam_form_ref (form);
  self->archive = es_beam_archive_new (form->settings, self->memory_limit, self->file_limit);
  self->n_rows = count_rows (self);
  self->known = g_new0 (guint, MAX (self->n_rows, 1));
  self->in_vain = g_new0 (guint, MAX (self->n_rows, 1));
  self->generation++;
}

void
es_player_link_grow (EsPlayerLink *self, guint64 frames, guint64 stale)
{
  g_mutex_lock (&self->lock);
  /* The clock has waited at what was the end. */
  es_player_link_set_clock (self, es_player_link_get_clock (self));
  self->frames = MAX (self->frames, frames);
  if (self->form != NULL)
    {
      const guint before = self->n_rows;

      self->n_rows = count_rows (self);
      self->known = g_renew (guint, self->known, MAX (self->n_rows, 1));
      self->in_vain = g_renew (guint, self->in_vain, MAX (self->n_rows, 1));
      const guint64 first = (stale - MIN (self->origin, stale)) / MAX (self->form->settings->block, 1);
      for (guint64 row = MIN (before, first); row < self->n_rows; row++)
        self->known[row] = self->in_vain[row] = 0;
    }
  g_cond_broadcast (&self->wake);
  g_mutex_unlock (&self->lock);
}

/* ---- what is looked at; with the lock held ---- */

/* How many rows the archive has room for. */
static guint64
count_room (EsPlayerLink *self)
{
  const EsAdaptiveSettings *adaptive = &self->form->settings->adaptive;

  return es_beam_archive_get_capacity (self->archive) / (!adaptive->on ? 1 : adaptive->sources == 0 ? 2 : 3);
}

/* Every how many rows of what is looked at have to be there; 0: none. A quarter of the room is for what is heard. */
static guint
find_view_stride (EsPlayerLink *self)
{
  const guint end = MIN (self->view_end, self->n_rows), from = MIN (self->view_first, end);
  const guint64 room = count_room (self) * 3 / 4;
  guint stride = 1;

  if (room == 0)
    return 0;
  while ((end - from) / stride + 1 > room)
    stride *= 2;
  return stride;
}

void
es_player_link_set_view (EsPlayerLink *self, double first, double end)
{
  const guint from = (guint) CLAMP (floor (first), 0, G_MAXINT / 2), to = (guint) CLAMP (ceil (end), 0, G_MAXINT / 2);

  if (self->view_first == from && self->view_end == to)
    return;
  self->view_first = from;
  self->view_end = to;
  self->view_serial++;
  g_cond_broadcast (&self->wake);
}

void
es_player_link_set_focus (EsPlayerLink *self, double row)
{
  const guint focus = row >= 0 && row < G_MAXINT / 2 ? (guint) row : G_MAXUINT;

  if (self->focus == focus)
    return;
  self->focus = focus;
  self->view_serial++;
  g_cond_broadcast (&self->wake);
}

static gboolean
is_looked_at (EsPlayerLink *self, guint row, guint stride)
{
  return stride > 0 && row < self->n_rows
         && (row == self->focus || (row >= self->view_first && row < self->view_end && row % stride == 0));
}

gboolean
es_player_link_keep (EsPlayerLink *self, EsBeamArchive *archive, EsBeamBlock *block, guint generation, gboolean heard,
                     gboolean again)
{
  const guint64 row = es_player_link_find_row (self, block);

  g_mutex_lock (&self->lock);
  /* What is there may be newer. */
  const gboolean stale = archive == self->archive && generation != self->generation;
  const gboolean ours = archive == self->archive && row < self->n_rows;
  const gboolean is_known = ours && self->known[row] == generation;
  const gboolean is_there = is_known && es_beam_archive_has (archive, row, ES_BEAM_CBF);
  const gboolean looked_at = ours && is_looked_at (self, (guint) row, find_view_stride (self));
  const guint serial = self->view_serial;
  gboolean kept = TRUE;
  g_mutex_unlock (&self->lock);
  if (!stale && (!is_there || again))
    kept = es_beam_archive_put (archive, row, block, heard || looked_at);
  g_mutex_lock (&self->lock);
  if (ours && archive == self->archive && generation == self->generation)
    {
      self->known[row] = generation;
      self->in_vain[row] = !kept && looked_at ? serial : 0;
    }
  g_mutex_unlock (&self->lock);
  return is_known && !is_there && kept;
}

/* ---- what is next; with the lock held ---- */

static gboolean
is_missing (EsPlayerLink *self, guint row)
{
  return row < self->n_rows && self->known[row] != self->generation;
}

/* view_stride: of what is looked at the spectra are needed, too; 0: they are not. */
static gboolean
is_wanted (EsPlayerLink *self, guint row, guint view_stride)
{
  return is_missing (self, row)
         || (is_looked_at (self, row, view_stride) && self->in_vain[row] != G_MAXUINT
             && self->in_vain[row] != self->view_serial && !es_beam_archive_has (self->archive, row, ES_BEAM_CBF));
}

/* Of every `stride`th row of from .. end - 1: the first ones that are missing, as far as they are evenly apart. */
static gboolean
find_run (EsPlayerLink *self, guint from, guint end, guint stride, guint view_stride, guint *first, guint *step,
          guint *n)
{
  guint row = (from + stride - 1) / stride * stride;

  while (row < end && !is_wanted (self, row, view_stride))
    row += stride;
  if (row >= end)
    return FALSE;
  *first = row;
  /* Between the lines of the level before: every second one. */
  *step = is_wanted (self, row + stride, view_stride) || row + stride >= end ? stride : 2 * stride;
  for (*n = 0; *n < MOST_ROWS && row < end && is_wanted (self, row, view_stride); ++*n)
    row += *step;
  return TRUE;
}

/* From lines as close as a screen shows them to every row. */
static gboolean
refine (EsPlayerLink *self, gboolean has_memory, guint from, guint end, guint view_stride, guint *first, guint *step,
        guint *n)
{
  guint stride = 1;

  while ((end - from) / stride > LINES)
    stride *= 2;
  if (find_run (self, from, end, stride, view_stride, first, step, n))
    return TRUE;
  /* Beams that remember hear what was before a row, too: from row to row they need not. */
  while (stride > 1)
    {
      stride = has_memory ? 1 : stride / 2;
      if (find_run (self, from, end, stride, view_stride, first, step, n))
        return TRUE;
    }
  return FALSE;
}

gboolean
es_player_link_plan (EsPlayerLink *self, gboolean has_memory, guint *first, guint *step, guint *n)
{
  const guint end = MIN (self->view_end, self->n_rows), from = MIN (self->view_first, end);
  const guint view_stride = find_view_stride (self);
  guint stride = 1;

  es_beam_archive_set_view (self->archive, from, end, view_stride, self->focus);
  /* Whoever points at a row waits for it. */
  *first = self->focus;
  *step = *n = 1;
  if (is_wanted (self, self->focus, view_stride))
    return TRUE;
  while (self->n_rows / stride > LINES)
    stride *= 2;
  for (guint lines = self->n_rows > LINES / FIRST ? FIRST * stride : stride; lines >= stride; lines /= 2)
    if (find_run (self, 0, self->n_rows, lines, 0, first, step, n))
      return TRUE;
  return (end > from && refine (self, has_memory, from, end, view_stride, first, step, n))
         || refine (self, has_memory, 0, self->n_rows, 0, first, step, n);
}
