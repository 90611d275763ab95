/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "es-plot-private.h"

#define RGBA(hex, a) { ((hex) >> 16 & 255) / 255.0f, ((hex) >> 8 & 255) / 255.0f, ((hex) & 255) / 255.0f, a }

/* Series: Okabe and Ito's colours, darkened or lightened until each has a contrast of 3:1 with its background. */
const EsPlotColors es_plot_colors_print = {
  .foreground = RGBA (0x000000, 1),
  .background = RGBA (0xffffff, 1),
  .grid = RGBA (0x000000, 0.12f),
  .accent = RGBA (0xc01c28, 1),
  .series = { RGBA (0x0072b2, 1), RGBA (0xd55e00, 1), RGBA (0x00805d, 1), RGBA (0xa8508a, 1), RGBA (0x1a1a1a, 1),
              RGBA (0xa87400, 1) },
  .opaque = TRUE,
};
const EsPlotColors es_plot_colors_light = {
  .foreground = RGBA (0x2e3436, 1),
  .background = RGBA (0xffffff, 1),
  .grid = RGBA (0x000000, 0.09f),
  .accent = RGBA (0xc01c28, 1),
  .series = { RGBA (0x1c71d8, 1), RGBA (0xd55e00, 1), RGBA (0x00805d, 1), RGBA (0xa8508a, 1), RGBA (0x3d3846, 1),
              RGBA (0xa87400, 1) },
  .opaque = FALSE,
};
const EsPlotColors es_plot_colors_dark = {
  .foreground = RGBA (0xeeeeec, 1),
  .background = RGBA (0x242424, 1),
  .grid = RGBA (0xffffff, 0.09f),
  .accent = RGBA (0xff7b63, 1),
  .series = { RGBA (0x62a0ea, 1), RGBA (0xff9d4d, 1), RGBA (0x44c9a0, 1), RGBA (0xdc8add, 1), RGBA (0xdeddda, 1),
              RGBA (0xe5c454, 1) },
  .opaque = FALSE,
};

static void
set_faded (cairo_t *cr, const GdkRGBA *color, double alpha)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * alpha);
}

static double
snap (double pixel)
{
  return floor (pixel) + 0.5;
}

static void
draw_grid (cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const EsPlotRect *plot = &layout->plot;

  cairo_set_line_width (cr, 1);
  for (guint pass = 0; pass < 2; pass++)
    {
      const GArray *ticks = pass == 0 ? layout->x_ticks.ticks : layout->left_ticks.ticks;

      for (guint i = 0; i < ticks->len; i++)
        {
          const EsPlotTick *tick = &g_array_index (ticks, EsPlotTick, i);

          if (tick->label == NULL)
            continue;
          if (pass == 0)
            {
              cairo_move_to (cr, snap (tick->pixel), plot->y);
              cairo_rel_line_to (cr, 0, plot->height);
            }
          else
            {
              cairo_move_to (cr, plot->x, snap (tick->pixel));
              cairo_rel_line_to (cr, plot->width, 0);
            }
        }
    }
  gdk_cairo_set_source_rgba (cr, &colors->grid);
  cairo_stroke (cr);
}

/* Spines and ticks, drawn over the series' feet. */
static void
draw_axes (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const EsPlotRect *r = &layout->plot;
  double left = snap (r->x - 1), right = snap (r->x + r->width), bottom = snap (r->y + r->height);
  const struct { const GArray *ticks; double x, direction; } sides[2] = {
    { layout->left_ticks.ticks, left, -1 }, { layout->right_ticks.ticks, right, 1 },
  };

  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, left, r->y);
  cairo_line_to (cr, left, bottom);
  cairo_line_to (cr, right, bottom);
  if (plot->has_right_axis)
    cairo_line_to (cr, right, r->y);
  for (guint i = 0; i < layout->x_ticks.ticks->len; i++)
    {
      const EsPlotTick *tick = &g_array_index (layout->x_ticks.ticks, EsPlotTick, i);

      cairo_move_to (cr, snap (tick->pixel), bottom);
      cairo_rel_line_to (cr, 0, tick->label != NULL ? 4 : 2);
    }
  for (guint s = 0; s < (plot->has_right_axis ? 2 : 1); s++)
    for (guint i = 0; i < sides[s].ticks->len; i++)
      {
        const EsPlotTick *tick = &g_array_index (sides[s].ticks, EsPlotTick, i);

        cairo_move_to (cr, sides[s].x, snap (tick->pixel));
        cairo_rel_line_to (cr, sides[s].direction * (tick->label != NULL ? 4 : 2), 0);
      }
  set_faded (cr, &colors->foreground, 0.45);
  cairo_stroke (cr);
}

