/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* PCA on cards of host memory (tests/kernels/fake-device.c): the same numbers as the CPU's, whatever way the samples
 * take, and no way in which memory or a card may fail leaves anything behind. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "cube/es-cube-internal.h"
#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "cube/es-resident.h"
#include "../job/es-test-scene.h"

static char *directory;

static EsResult *
run_pca (EsDataset *dataset, const char *device, const EsLimits *limits, EsResult *previous, GError **error, ...)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  va_list arguments;
  const char *key;

  va_start (arguments, error);
  while ((key = va_arg (arguments, const char *)) != NULL)
    {
      g_autoptr (GError) local = NULL;
      es_params_parse (params, key, va_arg (arguments, const char *), &local);
      g_assert_no_error (local);
    }
  va_end (arguments);

  EsDevice *found = es_device_find (device, NULL);
  g_assert_nonnull (found);
  g_autoptr (EsJob) job = es_job_new (pca, dataset, params, found, limits, previous);
  EsResult *result = es_job_run (job, error);
  /* What the main loop is still to be told keeps the job, and that the data. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

/* The thread that brings components to the host may hold some for a moment. */
static void
assert_used (EsDevice *device, guint64 bytes)
{
  for (guint i = 0; i < 100 && es_buffers_get_used (device) != bytes; i++)
    g_usleep (20000);
  g_assert_cmpuint (es_buffers_get_used (device), ==, bytes);
}

static JsonArray *
values_of (EsResult *result, const char *name)
{
  return json_object_get_array_member (es_result_get_values (result), name);
}

static EsImageStack *
components_of (EsResult *result)
{
  return ES_IMAGE_STACK (es_result_find_layer (result, "components"));
}

static void
assert_values (EsResult *a, EsResult *b, const char *name, double tolerance)
{
  JsonArray *x = values_of (a, name), *y = values_of (b, name);
  double largest = 0;

  g_assert_cmpuint (json_array_get_length (x), ==, json_array_get_length (y));
  for (guint i = 0; i < json_array_get_length (x); i++)
    largest = fmax (largest, fabs (json_array_get_double_element (x, i)));
  for (guint i = 0; i < json_array_get_length (x); i++)
    {
      double u = json_array_get_double_element (x, i), v = json_array_get_double_element (y, i);
      if (tolerance == 0)
        g_assert_cmpmem (&u, sizeof u, &v, sizeof v);
      else
        g_assert_cmpfloat (fabs (u - v), <=, tolerance * largest);
    }
}

/* tolerance 0: the same bytes; otherwise of the largest eigenvalue, and of the largest sample of each plane. */
static void
assert_same (EsResult *a, EsResult *b, double tolerance)
{
  EsImageStack *x = components_of (a), *y = components_of (b);
  const guint64 width = es_image_stack_get_width (x), height = es_image_stack_get_height (x);
  g_autofree float *u = g_new (float, width * height), *v = g_new (float, width * height);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (json_object_get_int_member (es_result_get_values (a), "valid_pixels"), ==,
                   json_object_get_int_member (es_result_get_values (b), "valid_pixels"));
  assert_values (a, b, "mean", tolerance);
  assert_values (a, b, "eigenvalues", tolerance);
  g_assert_cmpuint (es_image_stack_get_planes (x), ==, es_image_stack_get_planes (y));
  for (guint plane = 0; plane < es_image_stack_get_planes (x); plane++)
    {
      float largest = 0;

      g_assert_true (es_image_stack_read (x, plane, 0, 0, width, height, 1, u, &error));
      g_assert_no_error (error);
      g_assert_true (es_image_stack_read (y, plane, 0, 0, width, height, 1, v, &error));
      g_assert_no_error (error);
      for (gsize p = 0; p < width * height; p++)
        largest = fmaxf (largest, isnan (u[p]) ? 0 : fabsf (u[p]));
      for (gsize p = 0; p < width * height; p++)
        if (isnan (u[p]) || isnan (v[p]))
          g_assert_true (isnan (u[p]) && isnan (v[p]));
        else if (tolerance == 0)
          g_assert_cmpmem (&u[p], sizeof u[p], &v[p], sizeof v[p]);
        else
          g_assert_cmpfloat (fabsf (u[p] - v[p]), <=, 1e3 * tolerance * largest);
    }
}

