/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plot-internal.h"

static const char *
font_family (void)
{
  static char *family;

  if (family == NULL)
    {
      GdkDisplay *display = gdk_display_get_default ();
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_TYPE_STRING);
      if (display != NULL && gdk_display_get_setting (display, "gtk-font-name", &value)
          && g_value_get_string (&value) != NULL)
        {
          PangoFontDescription *font = pango_font_description_from_string (g_value_get_string (&value));

          if (pango_font_description_get_family (font) != NULL)
            family = g_strdup (pango_font_description_get_family (font));
          pango_font_description_free (font);
        }
      if (family == NULL)
        family = g_strdup ("Sans");
    }
  return family;
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

  pango_font_description_set_family (font, font_family ());
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
