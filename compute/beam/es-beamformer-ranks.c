/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Blocks of a recording that processes share: each forms some that follow each other. */

#include "es-beamformer-private.h"

#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

gboolean
es_element_health_share (EsElementHealth *health, guint n, GError **error)
{
  g_autofree gint64 *counts = g_new (gint64, 3 * n);
  g_autofree double *peaks = g_new (double, n);

  for (guint i = 0; i < n; i++)
    {
      counts[3 * i] = (gint64) health[i].samples;
      counts[3 * i + 1] = (gint64) health[i].not_finite;
      counts[3 * i + 2] = (gint64) health[i].clipped;
      peaks[i] = health[i].peak;
    }
  if (!es_ranks_sum_integers (counts, 3 * n, error) || !es_ranks_greatest (peaks, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    health[i] = (EsElementHealth) { (guint64) counts[3 * i], (guint64) counts[3 * i + 1], (guint64) counts[3 * i + 2],
                                    peaks[i] };
  return TRUE;
}

/* Nobody goes on for long with what nobody wants any more; but what a card cannot do all of them may do otherwise. */
static void
stop_others (EsBeamformer *self, const GError *error)
{
  const gboolean once_more = !self->on_cpu && (g_error_matches (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE)
                                               || g_error_matches (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY));

  if (es_ranks_get_size () > 1 && !once_more)
    es_ranks_cancel (FALSE);
}

gboolean
es_beamformer_run_share (EsBeamformer *self, guint64 first, guint64 step, guint64 begin, guint64 end, EsBeamTake take,
                         gpointer data, GCancellable *cancellable, GError **error)
{
  const guint64 from = first + begin * step;
  guint64 before = _es_beamformer_count_before (self, from);
  g_autoptr (GError) local_error = NULL;
  gboolean done;

  /* What remembers everything begins where all began; and where each block begins anew nobody does otherwise. */
  if (self->settings->adaptive.forgetting > 0 && self->memory > 0 && step == self->settings->block)
    before = _es_beamformer_count_before (self, first) + begin;
  done = begin >= end || _es_beamformer_run_after (self, from, step, end - begin, before, take, data, cancellable,
                                                   &local_error);
  if (!done)
    stop_others (self, local_error);
  if (es_ranks_agree (done, &local_error))
    return es_element_health_share (self->health, es_array_get_n_elements (self->array), error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}
