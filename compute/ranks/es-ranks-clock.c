/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Clocks of hosts: results and reports tell times, and files are newer than others by the clock of whoever wrote them.
 * A process has read its clock between two moments of the first one's; only what lies outside of them for certain
 * counts, so that a slow network is no difference.
 */

#include "es-ranks-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"

#define ALLOWED_SECONDS 5
/* Of a host that is busy: so often, until what passes between the two moments is short. */
#define ATTEMPTS 4
#define SHORT_SECONDS 0.5

/* $ES_RANKS_CLOCK: by how many seconds clocks may differ; 0: by any number. */
static guint64
allowed_seconds (void)
{
  const char *text = g_getenv ("ES_RANKS_CLOCK");
  guint64 seconds = ALLOWED_SECONDS;

  if (text != NULL)
    g_ascii_string_to_unsigned (text, 10, 0, 1000000000, &seconds, NULL);
  return seconds;
}

/* Seconds by which a clock is ahead for certain, or behind (negative). */
static double
surely_apart (gint64 clock, gint64 before, gint64 after)
{
  return (clock > after ? clock - after : clock < before ? clock - before : 0) * 1e-6;
}

/* By how much each clock is ahead of the first one's, as the first one sees it. *took: seconds between its two moments,
 * the same for all. */
static gboolean
read_clocks (double *ahead, double *took, GError **error)
{
  const int size = es_ranks.place.size;
  g_autofree gint64 *clocks = g_new0 (gint64, size);
  double all_are_here = 0;
  gint64 before, after;

  /* Who has begun late would make it long. */
  if (!es_ranks_call (ES_RANKS_LEAST, &all_are_here, 1, error))
    return FALSE;
  before = g_get_real_time ();
  if (!es_ranks_call (ES_RANKS_LEAST, &all_are_here, 1, error))
    return FALSE;
  clocks[es_ranks.place.rank] = g_get_real_time ();
  if (!es_ranks_call (ES_RANKS_SUM_INTEGERS, clocks, size, error))
    return FALSE;
  after = g_get_real_time ();
  for (int i = 0; i < size; i++)
    ahead[i] = i > 0 ? surely_apart (clocks[i], before, after) : 0;
  *took = (after - before) * 1e-6;
  return es_ranks_call (ES_RANKS_BROADCAST, took, sizeof *took, error);
}

gboolean
es_ranks_compare_clocks (GError **error)
{
  const int size = es_ranks.place.size;
  double allowed = allowed_seconds (), took = SHORT_SECONDS + 1;
  g_autofree double *ahead = g_new0 (double, size);
  int worst = 0;

  /* What the first one was told counts for all. */
  if (!es_ranks_call (ES_RANKS_BROADCAST, &allowed, sizeof allowed, error))
    return FALSE;
  for (int i = 0; allowed > 0 && i < ATTEMPTS && !(took >= 0 && took <= SHORT_SECONDS); i++)
    if (!read_clocks (ahead, &took, error))
      return FALSE;
  if (!es_ranks_call (ES_RANKS_BROADCAST, ahead, size * sizeof *ahead, error))
    return FALSE;
  for (int i = 1; i < size; i++)
    if (fabs (ahead[i]) > fabs (ahead[worst]))
      worst = i;
  if (fabs (ahead[worst]) <= allowed)
    return TRUE;
  /* All find it. */
  g_set_error (&es_ranks.shared, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
               ahead[worst] > 0
               ? _("The clock of process %d on “%s” is %.0f s ahead of that of process 0 on “%s”: %.0f s are allowed, "
                   "for what is written tells times.")
               : _("The clock of process %d on “%s” is %.0f s behind that of process 0 on “%s”: %.0f s are allowed, "
                   "for what is written tells times."),
               worst, es_ranks.hosts[worst], fabs (ahead[worst]), es_ranks.hosts[0], allowed);
  g_propagate_error (error, g_error_copy (es_ranks.shared));
  return FALSE;
}
