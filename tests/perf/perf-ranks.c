/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a message of all processes takes, in microseconds: started by a launcher, as mpirun -n 2 perf-ranks. Each line:
 * what, the numbers of it, and the median of the rounds as the first process has it. */

#include <gio/gio.h>
#include <stdio.h>
#include <stdlib.h>

#include "ranks/es-ranks-internal.h"

#define ROUNDS 400
#define SHORT 8
#define LONG (64 * (27 * 27 + 27))     /* a step of FastICA of 27 components */

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static gboolean
ping (const char *what, gsize n, gboolean (*call) (double *values, gsize n, gpointer data, GError **error),
      gpointer data, GError **error)
{
  g_autofree double *values = g_new0 (double, n);
  double took[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      if (!call (values, n, data, error))
        return FALSE;
      took[i] = g_get_monotonic_time () - start;
    }
  qsort (took, ROUNDS, sizeof took[0], compare);
  if (es_ranks_get_rank () == 0)
    printf ("%-24s %8zu %8.0f %8.0f\n", what, n, took[ROUNDS / 2], took[ROUNDS * 9 / 10]);
  return TRUE;
}

static gboolean
sum (double *values, gsize n, gpointer data, GError **error)
{
  return es_ranks_sum_doubles (values, n, error);
}

static gboolean
agree (double *values, gsize n, gpointer data, GError **error)
{
  return es_ranks_wait (error);
}

static gboolean
step (double *values, gsize n, gpointer data, GError **error)
{
  return es_ranks_steps_next (data, error);
}

static gboolean
ping_steps (gsize n, GError **error)
{
  g_autoptr (EsRanksSteps) steps = es_ranks_steps_begin (n / es_ranks_get_size (), error);

  return steps != NULL && es_ranks_steps_end (steps, ping ("step", n, step, steps, error), error);
}

int
main (void)
{
  g_autoptr (GError) error = NULL;
  const gboolean done = es_ranks_start (&error) && ping ("agreement", 1, agree, NULL, &error)
                        && ping ("sum", SHORT, sum, NULL, &error) && ping ("sum", LONG, sum, NULL, &error)
                        && ping_steps (SHORT, &error) && ping_steps (LONG, &error);

  if (!done)
    fprintf (stderr, "%s\n", error->message);
  es_ranks_end ();
  return done ? 0 : 1;
}
