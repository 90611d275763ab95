/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-shared-sums-private.h"

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
  *self = (EsSharedSums) { .n = n };
  g_return_val_if_fail (n <= ES_SHARED_SUMS_MOST, FALSE);
  memcpy (self->totals, totals, n * sizeof *totals);
  self->grouped = n > 0 && !totals[0]->exact && es_device_is_cpu (es_job_get_device (job));
  if (n > 0 && !totals[0]->exact && es_ranks_get_size () > 1)
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

static gsize
packed_length_of_all (const EsSharedSums *self)
{
  gsize length = 0;

  for (guint i = 0; i < self->n; i++)
    length += packed_length (self->totals[i]);
  return length;
}

static double *
pack_doubles (const EskCovariance *sums, double *to)
{
  const gsize n = sums->n_bands;

  *to++ = (double) sums->count;
  memcpy (to, sums->sum, n * sizeof *to);
  to += n;
  for (gsize i = 0; i < n; to += ++i)
    memcpy (to, sums->product + i * n, (i + 1) * sizeof *to);
  return to;
}

static const double *
unpack_doubles (EskCovariance *sums, const double *from)
{
  const gsize n = sums->n_bands;

  sums->count = (gint64) *from++;
  memcpy (sums->sum, from, n * sizeof *from);
  from += n;
  for (gsize i = 0; i < n; from += ++i)
    memcpy (sums->product + i * n, from, (i + 1) * sizeof *from);
  return from;
}

static gint64 *
pack_integers (EskCovariance *sums, gint64 *at, gboolean back)
{
  const gsize n = sums->n_bands;

  if (back)
    sums->count = *at;
  *at++ = sums->count;
  memcpy (back ? sums->integer_sum : at, back ? at : sums->integer_sum, n * sizeof *at);
  at += n;
  for (gsize i = 0; i < n; at += ++i)
    {
      gint64 *row = sums->integer_product + i * n;

      memcpy (back ? row : at, back ? at : row, (i + 1) * sizeof *at);
    }
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
  double *to = self->kept[group] = g_try_new (double, packed_length_of_all (self));

  if (to == NULL)
    return es_compute_error_no_memory (_("the covariance sums"), error);
  for (guint i = 0; i < self->n; i++)
    {
      to = pack_doubles (sums[i], to);
      esk_covariance_reset (sums[i]);
    }
  return TRUE;
}

gboolean
es_shared_sums_group_done (EsSharedSums *self, guint group, GError **error)
{
  EskCovariance *sums[ES_SHARED_SUMS_MOST];

  if (self->kept == NULL)
    return merge_group (self, error);
  for (guint i = 0; i < self->n; i++)
    sums[i] = &self->group[i];
  return keep (self, group, sums, error);
}

/* What another process has not summed is nothing here: each number comes from one of them, and stays as it is. */
static gboolean
bring_groups (EsSharedSums *self, GError **error)
{
  const gsize length = packed_length_of_all (self);
  const guint at_once = CLAMP (MESSAGE_BYTES / (length * sizeof (double)), 1, ES_PASS_GROUPS);
  g_autofree double *numbers = g_try_new (double, length * at_once);

  if (numbers == NULL)
    return es_ranks_agree (es_compute_error_no_memory (_("the covariance sums"), error), error);
  for (guint first = 0; first < ES_PASS_GROUPS; first += at_once)
    {
      const guint n = MIN (at_once, ES_PASS_GROUPS - first);

      memset (numbers, 0, length * n * sizeof (double));
      for (guint g = 0; g < n; g++)
        if (self->kept[first + g] != NULL)
          memcpy (numbers + g * length, self->kept[first + g], length * sizeof (double));
      if (!es_ranks_sum_doubles (numbers, length * n, error))
        return FALSE;
      for (guint g = 0; g < n; g++)
        {
          const double *from = numbers + g * length;

          for (guint i = 0; i < self->n; i++)
            from = unpack_doubles (&self->group[i], from);
          if (!merge_group (self, error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
add_integers (EsSharedSums *self, GError **error)
{
  const gsize length = packed_length_of_all (self);
  g_autofree gint64 *numbers = g_try_new (gint64, length);
  gint64 *at = numbers;

  if (numbers == NULL)
    return es_ranks_agree (es_compute_error_no_memory (_("the covariance sums"), error), error);
  for (guint i = 0; i < self->n; i++)
    at = pack_integers (self->totals[i], at, FALSE);
  if (!es_ranks_sum_integers (numbers, length, error))
    return FALSE;
  at = numbers;
  for (guint i = 0; i < self->n; i++)
    at = pack_integers (self->totals[i], at, TRUE);
  return TRUE;
}

gboolean
es_shared_sums_finish (EsSharedSums *self, GError **error)
{
  if (es_ranks_get_size () == 1 || self->n == 0)
    return TRUE;
  if (self->kept == NULL)
    return add_integers (self, error);
  /* Cards have summed their rows as a whole: a process is a group. */
  if (!self->grouped && !keep (self, es_ranks_get_rank () % ES_PASS_GROUPS, self->totals, error))
    return es_ranks_agree (FALSE, error);
  return bring_groups (self, error);
}
