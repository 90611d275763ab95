/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Bands of the x axis: drawn with Shift held, and measured, as the rectangles of maps are. */

#include "es-plot-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MARGIN 6                /* pixels, round the words */

static const GdkRGBA ink = { 1, 1, 1, 0.95f };
static const GdkRGBA shade = { 0, 0, 0, 0.6f };
static const GdkRGBA board = { 0, 0, 0, 0.75f };

static int
width_of (EsPlotView *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self));
}

static int
height_of (EsPlotView *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self));
}

gboolean
es_plot_view_get_band (EsPlotView *self, double *from, double *to)
{
  g_return_val_if_fail (ES_IS_PLOT_VIEW (self), FALSE);

  if (self->name == NULL || isnan (self->band[0]) || isnan (self->band[1]))
    return FALSE;
  *from = MIN (self->band[0], self->band[1]);
  *to = MAX (self->band[0], self->band[1]);
  return TRUE;
}

void
es_plot_view_set_band (EsPlotView *self, double from, double to)
{
  g_return_if_fail (ES_IS_PLOT_VIEW (self));

  self->band[0] = from;
  self->band[1] = to;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_plot_view_set_name (EsPlotView *self, EsPlotViewName name)
{
  g_return_if_fail (ES_IS_PLOT_VIEW (self));
  self->name = name;
}

void
es_plot_view_set_measured (EsPlotView *self, gboolean measured)
{
  g_return_if_fail (ES_IS_PLOT_VIEW (self));
  self->unmeasured = !measured;
}

/* ---- words ---- */

/* Those with a title where any has one, else the first. */
static gboolean
is_measured (EsPlot *plot, guint series)
{
  for (guint i = 0; i < es_plot_get_n_series (plot); i++)
    if (es_plot_get_series_title (plot, i) != NULL)
      return es_plot_get_series_title (plot, series) != NULL;
  return series == 0;
}

static char *
format_level (double level)
{
  char text[32];

  if (!isfinite (level))
    return g_strdup (level > 0 ? "∞" : "−∞");
  g_snprintf (text, sizeof text, "%.1f", fabs (level));
  return g_strdup_printf ("%s%s", level < 0 && !g_str_equal (text, "0.0") ? "−" : "", text);
}

static void
append_levels (EsPlotView *self, GString *text, guint series, double from, double to)
{
  const char *title = es_plot_get_series_title (self->plot, series);
  EsPlotLevels levels;

  if (!is_measured (self->plot, series) || !es_plot_measure_levels (self->plot, series, from, to, &levels))
    return;
  g_autofree char *where = self->name (levels.where);
  g_autofree char *mean = format_level (levels.mean), *highest = format_level (levels.highest);
  g_string_append_c (text, '\n');
  if (title != NULL)
    g_string_append_printf (text, "%s: ", title);
  /* TRANSLATORS: levels, and where the highest is: "mean −12.3 dB, highest −3.8 dB at 48.2°" */
  g_string_append_printf (text, _("mean %s dB, highest %s dB at %s"), mean, highest, where);
}

char *
es_plot_view_describe_band (EsPlotView *self)
{
  double from, to;

  g_return_val_if_fail (ES_IS_PLOT_VIEW (self), NULL);

  if (!es_plot_view_get_band (self, &from, &to))
    return NULL;
  g_autofree char *begin = self->name (from), *end = self->name (to), *wide = self->name (to - from);
  GString *text = g_string_new (NULL);

  /* TRANSLATORS: from a bearing or frequency to another one, and how far that is: "48.2° to 60.0°: 11.8°" */
  g_string_append_printf (text, _("%s to %s: %s"), begin, end, wide);
  for (guint i = 0; !self->unmeasured && i < es_plot_get_n_series (self->plot); i++)
    append_levels (self, text, i, from, to);
  return g_string_free (text, FALSE);
}

/* ---- drawing ---- */

static void
append_frame (GtkSnapshot *snapshot, const graphene_rect_t *rect, const GdkRGBA *veil)
{
  GskRoundedRect outline;
  graphene_rect_t outer = *rect;

  gtk_snapshot_append_color (snapshot, veil, rect);
  graphene_rect_inset (&outer, -1, -1);
  gsk_rounded_rect_init_from_rect (&outline, &outer, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 1, 1, 1, 1 },
                              (GdkRGBA[4]) { shade, shade, shade, shade });
  gsk_rounded_rect_init_from_rect (&outline, rect, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 1, 1, 1, 1 }, (GdkRGBA[4]) { ink, ink, ink, ink });
}

