/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn over a map: cursor, lines, peaks, tracks, the value under the pointer. */
#include "config.h"

#include "es-map-view-private.h"

#include <math.h>

static const GdkRGBA ink = { 1, 1, 1, 0.95f };
static const GdkRGBA weak_ink = { 1, 1, 1, 0.55f };
static const GdkRGBA shade = { 0, 0, 0, 0.6f };

static void
append_line (GtkSnapshot *snapshot, double x, double y, double width, double height, const GdkRGBA *color)
{
  _es_map_append_rect (snapshot, &shade, x - (width == 1), y - (height == 1), width + 2 * (width == 1),
                       height + 2 * (height == 1));
  _es_map_append_rect (snapshot, color, x, y, width, height);
}

static void
append_peak (GtkSnapshot *snapshot, double x, double y)
{
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT ((float) x - 6, (float) y - 1, 12, 9));

  cairo_move_to (cr, x - 4.5, y);
  cairo_line_to (cr, x + 4.5, y);
  cairo_line_to (cr, x, y + 7);
  cairo_close_path (cr);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_fill_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &shade);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
append_ring (GtkSnapshot *snapshot, double x, double y, double width, double height)
{
  GskRoundedRect outer, inner;

  width = MAX (width, 7);
  height = MAX (height, 7);
  graphene_rect_t rect = GRAPHENE_RECT_INIT ((float) round (x - width / 2), (float) round (y - height / 2),
                                             (float) round (width), (float) round (height));

  gsk_rounded_rect_init_from_rect (&inner, &rect, 2);
  graphene_rect_inset (&rect, -1, -1);
  gsk_rounded_rect_init_from_rect (&outer, &rect, 3);
  gtk_snapshot_append_border (snapshot, &outer, (float[4]) { 1, 1, 1, 1 }, (GdkRGBA[4]) { shade, shade, shade, shade });
  gtk_snapshot_append_border (snapshot, &inner, (float[4]) { 2, 2, 2, 2 }, (GdkRGBA[4]) { ink, ink, ink, ink });
}

/* Light on a dark edge: seen on every colour of the map. */
static void
snapshot_tracks (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  cairo_t *cr;

  if (self->n_track_points == 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, area);
  for (guint i = 0; i < self->n_track_points; i++)
    {
      double x = _es_map_view_column_to_pixel (self, area, self->track_columns[i]);
      double y = _es_map_view_row_to_pixel (self, area, self->track_rows[i]);

      if (isnan (x) || isnan (y))
        cairo_new_sub_path (cr);
      else
        cairo_line_to (cr, x, y);
    }
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  gdk_cairo_set_source_rgba (cr, &shade);
  cairo_set_line_width (cr, 3.5);
  cairo_stroke_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
snapshot_marks (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  guint n = MAX (es_heatmap_get_n_columns (self->map), 1);

  gtk_snapshot_push_clip (snapshot, area);
  snapshot_tracks (self, snapshot, area);
  for (guint i = 0; i < self->n_lines; i++)
    append_line (snapshot, round (_es_map_view_column_to_pixel (self, area, self->lines[i]) - 0.5), area->origin.y, 1,
                 area->size.height, &weak_ink);
  if (!isnan (self->cursor_column))
    append_line (snapshot, round (_es_map_view_column_to_pixel (self, area, self->cursor_column) - 0.5),
                 area->origin.y, 1, area->size.height, &ink);
  if (!isnan (self->now_row))
    append_line (snapshot, area->origin.x, round (_es_map_view_row_to_pixel (self, area, self->now_row) - 0.5),
                 area->size.width, 1, &weak_ink);
  if (!isnan (self->cursor_row))
    append_line (snapshot, area->origin.x, round (_es_map_view_row_to_pixel (self, area, self->cursor_row) - 0.5),
                 area->size.width, 1, &ink);
  _es_map_view_snapshot_selection (self, snapshot, area);
  for (guint i = 0; i < self->n_peaks; i++)
    append_peak (snapshot, _es_map_view_column_to_pixel (self, area, self->peaks[i]), area->origin.y);
  if (!isnan (self->mark_column) && !isnan (self->mark_row))
    {
      double y = _es_map_view_row_to_pixel (self, area, self->mark_row);
      double height = fabs (_es_map_view_row_to_pixel (self, area, floor (self->mark_row))
                            - _es_map_view_row_to_pixel (self, area, floor (self->mark_row) + 0.999));

      append_ring (snapshot, _es_map_view_column_to_pixel (self, area, self->mark_column), y,
                   area->size.width / (n * (self->right - self->left)) + 4, height + 2);
    }
  gtk_snapshot_pop (snapshot);
}

/* A text on a translucent chip. */
static void
append_chip (GtkSnapshot *snapshot, PangoLayout *text, double x, double y, int width, int height)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width + 12, (float) height + 4);
  GskRoundedRect chip;

  gsk_rounded_rect_init_from_rect (&chip, &bounds, 5);
  gtk_snapshot_push_rounded_clip (snapshot, &chip);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA) { 0, 0, 0, 0.7f }, &bounds);
  gtk_snapshot_pop (snapshot);
  _es_map_append_layout (snapshot, text, x + 6, y + 2, &ink);
}

