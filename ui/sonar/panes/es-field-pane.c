/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-field-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-format.h"
#include "charts/es-map-view.h"
#include "sonar/display/es-sonar-look.h"

#define BYTES_AT_ONCE (256u << 10)

struct _EsFieldPane
{
  EsSonarPane  parent_instance;

  EsField     *field;
  EsHeatmap   *map;
  EsMapView   *view;
  float       *values;
  guint        done, n_rows, n_columns, at_once;
  double       low, high;
};

G_DEFINE_FINAL_TYPE (EsFieldPane, es_field_pane, ES_TYPE_SONAR_PANE)

/* A far range cannot be drawn to scale: such rows have names. */
static void
set_rows (EsFieldPane *self, const EsAxis *axis)
{
  g_autoptr (GStrvBuilder) builder = NULL;
  g_auto (GStrv) names = NULL;
  gboolean finite = TRUE;

  for (guint i = 0; i < axis->n; i++)
    finite = finite && isfinite (axis->values[i]);
  if (finite)
    {
      es_map_view_set_y_values (self->view, axis->title, axis->unit, axis->n, axis->values);
      return;
    }
  builder = g_strv_builder_new ();
  for (guint i = 0; i < axis->n; i++)
    {
      g_autofree char *number = es_format_number (axis->values[i], 0);
      g_autofree char *name = axis->unit != NULL ? g_strdup_printf ("%s %s", number, axis->unit)
                                                 : g_steal_pointer (&number);

      g_strv_builder_add (builder, isfinite (axis->values[i]) ? name : C_("range", "far"));
    }
  names = g_strv_builder_end (builder);
  es_map_view_set_y_names (self->view, axis->title, (const char *const *) names, 0);
}

EsField *
es_field_pane_get_field (EsFieldPane *self)
{
  g_return_val_if_fail (ES_IS_FIELD_PANE (self), NULL);
  return self->field;
}

void
es_field_pane_set_field (EsFieldPane *self, EsField *field)
{
  const EsAxis *columns;

  g_return_if_fail (ES_IS_FIELD_PANE (self));
  g_return_if_fail (field == NULL || ES_IS_FIELD (field));

  if (!g_set_object (&self->field, field))
    return;
  self->done = self->n_rows = self->n_columns = 0;
  self->low = self->high = NAN;
  es_sonar_pane_set_title (ES_SONAR_PANE (self), field != NULL ? es_layer_get_title (ES_LAYER (field)) : _("Field"));
  if (field != NULL)
    {
      columns = es_field_get_columns (field);
      self->n_rows = es_field_get_rows (field)->n;
      self->n_columns = columns->n;
      self->at_once = (guint) CLAMP (BYTES_AT_ONCE / (sizeof (float) * MAX (columns->n, 1)), 1, 4096);
      self->values = g_renew (float, self->values, (gsize) self->at_once * MAX (columns->n, 1));
      es_map_view_set_x_axis (self->view, columns->title, columns->unit, columns->n, columns->values);
      set_rows (self, es_field_get_rows (field));
      es_map_view_set_unit (self->view, es_field_get_reference (field) != NULL ? "dB" : es_field_get_unit (field));
      if (es_field_get_reference (field) != NULL)
        {
          g_autofree char *unit = g_strdup_printf (_("dB re %s"), es_field_get_reference (field));

          es_map_view_set_unit (self->view, unit);
        }
    }
  es_map_view_set_message (self->view, self->n_rows > 0 && self->n_columns > 0 ? NULL : _("No data"));
  es_heatmap_reset (self->map, self->n_columns, 0, field != NULL && es_field_get_reference (field) != NULL);
  if (self->n_columns > 0)
    es_heatmap_extend (self->map, self->n_rows);
  es_sonar_pane_mark (ES_SONAR_PANE (self), ES_SONAR_CHANGE_HISTORY);
}

static void
fit (EsFieldPane *self)
{
  float minimum, maximum;

  if (self->field == NULL || self->done == 0)
    return;
  if (es_field_get_reference (self->field) != NULL)
    {
      es_sonar_look_fit (es_sonar_look_of (self), self->map, 0, self->n_rows, FALSE, &self->low, &self->high);
      return;
    }
  /* No powers: from the least to the most. */
  es_heatmap_set_colormap (self->map, es_sonar_look_get_colormap (es_sonar_look_of (self)));
  if (es_heatmap_find_range (self->map, 0, self->n_rows, &minimum, &maximum))
    es_heatmap_set_range (self->map, minimum, maximum);
}

