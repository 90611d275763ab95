/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-scatter-canvas-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "charts/es-plot-zoom.h"
#include "plane/es-colormap.h"
#include "widgets/es-export.h"
#include "widgets/es-format.h"
#include "widgets/es-section.h"

#define FIRST_COLOR 24          /* of viridis: its darkest end is lost on a dark background */

enum { LASSO, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsScatterCanvas, es_scatter_canvas, GTK_TYPE_WIDGET)

/* ---- pictures of counts ---- */

static cairo_surface_t *
make_surface (guint columns, guint rows, guint32 **pixels, guint *stride)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) columns, (int) rows);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return NULL;
    }
  cairo_surface_flush (surface);
  *pixels = (guint32 *) (void *) cairo_image_surface_get_data (surface);
  *stride = (guint) cairo_image_surface_get_stride (surface) / 4;
  memset (*pixels, 0, (gsize) *stride * 4 * rows);
  return surface;
}

static cairo_surface_t *
draw_density (const EsScatterGrid *grid)
{
  const guint8 *entries = es_colormap_entries (ES_COLORMAP_VIRIDIS);
  cairo_surface_t *surface;
  guint32 *pixels, most = 0;
  guint stride;

  for (gsize i = 0; i < (gsize) grid->columns * grid->rows; i++)
    most = MAX (most, grid->counts[i]);
  surface = make_surface (grid->columns, grid->rows, &pixels, &stride);
  if (surface == NULL)
    return NULL;
  for (guint row = 0; row < grid->rows; row++)
    for (guint column = 0; column < grid->columns; column++)
      {
        guint32 count = grid->counts[(gsize) row * grid->columns + column];
        double level = most > 1 ? log (count) / log (most) : 1;
        const guint8 *color;

        if (count == 0)
          continue;
        color = entries + 4 * (FIRST_COLOR + (guint) (level * (255 - FIRST_COLOR) + 0.5));
        pixels[(gsize) (grid->rows - 1 - row) * stride + column] = 0xff000000u | (guint32) color[0] << 16
                                                                    | (guint32) color[1] << 8 | color[2];
      }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
show_density (EsScatterCanvas *self)
{
  const EsScatterGrid *grid = &self->grid;
  cairo_surface_t *surface = grid->counts != NULL ? draw_density (grid) : NULL;

  es_plot_set_x_range (self->plot, surface != NULL ? grid->x_from : NAN, surface != NULL ? grid->x_to : NAN);
  es_plot_set_y_range (self->plot, surface != NULL ? grid->y_from : NAN, surface != NULL ? grid->y_to : NAN);
  es_plot_set_image (self->plot, 0, surface, grid->x_from, grid->x_to, grid->y_from, grid->y_to);
  g_clear_pointer (&surface, cairo_surface_destroy);
}

void
es_scatter_canvas_set_lit (EsScatterCanvas *self, guint n, const guint32 *const *counts, const GdkRGBA *colors)
{
  const EsScatterGrid *grid;
  cairo_surface_t *surface = NULL;
  guint32 *pixels;
  guint stride;

  g_return_if_fail (ES_IS_SCATTER_CANVAS (self));

  grid = &self->grid;
  if (n > 0 && grid->counts != NULL)
    surface = make_surface (grid->columns, grid->rows, &pixels, &stride);
  for (guint i = 0; surface != NULL && i < n; i++)
    for (guint row = 0; row < grid->rows; row++)
      for (guint column = 0; column < grid->columns; column++)
        {
          gsize bin = (gsize) row * grid->columns + column;
          double share, alpha;

          if (counts[i][bin] == 0)
            continue;
          /* A bin of which all pixels are lit is opaque. */
          share = (double) counts[i][bin] / MAX (grid->counts[bin], 1);
          alpha = 0.55 + 0.45 * MIN (share, 1);
          pixels[(gsize) (grid->rows - 1 - row) * stride + column] =
            (guint32) (alpha * 255 + 0.5) << 24 | (guint32) (colors[i].red * alpha * 255 + 0.5) << 16
            | (guint32) (colors[i].green * alpha * 255 + 0.5) << 8 | (guint32) (colors[i].blue * alpha * 255 + 0.5);
        }
  if (surface != NULL)
    cairo_surface_mark_dirty (surface);
  es_plot_set_image (self->plot, 1, surface, grid->x_from, grid->x_to, grid->y_from, grid->y_to);
  g_clear_pointer (&surface, cairo_surface_destroy);
}

void
es_scatter_canvas_set_density (EsScatterCanvas *self, const EsScatterGrid *grid)
{
  g_return_if_fail (ES_IS_SCATTER_CANVAS (self));
  g_return_if_fail (grid == NULL || grid->counts != NULL);

  if (grid == NULL || self->grid.counts == NULL || grid->x_from != self->grid.x_from
      || grid->x_to != self->grid.x_to || grid->y_from != self->grid.y_from || grid->y_to != self->grid.y_to)
    {
      es_scatter_canvas_drop_lasso (self);
      es_plot_zoom_reset_of (GTK_WIDGET (self));
    }
  g_clear_pointer (&self->grid.counts, g_free);
  if (grid != NULL)
    {
      self->grid = *grid;
      self->grid.counts = g_memdup2 (grid->counts, (gsize) grid->columns * grid->rows * sizeof *grid->counts);
    }
  es_plot_set_image (self->plot, 1, NULL, 0, 0, 0, 0);
  show_density (self);
}

EsPlot *
es_scatter_canvas_get_plot (EsScatterCanvas *self)
{
  g_return_val_if_fail (ES_IS_SCATTER_CANVAS (self), NULL);
  return self->plot;
}

/* ---- places ---- */

gboolean
_es_scatter_canvas_value_at (EsScatterCanvas *self, double x, double y, EsScatterValue *value)
{
  return es_plot_values_at (self->plot, x, y, gtk_widget_get_width (GTK_WIDGET (self)),
                            gtk_widget_get_height (GTK_WIDGET (self)), &value->x, &value->y);
}

EsScatterValue
_es_scatter_canvas_point_of (EsScatterCanvas *self, EsScatterValue value)
{
  EsScatterValue point;

  es_plot_point_of (self->plot, value.x, value.y, gtk_widget_get_width (GTK_WIDGET (self)),
                    gtk_widget_get_height (GTK_WIDGET (self)), &point.x, &point.y);
  return point;
}

void
_es_scatter_canvas_set_cursor (EsScatterCanvas *self, gboolean any, double x, double y)
{
  self->has_cursor = any;
  self->cursor_x = x;
  self->cursor_y = y;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static guint32
count_at (EsScatterCanvas *self, EsScatterValue value)
{
  const EsScatterGrid *grid = &self->grid;
  double column = floor ((value.x - grid->x_from) / (grid->x_to - grid->x_from) * grid->columns);
  double row = floor ((value.y - grid->y_from) / (grid->y_to - grid->y_from) * grid->rows);

  if (grid->counts == NULL || !(column >= 0 && column < grid->columns && row >= 0 && row < grid->rows))
    return 0;
  return grid->counts[(gsize) row * grid->columns + (gsize) column];
}

char *
es_scatter_canvas_read_out (EsScatterCanvas *self)
{
  g_autofree char *x = NULL, *y = NULL, *pixels = NULL;
  guint32 count;
  EsScatterValue value;

  g_return_val_if_fail (ES_IS_SCATTER_CANVAS (self), NULL);

  if (!self->has_cursor || !_es_scatter_canvas_value_at (self, self->cursor_x, self->cursor_y, &value))
    return NULL;
  count = count_at (self, value);
  x = es_format_number (value.x, self->grid.x_to - self->grid.x_from);
  y = es_format_number (value.y, self->grid.y_to - self->grid.y_from);
  pixels = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u pixel", "%u pixels", count), count);
  /* Translators: a place in a scatter plot and how many pixels have these two values: "0.21 | −1.3: 42 pixels". */
  return g_strdup_printf (_("%s | %s: %s"), x, y, pixels);
}

void
_es_scatter_canvas_signal_lasso (EsScatterCanvas *self)
{
  g_signal_emit (self, signals[LASSO], 0, self->lasso->data, self->lasso->len);
}

/* ---- drawing ---- */

static void
draw_lasso (EsScatterCanvas *self, cairo_t *cr, const GdkRGBA *color)
{
  static const double dash[] = { 5, 3 };

  if (self->lasso->len == 0)
    return;
  for (guint i = 0; i < self->lasso->len; i++)
    {
      EsScatterValue point = _es_scatter_canvas_point_of (self, g_array_index (self->lasso, EsScatterValue, i));

      cairo_line_to (cr, point.x, point.y);
    }
  if (self->closed || self->drawing)
    cairo_close_path (cr);
  else if (self->has_cursor)
    cairo_line_to (cr, self->cursor_x, self->cursor_y);
  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, 1.5);
  if (!self->closed)
    cairo_set_dash (cr, dash, G_N_ELEMENTS (dash), 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
draw_cursor (EsScatterCanvas *self, GtkSnapshot *snapshot, cairo_t *cr, const cairo_rectangle_t *area,
             const EsPlotColors *colors)
{
  GtkWidget *widget = GTK_WIDGET (self);
  g_autofree char *text = es_scatter_canvas_read_out (self);
  GdkRGBA line = colors->foreground;

  if (text == NULL)
    return;
  line.alpha *= 0.5f;
  gdk_cairo_set_source_rgba (cr, &line);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, floor (self->cursor_x) + 0.5, area->y);
  cairo_rel_line_to (cr, 0, area->height);
  cairo_move_to (cr, area->x, floor (self->cursor_y) + 0.5);
  cairo_rel_line_to (cr, area->width, 0);
  cairo_stroke (cr);
  {
    g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
    g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
    graphene_rect_t bounds;
    GskRoundedRect chip;
    GdkRGBA shade = { 0, 0, 0, 0.72f }, ink = { 1, 1, 1, 1 };
    int width, height;
    double x, y;

    pango_attr_list_insert (attributes, pango_attr_scale_new (0.85));
    pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
    pango_layout_set_attributes (layout, attributes);
    pango_layout_get_pixel_size (layout, &width, &height);
    /* Beside the cursor where there is room. */
    x = self->cursor_x + 10 + width + 10 <= area->x + area->width ? self->cursor_x + 12
                                                                  : self->cursor_x - 12 - width - 8;
    y = self->cursor_y - 12 - height >= area->y ? self->cursor_y - 10 - height : self->cursor_y + 12;
    x = CLAMP (x, 2, MAX (gtk_widget_get_width (widget) - width - 10, 2));
    bounds = GRAPHENE_RECT_INIT ((float) x, (float) y - 1, width + 8, height + 2);
    gsk_rounded_rect_init_from_rect (&chip, &bounds, 4);
    gtk_snapshot_push_rounded_clip (snapshot, &chip);
    gtk_snapshot_append_color (snapshot, &shade, &bounds);
    gtk_snapshot_pop (snapshot);
    gtk_snapshot_save (snapshot);
    gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x + 4, (float) y));
    gtk_snapshot_append_layout (snapshot, layout, &ink);
    gtk_snapshot_restore (snapshot);
  }
}

