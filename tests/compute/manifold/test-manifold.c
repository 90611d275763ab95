/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Runs of reductions along manifolds, whatever the method: bytes, bad input, cancellation, files. */

#include "es-test-manifold.h"

#include "operations/es-operations.h"
#include "operations/manifold/es-manifold-private.h"
#include "session/es-result-load.h"
#include "writers/es-writer.h"

#include <math.h>
#include <string.h>

static char *directory;

static EsDataset *
open_scene (const char *name, guint width, guint height, guint bands, double missing)
{
  EsTestScene scene = { width, height, bands, ESK_F32, "bsq", FALSE, NAN, NULL, missing };
  EsDataset *cube;

  es_test_scene_fill (&scene, width + height);
  cube = es_test_scene_open (&scene, directory, name);
  es_test_scene_clear (&scene);
  return cube;
}

static const EsManifoldKind *
kind (guint i)
{
  return es_manifold_kinds[i];
}

static gsize
pixels_of (EsResult *result)
{
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));

  return es_image_stack_get_width (stack) * es_image_stack_get_height (stack);
}

static gboolean
has_warning (EsResult *result, const char *text)
{
  const char * const *warnings = es_result_get_warnings (result);

  for (; warnings != NULL && *warnings != NULL; warnings++)
    if (strstr (*warnings, text) != NULL)
      return TRUE;
  return FALSE;
}

/* Of every method: the same bytes for any number of threads and any tiles. */
static void
test_identical (void)
{
  g_autoptr (EsDataset) cube = open_scene ("identical", 50, 44, 14, 0.1);

  for (guint i = 0; kind (i) != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      const char *id = kind (i)->operation->id;
      g_autoptr (EsResult) whole = es_test_manifold_run (cube, id, "samples=400 compare=no", NULL, &error);
      g_assert_no_error (error);
      g_autofree float *wanted = es_test_manifold_read (whole, NULL);

      for (guint threads = 1; threads <= 3; threads++)
        {
          const EsLimits limits = { .threads = threads, .memory = threads == 3 ? 0 : 256 << 20 };
          g_autoptr (EsResult) part = es_test_manifold_run (cube, id, "samples=400 compare=no", &limits, &error);
          g_assert_no_error (error);
          g_autofree float *found = es_test_manifold_read (part, NULL);

          g_test_message ("%s, %u threads", id, threads);
          g_assert_cmpmem (wanted, pixels_of (whole) * 3 * sizeof (float), found,
                           pixels_of (part) * 3 * sizeof (float));
        }
    }
}

static void
refuse (EsDataset *cube, const char *id, const char *text, GQuark domain, int code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_manifold_run (cube, id, text, NULL, &error);

  g_assert_null (result);
  g_test_message ("%s", error->message);
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_bad_input (void)
{
  g_autofree double *flat = g_new (double, 600);
  g_autofree double *empty = g_new (double, 600);

  for (guint i = 0; i < 600; i++)
    {
      flat[i] = 7;
      empty[i] = i < 590 ? NAN : 1;
    }
  g_autoptr (EsDataset) constant = es_test_manifold_cube (directory, "constant", 10, 12, 5, flat);
  g_autoptr (EsDataset) missing = es_test_manifold_cube (directory, "missing", 10, 12, 5, empty);
  g_autoptr (EsDataset) small = es_test_manifold_cube (directory, "small", 3, 1, 5, flat);
  g_autoptr (EsDataset) scene = open_scene ("scene", 20, 20, 5, 0);

  for (guint i = 0; kind (i) != NULL; i++)
    {
      const char *id = kind (i)->operation->id;

      refuse (constant, id, "", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, "120 samples");
      refuse (missing, id, "", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, "2 valid pixels");
      refuse (small, id, "", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, "3 valid pixels");
      refuse (scene, id, "subset=region", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "region");
      refuse (scene, id, "subset=region region=rectangle_40_40_5_5", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
              "0 valid pixels");
    }
}

/* Tiny cubes, one band, more neighbours than there are samples, more dimensions than there is room for. */
static void
test_tiny (void)
{
  static const struct { guint width, height, bands; } sizes[]
    = { { 4, 4, 3 }, { 1, 30, 1 }, { 30, 1, 2 }, { 9, 9, 1 } };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      g_autofree char *name = g_strdup_printf ("tiny-%u", s);
      g_autoptr (EsDataset) cube = open_scene (name, sizes[s].width, sizes[s].height, sizes[s].bands, 0);

      for (guint i = 0; kind (i) != NULL; i++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (EsResult) result = es_test_manifold_run (cube, kind (i)->operation->id, "compare=no", NULL,
                                                              &error);
          g_assert_no_error (error);
          guint m;
          g_autofree float *found = es_test_manifold_read (result, &m);

          g_test_message ("%s of %s: %u dimensions", kind (i)->operation->id, name, m);
          for (gsize p = 0; p < pixels_of (result) * m; p++)
            g_assert_true (isfinite (found[p]));
          if (s == 0 && kind (i)->method->needs_graph && es_params_get_int (es_result_get_params (result), "neighbours")
                                                         > 15)
            g_assert_true (has_warning (result, "16 samples"));
        }
    }
}

