/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Adaptive beams against the CPU's: what is kept of what has been heard, Cholesky and Woodbury from it, several
 * streams, too little memory. Eigenpairs are in test-conformance-eigen.c.
 */

#include "test-conformance-adaptive.h"

#include <math.h>
#include <string.h>

/* Float32 results of float64 calculations. */
#define TOLERANCE 3e-7

static void
compare (const char  *what,
         const float *got,
         const float *expected,
         size_t       n)
{
  double worst = 0.0;

  for (size_t k = 0; k < n; k++)
    {
      const double scale = fmax (fabs ((double) expected[k]), 1e-30);
      const double error = fabs ((double) got[k] - (double) expected[k]) / scale;

      worst = error <= worst ? worst : isnan (error) ? INFINITY : error;
    }
  EXPECT (worst <= TOLERANCE, "%s is wrong by %g", what, worst);
  conformance_worst (worst);
}

static void
check_powers (const AdaptiveCase *c,
              Pair               *pair,
              EskAdaptiveMethod   method)
{
  const size_t numbers = c->n_foci * c->bins;
  g_autofree float *by_bin = g_new (float, numbers), *band = g_new (float, c->n_foci);
  EskAdaptiveRun run = { .method = method, .loading = c->loading, .by_bin = by_bin, .band = band };
  EskAdaptiveReport expected, report;
  CardBuffer card_by_bin, card_band;

  conformance_expect ("the CPU's adaptive_power",
                      conformance.cpu->adaptive->adaptive_power (conformance.cpu_stream, pair->cpu, &run, &expected),
                      ESK_OK);
  if (!card_new (&card_by_bin, numbers * sizeof (float), 0) || !card_new (&card_band, c->n_foci * sizeof (float), 0))
    {
      conformance_fail ("no memory on the card");
      return;
    }
  run.by_bin = (float *) (void *) card_by_bin.data;
  run.band = (float *) (void *) card_band.data;
  if (conformance_expect ("adaptive_power",
                          conformance.table->adaptive->adaptive_power (conformance.stream, pair->card, &run, &report),
                          ESK_OK))
    {
      g_autofree float *got = card_get (&card_by_bin), *got_band = card_get (&card_band);
      g_autofree float *again = NULL, *again_band = NULL;

      compare (method == ESK_ADAPTIVE_WOODBURY ? "woodbury" : "cholesky", got, by_bin, numbers);
      compare ("the band", got_band, band, c->n_foci);
      EXPECT (report.used == expected.used, "%zu used, not %zu", report.used, expected.used);
      EXPECT (report.matrix >= 0.0 && report.factor > 0.0 && report.spectrum > 0.0 && report.spectrum < 60.0,
              "times of %g, %g and %g s", report.matrix, report.factor, report.spectrum);

      run.by_bin = NULL;
      conformance_expect ("adaptive_power", conformance.table->adaptive->adaptive_power (conformance.stream, pair->card,
                                                                                         &run, &report), ESK_OK);
      again_band = card_get (&card_band);
      run.by_bin = (float *) (void *) card_by_bin.data;
      run.band = NULL;
      conformance_expect ("adaptive_power", conformance.table->adaptive->adaptive_power (conformance.stream, pair->card,
                                                                                         &run, &report), ESK_OK);
      again = card_get (&card_by_bin);
      EXPECT (memcmp (again, got, numbers * sizeof (float)) == 0, "other bytes by bin the next time");
      EXPECT (memcmp (again_band, got_band, c->n_foci * sizeof (float)) == 0, "other bytes of the band the next time");
    }
  card_free (&card_by_bin);
  card_free (&card_band);
}

