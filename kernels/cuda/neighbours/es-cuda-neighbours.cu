/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest neighbours on a card, and distances: batches of queries, each short enough to be cancelled after. */

#include "es-cuda-neighbours-private.h"

#include <stdlib.h>

/* Bytes of points that are copied at once. */
#define UPLOAD_BYTES ((size_t) 64 << 20)
/* Bytes of whole rows of distances. */
#define ROW_BYTES ((size_t) 256 << 20)
/* Differences of a launch, for each multiprocessor: some 50 ms; of whole rows, in float64. */
#define TILE_WORK 3e9
#define ROW_WORK 2e8
/* Blocks of tiles that a multiprocessor runs at once. */
#define RESIDENT 2
#define MOST_SLICES 64
/* Candidates of all slices together that are put in order. */
#define MOST_CANDIDATES 2048

static __global__ void
fill_up (const float *from,
         size_t       n,
         size_t       dimensions,
         size_t       pitch,
         float       *to)
{
  for (size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x; i < n * pitch; i += (size_t) gridDim.x * blockDim.x)
    {
      const size_t row = i / pitch, b = i % pitch;

      to[i] = b < dimensions ? from[row * dimensions + b] : 0.0f;
    }
}

static int
upload (EskStream   *stream,
        const float *rows,
        size_t       n,
        size_t       dimensions,
        size_t       pitch,
        float       *to)
{
  const size_t row_bytes = dimensions * sizeof *rows;
  const size_t most = row_bytes < UPLOAD_BYTES ? UPLOAD_BYTES / row_bytes : 1;
  int code = ESK_OK;

  for (size_t first = 0, count; first < n && code == ESK_OK; first += count)
    {
      float *raw = to + first * pitch;

      if (esk_is_cancelled (stream->cancelled))
        return ESK_ERROR_CANCELLED;
      count = n - first < most ? n - first : most;
      if (pitch != dimensions)
        raw = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_IMPORT, (n < most ? n : most) * row_bytes);
      if (raw == NULL)
        return ESK_ERROR_MEMORY;
      code = esk_cuda_check (stream, cudaMemcpyAsync (raw, rows + first * dimensions, count * row_bytes,
                                                      cudaMemcpyHostToDevice, stream->stream), "copying spectra");
      if (code == ESK_OK && pitch != dimensions)
        {
          fill_up<<<1024, 256, 0, stream->stream>>> (raw, count, dimensions, pitch, to + first * pitch);
          code = esk_cuda_launched (stream, "copying spectra");
        }
    }

  return code;
}

/* Work of one call. */
typedef struct {
  EskStream   *stream;
  EskNearRows  points;
  size_t       dimensions, pitch, k;
  bool         own;
  size_t       own_first;
  int32_t     *index;          /* the caller's */
  float       *distance;
} Nearest;

/* Of a batch: queries on the card; which: those that are wanted, NULL: all; results go to their rows. index_there and
 * distance_there: the batch's, on the card. */
