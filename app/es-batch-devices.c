/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The verb that lists what can compute. */

#include <glib/gi18n.h>
#include <math.h>

#include "es-batch.h"
#include "tool/es-batch-json.h"

static const char *
device_kind_name (EsDevice *device)
{
  static const char *const names[] = { "cpu", "gpu", "all-gpus" };

  return names[es_device_get_kind (device)];
}

/* What is not known is left out. */
static void
add_status (JsonBuilder *builder, EsDevice *device)
{
  EsDeviceStatus status;

  if (!es_device_get_status (device, &status))
    return;
  g_autofree char *capability = g_strdup_printf ("%d.%d", status.major, status.minor);
  es_batch_json_number (builder, "memory_free", status.memory_free);
  es_batch_json_string (builder, "compute_capability", capability);
  if (status.pcie_generation > 0)
    {
      es_batch_json_number (builder, "pcie_generation", status.pcie_generation);
      es_batch_json_number (builder, "pcie_width", status.pcie_width);
    }
  if (status.busy >= 0)
    es_batch_json_number (builder, "busy", status.busy);
  if (status.temperature >= 0)
    es_batch_json_number (builder, "temperature", status.temperature);
  if (status.driver > 0)
    {
      g_autofree char *driver = g_strdup_printf ("%d.%d", status.driver / 1000, status.driver % 1000 / 10);
      es_batch_json_string (builder, "driver_cuda", driver);
    }
}

static JsonNode *
devices_json (GPtrArray *devices)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_array (builder);
  for (guint i = 0; i < devices->len; i++)
    {
      EsDevice *device = g_ptr_array_index (devices, i);

      json_builder_begin_object (builder);
      es_batch_json_string (builder, "id", es_device_get_id (device));
      es_batch_json_string (builder, "name", es_device_get_name (device));
      es_batch_json_string (builder, "kind", device_kind_name (device));
      es_batch_json_string (builder, "backend", es_device_get_backend (device));
      es_batch_json_string (builder, "detail", es_device_get_detail (device));
      es_batch_json_number (builder, "lanes", es_device_get_lanes (device));
      es_batch_json_number (builder, "memory", es_device_get_memory (device));
      if (!es_device_is_cpu (device))
        es_batch_json_number (builder, "budget", es_device_get_budget (device));
      add_status (builder, device);
      es_batch_json_number (builder, "flops", rint (es_device_get_flops (device)));
      es_batch_json_number (builder, "bandwidth", rint (es_device_get_bandwidth (device)));
      if (es_device_is_cpu (device) && es_devices_why_no_gpu () != NULL)
        es_batch_json_string (builder, "why_no_gpu", es_devices_why_no_gpu ());
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  return json_builder_get_root (builder);
}

static void
print_device (EsDevice *device)
{
  EsDeviceStatus status;

  g_print ("%-8s %s: %s\n", es_device_get_id (device), es_device_get_name (device), es_device_get_detail (device));
  if (!es_device_get_status (device, &status))
    return;

  g_autoptr (GString) line = g_string_new (NULL);
  if (status.busy >= 0)
    g_string_append_printf (line, _("busy %.0f %%"), 100 * status.busy);
  if (status.temperature >= 0)
    g_string_append_printf (line, "%s%d °C", line->len > 0 ? ", " : "", status.temperature);
  if (status.driver > 0)
    {
      g_string_append (line, line->len > 0 ? ", " : "");
      g_string_append_printf (line, _("driver for CUDA %d.%d"), status.driver / 1000, status.driver % 1000 / 10);
    }
  if (line->len > 0)
    g_print ("         %s\n", line->str);
}

int
es_batch_devices (int argc, char **argv)
{
  gboolean json = FALSE;
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;

  if (!es_batch_json_alone (_("devices [DEVICE ...]: what can compute."), &argc, &argv, &json))
    return ES_EXIT_USAGE;
  /* One that is wrong is known before any is printed. */
  for (int i = 1; i < argc; i++)
    {
      EsDevice *device = es_device_find (argv[i], &error);

      if (device == NULL)
        return es_batch_fail (error);
      /* Each once, also one that is named twice. */
      if (!g_ptr_array_find (devices, device, NULL))
        g_ptr_array_add (devices, device);
    }
  for (guint i = 0; argc < 2 && i < g_list_model_get_n_items (es_devices_get ()); i++)
    {
      /* The list keeps it. */
      g_autoptr (EsDevice) device = g_list_model_get_item (es_devices_get (), i);
      g_ptr_array_add (devices, device);
    }
  if (json)
    {
      es_batch_print_json (devices_json (devices));
      return ES_EXIT_DONE;
    }
  for (guint i = 0; i < devices->len; i++)
    print_device (g_ptr_array_index (devices, i));
  if (argc < 2 && es_devices_why_no_gpu () != NULL)
    g_print ("%s\n", es_devices_why_no_gpu ());
  return ES_EXIT_DONE;
}
