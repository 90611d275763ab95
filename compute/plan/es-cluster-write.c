/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A cluster as a file of it, and those that are installed. */

#include "es-cluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-installed.h"
#include "es-cluster-read-private.h"

#define ENDING ".json"

EsCluster *
es_cluster_copy (const EsCluster *self)
{
  EsCluster *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->processor = g_strdup (self->processor);
  copy->card_profile = g_strdup (self->card_profile);
  return copy;
}

/* ---- as a file ---- */

static void
set_rates (JsonObject *object, const EsClusterRates *rates)
{
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    json_object_set_double_member (object, _es_cluster_work_names[type], rates->operations[type]);
  json_object_set_double_member (object, "memory_bytes_per_second", rates->memory);
}

/* Of what was measured; what costs nothing is left out. */
static JsonObject *
make_speeds (const EsClusterRates *rates)
{
  JsonObject *object = json_object_new ();

  for (EsClusterKind kind = ES_CLUSTER_NO_KIND + 1; kind < ES_N_CLUSTER_KINDS; kind++)
    {
      const EsClusterSpeed *speed = &rates->speeds[kind];
      const double of[] = { speed->operations, speed->samples, speed->values };
      JsonObject *one;

      if (!es_cluster_speed_is_known (speed))
        continue;
      one = json_object_new ();
      for (guint i = 0; i < G_N_ELEMENTS (of); i++)
        if (of[i] > 0)
          json_object_set_double_member (one, _es_cluster_speed_names[i], of[i]);
      json_object_set_object_member (object, es_cluster_kind_get_name (kind), one);
    }
  return object;
}

static JsonObject *
make_cards (const EsCluster *self)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "count", self->cards);
  set_rates (object, &self->card);
  json_object_set_double_member (object, "to_bytes_per_second", self->card.link_to);
  json_object_set_double_member (object, "from_bytes_per_second", self->card.link_from);
  json_object_set_double_member (object, "launches_per_second", self->card.launches);
  json_object_set_double_member (object, "memory_bytes", self->card_memory);
  return object;
}

static JsonObject *
make_node (const EsCluster *self)
{
  JsonObject *object = json_object_new (), *processor = json_object_new ();

  set_rates (processor, &self->host);
  json_object_set_double_member (processor, "copy_bytes_per_second", self->host.copy);
  if (es_cluster_speed_is_known (&self->host.speeds[ES_CLUSTER_READING]))
    json_object_set_object_member (processor, "speeds", make_speeds (&self->host));
  json_object_set_int_member (object, "threads", self->threads);
  json_object_set_double_member (object, "memory_bytes", self->memory);
  json_object_set_int_member (object, "processes", self->processes);
  json_object_set_object_member (object, "processor", processor);
  if (self->cards > 0)
    json_object_set_object_member (object, "cards", make_cards (self));
  return object;
}

static JsonObject *
make_disk (const EsCluster *self)
{
  JsonObject *object = json_object_new ();

  json_object_set_double_member (object, "read_bytes_per_second", self->read);
  json_object_set_double_member (object, "write_bytes_per_second", self->write);
  json_object_set_double_member (object, "node_read_bytes_per_second", self->node_read);
  json_object_set_double_member (object, "node_write_bytes_per_second", self->node_write);
  return object;
}

JsonNode *
es_cluster_to_json (const EsCluster *self)
{
  JsonObject *root = json_object_new (), *network = json_object_new (), *start = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_object_set_string_member (root, "format", ES_CLUSTER_FORMAT);
  json_object_set_int_member (root, "version", ES_CLUSTER_VERSION);
  json_object_set_string_member (root, "name", self->name);
  json_object_set_int_member (root, "nodes", self->nodes);
  json_object_set_object_member (root, "node", make_node (self));
  json_object_set_double_member (network, "latency_seconds", self->latency);
  json_object_set_double_member (network, "bytes_per_second", self->bandwidth);
  json_object_set_object_member (root, "network", network);
  if (self->has_disk)
    json_object_set_object_member (root, "disk", make_disk (self));
  json_object_set_double_member (start, "seconds", self->start);
  json_object_set_double_member (start, "seconds_per_process", self->start_process);
  json_object_set_object_member (root, "start", start);
  json_node_take_object (node, root);
  return node;
}

/* ---- installed ---- */

GFile *
es_cluster_find_installed (const char *name)
{
  g_autofree char *folder = es_installed_find_data ("clusters"), *file = g_strconcat (name, ENDING, NULL);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, file, NULL) : NULL;

  if (strchr (name, G_DIR_SEPARATOR) != NULL || path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  return g_file_new_for_path (path);
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
es_cluster_list_installed (void)
{
  g_autofree char *folder = es_installed_find_data ("clusters");
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  GPtrArray *names = g_ptr_array_new ();
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (file, ENDING) && g_utf8_validate (file, -1, NULL))
      g_ptr_array_add (names, g_strndup (file, strlen (file) - strlen (ENDING)));
  if (names->len > 1)
    qsort (names->pdata, names->len, sizeof (gpointer), compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}
