/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which kernels OpenBLAS runs: the ones that this processor can, also where its model is unknown. */

#include "es-blas-core.h"
#include "es-eigen.h"

#include <cblas.h>
#include <glib.h>
#include <stdlib.h>

extern void gotoblas_dynamic_quit (void) __attribute__ ((weak));
extern void gotoblas_dynamic_init (void) __attribute__ ((weak));

static void
test_better_core (void)
{
  g_assert_null (esk_blas_better_core ("Prescott", FALSE, FALSE));
#if defined (__x86_64__)
  g_assert_cmpstr (esk_blas_better_core ("Prescott", TRUE, FALSE), ==, "Haswell");
  g_assert_cmpstr (esk_blas_better_core ("Prescott", TRUE, TRUE), ==, "SkylakeX");
  g_assert_cmpstr (esk_blas_better_core ("Sandybridge", TRUE, FALSE), ==, "Haswell");
#endif
  /* What was made for this kind of processor is left alone, whatever else it can. */
  for (int wide = 0; wide < 2; wide++)
    {
      g_assert_null (esk_blas_better_core ("Haswell", TRUE, wide));
      g_assert_null (esk_blas_better_core ("Zen", TRUE, wide));
      g_assert_null (esk_blas_better_core ("Cooperlake", TRUE, wide));
      g_assert_null (esk_blas_better_core ("SapphireRapids", TRUE, wide));
    }
}

/* As it starts on a model that it does not know. */
static void
test_unknown_processor (void)
{
  enum { N = 40 };
  double matrix[N * N], values[N], vectors[N * N];
  const char *better;

  if (gotoblas_dynamic_quit == NULL || gotoblas_dynamic_init == NULL
      || esk_blas_better_core ("Prescott", __builtin_cpu_supports ("avx2"), FALSE) == NULL)
    {
      g_test_skip ("this OpenBLAS or this processor has no choice");
      return;
    }
  g_unsetenv ("OPENBLAS_CORETYPE");
  /* At the start of this program it has been seen to. */
  g_assert_null (esk_blas_slow_core (&better));

  g_setenv ("OPENBLAS_CORETYPE", "Prescott", TRUE);
  gotoblas_dynamic_quit ();
  gotoblas_dynamic_init ();
  g_assert_cmpstr (openblas_get_corename (), ==, "Prescott");
  /* Somebody wants it: it stays, and nobody is told. */
  esk_blas_fit_processor ();
  g_assert_cmpstr (openblas_get_corename (), ==, "Prescott");
  g_assert_null (esk_blas_slow_core (&better));

  g_unsetenv ("OPENBLAS_CORETYPE");
  g_assert_cmpstr (esk_blas_slow_core (&better), ==, "Prescott");
  esk_blas_fit_processor ();
  g_assert_cmpstr (openblas_get_corename (), !=, "Prescott");
  g_assert_null (esk_blas_slow_core (&better));
  g_assert_null (g_getenv ("OPENBLAS_CORETYPE"));

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      matrix[i * N + j] = 1.0 / (1 + abs (i - j));
  g_assert_cmpint (esk_eigen_lapack (N, matrix, values, vectors), ==, ESK_OK);
  g_assert_cmpfloat (esk_eigen_residual (N, matrix, values, vectors), <, 1e-13);
}

/* Its threads would keep processors busy while a program starts, and nothing of ours uses them. */
static void
test_no_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;

  if (tasks == NULL)
    {
      g_test_skip ("no /proc here");
      return;
    }
  while (g_dir_read_name (tasks) != NULL)
    n++;
  g_assert_cmpuint (n, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/blas/no-threads", test_no_threads);
  g_test_add_func ("/kernels/blas/better-core", test_better_core);
  g_test_add_func ("/kernels/blas/unknown-processor", test_unknown_processor);

  return g_test_run ();
}