static int
search_rows (const Nearest *self,
             const float   *queries,
             const int32_t *which,
             size_t         n_wanted,
             long long      own_first,
             int32_t       *index_there,
             float         *distance_there)
{
  EskStream *stream = self->stream;
  const size_t n = self->points.n, by_room = ROW_BYTES / (n * sizeof (double));
  const size_t by_time = (size_t) (ROW_WORK * esk_cuda_properties (stream)->multiprocessors
                                   / ((double) n * (double) self->pitch));
  size_t most = by_room < by_time ? by_room : by_time;
  double *square, *keys;
  int32_t *picked, *which_there = NULL;
  int code = ESK_OK;

  most = most < 1 ? 1 : most > 65536 ? 65536 : most;
  most = most < n_wanted ? most : n_wanted;
  square = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL,
                                        most * (n * sizeof *square + self->k * (sizeof *keys + sizeof *picked)));
  if (which != NULL)
    which_there = (int32_t *) esk_cuda_scratch (stream, ESK_SCRATCH_TABLES, n_wanted * sizeof *which);
  if (square == NULL || (which != NULL && which_there == NULL))
    return ESK_ERROR_MEMORY;
  keys = square + most * n;
  picked = (int32_t *) (keys + most * self->k);
  if (which != NULL)
    code = esk_cuda_upload_table (stream, which_there, which, n_wanted * sizeof *which);

  for (size_t first = 0, count; first < n_wanted && code == ESK_OK; first += count)
    {
      const int32_t *part = which != NULL ? which_there + first : NULL;
      /* Rows go by their number in the batch, or in order. */
      const size_t skipped = which != NULL ? 0 : first;

      if (esk_is_cancelled (stream->cancelled))
        return ESK_ERROR_CANCELLED;
      count = n_wanted - first < most ? n_wanted - first : most;
      code = esk_near_squares (stream, &self->points, queries + skipped * self->pitch, part, count, self->pitch,
                               square);
      if (code == ESK_OK)
        code = esk_cuda_near_select (stream, square, n, part, count, self->k,
                                     own_first < 0 ? -1 : own_first + (long long) skipped, keys, picked,
                                     index_there + skipped * self->k, distance_there + skipped * self->k);
      /* So that the flag is not looked at long before the work is done. */
      if (code == ESK_OK)
        code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "the search of neighbours");
    }

  return code;
}

/* Those of the batch that there was no room for. */
static int
search_hard (const Nearest *self,
             const float   *queries,
             size_t         n,
             const uint8_t *hard_there,
             long long      own_first,
             int32_t       *index_there,
             float         *distance_there)
{
  uint8_t *hard = (uint8_t *) malloc (n);
  int32_t *which = (int32_t *) malloc (n * sizeof *which);
  size_t n_hard = 0;
  int code = hard == NULL || which == NULL ? ESK_ERROR_MEMORY : esk_cuda_fetch (self->stream, hard, hard_there, n);

  for (size_t i = 0; code == ESK_OK && i < n; i++)
    if (hard[i] != 0)
      which[n_hard++] = (int32_t) i;
  if (code == ESK_OK && n_hard > 0)
    code = search_rows (self, queries, which, n_hard, own_first, index_there, distance_there);
  free (hard);
  free (which);

  return code;
}

static size_t
choose_batch (const Nearest *self,
              size_t         n_queries,
              bool           by_tiles)
{
  const size_t at_once = (size_t) RESIDENT * (size_t) esk_cuda_properties (self->stream)->multiprocessors;
  const double work = TILE_WORK * esk_cuda_properties (self->stream)->multiprocessors;
  size_t tiles = (size_t) (work / ((double) self->points.n * (double) self->pitch * ESK_NEAR_TILE));

  if (!by_tiles)
    return n_queries < 16384 ? n_queries : 16384;
  tiles = tiles > at_once ? at_once : tiles > 0 ? tiles : 1;

  return tiles * ESK_NEAR_TILE < n_queries ? tiles * ESK_NEAR_TILE : n_queries;
}

static unsigned
choose_slices (const Nearest *self,
               size_t         batch)
{
  const size_t at_once = (size_t) RESIDENT * (size_t) esk_cuda_properties (self->stream)->multiprocessors;
  const size_t tiles = (batch + ESK_NEAR_TILE - 1) / ESK_NEAR_TILE;
  const size_t of_points = (self->points.n + ESK_NEAR_TILE - 1) / ESK_NEAR_TILE;
  size_t slices = at_once / tiles;

  slices = slices < MOST_SLICES ? slices : MOST_SLICES;
  slices = slices < MOST_CANDIDATES / self->k ? slices : MOST_CANDIDATES / self->k;
  slices = slices < of_points ? slices : of_points;

  return slices > 0 ? (unsigned) slices : 1;
}