static const EsTestScene scenes[] = {
  { 83, 211, 24, ESK_I16, "bsq", FALSE, -9999, NULL, 0.1 },
  { 83, 211, 24, ESK_I16, "bil", TRUE, NAN, NULL, 0 },
  { 64, 130, 24, ESK_U8, "bip", FALSE, NAN, NULL, 0 },
  { 131, 77, 17, ESK_U16, "bip", TRUE, 0, (const int[]) { 0, 5, 6, -1 }, 0.1 },
  { 83, 211, 24, ESK_F32, "bil", FALSE, NAN, NULL, 0.1 },
  { 64, 130, 12, ESK_F32, "bsq", TRUE, -32768, (const int[]) { 3, -1 }, 0.1 },
  { 1, 129, 5, ESK_U16, "bsq", TRUE, 0, NULL, 0.1 },
  { 129, 1, 5, ESK_F32, "bip", FALSE, NAN, NULL, 0.1 },
  { 2, 2, 3, ESK_I16, "bil", FALSE, NAN, NULL, 0 },
};

static void
test_same_as_cpu (gconstpointer data)
{
  EsTestScene scene = scenes[GPOINTER_TO_UINT (data)];
  static const char *const devices[] = { "cuda:0", "cuda:all" };
  static const char *const quantise[] = { "none", "8bit" };
  g_autofree char *name = g_strdup_printf ("scene-%u", GPOINTER_TO_UINT (data));
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 7);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, name);
  for (guint q = 0; q < 2; q++)
    {
      const double tolerance = scene.type == ESK_F32 && q == 0 ? 1e-6 : 0;
      g_autoptr (EsResult) cpu = run_pca (cube, "cpu", NULL, NULL, &error, "quantise", quantise[q], NULL);
      g_assert_no_error (error);

      for (guint d = 0; d < 2; d++)
        {
          /* Room for the cube, for tiles only, for hardly anything. */
          static const guint64 allowed[] = { 0, 600 << 10, 300 << 10 };
          EsDevice *device = es_device_find (devices[d], NULL);

          for (guint a = 0; a < G_N_ELEMENTS (allowed); a++)
            {
              const EsLimits limits = { .device_memory = allowed[a] };
              const guint64 before = es_buffers_get_used (device);

              for (guint run = 0; run < 2; run++)
                {
                  g_autoptr (EsResult) gpu = run_pca (cube, devices[d], &limits, NULL, &error, "quantise", quantise[q],
                                                      NULL);
                  g_assert_no_error (error);
                  g_assert_null (es_result_get_warnings (gpu));
                  assert_same (cpu, gpu, tolerance);
                }
              es_resident_clear (device);
              assert_used (device, before);
            }
        }
    }
  es_test_scene_clear (&scene);
}

/* Every run on the same device gives the same bytes, also the first one, which brings the cube there. */
static void
test_repeats (void)
{
  EsTestScene scene = scenes[4];
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 8);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "repeats");
  g_autoptr (EsDataset) again = es_test_scene_open (&scene, directory, "repeats");
  for (guint all = 0; all < 2; all++)
    {
      const char *device = all ? "cuda:all" : "cuda:1";
      g_autoptr (EsResult) first = run_pca (cube, device, NULL, NULL, &error, NULL);
      g_autoptr (EsResult) second = run_pca (cube, device, NULL, NULL, &error, NULL);
      g_autoptr (EsResult) other = run_pca (again, device, NULL, NULL, &error, NULL);
      g_assert_no_error (error);
      assert_same (first, second, 0);
      assert_same (first, other, 0);
    }
  es_test_scene_clear (&scene);
}

/* ---- a source that counts what is read of it ---- */

typedef struct
{
  EsSampleSource parent;
  gint16        *samples;
  guint          width, height, bands;
  guint64        block_width, block_height;
  int            reads;            /* atomic */
  int            fail_at;          /* the n-th read fails; 0: none */
  GCancellable  *cancel;           /* when half of it is read; nullable */
} Source;

static gpointer
source_handle_new (EsSampleSource *self, GError **error)
{
  return self;
}

static void
source_handle_free (EsSampleSource *self, gpointer handle)
{
}