/* Beside their points, inside of the map; what would stand over another one is left out. */
static void
snapshot_track_numbers (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  enum { MOST = 64 };
  graphene_rect_t taken[MOST];
  guint n = 0;

  for (guint i = 0; i < self->n_track_points && n < MOST; i++)
    {
      double x = _es_map_view_column_to_pixel (self, area, self->track_columns[i]);
      double y = _es_map_view_row_to_pixel (self, area, self->track_rows[i]);
      gboolean free = TRUE;
      char number[16];
      int width, height;

      if (self->track_numbers[i] == 0 || isnan (x) || isnan (y))
        continue;
      g_snprintf (number, sizeof number, "%u", self->track_numbers[i]);

      g_autoptr (PangoLayout) text = _es_map_make_text (self, number);
      pango_layout_get_pixel_size (text, &width, &height);
      x = x + 8 + width + 12 > area->origin.x + area->size.width ? x - 8 - width - 12 : x + 8;
      y = CLAMP (y - height / 2., area->origin.y + 10, area->origin.y + area->size.height - height - 4);
      taken[n] = GRAPHENE_RECT_INIT ((float) round (x), (float) round (y), (float) width + 12, (float) height + 4);
      for (guint k = 0; k < n && free; k++)
        free = !graphene_rect_intersection (&taken[k], &taken[n], NULL);
      if (free)
        append_chip (snapshot, text, taken[n].origin.x, taken[n].origin.y, width, height);
      n += free;
    }
}

double
_es_map_view_place_read_out (const graphene_rect_t *area, const graphene_rect_t *taken, double pointer, double x,
                             double width, double height)
{
  /* Above the pointer or below it, else above or below what is measured. */
  const double places[] = { pointer - height - 6, pointer + 16, taken->origin.y - height - 2,
                            taken->origin.y + taken->size.height + 2 };
  double inside = NAN;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      const graphene_rect_t box = GRAPHENE_RECT_INIT ((float) x, (float) places[i], (float) width, (float) height);

      if (places[i] < area->origin.y || (i > 0 && places[i] + height > area->origin.y + area->size.height))
        continue;
      if (taken->size.width <= 0 || !graphene_rect_intersection (&box, taken, NULL))
        return places[i];
      if (isnan (inside))
        inside = places[i];
    }
  return isnan (inside) ? pointer + 16 : inside;
}

static void
snapshot_read_out (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  double column, row, x, y;
  g_autofree char *words = NULL;
  int width, height;

  if (!self->has_pointer || self->describe == NULL || self->message != NULL
      || !es_map_view_pick (self, self->pointer_x, self->pointer_y, &column, &row))
    return;
  words = self->describe (self->describe_data, column, row);
  if (words == NULL)
    return;

  g_autoptr (PangoLayout) text = _es_map_make_text (self, words);
  pango_layout_get_pixel_size (text, &width, &height);
  /* Beside the pointer, inside of the map, and never under it, nor over what is measured. */
  x = self->pointer_x + 14;
  if (x + width + 12 > area->origin.x + area->size.width)
    x = self->pointer_x - 14 - width - 12;
  x = MAX (x, area->origin.x);
  y = _es_map_view_place_read_out (area, &self->measured, self->pointer_y, x, width + 12, height + 4);
  append_chip (snapshot, text, x, y, width, height);
}

void
_es_map_view_snapshot_marks (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  snapshot_marks (self, snapshot, area);
  snapshot_track_numbers (self, snapshot, area);
  snapshot_read_out (self, snapshot, area);
}
