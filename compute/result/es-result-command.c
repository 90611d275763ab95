/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The line of eigenscope-batch that does the same again. */

#include "es-result-private.h"

#include <string.h>

#include "dataset/es-dataset-internal.h"

static void
append_source (GString *line, EsDataset *dataset, EsParams *params, JsonObject *values)
{
  _es_dataset_append_input_of (dataset, line, values);
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (es_params_is_visible (params, spec->key) && !es_params_is_key_default (params, spec->key))
      {
        g_autofree char *value = es_params_format (params, spec->key);
        g_autofree char *quoted = g_shell_quote (value);
        g_string_append_printf (line, " %s=%s", spec->key, es_param_type_is_text (spec->type) ? quoted : value);
      }
}

void
es_result_append_source (GString *line, EsDataset *dataset, EsParams *params)
{
  append_source (line, dataset, params, NULL);
}

static char *
make_command (const EsOperation *operation, EsDataset *dataset, EsParams *params, const char *device_id,
              JsonObject *values)
{
  g_autoptr (GString) line = g_string_new ("eigenscope-batch run ");

  g_string_append_printf (line, "%s ", operation->id);
  _es_dataset_append_files (dataset, line);
  g_string_append_printf (line, " -o %s-result", operation->id);
  if (device_id != NULL)
    {
      /* A loaded result may be forged. */
      const gboolean plain = strspn (device_id, "abcdefghijklmnopqrstuvwxyz0123456789:") == strlen (device_id);
      g_autofree char *quoted_id = g_shell_quote (device_id);
      g_string_append_printf (line, " --device %s", plain ? device_id : quoted_id);
    }

  append_source (line, dataset, params, values);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

char *
es_operation_to_command (const EsOperation *operation, EsDataset *dataset, EsParams *params, const char *device_id)
{
  return make_command (operation, dataset, params, device_id, NULL);
}

char *
es_result_to_command (EsResult *self)
{
  return make_command (self->operation, self->dataset, self->params, self->device_id, self->values);
}