static void
test_many_neighbours (void)
{
  g_autoptr (EsDataset) cube = open_scene ("many", 6, 5, 4, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_manifold_run (cube, "umap", "neighbours=200 dimensions=30 epochs=20 compare=no",
                                                      NULL, &error);
  g_assert_no_error (error);
  g_assert_true (has_warning (result, "200 neighbours were asked for; 30 samples have 29 others each."));
  g_assert_true (has_warning (result, "30 dimensions were asked for; 30 samples have room for 28."));
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "components"), ==, 28);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "neighbours"), ==, 29);
}

/* Two clusters far apart: each part is told; methods of one piece embed the larger, and place all pixels all the
 * same. */
static void
test_parts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree double *rows = g_new (double, 500 * 4);

  for (guint i = 0; i < 500 * 4; i++)
    rows[i] = g_rand_double (rand) + (i / 4 % 5 < 2 ? 50 : 0);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "parts", 25, 20, 4, rows);
  for (guint i = 0; kind (i) != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = NULL;
      JsonObject *values;
      guint m;

      if (!kind (i)->method->needs_graph)
        continue;
      result = es_test_manifold_run (cube, kind (i)->operation->id, "samples=0 neighbours=12", NULL, &error);
      g_assert_no_error (error);
      values = es_result_get_values (result);
      JsonArray *parts = json_object_get_array_member (values, "parts");
      g_assert_cmpuint (json_array_get_length (parts), ==, 2);
      g_assert_cmpint (json_array_get_int_element (parts, 0), ==, 300);
      g_assert_cmpint (json_array_get_int_element (parts, 1), ==, 200);
      g_assert_true (has_warning (result, "2 parts that are not joined (300, 200 samples)"));
      /* Of the smaller part 199 others are nearer than any of the larger. */
      g_assert_true (has_warning (result, "They hang together from 200 neighbours on."));
      g_assert_cmpint (json_object_get_int_member (values, "neighbours_joining"), ==, 200);
      g_assert_cmpint (json_object_get_int_member (values, "samples_embedded"), ==,
                       kind (i)->method->takes_parts ? 500 : 300);
      EsTable *table = ES_TABLE (es_result_find_layer (result, "samples"));
      for (guint p = 0; p < 500; p++)
        g_assert_cmpint (isnan (es_table_get_value (table, p, 2)) != 0, ==,
                         !kind (i)->method->takes_parts && p % 5 < 2);
      g_autofree float *found = es_test_manifold_read (result, &m);
      for (guint p = 0; p < 500 * m; p++)
        g_assert_true (isfinite (found[p]));
    }
}

/* A kernel so narrow that links weigh nothing beside others: what it leaves hangs together, so that its eigenvalues are
 * numbers and no rounding, and is told; or nothing does, and the width is named. */
