/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a matrix looks: where its parts lie, cells, titles, legend. */
#include "config.h"

#include "es-matrix-view-private.h"

#include <math.h>

#include "base/es-text-show.h"
#include "widgets/es-format.h"

#define MARGIN       12
#define GAP          8          /* between titles and cells */
#define MOST_TITLE   160        /* pixels; of a row's title in a wide view more */
#define LARGEST_CELL 72
#define LEGEND_WIDTH 14
#define NUMBER_ROOM  34         /* a cell of at least that width has its number in it */

/* ---- layout ---- */

static PangoLayout *
make_text (EsMatrixView *self, const char *text, int most)
{
  g_autofree char *shown = es_text_show (text);
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), shown);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.9));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  if (most > 0)
    {
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (layout, most * PANGO_SCALE);
    }
  return layout;
}

static void
measure_text (EsMatrixView *self, const char *text, int *width, int *height)
{
  g_autoptr (PangoLayout) layout = make_text (self, text, 0);

  pango_layout_get_pixel_size (layout, width, height);
}

static int
widest (EsMatrixView *self, gboolean columns, int allowed)
{
  guint n = columns ? self->n_columns : self->n_rows;
  int most = 0, width, height;

  for (guint i = 0; i < n; i++)
    {
      const char *title = columns ? es_matrix_get_column_title (self->matrix, i)
                                  : es_matrix_get_row_title (self->matrix, i);

      measure_text (self, title != NULL ? title : "", &width, &height);
      most = MAX (most, width);
    }
  return MIN (most, allowed);
}

/* The numbers of the legend are the widest there are. */
static int
legend_text (EsMatrixView *self)
{
  g_autofree char *low = es_format_number (self->minimum, 10 * (self->maximum - self->minimum));
  g_autofree char *high = es_format_number (self->maximum, 10 * (self->maximum - self->minimum));
  int width_low, width_high, height;

  measure_text (self, low, &width_low, &height);
  measure_text (self, high, &width_high, &height);
  return MAX (width_low, width_high);
}

EsMatrixLayout
_es_matrix_view_get_layout (EsMatrixView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  int line_width, line, legend = LEGEND_WIDTH + 6 + legend_text (self) + 2 * GAP;
  double across, down;
  EsMatrixLayout layout = { 0 };

  measure_text (self, "0", &line_width, &line);
  layout.row_title = widest (self, FALSE, MAX (MOST_TITLE, width / 3));
  layout.column_title = widest (self, TRUE, MOST_TITLE);
  layout.legend = width > 320 && height > 200;
  layout.x = 2 * MARGIN + line;
  layout.y = 2 * MARGIN + line;
  layout.row_titles = width - layout.x - layout.row_title - (layout.legend ? legend : 0) > width / 3.;
  if (layout.row_titles)
    layout.x += layout.row_title + GAP;
  layout.column_titles = height - layout.y - layout.column_title > height / 3.;
  if (layout.column_titles)
    layout.y += layout.column_title + GAP;
  across = (width - layout.x - MARGIN - (layout.legend ? legend : 0)) / self->n_columns;
  down = (height - layout.y - MARGIN) / self->n_rows;
  layout.cell = CLAMP (MIN (across, down), 1, LARGEST_CELL);
  if (layout.cell >= 4)
    layout.cell = floor (layout.cell);
  /* Titles need their line. */
  if (layout.cell < line)
    {
      if (layout.row_titles)
        layout.x -= layout.row_title + GAP;
      if (layout.column_titles)
        layout.y -= layout.column_title + GAP;
      layout.row_titles = layout.column_titles = FALSE;
    }
  layout.numbers = layout.cell >= NUMBER_ROOM;
  layout.legend_x = layout.x + self->n_columns * layout.cell + 2 * GAP;
  return layout;
}

int
_es_matrix_view_get_tallest (EsMatrixView *self)
{
  int width, line;

  measure_text (self, "0", &width, &line);
  return 3 * MARGIN + line + widest (self, TRUE, MOST_TITLE) + GAP + (int) self->n_rows * LARGEST_CELL;
}

/* ---- drawing ---- */

