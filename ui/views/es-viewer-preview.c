/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A stack that a job is filling, in the place of the picture. The display, the strip and the inspector keep what was
 * shown before, to which the picture comes back. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define CUT 0.02
/* Samples a side that are looked at to tell whether there is anything yet. */
#define GRID 64

static gboolean
has_samples (const EsPlaneSet *set)
{
  const guint width = (es_plane_source_get_width (set->source) + set->step - 1) / set->step;
  const guint height = (es_plane_source_get_height (set->source) + set->step - 1) / set->step;
  const guint across = MAX (width / GRID, 1), down = MAX (height / GRID, 1);

  for (guint y = 0; y < height; y += down)
    for (guint x = 0; x < width; x += across)
      if (!isnan (es_plane_get_sample (set->ready[0], x, y)))
        return TRUE;
  return FALSE;
}

static void
on_loaded (EsViewer *self, const EsPlaneSet *set)
{
  g_autofree char *title = NULL;
  g_autofree char *caption = NULL;

  if (self->preview == NULL || es_plane_source_get_stack (set->source) != self->preview)
    return;
  /* The old picture stays until there is something to see. */
  if (!has_samples (set) || !_es_viewer_watch_planes (self, set))
    return;
  title = es_plane_source_get_plane_title (set->source, 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "picture");
  es_image_view_set_message (self->image, NULL);
  es_picture_show_planes (self->picture, set->n_planes, (EsPlane **) set->ready, set->step,
                          es_plane_source_get_width (set->source), es_plane_source_get_height (set->source));
  es_picture_set_colormap (self->picture, ES_COLORMAP_GRAY);
  es_picture_stretch_percent (self->picture, CUT, es_plane_source_get_signed (set->source));
  /* TRANSLATORS: under the picture of a component while it is being computed */
  caption = g_strdup_printf (_("%s · being computed"), title);
  es_image_view_set_caption (self->image, caption);
}

void
es_viewer_show_preview (EsViewer *self, EsImageStack *stack)
{
  const guint first = 0;
  g_autoptr (EsPlaneSource) source = NULL;

  g_return_if_fail (ES_IS_VIEWER (self));
  g_return_if_fail (ES_IS_IMAGE_STACK (stack));

  if (self->preview_loader == NULL)
    {
      self->preview_loader = es_plane_loader_new ();
      g_signal_connect_object (self->preview_loader, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
    }
  if (g_set_object (&self->preview, stack))
    es_plane_loader_cancel (self->preview_loader);
  /* A plane that takes longer to be read than the time between two previews is shown all the same. */
  if (es_plane_loader_is_busy (self->preview_loader) || es_image_stack_get_planes (stack) == 0)
    return;
  source = es_plane_source_new_for_stack (stack);
  es_plane_loader_load (self->preview_loader, source, 1, &first);
}

gboolean
_es_viewer_drop_preview (EsViewer *self)
{
  if (self->preview_loader != NULL)
    es_plane_loader_cancel (self->preview_loader);
  if (self->preview == NULL)
    return FALSE;
  g_clear_object (&self->preview);
  return TRUE;
}

gboolean
es_viewer_is_previewing (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), FALSE);
  return self->preview != NULL;
}