static void
draw_labels (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const EsPlotRect *r = &layout->plot;
  const struct { const GArray *ticks; double align; } axes[3] = {
    { layout->x_ticks.ticks, 0.5 }, { layout->left_ticks.ticks, 1 }, { layout->right_ticks.ticks, 0 },
  };

  set_faded (cr, &colors->foreground, 0.8);
  for (guint a = 0; a < (plot->has_right_axis ? 3 : 2); a++)
    for (guint i = 0; i < axes[a].ticks->len; i++)
      {
        const EsPlotTick *tick = &g_array_index (axes[a].ticks, EsPlotTick, i);
        double x, y;

        if (tick->label == NULL)
          continue;
        g_autoptr (PangoLayout) text = es_plot_text_new (cr, layout->font_size, FALSE, tick->label);

        if (a == 0)
          {
            int width;

            /* The last label stays on the drawing. */
            pango_layout_get_size (text, &width, NULL);
            double half = width / 2.0 / PANGO_SCALE;
            x = CLAMP (tick->pixel, half + 1, MAX (half + 1, layout->width - half - 1));
            y = r->y + r->height + 5;
          }
        else
          {
            x = a == 1 ? r->x - 7 : r->x + r->width + 7;
            y = tick->pixel - layout->text_height / 2;
          }
        es_plot_draw_text (cr, text, x, y, axes[a].align);
      }
}

static void
draw_rotated (cairo_t *cr, const EsPlotLayout *layout, const char *title, double x, double turn)
{
  const EsPlotRect *r = &layout->plot;
  g_autoptr (PangoLayout) text = es_plot_text_new (cr, layout->font_size, FALSE, title);

  pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (text, (int) ((r->height + 2 * layout->text_height) * PANGO_SCALE));
  pango_layout_set_alignment (text, PANGO_ALIGN_CENTER);
  cairo_save (cr);
  cairo_translate (cr, x, r->y + r->height / 2);
  cairo_rotate (cr, turn);
  cairo_move_to (cr, -(r->height + 2 * layout->text_height) / 2, -layout->text_height / 2);
  pango_cairo_show_layout (cr, text);
  cairo_new_path (cr);
  cairo_restore (cr);
}

