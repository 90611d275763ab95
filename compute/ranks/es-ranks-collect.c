/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What all processes make in turn and the first one takes, while the others go on. */

#include "es-ranks-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"

/* Beside the calls of the engine and of es-ranks-calls.c, for es_ranks_meet (). */
enum { COLLECT = 96 };

guint
es_ranks_choose_chunk (guint64 n, gsize bytes, guint64 round_bytes)
{
  const guint64 size = es_ranks_get_size (), most = MAX (round_bytes / size / MAX (bytes, 1), 1) * size;
  const guint64 rounds = MAX ((n + most - 1) / most, 1);

  return size == 1 ? 1 : (guint) MAX ((n + rounds * size - 1) / (rounds * size), 1);
}

/* How many processes have work in a round: lengths of messages are integers of 32 bits. */
static guint
count_workers (gsize bytes, guint chunk)
{
  return (guint) CLAMP ((guint64) G_MAXINT / MAX (chunk * bytes, 1), 1, es_ranks_get_size ());
}

/* Those of a round that begins with `from`: what process `rank` of `workers` makes. */
static guint64
part_of (guint rank, guint workers, guint64 from, guint64 n, guint chunk, guint64 *first)
{
  if (rank >= workers)
    return 0;
  *first = MIN (from + (guint64) rank * chunk, n);
  return MIN (chunk, n - *first);
}

static gboolean
one_round (guint64 from, guint64 n, gsize bytes, guint chunk, EsRanksMake make, EsRanksTake take, gpointer data,
           char *own, char *all, int *lengths, GError **error)
{
  const guint size = es_ranks_get_size (), workers = count_workers (bytes, chunk);
  guint64 first = 0, total = 0;
  void *request;

  for (guint i = 0; i < size; i++)
    {
      const guint64 made = part_of (i, workers, from, n, chunk, &first);

      lengths[i] = (int) (made * bytes);
      total += made;
    }
  const guint64 mine = part_of (es_ranks_get_rank (), workers, from, n, chunk, &first);
  if (mine > 0 && !make (first, mine, own, data, error))
    return es_ranks_agree (FALSE, error);
  if (!es_ranks_are_several ())
    return take (from, total, own, data, error);
  if (!es_ranks_meet (COLLECT, total * bytes, error))
    return FALSE;
  const int code = es_ranks.engine->collect (own, mine * bytes, all, lengths, &request);
  if (!es_ranks_finish (code, &request, error))
    return FALSE;
  /* The others learn of it when they meet again. */
  return es_ranks_get_rank () > 0 || take (from, total, all, data, error) || es_ranks_agree (FALSE, error);
}

gboolean
es_ranks_collect (guint64 n, gsize bytes, guint chunk, EsRanksMake make, EsRanksTake take, gpointer data,
                  GError **error)
{
  const guint size = es_ranks_get_size (), workers = count_workers (bytes, chunk);
  const gboolean takes_all = size > 1 && es_ranks_get_rank () == 0;
  g_autofree char *own = g_try_malloc_n (chunk, bytes);
  g_autofree char *all = takes_all ? g_try_malloc_n (chunk, bytes * workers) : NULL;
  g_autofree int *lengths = g_new (int, size);

  if (own == NULL || (takes_all && all == NULL))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for what the processes tell each other."));
      return es_ranks_agree (FALSE, error);
    }
  for (guint64 from = 0; from < n; from += (guint64) chunk * workers)
    if (!one_round (from, n, bytes, chunk, make, take, data, own, all, lengths, error))
      return FALSE;
  return es_ranks_wait (error);
}