static gboolean
source_read (EsSampleSource *parent, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
             GError **error)
{
  Source *self = (Source *) parent;
  gint16 *out = buffer;
  const int reads = g_atomic_int_add (&self->reads, 1) + 1;

  if (self->fail_at > 0 && reads >= self->fail_at)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED, "the file has become shorter");
      return FALSE;
    }
  for (guint b = 0; b < self->bands; b++)
    for (guint64 y = 0; y < window->height; y++)
      {
        memcpy (out, self->samples + (b * self->height + window->y + y) * self->width + window->x,
                window->width * sizeof *out);
        out += window->width;
      }
  *tile = (EskTile) { buffer, ESK_I16, false, window->width, window->height, self->bands, 1,
                      (ptrdiff_t) window->width, (ptrdiff_t) (window->width * window->height) };
  return TRUE;
}

static void
source_free (EsSampleSource *parent)
{
  g_free (((Source *) parent)->samples);
  g_free (parent);
}

static EsDataset *
make_source (guint width, guint height, guint bands, guint64 block_width, guint64 block_height, Source **source)
{
  Source *self = *source = g_new0 (Source, 1);
  EsCubeInfo info = { .width = width, .height = height, .bands = bands, .type = ESK_I16,
                      .default_bands = { -1, -1, -1 }, .source = &self->parent };
  g_autoptr (GRand) rand = g_rand_new_with_seed (width);
  g_autoptr (GError) error = NULL;

  self->parent = (EsSampleSource) { source_handle_new, source_handle_free, source_read, NULL, source_free,
                                    block_width, block_height, FALSE };
  self->width = width;
  self->height = height;
  self->bands = bands;
  self->samples = g_new (gint16, (gsize) width * height * bands);
  for (gsize i = 0; i < (gsize) width * height * bands; i++)
    self->samples[i] = g_rand_int_range (rand, -500, 500) + (i % (width * height)) % 997;
  EsCube *cube = es_cube_new (NULL, &info, &error);
  g_assert_no_error (error);
  return ES_DATASET (cube);
}

/* The file is read once; then the card has it, until the cube goes. */
static void
test_read_once (void)
{
  static const char *const devices[] = { "cuda:0", "cuda:all" };

  for (guint d = 0; d < 2; d++)
    {
      EsDevice *device = es_device_find (devices[d], NULL);
      const guint64 before = es_buffers_get_used (device);
      g_autoptr (GError) error = NULL;
      Source *source;
      EsDataset *cube = make_source (200, 300, 40, 1, 1, &source);
      const EsLimits small = { .device_memory = 2 << 20 };
      EsLimits folder = { .output_dir = directory };
      guint64 bytes;
      guint cubes;

      g_assert_false (es_resident_is_on (ES_CUBE (cube), device));
      g_autoptr (EsResult) first = run_pca (cube, devices[d], NULL, NULL, &error, NULL);
      g_assert_no_error (error);
      const int reads = source->reads;
      g_assert_cmpint (reads, >, 0);
      g_assert_true (es_resident_is_on (ES_CUBE (cube), device));
      es_resident_get_statistics (device, &bytes, &cubes);
      g_assert_cmpuint (cubes, ==, 1);
      g_assert_cmpuint (bytes, >=, 200 * 300 * 40 * 2);

      g_autoptr (EsResult) second = run_pca (cube, devices[d], NULL, NULL, &error, NULL);
      g_autoptr (EsResult) moved = run_pca (cube, devices[d], NULL, first, &error, "threshold", "0.9999", NULL);
      g_autoptr (EsResult) quantised = run_pca (cube, devices[d], NULL, NULL, &error, "quantise", "8bit", NULL);
      g_autoptr (EsResult) written = run_pca (cube, devices[d], &folder, NULL, &error, NULL);
      g_assert_no_error (error);
      g_assert_cmpint (source->reads, ==, reads);
      assert_same (first, second, 0);
      assert_same (first, written, 0);

      /* Another cube on the other card only does not make this one known there. */
      if (d == 0)
        g_assert_false (es_resident_is_on (ES_CUBE (cube), es_device_find ("cuda:1", NULL)));

      /* Who allows little reads it twice. */
      g_autoptr (EsResult) streamed = run_pca (cube, devices[d], &small, NULL, &error, NULL);
      g_assert_no_error (error);
      g_assert_cmpint (source->reads, >, reads);
      assert_same (first, streamed, 0);

      g_object_unref (cube);
      g_clear_object (&first);
      g_clear_object (&second);
      g_clear_object (&moved);
      g_clear_object (&quantised);
      g_clear_object (&written);
      g_clear_object (&streamed);
      assert_used (device, before);
    }
}

