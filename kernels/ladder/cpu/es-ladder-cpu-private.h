/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the ladders of the processor share. Rungs are what people read: they are written plainly, and what a rung is
 * made of lies between its marks in the source (make-texts.py). The compiler neither vectorises nor unrolls by itself
 * here: these are steps of the ladder, which are taken by hand.
 */

#include "cpu/core/es-cpu-team-internal.h"
#include "ladder/es-ladder-internal.h"

/* EskLadder.own: a stream of the processor's, whose team the threaded rungs share their work out to. */
typedef struct {
  EskStream *stream;
  unsigned   threads;                  /* that there are for the taking */
} LadderCpu;

/* Threads of the ladder's work: size->threads, or all. */
unsigned ladder_threads (EskLadder *ladder);
/* item 0 .. n - 1 by the threads of the work; stops early where it was cancelled or takes longer than granted:
 * ESK_LADDER_OK, ESK_LADDER_ERROR_CANCELLED or _REFUSED. */
int      ladder_share   (EskLadder *ladder, size_t n, EskTeamWork work, void *data);
/* Memory aligned to 64 bytes, for free (); NULL: there is not that much. What a rung takes is added to more_memory. */
void    *ladder_memory  (size_t bytes);
void    *ladder_more    (size_t bytes, EskRungResult *result);
/* Whether there is room for so many bytes, with enough left for others; if not the rung is refused. */
int      ladder_room    (double bytes, EskRungResult *result);
/* Whether LAPACK, which nobody can cancel, may be asked for all eigenvectors of so many rows: there is room for them,
 * and no processor takes longer than a person waits; if not the rung is refused. */
int      ladder_eigen   (EskLadder *ladder, size_t n, EskRungResult *result);
/* Whether the processor has it: "avx2" (with fma), "avx512" (f, dq, vl, bw); if not the rung is refused. */
int      ladder_vectors (const char *what, EskRungResult *result);
/* The text of a rung between its marks, by name ("covariance-loops"); NULL: there is none. */
const char *ladder_text (const char *name);

/* One a file. */
extern const EskSubject ladder_covariance, ladder_transform, ladder_ica, ladder_noise;
extern const EskSubject ladder_fourier, ladder_beams, ladder_jacobi, ladder_azimuth;
