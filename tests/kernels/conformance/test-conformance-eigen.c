/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Adaptive beams by eigenpairs: rotations, the library's solver, MUSIC and eigenvalues of every method against the
 * CPU's, and against what the matrix itself says of its eigenvalues.
 */

#include "test-conformance.h"

#include <math.h>
#include <string.h>

/* Float32 results of float64 calculations. */
#define TOLERANCE 3e-7

typedef struct
{
  size_t            elements, n_foci, bins, snapshots;
  size_t            columns;           /* 0: the matrix is kept */
  double            loading;
  size_t            sources, eigenvalues;
  EskAdaptiveMethod method;
  gboolean          dead, silent;      /* every fifth element; the second bin */
} EigenCase;

typedef struct
{
  float            *by_bin, *band, *music_by_bin, *music_band;
  double           *eigenvalues;
  EskAdaptiveReport report;
} EigenResult;

static const char *const methods[] = { "cholesky", "woodbury", "jacobi", "eigen" };

static void
result_clear (EigenResult *result)
{
  g_free (result->by_bin);
  g_free (result->band);
  g_free (result->music_by_bin);
  g_free (result->music_band);
  g_free (result->eigenvalues);
}

/* Plane waves of different strengths in noise, so that eigenvalues lie apart. */
static float *
make_values (const EigenCase *c)
{
  const size_t stride = esk_spectra_stride (c->elements);
  float *values = g_new0 (float, c->bins * c->snapshots * 2 * stride);
  guint64 state = c->elements * 131 + c->snapshots * 7 + 1;

  for (size_t b = 0; b < c->bins; b++)
    for (size_t s = 0; s < c->snapshots; s++)
      {
        double amplitude[4], phase[4];

        for (int w = 0; w < 4; w++)
          {
            amplitude[w] = (0.2 + random_unit (&state)) * (double) (1 << w);
            phase[w] = 6.28 * random_unit (&state);
          }
        for (size_t e = 0; e < c->elements; e++)
          {
            double re = 1.3 * random_unit (&state) - 0.65, im = 1.3 * random_unit (&state) - 0.65;

            for (int w = 0; w < 4; w++)
              {
                const double turn = phase[w] + (double) e * (0.3 + 0.55 * w + 0.1 * (double) b);

                re += amplitude[w] * cos (turn);
                im += amplitude[w] * sin (turn);
              }
            if ((c->dead && e % 5 == 2) || (c->silent && b == 1))
              continue;
            values[((b * c->snapshots + s) * 2) * stride + e] = (float) re;
            values[((b * c->snapshots + s) * 2 + 1) * stride + e] = (float) im;
          }
      }

  return values;
}

/* One evaluation; on the card outputs lie between sentinels. */
static int
evaluate (const EigenCase *c,
          gboolean         on_card,
          EskAdaptive     *adaptive,
          EigenResult     *result)
{
  const EskHotspots *table = on_card ? conformance.table : conformance.cpu;
  EskStream *stream = on_card ? conformance.stream : conformance.cpu_stream;
  const gsize sizes[4] = { c->n_foci * c->bins * sizeof (float), c->n_foci * sizeof (float),
                           c->n_foci * c->bins * sizeof (float), c->n_foci * sizeof (float) };
  float *outputs[4] = { NULL };
  CardBuffer buffers[4];
  const int n = c->sources > 0 ? 4 : 2;
  EskAdaptiveRun run = { .method = c->method, .loading = c->loading, .sources = c->sources };
  int code;

  memset (result, 0, sizeof *result);
  for (int i = 0; i < n; i++)
    {
      outputs[i] = on_card ? NULL : g_malloc0 (sizes[i]);
      if (on_card && !card_new (&buffers[i], sizes[i], 0))
        {
          conformance_fail ("no memory on the card");
          return ESK_ERROR_MEMORY;
        }
      if (on_card)
        outputs[i] = (float *) (void *) buffers[i].data;
    }
  result->eigenvalues = g_new (double, c->bins * c->eigenvalues + 1);
  for (size_t k = 0; k <= c->bins * c->eigenvalues; k++)
    result->eigenvalues[k] = -7.0;
  run.by_bin = outputs[0];
  run.band = outputs[1];
  run.music_by_bin = outputs[2];
  run.music_band = outputs[3];
  run.eigenvalues = c->eigenvalues > 0 ? result->eigenvalues : NULL;
  run.n_eigenvalues = c->eigenvalues;

  code = table->adaptive->adaptive_power (stream, adaptive, &run, &result->report);
  for (int i = 0; on_card && i < n; i++)
    {
      outputs[i] = card_get (&buffers[i]);
      card_free (&buffers[i]);
    }
  EXPECT (result->eigenvalues[c->bins * c->eigenvalues] == -7.0, "writes behind the eigenvalues");
  result->by_bin = outputs[0];
  result->band = outputs[1];
  result->music_by_bin = outputs[2];
  result->music_band = outputs[3];

  return code;
}