static void
check_state (const AdaptiveCase *c,
             Pair               *pair)
{
  const size_t n = c->elements;
  const gboolean ring = c->columns > 0;
  g_autofree float *columns = g_new (float, c->columns * 2 * n + 1), *expected = g_new (float, c->columns * 2 * n + 1);
  g_autofree double *weights = g_new (double, c->columns + 1), *expected_weights = g_new (double, c->columns + 1);
  g_autofree double *matrix = g_new (double, 2 * n * n), *expected_matrix = g_new (double, 2 * n * n);

  for (size_t b = 0; b < c->bins; b += c->bins > 1 ? c->bins - 1 : 1)
    {
      size_t used = 77, expected_used = 78;
      double largest = 0.0, worst = 0.0;

      conformance_expect ("the CPU's adaptive_state",
                          conformance.cpu->adaptive->adaptive_state (conformance.cpu_stream, pair->cpu, b,
                                                                     ring ? expected : NULL,
                                                                     ring ? expected_weights : NULL, expected_matrix,
                                                                     &expected_used), ESK_OK);
      if (!conformance_expect ("adaptive_state",
                               conformance.table->adaptive->adaptive_state (conformance.stream, pair->card, b,
                                                                            ring ? columns : NULL,
                                                                            ring ? weights : NULL, matrix,
                                                                            &used), ESK_OK))
        return;
      EXPECT (used == expected_used, "%zu used, not %zu", used, expected_used);
      EXPECT (!ring || memcmp (columns, expected, c->columns * 2 * n * sizeof (float)) == 0, "other columns");
      for (size_t k = 0; k < c->columns; k++)
        EXPECT (fabs (weights[k] - expected_weights[k]) < 1e-15, "weight %zu is %g, not %g", k, weights[k],
                expected_weights[k]);
      for (size_t k = 0; k < 2 * n * n; k++)
        {
          largest = fmax (largest, fabs (expected_matrix[k]));
          worst = fmax (worst, isnan (matrix[k]) ? INFINITY : fabs (matrix[k] - expected_matrix[k]));
        }
      EXPECT (worst <= 1e-13 * largest, "the matrix is wrong by %g of %g", worst, largest);
      EXPECT (largest > 0.0 || (c->silent && b == 1), "an empty matrix");
    }
}

static void
check_case (const AdaptiveCase *c)
{
  Pair pair;

  conformance_case ("%zu elements%s%s, %zu foci, %zu bins%s, %zu columns, snapshots %zu, %zu, %zu, loading %g",
                    c->elements, c->scattered ? " anywhere" : "", c->dead ? ", dead ones" : "", c->n_foci, c->bins,
                    c->silent ? ", one silent" : "", c->columns, c->parts[0].snapshots, c->parts[1].snapshots,
                    c->parts[2].snapshots, c->loading);
  if (!pair_new (c, &pair))
    return;
  check_powers (c, &pair, ESK_ADAPTIVE_CHOLESKY);
  if (c->columns > 0 && c->loading > 0.0)
    check_powers (c, &pair, ESK_ADAPTIVE_WOODBURY);
  check_state (c, &pair);
  pair_clear (&pair);
}

static void
test_sizes (void)
{
  static const size_t sizes[][3] = {
    { 1, 1, 1 }, { 1, 3, 5 }, { 2, 1, 2 }, { 5, 9, 3 }, { 31, 33, 32 }, { 33, 160, 17 }, { 64, 65, 64 },
    { 65, 181, 97 }, { 100, 40, 250 }, { 300, 50, 64 }, { 515, 33, 130 },
  };
  const guint n = conformance.quick || conformance.fake ? 8 : G_N_ELEMENTS (sizes);

  for (guint k = 0; k < n; k++)
    {
      AdaptiveCase c = { .elements = sizes[k][0], .n_foci = sizes[k][1], .bins = 1 + k % 4, .before = k % 3,
                         .columns = sizes[k][2], .parts = { { sizes[k][2], 1.0, 1.0 } }, .loading = 0.1,
                         .scattered = k % 2 == 1 };

      check_case (&c);
      c.columns = 0;
      check_case (&c);
    }
}