static void
es_scatter_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  EsPlotColors colors = dark ? es_plot_colors_dark : es_plot_colors_light;
  cairo_rectangle_t area;
  cairo_t *cr;

  if (width <= 0 || height <= 0)
    return;
  colors.opaque = FALSE;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colors.foreground);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  es_plot_draw (self->plot, cr, width, height, &colors);
  if (es_plot_get_area (self->plot, width, height, &area))
    {
      cairo_save (cr);
      cairo_rectangle (cr, area.x, area.y, area.width, area.height);
      cairo_clip (cr);
      draw_lasso (self, cr, &colors.foreground);
      cairo_restore (cr);
      draw_cursor (self, snapshot, cr, &area, &colors);
    }
  cairo_destroy (cr);
}

static void
es_scatter_canvas_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                           int *minimum_baseline, int *natural_baseline)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160
             : es_section_is_large_around (widget) ? MIN (self->natural_height, 140) : self->natural_height;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : self->natural_height;
}

static void
es_scatter_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (widget);

  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
on_plot_changed (EsScatterCanvas *self)
{
  const char *title = es_plot_get_title (self->plot);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  title != NULL && *title != '\0' ? title : _("Scatter plot"), -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GtkWidget *
es_scatter_canvas_new (int natural_height)
{
  EsScatterCanvas *self = g_object_new (ES_TYPE_SCATTER_CANVAS, NULL);

  self->natural_height = natural_height;
  return GTK_WIDGET (self);
}

static void
es_scatter_canvas_dispose (GObject *object)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (object);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  G_OBJECT_CLASS (es_scatter_canvas_parent_class)->dispose (object);
}

