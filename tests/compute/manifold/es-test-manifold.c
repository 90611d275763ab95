/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-manifold.h"

#include "operations/es-operations.h"

#include <math.h>

EsDataset *
es_test_manifold_cube (const char *directory, const char *name, guint width, guint height, guint bands,
                       const double *rows)
{
  EsTestScene scene = { .width = width, .height = height, .bands = bands, .type = ESK_F32, .interleave = "bil",
                        .no_data = NAN };
  const gsize pixels = (gsize) width * height;
  EsDataset *cube;

  scene.values = g_new (double, pixels * bands);
  for (gsize p = 0; p < pixels; p++)
    for (guint b = 0; b < bands; b++)
      scene.values[b * pixels + p] = rows[p * bands + b];
  cube = es_test_scene_open (&scene, directory, name);
  es_test_scene_clear (&scene);
  return cube;
}

EsResult *
es_test_manifold_run (EsDataset *cube, const char *operation, const char *text, const EsLimits *limits, GError **error)
{
  const EsOperation *found = es_operation_find (operation, NULL);
  g_autoptr (EsParams) params = es_params_new (found->params);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    {
      g_auto (GStrv) pair = g_strsplit (words[i], "=", 2);
      g_autoptr (GError) local = NULL;

      g_strdelimit (pair[1], "_", ' ');
      es_params_parse (params, pair[0], pair[1], &local);
      g_assert_no_error (local);
    }
  g_autoptr (EsJob) job = es_job_new (found, cube, params, es_device_get_cpu (), limits, NULL);
  EsResult *result = es_job_run (job, error);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

float *
es_test_manifold_read (EsResult *result, guint *m)
{
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  const gsize pixels = es_image_stack_get_width (stack) * es_image_stack_get_height (stack);
  const guint planes = es_image_stack_get_planes (stack);
  g_autofree float *plane = g_new (float, pixels);
  float *out = g_new (float, pixels * planes);

  for (guint k = 0; k < planes; k++)
    {
      g_autoptr (GError) error = NULL;

      es_image_stack_read (stack, k, 0, 0, es_image_stack_get_width (stack), es_image_stack_get_height (stack), 1,
                           plane, &error);
      g_assert_no_error (error);
      for (gsize p = 0; p < pixels; p++)
        out[p * planes + k] = plane[p];
    }
  if (m != NULL)
    *m = planes;
  return out;
}

typedef struct
{
  double distance;
  gsize  index;
} Other;

static int
compare_others (gconstpointer a, gconstpointer b)
{
  const Other *x = a, *y = b;

  return x->distance != y->distance ? (x->distance < y->distance ? -1 : 1) : x->index < y->index ? -1 : 1;
}

double
es_test_manifold_trust (const double *rows, gsize n, guint bands, const float *embedded, guint m, guint k)
{
  g_autofree Other *there = g_new (Other, n), *here = g_new (Other, n);
  g_autofree gsize *rank = g_new (gsize, n);
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    {
      for (gsize j = 0; j < n; j++)
        {
          there[j] = here[j] = (Other) { 0, j };
          for (guint b = 0; b < bands; b++)
            there[j].distance += (rows[i * bands + b] - rows[j * bands + b])
                                 * (rows[i * bands + b] - rows[j * bands + b]);
          for (guint c = 0; c < m; c++)
            here[j].distance += ((double) embedded[i * m + c] - embedded[j * m + c])
                                * ((double) embedded[i * m + c] - embedded[j * m + c]);
        }
      /* Itself is no neighbour of it. */
      there[i].distance = here[i].distance = -1;
      qsort (there, n, sizeof *there, compare_others);
      qsort (here, n, sizeof *here, compare_others);
      for (gsize r = 0; r < n; r++)
        rank[there[r].index] = r;
      for (guint j = 1; j <= k; j++)
        if (rank[here[j].index] > k)
          sum += (double) rank[here[j].index] - k;
    }
  return 1 - 2.0 / ((double) n * k * (2.0 * n - 3.0 * k - 1)) * sum;
}

double *
es_test_manifold_roll (gsize n, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  double *rows = g_new (double, 3 * n);

  for (gsize i = 0; i < n; i++)
    {
      const double t = 1.5 * G_PI * (1 + 2 * g_rand_double (rand));

      rows[3 * i] = t * cos (t);
      rows[3 * i + 1] = 21 * g_rand_double (rand);
      rows[3 * i + 2] = t * sin (t);
    }
  return rows;
}
