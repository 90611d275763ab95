/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The arrays of every format, made of CSR in host memory (sparse.md 1.0 to 1.2): what each device makes its own of.
 * Serial, but for what is told a team; the same bytes every time, for any team. Arrays begin on a multiple of 64 bytes.
 * Functions of make are ESK_OK,
 * ESK_ERROR_ARGUMENT (a matrix or options that cannot be right) or ESK_ERROR_MEMORY (no memory, or more than
 * stored_limit values with their padding, which is found before anything of that size is asked for; 0: no limit). After
 * an error there is nothing to clear. CSR scalar, CSR vector and merge path take the matrix as it is.
 */

#include "es-sparse.h"
#include "es-team.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In columns of padding of COO's kin: no value. VAB's padding is the value 0 in column 0, as published. */
#define ESK_SPARSE_NO_COLUMN (-1)

/* Who shares the work: run is esk_team_run (), or NULL, as where there is no team: the caller alone. */
typedef struct {
  void     (*run) (EskStream *stream, size_t n, EskTeamWork work, void *data);
  EskStream *stream;
} EskSparseTeam;

/* Looks at all of it: sizes below 2^31, rows that begin where the last ended, columns ascending and in range. */
int  esk_csr_check (const EskCsr *matrix);
int  esk_csr_check_by (const EskSparseTeam *team, const EskCsr *matrix);

/* Options with what is 0 filled in: chunk 32, sigma 32 chunks, block 128, cuts 8 16 32, merged 32 16 8 4. full_warps
 * stays; ESK_ERROR_ARGUMENT: a block that is no multiple of 64, merged that does not divide 32, cuts that do not
 * ascend, full_warps below 0 (the device has to say), a chunk over 1024. Sigma becomes a multiple of chunk, or 1. */
int  esk_sparse_options_fill (const EskSparseOptions *options, EskSparseOptions *filled);

/* Values with padding that the format would have, computed from lengths of rows; of formats that keep CSR: nonzeros. */
int  esk_sparse_stored (const EskCsr *matrix, EskSparseFormat format, const EskSparseOptions *options,
                        uint64_t *stored);

/* Triplets, by rows. column and value may be borrowed of the matrix by who copies: they are CSR's. */
typedef struct {
  size_t   rows, columns, stored;
  EskType  type;
  int32_t *row, *column;       /* stored */
  void    *value;
} EskCoo;

int  esk_coo_make  (const EskCsr *matrix, uint64_t stored_limit, EskCoo *coo);
void esk_coo_clear (EskCoo *coo);

/* Place (i, i + offset[d]) is value[d * stride + i]: by diagonals, offsets ascending; places that are not of the matrix
 * and rows from `rows` to stride are 0. stride: an odd multiple of 32. */
typedef struct {
  size_t   rows, columns, diagonals, stride;
  EskType  type;
  int32_t *offset;             /* diagonals: column - row */
  void    *value;              /* diagonals x stride */
} EskDia;

int  esk_dia_make  (const EskCsr *matrix, uint64_t stored_limit, EskDia *dia);
void esk_dia_clear (EskDia *dia);
/* The same of a matrix that was checked, but that the values of `block` rows lie together, those of the next ones
 * behind them: of rows b block ... by diagonals, which are as far apart as these rows are many, up to stride. */
int  esk_dia_make_tiles (const EskSparseTeam *team, const EskCsr *matrix, uint64_t stored_limit, size_t block,
                         EskDia *dia);

/* The k-th nonzero of row i is at [k * stride + i]; padding is 0 in column -1. stride: as of diagonals. */
typedef struct {
  size_t   rows, columns, width, stride;
  EskType  type;
  int32_t *column;             /* width x stride */
  void    *value;
} EskEll;

int  esk_ell_make  (const EskCsr *matrix, uint64_t stored_limit, EskEll *ell);
void esk_ell_clear (EskEll *ell);

/*
 * SC-CSR (sparse.md 1.1). Rows ascend by length, those of one length by number; sorted row q is row row_index[q] of the
 * matrix. Merged row m of a segment has its `merged` sorted rows from first_row + (m - first_merged) * merged on, those
 * at end_row and beyond being empty: element p of [row_from[m], row_from[m + 1]) is of the row (p - row_from[m]) %
 * merged of it. Padding is 0 in column -1. A segment with fewer than full_warps merged rows (formula 2.1) is no segment
 * of its own, its rows go on to the next.
 */
