/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The loops of all formats for one type and one processor, included once for each. Before it are defined: TYPE, LOOP ()
 * that makes a name, LANES, Vector, and the vector functions
 *   ZERO (), LOAD (values), ADD (a, b), STORE (values, a), SUM (a)
 *   NEXT (sum, columns, values, x): sum + values x[columns] of LANES elements, those without a column left out
 *   SOME (sum, columns, values, x, n): the same of the first n < LANES, of which nothing else is read.
 * All of them are bound by memory: what they read of the matrix, they read once and in order.
 */

static inline __attribute__ ((always_inline)) void
LOOP (put) (const EskSparseCall *call, size_t row, TYPE sum)
{
  TYPE *y = (TYPE *) call->y + row, alpha = (TYPE) call->alpha;

  *y = call->beta == 0.0 ? alpha * sum : alpha * sum + (TYPE) call->beta * *y;
}

/* ---- CSR ---- */

static inline __attribute__ ((always_inline)) TYPE
LOOP (row_scalar) (const int32_t *column, const TYPE *value, const TYPE *x, size_t n)
{
  TYPE sum = 0;

  for (size_t k = 0; k < n; k++)
    sum += value[k] * x[column[k]];

  return sum;
}

/* Two vectors on the way, as one sum would have to wait for the last. */
static inline __attribute__ ((always_inline)) TYPE
LOOP (row_vector) (const int32_t *column, const TYPE *value, const TYPE *x, size_t n)
{
  Vector a = ZERO (), b = ZERO ();
  size_t k = 0;

  for (; k + 2 * LANES <= n; k += 2 * LANES)
    {
      a = NEXT (a, column + k, value + k, x);
      b = NEXT (b, column + k + LANES, value + k + LANES, x);
    }
  if (k + LANES <= n)
    {
      a = NEXT (a, column + k, value + k, x);
      k += LANES;
    }
  if (k < n)
    b = SOME (b, column + k, value + k, x, n - k);

  return SUM (ADD (a, b));
}

static void
LOOP (csr_scalar) (const EskSparseCall *call, size_t item)
{
  const EskCsr *csr = &call->product->csr;
  const TYPE *value = csr->value, *x = call->x;

  for (size_t i = call->product->from[item]; i < call->product->from[item + 1]; i++)
    {
      size_t k = (size_t) csr->row_from[i];

      LOOP (put) (call, i, LOOP (row_scalar) (csr->column + k, value + k, x, (size_t) csr->row_from[i + 1] - k));
    }
}

static void
LOOP (csr_vector) (const EskSparseCall *call, size_t item)
{
  const EskCsr *csr = &call->product->csr;
  const TYPE *value = csr->value, *x = call->x;

  for (size_t i = call->product->from[item]; i < call->product->from[item + 1]; i++)
    {
      size_t k = (size_t) csr->row_from[i];

      LOOP (put) (call, i, LOOP (row_vector) (csr->column + k, value + k, x, (size_t) csr->row_from[i + 1] - k));
    }
}

/* What is left of a row at the end of an item is carried to who ends it. */
static void
LOOP (merge) (const EskSparseCall *call, size_t item)
{
  const EskSparseProduct *product = call->product;
  const EskCsr *csr = &product->csr;
  const TYPE *value = csr->value, *x = call->x;
  size_t k = (size_t) product->path.nonzero[item], end = (size_t) product->path.nonzero[item + 1];

  for (size_t i = (size_t) product->path.row[item]; i < (size_t) product->path.row[item + 1]; i++)
    {
      size_t n = (size_t) csr->row_from[i + 1] - k;

      LOOP (put) (call, i, n < LANES ? LOOP (row_scalar) (csr->column + k, value + k, x, n)
                                     : LOOP (row_vector) (csr->column + k, value + k, x, n));
      k += n;
    }
  ((TYPE *) product->carry)[item] = LOOP (row_vector) (csr->column + k, value + k, x, end - k);
}

/* ---- triplets ---- */

/* An item has the rows that begin in it, and the empty ones before them; what it has of a row that began before is
 * carried. */
