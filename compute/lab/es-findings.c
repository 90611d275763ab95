/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-findings-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "es-shown-unit.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"

struct _EsFindings
{
  const EsOperation *operation;
  GPtrArray         *groups;   /* const EsFindingsGroup */
  GArray            *figures;  /* EsFigure */
};

EsFindings *
es_findings_new (const EsOperation *operation)
{
  EsFindings *self = g_new (EsFindings, 1);

  self->operation = operation;
  self->groups = g_ptr_array_new ();
  self->figures = g_array_new (FALSE, FALSE, sizeof (EsFigure));
  g_array_set_clear_func (self->figures, es_figure_clear);
  return self;
}

void
es_findings_free (EsFindings *self)
{
  g_ptr_array_unref (self->groups);
  g_array_unref (self->figures);
  g_free (self);
}

void
es_findings_open (EsFindings *self, const EsFindingsGroup *group)
{
  g_ptr_array_add (self->groups, (gpointer) group);
}

void
es_findings_add (EsFindings *self, const char *name, double x, const EsMeasured *measured, double scale)
{
  const EsFindingsGroup *group = g_ptr_array_index (self->groups, self->groups->len - 1);
  const EsFigure figure = {
    g_strdup (self->operation->id), g_strdup (name), g_strdup (group->name), x, g_strdup (group->x_unit),
    measured->median * scale, g_strdup (group->unit), measured->least * scale, measured->most * scale,
    measured->repeats,
  };

  g_array_append_val (self->figures, figure);
}

guint
es_findings_get_n (EsFindings *self)
{
  return self->figures->len;
}

static gboolean
is_of (const EsFigure *figure, const char *group, const char *name)
{
  return g_str_equal (figure->group, group) && (name == NULL || g_str_equal (figure->name, name));
}

double
es_findings_get (EsFindings *self, const char *group, const char *name, double x)
{
  for (guint i = 0; i < self->figures->len; i++)
    {
      const EsFigure *figure = &g_array_index (self->figures, EsFigure, i);

      if (is_of (figure, group, name) && (isnan (x) ? isnan (figure->x) : fabs (figure->x - x) <= 1e-9 * fabs (x)))
        return figure->value;
    }
  return NAN;
}

static int
compare_figures (const void *a, const void *b)
{
  const EsFigure *x = *(EsFigure * const *) a, *y = *(EsFigure * const *) b;

  return x->x < y->x ? -1 : x->x > y->x;
}

static GPtrArray *
series_of (EsFindings *self, const char *group, const char *name)
{
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < self->figures->len; i++)
    if (is_of (&g_array_index (self->figures, EsFigure, i), group, name))
      g_ptr_array_add (found, &g_array_index (self->figures, EsFigure, i));
  if (found->len > 0)
    qsort (found->pdata, found->len, sizeof (gpointer), compare_figures);
  return found;
}

guint
es_findings_get_series (EsFindings *self, const char *group, const char *name, double **x, double **values)
{
  g_autoptr (GPtrArray) found = series_of (self, group, name);

  *x = g_new (double, found->len + 1);
  *values = g_new (double, found->len + 1);
  for (guint i = 0; i < found->len; i++)
    {
      const EsFigure *figure = g_ptr_array_index (found, i);

      (*x)[i] = figure->x;
      (*values)[i] = figure->value;
    }
  return found->len;
}

/* Names of a group's series, in the order in which they were measured. Borrowed. */
static GPtrArray *
names_of (EsFindings *self, const EsFindingsGroup *group)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < self->figures->len; i++)
    {
      const EsFigure *figure = &g_array_index (self->figures, EsFigure, i);

      if (is_of (figure, group->name, NULL)
          && !g_ptr_array_find_with_equal_func (names, figure->name, g_str_equal, NULL))
        g_ptr_array_add (names, figure->name);
    }
  return names;
}

/* What all figures of a group are shown in. */
static const char *
find_unit (GPtrArray *all, const EsFindingsGroup *group, double *factor)
{
  double largest = 0;

  for (guint i = 0; i < all->len; i++)
    largest = MAX (largest, ((const EsFigure *) g_ptr_array_index (all, i))->value);
  return es_shown_unit (group->unit, largest, factor);
}

