/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's nearest neighbours against all distances in long double, with every set of loops and any number of threads,
 * distances themselves, and searches that are cancelled. */

#include <math.h>
#include <string.h>
#include <time.h>

#include "test-neighbours-scene.h"

static EskStream *
stream_new (int threads)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = cpu->stream->stream_new (-1);

  g_assert_nonnull (stream);
  g_assert_cmpint (cpu->stream->set_threads (stream, threads), ==, ESK_OK);
  return stream;
}

typedef struct
{
  size_t n, dimensions, k, queries;          /* queries: of other points; 0: of all points themselves */
} Size;

/* Below and above what is turned into principal axes, whole blocks and one more or less, and every place in a lane. */
static const Size sizes[] = {
  { 2, 1, 1, 0 }, { 3, 5, 2, 0 }, { 31, 8, 30, 0 }, { 32, 3, 5, 0 }, { 33, 17, 4, 0 }, { 64, 1, 63, 0 },
  { 300, 2, 15, 0 }, { 1100, 9, 15, 0 }, { 1027, 40, 70, 0 }, { 1500, 130, 7, 0 }, { 1, 4, 1, 3 }, { 40, 7, 40, 33 },
  { 1200, 12, 10, 129 }, { 1100, 600, 3, 0 },
};

static void
check_all (const char *loops, int threads)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = stream_new (threads);

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (NearKind kind = 0; kind < N_NEAR_KINDS; kind++)
      {
        const Size *size = &sizes[s];
        g_autofree float *points = near_points_new (kind, size->n, size->dimensions, s + 1);
        g_autofree float *others = size->queries > 0
                                   ? near_points_new (kind, size->queries, size->dimensions, s + 77) : NULL;
        const size_t n = others != NULL ? size->queries : size->n;
        g_autofree gint32 *index = g_new (gint32, n * size->k);
        g_autofree float *distance = g_new (float, n * size->k);
        g_autofree char *what = g_strdup_printf ("%s, %zu %s of %zu, %zu neighbours", loops, size->n, near_kinds[kind],
                                                 size->dimensions, size->k);

        g_assert_cmpint (cpu->neighbours->nearest (stream, points, size->n, others != NULL ? others : points, n,
                                                   size->dimensions, size->k, others == NULL, 0, index, distance),
                         ==, ESK_OK);
        near_check (what, points, size->n, others != NULL ? others : points, n, size->dimensions, size->k,
                    others == NULL, 0, index, distance);
      }
  cpu->stream->stream_free (stream);
}

static void
test_truth (void)
{
  static const char *const names[] = { NULL, "ES_CPU_AVX512", "ES_CPU_PORTABLE" };
  static const char *const values[] = { NULL, "0", "1" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *before = names[i] != NULL ? g_strdup (g_getenv (names[i])) : NULL;

      if (names[i] != NULL)
        g_setenv (names[i], values[i], TRUE);
      check_all (names[i] != NULL ? names[i] : "fastest", i == 0 ? 3 : 1);
      if (before != NULL)
        g_setenv (names[i], before, TRUE);
      else if (names[i] != NULL)
        g_unsetenv (names[i]);
    }
}

/* A part of the points asks for its own neighbours. */
static void
test_own_part (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const size_t n = 1300, d = 20, k = 9, first = 517, count = 301;
  EskStream *stream = stream_new (2);
  g_autofree float *points = near_points_new (NEAR_MIXTURES, n, d, 3);
  g_autofree gint32 *all = g_new (gint32, n * k), *index = g_new (gint32, count * k);
  g_autofree float *all_distance = g_new (float, n * k), *distance = g_new (float, count * k);

  g_assert_cmpint (cpu->neighbours->nearest (stream, points, n, points, n, d, k, true, 0, all, all_distance), ==,
                   ESK_OK);
  g_assert_cmpint (cpu->neighbours->nearest (stream, points, n, points + first * d, count, d, k, true, first, index,
                                             distance), ==, ESK_OK);
  g_assert_cmpmem (index, count * k * sizeof *index, all + first * k, count * k * sizeof *index);
  g_assert_cmpmem (distance, count * k * sizeof *distance, all_distance + first * k, count * k * sizeof *distance);
  cpu->stream->stream_free (stream);
}

/* The same bytes with every set of loops and any number of threads. */
static void
test_same_bytes (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const size_t n = 3000, d = 61, k = 12;
  g_autofree float *points = near_points_new (NEAR_MIXTURES, n, d, 5);
  g_autofree gint32 *index = g_new (gint32, n * k), *first = NULL;
  g_autofree float *distance = g_new (float, n * k), *first_distance = NULL;
  static const int threads[] = { 1, 2, 5 };

  for (int portable = 0; portable < 2; portable++)
    for (size_t t = 0; t < G_N_ELEMENTS (threads); t++)
      {
        g_autofree char *before = g_strdup (g_getenv ("ES_CPU_PORTABLE"));
        EskStream *stream;

        if (portable)
          g_setenv ("ES_CPU_PORTABLE", "1", TRUE);
        stream = stream_new (threads[t]);
        if (before == NULL)
          g_unsetenv ("ES_CPU_PORTABLE");
        memset (index, 0xff, n * k * sizeof *index);
        g_assert_cmpint (cpu->neighbours->nearest (stream, points, n, points, n, d, k, true, 0, index, distance), ==,
                         ESK_OK);
        cpu->stream->stream_free (stream);
        if (first == NULL)
          {
            first = g_memdup2 (index, n * k * sizeof *index);
            first_distance = g_memdup2 (distance, n * k * sizeof *distance);
          }
        g_assert_cmpmem (index, n * k * sizeof *index, first, n * k * sizeof *index);
        g_assert_cmpmem (distance, n * k * sizeof *distance, first_distance, n * k * sizeof *distance);
      }
}

