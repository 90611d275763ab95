/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A comparison as a table, as JSON and as a command line; each is of one moment, also while it runs. */

#include "es-comparison-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"

EsTable *
es_comparison_make_table (EsComparison *self)
{
  g_autoptr (GRecMutexLocker) moment = g_rec_mutex_locker_new (&self->lock);
  EsTable *table = es_table_new ("comparison", _("Comparison of devices"));
  const guint n = es_comparison_get_n_contestants (self), steps = es_comparison_get_n_steps (self);
  g_autofree gconstpointer *cells = g_new0 (gconstpointer, n + 1);
  g_autofree double *values = g_new0 (double, n);
  g_autofree guint *columns = g_new0 (guint, n);
  guint finished = 0;

  es_table_add_column (table, _("Step"), NULL, -1);
  for (guint i = 0; i < n; i++)
    if (!isnan (es_comparison_get_total_ms (self, i)))
      {
        es_table_add_column (table, es_comparison_get_title (self, i), "ms", 1);
        columns[finished++] = i;
      }
  for (guint row = 0; row < steps + 2; row++)
    {
      cells[0] = row < steps ? es_comparison_get_step_title (self, row) : row == steps ? _("Total") : _("Speed-up (×)");
      for (guint c = 0; c < finished; c++)
        {
          values[c] = row < steps ? es_comparison_get_step_ms (self, columns[c], row)
                      : row == steps ? es_comparison_get_total_ms (self, columns[c])
                                     : es_comparison_get_speed_up (self, columns[c]);
          cells[c + 1] = &values[c];
        }
      es_table_add_row (table, cells);
    }
  return table;
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_number (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_contestant (JsonBuilder *builder, EsComparison *self, guint i)
{
  static const char *const states[] = { "waiting", "running", "done", "failed", "left-out" };
  EsDevice *device = es_comparison_get_device (self, i);
  const guint threads = es_comparison_get_threads (self, i);
  double fastest, slowest;

  json_builder_begin_object (builder);
  add_string (builder, "id", es_comparison_get_id (self, i));
  add_string (builder, "title", es_comparison_get_title (self, i));
  add_string (builder, "device", es_device_get_id (device));
  add_string (builder, "name", es_device_get_name (device));
  if (threads > 0)
    {
      json_builder_set_member_name (builder, "threads");
      json_builder_add_int_value (builder, threads);
    }
  add_string (builder, "state", states[es_comparison_get_state (self, i)]);
  if (es_comparison_get_error (self, i) != NULL)
    add_string (builder, "error", es_comparison_get_error (self, i));
  if (es_comparison_get_spread (self, i, &fastest, &slowest))
    {
      json_builder_set_member_name (builder, "steps");
      json_builder_begin_array (builder);
      for (guint step = 0; step < es_comparison_get_n_steps (self); step++)
        {
          json_builder_begin_object (builder);
          add_string (builder, "name", es_comparison_get_step_name (self, step));
          add_number (builder, "ms", es_comparison_get_step_ms (self, i, step));
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      add_number (builder, "total_ms", es_comparison_get_total_ms (self, i));
      add_number (builder, "fastest_ms", fastest);
      add_number (builder, "slowest_ms", slowest);
      add_number (builder, "speed_up", es_comparison_get_speed_up (self, i));
    }
  json_builder_end_object (builder);
}

JsonNode *
es_comparison_to_json (EsComparison *self)
{
  const EsOperation *operation = es_comparison_get_operation (self);
  EsParams *params = es_comparison_get_params (self);
  EsDataset *dataset = es_comparison_get_dataset (self);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_string (builder, "operation", operation->id);
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, operation->version);
  add_string (builder, "software", "Eigenscope " ES_VERSION);
  json_builder_set_member_name (builder, "parameters");
  json_builder_begin_object (builder);
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    {
      g_autofree char *value = es_params_format (params, spec->key);
      add_string (builder, spec->key, value);
    }
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "input");
  json_builder_begin_object (builder);
  add_string (builder, "name", es_dataset_get_name (dataset));
  add_string (builder, "identity", es_dataset_get_identity (dataset));
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "repeats");
  json_builder_add_int_value (builder, es_comparison_get_repeats (self));
  json_builder_set_member_name (builder, "contestants");
  json_builder_begin_array (builder);
  g_rec_mutex_lock (&self->lock);
  for (guint i = 0; i < es_comparison_get_n_contestants (self); i++)
    add_contestant (builder, self, i);
  g_rec_mutex_unlock (&self->lock);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

char *
es_comparison_to_command (EsComparison *self)
{
  g_autoptr (GString) line = g_string_new ("eigenscope-batch compare ");
  EsDataset *dataset = es_comparison_get_dataset (self);
  GFile *file = es_dataset_get_file (dataset);
  g_autofree char *path = file != NULL ? g_file_get_path (file) : NULL;
  g_autofree char *quoted = g_shell_quote (path != NULL ? path : es_dataset_get_name (dataset));

  g_string_append_printf (line, "%s %s --repeats %u", es_comparison_get_operation (self)->id, quoted,
                          es_comparison_get_repeats (self));
  es_result_append_source (line, dataset, es_comparison_get_params (self));
  return g_string_free (g_steal_pointer (&line), FALSE);
}