static void
append_text (GtkSnapshot *snapshot, PangoLayout *text, double x, double y, const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, text, color);
  gtk_snapshot_restore (snapshot);
}

static GdkRGBA
color_of (EsMatrixView *self, double value)
{
  double share = self->maximum > self->minimum ? (value - self->minimum) / (self->maximum - self->minimum) : 0.5;
  const guint8 *entry = es_colormap_entries (self->colormap) + 4 * (int) round (255 * CLAMP (share, 0, 1));

  return (GdkRGBA) { entry[0] / 255.f, entry[1] / 255.f, entry[2] / 255.f, 1 };
}

/* Black or white, whichever reads better on it. */
static GdkRGBA
ink_on (const GdkRGBA *color)
{
  double light = 0.299 * color->red + 0.587 * color->green + 0.114 * color->blue;

  return light > 0.55 ? (GdkRGBA) { 0, 0, 0, 0.85f } : (GdkRGBA) { 1, 1, 1, 0.95f };
}

static void
append_outline (GtkSnapshot *snapshot, double x, double y, double size, double width, const GdkRGBA *color)
{
  GskRoundedRect outline;
  float w = (float) width;

  gsk_rounded_rect_init_from_rect (&outline, &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) size, (float) size), 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { w, w, w, w },
                              (GdkRGBA[4]) { *color, *color, *color, *color });
}

static void
snapshot_cells (EsMatrixView *self, GtkSnapshot *snapshot, const EsMatrixLayout *layout, const GdkRGBA *foreground)
{
  double gap = layout->cell >= 8 ? 1 : 0;

  for (guint row = 0; row < self->n_rows; row++)
    for (guint column = 0; column < self->n_columns; column++)
      {
        double value = _es_matrix_view_value (self, row, column);
        double x = layout->x + column * layout->cell, y = layout->y + row * layout->cell;
        GdkRGBA color, ink;

        if (isnan (value))
          {
            color = *foreground;
            color.alpha *= 0.08f;
          }
        else
          {
            color = color_of (self, value);
          }
        gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT ((float) x, (float) y,
                                                                          (float) (layout->cell - gap),
                                                                          (float) (layout->cell - gap)));
        if (layout->numbers && !isnan (value))
          {
            g_autofree char *number = es_format_number (value, 10 * (self->maximum - self->minimum));
            g_autoptr (PangoLayout) text = make_text (self, number, 0);
            int width, height;

            ink = ink_on (&color);
            pango_layout_get_pixel_size (text, &width, &height);
            if (width <= layout->cell - 4)
              append_text (snapshot, text, x + (layout->cell - gap - width) / 2, y + (layout->cell - gap - height) / 2,
                           &ink);
          }
        if (self->matches != NULL && self->matches[row] == (int) column)
          {
            static const GdkRGBA white = { 1, 1, 1, 1 }, black = { 0, 0, 0, 1 };

            append_outline (snapshot, x - gap, y - gap, layout->cell + gap, layout->cell >= 12 ? 3 : 2, &black);
            append_outline (snapshot, x, y, layout->cell - gap, 1, &white);
          }
      }
}

