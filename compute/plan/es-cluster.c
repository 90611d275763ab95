/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A cluster's file: what it is made of, with profiles of devices in the place of figures. */

#include "es-cluster.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "advice/es-roofs.h"
#include "base/es-error.h"
#include "base/es-json.h"
#include "es-cluster-read-private.h"
#include "lab/es-machine-internal.h"

/* No machine is so fast, so large, or so slow. */
#define MOST_RATE 1e21
#define MOST_BYTES 1e18
#define LEAST_RATE 1.0
#define MOST_SECONDS 1e5
#define MOST_THREADS 65536
#define MOST_CARDS 64

const char *const _es_cluster_work_names[ES_N_WORK_TYPES] = {
  "float32_per_second", "float64_per_second", "int8_per_second", "int16_per_second"
};

const char *const _es_cluster_speed_names[3] = {
  "operations_per_second", "samples_per_second", "values_per_second"
};

const char *
es_cluster_kind_get_name (EsClusterKind kind)
{
  static const char *const names[ES_N_CLUSTER_KINDS] = {
    [ES_CLUSTER_NO_KIND] = "", [ES_CLUSTER_READING] = "reading", [ES_CLUSTER_WRITING] = "writing",
    [ES_CLUSTER_COVARIANCE_INT8] = "covariance-int8", [ES_CLUSTER_COVARIANCE_INT16] = "covariance-int16",
    [ES_CLUSTER_COVARIANCE_FLOAT32] = "covariance-float32", [ES_CLUSTER_NOISE_INT16] = "noise-int16",
    [ES_CLUSTER_NOISE_FLOAT32] = "noise-float32", [ES_CLUSTER_PROJECTION] = "projection",
    [ES_CLUSTER_ROTATION] = "rotation", [ES_CLUSTER_ITERATION] = "iteration", [ES_CLUSTER_MOMENTS] = "moments",
    [ES_CLUSTER_EIGENPROBLEM] = "eigenproblem", [ES_CLUSTER_TRANSFORM] = "transform", [ES_CLUSTER_BEAMS] = "beams",
    [ES_CLUSTER_MATRIX] = "matrix", [ES_CLUSTER_FACTOR] = "factor", [ES_CLUSTER_EIGENVALUES] = "eigenvalues",
    [ES_CLUSTER_SPECTRUM] = "spectrum", [ES_CLUSTER_SNAPSHOTS] = "snapshots",
    [ES_CLUSTER_ADDING] = "adding", [ES_CLUSTER_LINES] = "lines",
    [ES_CLUSTER_ENVELOPE] = "envelope", [ES_CLUSTER_LISTENING] = "listening",
  };

  return names[kind];
}

gboolean
es_cluster_speed_is_known (const EsClusterSpeed *self)
{
  return self->operations > 0 || self->samples > 0 || self->values > 0;
}

gboolean
es_cluster_has_speeds (const EsCluster *self)
{
  gboolean known = FALSE;

  for (guint kind = 0; kind < ES_N_CLUSTER_KINDS; kind++)
    known |= es_cluster_speed_is_known (&self->host.speeds[kind]);
  return known && self->cards == 0;
}

void
es_cluster_rates_multiply (EsClusterRates *self, double by)
{
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    self->operations[type] *= by;
  self->memory *= by;
  self->copy *= by;
  for (guint kind = 0; kind < ES_N_CLUSTER_KINDS; kind++)
    {
      self->speeds[kind].operations *= by;
      self->speeds[kind].samples *= by;
      self->speeds[kind].values *= by;
    }
}

void
es_cluster_free (EsCluster *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->processor);
  g_free (self->card_profile);
  g_free (self);
}

/* ---- profiles ---- */

static EsDeviceProfile *
find_profile (EsClusterReader *reader, const char *path, JsonNode *node, GFile *folder)
{
  const char *name = json_node_get_string (node);
  EsDeviceProfile *profile = es_device_profile_find_shipped (name);
  g_autoptr (GFile) file = folder != NULL ? g_file_resolve_relative_path (folder, name) : NULL;
  g_autoptr (GPtrArray) shipped = NULL;
  g_autoptr (GString) known = g_string_new (NULL);

  if (profile == NULL && file != NULL && g_file_query_exists (file, NULL))
    {
      /* What is wrong with it names it. */
      profile = es_device_profile_load (file, reader->error);
      reader->failed = profile == NULL;
      return profile;
    }
  if (profile != NULL)
    return profile;
  shipped = es_device_profiles_shipped ();
  for (guint i = 0; i < shipped->len; i++)
    g_string_append_printf (known, "%s“%s”", i > 0 ? ", " : "",
                            es_device_profile_get_name (g_ptr_array_index (shipped, i)));
  g_autofree char *expected = g_strdup_printf (_("a device whose profile is installed (%s), or the file of one"),
                                               known->str);
  _es_cluster_refuse_node (reader, path, node, expected);
  return NULL;
}

