/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What both pictures of a viewer have in common. */

#include "es-viewer-private.h"

#include "bar/es-display-bar.h"
#include "tiles/es-level-keeper.h"

void
_es_viewer_side_init (EsViewerSide *side, EsDisplay *display)
{
  side->display = display;
  side->picture = es_picture_new ();
  side->loader = es_plane_loader_new ();
  side->gpu_signals = g_signal_group_new (ES_TYPE_DEVICE);
  side->probe = es_pixel_probe_new ();
}

/* Means of all pixels are there, where a picture of some of the rows was shown. */
static void
on_kept (EsViewerSide *side, EsPlaneSource *kept)
{
  EsPlaneSource *source = es_display_get_source (side->display);

  if (source == NULL || es_plane_source_get_data (source) != es_plane_source_get_data (kept)
      || es_picture_is_empty (side->picture))
    return;
  es_plane_loader_forget (side->loader, source);
  _es_viewer_side_load (side);
}

void
_es_viewer_side_set_view (EsViewerSide *side, EsImageView *view)
{
  side->view = view;
  side->detail = es_detail_new (view);
  g_signal_connect_swapped (es_level_keeper_get (), "kept", G_CALLBACK (on_kept), side);
}

/* What is coarser than the screen for now. */
char *
_es_viewer_side_make_caption (EsViewerSide *side)
{
  guint step = es_picture_get_step (side->picture);

  if (step > 1)
    {
      const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (side->view));
      EsViewport viewport;

      es_image_view_get_viewport (side->view, &viewport);
      step = es_picture_get_shown_step (side->picture, gtk_widget_get_width (GTK_WIDGET (side->view)) * scale,
                                        gtk_widget_get_height (GTK_WIDGET (side->view)) * scale, &viewport);
      if (step * viewport.zoom <= 1)
        step = 1;
    }
  return es_display_make_caption (side->display, step);
}

void
_es_viewer_side_clear (EsViewerSide *side)
{
  if (side->loader != NULL)
    {
      g_signal_handlers_disconnect_by_data (side->loader, side);
      es_plane_loader_cancel (side->loader);
    }
  g_signal_handlers_disconnect_by_data (es_level_keeper_get (), side);
  g_clear_object (&side->detail);
  g_clear_object (&side->probe);
  g_clear_object (&side->gpu_signals);
  g_clear_object (&side->loader);
  g_clear_object (&side->picture);
  g_clear_object (&side->display);
  g_clear_object (&side->groups);
}

gboolean
_es_viewer_side_load (EsViewerSide *side)
{
  guint planes[3], n = es_display_get_planes (side->display, planes);

  if (n > 0)
    es_plane_loader_load (side->loader, es_display_get_source (side->display), n, planes);
  return n > 0;
}

void
_es_viewer_side_show (EsViewerSide *side, const EsPlaneSet *set)
{
  es_image_view_set_message (side->view, NULL);
  es_picture_show_planes (side->picture, set->n_planes, (EsPlane **) set->ready, set->step,
                          es_plane_source_get_width (set->source), es_plane_source_get_height (set->source));
  es_detail_set_planes (side->detail, set);
}

void
_es_viewer_side_update_legend (EsViewerSide *side)
{
  EsPlaneSource *source = es_display_get_source (side->display);

  es_image_view_set_legend (side->view, es_display_bar_get_legend (ES_DISPLAY_BAR (side->bar)),
                            source != NULL ? es_plane_source_get_unit (source) : NULL);
}

void
_es_viewer_side_update_busy (EsViewerSide *side)
{
  es_display_bar_set_busy (ES_DISPLAY_BAR (side->bar), es_plane_loader_is_busy (side->loader));
}

EsDevice *
_es_viewer_find_gpu (const EsPlaneSet *set)
{
  EsDevice *gpu = NULL;

  for (guint i = 0; i < set->n_planes && gpu == NULL; i++)
    gpu = es_plane_get_device (set->ready[i]);
  return gpu;
}