static void
es_field_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  fit (ES_FIELD_PANE (pane));
}

static gboolean
es_field_pane_work (EsSonarPane *pane, gint64 until)
{
  EsFieldPane *self = ES_FIELD_PANE (pane);
  gboolean any = self->done < self->n_rows;

  while (self->done < self->n_rows)
    {
      guint n = MIN (self->at_once, self->n_rows - self->done);
      g_autoptr (GError) error = NULL;

      if (!es_field_read (self->field, self->done, n, self->values, &error))
        {
          es_map_view_set_message (self->view, error != NULL ? error->message : _("No data"));
          self->n_rows = self->done;
          break;
        }
      for (guint i = 0; i < n; i++)
        es_heatmap_set_row (self->map, self->done + i, self->values + (gsize) i * self->n_columns);
      self->done += n;
      if (g_get_monotonic_time () >= until)
        break;
    }
  if (any)
    fit (self);
  return self->done < self->n_rows;
}

static char *
describe (gpointer data, double column, double row)
{
  EsFieldPane *self = ES_FIELD_PANE (data);
  guint at = (guint) column, line = (guint) MAX (row, 0);

  if (self->field == NULL || at >= self->n_columns || line >= self->n_rows)
    return NULL;
  {
    const EsAxis *x = es_field_get_columns (self->field), *y = es_field_get_rows (self->field);
    gboolean level = es_field_get_reference (self->field) != NULL;
    const char *unit = es_field_get_unit (self->field);
    double value = es_heatmap_get_value (self->map, at, line);
    g_autofree char *first = es_format_number (x->values[at], 0), *second = es_format_number (y->values[line], 0);
    g_autofree char *third = level ? es_sonar_format_level (value) : es_format_number (value, 0);

    return g_strdup_printf ("%s %s  %s %s  %s %s", first, x->unit != NULL ? x->unit : "", second,
                            y->unit != NULL ? y->unit : "", third,
                            level ? "dB" : unit != NULL ? unit : "");
  }
}

static char *
es_field_pane_to_text (EsSonarPane *pane, char separator)
{
  EsFieldPane *self = ES_FIELD_PANE (pane);
  const double *x, *y;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text;

  if (self->field == NULL || self->done == 0)
    return NULL;
  x = es_field_get_columns (self->field)->values;
  y = es_field_get_rows (self->field)->values;
  text = g_string_new (NULL);
  for (guint c = 0; c < self->n_columns; c++)
    es_sonar_append_number (text, separator, x[c]);
  g_string_append_c (text, '\n');
  for (guint row = 0; row < self->done; row++)
    {
      g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", y[row]));
      es_sonar_append_map_row (text, separator, self->map, row, self->n_columns);
    }
  return g_string_free (text, FALSE);
}

static void
es_field_pane_finalize (GObject *object)
{
  EsFieldPane *self = ES_FIELD_PANE (object);

  g_clear_object (&self->field);
  g_clear_object (&self->map);
  g_free (self->values);
  G_OBJECT_CLASS (es_field_pane_parent_class)->finalize (object);
}

static void
es_field_pane_class_init (EsFieldPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_field_pane_finalize;
  ES_SONAR_PANE_CLASS (klass)->update = es_field_pane_update;
  ES_SONAR_PANE_CLASS (klass)->work = es_field_pane_work;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_field_pane_to_text;
}

static void
es_field_pane_init (EsFieldPane *self)
{
  self->low = self->high = NAN;
}

EsSonarPane *
es_field_pane_new (EsSonarDisplay *display)
{
  EsFieldPane *self = g_object_new (ES_TYPE_FIELD_PANE, NULL);

  self->map = es_heatmap_new ();
  self->view = ES_MAP_VIEW (es_map_view_new (self->map, 200));
  es_map_view_set_describe (self->view, describe, self);
  es_map_view_set_message (self->view, _("No data"));
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, "field", _("Field"), GTK_WIDGET (self->view));
  return ES_SONAR_PANE (self);
}
