/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Blocks that processes share, and how all of them come to the records of all. */

#include "es-beam-gather-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "beam/es-beam-params-internal.h"
#include "ranks/es-ranks-internal.h"

/* Of records, all processes together. */
#define ROUND_BYTES ((gsize) 32 << 20)
/* What a share is measured by, and how closely a time is found. */
#define PIECES ((guint64) 1 << 20)
#define HALVINGS 60

/* ---- whose blocks are whose ---- */

typedef struct
{
  const EsBeamGather *gather;
  guint   n_groups;
  double  hearing;             /* of the time of a block */
  double *early;               /* n_early + 1: the time of so many first blocks, whose matrices hold less */
  guint64 n_early;
} Sharing;

/* How many blocks are heard before one. */
static double
count_heard (const Sharing *self, guint64 block)
{
  const EsBeamGather *gather = self->gather;
  const EsAdaptiveSettings *adaptive = &gather->settings->adaptive;
  const guint64 memory = es_adaptive_settings_get_memory (gather->settings);
  const guint64 before = gather->first / gather->settings->block;

  if (memory > 0 && adaptive->forgetting > 0)
    return (double) (MIN (memory, before) + block);
  return (double) MIN (memory, before + block);
}

static guint64
count_early (const EsBeamGather *gather)
{
  const guint64 memory = es_adaptive_settings_get_memory (gather->settings);
  const guint64 before = gather->first / gather->settings->block;

  return MIN (memory > before ? memory - before : 0, gather->n_blocks);
}

/* What the first blocks cost: few of many, and all of them where a recording is short. */
static void
count_costs (Sharing *self)
{
  const EsBeamGather *gather = self->gather;
  const gboolean adaptive = gather->settings->adaptive.on;
  const guint n_alive = es_array_get_n_alive (gather->array);
  const guint64 before = gather->first / gather->settings->block;

  self->n_early = adaptive ? count_early (gather) : 0;
  self->early = g_new0 (double, self->n_early + 1);
  for (guint64 i = 0; i < self->n_early; i++)
    self->early[i + 1] = self->early[i]
                         + es_beam_get_cost_of_early (gather->settings, n_alive, (guint) (before + i));
  if (adaptive)
    self->hearing = es_beam_get_cost_of_hearing (gather->settings, n_alive);
}

/* The time of all blocks before one. */
static double
time_before (const Sharing *self, guint64 block)
{
  const guint64 early = MIN (block, self->n_early);

  return self->early[early] + (double) (block - early);
}

/* Each process takes as many groups as it has time for, in that of so many blocks. Whether that is all of them. */
static gboolean
fill (const Sharing *self, double time, guint *begins)
{
  const guint64 n = self->gather->n_blocks;
  const guint size = es_ranks_get_size ();
  guint next = 0;

  for (guint i = 0; i < size; i++)
    {
      const guint64 block = es_ranks_groups_get_first (n, next);
      guint64 first, end;

      es_ranks_share_of (i, PIECES, &first, &end);
      const double room = time * ((double) (end - first) * size / PIECES) - self->hearing * count_heard (self, block);

      begins[i] = next;
      while (next < self->n_groups
             && time_before (self, es_ranks_groups_get_first (n, next + 1)) - time_before (self, block) <= room)
        next++;
    }
  begins[size] = self->n_groups;
  return next == self->n_groups;
}

void
es_beam_gather_share (EsBeamGather *self, guint *begins)
{
  const guint rank = es_ranks_get_rank ();
  Sharing sharing = { .gather = self, .n_groups = es_ranks_groups_count (self->n_blocks) };
  double low = 0, high;

  count_costs (&sharing);
  high = (double) self->n_blocks + sharing.hearing * count_heard (&sharing, self->n_blocks);
  /* The least time that does for all; of one process that is all. */
  while (!fill (&sharing, high, begins))
    high *= 2;
  for (guint i = 0; i < HALVINGS && es_ranks_get_size () > 1; i++)
    {
      const double middle = (low + high) / 2;

      if (fill (&sharing, middle, begins))
        high = middle;
      else
        low = middle;
    }
  fill (&sharing, high, begins);
  g_free (sharing.early);
  self->begin = es_ranks_groups_get_first (self->n_blocks, begins[rank]);
  self->end = es_ranks_groups_get_first (self->n_blocks, begins[rank + 1]);
}

