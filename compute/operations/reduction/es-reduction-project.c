/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The scene along each component. On a GPU the components stay where they are made, if there is room; otherwise each
 * tile's come to the host while the card works on the next.
 */

#include "es-reduction-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "resident/es-resident-internal.h"
#include "ranks/es-ranks.h"

typedef struct
{
  EsJob         *job;
  EskSelection   selection;
  EskMatrix      basis;
  const double  *mean, *offset;
  EsImageStack  *stack;
  gboolean       on_device;                /* where the stack is */
  gint64         write_us;
} ProjectPass;

typedef struct
{
  EsDevice      *device;
  gsize          pixels;                   /* of a tile */
  float         *projected;                /* the CPU's */
  gint64         write_us;

  /* A GPU's: components on the card, and on the host those of this tile and of the one before. */
  EsBuffer      *scratch;
  float         *staging[2];
  gboolean       locked[2];                /* page-locked */
  gsize          staging_bytes;
  guint          slot;
  EsCubeWindow   before;                   /* not yet written, or not yet marked; height 0: none */
} ProjectLane;

static void
lane_free (gpointer data)
{
  ProjectLane *lane = data;

  g_free (lane->projected);
  g_clear_pointer (&lane->scratch, es_buffer_unref);
  for (guint i = 0; i < 2; i++)
    if (lane->locked[i])
      es_staging_give (lane->device, lane->staging[i], lane->staging_bytes);
    else
      g_free (lane->staging[i]);
  g_free (lane);
}

static gpointer
no_room (ProjectLane *lane, GError **error)
{
  es_device_check (lane->device, NULL, ESK_ERROR_MEMORY, _("the components of a tile"), error);
  lane_free (lane);
  return NULL;
}

static gpointer
lane_new (const EsLaneContext *context, const EsTiling *tiling, gpointer data, GError **error)
{
  ProjectPass *pass = data;
  ProjectLane *lane = g_new0 (ProjectLane, 1);
  gsize samples;

  lane->device = context->device;
  lane->pixels = tiling->tile_width * tiling->tile_height;
  if (pass->on_device)
    return lane;
  if (!g_size_checked_mul (&samples, lane->pixels, pass->basis.rows)
      || !g_size_checked_mul (&lane->staging_bytes, samples, sizeof (float)))
    return no_room (lane, error);
  if (es_device_is_cpu (context->device))
    {
      lane->projected = g_try_malloc (lane->staging_bytes);
      return lane->projected != NULL ? lane : no_room (lane, error);
    }

  lane->scratch = es_buffer_new (context->device, lane->staging_bytes, error);
  if (lane->scratch == NULL)
    {
      lane_free (lane);
      return NULL;
    }
  for (guint i = 0; i < 2; i++)
    {
      lane->staging[i] = es_staging_take (context->device, lane->staging_bytes);
      lane->locked[i] = lane->staging[i] != NULL;
      if (lane->staging[i] == NULL && (lane->staging[i] = g_try_malloc (lane->staging_bytes)) == NULL)
        return no_room (lane, error);
    }
  return lane;
}

static gboolean
project (ProjectPass *pass, const EsLaneContext *context, const EskTile *tile, const guint8 *valid, float *out,
         gsize plane_stride, GError **error)
{
  return es_device_check (context->device, context->stream,
                          context->hotspots->cube->project (context->stream, tile, &pass->selection, valid,
                                                            &pass->basis, pass->mean, out, plane_stride),
                          _("the projection"), error);
}

static gboolean
write_window (ProjectLane *lane, ProjectPass *pass, const EsCubeWindow *window, float *values, gsize plane_stride,
              GError **error)
{
  gint64 start = g_get_monotonic_time ();
  gboolean written;

  for (gsize k = 0; pass->offset != NULL && k < pass->basis.rows; k++)
    for (gsize i = 0; i < window->width * window->height; i++)
      values[k * plane_stride + i] = (float) (values[k * plane_stride + i] + pass->offset[k]);
  written = es_image_stack_write (pass->stack, window->x, window->y, window->width, window->height, values,
                                           plane_stride, error);

  lane->write_us += g_get_monotonic_time () - start;
  return written;
}

/* What the card did for the tile before is done by now. */
static gboolean
finish_before (ProjectLane *lane, ProjectPass *pass, GError **error)
{
  const EsCubeWindow window = lane->before;

  lane->before.height = 0;
  if (window.height == 0)
    return TRUE;
  if (pass->on_device)
    {
      es_image_stack_mark_written (pass->stack, window.y, window.width, window.height);
      return TRUE;
    }
  return write_window (lane, pass, &window, lane->staging[1 - lane->slot], window.width * window.height, error);
}

static gboolean
project_tile (gpointer data, const EsLaneContext *context, const EsCubeWindow *window, const EskTile *tile,
              const guint8 *valid, gpointer pass_data, GError **error)
{
  ProjectLane *lane = data;
  ProjectPass *pass = pass_data;
  const gsize pixels = window->width * window->height;

  if (lane->projected != NULL)
    return project (pass, context, tile, valid, lane->projected, lane->pixels, error)
           && write_window (lane, pass, window, lane->projected, lane->pixels, error);

  if (pass->on_device)
    {
      gsize plane_stride;
      float *out = es_image_stack_get_device_rows (pass->stack, context->device, window->y, &plane_stride);

      if (!project (pass, context, tile, valid, out, plane_stride, error) || !finish_before (lane, pass, error))
        return FALSE;
    }
  else
    {
      const gsize bytes = pixels * pass->basis.rows * sizeof (float);

      /* The card has this tile to do while the one before is written. */
      if (!project (pass, context, tile, valid, es_buffer_get_data (lane->scratch), pixels, error)
          || !es_device_check (context->device, context->stream,
                               context->hotspots->device->download (context->stream, lane->staging[lane->slot], bytes,
                                                                    es_buffer_get_data (lane->scratch), bytes, bytes,
                                                                    1),
                               _("a copy to the host"), error)
          || !finish_before (lane, pass, error))
        return FALSE;
      lane->slot = 1 - lane->slot;
    }
  lane->before = *window;
  return TRUE;
}

