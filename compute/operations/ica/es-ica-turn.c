/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The components of a FastICA from its whitened samples, where those are of every pixel and where the components are to
 * be: they only have to be turned, and the cube, which has many more bands, is not read a third time.
 */

#include "es-ica-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-internal.h"
#include "resident/es-resident-internal.h"
#include "device/es-device-internal.h"
#include "ranks/es-ranks-internal.h"

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

/* Chunks are whole rows, one below the other; of all processes together they are every row. */
static gboolean
is_every_row (EsCube *cube, EsSampleStore *store)
{
  const guint64 width = es_cube_get_width (cube);
  const float *samples;
  guint64 key, next = 0, seen = 0;
  gsize count;

  for (guint i = 0; es_sample_store_peek (store, i, &key, &samples, &count); i++)
    {
      if ((i > 0 && key != next) || key % width != 0 || count % width != 0)
        return FALSE;
      next = key + count;
      seen += count;
    }
  /* Those in a file are not peeked at. */
  return seen == es_sample_store_get_own_count (store)
         && es_sample_store_get_count (store) == width * es_cube_get_height (cube);
}

/* Every GPU has the samples of its rows. */
static gboolean
is_every_share (EsCube *cube, EsDevice *device, EsSampleStore *store)
{
  const guint n = es_device_get_n_members (device);
  guint64 done = 0;
  const float *samples;
  gsize count, stride;
  guint member;

  for (guint i = 0; es_sample_store_peek_device (store, i, &member, &samples, &count, &stride); i++)
    {
      guint64 top, rows;

      es_cube_get_share (cube, n, member, &top, &rows);
      if (count != rows * es_cube_get_width (cube))
        return FALSE;
      done += rows;
    }
  return done == es_cube_get_height (cube);
}

gboolean
es_ica_may_turn_samples (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples,
                         const EsProjection *projection, gboolean *may, GError **error)
{
  EsDevice *device = es_job_get_device (job);

  *may = FALSE;
  /* What is not centred is shifted by a constant that the samples do not have. */
  if (projection->mean != reduction->mean || samples->store == NULL || samples->fraction < 1)
    return TRUE;
  if (es_sample_store_take (samples->store))
    {
      *may = es_device_is_cpu (device) ? is_every_row (cube, samples->store)
                                       : samples->device == device && is_every_share (cube, device, samples->store);
      es_sample_store_relax (samples->store);
    }
  return es_ranks_have_all (may, error);
}

/* ---- on GPUs ---- */

static gboolean
turn_member (EsImageStack *stack, EsDevice *device, EskStream *stream, guint64 top, const EskMatrix *turn,
             const float *samples, gsize count, gsize stride, GError **error)
{
  const EskTile tile = { samples, ESK_F32, false, count, 1, turn->rows, 1, (ptrdiff_t) count, (ptrdiff_t) stride };
  const EskSelection selection = { NULL, turn->rows, NULL, NULL, NULL };
  gsize plane_stride;
  float *out = es_image_stack_get_device_rows (stack, device, top, &plane_stride);

  return es_device_check (device, stream,
                          es_device_get_hotspots (device)->cube->project (stream, &tile, &selection, NULL, turn, NULL,
                                                                          out, plane_stride),
                          _("the projection"), error);
}

/* All GPUs at once, then what each of them has done. */
static gboolean
turn_on_devices (EsJob *job, EsCube *cube, EsImageStack *stack, EsSampleStore *store, const EskMatrix *turn,
                 GError **error)
{
  EsDevice *all = es_job_get_device (job);
  const guint n = es_device_get_n_members (all);
  g_autofree EskStream **streams = g_new0 (EskStream *, n);
  const float *samples;
  gsize count, stride;
  guint64 top, rows;
  guint member;
  gboolean done = !es_job_is_cancelled (job, error);

  for (guint i = 0; done && es_sample_store_peek_device (store, i, &member, &samples, &count, &stride); i++)
    {
      EsDevice *device = es_device_get_member (all, member);

      es_cube_get_share (cube, n, member, &top, &rows);
      streams[member] = es_device_take_stream (device);
      done = es_device_check (device, NULL, streams[member] != NULL ? ESK_OK : ESK_ERROR_MEMORY, _("a stream"), error)
             && turn_member (stack, device, streams[member], top, turn, samples, count, stride, error);
    }
  for (guint i = 0; i < n; i++)
    {
      EsDevice *device = es_device_get_member (all, i);
      int code;

      if (streams[i] == NULL)
        continue;
      code = es_device_get_hotspots (device)->device->wait (streams[i]);
      es_cube_get_share (cube, n, i, &top, &rows);
      done = done && es_device_check (device, streams[i], code, _("the projection"), error);
      if (done)
        es_image_stack_mark_written (stack, top, es_cube_get_width (cube), rows);
      es_device_give_stream (device, streams[i]);
    }
  return done;
}

