/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-track-rows.h"

#include <math.h>

struct _EsTrackRows
{
  GArray     *runs;              /* guint64: the rows at which times begin anew, ascending */
  guint64     known;             /* rows that were looked at */
  GHashTable *firsts;            /* id -> gint64 */
  guint       newest;            /* id */
};

EsTrackRows *
es_track_rows_new (void)
{
  EsTrackRows *self = g_new0 (EsTrackRows, 1);

  self->runs = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->firsts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

void
es_track_rows_free (EsTrackRows *self)
{
  g_array_unref (self->runs);
  g_hash_table_unref (self->firsts);
  g_free (self);
}

void
es_track_rows_clear (EsTrackRows *self)
{
  g_array_set_size (self->runs, 0);
  g_hash_table_remove_all (self->firsts);
  self->known = 0;
  self->newest = 0;
}

static double
time_of (EsBeamHistory *history, guint64 end, guint64 row)
{
  return es_beam_history_get_time_of (history, es_beam_history_get_tracked (history), (guint) (end - 1 - row));
}

static void
extend_runs (EsTrackRows *self, EsBeamHistory *history, guint64 first, guint64 end)
{
  for (guint64 row = MAX (self->known, first); row < end; row++)
    if (self->runs->len == 0 || row == first || time_of (history, end, row) <= time_of (history, end, row - 1))
      g_array_append_val (self->runs, row);
  self->known = end;
}

/* The row of a time in the runs up to *run, the newest first; *run becomes the one it is in. FALSE: in none. */
static gboolean
find_row (EsTrackRows *self, EsBeamHistory *history, guint64 first, guint64 end, double time, double tolerance,
          guint *run, guint64 *found)
{
  for (guint r = *run + 1; r-- > 0;)
    {
      guint64 low = MAX (g_array_index (self->runs, guint64, r), first);
      guint64 high = r + 1 < self->runs->len ? g_array_index (self->runs, guint64, r + 1) : end;

      if (low >= high || time < time_of (history, end, low) - tolerance
          || time > time_of (history, end, high - 1) + tolerance)
        continue;
      while (high - low > 1)
        {
          guint64 middle = low + (high - low) / 2;

          if (time_of (history, end, middle) <= time + tolerance)
            low = middle;
          else
            high = middle;
        }
      if (fabs (time_of (history, end, low) - time) > tolerance)
        continue;
      *run = r;
      *found = low;
      return TRUE;
    }
  return FALSE;
}

static gboolean
is_forgotten (gpointer id, gpointer row, gpointer oldest)
{
  return GPOINTER_TO_UINT (id) < GPOINTER_TO_UINT (oldest);
}

void
es_track_rows_update (EsTrackRows *self, EsBeamHistory *history, guint64 end)
{
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  guint64 first = end - MIN (es_beam_history_get_n_rows (history), end), row;
  GPtrArray *tracks = es_beam_history_get_tracks (history);
  guint newest = self->newest, run;
  double tolerance;

  if (settings == NULL || first >= end)
    return;
  extend_runs (self, history, first, end);
  run = self->runs->len - 1;
  /* Less than half a block, the step of adaptive beams that begin to remember; a result that only has layers does not
   * say how long one is. */
  tolerance = settings->block > 1 ? 0.2 * settings->block / settings->rate : 1e-3;
  for (guint i = tracks->len; i-- > 0;)
    {
      const EsTrack *track = g_ptr_array_index (tracks, i);
      guint n = track->points->len;

      if (track->id <= newest)
        break;
      self->newest = MAX (self->newest, track->id);
      if (n > 0 && find_row (self, history, first, end, g_array_index (track->points, EsTrackPoint, n - 1).time,
                             tolerance, &run, &row))
        {
          gint64 own = (gint64) row - (n - 1);

          g_hash_table_insert (self->firsts, GUINT_TO_POINTER (track->id), g_memdup2 (&own, sizeof own));
        }
    }
  if (tracks->len > 0 && g_hash_table_size (self->firsts) > 2 * tracks->len + 1000)
    g_hash_table_foreach_remove (self->firsts, is_forgotten,
                                 GUINT_TO_POINTER (((EsTrack *) g_ptr_array_index (tracks, 0))->id));
}

gboolean
es_track_rows_find (EsTrackRows *self, guint id, gint64 *row)
{
  const gint64 *known = g_hash_table_lookup (self->firsts, GUINT_TO_POINTER (id));

  if (known == NULL)
    return FALSE;
  *row = *known;
  return TRUE;
}
