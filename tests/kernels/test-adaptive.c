/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The CPU's adaptive beams against their definition (Gauss elimination in extended precision): every method, arrays of
 * odd sizes and of every symmetry, more and fewer snapshots than elements, weights, rings that run over, dead elements,
 * silence.
 */

#include "test-adaptive-scene.h"

#include <math.h>
#include <string.h>

static const char *const method_names[ESK_N_ADAPTIVE_METHODS] = { "cholesky", "woodbury", "jacobi", "eigen" };

/* All methods that can, against matrices[bin]. */
static void
check_powers (EskStream      *stream,
              EskAdaptive    *adaptive,
              const Scenario *scenario,
              Number        **matrices,
              double          loading,
              double          tolerance)
{
  const EskAdaptivePlan *plan = &scenario->plan;
  const size_t n = plan->n_foci * plan->bins;
  g_autofree double *expected = g_new (double, n);
  EskAdaptiveReport report;

  for (size_t f = 0; f < plan->n_foci; f++)
    for (size_t b = 0; b < plan->bins; b++)
      expected[f * plan->bins + b] = power_of (scenario, b, f, matrices[b], loading, NULL);
  for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
    {
      float *by_bin = test_guarded_new (n * sizeof (float)), *band = test_guarded_new (plan->n_foci * sizeof (float));
      double worst = 0.0;

      if (method == ESK_ADAPTIVE_WOODBURY && (plan->columns == 0 || loading == 0.0))
        g_assert_cmpint (adaptive_powers (stream, adaptive, method, loading, by_bin, band, &report), ==,
                         ESK_ERROR_ARGUMENT);
      else
        {
          g_assert_cmpint (adaptive_powers (stream, adaptive, method, loading, by_bin, band, &report), ==, ESK_OK);
          for (size_t f = 0; f < plan->n_foci; f++)
            {
              double sum = 0.0;

              for (size_t b = 0; b < plan->bins; b++)
                {
                  const double e = expected[f * plan->bins + b], p = (double) by_bin[f * plan->bins + b];

                  sum += e;
                  worst = fmax (worst, e == 0.0 ? fabs (p) : fabs (p / e - 1.0));
                }
              worst = fmax (worst, sum == 0.0 ? fabs ((double) band[f]) : fabs ((double) band[f] / sum - 1.0));
            }
          g_test_message ("%zu elements, %zu columns, loading %g, %s: %.2g", plan->elements, plan->columns, loading,
                          method_names[method], worst);
          g_assert_cmpfloat (worst, <, tolerance);
          g_assert_cmpfloat (report.matrix, >=, 0.0);
          g_assert_cmpfloat (report.spectrum, >=, 0.0);
        }
      test_guarded_free (by_bin);
      test_guarded_free (band);
    }
}

static Number **
matrices_of (const Scenario *scenario,
             size_t          from,
             const double   *weights)
{
  Number **matrices = g_new (Number *, scenario->plan.bins);

  for (size_t b = 0; b < scenario->plan.bins; b++)
    matrices[b] = matrix_of (scenario, b, from, weights);
  return matrices;
}

static void
matrices_free (Number       **matrices,
               const Scenario *scenario)
{
  for (size_t b = 0; b < scenario->plan.bins; b++)
    g_free (matrices[b]);
  g_free (matrices);
}

/* ---- powers ---- */

