/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the CPU's adaptive beams refuse: matrices without an inverse, what was cancelled, what cannot be right. */

#include "test-adaptive-scene.h"

#include <math.h>
#include <string.h>

/* ---- singular ---- */

static void
test_singular (gconstpointer data)
{
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));

  for (int columns = 0; columns < 2; columns++)
    for (int kind = 0; kind < 3; kind++)
      {
        /* 0: fewer snapshots than elements; 1: two elements hear the same; 2: a snapshot again and again. */
        const size_t snapshots = kind == 0 ? 16 : 40;
        g_autoptr (Scenario) scenario = scenario_new (17, 9, 4, columns > 0 ? snapshots : 0, 24);
        EskAdaptive *adaptive = scenario_adaptive_new (stream, scenario);
        EskSpectra *s = &scenario->spectra;
        float by_bin[36];
        EskAdaptiveReport report;

        scenario_hear (scenario, snapshots, 0.1);
        for (size_t row = 0; row < s->bins * snapshots * 2; row++)
          {
            const size_t bin = row / (snapshots * 2);

            /* The first two bins of the plan are in order, but where there are too few snapshots. */
            if (bin < scenario->first_bin + 2 && kind > 0)
              continue;
            if (kind == 1)
              s->values[row * s->stride + 12] = 3.0f * s->values[row * s->stride + 5];
            else if (kind == 2)
              memcpy (s->values + row * s->stride, s->values + (bin * snapshots * 2 + row % 20) * s->stride,
                      s->stride * sizeof (float));
          }
        scenario_add (stream, adaptive, scenario, 1.0, 1.0);
        for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
          {
            if (method == ESK_ADAPTIVE_WOODBURY)
              continue;
            report.singular_bin = 99;
            g_assert_cmpint (adaptive_powers (stream, adaptive, method, 0.0, by_bin, NULL, &report), ==,
                             ESK_ERROR_SINGULAR);
            g_assert_cmpuint (report.singular_bin, ==, kind == 0 ? 0 : 2);
          }
        /* With a loading it has an inverse. */
        for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
          if (method != ESK_ADAPTIVE_WOODBURY || columns > 0)
            {
              g_assert_cmpint (adaptive_powers (stream, adaptive, method, 0.01, by_bin, NULL, &report), ==, ESK_OK);
              for (size_t k = 0; k < 36; k++)
                g_assert_true (isfinite (by_bin[k]) && by_bin[k] > 0.0f);
            }
        esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* ---- cancelled ---- */

static gpointer
cancel_soon (gpointer flag)
{
  g_usleep (30000);
  g_atomic_int_set ((int *) flag, 1);
  return NULL;
}

/* Before it begins, and amid the rotations of one large matrix. */
static void
test_cancelled (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));
  g_autoptr (Scenario) scenario = scenario_new (400, 3, 1, 0, 25);
  EskAdaptive *adaptive = scenario_adaptive_new (stream, scenario);
  float band[3];
  int cancelled = 1;
  EskAdaptiveRun run = { .loading = 0.01, .band = band, .cancelled = &cancelled };
  EskAdaptiveReport report;

  scenario_hear (scenario, 500, 0.1);
  scenario_add (stream, adaptive, scenario, 1.0, 1.0);
  for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
    if (method != ESK_ADAPTIVE_WOODBURY)
      {
        run.method = method;
        g_assert_cmpint (cpu->adaptive->adaptive_power (stream, adaptive, &run, &report), ==, ESK_ERROR_CANCELLED);
      }

  cancelled = 0;
  run.method = ESK_ADAPTIVE_JACOBI;
  GThread *thread = g_thread_new ("cancel", cancel_soon, &cancelled);
  g_assert_cmpint (cpu->adaptive->adaptive_power (stream, adaptive, &run, &report), ==, ESK_ERROR_CANCELLED);
  g_thread_join (thread);

  /* Nothing of what was heard has gone. */
  cancelled = 0;
  run.method = ESK_ADAPTIVE_CHOLESKY;
  g_assert_cmpint (cpu->adaptive->adaptive_power (stream, adaptive, &run, &report), ==, ESK_OK);
  cpu->adaptive->adaptive_free (adaptive);
  cpu->stream->stream_free (stream);
}

/* ---- what cannot be right ---- */

static void
refuse (EskStream             *stream,
        const EskAdaptivePlan *plan,
        int                    expected)
{
  int code = 1;

  g_assert_null (esk_cpu_hotspots ()->adaptive->adaptive_new (stream, plan, &code));
  g_assert_cmpint (code, ==, expected);
}