/* ---- records ---- */

gboolean
es_beam_gather_give (EsBeamGather *self, const EsBeamRecord *record, GError **error)
{
  if (es_ranks_get_size () == 1)
    return es_beam_gather_take (self, record, error);
  if (self->records == NULL)
    self->records = es_store_new ("layer", es_limits_get_host_memory (es_job_get_limits (self->job),
                                                                      ES_BEAM_LAYER_SHARE));
  if (!es_store_append (self->records, record, record->bytes, error))
    return FALSE;
  self->records_bytes += record->bytes;
  return TRUE;
}

/* Those that are whole; the beginning of the next one stays. */
static gboolean
take_records (EsBeamGather *self, GByteArray *pending, GError **error)
{
  gsize at = 0;

  while (pending->len - at >= sizeof (EsBeamRecord))
    {
      const EsBeamRecord *record = (const EsBeamRecord *) (pending->data + at);

      if (pending->len - at < record->bytes)
        break;
      if (!es_beam_gather_take (self, record, error))
        return FALSE;
      at += record->bytes;
    }
  g_byte_array_remove_range (pending, 0, at);
  return TRUE;
}

/* Bytes from..from + n of those of all processes, in their order. */
static gboolean
collect_round (EsBeamGather *self, const gint64 *bytes, gint64 from, gint64 n, char *own, GByteArray *pending,
               GError **error)
{
  const guint rank = es_ranks_get_rank (), size = es_ranks_get_size ();
  const guint had = pending->len;
  g_autofree int *lengths = g_new (int, size);
  gint64 at = 0, first = 0;
  gboolean read;

  for (guint i = 0; i < size; at += bytes[i++])
    {
      const gint64 begin = CLAMP (from - at, 0, bytes[i]);

      lengths[i] = (int) (CLAMP (from + n - at, 0, bytes[i]) - begin);
      if (i == rank)
        first = begin;
    }
  read = lengths[rank] == 0 || es_store_read (self->records, own, lengths[rank], first, error);
  if (!es_ranks_agree (read, error))
    return FALSE;
  g_byte_array_set_size (pending, had + (guint) n);
  return es_ranks_gather_bytes (own, pending->data + had, lengths, error)
         && es_ranks_agree (take_records (self, pending, error), error);
}

gboolean
es_beam_gather_collect (EsBeamGather *self, GError **error)
{
  const guint size = es_ranks_get_size ();
  g_autofree gint64 *bytes = g_new0 (gint64, size);
  g_autofree char *own = NULL;
  g_autoptr (GByteArray) pending = g_byte_array_new ();
  gint64 all = 0;

  if (size == 1)
    return TRUE;
  bytes[es_ranks_get_rank ()] = (gint64) self->records_bytes;
  if (!es_ranks_sum_integers (bytes, size, error))
    return FALSE;
  for (guint i = 0; i < size; i++)
    all += bytes[i];
  own = g_try_malloc (MAX (MIN (self->records_bytes, ROUND_BYTES), 1));
  if (own == NULL)
    es_compute_error_no_memory (_("the beams"), error);
  if (!es_ranks_agree (own != NULL, error))
    return FALSE;
  for (gint64 from = 0; from < all; from += ROUND_BYTES)
    if (!collect_round (self, bytes, from, MIN ((gint64) ROUND_BYTES, all - from), own, pending, error))
      return FALSE;
  g_clear_pointer (&self->records, es_store_free);
  self->records_bytes = 0;
  return TRUE;
}