const char *
es_findings_group_get_x_unit (const EsFindingsGroup *group)
{
  g_autofree char *title = g_utf8_strdown (group->x_title != NULL ? group->x_title : "", -1);
  double factor;

  return group->x_unit != NULL && strlen (group->x_unit) > 2 && strstr (title, group->x_unit) != NULL
         ? NULL : es_shown_unit (group->x_unit, 1, &factor);
}

static EsLayer *
make_curve (EsFindings *self, const EsFindingsGroup *group, GPtrArray *names)
{
  g_autoptr (GPtrArray) all = series_of (self, group->name, NULL);
  g_autofree double *x = g_new (double, all->len), *y = g_new (double, all->len);
  double factor;
  const char *unit = find_unit (all, group, &factor);
  EsCurve *curve;
  guint n = 0;

  for (guint i = 0; i < all->len; i++)
    {
      const EsFigure *figure = g_ptr_array_index (all, i);
      if (n == 0 || figure->x > x[n - 1])
        x[n++] = figure->x;
    }
  curve = es_curve_new (group->name, g_dgettext (GETTEXT_PACKAGE, group->title), "experiment", n, x,
                        g_dgettext (GETTEXT_PACKAGE, group->x_title), es_findings_group_get_x_unit (group));
  es_curve_set_y_title (curve, g_dgettext (GETTEXT_PACKAGE, group->y_title));
  for (guint k = 0; k < names->len; k++)
    {
      const char *name = g_ptr_array_index (names, k);

      for (guint i = 0; i < n; i++)
        y[i] = es_findings_get (self, group->name, name, x[i]) * factor;
      es_curve_add_series (curve, g_dgettext (GETTEXT_PACKAGE, name), unit, ES_CURVE_LINE, FALSE, y);
    }
  es_curve_set_log_y (curve, group->log_y);
  return ES_LAYER (curve);
}

/* Of four digits; the least and the most of a row have as many behind the point. */
static int
count_decimals (double value)
{
  return value == 0 || floor (value) == value ? 0 : CLAMP (3 - (int) floor (log10 (fabs (value))), 0, 9);
}

static EsLayer *
make_table (EsFindings *self, const EsFindingsGroup *group)
{
  g_autoptr (GPtrArray) all = series_of (self, group->name, NULL);
  EsTable *table = es_table_new (group->name, g_dgettext (GETTEXT_PACKAGE, group->title));
  double factor;
  const char *unit = find_unit (all, group, &factor);

  es_table_add_column (table, _("What"), NULL, -1);
  es_table_add_column (table, g_dgettext (GETTEXT_PACKAGE, group->y_title), unit, -1);
  es_table_add_column (table, _("Least"), unit, -1);
  es_table_add_column (table, _("Most"), unit, -1);
  es_table_add_column (table, _("Repeats"), NULL, 0);
  for (guint i = 0; i < self->figures->len; i++)
    {
      const EsFigure *figure = &g_array_index (self->figures, EsFigure, i);
      const double repeats = figure->repeats;
      char value[32], least[32], most[32];
      int decimals;

      if (!is_of (figure, group->name, NULL))
        continue;
      decimals = count_decimals (figure->value * factor);
      if (decimals == 0)
        decimals = count_decimals (figure->least * factor);
      g_snprintf (value, sizeof value, "%.*f", decimals, figure->value * factor);
      g_snprintf (least, sizeof least, "%.*f", decimals, figure->least * factor);
      g_snprintf (most, sizeof most, "%.*f", decimals, figure->most * factor);
      es_table_add_row (table, (gconstpointer[]) { g_dgettext (GETTEXT_PACKAGE, figure->name), value, least, most,
                                                   &repeats });
    }
  return ES_LAYER (table);
}

void
es_findings_publish (EsFindings *self, EsVerdict *verdict, EsResult *result)
{
  if (verdict != NULL)
    es_result_add_layer (result, ES_LAYER (verdict));
  for (guint i = 0; i < self->groups->len; i++)
    {
      const EsFindingsGroup *group = g_ptr_array_index (self->groups, i);
      g_autoptr (GPtrArray) names = names_of (self, group);
      g_autoptr (EsLayer) layer = names->len == 0 || group->title == NULL ? NULL
                                  : group->x_title != NULL ? make_curve (self, group, names) : make_table (self, group);

      if (layer != NULL)
        es_result_add_layer (result, layer);
    }
  json_object_set_array_member (es_result_get_values (result), "figures", es_figures_write (self->figures));
}