static void
test_sizes_and_methods (gconstpointer data)
{
  static const struct
  {
    size_t elements, foci, bins, snapshots;
    double loading;
    gboolean scatter;
  } cases[] = {
    { 1, 1, 1, 1, 0.1, FALSE },   { 2, 3, 1, 1, 0.01, FALSE },  { 3, 5, 2, 7, 0.0, FALSE },
    { 5, 17, 3, 4, 1e-3, TRUE },  { 16, 16, 2, 16, 0.01, FALSE }, { 17, 33, 1, 15, 0.01, TRUE },
    { 31, 40, 2, 1, 0.1, FALSE }, { 33, 19, 2, 67, 0.0, TRUE }, { 65, 20, 1, 8, 1e-3, FALSE },
    { 67, 21, 2, 33, 0.1, TRUE }, { 30, 15, 1, 150, 1e-2, FALSE }, { 84, 9, 1, 83, 1e-4, FALSE },
  };
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    for (int columns = 0; columns < 2; columns++)
      {
        g_autoptr (Scenario) scenario = scenario_new (cases[c].elements, cases[c].foci, cases[c].bins,
                                                      columns > 0 ? cases[c].snapshots : 0, (guint32) c);
        EskAdaptive *adaptive;
        Number **matrices;

        if (cases[c].scatter)
          scenario_scatter (scenario);
        scenario_hear (scenario, cases[c].snapshots, 0.1);
        adaptive = scenario_adaptive_new (stream, scenario);
        scenario_add (stream, adaptive, scenario, 1.0, 0.7);
        matrices = matrices_of (scenario, 0, NULL);
        check_powers (stream, adaptive, scenario, matrices, cases[c].loading, 1e-6);
        matrices_free (matrices, scenario);
        esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
      }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* P = eps / (B - C / (eps + |x|^2)), C = |a'x|^2: the order of CBF. */
static void
test_one_snapshot (gconstpointer data)
{
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));
  g_autoptr (Scenario) scenario = scenario_new (64, 50, 3, 1, 5);
  const double loading = 0.01;
  EskAdaptive *adaptive;
  float by_bin[150];
  EskAdaptiveReport report;

  scenario_hear (scenario, 1, 0.5);
  adaptive = scenario_adaptive_new (stream, scenario);
  scenario_add (stream, adaptive, scenario, 1.0, 3.0);
  for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
    {
      g_assert_cmpint (adaptive_powers (stream, adaptive, method, loading, by_bin, NULL, &report), ==, ESK_OK);
      g_assert_cmpuint (report.used, ==, 1);
      for (size_t b = 0; b < 3; b++)
        {
          double square = 0.0;

          for (size_t k = 0; k < 64; k++)
            square += pow ((double) cabsl (snapshot_of (scenario, b, 0, k)), 2.0);
          for (size_t f = 0; f < 50; f++)
            {
              Number y = 0.0L;
              double eps = loading * square / 64.0, c;

              for (size_t k = 0; k < 64; k++)
                y += conjl (steering_of (scenario, b, f, k)) * snapshot_of (scenario, b, 0, k);
              c = pow ((double) cabsl (y), 2.0);
              g_assert_cmpfloat_with_epsilon ((double) by_bin[f * 3 + b] / (eps / (64.0 - c / (eps + square))), 1.0,
                                              1e-6);
            }
        }
      /* A loaded matrix of rank 1 takes n - 1 rotations (sonar.md 6.1). */
      g_assert_cmpuint (report.rotations, ==, method == ESK_ADAPTIVE_JACOBI ? 3 * 63 : 0);
      g_assert_cmpuint (report.sweeps, ==, method == ESK_ADAPTIVE_JACOBI ? 1 : 0);
      g_assert_cmpfloat (report.off, <, 1e-13);
    }
  esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Arrays and foci with and without the symmetries that save work. */
static void
shape_of (Scenario *scenario,
          size_t    shape)
{
  const size_t n = scenario->plan.elements;

  for (size_t k = 0; k < n; k++)
    {
      double *x = scenario->positions + 3 * k;
      const double along = ((double) k - (double) (n - 1) / 2.0) * 1.3;

      if (shape == 0)            /* a line across the axes, in no order, not in the middle */
        {
          const double at = ((double) (k * 7 % n) - 3.0) * 1.1;

          x[0] = 0.6 * at + 5.0;
          x[1] = 0.8 * at - 2.0;
        }
      else if (shape == 1)       /* a line without opposites: foci still have twins */
        x[0] = along + 0.2 * sin ((double) k);
      else if (shape == 2)       /* a grid of three rows: opposites, and no twins but level ones */
        {
          x[0] = (double) (k / 3) * 2.0;
          x[1] = (double) (k % 3) * 1.5;
        }
      else if (shape == 3)       /* a line with near foci, too */
        x[0] = along;
      else if (shape == 4)       /* all at one place */
        x[0] = 3.0;
      else                       /* nearly mirrored: the difference matters */
        x[0] = along + (k == 2 ? 0.01 : 0.0);
    }
  for (size_t f = 0; f < scenario->plan.n_foci; f++)
    {
      EskFocus *p = &scenario->foci[f];

      if (shape == 0)
        *p = (EskFocus) { 0.6 * p->x - 0.8 * p->y, 0.8 * p->x + 0.6 * p->y, 0.0, false };
      else if (shape == 2 && f % 2 == 1)
        *p = (EskFocus) { -p[-1].x, -p[-1].y, 0.0, false };
      else if (shape == 3 && f % 4 == 0)
        *p = (EskFocus) { 15.0 * p->x, 15.0 * p->y, 0.0, true };
    }
}