/* A moved threshold projects anew, from what is on the card, and sums nothing. */
static void
test_previous (void)
{
  Source *source;
  g_autoptr (EsDataset) cube = make_source (97, 201, 20, 1, 1, &source);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) first = run_pca (cube, "cuda:0", NULL, NULL, &error, "threshold", "0.7", NULL);
  g_autoptr (EsResult) moved = run_pca (cube, "cuda:0", NULL, first, &error, "threshold", "0.999", NULL);
  g_autoptr (EsResult) cpu = run_pca (cube, "cpu", NULL, NULL, &error, "threshold", "0.999", NULL);
  guint n;

  g_assert_no_error (error);
  assert_same (cpu, moved, 0);
  const EsStageTime *stages = es_result_get_stages (moved, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (stages[i].name, !=, "covariance");
  es_resident_clear (es_device_find ("cuda:0", NULL));
}

/* Files of blocks: whole ones, ones as wide as the cube, and ones so large that they are cut. */
static void
test_blocks (void)
{
  static const struct { guint width, height, bands, block_width, block_height; } cases[] = {
    { 131, 257, 50, 131, 5 }, { 131, 257, 50, 64, 64 }, { 257, 131, 20, 16, 16 }, { 131, 257, 100, 131, 257 },
    { 257, 13, 100, 257, 4 }, { 700, 90, 30, 100, 90 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Source *source;
      g_autoptr (EsDataset) cube = make_source (cases[i].width, cases[i].height, cases[i].bands, cases[i].block_width,
                                                cases[i].block_height, &source);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) cpu = run_pca (cube, "cpu", NULL, NULL, &error, NULL);

      g_assert_no_error (error);
      for (guint all = 0; all < 2; all++)
        for (guint64 memory = 0; memory <= 4 << 20; memory += 2 << 20)
          {
            const EsLimits limits = { .device_memory = memory };
            g_autoptr (EsResult) gpu = run_pca (cube, all ? "cuda:all" : "cuda:0", &limits, NULL, &error, NULL);
            g_assert_no_error (error);
            assert_same (cpu, gpu, 0);
            es_resident_clear (es_device_find ("cuda:all", NULL));
          }
    }
}

/* ---- samples that lie in page-locked memory ---- */

