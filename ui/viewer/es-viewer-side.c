/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What both pictures of a viewer have in common. */

#include "es-viewer-private.h"

#include "image/es-display-bar.h"

void
_es_viewer_side_init (EsViewerSide *side, EsDisplay *display)
{
  side->display = display;
  side->picture = es_picture_new ();
  side->loader = es_plane_loader_new ();
  side->gpu_signals = g_signal_group_new (ES_TYPE_DEVICE);
}

void
_es_viewer_side_clear (EsViewerSide *side)
{
  if (side->loader != NULL)
    {
      g_signal_handlers_disconnect_by_data (side->loader, side);
      es_plane_loader_cancel (side->loader);
    }
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