static void
test_shapes (gconstpointer data)
{
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));

  for (size_t shape = 0; shape < 6; shape++)
    for (size_t elements = 9; elements <= 18; elements += 9)
      for (size_t foci = 16; foci < 80; foci += 61)
        {
          g_autoptr (Scenario) scenario = scenario_new (elements, foci, 2, 5, (guint32) (30 + shape));
          EskAdaptive *adaptive;
          Number **matrices;

          shape_of (scenario, shape);
          scenario_hear (scenario, 5, 0.1);
          adaptive = scenario_adaptive_new (stream, scenario);
          scenario_add (stream, adaptive, scenario, 1.0, 1.0);
          matrices = matrices_of (scenario, 0, NULL);
          check_powers (stream, adaptive, scenario, matrices, 0.02, 1e-6);
          matrices_free (matrices, scenario);
          esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
        }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* Phases after seconds of travel are as good as near ones. */
static void
test_long_array (gconstpointer data)
{
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));

  for (int columns = 0; columns < 2; columns++)
    {
      g_autoptr (Scenario) scenario = scenario_new (40, 23, 3, columns > 0 ? 5 : 0, 6);
      EskAdaptive *adaptive;
      Number **matrices;

      for (size_t k = 0; k < 40; k++)
        scenario->positions[3 * k] = ((double) k - 19.5) * 600.0;
      scenario_hear (scenario, 5, 0.1);
      adaptive = scenario_adaptive_new (stream, scenario);
      scenario_add (stream, adaptive, scenario, 0.0, 1.0);
      matrices = matrices_of (scenario, 0, NULL);
      check_powers (stream, adaptive, scenario, matrices, 1e-2, 1e-6);
      matrices_free (matrices, scenario);
      esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* What takes several blocks of panels, against weights of LAPACK's: P = w' (R + delta I) w. */
static void
test_large (gconstpointer data)
{
  static const struct { size_t elements, snapshots, columns; } cases[] = {
    { 301, 40, 40 }, { 301, 420, 420 }, { 301, 420, 0 }, { 200, 190, 190 },
  };
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));
  const double loading = 0.01;

  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      const size_t n = cases[c].elements, foci = 7;
      g_autoptr (Scenario) scenario = scenario_new (n, foci, 1, cases[c].columns, (guint32) (40 + c));
      g_autofree double *matrix = g_new (double, 2 * n * n), *a = g_new (double, 2 * n), *w = g_new (double, 2 * n);
      EskAdaptive *adaptive = scenario_adaptive_new (stream, scenario);
      double expected[7], trace = 0.0;
      EskAdaptiveReport report;
      float power[7];

      scenario_hear (scenario, cases[c].snapshots, 0.1);
      scenario_add (stream, adaptive, scenario, 1.0, 1.0);
      g_assert_cmpint (cpu->adaptive->adaptive_state (stream, adaptive, 0, NULL, NULL, matrix, NULL), ==, ESK_OK);
      for (size_t k = 0; k < n; k++)
        trace += matrix[2 * (k * n + k)];
      for (size_t f = 0; f < foci; f++)
        {
          esk_adaptive_steering (&scenario->plan, &scenario->foci[f], scenario->plan.first_frequency, a);
          g_assert_cmpint (esk_adaptive_weights (n, 0, NULL, NULL, matrix, loading, a, w), ==, ESK_OK);
          expected[f] = 0.0;
          for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
              {
                const double *r = matrix + 2 * (i * n + j), *x = w + 2 * i, *y = w + 2 * j;
                const double re = r[0] + (i == j ? loading * trace / (double) n : 0.0), im = r[1];

                expected[f] += x[0] * (re * y[0] - im * y[1]) + x[1] * (re * y[1] + im * y[0]);
              }
        }
      for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
        {
          if (method == ESK_ADAPTIVE_WOODBURY && cases[c].columns == 0)
            continue;
          /* Rotations of the slow loops take long, and are tested with smaller matrices. */
          if (method == ESK_ADAPTIVE_JACOBI && (GPOINTER_TO_INT (data) != FASTEST || c > 0))
            continue;
          g_assert_cmpint (adaptive_powers (stream, adaptive, method, loading, NULL, power, &report), ==, ESK_OK);
          for (size_t f = 0; f < foci; f++)
            g_assert_cmpfloat_with_epsilon ((double) power[f] / expected[f], 1.0, 1e-6);
        }
      cpu->adaptive->adaptive_free (adaptive);
    }
  cpu->stream->stream_free (stream);
}

