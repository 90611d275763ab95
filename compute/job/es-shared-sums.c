/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-shared-sums-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "ranks/es-ranks-internal.h"

/* Sums of groups that are brought together at once, at most: of 200 bands all of them. */
#define MESSAGE_BYTES ((gsize) 64 << 20)

gboolean
es_shared_sums_init (EsSharedSums *self, EsJob *job, EskCovariance *const *totals, guint n, GError **error)
{
  *self = (EsSharedSums) { .n = n, .under_way = -1 };
  g_return_val_if_fail (n <= ES_SHARED_SUMS_MOST, FALSE);
  memcpy (self->totals, totals, n * sizeof *totals);
  self->grouped = n > 0 && !totals[0]->exact && es_device_is_cpu (es_job_get_device (job));
  self->apart = n > 0 && !totals[0]->exact && es_ranks_get_size () > 1;
  if (self->grouped || self->apart)
    self->kept = g_new0 (double *, ES_PASS_GROUPS);
  for (guint i = 0; (self->grouped || self->kept != NULL) && i < n; i++)
    if (esk_covariance_init (&self->group[i], totals[i]->n_bands, false, totals[i]->shift) != ESK_OK)
      {
        es_shared_sums_clear (self);
        return es_compute_error_no_memory (_("the covariance sums"), error);
      }
  return TRUE;
}

static void
forget_kept (EsSharedSums *self)
{
  for (guint g = 0; self->kept != NULL && g < ES_PASS_GROUPS; g++)
    g_clear_pointer (&self->kept[g], g_free);
}

void
es_shared_sums_clear (EsSharedSums *self)
{
  forget_kept (self);
  g_clear_pointer (&self->kept, g_free);
  for (guint i = 0; i < self->n; i++)
    esk_covariance_clear (&self->group[i]);
  self->n = 0;
}

EskCovariance *
es_shared_sums_get (EsSharedSums *self, guint i)
{
  return self->grouped ? &self->group[i] : self->totals[i];
}

void
es_shared_sums_forget (EsSharedSums *self)
{
  forget_kept (self);
  self->under_way = -1;
  for (guint i = 0; i < self->n; i++)
    {
      esk_covariance_reset (self->totals[i]);
      if (self->grouped)
        esk_covariance_reset (&self->group[i]);
    }
}

/* ---- sums as numbers one after the other: count, sums, the lower triangle of products ---- */

static gsize
packed_length (const EskCovariance *sums)
{
  return 1 + sums->n_bands + sums->n_bands * (sums->n_bands + 1) / 2;
}

gsize
es_shared_sums_length (const EsSharedSums *self)
{
  gsize length = 0;

  for (guint i = 0; i < self->n; i++)
    length += packed_length (self->totals[i]);
  return length;
}

gpointer
es_shared_sums_pack (const EskCovariance *sums, gpointer to)
{
  const gsize n = sums->n_bands;
  const double count = (double) sums->count;
  const gint64 whole = sums->count;
  gint64 *at = to;

  memcpy (at++, sums->exact ? (gconstpointer) &whole : &count, sizeof *at);
  memcpy (at, sums->exact ? (gconstpointer) sums->integer_sum : sums->sum, n * sizeof *at);
  at += n;
  for (gsize i = 0; i < n; at += ++i)
    memcpy (at, sums->exact ? (gconstpointer) (sums->integer_product + i * n) : sums->product + i * n,
            (i + 1) * sizeof *at);
  return at;
}

gconstpointer
es_shared_sums_unpack (EskCovariance *sums, gconstpointer from)
{
  const gsize n = sums->n_bands;
  const gint64 *at = from;
  double count;

  memcpy (&count, at, sizeof count);
  sums->count = sums->exact ? *at : (gint64) count;
  at++;
  memcpy (sums->exact ? (gpointer) sums->integer_sum : sums->sum, at, n * sizeof *at);
  at += n;
  for (gsize i = 0; i < n; at += ++i)
    memcpy (sums->exact ? (gpointer) (sums->integer_product + i * n) : sums->product + i * n, at,
            (i + 1) * sizeof *at);
  return at;
}

/* ---- groups ---- */

static gboolean
merge_group (EsSharedSums *self, GError **error)
{
  for (guint i = 0; i < self->n; i++)
    {
      const int code = esk_covariance_merge (self->totals[i], &self->group[i]);

      esk_covariance_reset (&self->group[i]);
      if (!es_device_check (es_device_get_cpu (), NULL, code, _("the covariance sums"), error))
        return FALSE;
    }
  return TRUE;
}

/* Sums of this process, which are forgotten here, to be brought together as those of a group. */
static gboolean
keep (EsSharedSums *self, guint group, EskCovariance *const *sums, GError **error)
{
  double *to = self->kept[group] = g_try_new (double, es_shared_sums_length (self));

  if (to == NULL)
    return es_compute_error_no_memory (_("the covariance sums"), error);
  for (guint i = 0; i < self->n; i++)
    {
      to = es_shared_sums_pack (sums[i], to);
      esk_covariance_reset (sums[i]);
    }
  return TRUE;
}

gboolean
es_shared_sums_put_aside (EsSharedSums *self, guint group, GError **error)
{
  EskCovariance *sums[ES_SHARED_SUMS_MOST];

  for (guint i = 0; i < self->n; i++)
    sums[i] = &self->group[i];
  return keep (self, group, sums, error);
}

