/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Sums of a pass as a piece of a checkpoint: what they are of, and records of their numbers, each of one group of tiles
 * or of all that have been added up. Of float64 sums those are the first groups, in their order.
 */

#include "es-shared-sums-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* Of a record: no group, but the totals. */
#define TOTALS ES_PASS_GROUPS
#define LARGEST_PIECE ((gsize) 1 << 30)

EsPassExtent
es_shared_sums_extent (const EsSharedSums *self)
{
  const gsize most = LARGEST_PIECE / sizeof (double), length = es_shared_sums_length (self);

  if (length > most)
    return ES_PASS_KEEP_NOTHING;
  return length > most / (self->grouped ? ES_PASS_GROUPS + 1 : 1) ? ES_PASS_KEEP_WHOLE : ES_PASS_KEEP_PARTS;
}

/* ---- saving ---- */

static void
put_number (GByteArray *to, guint64 number)
{
  g_byte_array_append (to, (const guint8 *) &number, sizeof number);
}

static void
put_record (const EsSharedSums *self, guint64 group, gconstpointer numbers, GByteArray *to)
{
  put_number (to, group);
  g_byte_array_append (to, numbers, es_shared_sums_length (self) * sizeof (double));
}

static void
pack_totals (const EsSharedSums *self, gpointer to)
{
  for (guint i = 0; i < self->n; i++)
    to = es_shared_sums_pack (self->totals[i], to);
}

static gboolean
is_done (const EsTiling *tiling, const guint64 *done, guint group)
{
  return done[group] == es_tiling_group_begin (tiling, group + 1) - es_tiling_group_begin (tiling, group);
}

/* One process, which has added the groups up as they came. */
static void
save_first_groups (EsSharedSums *self, const EsTiling *tiling, const guint64 *done, gpointer numbers, GByteArray *to)
{
  if (is_done (tiling, done, 0))
    {
      pack_totals (self, numbers);
      put_record (self, TOTALS, numbers, to);
    }
  for (guint g = 0; g < ES_PASS_GROUPS; g++)
    if (self->kept[g] != NULL)
      put_record (self, g, self->kept[g], to);
}

/* Each group is of one process, and nothing of the others. */
static gboolean
save_all_groups (EsSharedSums *self, const guint64 *done, double *numbers, GByteArray *to, GError **error)
{
  const gsize length = es_shared_sums_length (self);

  for (guint g = 0; g < ES_PASS_GROUPS; g++)
    {
      if (done[g] == 0)
        continue;
      memset (numbers, 0, length * sizeof (double));
      if (self->kept[g] != NULL)
        memcpy (numbers, self->kept[g], length * sizeof (double));
      if (!es_ranks_sum_doubles (numbers, length, error))
        return FALSE;
      put_record (self, g, numbers, to);
    }
  return TRUE;
}

static gboolean
save_totals (EsSharedSums *self, gboolean complete, gpointer numbers, GByteArray *to, GError **error)
{
  pack_totals (self, numbers);
  if (!complete && !es_ranks_sum_integers (numbers, es_shared_sums_length (self), error))
    return FALSE;
  put_record (self, TOTALS, numbers, to);
  return TRUE;
}

static gboolean
save_flags (EsSharedSums *self, GByteArray *to, GError **error)
{
  gint64 flags[ES_SHARED_SUMS_FLAGS] = { 0 };

  for (guint i = 0; i < self->n_flags; i++)
    flags[i] = g_atomic_int_get (self->flags[i]);
  if (self->n_flags > 0 && !es_ranks_sum_integers (flags, self->n_flags, error))
    return FALSE;
  for (guint i = 0; i < self->n_flags; i++)
    put_number (to, flags[i] > 0);
  return TRUE;
}

/* What a record is of. */
static void
save_shape (const EsSharedSums *self, GByteArray *to)
{
  put_number (to, self->n);
  for (guint i = 0; i < self->n; i++)
    {
      const EskCovariance *sums = self->totals[i];

      put_number (to, sums->n_bands);
      put_number (to, sums->exact);
      if (!sums->exact)
        g_byte_array_append (to, (const guint8 *) sums->shift, sums->n_bands * sizeof (double));
    }
}

gboolean
es_shared_sums_save (EsSharedSums *self, const EsTiling *tiling, const guint64 *done, gboolean complete,
                     GByteArray *to, GError **error)
{
  g_autofree double *numbers = g_try_new (double, es_shared_sums_length (self));
  gboolean ready = numbers != NULL || es_compute_error_no_memory (_("the covariance sums"), error);

  if (ready && self->grouped && self->under_way >= 0)
    {
      ready = es_shared_sums_put_aside (self, self->under_way, error);
      self->under_way = -1;
    }
  if (!es_ranks_agree (ready, error))
    return FALSE;
  save_shape (self, to);
  if (!save_flags (self, to, error))
    return FALSE;
  if (complete || !self->grouped)
    return save_totals (self, complete, numbers, to, error);
  if (self->apart)
    return save_all_groups (self, done, numbers, to, error);
  save_first_groups (self, tiling, done, numbers, to);
  return TRUE;
}

