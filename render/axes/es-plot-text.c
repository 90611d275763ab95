/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Texts of plots, and boxes behind them. */

#include "es-plot-internal.h"

static const char *family = "Sans";

void
es_plot_text_set_family (const char *name)
{
  g_atomic_pointer_set (&family, g_intern_string (name));
}

/* Unhinted, so that what is measured here is what every surface draws, at any scale. cr NULL: to measure only. */
PangoLayout *
es_plot_text_new (cairo_t *cr, double font_size, gboolean bold, const char *text)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_new ();
  PangoAttrList *attributes = pango_attr_list_new ();
  cairo_font_options_t *options = cairo_font_options_create ();

  if (cr != NULL)
    pango_cairo_update_context (cr, context);
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  cairo_font_options_destroy (options);
  pango_context_set_round_glyph_positions (context, FALSE);

  PangoLayout *layout = pango_layout_new (context);
  g_object_unref (context);

  pango_font_description_set_family (font, g_atomic_pointer_get (&family));
  pango_font_description_set_absolute_size (font, font_size * PANGO_SCALE);
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text, -1);
  return layout;
}

void
es_plot_draw_text (cairo_t *cr, PangoLayout *text, double x, double y, double align)
{
  int width;

  pango_layout_get_size (text, &width, NULL);
  cairo_move_to (cr, x - align * width / PANGO_SCALE, y);
  pango_cairo_show_layout (cr, text);
  cairo_new_path (cr);
}

void
es_plot_rounded_rect (cairo_t *cr, EsPlotRect r, double radius)
{
  radius = MIN (radius, MIN (r.width, r.height) / 2);
  cairo_new_sub_path (cr);
  cairo_arc (cr, r.x + r.width - radius, r.y + radius, radius, -G_PI / 2, 0);
  cairo_arc (cr, r.x + r.width - radius, r.y + r.height - radius, radius, 0, G_PI / 2);
  cairo_arc (cr, r.x + radius, r.y + r.height - radius, radius, G_PI / 2, G_PI);
  cairo_arc (cr, r.x + radius, r.y + radius, radius, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}