/* Of a processor the profile is of all its threads: a node with more of them has as many more units and channels. */
static void
take_processor (EsDeviceProfile *profile, guint threads, EsClusterRates *rates)
{
  const guint all = MAX (es_device_profile_get_machine (profile)->threads, 1);
  const double more = MAX ((double) threads / all, 1);
  EsRoofs roofs = { .on_cpu = TRUE };

  es_roofs_read (&roofs, profile, ES_ROOF_MEASURED, TRUE, MIN (threads, all));
  es_roofs_assume (&roofs, MIN (threads, all));
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    rates->operations[type] = roofs.host_operations[type].rate * more;
  rates->memory = roofs.host_memory.rate * more;
  rates->copy = MIN (roofs.host_copy.rate, roofs.one_copy.rate * MIN (threads, all)) * more;
}

static void
take_card (EsDeviceProfile *profile, EsClusterRates *rates)
{
  EsRoofs roofs = { 0 };

  es_roofs_read (&roofs, profile, ES_ROOF_MEASURED, FALSE, 0);
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    rates->operations[type] = roofs.operations[type].rate;
  rates->memory = roofs.memory.rate;
  rates->link_to = roofs.link_to.rate;
  rates->link_from = roofs.link_from.rate > 0 ? roofs.link_from.rate : roofs.link_to.rate;
  rates->launches = roofs.launches.rate;
}

/* ---- nodes ---- */

static void
read_rates (EsClusterReader *reader, JsonObject *object, const char *path, EsClusterRates *rates)
{
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    {
      const double otherwise = type == ES_WORK_INT8 ? rates->operations[ES_WORK_FLOAT32]
                               : type == ES_WORK_INT16 ? rates->operations[ES_WORK_INT8] : NAN;

      rates->operations[type] = _es_cluster_read_number (reader, object, path, _es_cluster_work_names[type],
                                                         LEAST_RATE, MOST_RATE, otherwise);
    }
  rates->memory = _es_cluster_read_number (reader, object, path, "memory_bytes_per_second", LEAST_RATE, MOST_RATE, NAN);
}

/* Of kinds of work; each need not be there, nor all of them. */
static void
read_speeds (EsClusterReader *reader, JsonObject *processor, EsClusterRates *rates)
{
  static const char path[] = "node.processor.speeds";
  JsonNode *member = _es_cluster_read_member (reader, processor, "node.processor", "speeds", FALSE);
  g_autoptr (GString) known = g_string_new (NULL);
  JsonObject *object;

  for (EsClusterKind kind = ES_CLUSTER_NO_KIND + 1; kind < ES_N_CLUSTER_KINDS; kind++)
    g_string_append_printf (known, "%s ", es_cluster_kind_get_name (kind));
  object = member != NULL ? _es_cluster_read_object (reader, member, path, known->str) : NULL;
  for (EsClusterKind kind = ES_CLUSTER_NO_KIND + 1; object != NULL && kind < ES_N_CLUSTER_KINDS; kind++)
    {
      EsClusterSpeed *speed = &rates->speeds[kind];
      double *const of[] = { &speed->operations, &speed->samples, &speed->values };
      const char *name = es_cluster_kind_get_name (kind);
      g_autofree char *place = g_strconcat (path, ".", name, NULL);
      JsonNode *node = _es_cluster_read_member (reader, object, path, name, FALSE);
      JsonObject *one = node != NULL
                        ? _es_cluster_read_object (reader, node, place, "operations_per_second samples_per_second "
                                                                        "values_per_second") : NULL;

      for (guint i = 0; one != NULL && i < G_N_ELEMENTS (of); i++)
        *of[i] = _es_cluster_read_number (reader, one, place, _es_cluster_speed_names[i], LEAST_RATE, MOST_RATE, 0);
    }
}

