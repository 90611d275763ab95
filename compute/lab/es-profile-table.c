/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-profile-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "layer/es-layer-internal.h"

#define NOTHING "–"

static gboolean
is_of (const EsFigure *figure, const char *experiment, const char *group)
{
  return strcmp (figure->experiment, experiment) == 0 && (group == NULL || strcmp (figure->group, group) == 0);
}

/* It stands for itself, or is all that there is of its series. */
static gboolean
is_single (EsDeviceProfile *profile, const EsFigure *figure)
{
  if (isnan (figure->x))
    return TRUE;
  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    {
      const EsFigure *other = es_device_profile_get (profile, i);

      if (other != figure && is_of (other, figure->experiment, figure->group)
          && strcmp (other->name, figure->name) == 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_single (EsDeviceProfile *profile, const char *experiment, const char *group)
{
  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    if (is_of (es_device_profile_get (profile, i), experiment, group)
        && is_single (profile, es_device_profile_get (profile, i)))
      return TRUE;
  return FALSE;
}

char **
es_profile_table_groups (EsDeviceProfile *own, const char *experiment, GPtrArray *others)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint k = 0; k <= others->len; k++)
    {
      EsDeviceProfile *profile = k == 0 ? own : g_ptr_array_index (others, k - 1);

      for (guint i = 0; i < es_device_profile_get_n (profile); i++)
        {
          const EsFigure *figure = es_device_profile_get (profile, i);
          gboolean any = FALSE;

          if (!is_of (figure, experiment, NULL) || !g_hash_table_add (seen, figure->group))
            continue;
          for (guint o = 0; o < others->len && !any; o++)
            any = has_single (g_ptr_array_index (others, o), experiment, figure->group);
          if (any)
            g_strv_builder_add (builder, figure->group);
        }
    }
  return g_strv_builder_end (builder);
}

/* ---- rows ---- */

static gboolean
is_row (GPtrArray *rows, const EsFigure *figure)
{
  for (guint i = 0; i < rows->len; i++)
    {
      const EsFigure *row = g_ptr_array_index (rows, i);

      if (strcmp (row->name, figure->name) == 0
          && (isnan (row->x) ? isnan (figure->x) : fabs (row->x - figure->x) <= 0.01 * fabs (row->x)))
        return TRUE;
    }
  return FALSE;
}

/* In this machine's order what it has as well, then what the others alone have. Borrowed. */
static GPtrArray *
find_rows (EsDeviceProfile *own, const char *experiment, const char *group, GPtrArray *others)
{
  g_autoptr (GPtrArray) wanted = g_ptr_array_new ();
  GPtrArray *rows = g_ptr_array_new ();

  for (guint k = 0; k <= others->len; k++)
    {
      EsDeviceProfile *profile = k < others->len ? g_ptr_array_index (others, k) : own;

      for (guint i = 0; i < es_device_profile_get_n (profile); i++)
        {
          const EsFigure *figure = es_device_profile_get (profile, i);

          /* Of one's own curves only the points that another machine's single one lies beside. */
          if (is_of (figure, experiment, group) && is_single (profile, figure) && (k < others->len || isnan (figure->x))
              && !is_row (wanted, figure))
            g_ptr_array_add (wanted, (gpointer) figure);
        }
    }
  for (guint i = 0; i < es_device_profile_get_n (own); i++)
    if (is_of (es_device_profile_get (own, i), experiment, group) && is_row (wanted, es_device_profile_get (own, i)))
      g_ptr_array_add (rows, (gpointer) es_device_profile_get (own, i));
  for (guint i = 0; i < wanted->len; i++)
    if (!is_row (rows, g_ptr_array_index (wanted, i)))
      g_ptr_array_add (rows, g_ptr_array_index (wanted, i));
  return rows;
}

static char *
title_of (const EsFigure *row)
{
  const char *name = g_dgettext (GETTEXT_PACKAGE, row->name);
  g_autofree char *at = NULL;

  if (isnan (row->x))
    return g_strdup (name);
  at = strcmp (row->x_unit, "B") == 0 ? g_format_size_full ((guint64) row->x, G_FORMAT_SIZE_IEC_UNITS)
       : strcmp (row->x_unit, "1") == 0 ? g_strdup_printf ("%.10g", row->x)
       : g_strdup_printf ("%.10g %s", row->x, row->x_unit);
  /* TRANSLATORS: a figure, and where on its curve it is: "Pageable, 64 MiB". */
  return g_strdup_printf (_("%s, %s"), name, at);
}

static void
add_row (EsTable *table, EsDeviceProfile *own, GPtrArray *shown, const EsFigure *row, const char *unit)
{
  const EsFigure *mine = es_device_profile_find (own, row->experiment, row->group, row->name, row->x);
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (cells, title_of (row));
  g_ptr_array_add (cells, mine != NULL ? g_strdup_printf ("%.4g", mine->value) : g_strdup (NOTHING));
  for (guint i = 0; i < shown->len; i++)
    {
      const EsFigure *other = es_device_profile_find (g_ptr_array_index (shown, i), row->experiment, row->group,
                                                      row->name, row->x);
      const gboolean fits = other != NULL && strcmp (other->unit, unit) == 0;

      g_ptr_array_add (cells, fits ? g_strdup_printf ("%.4g", other->value) : g_strdup (NOTHING));
      g_ptr_array_add (cells, fits && mine != NULL && other->value > 0
                              ? g_strdup_printf ("%.3g", mine->value / other->value) : g_strdup (NOTHING));
    }
  es_table_add_row (table, (const gconstpointer *) cells->pdata);
}

EsTable *
es_profile_table_new (EsDeviceProfile *own, const char *experiment, const char *group, const char *title,
                      GPtrArray *others)
{
  g_autoptr (GPtrArray) shown = g_ptr_array_new (), rows = NULL;
  EsTable *table;
  const char *unit;

  for (guint i = 0; i < others->len; i++)
    if (has_single (g_ptr_array_index (others, i), experiment, group))
      g_ptr_array_add (shown, g_ptr_array_index (others, i));
  if (shown->len == 0)
    return NULL;
  rows = find_rows (own, experiment, group, shown);
  unit = ((const EsFigure *) g_ptr_array_index (rows, 0))->unit;

  table = es_table_new (group, title);
  es_table_add_column (table, _("What"), NULL, -1);
  es_table_add_column (table, es_device_profile_get_name (own), unit, -1);
  for (guint i = 0; i < shown->len; i++)
    {
      const char *name = es_device_profile_get_name (g_ptr_array_index (shown, i));
      /* TRANSLATORS: a column: how many times as much as on the machine of that name */
      g_autofree char *times = g_strdup_printf (_("times %s"), name);

      es_table_add_column (table, name, unit, -1);
      es_table_add_column (table, times, NULL, -1);
    }
  for (guint i = 0; i < rows->len; i++)
    add_row (table, own, shown, g_ptr_array_index (rows, i), unit);
  return table;
}