/* Lanes as the contract says, one number after the other. */
static double
add_square (const float *a, const float *b, size_t dimensions)
{
  double lane[8] = { 0 };

  for (size_t i = 0; i < dimensions; i++)
    {
      const double x = (double) a[i] - (double) b[i];
      lane[i % 8] = fma (x, x, lane[i % 8]);
    }
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static void
test_squares (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const size_t n = 700, q = 13;
  EskStream *stream = stream_new (2);

  for (size_t d = 1; d < 40; d++)
    {
      g_autofree float *points = near_points_new (NEAR_NOISE, n, d, d);
      g_autofree float *queries = near_points_new (NEAR_NOISE, q, d, 99);
      g_autofree double *square = g_new (double, n * q);

      g_assert_cmpint (cpu->neighbours->squares (stream, points, n, queries, q, d, square), ==, ESK_OK);
      for (size_t i = 0; i < q; i++)
        for (size_t p = 0; p < n; p++)
          g_assert_true (square[i * n + p] == add_square (queries + i * d, points + p * d, d));
    }
  cpu->stream->stream_free (stream);
}

static void
test_refusals (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  EskStream *stream = stream_new (1);
  float points[10] = { 0 }, distance[10];
  gint32 index[10];

  g_assert_cmpint (cpu->neighbours->nearest (stream, points, 5, points, 5, 2, 5, true, 0, index, distance), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->neighbours->nearest (stream, points, 5, points, 5, 2, 0, true, 0, index, distance), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->neighbours->nearest (stream, points, 5, points, 5, 0, 1, true, 0, index, distance), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->neighbours->nearest (stream, points, 5, points, 3, 2, 1, true, 3, index, distance), ==,
                   ESK_ERROR_ARGUMENT);
  g_assert_cmpint (cpu->neighbours->nearest (stream, points, 5, points, 0, 2, 1, false, 0, index, distance), ==,
                   ESK_OK);
  g_assert_cmpint (cpu->neighbours->squares (stream, points, 5, points, 5, 0, NULL), ==, ESK_ERROR_ARGUMENT);
  cpu->stream->stream_free (stream);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (50000);
  g_atomic_int_set ((int *) data, 1);
  return NULL;
}

/* Without the flag this takes many seconds of a processor; with it a fraction of one. */
static void
test_cancelled (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const size_t n = 40000, d = 150, k = 15;
  g_autofree float *points = near_points_new (NEAR_NOISE, 4000, d, 2), *all = g_new (float, n * d);
  g_autofree gint32 *index = g_new (gint32, n * k);
  g_autofree float *distance = g_new (float, n * k);
  EskStream *stream = stream_new (2);
  int cancelled = 0;
  GThread *thread;
  clock_t begun;

  for (size_t i = 0; i < n * d; i++)
    all[i] = points[i % (4000 * d)] + (float) (i / (4000 * d)) * 0.1f;
  cpu->stream->set_cancelled (stream, &cancelled);
  thread = g_thread_new ("cancel", cancel_soon, &cancelled);
  begun = clock ();
  g_assert_cmpint (cpu->neighbours->nearest (stream, all, n, all, n, d, k, true, 0, index, distance), ==,
                   ESK_ERROR_CANCELLED);
  g_test_message ("cancelled after %.3f s", (double) (clock () - begun) / CLOCKS_PER_SEC);
  g_assert_cmpint (clock () - begun, <, 3 * CLOCKS_PER_SEC);
  g_thread_join (thread);
  cpu->stream->stream_free (stream);
}

static void
note_share (double share, void *data)
{
  double *last = data;

  g_assert_cmpfloat (share, >=, 0);
  g_assert_cmpfloat (share, <=, 1);
  *last = MAX (*last, share);
}

static void
test_progress (void)
{
  const EskHotspots *cpu = esk_cpu_hotspots ();
  const size_t n = 2000, d = 10, k = 5;
  g_autofree float *points = near_points_new (NEAR_NOISE, n, d, 8);
  g_autofree gint32 *index = g_new (gint32, n * k);
  g_autofree float *distance = g_new (float, n * k);
  EskStream *stream = stream_new (1);
  double last = -1;

  cpu->neighbours->set_progress (stream, note_share, &last);
  g_assert_cmpint (cpu->neighbours->nearest (stream, points, n, points, n, d, k, true, 0, index, distance), ==, ESK_OK);
  g_assert_cmpfloat (last, >, 0.9);
  cpu->stream->stream_free (stream);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/neighbours/truth", test_truth);
  g_test_add_func ("/neighbours/own-part", test_own_part);
  g_test_add_func ("/neighbours/same-bytes", test_same_bytes);
  g_test_add_func ("/neighbours/squares", test_squares);
  g_test_add_func ("/neighbours/refusals", test_refusals);
  g_test_add_func ("/neighbours/cancelled", test_cancelled);
  g_test_add_func ("/neighbours/progress", test_progress);
  return g_test_run ();
}