static int
search_batch (const Nearest *self,
              const float   *queries,
              size_t         n,
              unsigned       slices,
              long long      own_first,
              int32_t       *index_there,
              float         *distance_there)
{
  EskStream *stream = self->stream;
  EskNearTiles tiles = {};
  const size_t places = slices * n;
  char *room;
  double *keys;
  uint8_t *hard;
  int code;

  tiles.points = self->points;
  tiles.queries.rows = queries;
  tiles.queries.n = n;
  tiles.dimensions = self->dimensions;
  tiles.pitch = self->pitch;
  tiles.k = (unsigned) self->k;
  tiles.slices = slices;
  tiles.capacity = esk_near_capacity (self->k);
  tiles.own_first = own_first;
  /* A sum of d products is off by d + 3 roundings of 2^-24 of it at most; twice, since the k-th is as well, and twice
   * that. */
  tiles.growth = (float) (1.0 + (double) (self->dimensions + 8) * 0x1p-22);
  tiles.smallest = (float) ((double) self->dimensions * 0x1p-148);

  room = (char *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK,
                                    places * tiles.capacity * (sizeof (double) + sizeof (float) + sizeof (int32_t))
                                    + places * sizeof (int32_t) + n);
  if (room == NULL)
    return ESK_ERROR_MEMORY;
  keys = (double *) room;
  tiles.sums = (float *) (keys + places * tiles.capacity);
  tiles.candidates = (int32_t *) (tiles.sums + places * tiles.capacity);
  tiles.counts = tiles.candidates + places * tiles.capacity;
  hard = (uint8_t *) (tiles.counts + places);

  code = esk_near_tiles (stream, &tiles);
  if (code == ESK_OK)
    code = esk_near_measure (stream, &tiles, keys, index_there, distance_there, hard);
  if (code == ESK_OK)
    code = search_hard (self, queries, n, hard, own_first, index_there, distance_there);

  return code;
}

static bool
is_possible (size_t n,
             size_t pitch)
{
  size_t bytes;

  return !__builtin_mul_overflow (n, pitch * sizeof (double), &bytes) && bytes < SIZE_MAX / 64;
}

static size_t
pitch_of (size_t dimensions)
{
  return (dimensions + ESK_NEAR_ROUND - 1) / ESK_NEAR_ROUND * ESK_NEAR_ROUND;
}

