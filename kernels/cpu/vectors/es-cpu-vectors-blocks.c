/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Preconditioners that are a diagonal, or blocks along it. */

#include "es-cpu-vectors-private.h"

typedef struct
{
  const EskCpuVectorLoops *loops;
  EskType                  type;
  size_t                   block;
  const void              *matrix, *r;
  void                    *z;
} Call;

static void
scale_piece (void   *data,
             size_t  first,
             size_t  n,
             double *sums)
{
  const Call *call = data;

  call->loops->scale (n, esk_vector_at (call->matrix, call->type, first), esk_vector_at (call->r, call->type, first),
                      esk_vector_part (call->z, call->type, first), sums);
}

int
esk_cpu_scale (EskStream  *stream,
               EskType     type,
               size_t      n,
               const void *diagonal,
               const void *r,
               void       *z,
               double     *dot)
{
  double ignored;
  Call call = { .type = type, .matrix = diagonal, .r = r, .z = z };

  if (stream == NULL || !esk_is_vector_type (type) || (n > 0 && (diagonal == NULL || r == NULL || z == NULL)))
    return ESK_ERROR_ARGUMENT;
  call.loops = esk_cpu_vector_loops (stream, type);

  return esk_run_pieces (stream, n, ESK_PIECE, 1, false, scale_piece, &call, dot != NULL ? dot : &ignored);
}

static void
blocks_piece (void   *data,
              size_t  first,
              size_t  n,
              double *sums)
{
  const Call *call = data;

  /* Pieces begin with a block. */
  call->loops->blocks (n, call->block, esk_vector_at (call->matrix, call->type, first * call->block),
                       esk_vector_at (call->r, call->type, first), esk_vector_part (call->z, call->type, first), sums);
}

int
esk_cpu_block_scale (EskStream  *stream,
                     EskType     type,
                     size_t      n,
                     size_t      block,
                     const void *blocks,
                     const void *r,
                     void       *z,
                     double     *dot)
{
  double ignored;
  Call call = { .type = type, .block = block, .matrix = blocks, .r = r, .z = z };

  if (stream == NULL || !esk_is_vector_type (type) || block == 0 || block > ESK_MOST_BLOCK
      || (n > 0 && (blocks == NULL || r == NULL || z == NULL)))
    return ESK_ERROR_ARGUMENT;
  call.loops = esk_cpu_vector_loops (stream, type);

  return esk_run_pieces (stream, n, ESK_PIECE / block * block, 1, false, blocks_piece, &call,
                         dot != NULL ? dot : &ignored);
}