static void
test_staging_cube (void)
{
  static const char *const orders[] = { "bsq", "bil", "bip" };
  EsTestScene scene = scenes[0];
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 3);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "staging");
  g_autoptr (EsResult) cpu = run_pca (cube, "cpu", NULL, NULL, &error, NULL);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      EsDevice *device = es_device_find ("cuda:0", NULL);
      g_autoptr (EsCube) copy = es_cube_copy_to_staging (ES_CUBE (cube), device, orders[i], NULL, &error);
      g_assert_no_error (error);
      g_assert_true (es_cube_get_source (copy)->page_locked);

      for (guint64 memory = 0; memory <= 600 << 10; memory += 600 << 10)
        {
          const EsLimits limits = { .device_memory = memory };
          g_autoptr (EsResult) gpu = run_pca (ES_DATASET (copy), "cuda:0", &limits, NULL, &error, NULL);
          g_assert_no_error (error);
          assert_same (cpu, gpu, 0);
        }
    }

  gpointer samples;
  g_autoptr (EsCube) empty = es_cube_new_in_staging (es_device_find ("cuda:0", NULL), 10, 7, 3, "float32", "bip",
                                                     &samples, &error);
  g_assert_no_error (error);
  g_assert_nonnull (samples);
  g_assert_cmpuint (es_cube_get_n_good_bands (empty), ==, 3);
  g_assert_null (es_cube_new_in_staging (es_device_find ("cuda:0", NULL), 10, 7, 3, "complex", "bip", &samples,
                                         &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
  es_test_scene_clear (&scene);
}

/* ---- what fails ---- */

/* A card that hands out n - 1 blocks and then none, or then one less: the result, or one sentence; nothing stays. */
static void
test_out_of_memory (gconstpointer data)
{
  const char *every = data;
  EsDevice *device = es_device_find ("cuda:0", NULL), *cpu_device = es_device_get_cpu ();
  const EsLimits streamed = { .device_memory = 3 << 20 };
  guint failed = 0, done = 0, warned = 0;
  Source *source;
  g_autoptr (EsDataset) cube = make_source (150, 200, 30, 1, 1, &source);
  g_autoptr (GError) cpu_error = NULL;
  g_autoptr (EsResult) cpu = run_pca (cube, "cpu", NULL, NULL, &cpu_error, NULL);

  g_assert_no_error (cpu_error);
  for (guint way = 0; way < 2; way++)
    for (guint n = 1; n <= 50; n++)
      {
        g_autofree char *value = g_strdup_printf ("%u%s", n, every);
        const guint64 before = es_buffers_get_used (device), host = es_buffers_get_used (cpu_device);
        g_autoptr (GError) error = NULL;

        es_buffers_trim (device);
        g_setenv ("ES_FAKE_FAIL_ALLOCATION", value, TRUE);
        {
          g_autoptr (EsResult) result = run_pca (cube, "cuda:0", way == 0 ? NULL : &streamed, NULL, &error, NULL);

          g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
          if (result != NULL)
            {
              assert_same (cpu, result, 0);
              done++;
              warned += es_result_get_warnings (result) != NULL;
            }
          else
            {
              g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
              g_assert_null (strchr (error->message, '\n'));
              failed++;
            }
        }
        es_resident_clear (device);
        assert_used (device, before);
        assert_used (cpu_device, host);
      }
  g_test_message ("done %u (of them with a warning %u), failed %u", done, warned, failed);
  g_assert_cmpuint (done, >, 0);
}

/* A card that goes at its n-th call: with and without the CPU in its place. A new value brings it back to life in the
 * back end, but not for the program: a process each. */
static void
test_lost (void)
{
  if (!g_test_subprocess ())
    {
      static const int calls[] = { 1, 2, 3, 4, 5, 6, 8, 10, 13, 21, 34, 45 };

      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        {
          g_autofree char *value = g_strdup_printf ("%d", calls[i]);

          g_setenv ("ES_TEST_LOSE_AT", value, TRUE);
          g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_INHERIT_STDERR);
          g_test_trap_assert_passed ();
        }
      g_unsetenv ("ES_TEST_LOSE_AT");
      return;
    }

  EsDevice *device = es_device_find ("cuda:0", NULL);
  const EsLimits limits = { .device_memory = atoi (g_getenv ("ES_TEST_LOSE_AT")) % 2 ? 3 << 20 : 0 };
  const guint64 before = es_buffers_get_used (device);
  Source *source;
  g_autoptr (EsDataset) cube = make_source (150, 200, 30, 1, 1, &source);
  g_autoptr (GError) error = NULL;

  g_setenv ("ES_FAKE_LOSE_AT", g_getenv ("ES_TEST_LOSE_AT"), TRUE);
  {
    g_autoptr (EsResult) result = run_pca (cube, "cuda:0", &limits, NULL, &error, NULL);
    if (result == NULL)
      {
        g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
        g_assert_true (es_device_is_lost (device));
        g_assert_null (strchr (error->message, '\n'));
      }
  }
  es_resident_clear (device);
  assert_used (device, before);
}

static void
test_failing_file (void)
{
  EsDevice *device = es_device_find ("cuda:all", NULL);
  const guint64 before = es_buffers_get_used (device);

  for (int n = 1; n < 12; n++)
    {
      const EsLimits limits = { .device_memory = n % 2 ? 0 : 3 << 20 };
      g_autoptr (GError) error = NULL;
      Source *source;
      g_autoptr (EsDataset) cube = make_source (150, 400, 40, 1, 1, &source);

      source->fail_at = n;
      g_autoptr (EsResult) result = run_pca (cube, "cuda:all", &limits, NULL, &error, NULL);
      if (result == NULL)
        g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
      g_clear_object (&result);
      g_clear_object (&cube);
      assert_used (device, before);
    }
}

static gpointer
cancel_later (gpointer data)
{
  g_usleep (60 * 1000);
  g_object_set_data (data, "cancelled-at", g_memdup2 (&(gint64) { g_get_monotonic_time () }, sizeof (gint64)));
  es_job_cancel (data);
  return NULL;
}

