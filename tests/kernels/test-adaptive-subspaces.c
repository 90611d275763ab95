/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * MUSIC and eigenvalues of the CPU's adaptive beams against projectors of their own; the same bytes from any number of
 * threads.
 */

#include "test-adaptive-scene.h"

#include <math.h>
#include <string.h>

/* Powers and subspaces at once are what they are one by one. */
static void
check_joint (EskStream            *stream,
             EskAdaptive          *adaptive,
             const EskAdaptiveRun *subspaces,
             size_t                numbers)
{
  g_autofree float *powers = g_new (float, numbers), *alone = g_new (float, numbers), *music = g_new (float, numbers);
  EskAdaptiveRun both = *subspaces;
  EskAdaptiveReport report;

  both.by_bin = powers;
  both.music_by_bin = music;
  both.eigenvalues = NULL;
  g_assert_cmpint (esk_cpu_hotspots ()->adaptive->adaptive_power (stream, adaptive, &both, &report), ==, ESK_OK);
  g_assert_cmpint (adaptive_powers (stream, adaptive, both.method, both.loading, alone, NULL, &report), ==, ESK_OK);
  g_assert_cmpmem (powers, numbers * sizeof (float), alone, numbers * sizeof (float));
  g_assert_cmpmem (music, numbers * sizeof (float), subspaces->music_by_bin, numbers * sizeof (float));
}