static void
es_scatter_canvas_finalize (GObject *object)
{
  EsScatterCanvas *self = ES_SCATTER_CANVAS (object);

  g_clear_object (&self->plot);
  g_free (self->grid.counts);
  g_array_unref (self->lasso);
  G_OBJECT_CLASS (es_scatter_canvas_parent_class)->finalize (object);
}

static void
es_scatter_canvas_class_init (EsScatterCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = es_scatter_canvas_dispose;
  object_class->finalize = es_scatter_canvas_finalize;
  widget_class->snapshot = es_scatter_canvas_snapshot;
  widget_class->measure = es_scatter_canvas_measure;
  widget_class->size_allocate = es_scatter_canvas_size_allocate;

  signals[LASSO] = g_signal_new ("lasso", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT);
  _es_scatter_canvas_install_input (widget_class);
  gtk_widget_class_set_css_name (widget_class, "plotview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
es_scatter_canvas_init (EsScatterCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->plot = es_plot_new ();
  self->lasso = g_array_new (FALSE, FALSE, sizeof (EsScatterValue));
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_cursor_from_name (widget, "crosshair");
  g_signal_connect_object (self->plot, "changed", G_CALLBACK (on_plot_changed), self, G_CONNECT_SWAPPED);

  _es_scatter_canvas_add_input (self);
  es_plot_zoom_add_plot (widget, self->plot, TRUE);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
