/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* From the left display to its picture: planes that are read, lost with their GPU, or cannot be read. */

#include "es-viewer-private.h"

#include "workspace/es-start-trace.h"

void
_es_viewer_update_caption (EsViewer *self)
{
  g_autofree char *prefix = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *caption = NULL;

  if (self->preview.stack != NULL)
    return;
  prefix = _es_viewer_caption_prefix (self);
  shown = _es_viewer_side_make_caption (&self->left);
  caption = g_strconcat (prefix, shown, NULL);
  es_compare_view_set_caption (self->compare, ES_COMPARE_LEFT, caption);
}

static void
apply_look (EsViewer *self)
{
  if (self->preview.stack != NULL)
    return;
  _es_viewer_update_basis (self);
  es_display_apply_look (self->left.display, self->left.picture);
  _es_viewer_update_caption (self);
}

/* What lay on a GPU that is lost is missing at every zoom but the one on the screen: read again, it comes from the
 * host, or fails and says why. */
static void
on_lost (EsViewer *self)
{
  if (self->preview.stack != NULL)
    {
      g_clear_object (&self->preview.shown);
      es_viewer_show_preview (self, self->preview.stack);
    }
  else
    _es_viewer_side_load (&self->left);
}

gboolean
_es_viewer_watch_planes (EsViewer *self, const EsPlaneSet *set)
{
  EsDevice *gpu = _es_viewer_find_gpu (set);

  if (gpu != NULL && es_device_is_lost (gpu))
    return FALSE;
  g_signal_group_set_target (self->left.gpu_signals, gpu);
  return TRUE;
}

static void
on_loaded (EsViewer *self, const EsPlaneSet *set)
{
  if (set->source != es_display_get_source (self->left.display))
    return;
  if (!_es_viewer_watch_planes (self, set))
    {
      on_lost (self);
      return;
    }
  _es_viewer_side_show (&self->left, set);
  apply_look (self);
  es_start_trace ("planes");
  _es_viewer_take_waiting (self);
  _es_viewer_update_actions (self);
  _es_viewer_queue_status (self);
}

static void
on_failed (EsViewer *self, const GError *error)
{
  g_signal_group_set_target (self->left.gpu_signals, NULL);
  es_picture_clear (self->left.picture);
  es_image_view_set_message (self->left.view, error->message);
  _es_viewer_update_actions (self);
  _es_viewer_queue_status (self);
}

void
_es_viewer_load_planes (EsViewer *self)
{
  _es_viewer_drop_preview (self);
  _es_viewer_side_load (&self->left);
  _es_viewer_left_changed (self);
  _es_viewer_update_actions (self);
  g_object_notify (G_OBJECT (self), "plane");
}

static void
on_source_changed (EsViewer *self)
{
  EsPlaneSource *source = es_display_get_source (self->left.display);
  gboolean strip = source != NULL && es_plane_source_get_stack (source) != NULL
                   && es_plane_source_get_n_planes (source) > 1;

  gtk_revealer_set_reveal_child (GTK_REVEALER (self->strip_revealer), strip);
  es_image_view_set_message (self->left.view, NULL);
  _es_viewer_side_update_legend (&self->left);
  if (source == NULL)
    {
      es_plane_loader_cancel (self->left.loader);
      es_picture_clear (self->left.picture);
      _es_viewer_update_caption (self);
    }
  _es_viewer_load_planes (self);
  _es_viewer_queue_status (self);
}

/* Where the picture was made smaller the caption says what of it is coarser than the screen. */
static void
on_moved (EsViewer *self)
{
  if (es_picture_get_step (self->left.picture) > 1)
    _es_viewer_update_caption (self);
}

/* The picture stays as it is, in what is there by now. */
static void
on_detail_failed (EsViewer *self, const GError *error)
{
  es_image_view_set_message (self->left.view, error->message);
}

void
_es_viewer_connect_planes (EsViewer *self)
{
  g_signal_connect_object (self->left.view, "moved", G_CALLBACK (on_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.detail, "failed", G_CALLBACK (on_detail_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.probe, "changed", G_CALLBACK (_es_viewer_queue_status), self,
                           G_CONNECT_SWAPPED);
  g_signal_group_connect_swapped (self->left.gpu_signals, "notify::lost", G_CALLBACK (on_lost), self);
  g_signal_connect_object (self->left.display, "source-changed", G_CALLBACK (on_source_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.display, "planes-changed", G_CALLBACK (_es_viewer_load_planes), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.display, "look-changed", G_CALLBACK (apply_look), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.picture, "changed", G_CALLBACK (_es_viewer_update_caption), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.loader, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.loader, "failed", G_CALLBACK (on_failed), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->left.loader, "notify::busy", G_CALLBACK (_es_viewer_side_update_busy), &self->left);
  g_signal_connect_swapped (self->left.bar, "notify::legend", G_CALLBACK (_es_viewer_side_update_legend), &self->left);
}