/* ---- on the CPU ---- */

static gboolean
has_failed (Turn *self)
{
  g_mutex_lock (&self->lock);
  const gboolean failed = self->error != NULL;
  g_mutex_unlock (&self->lock);
  return failed;
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
  /* The rest would be written in vain. */
  if (has_failed (self))
    return ESK_OK;
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
  g_mutex_unlock (&self->lock);
  g_clear_error (&error);
  return ESK_OK;
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
      || !es_sample_lanes_run (threads, turn_chunk, self, _("the projection"), 1, &nothing, NULL,
                               es_job_get_cancellable (self->job), error))
    return FALSE;
  es_job_add_stage_ms (self->job, "output", _("Output"), self->write_us * 1e-3 / lanes);
  return TRUE;
}

static gboolean
turn_on_cpu (EsJob *job, EsCube *cube, EsImageStack *stack, EsSampleStore *store, const EskMatrix *turn,
             GError **error)
{
  g_autofree guint32 *identity = g_new (guint32, turn->rows);
  g_autoptr (GHashTable) first = g_hash_table_new (NULL, NULL);
  Turn self = { .job = job, .stack = stack, .width = es_cube_get_width (cube), .first = first, .turn = *turn,
                .identity = identity, .pixels = MAX (es_sample_store_get_own_count (store), 1) };
  gboolean done;

  for (guint32 i = 0; i < turn->rows; i++)
    identity[i] = i;
  g_mutex_init (&self.lock);
  done = turn_all (&self, store, error);
  g_mutex_clear (&self.lock);
  if (done && self.error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self.error));
      done = FALSE;
    }
  g_clear_error (&self.error);
  if (!es_ranks_agree (done, error))
    return FALSE;
  /* What others have written of it is there now. */
  if (es_ranks_get_size () > 1)
    es_image_stack_mark_written (stack, 0, es_cube_get_width (cube), es_cube_get_height (cube));
  return TRUE;
}

EsImageStack *
es_ica_turn_samples (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples,
                     const EsIcaRotation *rotation, const EsIcaComponent *components, const EsProjection *projection,
                     GError **error)
{
  const gboolean on_cpu = es_device_is_cpu (es_job_get_device (job));
  const guint m = samples->m;
  g_autofree float *values = make_turn (m, rotation, components);
  const EskMatrix turn = { m, m, values };
  g_autoptr (GError) local_error = NULL;
  g_autoptr (EsImageStack) stack = NULL;
  gboolean on_device, done;

  es_job_begin_stage (job, "transform", _("Transform"), projection->weight);
  /* The samples first: what makes room for the stack would be them. */
  if (!es_sample_store_take (samples->store))
    return es_reduction_project (job, cube, reduction, projection, error);
  stack = es_reduction_make_stack (job, cube, reduction, projection, !on_cpu, &on_device, &local_error);
  done = stack != NULL && on_device == !on_cpu;
  if (done && projection->show)
    es_job_set_preview (job, stack);
  if (done)
    done = on_cpu ? turn_on_cpu (job, cube, stack, samples->store, &turn, &local_error)
                  : turn_on_devices (job, cube, stack, samples->store, &turn, &local_error);
  es_sample_store_relax (samples->store);
  if (done)
    {
      const double turned = (double) samples->count * m;
      const EsStageWork work = { .memory_bytes = 2 * turned * sizeof (float), .operations = 2 * turned * m,
                                 .less = N_("Fewer components help.") };

      es_job_add_work (job, NULL, &work);
      if (on_cpu)
        es_reduction_tell_output (job, cube, m);
      es_image_stack_settle (stack);
      return g_steal_pointer (&stack);
    }
  if (projection->show)
    es_job_set_preview (job, NULL);
  /* Beside the samples there is no room for the components on the cards; without them there may be. */
  if (!on_cpu && (local_error == NULL || g_error_matches (local_error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY)))
    {
      g_clear_object (&stack);
      return es_reduction_project (job, cube, reduction, projection, error);
    }
  g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}
