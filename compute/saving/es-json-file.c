/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-json-file-internal.h"

#include <string.h>

#include "base/es-file-internal.h"
#include "base/es-json.h"
#include "es-output-internal.h"

gboolean
es_json_file_save (JsonNode *root, GFile *file, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (file, error), *text = NULL;
  const EsOutput *output;

  /* Beside a data set that is open: it is for that one. */
  es_outputs_permit_inputs (outputs);
  if (path == NULL || (output = es_outputs_add (outputs, path, FALSE, error)) == NULL)
    return FALSE;
  text = es_json_to_text (root);
  return es_file_write (output->fd, output->path, text, strlen (text), error) && es_outputs_commit (outputs, error);
}

GFile *
es_json_file_beside (GFile *dataset, const char *ending)
{
  g_autofree char *uri = g_file_get_uri (dataset);
  g_autofree char *path = g_file_get_path (dataset);
  g_autofree char *beside = g_strconcat (path != NULL ? path : uri, ending, NULL);

  return path != NULL ? g_file_new_for_path (beside) : g_file_new_for_uri (beside);
}