static void
read_processor (EsClusterReader *reader, JsonObject *node, GFile *folder, EsCluster *self)
{
  JsonNode *member = _es_cluster_read_member (reader, node, "node", "processor", TRUE);
  g_autoptr (EsDeviceProfile) profile = NULL;
  JsonObject *object;

  if (member == NULL)
    return;
  if (!JSON_NODE_HOLDS_OBJECT (member))
    {
      const char *name = _es_cluster_read_text (reader, node, "node", "processor", TRUE);

      profile = name != NULL ? find_profile (reader, "node.processor", member, folder) : NULL;
      if (profile == NULL)
        return;
      if (strcmp (es_device_profile_get_id (profile), "cpu") != 0)
        {
          _es_cluster_refuse_node (reader, "node.processor", member, _("a processor, not a card"));
          return;
        }
      self->processor = g_strdup (es_device_profile_get_name (profile));
      take_processor (profile, self->threads, &self->host);
      return;
    }
  object = _es_cluster_read_object (reader, member, "node.processor",
                                    "float32_per_second float64_per_second int8_per_second int16_per_second "
                                    "memory_bytes_per_second copy_bytes_per_second speeds");
  read_rates (reader, object, "node.processor", &self->host);
  self->host.copy = _es_cluster_read_number (reader, object, "node.processor", "copy_bytes_per_second", LEAST_RATE,
                                             MOST_RATE, self->host.memory / 2);
  read_speeds (reader, object, &self->host);
}

static void
read_cards (EsClusterReader *reader, JsonObject *node, GFile *folder, EsCluster *self)
{
  static const char path[] = "node.cards";
  JsonNode *member = _es_cluster_read_member (reader, node, "node", "cards", FALSE);
  g_autoptr (EsDeviceProfile) profile = NULL;
  JsonObject *object;
  const char *name;
  double memory = NAN;

  if (member == NULL)
    return;
  object = _es_cluster_read_object (reader, member, path,
                                    "count profile memory_bytes float32_per_second float64_per_second int8_per_second "
                                    "int16_per_second memory_bytes_per_second to_bytes_per_second "
                                    "from_bytes_per_second launches_per_second");
  self->cards = _es_cluster_read_count (reader, object, path, "count", 1, MOST_CARDS, 1);
  name = _es_cluster_read_text (reader, object, path, "profile", FALSE);
  if (name != NULL && (profile = find_profile (reader, "node.cards.profile", json_object_get_member (object, "profile"),
                                               folder)) != NULL)
    {
      if (strcmp (es_device_profile_get_id (profile), "cpu") == 0)
        {
          _es_cluster_refuse_node (reader, "node.cards.profile", json_object_get_member (object, "profile"),
                                   _("a card, not a processor"));
          return;
        }
      take_card (profile, &self->card);
      self->card_profile = g_strdup (es_device_profile_get_name (profile));
      memory = es_device_profile_get_machine (profile)->memory > 0
               ? (double) es_device_profile_get_machine (profile)->memory : NAN;
    }
  else if (name == NULL)
    {
      read_rates (reader, object, path, &self->card);
      self->card.link_to = _es_cluster_read_number (reader, object, path, "to_bytes_per_second", LEAST_RATE, MOST_RATE,
                                                    NAN);
      self->card.link_from = _es_cluster_read_number (reader, object, path, "from_bytes_per_second", LEAST_RATE,
                                                      MOST_RATE, self->card.link_to);
      self->card.launches = _es_cluster_read_number (reader, object, path, "launches_per_second", LEAST_RATE,
                                                     MOST_RATE, 2e5);
    }
  self->card_memory = _es_cluster_read_number (reader, object, path, "memory_bytes", 1e6, MOST_BYTES, memory);
  if (!reader->failed && !(self->card.operations[ES_WORK_FLOAT32] > 0 && self->card.memory > 0
                           && self->card.link_to > 0))
    _es_cluster_refuse_node (reader, "node.cards.profile", json_object_get_member (object, "profile"),
                             _("a card whose profile has arithmetic, memory and link, or figures in its place"));
}

static void
read_node (EsClusterReader *reader, JsonObject *root, GFile *folder, EsCluster *self)
{
  JsonNode *member = _es_cluster_read_member (reader, root, "", "node", TRUE);
  JsonObject *node = member == NULL ? NULL
                     : _es_cluster_read_object (reader, member, "node",
                                                "threads memory_bytes processes processor cards");
  g_autofree char *found = NULL;

  self->threads = _es_cluster_read_count (reader, node, "node", "threads", 1, MOST_THREADS, 0);
  if (!reader->failed && self->threads == 0)
    _es_cluster_refuse_node (reader, "node.threads", NULL, _("it to be there"));
  self->memory = _es_cluster_read_number (reader, node, "node", "memory_bytes", 1e6, MOST_BYTES, NAN);
  read_processor (reader, node, folder, self);
  read_cards (reader, node, folder, self);
  self->processes = _es_cluster_read_count (reader, node, "node", "processes", 1, MOST_THREADS, MAX (self->cards, 1));
  found = g_strdup_printf ("%u", self->processes);
  if (!reader->failed && self->cards > 0 && self->processes != self->cards)
    _es_cluster_refuse (reader, "node.processes", found, _("one process a card"));
  if (!reader->failed && self->processes > self->threads)
    _es_cluster_refuse (reader, "node.processes", found, _("no more processes than threads"));
}

