/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Moments of whitened samples with matrix instructions (compute capability 8.0 and later).
 *
 * A product of monomials depends on its factors only: z_a z_b z_c z_d with a >= b >= c >= d is summed once, as the row
 * (a, b) times the column (c, d), and so are z_a z_b z_c as the row z_a times (b, c), and z_a z_b as a row of ones
 * times (a, b). Columns are the monomials of degree two, in their order; rows are sorted by how many columns they need,
 * and taken by 32, each with eight columns after the other: of 27 planes 167 such units, 43,000 products in place of
 * 82,000.
 *
 * A block holds all units in its registers. It makes the monomials of 32 samples in shared memory, as sums of two
 * float16 (22 bits) of z scaled by a power of two a plane, and forms three of the four products in float32, from zero
 * for every 16 samples, since matrix instructions cut off what does not fit. Sums of some hundred samples are added to
 * float64 in the block's own slot, and those in the order of the blocks.
 *
 * Predicted for 27 planes of 5.4 million samples on the H200: 1002 instructions of 16 x 8 x 16 for 16 samples, 2.2 ms
 * at 62 % of the peak; shared memory 2.4 ms. Measured: 6.4 ms, and 6.9 with all before and after; warps wait for the
 * chain of the three products of a unit.
 */

#include "es-cuda-ica-private.h"

#include "cuda/covariance/es-cuda-covariance-internal.h"

#include <cuda_fp16.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 384
#define WARPS (THREADS / 32)
#define STAGE 32               /* samples */
#define PITCH 36               /* floats from plane to plane of the samples in shared memory */
#define ROW_BYTES 128          /* of a monomial: 32 high halves, 32 low halves */
#define PERIOD 16              /* stages that are added up in float32 */
#define MOST_PLANES 48
#define UNIT_NEW 0x80000000u
#define UNIT_GROUP 16          /* where the group's bits are */
#define UNIT_COLUMNS 0xffffu
#define RANGE_THREADS 256
#define RANGE_SAMPLES 16384    /* of a block of find_ranges () */

#include "es-cuda-moments-kernels.cuh"

/* --- on the host ---------------------------------------------------------------------------------------------- */

/* A row, and how many columns it is wanted with. */
typedef struct {
  unsigned feature, limit;
} Row;

static int
compare_rows (const void *a,
              const void *b)
{
  const Row *x = (const Row *) a, *y = (const Row *) b;

  return x->limit != y->limit ? (x->limit < y->limit ? -1 : 1) : (x->feature > y->feature) - (x->feature < y->feature);
}

static size_t
take (size_t *used,
      size_t  bytes)
{
  size_t at = *used;

  *used += (bytes + 255) / 256 * 256;

  return at;
}

/* Where the tables are in a block of memory; returns its size. */
static size_t
lay_out (const Moments *moments,
         char          *block,
         Tables        *tables)
{
  size_t used = 0;

  tables->units = (unsigned *) (block + take (&used, moments->n_slots * sizeof (unsigned)));
  tables->starts = (unsigned *) (block + take (&used, moments->n_groups * sizeof (unsigned)));
  tables->pairs = (uint16_t *) (block + take (&used, moments->n_padded * sizeof (uint16_t)));
  tables->rows = (uint16_t *) (block + take (&used, moments->n_groups * 32 * sizeof (uint16_t)));
  tables->places = (uint16_t *) (block + take (&used, moments->n_features * sizeof (uint16_t)));

  return used;
}

static void
fill_rows (const Moments *moments,
           Row           *rows)
{
  unsigned m = moments->m, n = 0;

  for (unsigned i = 0; i < m; i++)
    for (unsigned j = 0; j <= i; j++, n++)
      rows[n] = (Row) { n, (j + 1) * (j + 2) / 2 };
  for (unsigned i = 0; i < m; i++, n++)
    rows[n] = (Row) { n, (i + 1) * (i + 2) / 2 };
  rows[n] = (Row) { n, moments->n_quadratic };
  qsort (rows, n + 1, sizeof *rows, compare_rows);
}

