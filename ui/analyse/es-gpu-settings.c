/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-gpu-settings.h"

#include "device/es-device.h"
#include "widgets/es-settings.h"

static void
apply (void)
{
  GListModel *devices = es_devices_get ();
  const guint64 bytes = (guint64) (g_settings_get_double (es_settings_get (), "gpu-memory") * 1e9);

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      if (es_device_get_kind (device) == ES_DEVICE_GPU)
        es_device_set_budget (device, bytes);
    }
}

void
es_gpu_settings_start (void)
{
  static gboolean started;

  if (started)
    return;
  started = TRUE;
  g_signal_connect (es_devices_get (), "items-changed", G_CALLBACK (apply), NULL);
  g_signal_connect (es_settings_get (), "changed::gpu-memory", G_CALLBACK (apply), NULL);
  apply ();
}
