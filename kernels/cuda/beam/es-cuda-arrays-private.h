/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Transforms and beams of arrays (es-spectra.h): what their files share. */

#include "es-spectra.h"

#include "cuda/core/es-cuda-internal.h"

EskDft   *esk_cuda_dft_new    (EskStream *stream, const EskDftPlan *plan, int *code);
void      esk_cuda_dft_free   (EskDft *dft);
int       esk_cuda_real_dft   (EskStream *stream, EskDft *dft, const EskFrames *frames, const EskSpectra *spectra,
                               EskChannelHealth *health);
EskBeams *esk_cuda_beams_new  (EskStream *stream, const EskBeamPlan *plan, int *code);
void      esk_cuda_beams_free (EskBeams *beams);
int       esk_cuda_beam_power (EskStream *stream, EskBeams *beams, const EskSpectra *spectra, size_t first_bin,
                               float *by_bin, float *band);

/* es-cuda-dft.cu: ES_CUDA_ARRAYS=slices makes everything that is worked on at a time small, which is for tests. */
bool esk_cuda_wants_slices (void);

/* Device memory that is freed as a list. */
#define ESK_CUDA_MOST_ARRAYS 12
typedef struct {
  int    index;                /* CUDA's number of the device */
  size_t n;
  void  *memory[ESK_CUDA_MOST_ARRAYS];
} EskCudaArrays;

/* A new array with a copy of `from` (NULL: contents undefined), which may be freed at once; NULL: *code says why. */
void *esk_cuda_array_new   (EskStream *stream, EskCudaArrays *arrays, const void *from, size_t bytes, int *code);
void  esk_cuda_arrays_free (EskCudaArrays *arrays);

/* ---- es-cuda-dft-frames.cu ---- */

/* Elements of a tile: batches of transforms start at multiples of it. */
#define ESK_CUDA_FRAME_TILE 64

/* Rows of samples for transforms: row s * elements + e holds snapshot first_snapshot + s of element
 * first_element + e. */
typedef struct {
  EskFrames       frames;
  const uint32_t *channels;    /* of all elements; NULL: element k is channel k */
  const float    *gains;       /* of all elements */
  const float    *window;      /* NULL: ones */
  size_t          window_length, length, hop;
  size_t          first_element, elements, first_snapshot, snapshots;
  float          *rows;        /* snapshots x elements x length */
  EskChannelHealth *health;    /* of all elements; nullable */
} EskCudaFrameRows;

int esk_cuda_frame_rows (EskStream *stream, const EskCudaFrameRows *call);

/* Spectra of such rows, length / 2 + 1 complex numbers each, into their places. */
typedef struct {
  const float2 *rows;
  size_t        row_length;    /* complex numbers */
  size_t        first_element, elements, first_snapshot, snapshots;
  size_t        first_bin, bins;
  size_t        nyquist;       /* the bin that has, like bin 0, no factor sqrt (2) */
  size_t        end;           /* of the elements that are written: behind `elements` zeros */
  float        *values;
  size_t        stride, all_snapshots;
} EskCudaBinRows;

int esk_cuda_bin_rows (EskStream *stream, const EskCudaBinRows *call);

/* ---- es-cuda-dft-short.cu ---- */

/* Whether 16-bit samples may stay such on their way to rows: every element is its channel, at even places. */
bool esk_cuda_suits_short_rows (const EskCudaFrameRows *call);
/* The same rows, of the samples as they are in native byte order, 16 bits each, zeros behind the window. rows: aligned
 * to 16 bytes. */
int  esk_cuda_short_rows       (EskStream *stream, const EskCudaFrameRows *call, int16_t *rows);

/* ---- es-cuda-dft-own.cu ---- */

/* From rows, float ones of esk_cuda_frame_rows () or short ones, to bins in their places. */
typedef struct {
  const void   *rows;          /* snapshots x elements x length */
  const float  *gains, *window;        /* of short rows; gains of all elements, window (length of it) NULL: ones */
  const float2 *turns;         /* esk_cuda_own_dft_turns () on the device */
  size_t        first_element, elements, first_snapshot, snapshots;
  size_t        end;           /* of the elements that are written: behind `elements` zeros */
  unsigned      first_bin, bins;
  float        *values;
  size_t        stride, all_snapshots;
} EskCudaOwnRows;

/* Lengths and numbers of bins that it is for, on this card. */
bool    esk_cuda_own_dft_suits (const EskStream *stream, size_t length, size_t bins);
/* e^(-2 pi j k / length) for k < length / 2, on the host; free (). NULL: no memory. */
float2 *esk_cuda_own_dft_turns (size_t length);
int     esk_cuda_own_dft       (EskStream *stream, size_t length, bool is_short, const EskCudaOwnRows *call);

/* ---- es-cuda-dft-tensor.cu ---- */

/* Samples of 16 bits, where they lie, to bins in their places, all elements and snapshots at once. */
typedef struct {
  EskFrames         frames;
  const float      *gains;     /* of all elements */
  const float      *window;    /* length of it; NULL: ones */
  const void       *tables;    /* esk_cuda_tensor_dft_tables () on the device */
  size_t            length, window_length, hop, elements, snapshots;
  unsigned          first_bin, bins;
  float            *values;
  size_t            stride;
  EskChannelHealth *health;    /* nullable */
} EskCudaTensorRows;

