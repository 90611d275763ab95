/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-profile-sheet.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "lab/parts/es-lab-curve.h"
#include "widgets/es-format.h"

static char *
format_plain (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (isfinite (value) ? g_ascii_dtostr (text, sizeof text, value) : "");
}

static void
add_titles (EsProfileSheet *self, EsDeviceProfile *profile, GPtrArray *others, gboolean whole)
{
  g_ptr_array_add (self->titles, g_strdup (_("What")));
  g_ptr_array_add (self->titles, g_strdup (_("Experiment")));
  g_ptr_array_add (self->titles, g_strdup (_("At")));
  if (whole)
    g_ptr_array_add (self->titles, g_strdup (_("Unit of that")));
  g_ptr_array_add (self->titles, g_strdup (es_device_profile_get_name (profile)));
  if (whole)
    g_ptr_array_add (self->titles, g_strdup (_("Unit")));
  for (guint i = 0; others != NULL && i < others->len; i++)
    {
      const char *name = es_device_profile_get_name (g_ptr_array_index (others, i));

      g_ptr_array_add (self->titles, g_strdup (name));
      /* TRANSLATORS: a column: how many times as much as on the machine of that name; then, to be read, as in the
       * column before it */
      g_ptr_array_add (self->titles, whole ? g_strdup_printf (_("times %s"), name) : g_strdup (_("times that")));
    }
  self->n_columns = self->titles->len;
}

/* Of the same series, further out on that side. */
static gboolean
is_beyond (EsDeviceProfile *profile, const EsFigure *figure, gboolean below)
{
  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    {
      const EsFigure *other = es_device_profile_get (profile, i);

      if (!isnan (other->x) && strcmp (other->experiment, figure->experiment) == 0
          && strcmp (other->group, figure->group) == 0 && strcmp (other->name, figure->name) == 0
          && (below ? other->x < figure->x : other->x > figure->x))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_told (EsDeviceProfile *profile, const EsFigure *figure, gboolean whole)
{
  return whole || isnan (figure->x) || !is_beyond (profile, figure, TRUE) || !is_beyond (profile, figure, FALSE);
}

static void
add_other (EsProfileSheet *self, const EsFigure *figure, EsDeviceProfile *other, gboolean whole)
{
  const EsFigure *its = es_device_profile_find (other, figure->experiment, figure->group, figure->name, figure->x);
  const gboolean same = its != NULL && g_strcmp0 (its->unit, figure->unit) == 0;
  const double ratio = same && its->value > 0 ? figure->value / its->value : NAN;

  if (its == NULL || (whole && !same))
    g_ptr_array_add (self->cells, g_strdup (whole ? "" : "–"));
  else
    g_ptr_array_add (self->cells, whole ? format_plain (its->value) : es_format_value (its->value, its->unit));
  g_ptr_array_add (self->cells, whole ? format_plain (ratio) : es_format_value (ratio, NULL));
}

static void
add_row (EsProfileSheet *self, const EsFigure *figure, GPtrArray *others, gboolean whole)
{
  const gboolean at = !isnan (figure->x);

  g_ptr_array_add (self->cells, g_strdup (_(figure->name)));
  g_ptr_array_add (self->cells, g_strdup (es_lab_curve_get_title (figure->experiment, figure->group)));
  g_ptr_array_add (self->cells, !at ? g_strdup ("") : whole ? format_plain (figure->x)
                                : es_format_value (figure->x, figure->x_unit));
  if (whole)
    g_ptr_array_add (self->cells, g_strdup (at && figure->x_unit != NULL ? figure->x_unit : ""));
  g_ptr_array_add (self->cells, whole ? format_plain (figure->value)
                                      : es_format_value (figure->value, figure->unit));
  if (whole)
    g_ptr_array_add (self->cells, g_strdup (figure->unit));
  for (guint i = 0; others != NULL && i < others->len; i++)
    add_other (self, figure, g_ptr_array_index (others, i), whole);
  self->n_rows++;
}

EsProfileSheet *
es_profile_sheet_new (EsDeviceProfile *profile, GPtrArray *others, gboolean whole)
{
  EsProfileSheet *self = g_new0 (EsProfileSheet, 1);

  self->titles = g_ptr_array_new_with_free_func (g_free);
  self->cells = g_ptr_array_new_with_free_func (g_free);
  add_titles (self, profile, others, whole);
  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    if (is_told (profile, es_device_profile_get (profile, i), whole))
      add_row (self, es_device_profile_get (profile, i), others, whole);
  return self;
}

void
es_profile_sheet_free (EsProfileSheet *self)
{
  g_ptr_array_unref (self->titles);
  g_ptr_array_unref (self->cells);
  g_free (self);
}

static void
append_field (GString *text, const char *field)
{
  if (strpbrk (field, ",\"\r\n") == NULL)
    {
      g_string_append (text, field);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *c = field; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *c);
    }
  g_string_append_c (text, '"');
}

char *
es_profile_sheet_to_csv (EsProfileSheet *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n_columns; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      append_field (text, g_ptr_array_index (self->titles, i));
    }
  g_string_append (text, "\r\n");
  for (guint i = 0; i < self->cells->len; i++)
    {
      append_field (text, g_ptr_array_index (self->cells, i));
      g_string_append (text, (i + 1) % self->n_columns == 0 ? "\r\n" : ",");
    }
  return g_string_free (text, FALSE);
}