/* ---- loading ---- */

static gboolean
load_shape (EsSharedSums *self, EsCheckpointReader *from)
{
  guint64 n, n_bands, exact;

  if (!es_checkpoint_take (from, &n, sizeof n) || n != self->n)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      EskCovariance *sums = self->totals[i];

      if (!es_checkpoint_take (from, &n_bands, sizeof n_bands) || n_bands != sums->n_bands
          || !es_checkpoint_take (from, &exact, sizeof exact) || exact != sums->exact)
        return FALSE;
      /* The sums are of what lies above it: what comes to them has to be as well. */
      if (!sums->exact && !es_checkpoint_take (from, sums->shift, n_bands * sizeof (double)))
        return FALSE;
      if (self->grouped)
        memcpy (self->group[i].shift, sums->shift, n_bands * sizeof (double));
    }
  return TRUE;
}

static gboolean
load_flags (EsSharedSums *self, EsCheckpointReader *from)
{
  guint64 flag;

  for (guint i = 0; i < self->n_flags; i++)
    {
      if (!es_checkpoint_take (from, &flag, sizeof flag) || flag > 1)
        return FALSE;
      g_atomic_int_set (self->flags[i], (int) flag);
    }
  return TRUE;
}

static void
unpack_totals (EsSharedSums *self, gconstpointer from)
{
  for (guint i = 0; i < self->n; i++)
    from = es_shared_sums_unpack (self->totals[i], from);
}

/* The first groups are done, at most one more is begun, and there is one process: they are added up as they come. */
static gboolean
are_first_groups (const EsTiling *tiling, const guint64 *done)
{
  const guint n = es_tiling_n_groups (tiling);
  guint g = 0;

  while (g < n && is_done (tiling, done, g))
    g++;
  for (g++; g < n; g++)
    if (done[g] > 0)
      return FALSE;
  return es_ranks_get_size () == 1;
}

/* Takes the numbers. The totals of the first groups are those of the first one, whose followers are nothing then. */
static gboolean
keep_group (EsSharedSums *self, const EsTiling *tiling, guint64 group, double *numbers)
{
  g_autofree double *own = numbers;
  guint64 first, end;

  es_tiling_share_groups (tiling, &first, &end);
  if (group == TOTALS)
    group = 0;
  if (group > TOTALS)
    return FALSE;
  if (group < first || group >= end)
    return TRUE;
  if (self->kept[group] != NULL)
    return FALSE;
  self->kept[group] = g_steal_pointer (&own);
  return TRUE;
}

static gboolean
load_groups (EsSharedSums *self, const EsTiling *tiling, const guint64 *done, EsCheckpointReader *from)
{
  const gsize size = es_shared_sums_length (self) * sizeof (double);
  gboolean totals = FALSE, added;
  guint64 group;

  /* Records of single groups that are done are none of one process. */
  added = are_first_groups (tiling, done);
  while (es_checkpoint_take (from, &group, sizeof group))
    {
      double *numbers = size <= from->left ? g_try_malloc (size) : NULL;

      if (numbers == NULL || !es_checkpoint_take (from, numbers, size))
        {
          g_free (numbers);
          return FALSE;
        }
      added &= group == TOTALS || (group < TOTALS && !is_done (tiling, done, group));
      totals |= group == TOTALS;
      if (!keep_group (self, tiling, group, numbers))
        return FALSE;
    }
  self->apart = !added || es_ranks_get_size () > 1;
  if (self->apart || !totals)
    return TRUE;
  unpack_totals (self, self->kept[0]);
  g_clear_pointer (&self->kept[0], g_free);
  return TRUE;
}

gboolean
es_shared_sums_load (EsSharedSums *self, const EsTiling *tiling, const guint64 *done, gboolean complete,
                     EsCheckpointReader *from)
{
  const gsize size = es_shared_sums_length (self) * sizeof (double);
  g_autofree double *numbers = NULL;
  guint64 group;

  if (!load_shape (self, from) || !load_flags (self, from))
    return FALSE;
  if (!complete && self->grouped)
    return load_groups (self, tiling, done, from);
  if (!es_checkpoint_take (from, &group, sizeof group) || group != TOTALS || size > from->left)
    return FALSE;
  numbers = g_try_malloc (size);
  if (numbers == NULL || !es_checkpoint_take (from, numbers, size))
    return FALSE;
  /* Of integers that others add to, one process has what was there. */
  if (complete || es_ranks_get_rank () == 0)
    unpack_totals (self, numbers);
  return TRUE;
}
