/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "signal/es-normalise.h"

#define N 600

static const EsNormaliserKind kinds[] = { ES_NORMALISER_SPLIT_WINDOW, ES_NORMALISER_ORDER_TRUNCATE };

/* Averaged noise powers: mean 1, like 16 periodograms together. */
static void
fill_noise (float *line, guint n, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (guint i = 0; i < n; i++)
    {
      double sum = 0;
      for (guint k = 0; k < 16; k++)
        sum -= log (1 - g_rand_double (random));
      line[i] = (float) (sum / 16);
    }
}

static double
mean_of (const float *line, guint from, guint to)
{
  double sum = 0;

  for (guint i = from; i < to; i++)
    sum += line[i];
  return sum / (to - from);
}

/* A tone of 20 dB, three bins wide, in noise that falls by 30 dB: it stands out by 20 dB, what is beside it by none. */
static void
test_tone (gconstpointer data)
{
  const EsNormaliser normaliser = { GPOINTER_TO_UINT (data), 24, 3, 2 };
  float line[N], out[N];
  guint largest = 0;

  fill_noise (line, N, 7);
  line[299] += 30;
  line[300] += 100;
  line[301] += 30;
  for (guint i = 0; i < N; i++)
    line[i] *= powf (10, -3.0f * i / N);
  es_normalise_line (&normaliser, line, 1, N, out, 1);
  for (guint i = 0; i < N; i++)
    largest = out[i] > out[largest] ? i : largest;
  g_assert_cmpuint (largest, ==, 300);
  g_assert_cmpfloat (10 * log10 (out[300]), >, 19);
  g_assert_cmpfloat (10 * log10 (out[300]), <, 21);
  /* The tone does not shade its neighbours, nor does the slope the whole. */
  g_assert_cmpfloat (mean_of (out, 302, 330), >, 0.9);
  g_assert_cmpfloat (mean_of (out, 270, 299), >, 0.9);
  g_assert_cmpfloat_with_epsilon (mean_of (out, 40, 280), 1, 0.1);
  g_assert_cmpfloat_with_epsilon (mean_of (out, 320, 560), 1, 0.1);
}

/* A step of 20 dB: its upper side is not flattened further than the windows reach, and far from it all is 1. */
static void
test_step (gconstpointer data)
{
  const EsNormaliser normaliser = { GPOINTER_TO_UINT (data), 20, 2, 2 };
  float line[N], out[N];

  for (guint i = 0; i < N; i++)
    line[i] = i < N / 2 ? 100 : 1;
  es_normalise_line (&normaliser, line, 1, N, out, 1);
  for (guint i = 0; i < N; i++)
    {
      if (i + 23 < N / 2 || i > N / 2 + 23)
        g_assert_cmpfloat_with_epsilon (out[i], 1, 1e-6);
      g_assert_cmpfloat (out[i], >, 0);
      g_assert_cmpfloat (out[i], <=, 200);
    }
}

/* As a plain calculation of the definition has it, with values that are missing and both ends. */
static float
expected_mean (const float *line, int n, int i, int window, int gap)
{
  double sum = 0;
  int count = 0;

  for (int k = gap + 1; k <= gap + window; k++)
    for (int side = -1; side <= 1; side += 2)
      {
        const int j = i + side * k;
        if (j < 0 || j >= n || isnan (line[j]))
          continue;
        sum += line[j];
        count++;
      }
  if (count == 0)
    for (int j = 0; j < n; j++)
      if (!isnan (line[j]))
        {
          sum += line[j];
          count++;
        }
  return (float) (sum / count);
}

static int
compare_floats (const void *a, const void *b)
{
  return (*(const float *) a > *(const float *) b) - (*(const float *) a < *(const float *) b);
}

static float
expected_order (const float *line, int n, int i, int window, int gap, double threshold)
{
  float sorted[N];
  double sum = 0;
  int count = 0, used = 0;

  for (int j = 0; j < n; j++)
    if (!isnan (line[j]) && ABS (j - i) > gap && ABS (j - i) <= gap + window)
      sorted[count++] = line[j];
  if (count == 0)
    return expected_mean (line, n, i, 0, 0);
  qsort (sorted, count, sizeof (float), compare_floats);
  const double median = 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
  for (int j = 0; j < count; j++)
    if (sorted[j] <= threshold * median)
      {
        sum += sorted[j];
        used++;
      }
  return (float) (sum / used);
}

static void
check_line (const float *line, int n, int window, int gap, double threshold)
{
  float clipped[N], out[N];
  const EsNormaliser split = { ES_NORMALISER_SPLIT_WINDOW, window, gap, threshold };
  const EsNormaliser order = { ES_NORMALISER_ORDER_TRUNCATE, window, gap, threshold };

  for (int i = 0; i < n; i++)
    {
      const float mean = expected_mean (line, n, i, window, gap);
      clipped[i] = line[i] > threshold * mean ? mean : line[i];
    }
  es_normalise_line (&split, line, 1, n, out, 1);
  for (int i = 0; i < n; i++)
    if (isnan (line[i]))
      g_assert_true (isnan (out[i]));
    else
      g_assert_cmpfloat_with_epsilon (out[i] * expected_mean (clipped, n, i, window, gap), line[i], 1e-4 * line[i]);
  es_normalise_line (&order, line, 1, n, out, 1);
  for (int i = 0; i < n; i++)
    if (isnan (line[i]))
      g_assert_true (isnan (out[i]));
    else
      g_assert_cmpfloat_with_epsilon (out[i] * expected_order (line, n, i, window, gap, threshold), line[i],
                                      1e-4 * line[i]);
}