gboolean
es_shared_sums_group_done (EsSharedSums *self, guint group, GError **error)
{
  /* Of others than the CPU all tiles are merged into the totals. */
  if (!self->grouped)
    return TRUE;
  self->under_way = -1;
  return self->apart ? es_shared_sums_put_aside (self, group, error) : merge_group (self, error);
}

void
es_shared_sums_group_begun (EsSharedSums *self, guint group)
{
  const double *from = self->grouped ? self->kept[group] : NULL;

  self->under_way = (int) group;
  for (guint i = 0; from != NULL && i < self->n; i++)
    from = es_shared_sums_unpack (&self->group[i], from);
  if (self->grouped)
    g_clear_pointer (&self->kept[group], g_free);
}

/* What another process has not summed is nothing here: each number comes from one of them, and stays as it is. */
static EsRanksSum *
begin_message (EsSharedSums *self, guint first, guint n, gsize length, double *numbers, GError **error)
{
  memset (numbers, 0, length * n * sizeof (double));
  for (guint g = 0; g < n; g++)
    if (self->kept[first + g] != NULL)
      memcpy (numbers + g * length, self->kept[first + g], length * sizeof (double));
  return es_ranks_sum_begin (numbers, length * n, error);
}

static gboolean
merge_message (EsSharedSums *self, guint n, gsize length, const double *numbers, GError **error)
{
  for (guint g = 0; g < n; g++)
    {
      const double *from = numbers + g * length;

      for (guint i = 0; i < self->n; i++)
        from = es_shared_sums_unpack (&self->group[i], from);
      if (!merge_group (self, error))
        return FALSE;
    }
  return TRUE;
}

/* Cards have few groups, one each: those that follow the last are nothing in any process. */
static gboolean
count_groups (EsSharedSums *self, guint *n, GError **error)
{
  double most = 1;

  for (guint g = 0; g < ES_PASS_GROUPS; g++)
    if (self->kept[g] != NULL)
      most = g + 1;
  if (!es_ranks_greatest (&most, 1, error))
    return FALSE;
  *n = (guint) most;
  return TRUE;
}

/* Of very many bands in several messages: one is under way while the sums of the one before are added. */
static gboolean
bring_groups (EsSharedSums *self, guint n, GError **error)
{
  const gsize length = es_shared_sums_length (self);
  const guint at_once = CLAMP (MESSAGE_BYTES / (length * sizeof (double)), 1, n);
  const guint n_messages = (n + at_once - 1) / at_once;
  g_autofree double *numbers = g_try_malloc_n (length * at_once, MIN (n_messages, 2) * sizeof (double));
  EsRanksSum *coming;

  if (numbers == NULL)
    return es_ranks_agree (es_compute_error_no_memory (_("the covariance sums"), error), error);
  coming = begin_message (self, 0, MIN (at_once, n), length, numbers, error);
  for (guint k = 0; k < n_messages; k++)
    {
      const guint next = (k + 1) * at_once;
      gboolean merged;
      double *here = numbers + k % 2 * length * at_once, *there = numbers + (k + 1) % 2 * length * at_once;

      if (coming == NULL || !es_ranks_sum_finish (coming, error))
        return FALSE;
      if (next < n)
        coming = begin_message (self, next, MIN (at_once, n - next), length, there, error);
      merged = merge_message (self, MIN (at_once, n - k * at_once), length, here, error);
      /* What is under way goes to memory that is given back. */
      if (!merged && next < n && coming != NULL)
        es_ranks_sum_finish (coming, NULL);
      if (!merged)
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_integers (EsSharedSums *self, GError **error)
{
  const gsize length = es_shared_sums_length (self);
  g_autofree gint64 *numbers = g_try_new (gint64, length);
  gpointer to = numbers;
  gconstpointer from = numbers;

  if (numbers == NULL)
    return es_ranks_agree (es_compute_error_no_memory (_("the covariance sums"), error), error);
  for (guint i = 0; i < self->n; i++)
    to = es_shared_sums_pack (self->totals[i], to);
  if (!es_ranks_sum_integers (numbers, length, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    from = es_shared_sums_unpack (self->totals[i], from);
  return TRUE;
}

/* Found by one of them, found by all. */
static gboolean
bring_flags (EsSharedSums *self, GError **error)
{
  gint64 flags[ES_SHARED_SUMS_FLAGS] = { 0 };

  for (guint i = 0; i < self->n_flags; i++)
    flags[i] = g_atomic_int_get (self->flags[i]);
  if (!es_ranks_sum_integers (flags, self->n_flags, error))
    return FALSE;
  for (guint i = 0; i < self->n_flags; i++)
    g_atomic_int_set (self->flags[i], flags[i] > 0);
  return TRUE;
}

gboolean
es_shared_sums_finish (EsSharedSums *self, GError **error)
{
  guint n_groups;

  if (self->n_flags > 0 && !bring_flags (self, error))
    return FALSE;
  if (!self->apart)
    return es_ranks_get_size () == 1 || self->n == 0 || add_integers (self, error);
  /* Cards have summed their rows as a whole: a process is a group. */
  if (!self->grouped && !keep (self, es_ranks_get_rank () % ES_PASS_GROUPS, self->totals, error))
    return es_ranks_agree (FALSE, error);
  return count_groups (self, &n_groups, error) && bring_groups (self, n_groups, error);
}
