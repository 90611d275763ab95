/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Beams of the CPU back end.
 *
 * Where a reflection (a sign for each axis) maps elements onto elements, they are taken in pairs (k, k'): with
 * S = X_k + X_k' and D = X_k - X_k', and p, q the phasors of k and k' in a focus f,
 *
 *   p X_k + q X_k' = (p + q) S / 2 + (p - q) D / 2 = A + B.
 *
 * The reflected focus f' has p and q the other way round, hence A - B: one pass gives both. Where in addition q is the
 * conjugate of p = c - j s (a line's far field), A = c S and B = -j s D need half the multiplications again. Elements
 * without a partner are added one by one. All of it is found by comparing delays; an array without symmetry has only
 * elements of the last kind.
 */

#include "es-spectra.h"

#include "cpu/core/es-cpu-team-internal.h"

/* Elements and pairs come in whole vectors of this many, filled up with silent ones. */
#define ESK_BEAM_VECTOR 16
/* Bins of a block: from its middle, phasors go half of it up and down by x_(n+1) = 2 cos (d) x_n - x_(n-1), whose error
 * grows with the square of the distance; over 8 steps it is 3e-6 (measured over 400,000 angles of every size). */
#define ESK_BEAM_BLOCK 16
/* Blocks over which the middle is turned on before it is computed anew. */
#define ESK_BEAM_BLOCKS_TURNED 8

/* A focus, or two that mirror each other. */
typedef struct
{
  size_t focus, twin;          /* twin: SIZE_MAX where there is none */
  bool   conjugate;            /* q = conj (p) for all pairs */
} EskBeamItem;

/* Coordinates of elements in their own order, each axis padded_n long; what fills up lies in the reference. */
typedef struct
{
  size_t  n, padded;
  double *x, *y, *z;
} EskBeamPlaces;

struct _EskBeams
{
  EskBeamPlan   plan;          /* its arrays are ours */
  size_t        n_pairs, n_singles;
  uint32_t     *pair, *partner, *single;     /* indices of elements */
  EskBeamPlaces pairs, partners, singles;
  EskBeamItem  *items;
  size_t        n_items;
  size_t        block, n_blocks;             /* bins of a block, the last may have fewer */
};

/* One call. */
typedef struct
{
  const EskBeams   *beams;
  const EskSpectra *spectra;
  size_t            first_bin;
  float            *by_bin, *band, *out;     /* nullable */
  size_t            pair_vectors, single_vectors;
  /*
   * Block by block: for each vector of pairs, bin and snapshot S and D, four vectors (S re, S im, D re, D im); then for
   * each vector of singles, bin and snapshot X, two vectors.
   */
  float            *packed;
  float            *own;       /* [bin][snapshot]: the sum of |X_k|^2; NULL where the diagonal stays */
  float            *scratch;   /* of each thread scratch_floats */
  size_t            scratch_floats;
} EskBeamRun;

/* Floats from one bin to the next in `packed`. */
static inline size_t
esk_beam_bin_floats (const EskBeamRun *run)
{
  return (4 * run->pair_vectors + 2 * run->single_vectors) * ESK_BEAM_VECTOR * run->spectra->snapshots;
}

/* Inner loops, once for every processor. */
typedef struct
{
  const char *name;
  /* Forms the beams of an item; item and worker as in EskTeamWork, data is an EskBeamRun. */
  EskTeamWork form;
  /* Packs the bin of that number. */
  EskTeamWork pack;
} EskCpuBeamLoops;

extern const EskCpuBeamLoops esk_cpu_beam_loops_portable;
/* NULL where the program has been built for another processor. */
extern const EskCpuBeamLoops * const esk_cpu_beam_loops_avx2;
extern const EskCpuBeamLoops * const esk_cpu_beam_loops_avx512;

/* Those that go with the stream's other loops, or better ones. */
const EskCpuBeamLoops *esk_cpu_beam_loops (const EskStream *stream);

/* es-cpu-beam-pairs.c: fills in pairs, singles and items. ESK_OK or ESK_ERROR_MEMORY. */
int       esk_beam_find_pairs (EskBeams *beams);

EskBeams *esk_cpu_beams_new   (EskStream *stream, const EskBeamPlan *plan, int *code);
void      esk_cpu_beams_free  (EskBeams *beams);
int       esk_cpu_beam_power  (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin,
                               float *by_bin, float *band);
int       esk_cpu_beam_output (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin,
                               float *out);
