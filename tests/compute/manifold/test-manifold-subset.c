/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which pixels are embedded: drawn, of superpixels, of a region; never one that does not count. */

#include "es-test-manifold.h"

#include "operations/manifold/es-manifold-private.h"

#include <math.h>
#include <string.h>

static char *directory;

/* Those with the least numbers, in a set with holes; all of them where there are no more. */
static void
test_draw (void)
{
  const guint64 pixels = 1000;
  g_autofree guint32 *set = g_new0 (guint32, pixels / 32 + 1);
  gsize n, all, again;

  for (guint64 p = 0; p < pixels; p++)
    if (p % 7 != 3)
      set[p >> 5] |= 1u << (p & 31);
  g_autofree guint64 *some = es_manifold_draw (set, pixels, 100, 5, &n);
  g_autofree guint64 *every = es_manifold_draw (set, pixels, 0, 5, &all);
  g_autofree guint64 *same = es_manifold_draw (set, pixels, 5000, 5, &again);
  guint64 largest = 0;
  guint below = 0;

  g_assert_cmpuint (n, ==, 100);
  g_assert_cmpuint (all, ==, 857);
  g_assert_cmpmem (every, all * sizeof *every, same, again * sizeof *same);
  for (gsize i = 0; i < n; i++)
    {
      g_assert_true (i == 0 || some[i - 1] < some[i]);
      g_assert_true (es_manifold_has_pixel (set, some[i]));
      largest = MAX (largest, es_manifold_hash (5, some[i]));
    }
  for (gsize i = 0; i < all; i++)
    below += es_manifold_hash (5, every[i]) <= largest;
  g_assert_cmpuint (below, ==, 100);
}

/* Groups do not cross an edge that is strong, are about as many as wanted, and leave out what does not count. */
static void
test_superpixels (void)
{
  const guint width = 60, height = 40, pixels = width * height;
  g_autofree float *values = g_new (float, pixels);
  g_autofree guint32 *set = g_new0 (guint32, pixels / 32 + 1);
  g_autofree gint32 *label = g_new (gint32, pixels), *other = g_new (gint32, pixels);
  g_autofree int *side = g_new0 (int, pixels);

  for (guint p = 0; p < pixels; p++)
    {
      values[p] = p % width + 3 * (p / width) / 10 < 31 ? 0 : 100;
      if (p / width > 1)
        set[p >> 5] |= 1u << (p & 31);
    }
  const gssize n = es_manifold_superpixels (values, set, width, height, 1, 60, 1, 1, NULL, label);
  g_test_message ("%d groups", (int) n);
  g_assert_cmpint (n, >=, 40);
  g_assert_cmpint (n, <=, 60);
  for (guint p = 0; p < pixels; p++)
    {
      const int of = values[p] > 0 ? 2 : 1;

      g_assert_cmpint (label[p] < 0, ==, p / width <= 1);
      if (label[p] < 0)
        continue;
      g_assert_cmpint (label[p], <, n);
      g_assert_true (side[label[p]] == 0 || side[label[p]] == of);
      side[label[p]] = of;
    }
  for (gssize i = 0; i < n; i++)
    g_assert_cmpint (side[i], !=, 0);
  for (guint threads = 2; threads <= 3; threads++)
    {
      g_assert_cmpint (es_manifold_superpixels (values, set, width, height, 1, 60, 1, threads, NULL, other), ==, n);
      g_assert_cmpmem (label, pixels * sizeof *label, other, pixels * sizeof *other);
    }
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_cmpint (es_manifold_superpixels (values, set, width, height, 1, 60, 1, 2, cancellable, other), ==, -1);
}

static EsTable *
samples_of (EsResult *result)
{
  return ES_TABLE (es_result_find_layer (result, "samples"));
}