typedef struct
{
  EskAdaptive *cpu, *card;
} Pair;

static void
pair_clear (Pair *pair)
{
  conformance.cpu->adaptive->adaptive_free (pair->cpu);
  conformance.table->adaptive->adaptive_free (pair->card);
}

/* Both have heard the same. */
static gboolean
pair_new (const EigenCase *c,
          Pair            *pair)
{
  const size_t stride = esk_spectra_stride (c->elements);
  g_autofree double *positions = g_new0 (double, 3 * c->elements);
  g_autofree EskFocus *foci = g_new0 (EskFocus, c->n_foci);
  g_autofree float *values = make_values (c);
  EskAdaptivePlan plan = { c->elements, positions, c->n_foci, foci, 1500.0, 180.0, 7.0, c->bins, c->columns };
  EskSpectra spectra = { values, c->elements, stride, c->bins, c->snapshots }, card = spectra;
  const gsize bytes = c->bins * c->snapshots * 2 * stride * sizeof (float);
  CardBuffer buffer;
  gboolean heard;
  int code = -77;

  for (size_t e = 0; e < c->elements; e++)
    positions[3 * e] = ((double) e - (double) (c->elements / 2)) * 1.5;
  for (size_t f = 0; f < c->n_foci; f++)
    {
      const double angle = G_PI * ((double) f + 0.5) / (double) c->n_foci;

      foci[f] = (EskFocus) { cos (angle), sin (angle), 0.0, FALSE };
    }
  pair->cpu = conformance.cpu->adaptive->adaptive_new (conformance.cpu_stream, &plan, &code);
  conformance_expect ("the CPU's adaptive_new", code, ESK_OK);
  code = -77;
  pair->card = conformance.table->adaptive->adaptive_new (conformance.stream, &plan, &code);
  conformance_expect ("adaptive_new", code, ESK_OK);
  if (pair->cpu == NULL || pair->card == NULL || !card_new (&buffer, bytes, 0))
    {
      conformance_fail ("cannot begin");
      pair_clear (pair);
      return FALSE;
    }
  card_put (&buffer, values);
  card.values = (float *) (void *) buffer.data;
  heard = conformance_expect ("the CPU's adaptive_add",
                              conformance.cpu->adaptive->adaptive_add (conformance.cpu_stream, pair->cpu, &spectra, 0,
                                                                       0.0, 1.0),
                              ESK_OK)
          && conformance_expect ("adaptive_add",
                                 conformance.table->adaptive->adaptive_add (conformance.stream, pair->card,
                                                                                            &card, 0, 0.0, 1.0),
                                 ESK_OK);
  conformance.table->device->wait (conformance.stream);
  card_free (&buffer);
  if (!heard)
    pair_clear (pair);

  return heard;
}

static void
compare (const char  *what,
         const float *got,
         const float *expected,
         size_t       n,
         double       tolerance)
{
  double worst = 0.0;

  for (size_t k = 0; k < n; k++)
    {
      const double scale = fmax (fabs ((double) expected[k]), 1e-30);
      const double error = fabs ((double) got[k] - (double) expected[k]) / scale;

      worst = error <= worst ? worst : isnan (error) ? INFINITY : error;
    }
  EXPECT (worst <= tolerance, "%s is wrong by %g", what, worst);
  conformance_worst (worst);
}