static void
test_bad (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = loops_stream_new (FASTEST);
  g_autoptr (Scenario) scenario = scenario_new (8, 4, 5, 3, 29);
  EskAdaptivePlan plan;
  EskAdaptive *adaptive;
  EskAdaptiveReport report;
  EskAdaptiveRun run;
  EskSpectra other;
  float power[20];
  double values[5];

  scenario_hear (scenario, 2, 0.1);
#define REFUSE(change) (plan = scenario->plan, (change), refuse (stream, &plan, ESK_ERROR_ARGUMENT))
  REFUSE (plan.elements = 0);
  REFUSE (plan.elements = SIZE_MAX);
  REFUSE (plan.positions = NULL);
  REFUSE (plan.n_foci = 0);
  REFUSE (plan.n_foci = SIZE_MAX / 3);
  REFUSE (plan.foci = NULL);
  REFUSE (plan.bins = 0);
  REFUSE (plan.bins = SIZE_MAX);
  REFUSE (plan.sound_speed = 0.0);
  REFUSE (plan.sound_speed = NAN);
  REFUSE (plan.first_frequency = (double) INFINITY);
  REFUSE (plan.bin_spacing = NAN);
  REFUSE (plan.first_frequency = 1e300);
  plan = scenario->plan;
  plan.columns = SIZE_MAX / 64;
  refuse (stream, &plan, ESK_ERROR_MEMORY);
  refuse (NULL, &scenario->plan, ESK_ERROR_ARGUMENT);
  refuse (stream, NULL, ESK_ERROR_ARGUMENT);
  scenario->positions[4] = NAN;
  refuse (stream, &scenario->plan, ESK_ERROR_ARGUMENT);
  scenario->positions[4] = 0.0;
  scenario->foci[3].y = (double) INFINITY;
  refuse (stream, &scenario->plan, ESK_ERROR_ARGUMENT);
  scenario->foci[3].y = 1.0;
  cpu->adaptive->adaptive_free (NULL);

  adaptive = scenario_adaptive_new (stream, scenario);
  /* Nothing heard yet. */
  g_assert_cmpint (adaptive_powers (stream, adaptive, ESK_ADAPTIVE_CHOLESKY, 0.1, power, NULL, &report), ==,
                   ESK_ERROR_ARGUMENT);
#define REFUSE_SPECTRA(first, keep, weight, change)                                                        \
  do                                                                                                       \
    {                                                                                                      \
      other = scenario->spectra;                                                                           \
      change;                                                                                              \
      g_assert_cmpint (cpu->adaptive->adaptive_add (stream, adaptive, &other, first, keep, weight), ==,    \
                       ESK_ERROR_ARGUMENT);                                                                \
    }                                                                                                      \
  while (0)
  REFUSE_SPECTRA (2, 1.0, 1.0, other.values = NULL);
  REFUSE_SPECTRA (2, 1.0, 1.0, other.elements = 7);
  REFUSE_SPECTRA (2, 1.0, 1.0, other.stride = 8);
  REFUSE_SPECTRA (2, 1.0, 1.0, other.bins = 6);
  REFUSE_SPECTRA (2, 1.0, 1.0, other.snapshots = 0);
  REFUSE_SPECTRA (4, 1.0, 1.0, (void) 0);
  REFUSE_SPECTRA (SIZE_MAX, 1.0, 1.0, (void) 0);
  REFUSE_SPECTRA (2, -0.1, 1.0, (void) 0);
  REFUSE_SPECTRA (2, 1.1, 1.0, (void) 0);
  REFUSE_SPECTRA (2, NAN, 1.0, (void) 0);
  REFUSE_SPECTRA (2, 1.0, 0.0, (void) 0);
  REFUSE_SPECTRA (2, 1.0, NAN, (void) 0);
  REFUSE_SPECTRA (2, 1.0, (double) INFINITY, (void) 0);
  g_assert_cmpint (cpu->adaptive->adaptive_add (stream, NULL, &scenario->spectra, 2, 1.0, 1.0), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->adaptive->adaptive_add (NULL, adaptive, &scenario->spectra, 2, 1.0, 1.0), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->adaptive->adaptive_add (stream, adaptive, NULL, 2, 1.0, 1.0), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->adaptive->adaptive_state (stream, adaptive, 0, NULL, NULL, NULL, NULL), ==, ESK_ERROR_ARGUMENT);

  scenario_add (stream, adaptive, scenario, 1.0, 1.0);
#define REFUSE_RUN(change)                                                                          \
  do                                                                                                \
    {                                                                                               \
      run = (EskAdaptiveRun) { .method = ESK_ADAPTIVE_WOODBURY, .loading = 0.1, .by_bin = power };  \
      change;                                                                                       \
      g_assert_cmpint (cpu->adaptive->adaptive_power (stream, adaptive, &run, &report), ==, ESK_ERROR_ARGUMENT); \
    }                                                                                               \
  while (0)
  REFUSE_RUN (run.method = ESK_N_ADAPTIVE_METHODS);
  REFUSE_RUN (run.loading = -0.1);
  REFUSE_RUN (run.loading = NAN);
  REFUSE_RUN (run.loading = (double) INFINITY);
  REFUSE_RUN (run.loading = 0.0);
  REFUSE_RUN (run.by_bin = NULL);
  REFUSE_RUN (run.music_by_bin = power);
  REFUSE_RUN ((run.music_by_bin = power, run.sources = 8));
  REFUSE_RUN ((run.eigenvalues = values, run.n_eigenvalues = 0));
  g_assert_cmpint (cpu->adaptive->adaptive_power (stream, adaptive, NULL, &report), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->adaptive->adaptive_power (stream, NULL, &run, &report), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->adaptive->adaptive_state (stream, adaptive, 5, NULL, NULL, NULL, NULL), ==, ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->adaptive->adaptive_reset (stream, NULL), ==, ESK_ERROR_ARGUMENT);

  /* What is not a number is no power. */
  scenario->spectra.values[2 * 2 * 2 * 32 + 1] = NAN;
  scenario_add (stream, adaptive, scenario, 1.0, 1.0);
  for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
    g_assert_cmpint (adaptive_powers (stream, adaptive, method, 0.1, power, NULL, &report), ==, ESK_ERROR_ARGUMENT);
  cpu->adaptive->adaptive_free (adaptive);
  cpu->stream->stream_free (stream);
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
  add ("/adaptive/singular", test_singular);
  add ("/adaptive/cancelled", test_cancelled);
  g_test_add_func ("/adaptive/bad", test_bad);

  return g_test_run ();
}
