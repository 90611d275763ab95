/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is drawn over a map: cursor, lines, peaks, tracks, the value under the pointer. */
#include "config.h"

#include "es-map-view-private.h"

#include <math.h>

#include "widgets/es-capture.h"

#define MANY_TRACKS 60

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

/* Light on a dark edge: seen on every colour of the map. Many of them are thinner, or they would hide it. */
static void
snapshot_tracks (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  const gboolean many = self->n_tracks > MANY_TRACKS;
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
  cairo_set_line_width (cr, many ? 2 : 3.5);
  cairo_stroke_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, many ? 0.8 : 1.5);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

/* Returns the words of the rectangle, transfer full; nullable. */
static PangoLayout *
snapshot_marks (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  PangoLayout *words;
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
  words = _es_map_view_snapshot_selection (self, snapshot, area);
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
  return words;
}

/* A text on a translucent chip. */
static void
append_chip (GtkSnapshot *snapshot, PangoLayout *text, const graphene_rect_t *bounds)
{
  GskRoundedRect chip;

  gsk_rounded_rect_init_from_rect (&chip, bounds, 5);
  gtk_snapshot_push_rounded_clip (snapshot, &chip);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA) { 0, 0, 0, 0.7f }, bounds);
  gtk_snapshot_pop (snapshot);
  _es_map_append_layout (snapshot, text, bounds->origin.x + 6, bounds->origin.y + 2, &ink);
}

/* Whether what is between two points touches a box (Liang and Barsky 1984). */
static gboolean
crosses (const graphene_rect_t *box, double x0, double y0, double x1, double y1)
{
  const double left = box->origin.x, top = box->origin.y;
  const double step[4] = { x0 - x1, x1 - x0, y0 - y1, y1 - y0 };
  const double room[4] = { x0 - left, left + box->size.width - x0, y0 - top, top + box->size.height - y0 };
  double from = 0, to = 1;

  for (guint i = 0; i < 4; i++)
    {
      if (step[i] == 0 && room[i] < 0)
        return FALSE;
      if (step[i] < 0)
        from = MAX (from, room[i] / step[i]);
      else if (step[i] > 0)
        to = MIN (to, room[i] / step[i]);
    }
  return from <= to;
}

static gboolean
crosses_any (const graphene_rect_t *box, const double *xs, const double *ys, guint n)
{
  for (guint i = 1; i < n; i++)
    if (!isnan (xs[i - 1]) && !isnan (ys[i - 1]) && !isnan (xs[i]) && !isnan (ys[i])
        && crosses (box, xs[i - 1], ys[i - 1], xs[i], ys[i]))
      return TRUE;
  return FALSE;
}

gboolean
_es_map_view_place_number (const graphene_rect_t *area, const graphene_rect_t *taken, guint n_taken, const double *xs,
                           const double *ys, guint n, guint point, int width, int height, graphene_rect_t *box)
{
  const double right = xs[point] + 8, left = xs[point] - 8 - width;
  const double beside = ys[point] - (height - 4) / 2., apart = height + 6;
  /* Beside the point, then farther back along the line, where another may have turned away. */
  const double places[][2] = {
    { right, beside }, { left, beside }, { right, beside + apart }, { left, beside + apart }, { right, beside - apart },
    { left, beside - apart }, { right + width, beside }, { left - width, beside },
  };
  gboolean found = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      const double x = round (places[i][0]);
      const double y = round (CLAMP (places[i][1], area->origin.y + 10, area->origin.y + area->size.height - height));
      const graphene_rect_t here = GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height);
      gboolean free = x >= area->origin.x && x + width <= area->origin.x + area->size.width;

      for (guint k = 0; k < n_taken && free; k++)
        free = !graphene_rect_intersection (&taken[k], &here, NULL);
      if (!free)
        continue;
      if (!found)
        *box = here;
      found = TRUE;
      if (!crosses_any (&here, xs, ys, n))
        {
          *box = here;
          break;
        }
    }
  return found;
}

/* Beside their points, inside of the map and off the lines where there is room; what would stand over another one is
 * left out, and so is what would shine through read-outs. */