static void
test_narrow (void)
{
  static const char *const operations[] = { "laplacian-eigenmaps", "diffusion-map" };
  static const double widths[] = { 1, 0.3, 0.1, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01, 0.001 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree double *rows = g_new (double, 600 * 4);
  guint n_whole = 0, n_parts = 0, n_refused = 0;

  /* Fewer than neighbours are asked for lie apart from all others. */
  for (guint i = 0; i < 600 * 4; i++)
    rows[i] = g_rand_double (rand) + (i / 4 % 60 == 0 ? 1.5 : 0);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "narrow", 30, 20, 4, rows);
  for (guint t = 0; t < G_N_ELEMENTS (operations) * G_N_ELEMENTS (widths); t++)
    {
      const double width = widths[t / 2];
      g_autofree char *params = g_strdup_printf ("samples=0 neighbours=12 scaling=stored compare=no kernel-width=%g",
                                                 width);
      g_autofree char *named = g_strdup_printf ("the kernel width %g is narrow beside", width);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_test_manifold_run (cube, operations[t % 2], params, NULL, &error);

      if (result == NULL)
        {
          g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
          g_assert_nonnull (strstr (error->message, named));
          n_refused++;
          continue;
        }
      JsonObject *values = es_result_get_values (result);
      JsonArray *parts = json_object_get_array_member (values, "parts");
      JsonArray *eigenvalues = json_object_get_array_member (values, "eigenvalues");
      const gboolean whole = json_array_get_length (parts) == 1;

      n_whole += whole;
      n_parts += !whole;
      g_assert_true (has_warning (result, named) == !whole);
      g_assert_cmpint (json_object_get_int_member (values, "samples_embedded"), ==,
                       json_array_get_int_element (parts, 0));
      for (guint i = 0; i < json_array_get_length (eigenvalues); i++)
        {
          const double value = json_array_get_double_element (eigenvalues, i);

          g_assert_cmpfloat (t % 2 == 0 ? value : 1 - value, >, 2e-13);
        }
    }
  g_test_message ("%u whole, %u in parts, %u refused", n_whole, n_parts, n_refused);
  g_assert_cmpuint (n_whole, >=, 2);
  g_assert_cmpuint (n_parts, >=, 8);
  g_assert_cmpuint (n_refused, >=, 4);
}

/* With as many as are told there is one part, with one fewer there are two. */
static void
test_joining (void)
{
  static const struct { const char *params; guint n_parts; } runs[] = {
    { "samples=0 neighbours=7 dimensions=1 compare=no", 3 }, { "samples=0 neighbours=39 compare=no", 2 },
    { "samples=0 neighbours=40 dimensions=1 compare=no", 1 },
  };
  g_autofree double *rows = g_new (double, 200 * 2);

  /* On a line: 150 spectra, 40 and 10, a step apart, with gaps of 1,000 steps between them. */
  for (guint i = 0; i < 200; i++)
    rows[2 * i] = rows[2 * i + 1] = i + (i < 150 ? 0 : i < 190 ? 1000 : 2000);
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "joining", 20, 10, 2, rows);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_test_manifold_run (cube, "isomap", runs[i].params, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (json_array_get_length (json_object_get_array_member (es_result_get_values (result), "parts")),
                        ==, runs[i].n_parts);
      g_assert_true (has_warning (result, "They hang together from 40 neighbours on.") == (runs[i].n_parts > 1));
    }
}

/* Two spectra, many times each: the largest part is one of them, which no method of one piece can spread. */
static void
test_twins (void)
{
  g_autofree double *rows = g_new (double, 200 * 3);

  for (guint i = 0; i < 200 * 3; i++)
    rows[i] = i / 3 % 5 < 2 ? 1 + i % 3 : 7;
  g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, "twins", 20, 10, 3, rows);
  for (guint i = 0; kind (i) != NULL; i++)
    if (kind (i)->method->needs_graph && !kind (i)->method->takes_parts)
      refuse (cube, kind (i)->operation->id, "samples=0", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, "120 of 200 samples");
}