static void
append_words (EsPlotView *self, GtkSnapshot *snapshot, const cairo_rectangle_t *area, double x)
{
  g_autofree char *words = es_plot_view_describe_band (self);
  g_autoptr (PangoLayout) text = gtk_widget_create_pango_layout (GTK_WIDGET (self), words);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  int width, height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.85));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (text, attributes);
  pango_layout_set_width (text, (int) MAX (area->width - 20, 60) * PANGO_SCALE);
  pango_layout_set_wrap (text, PANGO_WRAP_WORD_CHAR);
  pango_layout_get_pixel_size (text, &width, &height);
  /* The read-out of the cursor is above. */
  const double top = MAX (area->y + area->height - height - 2 * MARGIN, area->y);
  const double left = CLAMP (x, area->x + 2, MAX (area->x + area->width - width - 16, area->x + 2));
  gtk_snapshot_append_color (snapshot, &board, &GRAPHENE_RECT_INIT ((float) left, (float) top,
                                                                    (float) width + 2 * MARGIN, (float) height + 6));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) left + MARGIN, (float) top + 3));
  gtk_snapshot_append_layout (snapshot, text, &ink);
  gtk_snapshot_restore (snapshot);
}

void
_es_plot_view_snapshot_band (EsPlotView *self, GtkSnapshot *snapshot)
{
  double from, to, left, right, unused;
  cairo_rectangle_t area;
  GdkRGBA veil;

  if (!es_plot_view_get_band (self, &from, &to)
      || !es_plot_get_area (self->plot, width_of (self), height_of (self), &area))
    return;
  es_plot_point_of (self->plot, from, 0, width_of (self), height_of (self), &left, &unused);
  es_plot_point_of (self->plot, to, 0, width_of (self), height_of (self), &right, &unused);
  left = CLAMP (left, area.x, area.x + area.width);
  right = CLAMP (right, area.x, area.x + area.width);
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &veil);
  veil.alpha = 0.12f;
  append_frame (snapshot, &GRAPHENE_RECT_INIT ((float) round (left), (float) round (area.y),
                                               (float) MAX (round (right - left), 1), (float) round (area.height)),
                &veil);
  append_words (self, snapshot, &area, left);
}

/* ---- pointer and keys ---- */

static double
value_at (EsPlotView *self, double x)
{
  cairo_rectangle_t area;

  if (!es_plot_get_area (self->plot, width_of (self), height_of (self), &area))
    return NAN;
  return es_plot_x_at (self->plot, CLAMP (x, area.x, area.x + area.width), width_of (self), height_of (self));
}

gboolean
_es_plot_view_begin_band (EsPlotView *self, GtkGestureDrag *gesture, double x, double y)
{
  double unused[2];

  self->selecting = FALSE;
  if (self->name == NULL
      || !(gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) & GDK_SHIFT_MASK)
      || !es_plot_values_at (self->plot, x, y, width_of (self), height_of (self), &unused[0], &unused[1]))
    return FALSE;
  self->selecting = TRUE;
  es_plot_view_set_band (self, value_at (self, x), NAN);
  return TRUE;
}

void
_es_plot_view_drag_band (EsPlotView *self, double x, gboolean is_click)
{
  es_plot_view_set_band (self, self->band[0], is_click ? NAN : value_at (self, x));
}

static gboolean
on_key_clear (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);
  double from, to;

  if (!es_plot_view_get_band (self, &from, &to))
    return GDK_EVENT_PROPAGATE;
  es_plot_view_set_band (self, NAN, NAN);
  _es_plot_view_tell_band (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "", -1);
  return GDK_EVENT_STOP;
}

/* From the cursor, point by point. */
static gboolean
on_key_band (GtkWidget *widget, GVariant *step, gpointer user_data)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);
  double from, to;
  g_autofree char *words = NULL;

  if (self->name == NULL)
    return GDK_EVENT_PROPAGATE;
  if (!es_plot_view_get_band (self, &from, &to))
    self->band[0] = value_at (self, isnan (self->cursor_x) ? width_of (self) / 2. : self->cursor_x);
  _es_plot_view_step_cursor (self, g_variant_get_int32 (step));
  es_plot_view_set_band (self, self->band[0], value_at (self, self->cursor_x));
  _es_plot_view_tell_band (self);
  words = es_plot_view_describe_band (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  words != NULL ? words : "", -1);
  return GDK_EVENT_STOP;
}

void
_es_plot_view_bind_band_keys (GtkWidgetClass *klass)
{
  gtk_widget_class_add_binding (klass, GDK_KEY_Escape, 0, on_key_clear, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Left, GDK_SHIFT_MASK, on_key_band, "i", -1);
  gtk_widget_class_add_binding (klass, GDK_KEY_Right, GDK_SHIFT_MASK, on_key_band, "i", 1);
}