static void
test_cancel (void)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  EsDevice *device = es_device_find ("cuda:all", NULL);
  const guint64 before = es_buffers_get_used (device);

  g_setenv ("ES_FAKE_DELAY_US", "80000", TRUE);
  for (guint i = 0; i < 4; i++)
    {
      const EsLimits limits = { .device_memory = i % 2 ? 3 << 20 : 0, .threads = 4 };
      g_autoptr (EsParams) params = es_params_new (pca->params);
      g_autoptr (GError) error = NULL;
      Source *source;
      g_autoptr (EsDataset) cube = make_source (300, 800, 40, 1, 1, &source);
      g_autoptr (EsJob) job = es_job_new (pca, cube, params, device, &limits, NULL);
      g_autoptr (EsResult) result = NULL;
      GThread *thread = g_thread_new ("cancel", cancel_later, job);

      result = es_job_run (job, &error);
      const gint64 now = g_get_monotonic_time ();
      g_thread_join (thread);
      g_assert_null (result);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_autofree gint64 *cancelled = g_object_steal_data (G_OBJECT (job), "cancelled-at");
      g_test_message ("%.1f ms", (now - *cancelled) * 1e-3);
      g_assert_cmpint (now - *cancelled, <, 1500 * 1000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_clear_object (&cube);
      g_clear_object (&job);
      assert_used (device, before);
    }
  g_unsetenv ("ES_FAKE_DELAY_US");
}

/* Three cubes of which two fit: those used last stay. */
static void
test_eviction (void)
{
  EsDevice *device = es_device_find ("cuda:0", NULL);
  const guint64 before = es_buffers_get_used (device);
  g_autoptr (GError) error = NULL;
  Source *source[3];
  EsDataset *cubes[3];

  es_device_set_budget (device, 52 << 20);
  for (guint i = 0; i < 3; i++)
    {
      cubes[i] = make_source (300, 400, 80, 1, 1, &source[i]);
      g_autoptr (EsResult) result = run_pca (cubes[i], "cuda:0", NULL, NULL, &error, NULL);
      g_assert_no_error (error);
      g_assert_true (es_resident_is_on (ES_CUBE (cubes[i]), device));
      g_assert_cmpuint (es_buffers_get_used (device), <=, 52 << 20);
    }
  g_assert_false (es_resident_is_on (ES_CUBE (cubes[0]), device));
  g_assert_true (es_resident_is_on (ES_CUBE (cubes[2]), device));
  es_device_set_budget (device, 0);
  for (guint i = 0; i < 3; i++)
    g_object_unref (cubes[i]);
  assert_used (device, before);
}

/* What the plan says of memory is what is taken at most. */
static void
test_plan (void)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  EsDevice *device = es_device_find ("cuda:0", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  Source *source;
  g_autoptr (EsDataset) cube = make_source (200, 300, 40, 1, 1, &source);
  g_autoptr (GError) error = NULL;
  const EsLimits small = { .device_memory = 3 << 20 };
  EsPlan plan = pca->plan (cube, params, device, NULL);

  g_assert_cmpuint (plan.passes, ==, 2);
  g_assert_cmpuint (plan.read_bytes, ==, es_cube_get_bytes (ES_CUBE (cube)));
  g_assert_cmpuint (plan.device_memory, >, es_cube_get_bytes (ES_CUBE (cube)));
  g_assert_cmpfloat (plan.seconds, >, 0);
  g_assert_cmpuint (pca->plan (cube, params, device, &small).read_bytes, ==, 2 * es_cube_get_bytes (ES_CUBE (cube)));
  g_assert_cmpuint (pca->plan (cube, params, device, &small).device_memory, <, plan.device_memory);
  g_assert_cmpuint (pca->plan (cube, params, es_device_get_cpu (), NULL).device_memory, ==, 0);

  g_autoptr (EsResult) result = run_pca (cube, "cuda:0", NULL, NULL, &error, NULL);
  g_assert_no_error (error);
  plan = pca->plan (cube, params, device, NULL);
  g_assert_cmpuint (plan.read_bytes, ==, 0);
  es_resident_clear (device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/pca-device/same-as-cpu/%u", i);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_same_as_cpu);
    }
  g_test_add_func ("/pca-device/repeats", test_repeats);
  g_test_add_func ("/pca-device/read-once", test_read_once);
  g_test_add_func ("/pca-device/previous", test_previous);
  g_test_add_func ("/pca-device/blocks", test_blocks);
  g_test_add_func ("/pca-device/staging-cube", test_staging_cube);
  g_test_add_data_func ("/pca-device/out-of-memory/once", "", test_out_of_memory);
  g_test_add_data_func ("/pca-device/out-of-memory/for-good", "+", test_out_of_memory);
  g_test_add_func ("/pca-device/lost", test_lost);
  g_test_add_func ("/pca-device/failing-file", test_failing_file);
  g_test_add_func ("/pca-device/cancel", test_cancel);
  g_test_add_func ("/pca-device/eviction", test_eviction);
  g_test_add_func ("/pca-device/plan", test_plan);
  int status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
