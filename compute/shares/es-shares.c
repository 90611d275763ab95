/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-shares-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* Two measurements of one processor differ by less. */
#define DIFFERENCE 0.1
/* As many pieces a cube is shared out in at most (ES_PASS_GROUPS): who is too slow for half of one has none. */
#define PIECES 64
/* Of 60 ms each. */
#define MOST_MEASUREMENTS 10

guint
es_shares_threads (const EsLimits *limits)
{
  const guint lanes = es_device_get_lanes (es_device_get_cpu ());

  return limits->threads > 0 ? MIN (lanes, limits->threads) : lanes;
}

/* ---- speeds ---- */

static int
compare_speeds (gconstpointer a, gconstpointer b)
{
  const double *first = *(const double *const *) a, *second = *(const double *const *) b;

  return (*first < *second) - (*first > *second);
}

/* Those within the difference of the fastest that is left have the mean of all such. */
static void
join_alike (double **sorted, guint n)
{
  for (guint first = 0, end; first < n; first = end)
    {
      double sum = 0;

      for (end = first; end < n && *sorted[end] >= *sorted[first] * (1 - DIFFERENCE); end++)
        sum += *sorted[end];
      /* In place of the first last: it is what the others are compared with. */
      for (guint i = end; i-- > first;)
        *sorted[i] = sum / (end - first);
    }
}

void
es_shares_even_out (double *speeds, guint n)
{
  g_autofree double **sorted = g_new (double *, n);
  double all = 0;

  for (guint i = 0; i < n; i++)
    {
      sorted[i] = &speeds[i];
      speeds[i] = isfinite (speeds[i]) && speeds[i] > 0 ? speeds[i] : 0;
    }
  qsort (sorted, n, sizeof *sorted, compare_speeds);
  join_alike (sorted, n);
  for (guint i = 0; i < n; i++)
    all += speeds[i];
  for (guint i = 0; i < n; i++)
    if (speeds[i] * PIECES < all / 2 && n <= PIECES)
      speeds[i] = 0;
}

/* ---- who is to measure ---- */

/* What makes a process as fast as it is. */
static char *
describe (EsDevice *device, const EsLimits *limits)
{
  if (es_device_is_cpu (device))
    return g_strdup_printf ("%s, %u", es_device_get_name (device), es_shares_threads (limits));
  return g_strdup_printf ("%s, %u", es_device_get_name (es_device_get_member (device, 0)),
                          es_device_get_n_members (device));
}

static gboolean
are_alike (EsDevice *device, const EsLimits *limits, gboolean *alike, GError **error)
{
  g_autofree char *own = describe (device, limits);
  g_auto (GStrv) all = es_ranks_gather (own, error);

  *alike = TRUE;
  for (guint i = 1; all != NULL && all[i] != NULL; i++)
    *alike &= g_str_equal (all[i], all[0]);
  return all != NULL;
}

/* The mean of two measurements that come to the same, in all processes, or of as many as there are at most: somebody
 * else works here. All measure together, as they share processors, caches and memory later on. */
static gboolean
measure_steadily (EsDevice *device, const EsLimits *limits, EsDatasetKind takes, double *speed, GError **error)
{
  double sum = 0, last = 0, unsteady = TRUE;
  guint n = 0;

  if (!es_ranks_wait (error))
    return FALSE;
  while (n < MOST_MEASUREMENTS && unsteady > 0)
    {
      const double found = es_shares_measure (device, limits, takes);

      unsteady = n == 0 || fabs (found - last) > DIFFERENCE * MAX (found, last);
      last = found;
      sum += found;
      n++;
      if (!es_ranks_greatest (&unsteady, 1, error))
        return FALSE;
    }
  *speed = sum / n;
  return TRUE;
}

static gboolean
measure (EsDevice *device, const EsLimits *limits, EsDatasetKind takes, GError **error)
{
  const guint n = es_ranks_get_size ();
  g_autofree double *speeds = g_new (double, n);
  gboolean known = TRUE;
  double own;

  if (!measure_steadily (device, limits, takes, &own, error) || !es_ranks_tell_numbers (own, speeds, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    known &= speeds[i] > 0;
  es_shares_even_out (speeds, n);
  es_ranks_set_weights (known ? speeds : NULL);
  return TRUE;
}

static gboolean
take_told (const EsShares *self, GError **error)
{
  const guint n = es_ranks_get_size ();
  double all = 0;

  for (guint i = 0; i < self->n_told; i++)
    all += self->told[i];
  if (self->n_told != n)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                 _("There are shares of %u processes, and %u processes: expected one of each."), self->n_told, n);
  else if (!(all > 0) || !isfinite (all))
    g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                         _("No process has a share: expected one above 0."));
  else
    {
      es_ranks_set_weights (self->told);
      return TRUE;
    }
  return FALSE;
}

gboolean
es_shares_settle (const EsShares *self, EsDevice *device, const EsLimits *limits, EsDatasetKind takes, GError **error)
{
  gboolean alike = self->kind == ES_SHARES_EQUAL;

  es_ranks_set_weights (NULL);
  if (es_ranks_get_size () == 1)
    return TRUE;
  if (self->kind == ES_SHARES_TOLD)
    return es_ranks_agree (take_told (self, error), error);
  if (self->kind == ES_SHARES_AUTO && !are_alike (device, limits, &alike, error))
    return FALSE;
  return alike || measure (device, limits, takes, error);
}
