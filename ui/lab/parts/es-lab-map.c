/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-map.h"

#include "charts/es-map-view.h"

GtkWidget *
es_lab_map_new (EsField *field, int natural_height)
{
  const EsAxis *rows = es_field_get_rows (field), *columns = es_field_get_columns (field);
  const char *reference = es_field_get_reference (field);
  g_autofree char *unit = reference != NULL ? g_strdup_printf ("dB re %s", reference)
                                            : g_strdup (es_field_get_unit (field));
  g_autofree float *values = g_new (float, MAX (columns->n, 1));
  g_autoptr (EsHeatmap) map = es_heatmap_new ();
  g_autoptr (GError) error = NULL;
  GtkWidget *view;
  float low, high;

  es_heatmap_reset (map, columns->n, rows->n, reference != NULL);
  for (guint i = 0; i < rows->n && es_field_read (field, i, 1, values, &error); i++)
    es_heatmap_append (map, values);
  if (es_heatmap_find_range (map, 0, rows->n, &low, &high))
    es_heatmap_set_range (map, low, high > low ? high : low + 1);
  view = es_map_view_new (map, natural_height);
  es_map_view_set_x_axis (ES_MAP_VIEW (view), columns->title, columns->unit, columns->n, columns->values);
  es_map_view_set_y_values (ES_MAP_VIEW (view), rows->title, rows->unit, rows->n, rows->values);
  es_map_view_set_unit (ES_MAP_VIEW (view), unit);
  if (error != NULL)
    es_map_view_set_message (ES_MAP_VIEW (view), error->message);
  return view;
}