static void
LOOP (coo) (const EskSparseCall *call, size_t item)
{
  const EskSparseProduct *product = call->product;
  const EskCoo *coo = &product->coo;
  const TYPE *value = coo->value, *x = call->x;
  size_t k = product->from[item], end = product->from[item + 1], row = k > 0 ? (size_t) coo->row[k - 1] + 1 : 0;
  TYPE sum = 0;

  for (; k < end && (size_t) coo->row[k] < row; k++)
    sum += value[k] * x[coo->column[k]];
  ((TYPE *) product->carry)[item] = sum;
  while (k < end)
    {
      size_t current = (size_t) coo->row[k];

      for (; row < current; row++)
        LOOP (put) (call, row, 0);
      for (sum = 0; k < end && (size_t) coo->row[k] == current; k++)
        sum += value[k] * x[coo->column[k]];
      LOOP (put) (call, row++, sum);
    }
  for (; item + 1 == product->items && row < product->rows; row++)
    LOOP (put) (call, row, 0);
}

/* ---- diagonals ---- */

/* The rows of a block that the diagonal has, and what x they meet. */
static inline size_t
LOOP (dia_range) (const EskDia *dia, size_t d, size_t from, size_t end, size_t *last)
{
  int64_t offset = dia->offset[d], first = offset < 0 ? -offset : 0, behind = (int64_t) dia->columns - offset;

  *last = behind < (int64_t) end ? (behind > (int64_t) from ? (size_t) behind : from) : end;
  first = first > (int64_t) from ? first : (int64_t) from;

  return first < (int64_t) *last ? (size_t) first : *last;
}

static void
LOOP (dia_block) (const EskSparseCall *call, size_t from, size_t end)
{
  const EskDia *dia = &call->product->dia;
  const TYPE *all = (const TYPE *) dia->value + from * dia->diagonals, *x = call->x;
  TYPE sum[ESK_DIA_BLOCK] __attribute__ ((aligned (64)));
  size_t n = end - from, d = 0, step = dia->stride - from < ESK_DIA_BLOCK ? dia->stride - from : ESK_DIA_BLOCK;

  for (size_t i = 0; i < n; i++)
    sum[i] = 0;
  while (d < dia->diagonals)
    {
      size_t first, last, whole = 0;

      /* Four at a time where the block has all of their rows: the sums are read and written once for them. */
      for (; whole < 4 && d + whole < dia->diagonals; whole++)
        {
          first = LOOP (dia_range) (dia, d + whole, from, end, &last);
          if (first != from || last != end)
            break;
        }
      if (whole == 4)
        {
          const TYPE *a = all + d * step, *b = a + step, *c = b + step, *e = c + step;
          const TYPE *p = x + ((ptrdiff_t) from + dia->offset[d]), *q = x + ((ptrdiff_t) from + dia->offset[d + 1]);
          const TYPE *r = x + ((ptrdiff_t) from + dia->offset[d + 2]), *s = x + ((ptrdiff_t) from + dia->offset[d + 3]);

          for (size_t i = 0; i < n; i++)
            sum[i] = (((sum[i] + a[i] * p[i]) + b[i] * q[i]) + c[i] * r[i]) + e[i] * s[i];
          d += 4;
          continue;
        }
      first = LOOP (dia_range) (dia, d, from, end, &last);
      if (first < last)
        {
          const TYPE *a = all + d * step;

          for (size_t i = first; i < last; i++)
            sum[i - from] += a[i - from] * x[(ptrdiff_t) i + dia->offset[d]];
        }
      d++;
    }
  for (size_t i = 0; i < n; i++)
    LOOP (put) (call, from + i, sum[i]);
}

static void
LOOP (dia) (const EskSparseCall *call, size_t item)
{
  const EskSparseProduct *product = call->product;

  for (size_t b = product->from[item]; b < product->from[item + 1]; b++)
    {
      size_t from = b * ESK_DIA_BLOCK, end = from + ESK_DIA_BLOCK;

      LOOP (dia_block) (call, from, end < product->rows ? end : product->rows);
    }
}

/* ---- lanes beside each other ---- */

#define VECTORS (ESK_LANES / LANES)

