/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The CPU's adaptive beams against their definition (Gauss elimination in extended precision): every method, arrays of
 * odd sizes and of every symmetry, more and fewer snapshots than elements, weights, rings that run over, dead elements,
 * silence, what has no inverse.
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
  add ("/adaptive/methods", test_sizes_and_methods);
  add ("/adaptive/one-snapshot", test_one_snapshot);
  add ("/adaptive/shapes", test_shapes);
  add ("/adaptive/long-array", test_long_array);
  add ("/adaptive/large", test_large);
  add ("/adaptive/history", test_history);
  add ("/adaptive/overflow", test_overflow);
  add ("/adaptive/dead", test_dead);
  add ("/adaptive/singular", test_singular);
  add ("/adaptive/cancelled", test_cancelled);
  g_test_add_func ("/adaptive/bad", test_bad);

  return g_test_run ();
}
