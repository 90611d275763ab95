/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the ladders of cards share. C++ as nvcc compiles it, in the manner of the C around it: no exceptions, no STL
 * containers, no global constructors. Kernels are what people read: they are written plainly, and what a rung is made
 * of lies between its marks in the source (make-texts.py).
 */

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#include "ladder/es-ladder-internal.h"

/* EskLadder.own. Production works in the same context, the card's primary one. */
typedef struct {
  cudaStream_t stream;
  int          major, minor, units;
  size_t       shared_block, shared_optin;   /* bytes a block may have: by itself, and when it asks */
  size_t       constant;
  int          unit_threads, block_threads;  /* resident at most, of a multiprocessor; of a block */
  char         name[256];
} LadderCard;

static inline LadderCard *
ladder_card (EskLadder *ladder)
{
  return (LadderCard *) ladder->own;
}

/* ESK_LADDER_OK, or what a call of CUDA came to: `what` and the reason for last_error (). */
int   ladder_check    (EskLadder *ladder, cudaError_t status, const char *what);
/* After a launch: what it came to by itself. */
int   ladder_launched (EskLadder *ladder, const char *what);
/* Memory of the card; NULL: *code says why (ESK_LADDER_ERROR_MEMORY, _DEVICE). ladder_free () takes NULL. */
void *ladder_memory   (EskLadder *ladder, size_t bytes, int *code);
void  ladder_free     (void *memory);
/* As ladder_memory () for what a rung takes: where there is no room the rung is refused, *code is _REFUSED. */
void *ladder_more     (EskLadder *ladder, size_t bytes, EskRungResult *result, int *code);
/* Copies that are done when they return. */
int   ladder_upload   (EskLadder *ladder, void *to, const void *from, size_t bytes);
int   ladder_download (EskLadder *ladder, void *to, const void *from, size_t bytes);
/* Registers, shared and local memory, threads, blocks and occupancy of a kernel as it is launched. Where it needs
 * more shared memory or threads than there are the rung is refused; where it must ask for more than 48 KiB, it does. */
int   ladder_kernel   (EskLadder *ladder, EskRungResult *result, const void *kernel, unsigned threads, uint64_t blocks,
                       size_t dynamic_shared);
/* A library of the toolkit, "cublas", "cufft", "cusolver": its functions by name, NULL: it has none. Opened once,
 * stays. NULL: the rung is refused. */
typedef void *LadderLibrary;
LadderLibrary ladder_library (EskLadder *ladder, const char *stem, EskRungResult *result);
void         *ladder_symbol  (LadderLibrary library, const char *name);
/* The text of a rung between its marks, by name ("covariance-v0"); NULL: there is none. */
extern "C" const char *ladder_text (const char *name);

/* How long cuSOLVER takes for the eigenvectors of a Hermitian matrix, n x n complex float64, row-major: of a host's.
 * Refused where there is no such library. */
int           ladder_eigen_seconds (EskLadder *ladder, size_t n, const double *matrix, EskRungResult *result,
                                    double *seconds);

/* One a file. */
extern "C" {
extern const EskSubject ladder_covariance, ladder_transform, ladder_ica, ladder_noise;
extern const EskSubject ladder_fourier, ladder_beams, ladder_jacobi, ladder_azimuth;
}