static void
compare_eigenvalues (const EigenCase *c,
                     const double    *got,
                     const double    *expected)
{
  for (size_t b = 0; b < c->bins; b++)
    {
      const double *x = got + b * c->eigenvalues, *y = expected + b * c->eigenvalues;
      double worst = 0.0;

      for (size_t k = 0; k < c->eigenvalues; k++)
        {
          worst = fmax (worst, isnan (x[k]) ? INFINITY : fabs (x[k] - y[k]));
          EXPECT (k == 0 || x[k] <= x[k - 1], "eigenvalue %zu of bin %zu is larger than the one before", k, b);
        }
      EXPECT (worst <= 1e-12 * y[0], "eigenvalues of bin %zu are wrong by %g of the largest", b, worst / y[0]);
    }
}

/* Their sum is the trace, the sum of their squares that of all elements of the matrix. */
static void
check_eigenvalues (const EigenCase *c,
                   EskAdaptive     *card,
                   const double    *values)
{
  const size_t n = c->elements;
  g_autofree double *matrix = g_new (double, 2 * n * n);

  for (size_t b = 0; b < c->bins && c->eigenvalues >= n; b++)
    {
      double trace = 0.0, norm = 0.0, sum = 0.0, squares = 0.0;

      if (!conformance_expect ("adaptive_state",
                               conformance.table->adaptive->adaptive_state (conformance.stream, card, b, NULL,
                                                                                              NULL, matrix, NULL),
                               ESK_OK))
        return;
      for (size_t k = 0; k < 2 * n * n; k++)
        norm += matrix[k] * matrix[k];
      for (size_t k = 0; k < n; k++)
        trace += matrix[2 * (k * n + k)];
      for (size_t k = 0; k < c->eigenvalues; k++)
        {
          sum += values[b * c->eigenvalues + k];
          squares += values[b * c->eigenvalues + k] * values[b * c->eigenvalues + k];
        }
      EXPECT (fabs (sum - trace) <= 1e-11 * trace, "the eigenvalues' sum is %g, the trace %g", sum, trace);
      EXPECT (fabs (squares - norm) <= 1e-11 * norm, "the eigenvalues' squares are %g, the norm's %g", squares, norm);
    }
}

static void
check_case (const EigenCase *c)
{
  const size_t numbers = c->n_foci * c->bins;
  EigenCase reference = *c;
  EigenResult cpu, card, again;
  Pair pair;

  conformance_case ("%s, %zu elements%s, %zu of %zu snapshots, %zu bins%s, %zu foci, loading %g, %zu sources",
                    methods[c->method], c->elements, c->dead ? ", dead ones" : "", c->columns, c->snapshots, c->bins,
                    c->silent ? ", one silent" : "", c->n_foci, c->loading, c->sources);
  if (!pair_new (c, &pair))
    return;
  /* Another way than the one that is looked at. */
  reference.method = c->method == ESK_ADAPTIVE_EIGEN ? ESK_ADAPTIVE_CHOLESKY : ESK_ADAPTIVE_EIGEN;
  if (conformance_expect ("the CPU's adaptive_power", evaluate (&reference, FALSE, pair.cpu, &cpu), ESK_OK)
      && conformance_expect ("adaptive_power", evaluate (c, TRUE, pair.card, &card), ESK_OK))
    {
      compare ("a power", card.by_bin, cpu.by_bin, numbers, TOLERANCE);
      compare ("a band's power", card.band, cpu.band, c->n_foci, TOLERANCE);
      if (c->sources > 0)
        {
          compare ("MUSIC", card.music_by_bin, cpu.music_by_bin, numbers, 20.0 * TOLERANCE);
          compare ("MUSIC of the band", card.music_band, cpu.music_band, c->n_foci, 20.0 * TOLERANCE);
        }
      compare_eigenvalues (c, card.eigenvalues, cpu.eigenvalues);
      check_eigenvalues (c, pair.card, card.eigenvalues);
      EXPECT (card.report.used == cpu.report.used, "%zu used, not %zu", card.report.used, cpu.report.used);
      EXPECT (card.report.off <= 1e-12, "%g is left off the diagonal", card.report.off);
      EXPECT ((card.report.sweeps > 0) == (c->method == ESK_ADAPTIVE_JACOBI && c->elements > 1), "%zu sweeps",
              card.report.sweeps);

      conformance_expect ("adaptive_power", evaluate (c, TRUE, pair.card, &again), ESK_OK);
      EXPECT (memcmp (again.by_bin, card.by_bin, numbers * sizeof (float)) == 0, "other powers the second time");
      EXPECT (c->sources == 0 || memcmp (again.music_by_bin, card.music_by_bin, numbers * sizeof (float)) == 0,
              "another MUSIC the second time");
      EXPECT (memcmp (again.eigenvalues, card.eigenvalues, c->bins * c->eigenvalues * sizeof (double)) == 0,
              "other eigenvalues the second time");
      EXPECT (again.report.rotations == card.report.rotations, "another number of rotations the second time");
      result_clear (&again);
    }
  result_clear (&cpu);
  result_clear (&card);
  pair_clear (&pair);
}

