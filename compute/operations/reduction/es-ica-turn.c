/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The components of a FastICA from its whitened samples, where those are of every pixel and in the host's memory: they
 * only have to be turned, and the cube is not read a third time.
 */

#include "es-ica-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-internal.h"
#include "device/es-device-internal.h"

typedef struct
{
  EsJob        *job;
  EsImageStack *stack;
  guint64       width;
  GHashTable   *first;           /* samples of a chunk -> number of its first pixel, plus one */
  EskMatrix     turn;            /* m x m */
  guint32      *identity;        /* m */
  gint64        pixels;
  GMutex        lock;
  gint64        done, write_us;
  GError       *error;
} Turn;

/* Chunks are whole rows, one below the other, from the first to the last. */
static gboolean
is_every_row (EsCube *cube, EsSampleStore *store)
{
  const guint64 width = es_cube_get_width (cube);
  const float *samples;
  guint64 key, next = 0;
  gsize count;

  for (guint i = 0; es_sample_store_peek (store, i, &key, &samples, &count); i++)
    {
      if (key != next || count % width != 0)
        return FALSE;
      next += count;
    }
  return next == width * es_cube_get_height (cube);
}

gboolean
es_ica_may_turn_samples (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples,
                         const EsProjection *projection)
{
  gboolean may;

  /* What is not centred is shifted by a constant that the samples do not have. */
  if (!es_device_is_cpu (es_job_get_device (job)) || projection->mean != reduction->mean || samples->store == NULL
      || samples->fraction < 1 || !es_sample_store_take (samples->store))
    return FALSE;
  may = is_every_row (cube, samples->store);
  es_sample_store_relax (samples->store);
  return may;
}

static int
turn_chunk (const EskHotspots *hotspots, EskStream *stream, const float *samples, gsize count, gsize stride,
            gconstpointer data, double *sums)
{
  Turn *self = (Turn *) data;
  const guint64 first = GPOINTER_TO_SIZE (g_hash_table_lookup (self->first, samples)) - 1;
  const gsize m = self->turn.rows;
  const EskTile tile = { samples, ESK_F32, false, count, 1, m, 1, (ptrdiff_t) count, (ptrdiff_t) stride };
  const EskSelection selection = { self->identity, m, NULL, NULL, NULL };
  g_autofree float *out = g_try_malloc_n (count, m * sizeof (float));
  GError *error = NULL;
  int code;

  if (out == NULL)
    return ESK_ERROR_MEMORY;
  code = hotspots->cube->project (stream, &tile, &selection, NULL, &self->turn, NULL, out, count);
  if (code != ESK_OK)
    return code;
  const gint64 start = g_get_monotonic_time ();
  es_image_stack_write (self->stack, 0, first / self->width, self->width, count / self->width, out, count, &error);

  g_mutex_lock (&self->lock);
  self->done += (gint64) count;
  self->write_us += g_get_monotonic_time () - start;
  es_job_set_fraction (self->job, (double) self->done / self->pixels);
  if (error != NULL && self->error == NULL)
    self->error = g_steal_pointer (&error);
  code = self->error != NULL ? ESK_ERROR_CANCELLED : ESK_OK;
  g_mutex_unlock (&self->lock);
  g_clear_error (&error);
  return code;
}

/* Row k: the rotation's of component k, with its sign. */
static float *
make_turn (guint m, const EsIcaRotation *rotation, const EsIcaComponent *components)
{
  float *turn = g_new (float, (gsize) m * m);

  for (gsize k = 0; k < m; k++)
    for (gsize j = 0; j < m; j++)
      turn[k * m + j] = (float) (components[k].sign * rotation->w[(gsize) components[k].row * m + j]);
  return turn;
}

static gboolean
turn_all (Turn *self, EsSampleStore *store, GError **error)
{
  const EsLimits *limits = es_job_get_limits (self->job);
  EsDevice *cpu = es_device_get_cpu ();
  guint lanes = es_device_get_lanes (cpu);
  const float *samples;
  guint64 key;
  gsize count;
  double nothing;

  for (guint i = 0; es_sample_store_peek (store, i, &key, &samples, &count); i++)
    g_hash_table_insert (self->first, (gpointer) samples, GSIZE_TO_POINTER (key + 1));
  if (limits != NULL && limits->threads > 0)
    lanes = MIN (lanes, limits->threads);

  g_autoptr (EsSampleLanes) threads = es_sample_lanes_new (store, cpu, lanes, error);
  if (threads == NULL
      || !es_sample_lanes_run (threads, turn_chunk, self, _("the projection"), 1, &nothing,
                               es_job_get_cancellable (self->job), error))
    return FALSE;
  es_job_add_stage_ms (self->job, "output", _("Output"), self->write_us * 1e-3 / lanes);
  return TRUE;
}

EsImageStack *
es_ica_turn_samples (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples,
                     const EsIcaRotation *rotation, const EsIcaComponent *components, const EsProjection *projection,
                     GError **error)
{
  const guint m = samples->m;
  g_autofree float *values = make_turn (m, rotation, components);
  g_autofree guint32 *identity = g_new (guint32, m);
  g_autoptr (GHashTable) first = g_hash_table_new (NULL, NULL);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (EsImageStack) stack = NULL;
  gboolean on_device, done;
  Turn self = { .job = job, .width = es_cube_get_width (cube), .first = first, .turn = { m, m, values },
                .identity = identity, .pixels = samples->count };

  es_job_begin_stage (job, "transform", _("Transform"), projection->weight);
  stack = es_reduction_make_stack (job, cube, reduction, projection, FALSE, &on_device, error);
  if (stack == NULL)
    return NULL;
  /* Between the question and now others may have made room: then as if it had never been asked. */
  if (!es_sample_store_take (samples->store))
    return es_reduction_project (job, cube, reduction, projection, error);
  for (guint32 i = 0; i < m; i++)
    identity[i] = i;
  self.stack = stack;
  if (projection->show)
    es_job_set_preview (job, stack);
  g_mutex_init (&self.lock);
  done = turn_all (&self, samples->store, &local_error);
  g_mutex_clear (&self.lock);
  es_sample_store_relax (samples->store);
  if (done)
    {
      es_image_stack_settle (stack);
      return g_steal_pointer (&stack);
    }
  if (projection->show)
    es_job_set_preview (job, NULL);
  /* What could not be written tells more than that the rest was left. */
  if (self.error != NULL)
    g_propagate_error (error, g_steal_pointer (&self.error));
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}