/* Titles along the axes, or, where there is little room, in a row above the plot. */
static void
draw_titles (cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const EsPlotRect *r = &layout->plot;
  double middle = layout->text_height / 2;

  gdk_cairo_set_source_rgba (cr, &colors->foreground);
  if (layout->x_title != NULL)
    {
      g_autoptr (PangoLayout) text = es_plot_text_new (cr, layout->font_size, FALSE, layout->x_title);
      int width, room = (int) ((layout->width - 8) * PANGO_SCALE);

      pango_layout_get_size (text, &width, NULL);
      if (width > room)
        {
          pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
          pango_layout_set_width (text, room);
        }
      double half = MIN (width, room) / 2.0 / PANGO_SCALE;
      double center = CLAMP (r->x + r->width / 2, half + 4, MAX (half + 4, layout->width - half - 4));
      es_plot_draw_text (cr, text, center, layout->x_title_top, 0.5);
    }

  if (!layout->compact)
    {
      if (layout->left_title != NULL)
        draw_rotated (cr, layout, layout->left_title, 6 + middle, -G_PI / 2);
      if (layout->right_title != NULL)
        draw_rotated (cr, layout, layout->right_title, layout->width - 6 - middle, -G_PI / 2);
      return;
    }

  /* Either has half the width, and what the other one leaves of its own half. */
  double all = layout->width - 16;
  g_autoptr (PangoLayout) left = NULL;
  g_autoptr (PangoLayout) right = NULL;
  double widths[2] = { 0, 0 };

  for (guint side = 0; side < 2; side++)
    {
      const char *title = side == 0 ? layout->left_title : layout->right_title;
      PangoLayout **text = side == 0 ? &left : &right;
      int width;

      if (title == NULL)
        continue;
      *text = es_plot_text_new (cr, layout->font_size, FALSE, title);
      pango_layout_get_size (*text, &width, NULL);
      widths[side] = (double) width / PANGO_SCALE;
    }
  for (guint side = 0; side < 2; side++)
    {
      PangoLayout *text = side == 0 ? left : right;
      double other = widths[1 - side];
      double room = other > 0 ? MAX (all / 2.1, all - other - 10) : all;

      if (text == NULL)
        continue;
      if (widths[side] > room)
        {
          pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
          pango_layout_set_width (text, (int) (room * PANGO_SCALE));
        }
      es_plot_draw_text (cr, text, side == 0 ? 8 : layout->width - 8, layout->header_top, side);
    }
}

/* Down where all that fits is named, to the right where nothing is. */
static void
draw_fold (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const gboolean folded = plot->legend == ES_PLOT_LEGEND_FOLDED;
  const double x = folded ? 8 : layout->width - 8 - 9, y = layout->legend_top + layout->text_height / 2;

  if (layout->saved || layout->legend_bottom <= layout->legend_top)
    return;
  set_faded (cr, &colors->foreground, 0.6);
  cairo_move_to (cr, x + (folded ? 2 : 0), y + (folded ? -4.5 : -2.5));
  cairo_rel_line_to (cr, folded ? 5 : 9, folded ? 4.5 : 0);
  cairo_rel_line_to (cr, folded ? -5 : -4.5, folded ? 4.5 : 5);
  cairo_close_path (cr);
  cairo_fill (cr);
  if (folded)
    {
      g_autofree char *words = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u curve", "%u curves",
                                                             layout->n_legend), layout->n_legend);
      g_autoptr (PangoLayout) text = es_plot_text_new (cr, layout->font_size, FALSE, words);

      es_plot_draw_text (cr, text, 8 + ES_PLOT_FOLD_WIDTH, layout->legend_top, 0);
    }
}

static void
draw_legend (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  for (guint i = 0; i < layout->legend->len; i++)
    {
      const EsPlotLegendItem *item = &g_array_index (layout->legend, EsPlotLegendItem, i);
      const EsPlotSeries *series = g_ptr_array_index (plot->series, item->series);
      g_autoptr (PangoLayout) text = es_plot_text_new (cr, layout->font_size, FALSE, series->title);

      es_plot_draw_swatch (plot, cr, item->series, item->x, item->y + layout->text_height / 2, 18, colors);
      gdk_cairo_set_source_rgba (cr, &colors->foreground);
      pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_MIDDLE);
      pango_layout_set_width (text, (int) ceil ((item->width - 23) * PANGO_SCALE));
      cairo_move_to (cr, item->x + 24, item->y);
      pango_cairo_show_layout (cr, text);
      cairo_new_path (cr);
    }
  draw_fold (plot, cr, layout, colors);
  if (layout->n_legend_hidden > 0 && layout->legend->len > 0)
    {
      g_autofree char *more = g_strdup_printf ("+%u", layout->n_legend_hidden);
      g_autoptr (PangoLayout) text = es_plot_text_new (cr, layout->font_size, FALSE, more);

      set_faded (cr, &colors->foreground, 0.7);
      es_plot_draw_text (cr, text, layout->legend_more_x, layout->legend_more_y, 0);
    }
}