static gboolean
project_flush (gpointer data, const EsLaneContext *context, gpointer pass_data, GError **error)
{
  return finish_before (data, pass_data, error);
}

static gboolean
project_lane_done (gpointer data, const EsLaneContext *context, gpointer pass_data, GError **error)
{
  ((ProjectPass *) pass_data)->write_us += ((ProjectLane *) data)->write_us;
  return TRUE;
}

/* Windows are written anew, with the same values. */
static void
forget_written (gpointer pass_data)
{
  es_image_stack_forget_written (((ProjectPass *) pass_data)->stack);
}

static EsImageStack *
stack_on_device (EsCube *cube, EsDevice *device, const EsLimits *limits, const EsProjection *projection)
{
  const guint n = es_device_get_n_members (device);
  g_autofree guint64 *rows_from = g_new (guint64, n + 1);

  for (guint i = 0; i < n; i++)
    {
      guint64 rows;

      es_cube_get_share (cube, n, i, &rows_from[i], &rows);
      rows_from[i + 1] = rows_from[i] + rows;
    }
  return es_image_stack_new_on_device (projection->name, projection->title, es_cube_get_width (cube), projection->m,
                                       device, rows_from, es_reduction_largest_stack (limits), NULL);
}

EsImageStack *
es_reduction_make_stack (EsJob *job, EsCube *cube, EsReduction *self, const EsProjection *projection,
                         gboolean try_device, gboolean *on_device, GError **error)
{
  const EsLimits *limits = es_job_get_limits (job);
  EsDevice *device = es_job_get_device (job);
  g_autofree char *path = es_reduction_stack_path (cube, limits, projection->name);
  EsImageStack *stack = NULL;

  if (try_device && projection->offset == NULL && es_ranks_get_size () == 1
      && es_reduction_keeps_on_device (cube, device, limits, self->n, projection->m))
    stack = stack_on_device (cube, device, limits, projection);
  *on_device = stack != NULL;
  if (stack == NULL)
    stack = es_image_stack_new (projection->name, projection->title, es_cube_get_width (cube),
                                es_cube_get_height (cube), projection->m, es_reduction_largest_stack (limits), path,
                                error);
  if (stack == NULL)
    return NULL;
  es_reduction_frame_stack (stack, cube);
  es_image_stack_set_signed (stack, projection->is_signed);
  for (guint i = 0; i < projection->m; i++)
    es_image_stack_set_plane (stack, i, projection->plane_titles[i],
                              projection->shares != NULL ? projection->shares[i] : NAN);
  return stack;
}

static gboolean
fill_stack (EsCube *cube, ProjectPass *data, GError **error)
{
  /* Where memory does not suffice for tiles beside a stack on the card, the stack has to go. */
  static const EsPass on_device = { lane_new, lane_free, project_tile, NULL, project_lane_done, project_flush };
  static const EsPass on_host = { lane_new, lane_free, project_tile, NULL, project_lane_done, project_flush,
                                  forget_written };
  EsDevice *device = es_job_get_device (data->job);
  const gsize mask = es_device_is_cpu (device) ? 1 : 0;
  EsTiling tiling = es_tiling_plan (cube, device, es_job_get_limits (data->job),
                                    data->on_device ? 0 : mask + data->basis.rows * sizeof (float), 0);

  if (!es_pass_run (data->job, cube, &tiling, &data->selection, data->on_device ? &on_device : &on_host, data, error))
    return FALSE;
  /* What others have written of it is there now. */
  if (es_ranks_get_size () > 1)
    es_image_stack_mark_written (data->stack, 0, es_cube_get_width (cube), es_cube_get_height (cube));
  es_job_add_stage_ms (data->job, "output", _("Output"), data->write_us * 1e-3 / tiling.lanes);
  es_reduction_tell_projection (data->job, cube, data->basis.columns, data->basis.rows, !data->on_device);
  if (!data->on_device)
    es_reduction_tell_output (data->job, cube, data->basis.rows);
  return TRUE;
}

EsImageStack *
es_reduction_project (EsJob *job, EsCube *cube, EsReduction *self, const EsProjection *projection, GError **error)
{
  const gsize samples = (gsize) projection->m * self->n;
  g_autofree float *basis = g_new (float, samples);

  es_job_begin_stage (job, "transform", _("Transform"), projection->weight);
  for (gsize i = 0; i < samples; i++)
    basis[i] = (float) projection->basis[i];

  for (gboolean try_device = TRUE;; try_device = FALSE)
    {
      ProjectPass data = { .job = job, .selection = es_reduction_selection (self),
                           .basis = { projection->m, self->n, basis }, .mean = projection->mean,
                           .offset = projection->offset };
      g_autoptr (GError) local_error = NULL;
      g_autoptr (EsImageStack) stack = es_reduction_make_stack (job, cube, self, projection, try_device,
                                                                &data.on_device, error);

      if (stack == NULL)
        return NULL;
      data.stack = stack;
      if (projection->show)
        es_job_set_preview (job, stack);
      if (fill_stack (cube, &data, &local_error))
        {
          es_image_stack_settle (stack);
          return g_steal_pointer (&stack);
        }
      if (projection->show)
        es_job_set_preview (job, NULL);
      if (!data.on_device || !g_error_matches (local_error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
    }
}