static void
snapshot_track_numbers (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area,
                        const graphene_rect_t *read_out)
{
  enum { MOST = 64 };
  graphene_rect_t taken[MOST];
  g_autofree double *xs = g_new (double, MAX (self->n_track_points, 1));
  g_autofree double *ys = g_new (double, MAX (self->n_track_points, 1));
  guint n = 0;

  for (guint i = 0; i < self->n_track_points; i++)
    {
      xs[i] = _es_map_view_column_to_pixel (self, area, self->track_columns[i]);
      ys[i] = _es_map_view_row_to_pixel (self, area, self->track_rows[i]);
    }
  for (guint i = 0; i < self->n_track_points && n < MOST; i++)
    {
      char number[16];
      int width, height;

      if (self->track_numbers[i] == 0 || isnan (xs[i]) || isnan (ys[i]))
        continue;
      g_snprintf (number, sizeof number, "%u", self->track_numbers[i]);

      g_autoptr (PangoLayout) text = _es_map_make_text (self, number);
      pango_layout_get_pixel_size (text, &width, &height);
      if (!_es_map_view_place_number (area, taken, n, xs, ys, self->n_track_points, i, width + 12, height + 4,
                                      &taken[n]))
        continue;
      if (!graphene_rect_intersection (&taken[n], read_out, NULL)
          && !graphene_rect_intersection (&taken[n], &self->measured, NULL))
        append_chip (snapshot, text, &taken[n]);
      n++;
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

/* Lines are broken where two blanks are, between one number with its unit and the next. */
static char *
keep_together (const char *words)
{
  GString *text = g_string_new (NULL);

  for (const char *at = words; *at != '\0'; at++)
    if (*at == ' ' && at > words && at[-1] != ' ' && at[1] != ' ')
      g_string_append (text, "\u00a0");
    else
      g_string_append_c (text, *at);
  return g_string_free (text, FALSE);
}

PangoLayout *
_es_map_view_make_read_out (EsMapView *self, const graphene_rect_t *area, graphene_rect_t *box)
{
  double column, row, x, y;
  g_autofree char *words = NULL;
  int width, height;

  *box = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  if (!self->has_pointer || self->rested || es_capture_hides_pointer () || self->describe == NULL
      || self->message != NULL || !es_map_view_pick (self, self->pointer_x, self->pointer_y, &column, &row))
    return NULL;
  words = self->describe (self->describe_data, column, row);
  if (words == NULL)
    return NULL;

  PangoLayout *text = _es_map_make_text (self, words);
  pango_layout_get_pixel_size (text, &width, &height);
  /* Beside the pointer, inside of the map, and never under it, nor over what is measured; a map that is narrower than
   * the words has them in several lines. */
  if (width + 12 > area->size.width)
    {
      g_autofree char *kept = keep_together (words);

      pango_layout_set_text (text, kept, -1);
      pango_layout_set_width (text, (int) MAX (area->size.width - 12, 60) * PANGO_SCALE);
      pango_layout_set_wrap (text, PANGO_WRAP_WORD_CHAR);
      pango_layout_get_pixel_size (text, &width, &height);
    }
  x = self->pointer_x + 14;
  if (x + width + 12 > area->origin.x + area->size.width)
    x = self->pointer_x - 14 - width - 12;
  x = MAX (x, area->origin.x);
  y = _es_map_view_place_read_out (area, &self->measured, self->pointer_y, x, width + 12, height + 4);
  *box = GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width + 12, (float) height + 4);
  return text;
}

void
_es_map_view_snapshot_marks (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  g_autoptr (PangoLayout) measured = snapshot_marks (self, snapshot, area);
  graphene_rect_t box;
  g_autoptr (PangoLayout) read_out = _es_map_view_make_read_out (self, area, &box);

  snapshot_track_numbers (self, snapshot, area, &box);
  if (measured != NULL)
    {
      const graphene_rect_t *at = &self->measured;

      gtk_snapshot_append_color (snapshot, &(GdkRGBA) { 0, 0, 0, 0.75f }, at);
      _es_map_append_layout (snapshot, measured, at->origin.x + 6, at->origin.y + 3, &ink);
    }
  if (read_out != NULL)
    append_chip (snapshot, read_out, &box);
}