static void
check_methods (EigenCase c)
{
  for (int method = 0; method < ESK_N_ADAPTIVE_METHODS; method++)
    {
      c.method = (EskAdaptiveMethod) method;
      if (c.method != ESK_ADAPTIVE_WOODBURY || (c.columns > 0 && c.loading > 0.0))
        check_case (&c);
    }
}

static void
test_sizes (void)
{
  static const size_t sizes[] = { 1, 2, 3, 4, 5, 16, 31, 33, 64, 65, 84, 96, 129, 200, 257 };
  const guint n = conformance.quick ? 8 : conformance.fake ? 12 : G_N_ELEMENTS (sizes);

  for (guint i = 0; i < n; i++)
    {
      EigenCase c = { .elements = sizes[i], .n_foci = 37, .bins = 3, .snapshots = 2 * sizes[i] + 3,
                      .columns = 2 * sizes[i] + 3, .loading = 1e-2, .sources = MIN (4, sizes[i] - 1),
                      .eigenvalues = sizes[i] };

      check_methods (c);
      /* More foci than elements, and the matrix itself. */
      c.n_foci = sizes[i] + 10;
      c.columns = 0;
      check_methods (c);
    }
}

static void
test_few_snapshots (void)
{
  static const size_t snapshots[] = { 1, 2, 5, 32, 60, 97 };

  for (guint i = 0; i < G_N_ELEMENTS (snapshots); i++)
    {
      EigenCase c = { .elements = conformance.quick ? 24 : 97, .n_foci = 61, .bins = 5, .snapshots = snapshots[i],
                      .columns = snapshots[i], .loading = 0.1, .sources = 3, .eigenvalues = 130 };

      check_methods (c);
      c.dead = TRUE;
      c.silent = TRUE;
      c.columns += 3;
      check_methods (c);
      c.columns = 0;
      c.sources = 0;
      check_methods (c);
    }
}

/* Without a loading, which dead elements and silence do not need. */
static void
test_unloaded (void)
{
  EigenCase c = { .elements = 23, .n_foci = 19, .bins = 4, .snapshots = 90, .columns = 90, .sources = 4,
                  .eigenvalues = 23 };

  check_methods (c);
  c.dead = TRUE;
  c.silent = TRUE;
  check_methods (c);
  c.columns = 0;
  check_methods (c);
}

static void
test_singular (void)
{
  static const EskAdaptiveMethod tried[] = { ESK_ADAPTIVE_JACOBI, ESK_ADAPTIVE_EIGEN };

  for (guint i = 0; i < G_N_ELEMENTS (tried); i++)
    for (size_t columns = 0; columns <= 9; columns += 9)
      {
        EigenCase c = { .elements = 30, .n_foci = 8, .bins = 3, .snapshots = 9, .columns = columns, .eigenvalues = 30,
                        .method = tried[i] };
        EigenResult card;
        Pair pair;

        conformance_case ("%s, %zu columns, singular", methods[c.method], columns);
        if (!pair_new (&c, &pair))
          return;
        conformance_expect ("adaptive_power", evaluate (&c, TRUE, pair.card, &card), ESK_ERROR_SINGULAR);
        EXPECT (card.report.singular_bin == 0, "bin %zu is said to be singular", card.report.singular_bin);
        result_clear (&card);
        /* A loading mends it. */
        c.loading = 1e-3;
        conformance_expect ("adaptive_power", evaluate (&c, TRUE, pair.card, &card), ESK_OK);
        result_clear (&card);
        pair_clear (&pair);
      }
}

