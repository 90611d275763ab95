/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-batch-machine.h"

EsDataset *
es_batch_machine_open (GPtrArray *files, gboolean *is_one, GError **error)
{
  GFile *file = g_ptr_array_index (files, 0);
  g_autofree char *name = g_file_get_basename (file), *here = g_get_current_dir ();
  g_autoptr (GFile) folder = g_file_get_parent (file), where = g_file_new_for_path (here);

  *is_one = files->len == 1 && es_machine_is_name (name) && folder != NULL && g_file_equal (folder, where)
            && !g_file_query_exists (file, NULL);
  return *is_one ? (EsDataset *) es_machine_open (name, error) : NULL;
}

void
es_batch_machine_print (EsMachine *machine)
{
  g_auto (GStrv) facts = es_machine_list_facts (machine);

  for (guint i = 0; facts[i] != NULL && facts[i + 1] != NULL; i += 2)
    g_print ("%s: %s\n", facts[i], facts[i + 1]);
}

JsonNode *
es_batch_machine_json (EsMachine *machine)
{
  g_auto (GStrv) facts = es_machine_list_facts (machine);
  JsonObject *root = json_object_new (), *told = json_object_new ();
  JsonNode *node = json_node_init_object (json_node_alloc (), root);

  json_object_set_string_member (root, "kind", "device");
  json_object_set_string_member (root, "id", es_machine_get_id (machine));
  json_object_set_string_member (root, "name", es_dataset_get_name (ES_DATASET (machine)));
  json_object_set_string_member (root, "identity", es_dataset_get_identity (ES_DATASET (machine)));
  for (guint i = 0; facts[i] != NULL && facts[i + 1] != NULL; i += 2)
    json_object_set_string_member (told, facts[i], facts[i + 1]);
  json_object_set_object_member (root, "facts", told);
  json_object_unref (root);
  return node;
}
