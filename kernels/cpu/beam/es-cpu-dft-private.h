/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Transforms of the CPU back end: FFTW's, or for powers of two transforms of our own that have an element in each lane
 * of a vector. Samples of neighbouring elements lie beside each other in most recordings, so that nothing is ever
 * transposed, and an element's numbers never meet another's. Measured with 512 elements of int16 and N = 8192, a third
 * of the time of FFTW's, and at 262,144 as well; one after the other and several at a time, FFTW takes the same.
 *
 * N reals are taken as M = N / 2 complex numbers z_n = x_2n + j x_(2n+1) in A rows of B: for each b the transform of
 * length A over z_(aB + b), times e^(-j 2 pi b k / M), then for each k that of length B, which gives Z at k + A l. Both
 * fit into the first-level cache. X_b follows from Z_b and Z_(M-b), for the bins that are kept.
 */

#include "es-spectra.h"

#include "cpu/core/es-cpu-team-internal.h"
#include "host/es-fft-internal.h"

/* Elements that one thread takes at a time, at most: a cache line of the shortest samples. */
#define ESK_DFT_GROUP 32
/* Items a thread, below which fewer elements make an item. */
#define ESK_DFT_ITEMS 2
/* Of these, elements that FFTW transforms together. */
#define ESK_DFT_MANY_ELEMENTS 8
/* Lengths of our own transforms. */
#define ESK_DFT_LEAST 16
#define ESK_DFT_MOST ((size_t) 1 << 18)

struct _EskDft
{
  EskDftPlan plan;             /* its arrays are ours; channels and gains never NULL, the gains with the scale */
  uint32_t   last_channel;     /* the largest */

  /* FFTW's: floats from one element to the next; plans of one, of several and of the last few. */
  size_t     distance;
  fftwf_plan single, many, tail;

  /* Our own: A and B (0: not used), then cosine and sine of -2 pi k / A (A of them), of -2 pi k / B (B), of
   * -2 pi b k / M (at (k B + b)), and of -2 pi k / N for the bins kept. */
  size_t     columns, rows;
  float     *column_turns, *row_turns, *between, *last;
};

/* Numbers from one row to the next: not a power of two, which would put a column into few places of the caches. */
#define ESK_DFT_STRIDE(dft) ((dft)->rows + 1)

/* One call. */
typedef struct
{
  const EskDft     *dft;
  const EskFrames  *frames;
  const EskSpectra *spectra;
  EskChannelHealth *health;    /* nullable */
  float            *scratch;   /* of each thread scratch_floats */
  size_t            scratch_floats;
  size_t            group;     /* elements of an item: ESK_DFT_GROUP, or that halved to a multiple of the lanes */
} EskDftRun;

/* Transforms the group of elements of that number; as EskTeamWork, data is an EskDftRun. */
extern EskTeamWork const esk_cpu_dft_portable;
/* NULL where the program has been built for another processor. */
extern EskTeamWork const esk_cpu_dft_avx2;
extern EskTeamWork const esk_cpu_dft_avx512;
/* Those that go with the stream's other loops, or better ones for so many elements and threads; *lanes is how many of
 * them they take side by side. All give the same bits but the portable ones. */
EskTeamWork esk_cpu_dft_loops (const EskStream *stream, size_t elements, unsigned threads, size_t *lanes);

/* es-cpu-dft-own.c: tables. ESK_OK or ESK_ERROR_MEMORY. */
bool      esk_dft_is_own      (const EskDftPlan *plan);
int       esk_dft_own_init    (EskDft *dft);
void      esk_dft_own_clear   (EskDft *dft);
/* Floats that one thread needs. */
size_t    esk_dft_own_floats  (const EskDft *dft);

/* es-cpu-dft-fftw.c */
int       esk_dft_fftw_init   (EskDft *dft);
void      esk_dft_fftw_clear  (EskDft *dft);
size_t    esk_dft_fftw_floats (const EskDft *dft);
void      esk_dft_fftw_group  (void *run, size_t group, unsigned worker);

EskDft   *esk_cpu_dft_new     (EskStream *stream, const EskDftPlan *plan, int *code);
void      esk_cpu_dft_free    (EskDft *dft);
int       esk_cpu_real_dft    (EskStream *stream, EskDft *dft, const EskFrames *frames, const EskSpectra *spectra,
                               EskChannelHealth *health);