/* Units of any size: as they are where float32 squares would be 0 or infinite, and said where float32 itself ends. */
static void
test_units (void)
{
  static const double units[] = { 1, 0x1p-100, 0x1p100 };
  static const char * const wanted[] = { "isomap", "umap" };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree double *rows = g_new (double, 300 * 4), *scaled = g_new (double, 300 * 4);

  for (guint i = 0; i < 300 * 4; i++)
    rows[i] = g_rand_double (rand) * (1 + i % 4);
  for (guint w = 0; w < G_N_ELEMENTS (wanted); w++)
    for (guint u = 0; u < G_N_ELEMENTS (units); u++)
      {
        g_autofree char *name = g_strdup_printf ("unit-%u-%u", w, u);
        g_autoptr (GError) error = NULL;

        for (guint i = 0; i < 300 * 4; i++)
          scaled[i] = rows[i] * units[u];
        g_autoptr (EsDataset) cube = es_test_manifold_cube (directory, name, 20, 15, 4, scaled);
        g_autoptr (EsResult) result = es_test_manifold_run (cube, wanted[w], "samples=250 scaling=stored", NULL,
                                                            &error);
        g_assert_no_error (error);
        g_autofree float *found = es_test_manifold_read (result, NULL);
        const double trust = es_test_manifold_trust (rows, 300, 4, found, 3, 15);
        g_test_message ("%s of values of %g: trustworthiness %.4f", wanted[w], units[u], trust);
        g_assert_cmpfloat (trust, >, 0.9);
      }
  for (guint i = 0; i < 300 * 4; i++)
    scaled[i] = rows[i] * 1e-42;
  g_autoptr (EsDataset) least = es_test_manifold_cube (directory, "least", 20, 15, 4, scaled);
  for (guint i = 0; kind (i) != NULL; i++)
    refuse (least, kind (i)->operation->id, "samples=250", ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "least");
  for (guint i = 0; i < 300 * 4; i++)
    scaled[i] = rows[i] * (i / 4 % 20 < 10 ? 1e-30 : 1e10);
  g_autoptr (EsDataset) far = es_test_manifold_cube (directory, "far", 20, 15, 4, scaled);
  for (guint i = 0; kind (i) != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_test_manifold_run (far, kind (i)->operation->id,
                                                          "subset=region region=rectangle_0_0_10_15", NULL, &error);
      guint m;

      g_assert_no_error (error);
      g_assert_true (has_warning (result, "150 pixels are too far from the samples"));
      g_autofree float *found = es_test_manifold_read (result, &m);
      for (guint p = 0; p < 300; p++)
        g_assert_cmpint (isfinite (found[p * m]) != 0, ==, p % 20 < 10);
    }
}

/* ---- cancellation ---- */

/* Microseconds that are promised; without optimisation, or watched by a sanitizer, everything takes longer. */
#if defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__) || !defined (__OPTIMIZE__)
#define PROMISED (600 * 1000)
#else
#define PROMISED (200 * 1000)
#endif

static gpointer
cancel_later (gpointer data)
{
  g_usleep (GPOINTER_TO_UINT (g_object_get_data (data, "delay")) * 1000);
  g_object_set_data (data, "cancelled-at", g_memdup2 (&(gint64) { g_get_monotonic_time () }, sizeof (gint64)));
  es_job_cancel (data);
  return NULL;
}

/* In whichever stage it is: soon. The shortest of several, as the machine may be busy with other things. */
static void
test_cancel (void)
{
  static const guint delays[] = { 0, 30, 150, 400, 800 };
  g_autoptr (EsDataset) cube = open_scene ("cancel", 180, 170, 60, 0);

  for (guint i = 0; kind (i) != NULL; i++)
    for (guint d = 0; d < G_N_ELEMENTS (delays); d++)
      {
        gint64 shortest = G_MAXINT64;

        for (guint attempt = 0; attempt < 3 && shortest > PROMISED; attempt++)
          {
            g_autoptr (EsParams) params = es_params_new (kind (i)->operation->params);
            es_params_set_value (params, "samples", 0);
            g_autoptr (EsJob) job = es_job_new (kind (i)->operation, cube, params, es_device_get_cpu (), NULL, NULL);
            g_autoptr (GError) error = NULL;
            g_object_set_data (G_OBJECT (job), "delay", GUINT_TO_POINTER (delays[d]));
            GThread *thread = g_thread_new ("cancel", cancel_later, job);
            g_autoptr (EsResult) result = es_job_run (job, &error);
            const gint64 now = g_get_monotonic_time ();

            g_thread_join (thread);
            g_autofree gint64 *cancelled = g_object_steal_data (G_OBJECT (job), "cancelled-at");
            shortest = MIN (shortest, MAX (now - *cancelled, 0));
            /* A fast machine may have been through by then. */
            if (result == NULL || delays[d] <= 30)
              {
                g_assert_null (result);
                g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
              }
            while (g_main_context_iteration (NULL, FALSE))
              ;
          }
        g_test_message ("%s after %u ms: %.1f ms", kind (i)->operation->id, delays[d], shortest * 1e-3);
        g_assert_cmpint (shortest, <, PROMISED);
      }
}

/* ---- files, plans ---- */