static unsigned
count_units (const Moments *moments,
             const Row     *rows)
{
  unsigned n = 0;

  for (unsigned last = 31; last < moments->n_groups * 32; last += 32)
    n += (rows[last < moments->n_features ? last : moments->n_features - 1].limit + 7) / 8;

  return n;
}

static void
fill_tables (const Moments *moments,
             const Row     *rows,
             unsigned       most,
             const Tables  *tables)
{
  unsigned m = moments->m, unit = 0, n = 0;

  for (unsigned i = 0; i < m; i++)
    for (unsigned j = 0; j <= i; j++)
      tables->pairs[n++] = (uint16_t) (i << 8 | j);
  for (unsigned i = 0; i < m; i++)
    tables->pairs[n++] = (uint16_t) (i << 8 | m);
  while (n < moments->n_padded)
    tables->pairs[n++] = (uint16_t) (m << 8 | m);

  for (unsigned i = 0; i < moments->n_groups * 32; i++)
    {
      tables->rows[i] = i < moments->n_features ? (uint16_t) rows[i].feature : 0;
      if (i < moments->n_features)
        tables->places[rows[i].feature] = (uint16_t) i;
    }
  for (unsigned group = 0; group < moments->n_groups; group++)
    {
      unsigned last = group * 32 + 31 < moments->n_features ? group * 32 + 31 : moments->n_features - 1;

      tables->starts[group] = unit;
      for (unsigned c = 0; c < (rows[last].limit + 7) / 8; c++)
        tables->units[unit++] = group << UNIT_GROUP | c;
    }
  /* Warps without work do something that nobody looks at. */
  while (unit < moments->n_slots)
    tables->units[unit++] = (moments->n_groups - 1) << UNIT_GROUP;
  for (unit = 0; unit < moments->n_slots; unit++)
    if (unit % most == 0 || tables->units[unit] >> UNIT_GROUP != (tables->units[unit - 1] & ~UNIT_NEW) >> UNIT_GROUP)
      tables->units[unit] |= UNIT_NEW;
}

template <int most>
static int
launch (EskStream *stream,
        Moments   *moments,
        unsigned   parts)
{
  unsigned shared = layout_of (moments).end;
  size_t n_stages = (moments->n + STAGE - 1) / STAGE, n_blocks;
  double *partial;
  int at_once = 1, code;

  code = esk_cuda_check (stream, cudaFuncSetAttribute (sum_products<most>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       (int) shared), "moments");
  if (code == ESK_OK)
    code = esk_cuda_check (stream, cudaOccupancyMaxActiveBlocksPerMultiprocessor (&at_once, sum_products<most>, THREADS,
                                                                                 shared), "moments");
  if (code != ESK_OK)
    return code;
  n_blocks = (size_t) (at_once < 1 ? 1 : at_once) * esk_cuda_properties (stream)->multiprocessors / parts;
  n_blocks = n_blocks < 1 ? 1 : n_blocks > n_stages ? n_stages : n_blocks;
  partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_IMPORT,
                                         n_blocks * moments->n_slots * 256 * sizeof (double));
  if (partial == NULL)
    return ESK_ERROR_MEMORY;
  code = esk_cuda_check (stream, cudaMemsetAsync (partial, 0, n_blocks * moments->n_slots * 256 * sizeof (double),
                                                  stream->stream), "clearing the sums");
  if (code != ESK_OK)
    return code;
  sum_products<most><<<dim3 ((unsigned) n_blocks, parts), THREADS, shared, stream->stream>>> (*moments, partial);
  code = esk_cuda_launched (stream, "moments");

  return code == ESK_OK ? esk_cuda_ica_add_slots (stream, partial, n_blocks, (size_t) moments->n_slots * 256,
                                                  moments->tables.totals) : code;
}