/* A block of 32 lanes, `step` elements apart from one to the next of its `width`. */
static inline __attribute__ ((always_inline)) void
LOOP (lanes) (const int32_t *column, const TYPE *value, const TYPE *x, size_t width, size_t step, TYPE *sum)
{
  Vector all[VECTORS];

  for (size_t v = 0; v < VECTORS; v++)
    all[v] = ZERO ();
  for (size_t k = 0; k < width; k++, column += step, value += step)
    for (size_t v = 0; v < VECTORS; v++)
      all[v] = NEXT (all[v], column + v * LANES, value + v * LANES, x);
  for (size_t v = 0; v < VECTORS; v++)
    STORE (sum + v * LANES, all[v]);
}

static void
LOOP (ell) (const EskSparseCall *call, size_t item)
{
  const EskSparseProduct *product = call->product;
  const EskEll *ell = &product->ell;
  TYPE sum[ESK_LANES] __attribute__ ((aligned (64)));

  for (size_t b = product->from[item]; b < product->from[item + 1]; b++)
    {
      size_t from = b * ESK_LANES, n = product->rows - from < ESK_LANES ? product->rows - from : ESK_LANES;

      LOOP (lanes) (ell->column + from, (const TYPE *) ell->value + from, call->x, ell->width, ell->stride, sum);
      for (size_t i = 0; i < n; i++)
        LOOP (put) (call, from + i, sum[i]);
    }
}

/* Lanes that are not 32: by vectors, and what is left. */
static void
LOOP (sell_rest) (const EskSparseCall *call, size_t chunk, size_t lane)
{
  const EskSell *sell = &call->product->sell;
  size_t at = (size_t) sell->chunk_from[chunk], width = ((size_t) sell->chunk_from[chunk + 1] - at) / sell->chunk;
  const int32_t *column = sell->column + at;
  const TYPE *value = (const TYPE *) sell->value + at;
  TYPE sum[LANES] __attribute__ ((aligned (64)));

  for (; lane < sell->chunk; lane += LANES)
    {
      size_t n = sell->chunk - lane < LANES ? sell->chunk - lane : LANES;
      Vector all = ZERO ();

      for (size_t k = 0; k < width; k++)
        all = n == LANES ? NEXT (all, column + k * sell->chunk + lane, value + k * sell->chunk + lane, call->x)
                         : SOME (all, column + k * sell->chunk + lane, value + k * sell->chunk + lane, call->x, n);
      STORE (sum, all);
      for (size_t i = 0, q = chunk * sell->chunk + lane; i < n && q < sell->rows; i++, q++)
        LOOP (put) (call, sell->row_index != NULL ? (size_t) sell->row_index[q] : q, sum[i]);
    }
}

static void
LOOP (sell) (const EskSparseCall *call, size_t item)
{
  const EskSparseProduct *product = call->product;
  const EskSell *sell = &product->sell;
  TYPE sum[ESK_LANES] __attribute__ ((aligned (64)));

  for (size_t c = product->from[item]; c < product->from[item + 1]; c++)
    {
      size_t at = (size_t) sell->chunk_from[c], width = ((size_t) sell->chunk_from[c + 1] - at) / sell->chunk, lane = 0;

      for (; lane + ESK_LANES <= sell->chunk; lane += ESK_LANES)
        {
          LOOP (lanes) (sell->column + at + lane, (const TYPE *) sell->value + at + lane, call->x, width, sell->chunk,
                        sum);
          for (size_t i = 0, q = c * sell->chunk + lane; i < ESK_LANES && q < sell->rows; i++, q++)
            LOOP (put) (call, sell->row_index != NULL ? (size_t) sell->row_index[q] : q, sum[i]);
        }
      LOOP (sell_rest) (call, c, lane);
    }
}

/* ---- SC-CSR: the lanes of a warp are those of vectors, with the published reduction at the end ---- */