static void
test_definition (void)
{
  static const int sizes[] = { 1, 2, 3, 5, 17, 64, 599 };
  static const int windows[][2] = { { 1, 0 }, { 3, 1 }, { 10, 4 }, { 1000, 0 }, { 4, 1000 } };
  float line[N];

  fill_noise (line, N, 3);
  for (guint i = 0; i < N; i++)
    line[i] *= i % 50 == 11 ? 1e6f : 1;
  for (guint i = 20; i < N; i += 37)
    line[i] = NAN;
  for (guint i = 100; i < 130; i++)
    line[i] = NAN;
  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    for (guint w = 0; w < G_N_ELEMENTS (windows); w++)
      check_line (line, sizes[k], windows[w][0], windows[w][1], 2);
}

/* A very loud line far away in the same spectrum leaves no error in a background 150 dB below it. */
static void
test_dynamics (void)
{
  const EsNormaliser normaliser = { ES_NORMALISER_SPLIT_WINDOW, 10, 1, 2 };
  float line[N], out[N];

  for (guint i = 0; i < N; i++)
    line[i] = i == 5 ? 1e15f : 0.125f;
  es_normalise_line (&normaliser, line, 1, N, out, 1);
  for (guint i = 100; i < N; i++)
    g_assert_cmpfloat (out[i], ==, 1);
}

static void
test_nothing (gconstpointer data)
{
  const EsNormaliser normaliser = { GPOINTER_TO_UINT (data), 4, 1, 2 };
  float missing[9], silent[9] = { 0 }, out[9];

  es_normalise_line (&normaliser, silent, 1, 0, out, 1);
  for (guint i = 0; i < 9; i++)
    missing[i] = NAN;
  es_normalise_line (&normaliser, missing, 1, 9, out, 1);
  for (guint i = 0; i < 9; i++)
    g_assert_true (isnan (out[i]));
  es_normalise_line (&normaliser, silent, 1, 9, out, 1);
  for (guint i = 0; i < 9; i++)
    g_assert_cmpfloat (out[i], ==, 1);
}

/* Rows, columns and strides are lines; out may be the input. */
static void
test_matrix (gconstpointer data)
{
  const EsNormaliser normaliser = { GPOINTER_TO_UINT (data), 5, 1, 2 };
  const guint rows = 20, columns = 30;
  float values[N], by_rows[N], by_columns[N], line[N];

  fill_noise (values, N, 9);
  es_normalise_rows (&normaliser, values, rows, columns, by_rows);
  es_normalise_columns (&normaliser, values, rows, columns, by_columns);
  for (guint i = 0; i < rows; i++)
    {
      es_normalise_line (&normaliser, values + i * columns, 1, columns, line, 1);
      g_assert_cmpmem (line, columns * sizeof (float), by_rows + i * columns, columns * sizeof (float));
    }
  for (guint j = 0; j < columns; j++)
    {
      es_normalise_line (&normaliser, values + j, columns, rows, line, 1);
      for (guint i = 0; i < rows; i++)
        g_assert_cmpfloat (line[i], ==, by_columns[i * columns + j]);
    }
  es_normalise_columns (&normaliser, values, rows, columns, values);
  g_assert_cmpmem (values, sizeof values, by_columns, sizeof by_columns);
}

static void
test_none (void)
{
  const EsNormaliser none = { ES_NORMALISER_NONE, 0, 0, 0 };
  float values[N], out[N];

  fill_noise (values, N, 2);
  es_normalise_rows (&none, values, 20, 30, out);
  g_assert_cmpmem (values, sizeof values, out, sizeof out);
  es_normalise_columns (&none, values, 20, 30, out);
  g_assert_cmpmem (values, sizeof values, out, sizeof out);
  es_normalise_line (&none, values, 2, 300, out, 1);
  g_assert_cmpfloat (out[299], ==, values[598]);
  g_assert_cmpstr (es_normaliser_id (ES_NORMALISER_NONE), ==, "none");
  g_assert_cmpstr (es_normaliser_id (ES_NORMALISER_SPLIT_WINDOW), ==, "split-window");
  g_assert_cmpstr (es_normaliser_id (ES_NORMALISER_ORDER_TRUNCATE), ==, "order-truncate");
  for (guint i = 0; i < ES_N_NORMALISERS; i++)
    g_assert_nonnull (es_normaliser_title (i));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      static void (*const functions[]) (gconstpointer) = { test_tone, test_step, test_nothing, test_matrix };
      static const char *const names[] = { "tone", "step", "nothing", "matrix" };

      for (guint k = 0; k < G_N_ELEMENTS (functions); k++)
        {
          g_autofree char *path = g_strdup_printf ("/normalise/%s/%s", es_normaliser_id (kinds[i]), names[k]);
          g_test_add_data_func (path, GUINT_TO_POINTER (kinds[i]), functions[k]);
        }
    }
  g_test_add_func ("/normalise/definition", test_definition);
  g_test_add_func ("/normalise/dynamics", test_dynamics);
  g_test_add_func ("/normalise/none", test_none);
  return g_test_run ();
}
