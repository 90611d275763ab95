/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A stack that a job is filling, or the newest of many that follow each other, in the place of the picture. The
 * display, the strip and the inspector keep what was shown before, to which the picture comes back. */

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

/*
 * A preview may be a decimated picture of the cube: every step-th pixel of every step-th row, ceil (width / step) of
 * them. Shown as what it is a picture of, it lies where the cube does, and zoom and place stay.
 */
static void
find_size (EsViewer *self, const EsPlaneSet *set, guint *step, guint *width, guint *height)
{
  guint own_width = es_plane_source_get_width (set->source), own_height = es_plane_source_get_height (set->source);
  guint64 full_width = ES_IS_CUBE (self->dataset) ? es_cube_get_width (ES_CUBE (self->dataset)) : 0;
  guint64 full_height = ES_IS_CUBE (self->dataset) ? es_cube_get_height (ES_CUBE (self->dataset)) : 0;
  guint64 by;

  *step = set->step;
  *width = own_width;
  *height = own_height;
  if (full_width < own_width || full_height < own_height || full_width > G_MAXINT || full_height > G_MAXINT)
    return;
  by = MAX ((full_width + own_width - 1) / own_width, (full_height + own_height - 1) / own_height);
  if (by == 1 || (full_width + by - 1) / by != own_width || (full_height + by - 1) / by != own_height)
    return;
  *step = (guint) by * set->step;
  *width = (guint) full_width;
  *height = (guint) full_height;
}

static void
on_loaded (EsViewer *self, const EsPlaneSet *set)
{
  g_autofree char *title = NULL;
  g_autofree char *caption = NULL;
  guint step, width, height;

  if (self->preview.stack == NULL)
    return;
  /* The old picture stays until there is something to see. */
  if (has_samples (set) && _es_viewer_watch_planes (self, set))
    {
      find_size (self, set, &step, &width, &height);
      title = es_plane_source_get_plane_title (set->source, 0);
      gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "picture");
      es_image_view_set_message (self->left.view, NULL);
      es_picture_show_planes (self->left.picture, set->n_planes, (EsPlane **) set->ready, step, width, height);
      es_picture_set_colormap (self->left.picture, ES_COLORMAP_GRAY);
      es_picture_stretch_percent (self->left.picture, CUT, es_plane_source_get_signed (set->source));
      /* TRANSLATORS: under the picture of a component while it is being computed */
      caption = g_strdup_printf (_("%s · being computed"), title);
      es_compare_view_set_caption (self->compare, ES_COMPARE_LEFT, caption);
      g_set_object (&self->preview.shown, es_plane_source_get_stack (set->source));
    }
}

static void
load_preview (EsViewer *self)
{
  const guint first = 0;
  g_autoptr (EsPlaneSource) source = NULL;

  /* One that takes longer to be read than the time between two is shown all the same. */
  if (es_plane_loader_is_busy (self->preview.loader) || es_image_stack_get_planes (self->preview.stack) == 0)
    return;
  source = es_plane_source_new_for_stack (self->preview.stack);
  es_plane_loader_load (self->preview.loader, source, 1, &first);
}

void
es_viewer_show_preview (EsViewer *self, EsImageStack *stack)
{
  g_return_if_fail (ES_IS_VIEWER (self));
  g_return_if_fail (ES_IS_IMAGE_STACK (stack));

  if (self->preview.loader == NULL)
    {
      self->preview.loader = es_plane_loader_new ();
      g_signal_connect_object (self->preview.loader, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
    }
  g_set_object (&self->preview.stack, stack);
  /* What is complete does not change: it need not be shown twice. */
  if (stack != self->preview.shown || !es_image_stack_is_complete (stack))
    load_preview (self);
}

gboolean
_es_viewer_drop_preview (EsViewer *self)
{
  if (self->preview.loader != NULL)
    es_plane_loader_cancel (self->preview.loader);
  g_clear_object (&self->preview.shown);
  if (self->preview.stack == NULL)
    return FALSE;
  g_clear_object (&self->preview.stack);
  return TRUE;
}

gboolean
es_viewer_is_previewing (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), FALSE);
  return self->preview.stack != NULL;
}
