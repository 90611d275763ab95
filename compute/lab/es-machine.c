/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "dataset/es-dataset-internal.h"
#include "device/es-device-internal.h"
#include "es-machine-internal.h"
#include "result/es-saved-internal.h"

/* What part of its memory the same machine may have more or less of. */
#define SAME_MEMORY 16

struct _EsMachine
{
  EsDataset      parent_instance;

  char          *id;
  GMutex         lock;
  EskLabMachine  facts;
  gboolean       measured;
};

G_DEFINE_FINAL_TYPE (EsMachine, es_machine, ES_TYPE_DATASET)

static void
es_machine_finalize (GObject *object)
{
  EsMachine *self = ES_MACHINE (object);

  g_free (self->id);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (es_machine_parent_class)->finalize (object);
}

static char *
describe (EsDataset *dataset)
{
  EsMachine *self = ES_MACHINE (dataset);
  EsDevice *device = es_machine_is_here (self) ? es_device_find (self->id, NULL) : NULL;

  return device != NULL ? g_strdup (es_device_get_detail (device)) : g_strdup (_("A device that is not here"));
}

static char *
shape (EsDataset *dataset)
{
  return g_strdup (ES_MACHINE (dataset)->id);
}

static void
add_input (EsDataset *dataset, JsonBuilder *builder, JsonObject *values)
{
  EskLabMachine facts;
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();

  es_machine_get_facts (ES_MACHINE (dataset), &facts);
  es_machine_facts_to_json (&facts, object);
  json_node_set_object (node, object);
  json_builder_set_member_name (builder, "machine");
  json_builder_add_value (builder, node);
}

static const char *
get_device_id (EsDataset *dataset)
{
  return ES_MACHINE (dataset)->id;
}

static void
es_machine_class_init (EsMachineClass *class)
{
  EsDatasetClass *dataset_class = ES_DATASET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = es_machine_finalize;
  dataset_class->kind = ES_DATASET_DEVICE;
  dataset_class->describe = describe;
  dataset_class->shape = shape;
  dataset_class->add_input = add_input;
  dataset_class->get_device_id = get_device_id;
}

static void
es_machine_init (EsMachine *self)
{
  g_mutex_init (&self->lock);
}

gboolean
es_machine_is_name (const char *name)
{
  const char *digits;

  if (g_strcmp0 (name, "cpu") == 0)
    return TRUE;
  if (name == NULL || !g_str_has_prefix (name, "cuda:"))
    return FALSE;
  digits = name + strlen ("cuda:");
  return *digits != '\0' && strspn (digits, "0123456789") == strlen (digits) && strlen (digits) <= 3;
}

/* The same machine in the same place has the same; nothing that changes while it works is part of it. */
static char *
identity_of (const EskLabMachine *facts)
{
  g_autofree char *text = g_strdup_printf ("%s\n%s\n%" G_GUINT64_FORMAT, facts->id, facts->name, facts->memory);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
}

static EsMachine *
machine_new (const EskLabMachine *facts)
{
  EsMachine *self = g_object_new (ES_TYPE_MACHINE, NULL);
  g_autofree char *identity = identity_of (facts);

  self->id = g_strdup (facts->id);
  self->facts = *facts;
  _es_dataset_set_file (ES_DATASET (self), NULL, *facts->name != '\0' ? facts->name : facts->id);
  _es_dataset_set_identity (ES_DATASET (self), identity);
  return self;
}

static void
facts_of_device (EsDevice *device, EskLabMachine *facts)
{
  EsDeviceStatus status;

  *facts = (EskLabMachine) { 0 };
  g_strlcpy (facts->id, es_device_get_id (device), sizeof facts->id);
  g_strlcpy (facts->name, es_device_get_name (device), sizeof facts->name);
  facts->memory = es_device_get_memory (device);
  if (es_device_is_cpu (device))
    facts->threads = es_device_get_lanes (device);
  else if (es_device_get_status (device, &status))
    {
      g_snprintf (facts->architecture, sizeof facts->architecture, "%d.%d", status.major, status.minor);
      facts->link_generation = (guint32) MAX (status.pcie_generation, 0);
      facts->link_width = (guint32) MAX (status.pcie_width, 0);
    }
}

EsMachine *
es_machine_open (const char *id, GError **error)
{
  EsDevice *device;
  EskLabMachine facts;

  if (!es_machine_is_name (id))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("“%s” is no device that can be measured: expected “cpu”, or a card such as “cuda:0”."), id);
      return NULL;
    }
  device = es_device_find (id, error);
  if (device == NULL)
    return NULL;
  facts_of_device (device, &facts);
  return machine_new (&facts);
}

EsDataset *
es_machine_restore (JsonObject *object)
{
  EskLabMachine facts;
  EsMachine *self;

  if (object == NULL || !es_machine_is_name (es_saved_get_string (object, "id")))
    return NULL;
  es_machine_facts_from_json (object, &facts);
  self = machine_new (&facts);
  self->measured = TRUE;
  return ES_DATASET (self);
}

const char *
es_machine_get_id (EsMachine *self)
{
  return self->id;
}

gboolean
es_machine_is_here (EsMachine *self)
{
  EsDevice *device = es_device_find (self->id, NULL);
  EskLabMachine facts, known;

  if (device == NULL)
    return FALSE;
  facts_of_device (device, &facts);
  es_machine_get_facts (self, &known);
  /* Another version of the system or of the driver leaves a little more or less of the memory. */
  return g_str_equal (facts.name, known.name)
         && MAX (facts.memory, known.memory) - MIN (facts.memory, known.memory) <= facts.memory / SAME_MEMORY;
}

/* Its id, name and memory stay those that its identity is of: the laboratory and the devices may count a little
 * differently. */
void
es_machine_set_facts (EsMachine *self, const EskLabMachine *facts)
{
  EskLabMachine known;

  g_mutex_lock (&self->lock);
  known = self->facts;
  self->facts = *facts;
  memcpy (self->facts.id, known.id, sizeof known.id);
  memcpy (self->facts.name, known.name, sizeof known.name);
  self->facts.memory = known.memory;
  self->measured = TRUE;
  g_mutex_unlock (&self->lock);
}

gboolean
es_machine_get_facts (EsMachine *self, EskLabMachine *facts)
{
  gboolean measured;

  g_mutex_lock (&self->lock);
  *facts = self->facts;
  measured = self->measured;
  g_mutex_unlock (&self->lock);
  return measured;
}

char **
es_machine_list_facts (EsMachine *self)
{
  EskLabMachine facts;

  es_machine_get_facts (self, &facts);
  return es_machine_facts_for_people (&facts);
}