static void
draw_title (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const char *heading = es_plot_get_heading (plot);

  if (heading == NULL)
    return;

  g_autoptr (PangoLayout) text = es_plot_text_new (cr, 1.15 * layout->font_size, TRUE, heading);

  pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (text, (layout->width - 16) * PANGO_SCALE);
  pango_layout_set_alignment (text, PANGO_ALIGN_CENTER);
  gdk_cairo_set_source_rgba (cr, &colors->foreground);
  cairo_move_to (cr, 8, layout->title_baseline);
  pango_cairo_show_layout (cr, text);
  cairo_new_path (cr);
}

static void
draw_words (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  g_autoptr (PangoLayout) text = es_plot_make_words (plot, cr, layout->width, layout->font_size);

  if (text == NULL)
    return;
  gdk_cairo_set_source_rgba (cr, &colors->foreground);
  cairo_move_to (cr, 8, layout->words_top);
  pango_cairo_show_layout (cr, text);
  cairo_new_path (cr);
}

static void
draw_empty (cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  g_autoptr (PangoLayout) text = es_plot_text_new (cr, layout->font_size, FALSE, _("No data"));

  set_faded (cr, &colors->foreground, 0.55);
  es_plot_draw_text (cr, text, layout->width / 2.0, (layout->height - layout->text_height) / 2, 0.5);
}

void
es_plot_draw_with (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const EsPlotRect *r = &layout->plot;

  cairo_save (cr);
  cairo_new_path (cr);
  if (colors->opaque)
    {
      gdk_cairo_set_source_rgba (cr, &colors->background);
      cairo_rectangle (cr, 0, 0, layout->width, layout->height);
      cairo_fill (cr);
    }
  if (layout->saved)
    {
      draw_title (plot, cr, layout, colors);
      draw_words (plot, cr, layout, colors);
    }
  if (layout->empty)
    {
      draw_empty (cr, layout, colors);
      cairo_restore (cr);
      return;
    }

  draw_grid (cr, layout, colors);
  cairo_save (cr);
  cairo_rectangle (cr, r->x, r->y - 1, r->width, r->height + 1);
  cairo_clip (cr);
  es_plot_draw_images (plot, cr, layout);
  for (guint i = 0; i < plot->series->len; i++)
    es_plot_draw_spans (plot, cr, layout, i, colors);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < plot->series->len; i++)
      {
        const EsPlotSeries *series = g_ptr_array_index (plot->series, i);

        /* Bars lie behind lines whatever the order they came in. */
        if ((series->style == ES_PLOT_BARS) == (pass == 0))
          es_plot_draw_series (plot, cr, layout, i, colors);
      }
  cairo_restore (cr);
  es_plot_draw_point_labels (plot, cr, layout, colors);
  draw_axes (plot, cr, layout, colors);
  draw_labels (plot, cr, layout, colors);
  draw_titles (cr, layout, colors);
  draw_legend (plot, cr, layout, colors);
  es_plot_draw_markers (plot, cr, layout, colors);
  if (!layout->saved)
    es_plot_draw_cursor (plot, cr, layout, colors);
  cairo_restore (cr);
}

void
es_plot_draw (EsPlot *self, cairo_t *cr, int width, int height, const EsPlotColors *colors)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (cr != NULL && colors != NULL);

  if (width < 1 || height < 1)
    return;
  es_plot_draw_with (self, cr, es_plot_get_layout (self, width, height), colors);
}

void
es_plot_draw_still (EsPlot *self, cairo_t *cr, int width, int height, const EsPlotColors *colors)
{
  g_return_if_fail (ES_IS_PLOT (self));

  const double cursor = self->cursor;
  self->cursor = NAN;
  es_plot_draw (self, cr, width, height, colors);
  self->cursor = cursor;
}
