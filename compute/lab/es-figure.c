/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Figures as JSON: in the values of a result, and in a profile. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-findings-internal.h"
#include "result/es-saved-internal.h"

#define LONGEST_NAME 200
#define MOST_FIGURES 100000

void
es_figure_clear (gpointer data)
{
  EsFigure *figure = data;

  g_free (figure->experiment);
  g_free (figure->name);
  g_free (figure->group);
  g_free (figure->x_unit);
  g_free (figure->unit);
}

static void
set_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

JsonArray *
es_figures_write (GArray *figures)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < figures->len; i++)
    {
      const EsFigure *figure = &g_array_index (figures, EsFigure, i);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "group", figure->group);
      json_object_set_string_member (object, "name", figure->name);
      if (!isnan (figure->x))
        {
          json_object_set_double_member (object, "x", figure->x);
          json_object_set_string_member (object, "x_unit", figure->x_unit != NULL ? figure->x_unit : "1");
        }
      set_number (object, "value", figure->value);
      json_object_set_string_member (object, "unit", figure->unit);
      set_number (object, "least", figure->least);
      set_number (object, "most", figure->most);
      json_object_set_int_member (object, "repeats", figure->repeats);
      json_array_add_object_element (array, object);
    }
  return array;
}

static gboolean
is_name (const char *text)
{
  return text != NULL && strlen (text) <= LONGEST_NAME && g_utf8_validate (text, -1, NULL);
}

/* What is wrong with it; NULL: nothing. */
static const char *
read_figure (JsonObject *object, const char *experiment, EsFigure *figure)
{
  const char *name = es_saved_get_string (object, "name"), *group = es_saved_get_text (object, "group", "");
  const char *unit = es_saved_get_string (object, "unit"), *x_unit = es_saved_get_string (object, "x_unit");
  const double value = es_saved_get_number (object, "value", NAN), x = es_saved_get_number (object, "x", NAN);
  const double least = es_saved_get_number (object, "least", NAN), most = es_saved_get_number (object, "most", NAN);
  const double repeats = es_saved_get_number (object, "repeats", 0);

  if (!is_name (name) || !is_name (group))
    return _("a figure has no name");
  if (!is_name (unit) || *unit == '\0' || (!isnan (x) && !is_name (x_unit)))
    return _("a figure has no unit");
  if (!isfinite (value) || value < 0 || least < 0 || most < 0 || x < 0 || isinf (x))
    return _("a figure is negative, or no number");
  *figure = (EsFigure) {
    g_strdup (experiment), g_strdup (name), g_strdup (group), x, g_strdup (isnan (x) ? NULL : x_unit), value,
    g_strdup (unit), isfinite (least) ? least : NAN, isfinite (most) ? most : NAN,
    (guint) CLAMP (repeats, 0, 1e6),
  };
  return NULL;
}

gboolean
es_figures_read (JsonArray *array, const char *experiment, GArray *figures, const char **found)
{
  const guint n = json_array_get_length (array);

  if (n > MOST_FIGURES || figures->len + n > MOST_FIGURES)
    {
      *found = _("it has too many figures");
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      EsFigure figure;

      *found = read_figure (es_saved_get_element (array, i), experiment, &figure);
      if (*found != NULL)
        return FALSE;
      g_array_append_val (figures, figure);
    }
  return TRUE;
}

void
es_figures_take (JsonArray *array, const char *experiment, GArray *figures)
{
  const guint n = json_array_get_length (array);

  for (guint i = 0; i < n && figures->len < MOST_FIGURES; i++)
    {
      EsFigure figure;

      if (read_figure (es_saved_get_element (array, i), experiment, &figure) == NULL)
        g_array_append_val (figures, figure);
    }
}
