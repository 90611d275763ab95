/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cube/es-region-set.h"
#include "es-fuzz.h"

/* The bytes are a file of regions, which is loaded for a cube. */

static gboolean
all_ready (EsRegionSet *set)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (set)); i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (set), i);
      gboolean ready;

      g_object_get (region, "ready", &ready, NULL);
      if (!ready)
        return FALSE;
      g_assert_true (g_utf8_validate (es_named_region_get_name (region), -1, NULL));
      g_assert_cmpuint (es_named_region_get_count (region), <=, 6 * 5);
    }
  return TRUE;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  EsRegionSet *set = es_dataset_get_regions (es_fuzz_cube ());
  g_autofree char *path = es_fuzz_write ("x.json", data, size);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  if (!es_region_set_load (set, file, &error))
    {
      es_fuzz_check_error (error);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (set)), ==, 0);
    }
  while (!all_ready (set))
    g_main_context_iteration (NULL, TRUE);
  es_region_set_clear (set);
  return 0;
}
