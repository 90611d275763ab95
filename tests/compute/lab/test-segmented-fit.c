/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Curves in pieces: (4.1) to (4.4) come back from their own values. */

#include <math.h>

#include "lab/es-segmented-fit-internal.h"
#include "recorded-k20c.h"

#define MOST 64

static guint
sample (EskLabMemory memory, guint way, double noise, double *x, double *y)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint n = 0;

  for (double bytes = 1; bytes <= GIGABYTE; bytes *= 2)
    for (guint half = 0; half < 2 && bytes * (1 + 0.5 * half) <= GIGABYTE; half++)
      {
        if (bytes == 1 && half == 1)
          continue;
        x[n] = bytes * (1 + 0.5 * half);
        y[n] = k20c_link (memory, way, x[n]) / GIGABYTE * (1 + noise * (g_rand_double (random) - 0.5));
        n++;
      }
  return n;
}

static void
test_published (void)
{
  static const struct { EskLabMemory memory; guint way; double plateau, half; } curves[] = {
    { ESK_MEMORY_PAGEABLE, 0, 3.31, 514828.668 }, { ESK_MEMORY_PAGEABLE, 1, 2.92, 1012387.498 },
    { ESK_MEMORY_PINNED, 0, 5.91, 278771.750 }, { ESK_MEMORY_PINNED, 1, 6.24, 83470.782 },
  };
  double x[MOST], y[MOST];

  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    {
      const guint n = sample (curves[i].memory, curves[i].way, 0, x, y);
      EsSegmentedFit fit;

      g_assert_true (es_segmented_fit (x, y, n, &fit));
      for (guint k = 0; k < fit.n; k++)
        {
          g_autofree char *formula = es_fit_piece_formula (&fit.pieces[k]);
          g_test_message ("%.0f to %.0f: %s, %.3f %%", fit.pieces[k].from, fit.pieces[k].to, formula,
                          100 * fit.pieces[k].mean_error);
        }
      g_assert_cmpfloat (fit.mean_error, <, 0.05);
      /* The plateau, and the last piece as it was published. */
      g_assert_cmpfloat_with_epsilon (es_segmented_fit_value (&fit, GIGABYTE), curves[i].plateau, 0.01 *
      curves[i].plateau); g_assert_cmpint (fit.pieces[fit.n - 1].family, ==, ES_FIT_EXPONENTIAL);
      g_assert_cmpfloat_with_epsilon (exp (fit.pieces[fit.n - 1].c[0]), curves[i].plateau, 0.01 * curves[i].plateau);
      /* It may reach further down than the published one. */
      g_assert_cmpfloat (-fit.pieces[fit.n - 1].c[1], >, 0.4 * curves[i].half);
      g_assert_cmpfloat (-fit.pieces[fit.n - 1].c[1], <, 2.5 * curves[i].half);
      /* Outside of what was measured it stays. */
      g_assert_cmpfloat (es_segmented_fit_value (&fit, 8 * GIGABYTE), ==, es_segmented_fit_value (&fit, GIGABYTE));
    }
}

/* Noise is not worth pieces of its own. */
static void
test_noise (void)
{
  double x[MOST], y[MOST];
  const guint n = sample (ESK_MEMORY_PINNED, 0, 0.06, x, y);
  EsSegmentedFit fit;

  g_assert_true (es_segmented_fit (x, y, n, &fit));
  g_assert_cmpuint (fit.n, <=, 8);
  g_assert_cmpfloat (fit.mean_error, <, 0.05);
}

static void
test_families (void)
{
  static const double c[ES_N_FITS][4] = {
    { 2, 3, 0, 0 }, { 1, 0.5, 0, 0 }, { 1, 2, 0.25, 0 }, { 1, 0.5, 0.25, 0.125 }, { 1.2, -3, 0, 0 },
  };
  double x[12], y[12];

  for (guint family = 0; family < ES_N_FITS; family++)
    {
      EsFitPiece piece, truth = { .family = (EsFitFamily) family };

      for (guint k = 0; k < 4; k++)
        truth.c[k] = c[family][k];
      for (guint i = 0; i < G_N_ELEMENTS (x); i++)
        {
          x[i] = i + 1;
          y[i] = es_fit_piece_value (&truth, x[i]);
        }
      g_assert_true (es_fit_piece ((EsFitFamily) family, x, y, G_N_ELEMENTS (x), &piece));
      for (guint k = 0; k < 4; k++)
        g_assert_cmpfloat_with_epsilon (piece.c[k], c[family][k], 1e-6);
      g_assert_cmpfloat (piece.worst_error, <, 1e-9);
    }
  g_assert_false (es_fit_piece (ES_FIT_CUBIC, x, y, 3, &(EsFitPiece) { 0 }));
  g_assert_false (es_segmented_fit (x, y, 2, &(EsSegmentedFit) { 0 }));
}

/* Two straight lines that meet nowhere are cut between them. */
static void
test_break (void)
{
  double x[20], y[20];
  EsSegmentedFit fit;

  for (guint i = 0; i < G_N_ELEMENTS (x); i++)
    {
      x[i] = i + 1;
      y[i] = i < 10 ? 1 + 0.1 * x[i] : 20 - 0.5 * x[i];
    }
  g_assert_true (es_segmented_fit (x, y, G_N_ELEMENTS (x), &fit));
  g_assert_cmpuint (fit.n, ==, 2);
  g_assert_cmpfloat (fit.pieces[0].to, ==, 10);
  g_assert_cmpfloat (fit.pieces[1].from, ==, 11);
  g_assert_cmpint (fit.pieces[0].family, ==, ES_FIT_LINEAR);
  g_assert_cmpint (fit.pieces[1].family, ==, ES_FIT_LINEAR);
  g_assert_cmpfloat (fit.worst_error, <, 1e-9);
}

static void
test_two_pieces (void)
{
  double x[MOST], y[MOST];
  guint n = 0;
  EsTwoPieceFit fit;

  for (double bytes = 4096; bytes <= GIGABYTE; bytes *= 2)
    {
      x[n] = bytes;
      y[n++] = k20c_allocate (ESK_MEMORY_REGISTERED, 1, bytes);
    }
  g_assert_true (es_two_piece_fit (x, y, n, &fit));
  g_assert_cmpfloat (fit.break_at, ==, MEGA);
  g_assert_cmpfloat_with_epsilon (fit.below, 0.0935e-3, 1e-9);
  g_assert_cmpfloat_with_epsilon (fit.slope, 2.473e-11, 1e-15);
  g_assert_cmpfloat_with_epsilon (fit.start, 0.1306e-3, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_two_piece_value (&fit, GIGABYTE), 26.68e-3, 1e-5);
  g_assert_false (es_two_piece_fit (x, y, 2, &fit));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/segmented-fit/published", test_published);
  g_test_add_func ("/segmented-fit/noise", test_noise);
  g_test_add_func ("/segmented-fit/families", test_families);
  g_test_add_func ("/segmented-fit/break", test_break);
  g_test_add_func ("/segmented-fit/two-pieces", test_two_pieces);
  return g_test_run ();
}