static void
test_history (void)
{
  static const AdaptiveCase cases[] = {
    /* Not full, just full, round the end, more at once than there is room for. */
    { 20, 15, 3, 1, 12, { { 5, 1.0, 1.0 }, { 4, 0.5, 2.0 } }, 0.1, FALSE, FALSE, FALSE },
    { 20, 15, 3, 1, 12, { { 5, 1.0, 1.0 }, { 7, 1.0, 1.0 } }, 0.1, FALSE, FALSE, FALSE },
    { 20, 15, 3, 1, 12, { { 8, 1.0, 1.0 }, { 8, 0.7, 0.3 }, { 9, 0.7, 0.3 } }, 0.1, FALSE, FALSE, FALSE },
    { 20, 15, 3, 1, 12, { { 8, 1.0, 1.0 }, { 31, 0.7, 0.3 }, { 2, 0.9, 1.0 } }, 0.1, FALSE, FALSE, FALSE },
    { 20, 15, 3, 1, 12, { { 8, 1.0, 1.0 }, { 5, 0.0, 0.3 } }, 0.1, FALSE, FALSE, FALSE },
    { 20, 15, 3, 1, 1, { { 8, 1.0, 1.0 }, { 3, 0.5, 0.3 } }, 0.1, FALSE, FALSE, FALSE },
    /* Forgetting: all but nothing is left of the first. */
    { 20, 15, 3, 0, 0, { { 30, 1.0, 0.1 }, { 25, 0.9, 0.1 }, { 25, 1e-300, 0.1 } }, 0.01, FALSE, FALSE, FALSE },
    { 20, 15, 3, 0, 0, { { 30, 1.0, 0.1 }, { 25, 0.0, 0.1 }, { 25, 0.5, 3.0 } }, 0.0, FALSE, FALSE, FALSE },
    { 20, 15, 3, 0, 80, { { 30, 1.0, 0.1 }, { 25, 0.9, 0.1 }, { 25, 0.9, 0.1 } }, 0.0, TRUE, FALSE, FALSE },
    /* What takes no part. */
    { 37, 15, 4, 2, 50, { { 50, 1.0, 1.0 } }, 0.1, FALSE, TRUE, TRUE },
    { 37, 15, 4, 2, 20, { { 50, 1.0, 1.0 } }, 0.1, TRUE, TRUE, TRUE },
    { 37, 15, 4, 2, 0, { { 50, 1.0, 1.0 } }, 0.0, TRUE, TRUE, TRUE },
    { 37, 15, 4, 2, 50, { { 50, 1.0, 1.0 } }, 0.0, FALSE, TRUE, TRUE },
    { 8, 15, 2, 0, 50, { { 50, 1.0, 1.0 } }, 1e-3, FALSE, TRUE, TRUE },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    check_case (&cases[k]);
}

/* Where neither the bins nor the foci are worked on at once. */
static void
test_slices (void)
{
  AdaptiveCase c = { .elements = 40, .n_foci = 150, .bins = 11, .before = 1, .columns = 30,
                     .parts = { { 30, 1.0, 1.0 } }, .loading = 0.1, .dead = TRUE, .silent = TRUE };

  g_setenv ("ES_CUDA_ARRAYS", "slices", TRUE);
  check_case (&c);
  c.columns = 0;
  check_case (&c);
  g_unsetenv ("ES_CUDA_ARRAYS");
}

static int
power_code (Pair                 *pair,
            const AdaptiveCase   *c,
            EskAdaptiveMethod     method,
            double                loading,
            EskAdaptiveReport    *report)
{
  CardBuffer band;
  EskAdaptiveRun run = { .method = method, .loading = loading };
  int code;

  if (!card_new (&band, c->n_foci * sizeof (float), 0))
    return ESK_ERROR_MEMORY;
  run.band = (float *) (void *) band.data;
  code = conformance.table->adaptive->adaptive_power (conformance.stream, pair->card, &run, report);
  card_free (&band);

  return code;
}

static void
test_singular (void)
{
  for (size_t columns = 0; columns <= 9; columns += 9)
    {
      AdaptiveCase c = { .elements = 30, .n_foci = 8, .bins = 3, .columns = columns, .parts = { { 9, 1.0, 1.0 } },
                         .silent = TRUE };
      EskAdaptiveReport report = { .singular_bin = 77 };
      Pair pair;

      conformance_case ("%zu columns, singular", columns);
      if (!pair_new (&c, &pair))
        return;
      conformance_expect ("adaptive_power", power_code (&pair, &c, ESK_ADAPTIVE_CHOLESKY, 0.0, &report),
                          ESK_ERROR_SINGULAR);
      EXPECT (report.singular_bin == 0, "bin %zu is said to be singular", report.singular_bin);
      conformance_expect ("with a loading", power_code (&pair, &c, ESK_ADAPTIVE_CHOLESKY, 1e-3, &report), ESK_OK);
      conformance_expect ("Woodbury without a loading", power_code (&pair, &c, ESK_ADAPTIVE_WOODBURY, 0.0, &report),
                          ESK_ERROR_ARGUMENT);
      conformance_expect ("reset", conformance.table->adaptive->adaptive_reset (conformance.stream, pair.card), ESK_OK);
      conformance_expect ("nothing heard", power_code (&pair, &c, ESK_ADAPTIVE_CHOLESKY, 1e-3, &report),
                          ESK_ERROR_ARGUMENT);
      conformance_expect ("hearing again", pair_hear (&c, &pair, 0) ? ESK_OK : ESK_ERROR_DEVICE, ESK_OK);
      conformance_expect ("after a reset", power_code (&pair, &c, ESK_ADAPTIVE_CHOLESKY, 1e-3, &report), ESK_OK);
      pair_clear (&pair);
    }
}

static void
test_arguments (void)
{
  const EskHotspots *table = conformance.table;
  const double positions[12] = { 0.0, 0.0, 0.0, 1.5 }, broken[12] = { 0.0, NAN }, far_off[12] = { 1e300 };
  const EskFocus foci[2] = { { 1.0, 0.0, 0.0, false }, { 0.0, 50.0, 0.0, true } };
  const EskFocus nowhere[2] = { { 1.0, 0.0, 0.0, false }, { 0.0, INFINITY, 0.0, true } };
  const EskAdaptivePlan good = { 4, positions, 2, foci, 1500.0, 300.0, 1.0, 5, 3 };
  EskAdaptivePlan wrong[9];
  float out[2];
  EskSpectra spectra = { out, 4, 32, 6, 1 }, other;
  EskAdaptiveRun run = { .method = ESK_ADAPTIVE_CHOLESKY, .loading = 0.1, .band = out };
  EskAdaptiveReport report;
  EskAdaptive *adaptive;
  int code;

  for (guint k = 0; k < G_N_ELEMENTS (wrong); k++)
    wrong[k] = good;
  wrong[0].elements = 0;
  wrong[1].n_foci = 0;
  wrong[2].bins = 0;
  wrong[3].sound_speed = 0.0;
  wrong[4].first_frequency = NAN;
  wrong[5].positions = broken;
  wrong[6].foci = nowhere;
  wrong[7].bins = SIZE_MAX / 4;
  wrong[8].positions = far_off;
  for (guint k = 0; k < G_N_ELEMENTS (wrong); k++)
    {
      conformance_case ("wrong plan %u", k);
      code = ESK_OK;
      adaptive = table->adaptive->adaptive_new (conformance.stream, &wrong[k], &code);
      conformance_expect ("adaptive_new", code, ESK_ERROR_ARGUMENT);
      EXPECT (adaptive == NULL, "something is made");
      table->adaptive->adaptive_free (adaptive);
    }

  conformance_case ("other spectra than asked for");
  adaptive = table->adaptive->adaptive_new (conformance.stream, &good, &code);
  if (!conformance_expect ("adaptive_new", code, ESK_OK))
    return;
  conformance_expect ("too few bins", table->adaptive->adaptive_add (conformance.stream, adaptive, &spectra, 2, 1.0,
                                                                     1.0),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("bins far away", table->adaptive->adaptive_add (conformance.stream, adaptive, &spectra, SIZE_MAX,
                                                                      1.0, 1.0),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("no weight", table->adaptive->adaptive_add (conformance.stream, adaptive, &spectra, 0, 1.0, 0.0),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("keeping more than all",
                      table->adaptive->adaptive_add (conformance.stream, adaptive, &spectra, 0, 1.5, 1.0),
                      ESK_ERROR_ARGUMENT);
  other = spectra;
  other.elements = 5;
  conformance_expect ("other elements", table->adaptive->adaptive_add (conformance.stream, adaptive, &other, 0, 1.0,
                                                                       1.0),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("nothing heard", table->adaptive->adaptive_power (conformance.stream, adaptive, &run, &report),
                      ESK_ERROR_ARGUMENT);
  conformance_expect ("the state of nothing",
                      table->adaptive->adaptive_state (conformance.stream, adaptive, 0, NULL, NULL, NULL, NULL),
                      ESK_ERROR_ARGUMENT);
  table->adaptive->adaptive_free (adaptive);
  table->adaptive->adaptive_free (NULL);
}

static void
test_cancelled (void)
{
  const EskHotspots *table = conformance.table;
  AdaptiveCase c = { .elements = 40, .n_foci = 30, .bins = 6, .columns = 50, .parts = { { 50, 1.0, 1.0 } },
                     .loading = 0.1 };
  EskSpectra spectra;
  g_autofree float *values = make_values (&c, 0, &spectra);
  const int cancelled = 1;
  CardBuffer buffer, band;
  EskAdaptive *adaptive;
  EskAdaptiveReport report;
  int code;

  conformance_case ("nobody wants it");
  adaptive = adaptive_new (table, conformance.stream, &c, &code);
  if (!conformance_expect ("adaptive_new", code, ESK_OK))
    return;
  if (!card_new (&buffer, spectra.bins * spectra.snapshots * 2 * spectra.stride * sizeof (float), 0)
      || !card_new (&band, c.n_foci * sizeof (float), 0))
    return;
  card_put (&buffer, values);
  conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);
  spectra.values = (float *) (void *) buffer.data;
  conformance_expect ("adaptive_add", table->adaptive->adaptive_add (conformance.stream, adaptive, &spectra, 0, 1.0,
                                                                     1.0),
                      ESK_OK);
  for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
    {
      EskAdaptiveRun run = { .method = method, .loading = 0.1, .band = (float *) (void *) band.data,
                             .cancelled = &cancelled };

      conformance_case ("cancelled, method %d", method);
      conformance_expect ("adaptive_power", table->adaptive->adaptive_power (conformance.stream, adaptive, &run,
                                                                             &report),
                          ESK_ERROR_CANCELLED);
      run.cancelled = NULL;
      conformance_expect ("and then", table->adaptive->adaptive_power (conformance.stream, adaptive, &run, &report),
                          ESK_OK);
    }
  table->adaptive->adaptive_free (adaptive);
  card_free (&buffer);
  card_free (&band);
}

/* Two streams take turns with one object, without waiting; and each with an object of its own. */
static void
test_streams (void)
{
  const EskHotspots *table = conformance.table;
  AdaptiveCase c = { .elements = 50, .n_foci = 40, .bins = 6, .columns = 40, .parts = { { 10, 0.9, 1.0 } },
                     .loading = 0.1 };
  EskSpectra spectra;
  g_autofree float *values = make_values (&c, 0, &spectra);
  EskStream *streams[2] = { conformance.stream, table->stream->stream_new (conformance.device) };
  CardBuffer buffer, band;
  EskAdaptive *adaptive[2];
  EskAdaptiveRun run = { .method = ESK_ADAPTIVE_WOODBURY, .loading = 0.1 };
  EskAdaptiveReport report;
  int code;

  conformance_case ("two streams");
  for (int k = 0; k < 2; k++)
    {
      adaptive[k] = adaptive_new (table, conformance.stream, &c, &code);
      if (!conformance_expect ("adaptive_new", code, ESK_OK))
        return;
    }
  if (!card_new (&buffer, spectra.bins * spectra.snapshots * 2 * spectra.stride * sizeof (float), 0)
      || !card_new (&band, c.n_foci * sizeof (float), 0))
    return;
  card_put (&buffer, values);
  conformance_expect ("wait", table->device->wait (conformance.stream), ESK_OK);
  spectra.values = (float *) (void *) buffer.data;
  run.band = (float *) (void *) band.data;
  for (guint turn = 0; turn < 20; turn++)
    {
      g_autofree float *got = NULL, *expected = NULL;

      /* The first goes from stream to stream, the second stays. */
      conformance_expect ("adaptive_add", table->adaptive->adaptive_add (streams[turn % 2], adaptive[0], &spectra, 0,
                                                                         0.9, 1.0),
                          ESK_OK);
      conformance_expect ("adaptive_add", table->adaptive->adaptive_add (streams[0], adaptive[1], &spectra, 0, 0.9,
                                                                         1.0),
                          ESK_OK);
      conformance_expect ("adaptive_power", table->adaptive->adaptive_power (streams[(turn / 2) % 2], adaptive[0], &run,
                                                                             &report),
                          ESK_OK);
      conformance_expect ("wait", table->device->wait (streams[(turn / 2) % 2]), ESK_OK);
      got = card_get (&band);
      conformance_expect ("adaptive_power", table->adaptive->adaptive_power (streams[0], adaptive[1], &run, &report),
                          ESK_OK);
      expected = card_get (&band);
      EXPECT (memcmp (got, expected, c.n_foci * sizeof (float)) == 0, "turn %u: other bytes than in one stream", turn);
      EXPECT (expected[1] > 0.0f, "nothing comes out");
    }
  for (int k = 0; k < 2; k++)
    table->adaptive->adaptive_free (adaptive[k]);
  card_free (&buffer);
  card_free (&band);
  table->stream->stream_free (streams[1]);
}

/* Every allocation fails once: it is said, and the next time all is well. */
static void
test_memory (void)
{
  AdaptiveCase c = { .elements = 200, .n_foci = 30, .bins = 4, .columns = 20, .parts = { { 20, 1.0, 1.0 } },
                     .loading = 0.1 };
  EskAdaptiveReport report;
  Pair pair;
  guint failed = 0;

  for (guint k = 1; k < 40; k++)
    {
      g_autofree char *value = g_strdup_printf ("%u!", k);
      int code = ESK_OK;
      CardBuffer band;
      EskAdaptiveRun run = { .method = k % 2 == 0 ? ESK_ADAPTIVE_WOODBURY : ESK_ADAPTIVE_CHOLESKY, .loading = 0.1 };

      conformance_case ("allocation %u fails", k);
      pair.cpu = adaptive_new (conformance.cpu, conformance.cpu_stream, &c, &code);
      if (!card_new (&band, c.n_foci * sizeof (float), 0))
        return;
      run.band = (float *) (void *) band.data;
      g_setenv ("ES_CUDA_FAIL_ALLOCATION", value, TRUE);
      pair.card = adaptive_new (conformance.table, conformance.stream, &c, &code);
      g_unsetenv ("ES_CUDA_FAIL_ALLOCATION");
      if (pair.card == NULL)
        {
          EXPECT (code == ESK_ERROR_MEMORY, "adaptive_new answers %d", code);
          failed++;
        }
      else
        {
          EXPECT (code == ESK_OK, "adaptive_new answers %d", code);
          if (pair_hear (&c, &pair, 0))
            {
              g_setenv ("ES_CUDA_FAIL_ALLOCATION", value, TRUE);
              code = conformance.table->adaptive->adaptive_power (conformance.stream, pair.card, &run, &report);
              g_unsetenv ("ES_CUDA_FAIL_ALLOCATION");
              EXPECT (code == ESK_OK || code == ESK_ERROR_MEMORY, "adaptive_power answers %d", code);
              failed += code == ESK_ERROR_MEMORY;
              conformance_expect ("the next time",
                                  conformance.table->adaptive->adaptive_power (conformance.stream, pair.card,
                                                                                                &run, &report), ESK_OK);
            }
        }
      card_free (&band);
      pair_clear (&pair);
    }
  EXPECT (conformance.fake || failed > 0, "nothing has failed");
}

void
conformance_add_adaptive (void)
{
  conformance_add ("adaptive/sizes", test_sizes);
  conformance_add ("adaptive/history", test_history);
  conformance_add ("adaptive/slices", test_slices);
  conformance_add ("adaptive/singular", test_singular);
  conformance_add ("adaptive/arguments", test_arguments);
  conformance_add ("adaptive/cancelled", test_cancelled);
  conformance_add ("adaptive/streams", test_streams);
  conformance_add ("adaptive/memory", test_memory);
}
