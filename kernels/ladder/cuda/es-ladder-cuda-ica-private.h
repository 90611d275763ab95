/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* A step of FastICA on a card: its rungs, and who calls them. */

#include "es-ladder-cuda-private.h"
#include "ladder/es-ladder-ica-internal.h"

/* Planes that one thread holds a sample of. */
#define ICA_MOST_PLANES 64
/* Samples of a tile in shared memory, and threads that work on it: each has four by four of the products. */
#define ICA_TILE 64
#define ICA_TILE_THREADS 256

/* What a rung works with. All but the host's memory is the card's. */
typedef struct {
  size_t       pixels;
  unsigned     rows;           /* vectors, and planes */
  unsigned     blocks, threads;
  const float *z;              /* plane after plane */
  float       *w;              /* vectors as columns of a matrix, or as rows */
  float       *g;              /* of all samples */
  float       *partial;        /* sums of threads or of blocks */
  double      *sums;           /* of a vector: rows of z g, and g'; or of all */
  float       *host_w;         /* where they come from */
  double      *host_sums;      /* of all vectors, where they go: (rows + 1) each */
  cudaStream_t stream;
} IcaCardWork;

/* The whole work, to host_sums. Those of the ladder of the theses: */
int ica_v0       (EskLadder *ladder, IcaCardWork *work);
int ica_v1       (EskLadder *ladder, IcaCardWork *work);
int ica_v2       (EskLadder *ladder, IcaCardWork *work);
int ica_v3       (EskLadder *ladder, IcaCardWork *work);
int ica_v4       (EskLadder *ladder, IcaCardWork *work);
int ica_v5       (EskLadder *ladder, IcaCardWork *work);
/* One strategy each, or two, on top of the first. */
int ica_s5       (EskLadder *ladder, IcaCardWork *work);
int ica_g3       (EskLadder *ladder, IcaCardWork *work);
int ica_m        (EskLadder *ladder, IcaCardWork *work);
int ica_z        (EskLadder *ladder, IcaCardWork *work);
int ica_m_z      (EskLadder *ladder, IcaCardWork *work);
/* Beyond them. */
int ica_fused    (EskLadder *ladder, IcaCardWork *work);
int ica_tiled    (EskLadder *ladder, IcaCardWork *work);

/* The kernel that they launch most, with sums in registers, in shared memory, or neither. */
const void *ica_products     (int registers, int shared);
const void *ica_fused_kernel (unsigned rows);
const void *ica_tiled_kernel (unsigned rows);
size_t      ica_tiled_shared (unsigned rows);
/* n sums of what each of the blocks has left, one beside the other, from partial to sums. */
int         ica_add_up       (EskLadder *ladder, IcaCardWork *work, unsigned n);