static void
test_saved (void)
{
  g_autoptr (EsDataset) cube = open_scene ("saved", 24, 18, 9, 0.1);

  for (guint i = 0; kind (i) != NULL; i++)
    {
      const char *id = kind (i)->operation->id;
      g_autofree char *folder = g_build_filename (directory, id, NULL);
      g_autofree char *path = g_build_filename (folder, "result.json", NULL);
      g_autoptr (GFile) to = g_file_new_for_path (folder), file = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_test_manifold_run (cube, id, "samples=200", NULL, &error);
      g_assert_no_error (error);
      es_write_result (result, to, ES_STACK_GEOTIFF, NULL, &error);
      g_assert_no_error (error);
      g_autoptr (EsResult) again = es_result_load (file, NULL, &error);
      g_assert_no_error (error);
      g_autofree float *before = es_test_manifold_read (result, NULL), *after = es_test_manifold_read (again, NULL);
      g_assert_cmpmem (before, pixels_of (result) * 3 * sizeof (float), after, pixels_of (again) * 3 * sizeof (float));
      g_assert_true (es_params_equal (es_result_get_params (result), es_result_get_params (again)));
      g_assert_cmpstr (es_result_get_title (result), ==, es_result_get_title (again));
      g_assert_nonnull (es_result_find_layer (again, "samples"));
      g_autofree char *command = es_result_to_command (again), *of = es_result_to_command (result);
      g_assert_nonnull (strstr (command, id));
      g_assert_cmpstr (command, ==, of);
    }
}

/* Memory that does not suffice is refused before anything is read, with both numbers. */
static void
test_memory (void)
{
  g_autoptr (EsDataset) cube = open_scene ("memory", 180, 170, 40, 0);
  const EsLimits limits = { .memory = 24 << 20 };
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_test_manifold_run (cube, "kernel-pca", "samples=0 landmarks=20000", &limits, &error);

  g_assert_null (result);
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "GiB"));
}

static void
test_plan (void)
{
  g_autoptr (EsDataset) cube = open_scene ("plan", 60, 50, 30, 0);

  for (guint i = 0; kind (i) != NULL; i++)
    {
      const EsOperation *operation = kind (i)->operation;
      g_autoptr (EsParams) params = es_params_new (operation->params);
      EsPlan small, large;

      es_params_set_value (params, "samples", 500);
      small = operation->plan (cube, params, es_device_get_cpu (), NULL);
      es_params_set_value (params, "samples", 3000);
      large = operation->plan (cube, params, es_device_get_cpu (), NULL);
      g_test_message ("%s: %g s and %g s", operation->id, small.seconds, large.seconds);
      g_assert_cmpfloat (small.seconds, >, 0);
      g_assert_cmpfloat (large.seconds, >, small.seconds);
      g_assert_cmpuint (large.memory, >, small.memory);
      g_assert_cmpuint (small.written_bytes, ==, 60 * 50 * 3 * sizeof (float));
    }
}

/* ---- real data ---- */

static void
test_enmap (void)
{
  const char *data = g_getenv ("ES_TEST_DATA");
  g_autofree char *path = data != NULL ? g_build_filename (data, "enmap", "enmap_potsdam_mosaic.img", NULL) : NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("ES_TEST_DATA has no EnMAP scene");
      return;
    }
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsDataset) cube = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; kind (i) != NULL; i++)
    {
      g_autoptr (EsResult) result = es_test_manifold_run (cube, kind (i)->operation->id, "samples=2000", NULL, &error);
      g_assert_no_error (error);
      g_autofree float *found = es_test_manifold_read (result, NULL);
      guint valid = 0;

      for (gsize p = 0; p < pixels_of (result); p++)
        valid += isfinite (found[3 * p]);
      g_assert_cmpuint (valid, ==, 18432);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/manifold/identical", test_identical);
  g_test_add_func ("/manifold/bad-input", test_bad_input);
  g_test_add_func ("/manifold/tiny", test_tiny);
  g_test_add_func ("/manifold/many-neighbours", test_many_neighbours);
  g_test_add_func ("/manifold/parts", test_parts);
  g_test_add_func ("/manifold/narrow", test_narrow);
  g_test_add_func ("/manifold/joining", test_joining);
  g_test_add_func ("/manifold/twins", test_twins);
  g_test_add_func ("/manifold/units", test_units);
  g_test_add_func ("/manifold/cancel", test_cancel);
  g_test_add_func ("/manifold/saved", test_saved);
  g_test_add_func ("/manifold/memory", test_memory);
  g_test_add_func ("/manifold/plan", test_plan);
  g_test_add_func ("/manifold/enmap", test_enmap);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
