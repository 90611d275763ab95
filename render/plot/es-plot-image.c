/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plot-private.h"

/* Pictures on the axes of a plot, and places in it: what a density plot needs beside curves. */

void
es_plot_set_image (EsPlot *self, guint slot, cairo_surface_t *image, double x_from, double x_to, double y_from,
                   double y_to)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (slot < ES_PLOT_N_IMAGES);

  EsPlotImage *own = &self->images[slot];

  if (image == NULL && own->surface == NULL)
    return;
  if (image != NULL)
    cairo_surface_reference (image);
  g_clear_pointer (&own->surface, cairo_surface_destroy);
  *own = (EsPlotImage) { image, x_from, x_to, y_from, y_to };
  g_clear_pointer (&self->layout, es_plot_layout_free);
  g_signal_emit_by_name (self, "changed");
}

gboolean
es_plot_get_area (EsPlot *self, int width, int height, cairo_rectangle_t *area)
{
  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);

  const EsPlotLayout *layout = es_plot_get_layout (self, width, height);

  *area = (cairo_rectangle_t) { layout->plot.x, layout->plot.y, layout->plot.width, layout->plot.height };
  return !layout->empty;
}

gboolean
es_plot_values_at (EsPlot *self, double px, double py, int width, int height, double *x, double *y)
{
  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);

  const EsPlotLayout *layout = es_plot_get_layout (self, width, height);
  const EsPlotRect *plot = &layout->plot;

  *x = es_plot_scale_to_value (&layout->x, px);
  *y = es_plot_scale_to_value (&layout->left, py);
  return !layout->empty && px >= plot->x && px <= plot->x + plot->width && py >= plot->y
         && py <= plot->y + plot->height;
}

gboolean
es_plot_point_of (EsPlot *self, double x, double y, int width, int height, double *px, double *py)
{
  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);

  const EsPlotLayout *layout = es_plot_get_layout (self, width, height);
  const EsPlotRect *plot = &layout->plot;

  *px = es_plot_scale_to_pixel (&layout->x, x);
  *py = es_plot_scale_to_pixel (&layout->left, y);
  return !layout->empty && *px >= plot->x && *px <= plot->x + plot->width && *py >= plot->y
         && *py <= plot->y + plot->height;
}

void
es_plot_draw_images (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout)
{
  for (guint i = 0; i < ES_PLOT_N_IMAGES; i++)
    {
      const EsPlotImage *image = &plot->images[i];

      if (image->surface == NULL)
        continue;

      double left = es_plot_scale_to_pixel (&layout->x, image->x_from);
      double right = es_plot_scale_to_pixel (&layout->x, image->x_to);
      double top = es_plot_scale_to_pixel (&layout->left, image->y_to);
      double bottom = es_plot_scale_to_pixel (&layout->left, image->y_from);
      int columns = cairo_image_surface_get_width (image->surface);
      int rows = cairo_image_surface_get_height (image->surface);

      if (columns < 1 || rows < 1 || !(right > left) || !(bottom > top))
        continue;
      cairo_save (cr);
      cairo_translate (cr, left, top);
      cairo_scale (cr, (right - left) / columns, (bottom - top) / rows);
      cairo_set_source_surface (cr, image->surface, 0, 0);
      /* A bin is a square; one that is smaller than a pixel is averaged, or a point of it might vanish. */
      cairo_pattern_set_filter (cairo_get_source (cr), right - left >= columns ? CAIRO_FILTER_NEAREST
                                                                               : CAIRO_FILTER_GOOD);
      cairo_paint (cr);
      cairo_restore (cr);
    }
}