/* MUSIC against the projector on the loudest eigenvectors of the definition's matrix, by LAPACK. */
static void
test_music (gconstpointer data)
{
  static const struct { size_t elements, snapshots, sources; } cases[] = {
    { 12, 40, 2 }, { 33, 5, 3 }, { 33, 5, 7 }, { 40, 1, 1 }, { 18, 18, 17 }, { 2, 9, 1 },
  };
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));
  const size_t foci = 19, bins = 2;

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
      {
        const size_t n = cases[c].elements, rank = MIN (n, cases[c].snapshots), many = n + 3;
        g_autoptr (Scenario) scenario = scenario_new (n, foci, bins, cases[c].snapshots, 25);
        g_autofree double *flat = g_new (double, 2 * n * n), *values = g_new (double, n);
        g_autofree double *vectors = g_new (double, 2 * n * n);
        float *by_bin = test_guarded_new (foci * bins * sizeof (float));
        float *band = test_guarded_new (foci * sizeof (float));
        double *eigenvalues = test_guarded_new (bins * many * sizeof (double));
        double reciprocals[19] = { 0.0 };
        const EskAdaptiveRun run = { .method = method, .loading = 0.1, .sources = cases[c].sources,
                                     .music_by_bin = by_bin, .music_band = band, .eigenvalues = eigenvalues,
                                     .n_eigenvalues = many };
        EskAdaptive *adaptive = scenario_adaptive_new (stream, scenario);
        EskAdaptiveReport report;

        scenario_hear (scenario, cases[c].snapshots, 0.1);
        scenario_add (stream, adaptive, scenario, 1.0, 1.0);
        g_assert_cmpint (esk_cpu_hotspots ()->adaptive->adaptive_power (stream, adaptive, &run, &report), ==, ESK_OK);
        check_joint (stream, adaptive, &run, foci * bins);
        for (size_t b = 0; b < bins; b++)
          {
            g_autofree Number *matrix = matrix_of (scenario, b, 0, NULL);

            for (size_t k = 0; k < n * n; k++)
              {
                flat[2 * k] = (double) creall (matrix[k]);
                flat[2 * k + 1] = (double) cimagl (matrix[k]);
              }
            g_assert_cmpint (esk_eigen_hermitian_lapack (n, flat, values, vectors), ==, ESK_OK);
            for (size_t k = 0; k < many; k++)
              {
                g_assert_cmpfloat_with_epsilon (eigenvalues[b * many + k], k < rank ? values[k] : 0.0,
                                                1e-12 * values[0]);
                if (k >= rank)
                  g_assert_cmpfloat (eigenvalues[b * many + k], ==, 0.0);
              }
            for (size_t f = 0; f < foci; f++)
              {
                Number outside = (Number) n;
                double expected;

                for (size_t i = 0; i < MIN (cases[c].sources, rank); i++)
                  {
                    Number y = 0.0L;

                    for (size_t k = 0; k < n; k++)
                      y += ((Number) vectors[2 * (i * n + k)] - 1.0iL * (Number) vectors[2 * (i * n + k) + 1])
                           * steering_of (scenario, b, f, k);
                    outside -= y * conjl (y);
                  }
                expected = fmin ((double) (n / creall (outside)), 1e12);
                reciprocals[f] += 1.0 / expected;
                g_assert_cmpfloat_with_epsilon ((double) by_bin[f * bins + b] / expected, 1.0, 1e-6 + 1e-12 * expected);
              }
          }
        for (size_t f = 0; f < foci; f++)
          g_assert_cmpfloat_with_epsilon ((double) band[f] * reciprocals[f] / (double) bins, 1.0, 1e-5);
        test_guarded_free (by_bin);
        test_guarded_free (band);
        test_guarded_free (eigenvalues);
        esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Of silence, and of one element that lives, MUSIC knows nothing; eigenvalues alone need no spectra. */
static void
test_music_silence (void)
{
  EskStream *stream = loops_stream_new (FASTEST);

  for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
    {
      g_autoptr (Scenario) scenario = scenario_new (6, 4, 2, 3, 26);
      float by_bin[8], band[4], power[4];
      double eigenvalues[8];
      EskAdaptiveRun run = { .method = method, .loading = 0.1, .sources = 2, .music_by_bin = by_bin,
                             .music_band = band, .band = power };
      EskAdaptive *adaptive = scenario_adaptive_new (stream, scenario);
      EskAdaptiveReport report;

      scenario_hear (scenario, 3, 0.1);
      memset (scenario->spectra.values, 0, esk_spectra_bytes (6, scenario->spectra.bins, 3));
      scenario_add (stream, adaptive, scenario, 1.0, 1.0);
      g_assert_cmpint (esk_cpu_hotspots ()->adaptive->adaptive_power (stream, adaptive, &run, &report), ==, ESK_OK);
      for (size_t k = 0; k < 8; k++)
        g_assert_cmpfloat (by_bin[k], ==, 1.0f);
      for (size_t k = 0; k < 4; k++)
        g_assert_true (band[k] == 1.0f && power[k] == 0.0f);

      scenario->spectra.values[2 * 2 * 3 * 32 + 4] = 2.0f;
      scenario_add (stream, adaptive, scenario, 0.0, 1.0);
      run = (EskAdaptiveRun) { .method = method, .loading = 0.1, .eigenvalues = eigenvalues, .n_eigenvalues = 4 };
      g_assert_cmpint (esk_cpu_hotspots ()->adaptive->adaptive_power (stream, adaptive, &run, &report), ==, ESK_OK);
      g_assert_cmpfloat_with_epsilon (eigenvalues[0], 4.0 / 3.0, 1e-14);
      for (size_t k = 1; k < 8; k++)
        g_assert_cmpfloat (eigenvalues[k], ==, 0.0);
      esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* ---- threads ---- */

static void
test_threads (gconstpointer data)
{
  static const int threads[] = { 1, 2, 5, 3 };
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));

  for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
    for (int columns = 0; columns < 2; columns++)
      for (size_t bins = 1; bins < 8; bins += 6)
        {
          g_autoptr (Scenario) scenario = scenario_new (70, 40, bins, columns > 0 ? 11 : 0, 27);
          g_autofree float *first = NULL, *first_music = NULL;
          const size_t bytes = 40 * bins * sizeof (float);

          if (method == ESK_ADAPTIVE_WOODBURY && columns == 0)
            continue;
          scenario_hear (scenario, 11, 0.1);
          for (size_t t = 0; t < G_N_ELEMENTS (threads); t++)
            {
              g_autofree float *by_bin = g_malloc (bytes), *music = g_malloc (bytes);
              const EskAdaptiveRun run = { .method = method, .loading = 0.1, .sources = 2, .by_bin = by_bin,
                                           .music_by_bin = music };
              EskAdaptiveReport report;
              EskAdaptive *adaptive;

              g_assert_cmpint (cpu->stream->set_threads (stream, threads[t]), ==, ESK_OK);
              adaptive = scenario_adaptive_new (stream, scenario);
              scenario_add (stream, adaptive, scenario, 1.0, 1.0);
              scenario_add (stream, adaptive, scenario, 0.5, 1.0);
              g_assert_cmpint (cpu->adaptive->adaptive_power (stream, adaptive, &run, &report), ==, ESK_OK);
              if (first == NULL)
                {
                  first = g_memdup2 (by_bin, bytes);
                  first_music = g_memdup2 (music, bytes);
                }
              g_assert_cmpmem (by_bin, bytes, first, bytes);
              g_assert_cmpmem (music, bytes, first_music, bytes);
              cpu->adaptive->adaptive_free (adaptive);
            }
        }
  cpu->stream->stream_free (stream);
}

/* Of one bin the threads share the rotations. */
static void
test_threads_of_one_bin (void)
{
  static const int threads[] = { 1, 2, 5 };
  EskStream *stream = loops_stream_new (FASTEST);

  for (size_t elements = 200; elements < 202; elements++)
    {
      g_autoptr (Scenario) scenario = scenario_new (elements, 20, 1, 40, 28);
      EskAdaptive *adaptive = scenario_adaptive_new (stream, scenario);
      float first[20], eigen[20], power[20];
      EskAdaptiveReport report;

      scenario_hear (scenario, 40, 0.1);
      scenario_add (stream, adaptive, scenario, 1.0, 1.0);
      g_assert_cmpint (adaptive_powers (stream, adaptive, ESK_ADAPTIVE_EIGEN, 0.1, NULL, eigen, &report), ==, ESK_OK);
      for (size_t t = 0; t < G_N_ELEMENTS (threads); t++)
        {
          g_assert_cmpint (esk_cpu_hotspots ()->stream->set_threads (stream, threads[t]), ==, ESK_OK);
          g_assert_cmpint (adaptive_powers (stream, adaptive, ESK_ADAPTIVE_JACOBI, 0.1, NULL, t == 0 ? first : power,
                                     &report), ==, ESK_OK);
          if (t > 0)
            g_assert_cmpmem (power, sizeof power, first, sizeof first);
        }
      for (size_t f = 0; f < 20; f++)
        g_assert_cmpfloat_with_epsilon ((double) (first[f] / eigen[f]), 1.0, 1e-6);
      g_assert_cmpuint (report.sweeps, >, 3);
      g_assert_cmpfloat (report.off, <, 1e-13);
      esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

static void
add (const char    *path,
     GTestDataFunc  function)
{
  for (int loops = 0; loops < N_LOOPS; loops++)
    {
      g_autofree char *name = g_strconcat (path, "/", loops_names[loops], NULL);

      g_test_add_data_func (name, GINT_TO_POINTER (loops), function);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/adaptive-subspaces/music", test_music);
  g_test_add_func ("/adaptive-subspaces/silence", test_music_silence);
  add ("/adaptive-subspaces/threads", test_threads);
  g_test_add_func ("/adaptive-subspaces/threads-of-one-bin", test_threads_of_one_bin);

  return g_test_run ();
}
