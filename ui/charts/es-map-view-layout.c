/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the parts of a map view lie, and how its texts are set. */
#include "config.h"

#include "es-map-view-private.h"

#include <math.h>

#include "axes/es-axis-ticks.h"

#define SMALL 0.85              /* of the font */

/* ---- text ---- */

PangoLayout *
_es_map_make_text (EsMapView *self, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (SMALL));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  return layout;
}

int
_es_map_text_width (EsMapView *self, const char *text, int *height)
{
  g_autoptr (PangoLayout) layout = _es_map_make_text (self, text);
  int width, own_height;

  pango_layout_get_pixel_size (layout, &width, &own_height);
  if (height != NULL)
    *height = own_height;
  return width;
}

void
_es_map_append_layout (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y, const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

void
_es_map_append_rect (GtkSnapshot *snapshot, const GdkRGBA *color, double x, double y, double width, double height)
{
  gtk_snapshot_append_color (snapshot, color,
                             &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height));
}

/* ---- layout ---- */

double
_es_map_view_get_clock_offset (EsMapView *self)
{
  return self->start == NULL ? 0 : es_axis_seconds_of_day (self->start);
}

char *
_es_map_view_format_time (EsMapView *self, double seconds, double step)
{
  return self->start != NULL ? es_axis_format_moment (self->start, seconds, step)
                             : es_axis_format_time (seconds, step);
}

/* As many digits as the time between two rows may ask for; days where it is so long. */
static int
times_width (EsMapView *self)
{
  guint64 first = es_heatmap_get_first (self->map), end = es_heatmap_get_end (self->map);
  g_autofree char *label = NULL;
  double last, step;

  if (self->time == NULL || end < first + 2)
    return _es_map_text_width (self, "00:00:00", NULL);
  last = self->time (self->time_data, end - 1);
  step = fabs (last - self->time (self->time_data, end - 2));
  label = self->start != NULL ? es_axis_format_clock (self->start, isfinite (last) ? last : 0, step > 0 ? step : 1)
                              : es_axis_format_time (isfinite (last) ? fabs (last) : 0, step > 0 ? step : 1);
  return MAX (_es_map_text_width (self, label, NULL), _es_map_text_width (self, "00:00:00", NULL));
}

/* How wide labels of the rows may get. */
static int
row_labels_width (EsMapView *self)
{
  int widest = 0;

  if (self->rows == ES_MAP_TIMES)
    return times_width (self);
  if (self->rows == ES_MAP_NAMES)
    {
      for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
        widest = MAX (widest, _es_map_text_width (self, self->names[i], NULL));
      return MIN (widest, 90);
    }
  for (guint i = 0; self->y.n > 0 && i < 2; i++)
    {
      /* With the digits that round steps of so short an axis have, and the sign that is drawn. */
      double value = self->y.values[i == 0 ? 0 : self->y.n - 1], span = fabs (self->y.values[self->y.n - 1]
                                                                               - self->y.values[0]);
      int digits = span < 0.4 ? 3 : span < 4 ? 2 : span < 40 ? 1 : 0;
      g_autofree char *label = g_strdup_printf ("%s%.*f", value < 0 ? "−" : "", digits, fabs (value));

      widest = MAX (widest, _es_map_text_width (self, label, NULL));
    }
  return widest;
}

gboolean
_es_map_view_get_layout (EsMapView *self, EsMapLayout *layout)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  double left, top, right, bottom;

  _es_map_text_width (self, "0", &layout->line);
  layout->left = row_labels_width (self);
  layout->title = height >= 240 && self->x.title != NULL;
  left = ES_MAP_MARGIN + layout->left + ES_MAP_TICK + 3;
  top = 2 + layout->line + 3;
  right = width - ES_MAP_MARGIN - 4;
  bottom = height - layout->line - ES_MAP_TICK - 3 - (layout->title ? layout->line + 1 : 0);
  layout->area = GRAPHENE_RECT_INIT ((float) ceil (left), (float) ceil (top), (float) floor (right - ceil (left)),
                                     (float) floor (bottom - ceil (top)));
  return layout->area.size.width >= 16 && layout->area.size.height >= 8;
}

void
_es_map_view_get_rows (EsMapView *self, double *top, double *bottom)
{
  const double n = es_heatmap_get_end (self->map);

  *top = self->rows == ES_MAP_TIMES ? self->top : self->rows == ES_MAP_VALUES ? n * self->high : n;
  *bottom = self->rows == ES_MAP_TIMES ? self->bottom : self->rows == ES_MAP_VALUES ? n * self->low : 0;
}

void
_es_map_view_get_columns (EsMapView *self, double *left, double *right)
{
  const double n = MAX (es_heatmap_get_n_columns (self->map), 1);

  *left = n * self->left;
  *right = n * self->right;
}

void
_es_map_view_split_height (EsMapView *self, const graphene_rect_t *area, double *upper, double *lower)
{
  double n = es_heatmap_get_end (self->map), height = area->size.height;

  *upper = 0;
  *lower = height;
  if (self->rows != ES_MAP_NAMES || self->apart == 0 || self->apart >= n || height < 4 * ES_MAP_GAP)
    return;
  *upper = round ((height - ES_MAP_GAP) * (n - self->apart) / n);
  *lower = height - ES_MAP_GAP - *upper;
}

double
_es_map_view_row_to_pixel (EsMapView *self, const graphene_rect_t *area, double row)
{
  double top, bottom, upper, lower;

  _es_map_view_get_rows (self, &top, &bottom);
  if (top == bottom)
    return NAN;
  _es_map_view_split_height (self, area, &upper, &lower);
  if (upper > 0 && row >= self->apart)
    return area->origin.y + (top - row) / (top - self->apart) * upper;
  if (upper > 0)
    return area->origin.y + area->size.height - row / self->apart * lower;
  return area->origin.y + (row - top) / (bottom - top) * area->size.height;
}

double
_es_map_view_pixel_to_row (EsMapView *self, const graphene_rect_t *area, double y)
{
  double top, bottom, upper, lower, place = y - area->origin.y;

  _es_map_view_get_rows (self, &top, &bottom);
  _es_map_view_split_height (self, area, &upper, &lower);
  if (upper > 0 && place < upper + ES_MAP_GAP / 2.)
    return MAX (top - place / upper * (top - self->apart), self->apart);
  if (upper > 0)
    return CLAMP ((area->size.height - place) / lower, 0, 1) * self->apart - 1e-9;
  return top + place / area->size.height * (bottom - top);
}

double
_es_map_view_column_to_pixel (EsMapView *self, const graphene_rect_t *area, double column)
{
  double left, right;

  _es_map_view_get_columns (self, &left, &right);
  return area->origin.x + (column - left) / (right - left) * area->size.width;
}