/* ---- what has been heard ---- */

/* Blocks of 3 snapshots come in with weights of their own; the ring holds `columns` of them. */
static void
test_history (gconstpointer data)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));
  const size_t columns[] = { 0, 1, 2, 3, 7, 12, 40 };
  const double keeps[] = { 1.0, 0.8, 0.0, 0.5, 1.0 };

  for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      g_autoptr (Scenario) scenario = scenario_new (11, 6, 2, columns[c], 21);
      g_autoptr (Scenario) part = scenario_new (11, 6, 2, columns[c], 21);
      double weights[15] = { 0.0 };
      EskAdaptive *adaptive;

      scenario_hear (scenario, 15, 0.1);
      scenario_hear (part, 3, 0.1);
      adaptive = scenario_adaptive_new (stream, scenario);
      for (size_t block = 0; block < 5; block++)
        {
          const EskSpectra *s = &scenario->spectra;
          const size_t row = 2 * s->stride, end = 3 * block + 3;
          size_t used = 0, first = 0;
          Number **matrices;
          double sum = 0.0;

          for (size_t bin = 0; bin < s->bins; bin++)
            memcpy (part->spectra.values + bin * 3 * row, s->values + (bin * 15 + 3 * block) * row,
                    3 * row * sizeof (float));
          scenario_add (stream, adaptive, part, keeps[block], 1.0 + (double) block);
          for (size_t k = 0; k < end; k++)
            weights[k] = k < 3 * block ? weights[k] * keeps[block] : 1.0 + (double) block;
          /* Nothing is left of what was before a keep of 0. */
          while (first < end && (weights[first] == 0.0 || (columns[c] > 0 && end - first > columns[c])))
            weights[first++] = 0.0;
          matrices = matrices_of (scenario, 0, weights);
          check_powers (stream, adaptive, scenario, matrices, 0.05, 1e-6);

          /* The state says the same. */
          for (size_t k = 0; k < end; k++)
            sum += weights[k];
          for (size_t bin = 0; bin < 2; bin++)
            {
              double *matrix = test_guarded_new (11 * 11 * 2 * sizeof (double));
              float *x = test_guarded_new (MAX (columns[c], 1) * 2 * 11 * sizeof (float));
              double *w = test_guarded_new (MAX (columns[c], 1) * sizeof (double));

              g_assert_cmpint (cpu->adaptive->adaptive_state (stream, adaptive, bin, NULL, NULL, matrix, NULL), ==,
                               ESK_OK);
              for (size_t k = 0; k < 121; k++)
                {
                  g_assert_cmpfloat_with_epsilon (matrix[2 * k], (double) creall (matrices[bin][k]), 1e-13);
                  g_assert_cmpfloat_with_epsilon (matrix[2 * k + 1], (double) cimagl (matrices[bin][k]), 1e-13);
                }
              if (columns[c] == 0)
                g_assert_cmpint (cpu->adaptive->adaptive_state (stream, adaptive, bin, x, w, NULL, &used), ==,
                                 ESK_ERROR_ARGUMENT);
              else
                {
                  g_assert_cmpint (cpu->adaptive->adaptive_state (stream, adaptive, bin, x, w, NULL, &used), ==,
                                   ESK_OK);
                  g_assert_cmpuint (used, ==, end - first);
                  for (size_t k = 0; k < used; k++)
                    {
                      g_assert_cmpfloat_with_epsilon (w[k], weights[first + k] / sum, 1e-15);
                      for (size_t e = 0; e < 11; e++)
                        g_assert_true ((Number) x[2 * k * 11 + e] + 1.0iL * (Number) x[(2 * k + 1) * 11 + e]
                                       == snapshot_of (scenario, bin, first + k, e));
                    }
                  for (size_t k = used; k < columns[c]; k++)
                    g_assert_cmpfloat (w[k], ==, 0.0);
                }
              test_guarded_free (matrix);
              test_guarded_free (x);
              test_guarded_free (w);
            }
          matrices_free (matrices, scenario);
        }

      /* And then nothing. */
      g_assert_cmpint (cpu->adaptive->adaptive_reset (stream, adaptive), ==, ESK_OK);
      g_assert_cmpint (cpu->adaptive->adaptive_state (stream, adaptive, 0, NULL, NULL, NULL, NULL), ==,
                       ESK_ERROR_ARGUMENT);
      scenario_add (stream, adaptive, part, 1.0, 1.0);
      {
        Number **matrices = matrices_of (part, columns[c] > 0 && columns[c] < 3 ? 3 - columns[c] : 0, NULL);

        check_powers (stream, adaptive, part, matrices, 0.05, 1e-6);
        matrices_free (matrices, part);
      }
      cpu->adaptive->adaptive_free (adaptive);
    }
  cpu->stream->stream_free (stream);
}

