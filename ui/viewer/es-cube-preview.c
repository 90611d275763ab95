/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* While a run from the panel is under way, what it has made so far is shown in the place of the picture. */

#include "es-cube-workspace-private.h"

/* Between two previews; a stack that is filled sooner than that is not shown before it is the result. */
#define INTERVAL_MS 250

static gboolean
on_interval (gpointer data)
{
  EsCubeWorkspace *self = data;
  EsImageStack *stack = es_job_get_preview (self->preview_job);

  if (stack != NULL)
    es_viewer_show_preview (self->viewer, stack);
  return G_SOURCE_CONTINUE;
}

static void
on_preview (EsCubeWorkspace *self)
{
  EsImageStack *stack = es_job_get_preview (self->preview_job);

  /* One that is complete is a picture by itself, which the next one takes the place of. */
  if (stack != NULL && es_image_stack_is_complete (stack))
    es_viewer_show_preview (self->viewer, stack);
  if (self->preview_source == 0 && stack != NULL)
    self->preview_source = g_timeout_add (INTERVAL_MS, on_interval, self);
}

/* Its result has been shown by now, or another picture has; or there is none, and the old one comes back. */
static void
on_state (EsCubeWorkspace *self, GParamSpec *pspec, EsJob *job)
{
  if (!es_job_is_active (job))
    _es_cube_preview_end (self);
}

void
_es_cube_preview_begin (EsCubeWorkspace *self, EsJob *job)
{
  _es_cube_preview_end (self);
  self->preview_job = g_object_ref (job);
  g_signal_connect_object (job, "notify::preview", G_CALLBACK (on_preview), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "notify::state", G_CALLBACK (on_state), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

void
_es_cube_preview_end (EsCubeWorkspace *self)
{
  g_clear_handle_id (&self->preview_source, g_source_remove);
  if (self->preview_job == NULL)
    return;
  g_signal_handlers_disconnect_by_func (self->preview_job, on_preview, self);
  g_signal_handlers_disconnect_by_func (self->preview_job, on_state, self);
  g_clear_object (&self->preview_job);
  es_viewer_end_preview (self->viewer);
}