typedef struct {
  size_t   first_row, end_row;         /* sorted rows */
  size_t   first_merged, end_merged;   /* merged rows */
  unsigned merged;                     /* c: 32, 16, 8 or 4 */
} EskScSegment;

typedef struct {
  size_t       rows, columns, merged_rows;
  EskType      type;
  unsigned     n_segments;
  EskScSegment segment[4];
  uint64_t     stored;
  int32_t     *length, *row_index;     /* rows, sorted */
  int64_t     *row_from;               /* merged_rows + 1; the last is `stored` */
  int32_t     *column;                 /* stored */
  void        *value;
} EskScCsr;

int  esk_sc_csr_make  (const EskCsr *matrix, const EskSparseOptions *options, uint64_t stored_limit, EskScCsr *sc);
void esk_sc_csr_clear (EskScCsr *sc);
/* N_w of formula 2.1: 0.5 multiprocessors x blocks that one holds x threads of a block / threads of a warp. */
int  esk_sc_full_warps (unsigned multiprocessors, unsigned blocks, unsigned block_threads, unsigned warp_threads);

/*
 * VAB (sparse.md 1.2). Row i has the chunks chunk_from[i] .. chunk_from[i + 1] - 1 of four elements; element j of chunk
 * k is at esk_vab_address (k, j, block). Padding is the value 0 in column 0.
 */
typedef struct {
  size_t   rows, columns, chunks, blocks;
  EskType  type;
  unsigned block;              /* chunks of a block: threads */
  uint64_t stored;             /* blocks x 4 x block */
  int32_t *chunk_from;         /* rows + 1 */
  int32_t *column;             /* stored */
  void    *value;
} EskVab;

static inline size_t
esk_vab_address (size_t   chunk,
                 unsigned j,
                 unsigned block)
{
  return chunk / block * 4 * block + (size_t) j * block + chunk % block;
}

int  esk_vab_make  (const EskCsr *matrix, const EskSparseOptions *options, uint64_t stored_limit, EskVab *vab);
void esk_vab_clear (EskVab *vab);

/*
 * SELL-C-sigma (Kreutzer and others 2014). Within windows of sigma rows, rows descend by length, those of one length
 * ascend by number; sorted row q is row row_index[q], lies in chunk q / chunk, and its k-th nonzero is at
 * [chunk_from[q / chunk] + k * chunk + q % chunk]. A chunk is as wide as its longest row. Padding is 0 in column -1.
 */
typedef struct {
  size_t   rows, columns, chunks;
  EskType  type;
  unsigned chunk, sigma;       /* sigma 1: rows are where they were */
  uint64_t stored;
  int32_t *row_index;          /* rows; NULL where sigma is 1 */
  int64_t *chunk_from;         /* chunks + 1; the last is `stored` */
  int32_t *column;             /* stored */
  void    *value;
} EskSell;

int  esk_sell_make  (const EskCsr *matrix, const EskSparseOptions *options, uint64_t stored_limit, EskSell *sell);
void esk_sell_clear (EskSell *sell);
/* The same of a matrix that was checked. */
int  esk_sell_make_by (const EskSparseTeam *team, const EskCsr *matrix, const EskSparseOptions *options,
                       uint64_t stored_limit, EskSell *sell);

/*
 * The merge path (Merrill and Garland 2016): the ends of rows, row_from[1 ... rows], and the numbers of nonzeros merge
 * to a path of rows + nonzeros steps. After `step` steps, *row rows are ended and *nonzero nonzeros taken.
 */
static inline void
esk_merge_split (const int32_t *row_from,
                 size_t         rows,
                 size_t         nonzeros,
                 uint64_t       step,
                 size_t        *row,
                 size_t        *nonzero)
{
  size_t low = step > nonzeros ? (size_t) (step - nonzeros) : 0, high = step < rows ? (size_t) step : rows;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      if ((uint64_t) row_from[middle + 1] + middle < step)
        low = middle + 1;
      else
        high = middle;
    }
  *row = low;
  *nonzero = (size_t) (step - low);
}

typedef struct {
  size_t   parts;
  int32_t *row, *nonzero;      /* parts + 1: where each begins; the last are rows and nonzeros */
} EskMergePath;

/* Parts of `steps` steps each, the last of what is left; no part of an empty matrix. */
int  esk_merge_path_make  (const EskCsr *matrix, size_t steps, EskMergePath *path);
void esk_merge_path_clear (EskMergePath *path);

#ifdef __cplusplus
}
#endif
