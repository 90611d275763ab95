/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sums and texts: what processes tell each other. */

#include "es-ranks-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"

/* Beside those of the engine, for es_ranks_meet (). */
enum { GATHER = 64, TEXT, TURN };

static gboolean
call (EsRanksCall what, gpointer values, gsize n, GError **error)
{
  return !es_ranks_are_several () || (es_ranks_meet (what, n, error) && es_ranks_call (what, values, n, error));
}

gboolean
es_ranks_sum_integers (gint64 *values, gsize n, GError **error)
{
  return call (ES_RANKS_SUM_INTEGERS, values, n, error);
}

gboolean
es_ranks_sum_wide (__int128 *values, gsize n, GError **error)
{
  return call (ES_RANKS_SUM_WIDE, values, n, error);
}

gboolean
es_ranks_sum_doubles (double *values, gsize n, GError **error)
{
  return call (ES_RANKS_SUM_DOUBLES, values, n, error);
}

gboolean
es_ranks_least (double *values, gsize n, GError **error)
{
  return call (ES_RANKS_LEAST, values, n, error);
}

gboolean
es_ranks_greatest (double *values, gsize n, GError **error)
{
  return call (ES_RANKS_GREATEST, values, n, error);
}

gboolean
es_ranks_broadcast (gpointer bytes, gsize n, GError **error)
{
  return call (ES_RANKS_BROADCAST, bytes, n, error);
}

gboolean
es_ranks_broadcast_text (char **text, GError **error)
{
  gint64 length = *text != NULL ? (gint64) strlen (*text) : -1;

  if (!es_ranks_are_several ())
    return TRUE;
  if (!es_ranks_meet (TEXT, 0, error) || !es_ranks_call (ES_RANKS_BROADCAST, &length, sizeof length, error))
    return FALSE;
  if (es_ranks_get_rank () > 0)
    {
      g_free (*text);
      *text = length >= 0 ? g_malloc0 (length + 1) : NULL;
    }
  return length <= 0 || es_ranks_call (ES_RANKS_BROADCAST, *text, length, error);
}

char **
es_ranks_gather (const char *text, GError **error)
{
  if (!es_ranks_are_several ())
    {
      const char *const one[] = { text, NULL };

      return g_strdupv ((char **) one);
    }
  return es_ranks_meet (GATHER, 0, error) ? es_ranks_gather_texts (text, error) : NULL;
}

gboolean
es_ranks_wait (GError **error)
{
  return es_ranks_agree (TRUE, error);
}

const int *
es_ranks_get_ending (void)
{
  return &es_ranks.ending;
}

gboolean
es_ranks_tell (gpointer bytes, gsize n, GError **error)
{
  return es_ranks_broadcast (bytes, n, error);
}

gboolean
es_ranks_tell_status (int *status, GError **error)
{
  return es_ranks_broadcast (status, sizeof *status, error);
}

gboolean
es_ranks_have_all (gboolean *may, GError **error)
{
  double least = *may ? 1 : 0;

  if (!es_ranks_least (&least, 1, error))
    return FALSE;
  *may = least > 0;
  return TRUE;
}

gboolean
es_ranks_tell_numbers (double own, double *all, GError **error)
{
  const guint size = es_ranks_get_size ();

  memset (all, 0, size * sizeof *all);
  all[es_ranks_get_rank ()] = own;
  return es_ranks_sum_doubles (all, size, error);
}

/* ---- under way ---- */

struct _EsRanksSum
{
  int   code;
  void *request;
};

EsRanksSum *
es_ranks_sum_begin (double *values, gsize n, GError **error)
{
  EsRanksSum *self;

  if (es_ranks_are_several () && !es_ranks_meet (ES_RANKS_SUM_DOUBLES, n, error))
    return NULL;
  self = g_new0 (EsRanksSum, 1);
  if (es_ranks_are_several ())
    self->code = es_ranks.engine->begin (ES_RANKS_SUM_DOUBLES, values, n, &self->request);
  return self;
}