static void
snapshot_titles (EsMatrixView *self, GtkSnapshot *snapshot, const EsMatrixLayout *layout, const GdkRGBA *foreground)
{
  const char *rows = es_matrix_get_rows_title (self->matrix), *columns = es_matrix_get_columns_title (self->matrix);
  double across = self->n_columns * layout->cell, down = self->n_rows * layout->cell;
  GdkRGBA dim = *foreground;
  int width, height;

  dim.alpha *= 0.6f;
  for (guint row = 0; layout->row_titles && row < self->n_rows; row++)
    {
      g_autoptr (PangoLayout) text = make_text (self, es_matrix_get_row_title (self->matrix, row), layout->row_title);

      pango_layout_set_alignment (text, PANGO_ALIGN_RIGHT);
      pango_layout_get_pixel_size (text, &width, &height);
      append_text (snapshot, text, layout->x - GAP - layout->row_title,
                   layout->y + row * layout->cell + (layout->cell - height) / 2, foreground);
    }
  for (guint column = 0; layout->column_titles && column < self->n_columns; column++)
    {
      g_autoptr (PangoLayout) text = make_text (self, es_matrix_get_column_title (self->matrix, column),
                                                layout->column_title);

      pango_layout_get_pixel_size (text, &width, &height);
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) (layout->x + (column + 0.5) * layout->cell
                                                                       - height / 2.),
                                                              (float) (layout->y - GAP)));
      gtk_snapshot_rotate (snapshot, -90);
      gtk_snapshot_append_layout (snapshot, text, foreground);
      gtk_snapshot_restore (snapshot);
    }
  if (columns != NULL && across >= 24)
    {
      g_autoptr (PangoLayout) text = make_text (self, columns, (int) MAX (across, 120));

      append_text (snapshot, text, layout->x, MARGIN, &dim);
    }
  if (rows != NULL && down >= 24)
    {
      g_autoptr (PangoLayout) text = make_text (self, rows, (int) MAX (down, 120));

      pango_layout_get_pixel_size (text, &width, &height);
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (MARGIN, (float) (layout->y + MAX (down, width))));
      gtk_snapshot_rotate (snapshot, -90);
      gtk_snapshot_append_layout (snapshot, text, &dim);
      gtk_snapshot_restore (snapshot);
    }
}

static void
snapshot_legend (EsMatrixView *self, GtkSnapshot *snapshot, const EsMatrixLayout *layout, const GdkRGBA *foreground)
{
  const guint8 *entries = es_colormap_entries (self->colormap);
  double height = CLAMP (self->n_rows * layout->cell, 80, 220);
  graphene_rect_t bar = GRAPHENE_RECT_INIT ((float) layout->legend_x, (float) layout->y, LEGEND_WIDTH, (float) height);
  GskColorStop stops[33];

  for (guint i = 0; i < G_N_ELEMENTS (stops); i++)
    {
      const guint8 *entry = entries + 4 * (i * 255 / (G_N_ELEMENTS (stops) - 1));

      stops[i].offset = (float) i / (G_N_ELEMENTS (stops) - 1);
      stops[i].color = (GdkRGBA) { entry[0] / 255.f, entry[1] / 255.f, entry[2] / 255.f, 1 };
    }
  gtk_snapshot_append_linear_gradient (snapshot, &bar,
                                       &GRAPHENE_POINT_INIT (bar.origin.x, bar.origin.y + bar.size.height),
                                       &GRAPHENE_POINT_INIT (bar.origin.x, bar.origin.y), stops,
                                       G_N_ELEMENTS (stops));
  for (guint i = 0; i < 3; i++)
    {
      double value = self->minimum + (self->maximum - self->minimum) * i / 2;
      g_autofree char *number = es_format_number (value, 10 * (self->maximum - self->minimum));
      g_autoptr (PangoLayout) text = make_text (self, number, 0);
      int width, line;

      pango_layout_get_pixel_size (text, &width, &line);
      append_text (snapshot, text, layout->legend_x + LEGEND_WIDTH + 6,
                   layout->y + (height - line) * (2 - i) / 2, foreground);
    }
}

void
_es_matrix_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsMatrixView *self = ES_MATRIX_VIEW (widget);
  GdkRGBA foreground, accent;
  EsMatrixLayout layout;

  if (self->matrix == NULL || self->n_rows == 0 || self->n_columns == 0)
    return;
  layout = _es_matrix_view_get_layout (self);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &foreground);
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), "accent_color", &accent))
    accent = foreground;
  snapshot_cells (self, snapshot, &layout, &foreground);
  snapshot_titles (self, snapshot, &layout, &foreground);
  if (layout.legend)
    snapshot_legend (self, snapshot, &layout, &foreground);
  if (self->has_hovered)
    append_outline (snapshot, layout.x + self->hovered_column * layout.cell - 1,
                    layout.y + self->hovered_row * layout.cell - 1, layout.cell + 1, 1, &foreground);
  if (self->has_selected)
    append_outline (snapshot, layout.x + self->column * layout.cell - 2, layout.y + self->row * layout.cell - 2,
                    layout.cell + 3, 2, &accent);
}