/* Lengths and bins that it is for, on this card. */
bool esk_cuda_tensor_dft_suits  (const EskStream *stream, size_t length, size_t first_bin, size_t bins, bool weighted);
/* Whether it is for these samples, and quicker: every element is its channel, at even places, and they are many. */
bool esk_cuda_suits_tensor_rows (const EskStream *stream, const EskCudaTensorRows *call);
int  esk_cuda_tensor_dft        (EskStream *stream, const EskCudaTensorRows *call);

/* ---- es-cuda-dft-tensor-tables.cu ---- */

/* Sets of four values of m (es-cuda-dft-tensor.cu) that the bins have. */
unsigned esk_cuda_tensor_dft_tiles  (size_t first_bin, size_t bins);
size_t   esk_cuda_tensor_dft_bytes  (size_t length, size_t first_bin, size_t bins);
/* Matrices and phases, on the host; free (). NULL: no memory. */
void    *esk_cuda_tensor_dft_tables (size_t length, size_t first_bin, size_t bins);

/* ---- es-cuda-beams-kernels.cu ---- */

/*
 * How beams are formed. Elements come in units of two, foci alone or in twos.
 *   PLAIN   any array: the two elements of a unit have nothing to do with each other, foci are alone
 *   MIRROR  a line: the second element is where the first one's mirror image is (or is missing: its samples are 0), the
 *           second focus where the first one's is. Delays are exchanged between the two: with S, D = X0 +- X1 and
 *           C, E = P0 +- P1 of the phasors, Y0 = (sum S C + sum D E) / 2 and Y1 = (sum S C - sum D E) / 2.
 *   FAR     as MIRROR, with foci far away: P1 is the conjugate of P0, so that C and E are real
 */
typedef enum { ESK_BEAMS_PLAIN, ESK_BEAMS_MIRROR, ESK_BEAMS_FAR, ESK_N_BEAM_MODES } EskBeamMode;

/*
 * What a thread begins with, of element 0 (and 1) of a unit: x the phase at the bin `centre` and y that from bin to bin
 * as 32-bit fractions of a turn, which wrap by themselves, z and w cos and sin of the latter.
 * table[(unit * halves + half) * pair_stride + pair].
 */
static inline unsigned
esk_beam_halves (EskBeamMode mode)
{
  return mode == ESK_BEAMS_FAR ? 1 : 2;
}

/* Bins whose phases one table may be for: half of them times the step's rounding of 2^-33 turns is 3e-6 rad. */
#define ESK_BEAM_TABLE_BINS ((size_t) 8192)

typedef struct {
  double x, y, z, near;
} EskCudaPoint;

typedef struct {
  EskBeamMode         mode;
  const double       *positions;       /* elements x 3 */
  const int2         *units;           /* the elements of each; second -1: missing */
  size_t              n_units;
  const EskCudaPoint *foci;            /* of the plan */
  const int2         *pairs;           /* foci of each; second -1: missing */
  size_t              first_pair, n_pairs, pair_stride;
  double              axis[3];         /* of the line */
  double              sound_speed, centre_frequency, bin_spacing;
  uint4              *table;
} EskCudaBeamTable;

int esk_cuda_beam_table (EskStream *stream, const EskCudaBeamTable *call);

/* Units of a slice of bins: folded[(row * unit_stride + unit)], row = bin * snapshots + snapshot. PLAIN: X0, X1;
 * otherwise X0 + X1, X0 - X1. */
int esk_cuda_beam_fold (EskStream *stream, EskBeamMode mode, const EskSpectra *spectra, size_t first_bin, size_t bins,
                        const int2 *units, size_t n_units, size_t unit_stride, float4 *folded);

/* What the samples themselves have of power: own[row]. */
int esk_cuda_beam_own (EskStream *stream, const EskSpectra *spectra, size_t first_bin, size_t bins, double *own);

typedef struct {
  EskBeamMode     mode;
  const float4   *folded;
  size_t          unit_stride, n_units;
  const uint4    *table;               /* of the first of the pairs */
  size_t          n_pairs, pair_stride;
  size_t          bins, snapshots;
  int             base;                /* the slice's first bin less the table's centre */
  unsigned        splits, unit_split;  /* parts of the units, and units in each */
  size_t          partial_stride;      /* pairs */
  float          *partial;             /* [split][row][4][partial_stride], esk_cuda_beam_chunk () bins */
} EskCudaBeamSum;

/* Bins that are formed together, rows of partial being a multiple of it. */
unsigned esk_cuda_beam_chunk (EskBeamMode mode, size_t bins);
/* How many parts of the units keep the device busiest, when `pairs` are formed at once. */
unsigned esk_cuda_beam_splits (EskStream *stream, EskBeamMode mode, size_t pairs, size_t bins, size_t snapshots,
                               size_t n_units, int *code);
int      esk_cuda_beam_sum (EskStream *stream, const EskCudaBeamSum *call);

/* ---- es-cuda-beams-powers.cu ---- */

typedef struct {
  EskBeamMode   mode;
  const float  *partial;
  size_t        partial_stride, n_pairs;
  unsigned      splits;
  size_t        rows_stride;           /* rows of one split */
  size_t        bins, snapshots;
  const double *own;                   /* NULL: nothing is taken off */
  double        factor;
  const int2   *pairs;                 /* of the first */
  float        *by_bin;                /* of the slice's first bin; nullable */
  size_t        by_bin_stride;
  float        *band;                  /* nullable */
  bool          add;                   /* to what is in band */
  float        *power;                 /* scratch: 2 x bins x partial_stride */
} EskCudaBeamPowers;

int esk_cuda_beam_powers (EskStream *stream, const EskCudaBeamPowers *call);