static inline __attribute__ ((always_inline)) void
LOOP (sc_merged) (const EskSparseCall *call, const EskScSegment *segment, size_t m)
{
  const EskScCsr *sc = &call->product->sc;
  size_t at = (size_t) sc->row_from[m], n = (size_t) sc->row_from[m + 1] - at, k = 0;
  size_t q = segment->first_row + (m - segment->first_merged) * segment->merged;
  const int32_t *column = sc->column + at;
  const TYPE *value = (const TYPE *) sc->value + at;
  TYPE sum[ESK_LANES] __attribute__ ((aligned (64)));
  Vector all[VECTORS];

  for (size_t v = 0; v < VECTORS; v++)
    all[v] = ZERO ();
  for (; k + ESK_LANES <= n; k += ESK_LANES)
    for (size_t v = 0; v < VECTORS; v++)
      all[v] = NEXT (all[v], column + k + v * LANES, value + k + v * LANES, call->x);
  for (size_t v = 0; v < VECTORS && k < n; v++, k += LANES)
    all[v] = n - k >= LANES ? NEXT (all[v], column + k, value + k, call->x)
                            : SOME (all[v], column + k, value + k, call->x, n - k);
  for (size_t v = 0; v < VECTORS; v++)
    STORE (sum + v * LANES, all[v]);
  for (size_t off = ESK_LANES / 2; off >= segment->merged; off /= 2)
    for (size_t lane = 0; lane < off; lane++)
      sum[lane] += sum[lane + off];
  for (size_t lane = 0; lane < segment->merged && q + lane < segment->end_row; lane++)
    LOOP (put) (call, (size_t) sc->row_index[q + lane], sum[lane]);
}

static void
LOOP (sc) (const EskSparseCall *call, size_t item)
{
  const EskSparseProduct *product = call->product;
  const EskScCsr *sc = &product->sc;

  for (unsigned s = 0; s < sc->n_segments; s++)
    {
      const EskScSegment *segment = &sc->segment[s];
      size_t m = product->from[item], end = product->from[item + 1];

      m = m > segment->first_merged ? m : segment->first_merged;
      end = end < segment->end_merged ? end : segment->end_merged;
      for (; m < end; m++)
        LOOP (sc_merged) (call, segment, m);
    }
}

/* ---- VAB: a lane a chunk, and then a sum a row ---- */

static void
LOOP (vab) (const EskSparseCall *call, size_t item)
{
  const EskVab *vab = &call->product->vab;
  TYPE *partial = call->product->partial;

  for (size_t b = call->product->from[item]; b < call->product->from[item + 1]; b++)
    {
      size_t at = b * 4 * vab->block;
      const int32_t *column = vab->column + at;
      const TYPE *value = (const TYPE *) vab->value + at;

      for (size_t k = 0; k < vab->block; k += LANES)
        {
          Vector all = ZERO ();

          for (size_t j = 0; j < 4; j++)
            all = NEXT (all, column + j * vab->block + k, value + j * vab->block + k, call->x);
          STORE (partial + b * vab->block + k, all);
        }
    }
}

static void
LOOP (vab_rows) (const EskSparseCall *call, size_t item)
{
  const EskVab *vab = &call->product->vab;
  const TYPE *partial = call->product->partial;

  for (size_t i = call->product->row_from[item]; i < call->product->row_from[item + 1]; i++)
    {
      TYPE sum = 0;

      for (int32_t k = vab->chunk_from[i]; k < vab->chunk_from[i + 1]; k++)
        sum += partial[k];
      LOOP (put) (call, i, sum);
    }
}

#define LOOPS                                                                                 \
  {                                                                                           \
    .loop = { [ESK_SPARSE_COO] = LOOP (coo), [ESK_SPARSE_DIA] = LOOP (dia),                   \
              [ESK_SPARSE_ELL] = LOOP (ell), [ESK_SPARSE_CSR_SCALAR] = LOOP (csr_scalar),     \
              [ESK_SPARSE_CSR_VECTOR] = LOOP (csr_vector), [ESK_SPARSE_SC_CSR] = LOOP (sc),   \
              [ESK_SPARSE_VAB] = LOOP (vab), [ESK_SPARSE_MERGE] = LOOP (merge),               \
              [ESK_SPARSE_SELL] = LOOP (sell) },                                              \
    .vab_rows = LOOP (vab_rows)                                                               \
  }
static const EskSparseLoops LOOP (loops) = LOOPS;

#undef LOOPS
#undef VECTORS
#undef TYPE
#undef LOOP
#undef LANES
#undef Vector
#undef ZERO
#undef LOAD
#undef ADD
#undef STORE
#undef SUM
#undef NEXT
#undef SOME