/* Rank 1 takes one sweep and n - 1 rotations of each bin that is heard. */
static void
test_rank_one (void)
{
  static const size_t sizes[] = { 2, 7, 64, 90, 130, 512, 1024 };
  const guint n = conformance.quick || conformance.fake ? 4 : G_N_ELEMENTS (sizes);

  for (guint i = 0; i < n; i++)
    for (int more = 0; more < 2; more++)
      {
        EigenCase c = { .elements = sizes[i], .n_foci = more ? 37 : sizes[i] + 1, .bins = more ? 7 : 1, .snapshots = 1,
                        .columns = 1, .loading = 0.1, .eigenvalues = 2, .method = ESK_ADAPTIVE_JACOBI,
                        .silent = more != 0 };
        EigenResult card, cpu;
        size_t heard = more ? 6 : 1;
        Pair pair;

        conformance_case ("rank 1, %zu elements, %zu bins", c.elements, c.bins);
        if (!pair_new (&c, &pair))
          return;
        if (conformance_expect ("adaptive_power", evaluate (&c, TRUE, pair.card, &card), ESK_OK))
          {
            EXPECT (card.report.rotations == heard * (c.elements - 1), "%" G_GUINT64_FORMAT " rotations, not %zu",
                    card.report.rotations, heard * (c.elements - 1));
            EXPECT (card.report.sweeps == 1, "%zu sweeps", card.report.sweeps);
            EXPECT (card.report.off <= 1e-14, "%g is left off the diagonal", card.report.off);
            EXPECT (card.eigenvalues[1] == 0.0, "a second eigenvalue of %g", card.eigenvalues[1]);
            c.method = ESK_ADAPTIVE_WOODBURY;
            if (conformance_expect ("the CPU's adaptive_power", evaluate (&c, FALSE, pair.cpu, &cpu), ESK_OK))
              compare ("a power", card.by_bin, cpu.by_bin, c.n_foci * c.bins, TOLERANCE);
            result_clear (&cpu);
          }
        result_clear (&card);
        pair_clear (&pair);
      }
}

/* The rotations of a general matrix are those of the CPU, give or take pivots at the limit. */
static void
test_rotations (void)
{
  EigenCase c = { .elements = 48, .n_foci = 11, .bins = 2, .snapshots = 480, .columns = 0, .loading = 1e-2,
                  .eigenvalues = 48, .method = ESK_ADAPTIVE_JACOBI };
  EigenResult cpu, card;
  Pair pair;

  conformance_case ("rotations");
  if (!pair_new (&c, &pair))
    return;
  if (conformance_expect ("the CPU's adaptive_power", evaluate (&c, FALSE, pair.cpu, &cpu), ESK_OK)
      && conformance_expect ("adaptive_power", evaluate (&c, TRUE, pair.card, &card), ESK_OK))
    {
      EXPECT (card.report.sweeps + 1 >= cpu.report.sweeps && card.report.sweeps <= cpu.report.sweeps + 1,
              "%zu sweeps, not %zu", card.report.sweeps, cpu.report.sweeps);
      EXPECT (fabs ((double) card.report.rotations / (double) cpu.report.rotations - 1.0) < 0.1,
              "%" G_GUINT64_FORMAT " rotations, not %" G_GUINT64_FORMAT, card.report.rotations, cpu.report.rotations);
    }
  result_clear (&cpu);
  result_clear (&card);
  pair_clear (&pair);
}

/* As much as is worked on at a time does not change what comes out. */
static void
test_slices (void)
{
  const gboolean quick = conformance.quick;
  EigenCase c = { .elements = quick ? 20 : 40, .n_foci = 70, .bins = quick ? 5 : 11, .snapshots = quick ? 15 : 30,
                  .columns = quick ? 15 : 30, .loading = 0.1, .sources = 3, .eigenvalues = quick ? 20 : 40 };

  g_setenv ("ES_CUDA_ARRAYS", "slices", TRUE);
  check_methods (c);
  c.n_foci = 30;
  check_methods (c);
  g_unsetenv ("ES_CUDA_ARRAYS");
}

void
conformance_add_eigen (void)
{
  conformance_add ("eigenbeams/sizes", test_sizes);
  conformance_add ("eigenbeams/few-snapshots", test_few_snapshots);
  conformance_add ("eigenbeams/unloaded", test_unloaded);
  conformance_add ("eigenbeams/singular", test_singular);
  conformance_add ("eigenbeams/rank-one", test_rank_one);
  conformance_add ("eigenbeams/rotations", test_rotations);
  conformance_add ("eigenbeams/slices", test_slices);
}
