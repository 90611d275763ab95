/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-horizon-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-beam-layers-private.h"

/* How many true bearings there are of one of the array. */
static guint
count_true (EsArray *array, EsNavigation *navigation, gboolean timed)
{
  double plane;

  if (navigation == NULL || es_navigation_get_n_headings (navigation) == 0 || !es_array_has_true_bearings (array)
      || (!timed && !es_navigation_is_fixed (navigation)))
    return 0;
  return es_array_get_mirror_plane (array, &plane) ? 2 : 1;
}

static gboolean
has_clock (EsNavigation *navigation, gboolean timed)
{
  return timed && navigation != NULL && es_navigation_get_start (navigation) != NULL;
}

void
es_horizon_add_columns (EsTable *table, EsArray *array, EsNavigation *navigation, gboolean timed)
{
  const guint n = count_true (array, navigation, timed);

  /* Translators: a bearing clockwise from true north; of a line of hydrophones one on each side of it. */
  if (n > 0)
    es_table_add_column (table, n == 1 ? _("True") : es_array_is_line (array) ? _("True, starboard")
                                                   : _("True, one side"), "°", 2);
  if (n > 1)
    es_table_add_column (table, es_array_is_line (array) ? _("True, port") : _("True, other side"), "°", 2);
  if (has_clock (navigation, timed))
    es_table_add_column (table, _("Clock (UTC)"), NULL, -1);
}

guint
es_horizon_fill (EsHorizonCells *cells, EsArray *array, EsNavigation *navigation, const double *time, double bearing,
                 gconstpointer *pointers)
{
  const guint n = count_true (array, navigation, time != NULL);
  guint filled = 0;

  es_array_get_true_bearings (array, es_navigation_get_heading (navigation, time != NULL ? *time : 0), bearing,
                              cells->true_bearings);
  for (guint i = 0; i < n; i++)
    pointers[filled++] = &cells->true_bearings[i];
  if (has_clock (navigation, time != NULL))
    {
      cells->clock = es_navigation_format_time (es_navigation_get_start (navigation), *time);
      pointers[filled++] = cells->clock;
    }
  return filled;
}

void
es_horizon_cells_clear (EsHorizonCells *cells)
{
  g_clear_pointer (&cells->clock, g_free);
}

void
es_horizon_add_members (JsonObject *object, EsArray *array, EsNavigation *navigation, double bearing)
{
  double found[2] = { NAN, NAN };

  if (count_true (array, navigation, FALSE) > 0)
    es_array_get_true_bearings (array, es_navigation_get_heading (navigation, 0), bearing, found);
  es_beam_layers_set_number (object, "true_deg", found[0]);
  es_beam_layers_set_number (object, "true_mirror_deg", found[1]);
}

void
es_horizon_add_headings (EsField *field, EsNavigation *navigation)
{
  const EsAxis *rows = es_field_get_rows (field);
  g_autofree double *headings = NULL;

  if (navigation == NULL || es_navigation_get_n_headings (navigation) == 0)
    return;
  headings = g_new (double, MAX (rows->n, 1));
  for (guint i = 0; i < rows->n; i++)
    headings[i] = es_navigation_get_heading (navigation, rows->values[i]);
  es_field_set_headings (field, headings);
}
