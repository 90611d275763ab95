/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* A step of FastICA on the processor: its rungs, and who calls them. */

#include "es-ladder-cpu-private.h"
#include "ladder/es-ladder-ica-internal.h"

/* Samples that stay in the cache while all vectors pass by; three vectors of eight go into them. */
#define ICA_BLOCK 480
/* Blocks of a thread's item. */
#define ICA_BLOCKS 16
/* Vectors and planes are worked on by three; those that are not there are zeros. */
#define ICA_ROUND 3

/* What a block is worked on in; a thread's own. */
typedef struct {
  float *z, *g;                /* rows, rounded up, of ICA_BLOCK each */
} IcaRoom;

typedef struct {
  EskIcaWork of;
  size_t     padded;           /* rows, rounded up to ICA_ROUND */
  float     *w;                /* padded x rows */
  float     *y;                /* a vector's w'z */
  IcaRoom    rooms[ESK_MOST_THREADS];
  unsigned   n_rooms;
  double    *sums;             /* of items, rows x (rows + 1) each */
  size_t     n_items, item;    /* samples of an item */
  int        failed;           /* atomic: a library had no memory */
  EskIcaProduced produced;
  EskStream *streams[ESK_MOST_THREADS];        /* of production, a thread's each */
} IcaCpuWork;

/* The whole work. */
int  ica_loops      (EskLadder *ladder, IcaCpuWork *work);
int  ica_blocked    (EskLadder *ladder, IcaCpuWork *work);
int  ica_vectorised (EskLadder *ladder, IcaCpuWork *work);
int  ica_registers  (EskLadder *ladder, IcaCpuWork *work);
int  ica_threaded   (EskLadder *ladder, IcaCpuWork *work);
int  ica_library    (EskLadder *ladder, IcaCpuWork *work);
/* What items came to, added up in their order. */
void ica_add_items  (IcaCpuWork *work);