static int
run (EskStream     *stream,
     Moments       *moments,
     unsigned       most,
     unsigned       parts,
     EskCovariance *covariance)
{
  size_t n_blocks = (moments->n + RANGE_SAMPLES - 1) / RANGE_SAMPLES, n_pairs;
  double *partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, n_blocks * moments->m * sizeof (double));
  EskCudaSums *sums = NULL;
  int code;

  if (partial == NULL)
    return ESK_ERROR_MEMORY;
  find_ranges<<<dim3 ((unsigned) n_blocks, moments->m), RANGE_THREADS, 0, stream->stream>>>
    (moments->z, moments->n, moments->stride, moments->tables.ranges, partial);
  code = esk_cuda_launched (stream, "ranges");
  if (code == ESK_OK)
    code = esk_cuda_ica_add_slots (stream, partial, n_blocks, moments->m, moments->tables.first);
  if (code == ESK_OK)
    code = most == 2 ? launch<2> (stream, moments, parts)
           : most == 5 ? launch<5> (stream, moments, parts)
           : most == 9 ? launch<9> (stream, moments, parts)
                       : launch<14> (stream, moments, parts);
  if (code == ESK_OK)
    code = esk_cuda_float_sums (stream, covariance, moments->n, &sums);
  if (code != ESK_OK)
    return code;
  n_pairs = sums->n_bands * sums->n_bands;
  add_to_sums<<<(unsigned) ((n_pairs + 127) / 128), 128, 0, stream->stream>>> (*moments, *sums);

  return esk_cuda_launched (stream, "moments");
}

int
esk_cuda_moments_tensor (EskStream     *stream,
                         const float   *z,
                         size_t         n,
                         size_t         stride,
                         unsigned       m,
                         EskCovariance *sums)
{
  static const unsigned sizes[] = { 2, 5, 9, 14 };
  const EskCudaProperties *properties = esk_cuda_properties (stream);
  Moments moments = { z, n, stride, m };
  unsigned most = 14, parts;
  size_t bytes, zeroed;
  char *table = NULL, *block;
  Tables host;
  Row *rows;
  int code = ESK_ERROR_MEMORY;

  if (properties->major < 8 || m > MOST_PLANES)
    return ESK_ERROR_ARGUMENT;
  moments.n_quadratic = m * (m + 1) / 2;
  moments.n_features = moments.n_quadratic + m + 1;
  moments.n_padded = (moments.n_features + 7) / 8 * 8;
  moments.n_groups = (moments.n_features + 31) / 32;
  rows = (Row *) calloc (moments.n_features, sizeof *rows);
  if (rows == NULL)
    return ESK_ERROR_MEMORY;
  fill_rows (&moments, rows);
  moments.n_units = count_units (&moments, rows);
  for (unsigned s = sizeof sizes / sizeof *sizes; s-- > 0;)
    if (moments.n_units <= sizes[s] * WARPS)
      most = sizes[s];
  parts = (moments.n_units + most * WARPS - 1) / (most * WARPS);
  moments.n_slots = parts * most * WARPS;
  for (moments.n_buffers = 2; moments.n_buffers > 0; moments.n_buffers--)
    if (layout_of (&moments).end <= properties->shared_optin)
      break;
  if (moments.n_buffers == 0)
    {
      free (rows);
      return ESK_ERROR_ARGUMENT;
    }

  bytes = lay_out (&moments, NULL, &host);
  zeroed = ((size_t) moments.n_slots * 256 + 2 * MOST_PLANES) * sizeof (double);
  block = (char *) esk_cuda_scratch (stream, ESK_SCRATCH_TABLES, bytes + zeroed);
  table = (char *) malloc (bytes);
  if (table != NULL && block != NULL)
    {
      lay_out (&moments, table, &host);
      memset (table, 0, bytes);
      fill_tables (&moments, rows, most, &host);
      code = esk_cuda_upload_table (stream, block, table, bytes);
      lay_out (&moments, block, &moments.tables);
      moments.tables.first = (double *) (block + bytes);
      moments.tables.ranges = (unsigned *) (moments.tables.first + MOST_PLANES);
      moments.tables.totals = moments.tables.first + 2 * MOST_PLANES;
      if (code == ESK_OK)
        code = esk_cuda_check (stream, cudaMemsetAsync (block + bytes, 0, zeroed, stream->stream), "clearing the sums");
      if (code == ESK_OK)
        code = run (stream, &moments, most, parts, sums);
    }
  free (table);
  free (rows);

  return code;
}
