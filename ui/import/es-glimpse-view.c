/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-glimpse-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-view.h"
#include "picture/es-picture.h"

struct _EsGlimpseView
{
  GtkBox     parent_instance;

  EsPicture *picture;
  EsPlot    *plot;
  GtkWidget *canvas;
  GdkTexture *texture;           /* nullable */
  double     aspect;             /* width by height of what is shown */
};

G_DEFINE_FINAL_TYPE (EsGlimpseView, es_glimpse_view, GTK_TYPE_BOX)

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  EsGlimpseView *self = data;
  const double zoom = self->texture != NULL
                      ? MIN ((double) width / gdk_texture_get_width (self->texture),
                             (double) height / gdk_texture_get_height (self->texture)) : 1;
  cairo_surface_t *surface;
  double w, h, x, y;

  cairo_set_source_rgb (cr, 0x2e / 255.0, 0x2e / 255.0, 0x2e / 255.0);
  cairo_paint (cr);
  if (self->texture == NULL)
    return;
  w = gdk_texture_get_width (self->texture) * zoom;
  h = gdk_texture_get_height (self->texture) * zoom;
  x = floor ((width - w) / 2);
  y = floor ((height - h) / 2);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, gdk_texture_get_width (self->texture),
                                        gdk_texture_get_height (self->texture));
  gdk_texture_download (self->texture, cairo_image_surface_get_data (surface),
                        (gsize) cairo_image_surface_get_stride (surface));
  cairo_surface_mark_dirty (surface);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_scale (cr, zoom, zoom);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), zoom >= 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_GOOD);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (surface);

  /* The pixel of the spectrum: light with a dark border, to be seen on anything. */
  for (int pass = 0; pass < 2; pass++)
    {
      cairo_set_source_rgba (cr, pass, pass, pass, 0.8);
      cairo_set_line_width (cr, pass == 0 ? 3 : 1);
      cairo_move_to (cr, floor (x + w / 2) - 5.5, floor (y + h / 2) + 0.5);
      cairo_rel_line_to (cr, 12, 0);
      cairo_move_to (cr, floor (x + w / 2) + 0.5, floor (y + h / 2) - 5.5);
      cairo_rel_line_to (cr, 0, 12);
      cairo_stroke (cr);
    }
}

static void
es_glimpse_view_dispose (GObject *object)
{
  EsGlimpseView *self = ES_GLIMPSE_VIEW (object);

  g_clear_object (&self->picture);
  g_clear_object (&self->plot);
  g_clear_object (&self->texture);
  G_OBJECT_CLASS (es_glimpse_view_parent_class)->dispose (object);
}

static void
es_glimpse_view_class_init (EsGlimpseViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_glimpse_view_dispose;
}

static void
es_glimpse_view_init (EsGlimpseView *self)
{
  GtkWidget *frame = gtk_frame_new (NULL);
  const char *words = _("One band of the file as it is taken now; a cross marks the pixel of the spectrum below");
  GtkWidget *view;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  self->picture = es_picture_new ();
  self->canvas = gtk_drawing_area_new ();
  gtk_widget_set_size_request (self->canvas, 360, 260);
  gtk_widget_set_hexpand (self->canvas, TRUE);
  gtk_widget_set_vexpand (self->canvas, TRUE);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->canvas), draw, self, NULL);
  gtk_widget_set_tooltip_text (self->canvas, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_frame_set_child (GTK_FRAME (frame), self->canvas);
  gtk_box_append (GTK_BOX (self), frame);
  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("Spectrum of the middle pixel"));
  es_plot_set_x_axis (self->plot, _("Band"), NULL);
  es_plot_set_y_axis (self->plot, _("Stored value"), NULL, FALSE);
  view = es_plot_view_new (self->plot, 130);
  gtk_box_append (GTK_BOX (self), view);
}

GtkWidget *
es_glimpse_view_new (void)
{
  return g_object_new (ES_TYPE_GLIMPSE_VIEW, NULL);
}

static void
show_spectrum (EsGlimpseView *self, const EsRawGlimpse *glimpse)
{
  const guint n = (guint) glimpse->shape.bands;
  g_autofree double *x = g_new (double, n);

  for (guint i = 0; i < n; i++)
    x[i] = i + 1;
  es_plot_clear (self->plot);
  es_plot_add_series (self->plot, NULL, n > 1 ? ES_PLOT_LINE : ES_PLOT_BARS, FALSE, n, x, glimpse->spectrum);
  es_plot_add_marker (self->plot, FALSE, glimpse->band + 1, NULL, FALSE);
}

void
es_glimpse_view_set (EsGlimpseView *self, const EsRawGlimpse *glimpse)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_if_fail (ES_IS_GLIMPSE_VIEW (self));

  g_clear_object (&self->texture);
  if (glimpse == NULL)
    es_plot_clear (self->plot);
  else
    {
      bytes = g_bytes_new (glimpse->values, (gsize) glimpse->width * glimpse->height * sizeof (float));
      es_picture_set_planes (self->picture, 1, &bytes, glimpse->width, glimpse->height, 1, glimpse->width,
                             glimpse->height);
      es_picture_set_stretch (self->picture, 0, glimpse->low, glimpse->high);
      self->texture = es_picture_render_thumbnail (self->picture, (int) MAX (glimpse->width, glimpse->height));
      show_spectrum (self, glimpse);
    }
  gtk_widget_queue_draw (self->canvas);
}
