/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be said before hours of computing of the folder that a result is to go to. */

#include "base/es-error.h"
#include "base/es-file-name.h"
#include "saving/es-inputs-internal.h"
#include "saving/es-output-internal.h"
#include "result/es-saved-internal.h"
#include "es-writer.h"

static gboolean
check (const char *folder, const char *name, GError **error)
{
  if (name == NULL || !es_file_name_is_plain (name))
    return TRUE;

  g_autofree char *path = g_build_filename (folder, name, NULL);
  return es_inputs_check (path, error);
}

gboolean
es_write_result_check (GFile *directory, GError **error)
{
  static const char * const members[] = { "file", "picture", "table" };
  g_autofree char *folder = es_output_local_path (directory, error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "result.json", NULL) : NULL;
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *files, *layers;

  if (folder == NULL || !es_inputs_check (path, error))
    return FALSE;
  root = es_saved_parse (file, "result.json", NULL, NULL);
  if (root == NULL)
    return TRUE;
  const guint n_files = es_saved_get_array (json_node_get_object (root), "files", &files);
  const guint n_layers = es_saved_get_array (json_node_get_object (root), "layers", &layers);
  for (guint i = 0; i < n_files; i++)
    if (!check (folder, es_saved_get_string (es_saved_get_element (files, i), "name"), error))
      return FALSE;
  for (guint i = 0; i < n_layers; i++)
    for (guint k = 0; k < G_N_ELEMENTS (members); k++)
      if (!check (folder, es_saved_get_string (es_saved_get_element (layers, i), members[k]), error))
        return FALSE;
  return TRUE;
}