/* More snapshots at a time than there are columns, and than are multiplied in one go. */
static void
test_overflow (gconstpointer data)
{
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));
  const size_t columns[] = { 0, 5, 290, 300, 400 };

  for (size_t c = 0; c < G_N_ELEMENTS (columns); c++)
    {
      g_autoptr (Scenario) scenario = scenario_new (13, 5, 2, columns[c], 22);
      EskAdaptive *adaptive = scenario_adaptive_new (stream, scenario);
      Number **matrices;

      scenario_hear (scenario, 300, 0.1);
      scenario_add (stream, adaptive, scenario, 1.0, 1.0);
      matrices = matrices_of (scenario, columns[c] > 0 && columns[c] < 300 ? 300 - columns[c] : 0, NULL);
      check_powers (stream, adaptive, scenario, matrices, 0.01, 1e-6);
      matrices_free (matrices, scenario);
      esk_cpu_hotspots ()->adaptive->adaptive_free (adaptive);
    }
  esk_cpu_hotspots ()->stream->stream_free (stream);
}

/* ---- dead and silent ---- */

static void
test_dead (gconstpointer data)
{
  EskStream *stream = loops_stream_new (GPOINTER_TO_INT (data));

  for (int columns = 0; columns < 2; columns++)
    for (size_t dead = 1; dead <= 20; dead += dead == 1 ? 2 : 17)
      for (size_t snapshots = 3; snapshots < 70; snapshots += 60)
        {
          g_autoptr (Scenario) scenario = scenario_new (20, 9, 3, columns > 0 ? snapshots : 0, 23);
          EskAdaptive *adaptive = scenario_adaptive_new (stream, scenario);
          const EskSpectra *s = &scenario->spectra;
          Number **matrices;

          scenario_hear (scenario, snapshots, 0.1);
          for (size_t k = 0; k < dead; k++)
            scenario_kill (scenario, dead == 20 ? k : k * 9);
          /* One that was heard once is alive, and a bin in which nothing is heard silent. */
          if (dead < 20)
            s->values[2 * scenario->first_bin * snapshots * s->stride + 9] = 0.25f;
          memset (s->values + 2 * (scenario->first_bin + 1) * snapshots * s->stride, 0,
                  2 * snapshots * s->stride * sizeof (float));
          scenario_add (stream, adaptive, scenario, 1.0, 1.0);
          matrices = matrices_of (scenario, 0, NULL);
          check_powers (stream, adaptive, scenario, matrices, 0.03, 1e-6);
          matrices_free (matrices, scenario);
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
  add ("/adaptive/methods", test_sizes_and_methods);
  add ("/adaptive/one-snapshot", test_one_snapshot);
  add ("/adaptive/shapes", test_shapes);
  add ("/adaptive/long-array", test_long_array);
  add ("/adaptive/large", test_large);
  add ("/adaptive/history", test_history);
  add ("/adaptive/overflow", test_overflow);
  add ("/adaptive/dead", test_dead);

  return g_test_run ();
}