gboolean
es_ranks_sum_finish (EsRanksSum *self, GError **error)
{
  const gboolean done = !es_ranks_are_several () || es_ranks_finish (self->code, &self->request, error);

  g_free (self);
  return done;
}

/* ---- in turn, and in shares ---- */

/* Those of a round that begins with `from`: what process `rank` makes. */
static guint64
turn_of (guint rank, guint64 from, guint64 n, guint chunk, guint64 *first)
{
  *first = MIN (from + (guint64) rank * chunk, n);
  return MIN (chunk, n - *first);
}

static gboolean
one_round (guint64 from, guint64 n, gsize bytes, guint chunk, EsRanksMake make, EsRanksTake take, gpointer data,
           char *own, char *all, int *lengths, GError **error)
{
  const guint size = es_ranks_get_size ();
  guint64 first, total = 0;
  void *request;

  for (guint i = 0; i < size; i++)
    {
      const guint64 made = turn_of (i, from, n, chunk, &first);

      lengths[i] = (int) (made * bytes);
      total += made;
    }
  const guint64 mine = turn_of (es_ranks_get_rank (), from, n, chunk, &first);
  if (mine > 0 && !make (first, mine, own, data, error))
    return es_ranks_agree (FALSE, error);
  if (!es_ranks_are_several ())
    return take (from, total, own, data, error);
  if (!es_ranks_meet (TURN, total * bytes, error))
    return FALSE;
  const int code = es_ranks.engine->gather (own, mine * bytes, all, lengths, &request);
  if (!es_ranks_finish (code, &request, error))
    return FALSE;
  return es_ranks_agree (take (from, total, all, data, error), error);
}

gboolean
es_ranks_in_turn (guint64 n, gsize bytes, guint chunk, EsRanksMake make, EsRanksTake take, gpointer data,
                  GError **error)
{
  const guint size = es_ranks_get_size ();
  g_autofree char *own = g_try_malloc_n (chunk, bytes), *all = size > 1 ? g_try_malloc_n (chunk, bytes * size) : NULL;
  g_autofree int *lengths = g_new (int, size);

  if (own == NULL || (size > 1 && all == NULL))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for what the processes tell each other."));
      return es_ranks_agree (FALSE, error);
    }
  for (guint64 from = 0; from < n; from += (guint64) chunk * size)
    if (!one_round (from, n, bytes, chunk, make, take, data, own, all, lengths, error))
      return FALSE;
  return TRUE;
}

static gboolean
gather_shares (guint64 n, gsize bytes, gconstpointer own, gsize own_bytes, gpointer all, GError **error)
{
  const guint size = es_ranks_get_size ();
  g_autofree int *lengths = g_new (int, size);
  void *request;

  for (guint i = 0; i < size; i++)
    {
      guint64 first, end;

      es_ranks_share_of (i, n, &first, &end);
      lengths[i] = (int) ((end - first) * bytes);
    }
  if (!es_ranks_meet (TURN, n * bytes, error))
    return FALSE;
  const int code = es_ranks.engine->gather (own, own_bytes, all, lengths, &request);
  return es_ranks_finish (code, &request, error);
}

gboolean
es_ranks_in_shares (guint64 n, gsize bytes, EsRanksMake make, EsRanksTake take, gpointer data, GError **error)
{
  g_autofree char *own = NULL, *all = NULL;
  guint64 first, end;
  gboolean made;

  es_ranks_share (n, &first, &end);
  own = g_try_malloc_n (MAX (end - first, 1), bytes);
  all = es_ranks_are_several () ? g_try_malloc_n (MAX (n, 1), bytes) : NULL;
  made = own != NULL && (!es_ranks_are_several () || (all != NULL && n <= G_MAXINT / bytes));
  if (!made)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                 _("There is not enough memory for what the processes tell each other."));
  made = made && (end == first || make (first, end - first, own, data, error));
  if (!made)
    return es_ranks_agree (FALSE, error);
  if (!es_ranks_are_several ())
    return take (0, n, own, data, error);
  return gather_shares (n, bytes, own, (end - first) * bytes, all, error)
         && es_ranks_agree (take (0, n, all, data, error), error);
}