/* Of each way to choose: so many, inside, and what they have in the table they have in the picture. */
static void
test_choices (void)
{
  EsTestScene scene = { 40, 30, 12, ESK_I16, "bip", TRUE, -9999, (const int[]) { 2, -1 }, 0.2 };
  static const char *const texts[] = {
    "samples=300 compare=no", "samples=300 subset=superpixels compare=no",
    "samples=300 subset=region region=rectangle_5_5_30_20 compare=no",
    "samples=300 subset=region region=rectangle_5_5_30_20 compare=no scaling=variance",
    "samples=300 scaling=whitened compare=no", "samples=300 scaling=angle compare=no",
  };

  es_test_scene_fill (&scene, 3);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "choices");
  g_autofree guint *bands = g_new (guint, scene.bands);
  const guint n_bands = es_test_scene_good_bands (&scene, bands);
  for (guint t = 0; t < G_N_ELEMENTS (texts); t++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_test_manifold_run (cube, "kernel-pca", texts[t], NULL, &error);
      g_assert_no_error (error);
      EsTable *table = samples_of (result);
      g_autofree float *found = es_test_manifold_read (result, NULL);
      const guint n = es_table_get_n_rows (table);
      guint64 before = 0;

      g_test_message ("%s: %u", texts[t], n);
      g_assert_cmpuint (n, ==, json_object_get_int_member (es_result_get_values (result), "samples"));
      if (t == 1)
        g_assert_true (n > 240 && n <= 300);
      else
        g_assert_cmpuint (n, ==, 300);
      for (guint i = 0; i < n; i++)
        {
          const guint x = es_table_get_value (table, i, 0), y = es_table_get_value (table, i, 1);
          const guint64 pixel = y * 40 + x;

          g_assert_true (i == 0 || pixel > before);
          before = pixel;
          if (t == 2 || t == 3)
            g_assert_true (x >= 5 && x < 35 && y >= 5 && y < 25);
          for (guint k = 0; k < 3; k++)
            g_assert_cmpfloat ((float) es_table_get_value (table, i, 2 + k), ==, found[3 * pixel + k]);
        }
      for (guint p = 0; p < 1200; p++)
        {
          gboolean missing = FALSE;

          for (guint b = 0; b < n_bands; b++)
            missing |= scene.values[bands[b] * 1200 + p] == -9999;
          g_assert_cmpint (isnan (found[3 * p]) != 0, ==, missing);
        }
    }
  es_test_scene_clear (&scene);
}

/* What takes part of the cube: the samples' places are those of the whole, and nothing else is placed. */
static void
test_part (void)
{
  EsTestScene scene = { 40, 30, 8, ESK_F32, "bsq", FALSE, NAN, NULL, 0 };
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 4);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "part");
  const EsSelectionWindow window = { 10, 4, 20, 16 };
  g_autoptr (EsSelection) selection = es_selection_with_window (NULL, &window);
  es_cube_set_selection (ES_CUBE (cube), selection);
  g_autoptr (EsResult) result = es_test_manifold_run (cube, "umap", "samples=100 neighbours=5 epochs=20 compare=no",
                                                      NULL, &error);
  g_assert_no_error (error);
  g_autofree float *found = es_test_manifold_read (result, NULL);
  for (guint p = 0; p < 1200; p++)
    g_assert_cmpint (isnan (found[3 * p]) == 0, ==, p % 40 >= 10 && p % 40 < 30 && p / 40 >= 4 && p / 40 < 20);
  for (guint i = 0; i < 100; i++)
    {
      const guint x = es_table_get_value (samples_of (result), i, 0);
      const guint y = es_table_get_value (samples_of (result), i, 1);

      g_assert_true (x >= 10 && x < 30 && y >= 4 && y < 20);
      g_assert_cmpfloat ((float) es_table_get_value (samples_of (result), i, 2), ==, found[3 * (y * 40 + x)]);
    }
  es_test_scene_clear (&scene);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/manifold/subset/draw", test_draw);
  g_test_add_func ("/manifold/subset/superpixels", test_superpixels);
  g_test_add_func ("/manifold/subset/choices", test_choices);
  g_test_add_func ("/manifold/subset/part", test_part);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
