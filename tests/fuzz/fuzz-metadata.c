/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cube/es-cube-metadata.h"
#include "es-fuzz.h"

/* The bytes tell what a cube is, in Eigenscope's own JSON. What loads goes to JSON and back unharmed, and what a cube
 * can be told makes one that can be read. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *path = es_fuzz_write ("x.metadata.json", data, size);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  EsCube *cube = ES_CUBE (es_fuzz_cube ());
  const guint bands = es_cube_get_bands (cube);
  g_autofree char *shape = es_dataset_shape (ES_DATASET (cube));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsMetadata) metadata = es_metadata_load (file, shape, bands, &error), again = NULL, line_again = NULL;
  g_autoptr (EsCube) told = NULL;
  g_autofree float *values = NULL;

  if (metadata == NULL)
    {
      es_fuzz_check_error (error);
      return 0;
    }
  g_assert_no_error (error);

  g_autoptr (JsonNode) node = es_metadata_to_node (metadata);
  g_autofree char *line = es_metadata_to_line (metadata), *words = es_metadata_describe (metadata);
  again = es_metadata_from_node (node, bands, &error);
  g_assert_no_error (error);
  g_assert_true (es_metadata_equal (metadata, again));
  line_again = es_metadata_from_line (line, bands, &error);
  g_assert_no_error (error);
  g_assert_true (es_metadata_equal (metadata, line_again));
  g_assert_true (g_utf8_validate (words, -1, NULL));
  told = es_cube_with_metadata (cube, metadata, &error);
  if (told == NULL)
    {
      es_fuzz_check_error (error);
      return 0;
    }
  values = g_new (float, es_cube_get_width (told) * es_cube_get_height (told));
  g_assert_true (es_cube_read_band (told, 0, 0, 0, es_cube_get_width (told), es_cube_get_height (told), 1, values, NULL,
                                    NULL));
  return 0;
}
