/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The difference of the two pictures, in the place of both. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-format.h"

static void
say_instead (EsViewer *self, const char *sentence)
{
  es_difference_loader_cancel (self->difference_loader);
  es_picture_clear (self->difference);
  es_compare_view_set_caption (self->compare, ES_COMPARE_BOTH, "");
  es_image_view_set_message (es_compare_view_get_view (self->compare, ES_COMPARE_BOTH), sentence);
}

void
_es_viewer_update_difference (EsViewer *self)
{
  EsPlaneSource *left = es_display_get_source (self->left.display);
  EsPlaneSource *right = es_display_get_source (self->right.display);

  if (es_compare_view_get_mode (self->compare) != ES_COMPARE_DIFFERENCE)
    {
      es_difference_loader_cancel (self->difference_loader);
      es_picture_clear (self->difference);
      return;
    }
  if (left == NULL || right == NULL)
    say_instead (self, NULL);
  else if (es_display_get_composite (self->left.display) || es_display_get_composite (self->right.display))
    say_instead (self, _("A difference is of two single planes: choose a band instead of RGB."));
  else
    {
      guint planes[2] = { es_display_get_plane (self->left.display), es_display_get_plane (self->right.display) };
      g_autofree char *first = es_plane_source_get_plane_title (left, planes[0]);
      g_autofree char *second = es_plane_source_get_plane_title (right, planes[1]);

      g_free (self->difference_title);
      self->difference_title = g_strdup_printf ("%s \u2212 %s", first, second);
      es_difference_loader_load (self->difference_loader, left, planes[0], right, planes[1],
                                 es_compare_bar_get_standardise (self->compare_bar));
    }
}

static void
on_difference (EsViewer *self, const EsDifference *difference)
{
  EsPlaneSource *left = es_display_get_source (self->left.display);
  EsImageView *view = es_compare_view_get_view (self->compare, ES_COMPARE_BOTH);
  g_autoptr (GString) caption = g_string_new (self->difference_title);
  g_autofree char *number = es_format_number (difference->correlation, 2);

  if (left == NULL || es_compare_view_get_mode (self->compare) != ES_COMPARE_DIFFERENCE)
    return;
  if (difference->n_valid == 0)
    {
      say_instead (self, _("The two pictures have no pixel in common."));
      return;
    }
  if (difference->standardised)
    g_string_append_printf (caption, " · %s", difference->reversed ? _("standardised, the second one reversed")
                                                                   : _("standardised"));
  if (isfinite (difference->correlation))
    g_string_append_printf (caption, " · r = %s", number);
  else
    g_string_append_printf (caption, " · %s", _("one of them is constant"));
  es_image_view_set_message (view, NULL);
  es_picture_show_planes (self->difference, 1, (EsPlane *[]) { difference->ready }, difference->step,
                          es_plane_source_get_width (left), es_plane_source_get_height (left));
  es_picture_set_colormap (self->difference, ES_COLORMAP_DIVERGING);
  es_picture_stretch_percent (self->difference, 0.02, TRUE);
  es_compare_view_set_caption (self->compare, ES_COMPARE_BOTH, caption->str);
  _es_viewer_queue_status (self);
}

static void
on_difference_failed (EsViewer *self, const GError *error)
{
  say_instead (self, error->message);
}

void
_es_viewer_init_difference (EsViewer *self)
{
  self->difference = es_picture_new ();
  self->difference_loader = es_difference_loader_new ();
  g_signal_connect_object (self->difference_loader, "loaded", G_CALLBACK (on_difference), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->difference_loader, "failed", G_CALLBACK (on_difference_failed), self,
                           G_CONNECT_SWAPPED);
}