int
esk_cuda_nearest (EskStream   *stream,
                  const float *points,
                  size_t       n_points,
                  const float *queries,
                  size_t       n_queries,
                  size_t       dimensions,
                  size_t       k,
                  bool         own,
                  size_t       own_first,
                  int32_t     *index,
                  float       *distance)
{
  Nearest self = {};
  size_t batch;
  bool by_tiles;
  unsigned slices;
  float *there, *queries_there = NULL, *distance_there;
  int32_t *index_there;
  int code;

  if (stream == NULL || points == NULL || queries == NULL || index == NULL || distance == NULL || n_points == 0
      || n_points > INT32_MAX || n_queries > INT32_MAX || dimensions == 0 || dimensions > INT32_MAX - ESK_NEAR_ROUND
      || !is_possible (n_points, pitch_of (dimensions)) || !is_possible (n_queries, pitch_of (dimensions)) || k == 0
      || k > n_points - (own ? 1 : 0) || (own && (own_first > n_points || n_queries > n_points - own_first)))
    return ESK_ERROR_ARGUMENT;
  if (n_queries == 0)
    return ESK_OK;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  self.stream = stream;
  self.dimensions = dimensions;
  self.pitch = pitch_of (dimensions);
  self.k = k;
  self.own = own;
  self.own_first = own_first;
  self.points.n = n_points;
  by_tiles = esk_near_capacity (k) > 0;
  batch = choose_batch (&self, n_queries, by_tiles);
  slices = choose_slices (&self, batch);

  there = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_COMPACT, n_points * self.pitch * sizeof *there);
  index_there = (int32_t *) esk_cuda_scratch (stream, ESK_SCRATCH_QUANTISED,
                                              batch * k * (sizeof *index_there + sizeof *distance_there));
  if (!own)
    queries_there = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_COMPACT_VALID,
                                                batch * self.pitch * sizeof *queries_there);
  if (there == NULL || index_there == NULL || (!own && queries_there == NULL))
    return ESK_ERROR_MEMORY;
  distance_there = (float *) (index_there + batch * k);
  self.points.rows = there;

  code = upload (stream, points, n_points, dimensions, self.pitch, there);
  for (size_t first = 0, count; first < n_queries && code == ESK_OK; first += count)
    {
      const float *these = own ? there + (own_first + first) * self.pitch : queries_there;
      const long long own_now = own ? (long long) (own_first + first) : -1;

      if (esk_is_cancelled (stream->cancelled))
        code = ESK_ERROR_CANCELLED;
      count = n_queries - first < batch ? n_queries - first : batch;
      if (code == ESK_OK && !own)
        code = upload (stream, queries + first * dimensions, count, dimensions, self.pitch, queries_there);
      if (code == ESK_OK)
        code = by_tiles ? search_batch (&self, these, count, slices, own_now, index_there, distance_there)
                        : search_rows (&self, these, NULL, count, own_now, index_there, distance_there);
      if (code == ESK_OK)
        code = esk_cuda_fetch (stream, index + first * k, index_there, count * k * sizeof *index);
      if (code == ESK_OK)
        code = esk_cuda_fetch (stream, distance + first * k, distance_there, count * k * sizeof *distance);
    }
  /* Nothing of the caller's is read any more. */
  if (code == ESK_ERROR_CANCELLED)
    cudaStreamSynchronize (stream->stream);

  return code;
}

int
esk_cuda_squares (EskStream   *stream,
                  const float *points,
                  size_t       n_points,
                  const float *queries,
                  size_t       n_queries,
                  size_t       dimensions,
                  double      *square)
{
  const size_t pitch = pitch_of (dimensions);
  EskNearRows rows;
  float *there, *queries_there;
  double *square_there;
  size_t most;
  int code;

  if (stream == NULL || points == NULL || queries == NULL || square == NULL || dimensions == 0
      || dimensions > INT32_MAX - ESK_NEAR_ROUND || n_points > INT32_MAX || n_queries > INT32_MAX
      || !is_possible (n_points, pitch) || !is_possible (n_queries, pitch))
    return ESK_ERROR_ARGUMENT;
  if (n_points == 0 || n_queries == 0)
    return ESK_OK;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  most = ROW_BYTES / (n_points * sizeof *square);
  most = most < 1 ? 1 : most > 65536 ? 65536 : most;
  most = most < n_queries ? most : n_queries;
  there = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_COMPACT, n_points * pitch * sizeof *there);
  queries_there = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_COMPACT_VALID, most * pitch * sizeof *there);
  square_there = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, most * n_points * sizeof *square);
  if (there == NULL || queries_there == NULL || square_there == NULL)
    return ESK_ERROR_MEMORY;
  rows.rows = there;
  rows.n = n_points;

  code = upload (stream, points, n_points, dimensions, pitch, there);
  for (size_t first = 0, count; first < n_queries && code == ESK_OK; first += count)
    {
      if (esk_is_cancelled (stream->cancelled))
        code = ESK_ERROR_CANCELLED;
      count = n_queries - first < most ? n_queries - first : most;
      if (code == ESK_OK)
        code = upload (stream, queries + first * dimensions, count, dimensions, pitch, queries_there);
      if (code == ESK_OK)
        code = esk_near_squares (stream, &rows, queries_there, NULL, count, pitch, square_there);
      if (code == ESK_OK)
        code = esk_cuda_fetch (stream, square + first * n_points, square_there, count * n_points * sizeof *square);
    }
  if (code == ESK_ERROR_CANCELLED)
    cudaStreamSynchronize (stream->stream);

  return code;
}
