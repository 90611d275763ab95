/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest neighbours on the fake cards: the CPU's. */

#include "fake-device.h"

static int
fake_nearest (EskStream *stream, const float *points, size_t n_points, const float *queries, size_t n_queries,
              size_t dimensions, size_t k, bool own, size_t own_first, int32_t *index, float *distance)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->neighbours->nearest (stream->cpu, points, n_points, queries,
                                                                           n_queries, dimensions, k, own, own_first,
                                                                           index, distance);
}

static int
fake_squares (EskStream *stream, const float *points, size_t n_points, const float *queries, size_t n_queries,
              size_t dimensions, double *square)
{
  int code = fake_work (stream);

  return code != ESK_OK ? code : esk_cpu_hotspots ()->neighbours->squares (stream->cpu, points, n_points, queries,
                                                                           n_queries, dimensions, square);
}

const EskNeighboursHotspots fake_neighbours_hotspots = {
  .nearest = fake_nearest,
  .squares = fake_squares,
};