/* ---- what is between them ---- */

static void
read_network (EsClusterReader *reader, JsonObject *root, EsCluster *self)
{
  JsonNode *member = _es_cluster_read_member (reader, root, "", "network", TRUE);
  JsonObject *object = member == NULL ? NULL
                       : _es_cluster_read_object (reader, member, "network", "latency_seconds bytes_per_second");

  self->latency = _es_cluster_read_number (reader, object, "network", "latency_seconds", 0, 10, NAN);
  self->bandwidth = _es_cluster_read_number (reader, object, "network", "bytes_per_second", LEAST_RATE, MOST_RATE, NAN);
}

static void
read_disk (EsClusterReader *reader, JsonObject *root, EsCluster *self)
{
  JsonNode *member = _es_cluster_read_member (reader, root, "", "disk", FALSE);
  JsonObject *object;

  if (member == NULL || JSON_NODE_HOLDS_NULL (member))
    return;
  object = _es_cluster_read_object (reader, member, "disk",
                                    "read_bytes_per_second write_bytes_per_second node_read_bytes_per_second "
                                    "node_write_bytes_per_second");
  self->has_disk = TRUE;
  self->read = _es_cluster_read_number (reader, object, "disk", "read_bytes_per_second", LEAST_RATE, MOST_RATE, NAN);
  self->write = _es_cluster_read_number (reader, object, "disk", "write_bytes_per_second", LEAST_RATE, MOST_RATE,
                                         self->read);
  self->node_read = _es_cluster_read_number (reader, object, "disk", "node_read_bytes_per_second", LEAST_RATE,
                                             MOST_RATE, self->read);
  self->node_write = _es_cluster_read_number (reader, object, "disk", "node_write_bytes_per_second", LEAST_RATE,
                                              MOST_RATE, MIN (self->write, self->node_read));
}

static void
read_start (EsClusterReader *reader, JsonObject *root, EsCluster *self)
{
  JsonNode *member = _es_cluster_read_member (reader, root, "", "start", FALSE);
  JsonObject *object = member == NULL ? NULL
                       : _es_cluster_read_object (reader, member, "start", "seconds seconds_per_process");

  if (object == NULL)
    return;
  self->start = _es_cluster_read_number (reader, object, "start", "seconds", 0, MOST_SECONDS, 0);
  self->start_process = _es_cluster_read_number (reader, object, "start", "seconds_per_process", 0, MOST_SECONDS, 0);
}

/* ---- all of it ---- */

static void
read_all (EsClusterReader *reader, JsonNode *node, GFile *folder, EsCluster *self)
{
  JsonObject *root = _es_cluster_read_object (reader, node, "", "format version name nodes node network disk start");
  const char *format = _es_cluster_read_text (reader, root, "", "format", TRUE);
  const char *name;

  if (format != NULL && strcmp (format, ES_CLUSTER_FORMAT) != 0)
    _es_cluster_refuse_node (reader, "format", json_object_get_member (root, "format"), "“" ES_CLUSTER_FORMAT "”");
  _es_cluster_read_number (reader, root, "", "version", ES_CLUSTER_VERSION, ES_CLUSTER_VERSION, NAN);
  name = _es_cluster_read_text (reader, root, "", "name", FALSE);
  self->name = g_strdup (name != NULL ? name : reader->file);
  self->nodes = _es_cluster_read_count (reader, root, "", "nodes", 1, ES_CLUSTER_MOST_NODES, ES_CLUSTER_MOST_NODES);
  read_node (reader, root, folder, self);
  read_network (reader, root, self);
  read_disk (reader, root, self);
  read_start (reader, root, self);
}

static EsCluster *
read_tree (JsonNode *root, const char *name, GFile *folder, GError **error)
{
  g_autoptr (EsCluster) self = g_new0 (EsCluster, 1);
  EsClusterReader reader = { .file = name, .error = error };

  read_all (&reader, root, folder, self);
  return reader.failed ? NULL : g_steal_pointer (&self);
}

EsCluster *
es_cluster_parse (const char *text, const char *name, GFile *folder, GError **error)
{
  g_autoptr (JsonNode) root = es_json_parse (text, strlen (text), name, error);

  return root != NULL ? read_tree (root, name, folder, error) : NULL;
}

EsCluster *
es_cluster_load (GFile *file, GError **error)
{
  g_autoptr (JsonNode) root = es_json_load (file, NULL, error);
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);

  return root != NULL ? read_tree (root, name, folder, error) : NULL;
}
