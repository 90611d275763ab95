/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cube/es-cube-internal.h"
#include "es-fuzz.h"

/* The bytes tell what takes part of a cube, in Eigenscope's own JSON. What loads goes to JSON and back unharmed, and
 * what fits a cube leaves something of it. */

static void
take (EsCube *cube, EsSelection *selection)
{
  g_autoptr (GError) error = NULL, other = NULL;
  g_autoptr (EsCube) outline = es_cube_take_part (cube, selection, TRUE, &error);
  g_autoptr (EsCube) part = es_cube_take_part (cube, selection, FALSE, &other);
  g_autofree gboolean *taken = NULL;
  g_autofree float *values = NULL;
  guint n = 0;

  /* A mask may leave nothing of a window that is there. */
  if (outline == NULL)
    {
      es_fuzz_check_error (error);
      g_assert_null (part);
    }
  if (part == NULL)
    {
      es_fuzz_check_error (other);
      return;
    }
  taken = es_cube_find_taken (cube, selection, &n, NULL);
  g_assert_nonnull (taken);
  g_assert_cmpuint (n, >, 0);

  const EsCubeWindow place = es_cube_get_place (part);
  g_assert_cmpuint (place.x + place.width, <=, es_cube_get_width (cube));
  g_assert_cmpuint (place.y + place.height, <=, es_cube_get_height (cube));
  values = g_new (float, place.width * place.height);
  g_assert_true (es_cube_read_band (part, 0, 0, 0, place.width, place.height, 1, values, NULL, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *path = es_fuzz_write ("x.selection.json", data, size);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  EsDataset *dataset = es_fuzz_cube ();
  g_autofree char *shape = es_dataset_shape (dataset);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSelection) selection = es_selection_load (file, shape, &error), again = NULL;

  if (selection == NULL)
    {
      es_fuzz_check_error (error);
      return 0;
    }
  g_assert_no_error (error);

  g_autoptr (JsonNode) node = es_selection_to_node (selection);
  again = es_selection_from_node (node, &error);
  g_assert_no_error (error);
  g_assert_true (es_selection_equal (selection, again));
  g_autofree char *words = es_selection_describe (selection);
  g_assert_true (g_utf8_validate (words, -1, NULL));
  take (ES_CUBE (dataset), selection);
  return 0;
}
