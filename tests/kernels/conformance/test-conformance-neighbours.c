/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Nearest neighbours and distances: the card's bytes are the CPU's, and some are held against all distances in long
 * double. Sizes lie round the tiles, the room of candidates and the number of neighbours that they are collected for.
 */

#include <string.h>

#include "../test-neighbours-scene.h"
#include "test-conformance.h"

typedef struct
{
  size_t n, dimensions, k, queries;          /* queries: of other points; 0: of all points themselves */
} NearSize;

static const NearSize sizes[] = {
  { 2, 1, 1, 0 }, { 5, 3, 4, 0 }, { 127, 8, 15, 0 }, { 128, 9, 64, 0 }, { 129, 7, 65, 0 }, { 700, 16, 256, 0 },
  { 700, 17, 257, 0 }, { 700, 24, 384, 0 }, { 700, 5, 385, 0 }, { 600, 6, 599, 0 }, { 1, 4, 1, 3 }, { 40, 7, 40, 33 },
  { 3000, 40, 15, 131 }, { 5000, 200, 15, 0 }, { 2500, 33, 1, 0 }, { 20000, 20, 12, 40 },
};

static void
check_size (const NearSize *size, NearKind kind, guint64 seed)
{
  g_autofree float *points = near_points_new (kind, size->n, size->dimensions, seed);
  g_autofree float *others = size->queries > 0 ? near_points_new (kind, size->queries, size->dimensions, seed + 50)
                                               : NULL;
  const float *queries = others != NULL ? others : points;
  const size_t n = others != NULL ? size->queries : size->n, all = n * size->k;
  g_autofree gint32 *index = g_new (gint32, all + 1), *right = g_new (gint32, all);
  g_autofree float *distance = g_new (float, all + 1), *right_distance = g_new (float, all);
  const gint32 sentinel = 0x5a5a5a5a;

  conformance_case ("%zu %s of %zu, %zu neighbours, %zu queries", size->n, near_kinds[kind], size->dimensions, size->k,
                    size->queries);
  index[all] = sentinel;
  memcpy (&distance[all], &sentinel, sizeof sentinel);
  if (!conformance_expect ("nearest", conformance.table->neighbours->nearest (
                             conformance.stream, points, size->n, queries, n, size->dimensions, size->k, others == NULL,
                             0, index, distance), ESK_OK)
      || !conformance_expect ("the CPU's", conformance.cpu->neighbours->nearest (
                                conformance.cpu_stream, points, size->n, queries, n, size->dimensions, size->k,
                                others == NULL, 0, right, right_distance), ESK_OK))
    return;
  EXPECT (index[all] == sentinel && memcmp (&distance[all], &sentinel, sizeof sentinel) == 0, "wrote too much");
  for (size_t i = 0; i < all; i++)
    if (index[i] != right[i] || memcmp (&distance[i], &right_distance[i], sizeof *distance) != 0)
      {
        conformance_fail ("neighbour %zu of query %zu is %d at %.9g, not %d at %.9g", i % size->k, i / size->k,
                          index[i], distance[i], right[i], right_distance[i]);
        return;
      }
  if (size->n <= 700)
    near_check ("conformance", points, size->n, queries, n, size->dimensions, size->k, others == NULL, 0, index,
                distance);
}

static void
test_nearest (void)
{
  if (!ESK_HAS (conformance.table, neighbours, nearest))
    {
      g_test_skip ("the module has no neighbours");
      return;
    }
  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (NearKind kind = 0; kind < N_NEAR_KINDS; kind++)
      if (!conformance.quick || sizes[s].n <= 700)
        check_size (&sizes[s], kind, s + 1);
}

/* A part of the points asks for its own neighbours. */
static void
test_own_part (void)
{
  const size_t n = 1500, d = 19, k = 9, first = 300, count = 777;
  g_autofree float *points = near_points_new (NEAR_MIXTURES, n, d, 4);
  g_autofree gint32 *index = g_new (gint32, count * k);
  g_autofree float *distance = g_new (float, count * k);

  if (!ESK_HAS (conformance.table, neighbours, nearest))
    {
      g_test_skip ("the module has no neighbours");
      return;
    }
  conformance_case ("points %zu to %zu of %zu", first, first + count, n);
  if (conformance_expect ("nearest", conformance.table->neighbours->nearest (
                            conformance.stream, points, n, points + first * d, count, d, k, true, first, index,
                            distance), ESK_OK))
    near_check ("a part", points, n, points + first * d, count, d, k, TRUE, first, index, distance);
}

static void
test_squares (void)
{
  if (!ESK_HAS (conformance.table, neighbours, squares))
    {
      g_test_skip ("the module has no distances");
      return;
    }
  for (size_t d = 1; d < (conformance.quick ? 10 : 35); d++)
    {
      const size_t n = 333 + d, q = d;
      g_autofree float *points = near_points_new (NEAR_NOISE, n, d, d);
      g_autofree float *queries = near_points_new (NEAR_NOISE, q, d, 9);
      g_autofree double *square = g_new (double, n * q), *right = g_new (double, n * q);

      conformance_case ("%zu x %zu distances of %zu", n, q, d);
      if (!conformance_expect ("squares", conformance.table->neighbours->squares (
                                 conformance.stream, points, n, queries, q, d, square), ESK_OK)
          || !conformance_expect ("the CPU's", conformance.cpu->neighbours->squares (
                                    conformance.cpu_stream, points, n, queries, q, d, right), ESK_OK))
        return;
      for (size_t i = 0; i < n * q; i++)
        EXPECT (square[i] == right[i], "square %zu is %.17g, not %.17g", i, square[i], right[i]);
    }
}

static void
test_refused (void)
{
  float points[10] = { 0 }, distance[10];
  gint32 index[10];
  int cancelled = 1;

  if (!ESK_HAS (conformance.table, neighbours, nearest))
    {
      g_test_skip ("the module has no neighbours");
      return;
    }
  conformance_case ("as many neighbours as points");
  conformance_expect ("nearest", conformance.table->neighbours->nearest (conformance.stream, points, 5, points, 5, 2, 5,
                                                                         true, 0, index, distance),
                      ESK_ERROR_ARGUMENT);
  conformance_case ("a search that is cancelled");
  if (!ESK_HAS (conformance.table, stream, set_cancelled))
    return;
  conformance.table->stream->set_cancelled (conformance.stream, &cancelled);
  conformance_expect ("nearest", conformance.table->neighbours->nearest (conformance.stream, points, 5, points, 5, 2, 1,
                                                                         true, 0, index, distance),
                      ESK_ERROR_CANCELLED);
  conformance.table->stream->set_cancelled (conformance.stream, NULL);
}

void
conformance_add_neighbours (void)
{
  conformance_add ("/neighbours/nearest", test_nearest);
  conformance_add ("/neighbours/own-part", test_own_part);
  conformance_add ("/neighbours/squares", test_squares);
  conformance_add ("/neighbours/refused", test_refused);
}
