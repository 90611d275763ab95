/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Iterations of which each step is one message: what all bring, and whether they can still go on. */

#include "es-ranks-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"

/* Before what a process brings: which message this is, whether it has failed, and whether it has done all steps. All of
 * them are whole numbers. */
enum { NUMBER, FAILED, DONE, HEAD };

/* Numbers of all that are gathered at once, at most. */
#define MOST_AT_ONCE ((gsize) 1 << 23)

struct _EsRanksSteps
{
  guint    size;
  gsize   *from;               /* size + 1: where the numbers of each process begin, head and all */
  double  *own;                /* with the head */
  double  *all;                /* of several processes */
  double  *piece;              /* nullable: where not all numbers go at once */
  int     *lengths;
  guint64  number;
  gboolean told;               /* all know that it has failed, or are gone */
};

void
es_ranks_steps_free (EsRanksSteps *self)
{
  g_free (self->from);
  g_free (self->own);
  g_free (self->all);
  g_free (self->piece);
  g_free (self->lengths);
  g_free (self);
}

static gsize
length_of (const EsRanksSteps *self, guint rank)
{
  return self->from[rank + 1] - self->from[rank];
}

/* Of each process, that go at once. */
static gsize
most_of_each (const EsRanksSteps *self)
{
  return MAX (MOST_AT_ONCE / self->size, 1);
}

static gboolean
has_memory (EsRanksSteps *self, gsize n)
{
  const gsize total = self->from[self->size];

  self->own = g_try_new0 (double, HEAD + n);
  if (self->size == 1)
    return self->own != NULL;
  self->all = g_try_new0 (double, total);
  self->lengths = g_new (int, self->size);
  if (total > MOST_AT_ONCE)
    self->piece = g_try_new (double, MIN (total, most_of_each (self) * self->size));
  return self->own != NULL && self->all != NULL && (total <= MOST_AT_ONCE || self->piece != NULL);
}

EsRanksSteps *
es_ranks_steps_begin (gsize n, GError **error)
{
  g_autoptr (EsRanksSteps) self = g_new0 (EsRanksSteps, 1);
  g_autofree gint64 *lengths = NULL;
  gboolean ready;

  self->size = es_ranks_get_size ();
  self->from = g_new0 (gsize, self->size + 1);
  lengths = g_new0 (gint64, self->size);
  lengths[es_ranks_get_rank ()] = HEAD + n;
  if (!es_ranks_sum_integers (lengths, self->size, error))
    return NULL;
  for (guint i = 0; i < self->size; i++)
    self->from[i + 1] = self->from[i] + lengths[i];
  ready = has_memory (self, n);
  if (!ready)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                 _("There is not enough memory for what the processes tell each other."));
  return es_ranks_agree (ready, error) ? g_steal_pointer (&self) : NULL;
}

double *
es_ranks_steps_own (EsRanksSteps *self)
{
  return self->own + HEAD;
}

const double *
es_ranks_steps_of (EsRanksSteps *self, guint rank, gsize *n)
{
  *n = length_of (self, rank) - HEAD;
  return (self->size > 1 ? self->all + self->from[rank] : self->own) + HEAD;
}

/* ---- messages ---- */

static gboolean
gather (EsRanksSteps *self, const double *own, gsize n, double *all, GError **error)
{
  void *request;

  if (g_atomic_int_get (&es_ranks.broken))
    return es_ranks_call (ES_RANKS_SUM_DOUBLES, all, 0, error);
  const int code = es_ranks.engine->gather (own, n * sizeof *own, all, self->lengths, &request);

  return es_ranks_finish (code, &request, error);
}

/* So many numbers that not all go at once. */
static gboolean
gather_in_pieces (EsRanksSteps *self, GError **error)
{
  const gsize most = most_of_each (self);
  gsize longest = 0;

  for (guint i = 0; i < self->size; i++)
    longest = MAX (longest, length_of (self, i));
  for (gsize at = 0; at < longest; at += most)
    {
      const double *from = self->piece;
      gsize mine = 0;

      for (guint i = 0; i < self->size; i++)
        {
          const gsize n = length_of (self, i) > at ? MIN (length_of (self, i) - at, most) : 0;

          self->lengths[i] = n * sizeof (double);
          if (i == es_ranks_get_rank ())
            mine = n;
        }
      if (!gather (self, self->own + (mine > 0 ? at : 0), mine, self->piece, error))
        return FALSE;
      for (guint i = 0; i < self->size; from += self->lengths[i++] / sizeof (double))
        memcpy (self->all + self->from[i] + at, from, self->lengths[i]);
    }
  return TRUE;
}

static gboolean
exchange (EsRanksSteps *self, GError **error)
{
  if (self->piece != NULL)
    return gather_in_pieces (self, error);
  for (guint i = 0; i < self->size; i++)
    self->lengths[i] = length_of (self, i) * sizeof (double);
  return gather (self, self->own, length_of (self, es_ranks_get_rank ()), self->all, error);
}

/* Whether all have come to the same, and none has failed. */
static gboolean
are_together (const EsRanksSteps *self)
{
  for (guint i = 0; i < self->size; i++)
    {
      const double *head = self->all + self->from[i];

      if (head[NUMBER] != self->own[NUMBER] || head[DONE] != self->own[DONE] || head[FAILED] != 0)
        return FALSE;
    }
  return TRUE;
}

/* own: why this process has failed, or NULL. */
static gboolean
tell (EsRanksSteps *self, gboolean failed, gboolean done, const GError *own, GError **error)
{
  self->own[NUMBER] = ++self->number;
  self->own[FAILED] = failed;
  self->own[DONE] = done;
  if (!exchange (self, error))
    self->told = TRUE;
  else if (!are_together (self))
    {
      self->told = TRUE;
      es_ranks_share_failure (own, error);
    }
  return !self->told;
}

gboolean
es_ranks_steps_next (EsRanksSteps *self, GError **error)
{
  return self->size == 1 || tell (self, FALSE, FALSE, NULL, error);
}

gboolean
es_ranks_steps_end (EsRanksSteps *self, gboolean ok, GError **error)
{
  g_autoptr (GError) shared = NULL;

  if (self->size == 1 || self->told || (!ok && es_ranks_is_told (error != NULL ? *error : NULL)))
    return ok;
  if (tell (self, !ok, ok, error != NULL ? *error : NULL, &shared))
    return TRUE;
  if (error != NULL)
    g_clear_error (error);
  g_propagate_error (error, g_steal_pointer (&shared));
  return FALSE;
}
