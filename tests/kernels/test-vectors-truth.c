/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "test-vectors-truth.h"

#include <math.h>
#include <string.h>

#define N_SLOTS 1024
#define MOST_BASIS 40

static guint64
next (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1dull;
}

static double
unit (guint64 *state)
{
  return (double) (next (state) >> 11) * 0x1p-52 - 1;
}

/* What one check works with: vectors on both sides, as numbers and as the device has them. */
typedef struct
{
  const VectorsPlace *place;
  EskType             type;
  gsize               n;
  guint64             state;
  double             *slots;   /* on the device */
  double              here[N_SLOTS];
} Check;

typedef struct
{
  double *numbers;             /* as the type holds them */
  void   *there;
} Vector;

static void
to_type (EskType       type,
         gsize         n,
         const double *numbers,
         void         *to)
{
  for (gsize k = 0; k < n; k++)
    if (type == ESK_F64)
      ((double *) to)[k] = numbers[k];
    else
      ((float *) to)[k] = (float) numbers[k];
}

static void
fetch (Check  *check,
       void   *there,
       gsize   n,
       double *numbers)
{
  g_autofree guint8 *bytes = g_malloc (n * sizeof (double) + 1);

  check->place->fetch (there, bytes, n * esk_type_size (check->type));
  for (gsize k = 0; k < n; k++)
    numbers[k] = check->type == ESK_F64 ? ((const double *) (const void *) bytes)[k]
                                        : (double) ((const float *) (const void *) bytes)[k];
}

static void *
put (Check        *check,
     gsize         n,
     const double *numbers)
{
  g_autofree guint8 *bytes = g_malloc (n * sizeof (double) + 1);

  to_type (check->type, n, numbers, bytes);
  return check->place->take (n * esk_type_size (check->type), bytes);
}

static Vector
vector_new (Check *check,
            gsize  n)
{
  Vector self = { g_new (double, n + 1), NULL };

  for (gsize k = 0; k < n; k++)
    {
      self.numbers[k] = unit (&check->state);
      if (check->type == ESK_F32)
        self.numbers[k] = (double) (float) self.numbers[k];
    }
  self.there = put (check, n, self.numbers);

  return self;
}

static void
vector_free (Check  *check,
             Vector *self)
{
  check->place->drop (self->there);
  g_free (self->numbers);
}

static void
get_slots (Check *check,
           gsize  n)
{
  check->place->fetch (check->slots, check->here, n * sizeof (double));
}

static void
expect_code (Check      *check,
             const char *what,
             int         code,
             int         expected)
{
  g_autofree char *message = g_strdup_printf ("answers %d, not %d", code, expected);

  if (code != expected)
    check->place->fail (what, message);
}

/* exact[k] to within `roundings` of its type, of numbers whose magnitudes add up to `magnitude`. */
static void
expect_vector (Check        *check,
               const char   *what,
               void         *there,
               const double *exact,
               double        magnitude)
{
  g_autofree double *got = g_new (double, check->n + 1);
  double tolerance = magnitude * (check->type == ESK_F64 ? 0x1p-50 : 0x1p-21);

  fetch (check, there, check->n, got);
  for (gsize k = 0; k < check->n; k++)
    if (!(fabs (got[k] - exact[k]) <= tolerance))
      {
        g_autofree char *message = g_strdup_printf ("element %zu of %zu is %.17g, not %.17g", k, check->n, got[k],
                                                    exact[k]);

        check->place->fail (what, message);
        return;
      }
}

/* Of the vectors that are there now. */
static void
expect_dot (Check        *check,
            const char   *what,
            double        got,
            const double *x,
            const double *y,
            const double *weight)
{
  long double sum = 0, magnitude = 0;

  for (gsize k = 0; k < check->n; k++)
    {
      long double term = (long double) x[k] * y[k] * (weight != NULL ? (long double) weight[k] : 1);

      sum += term;
      magnitude += fabsl (term);
    }
  if (!(fabsl ((long double) got - sum) <= 1e-13L * magnitude))
    {
      g_autofree char *message = g_strdup_printf ("sum of %zu is %.17g, not %.17Lg", check->n, got, sum);

      check->place->fail (what, message);
    }
}

/* What descend () and direct () do. */
static void
check_gradients (Check *check)
{
  const EskVectorsHotspots *hotspots = check->place->table->vectors;
  gsize n = check->n;
  Vector q = vector_new (check, n), d = vector_new (check, n), r = vector_new (check, n), p = vector_new (check, n),
         x = vector_new (check, n);
  g_autofree double *exact = g_new (double, n + 1), *now = g_new (double, n + 1);
  const double start[4] = { 3, -4, 0.5, 2 };
  double *given = check->place->take (sizeof start, start);
  EskScalar a = { -1, { given, given + 2 }, { given + 1, NULL }, false }, b = { 2, { given }, { given + 3 }, true };
  double alpha = 0.375, beta = 2 * sqrt (1.5);

  for (int with = 0; with < 2; with++)
    {
      for (gsize k = 0; k < n; k++)
        exact[k] = r.numbers[k] + alpha * q.numbers[k];
      expect_code (check, "descend", hotspots->descend (check->place->stream, check->type, n, &a, q.there, r.there,
                                                        with ? d.there : NULL, check->slots), ESK_OK);
      get_slots (check, 2);
      expect_vector (check, "descend", r.there, exact, 3);
      fetch (check, r.there, n, r.numbers);
      expect_dot (check, "descend: r.r", check->here[0], r.numbers, r.numbers, NULL);
      if (with)
        expect_dot (check, "descend: r.Dr", check->here[1], r.numbers, r.numbers, d.numbers);

      for (gsize k = 0; k < n; k++)
        {
          exact[k] = (with ? d.numbers[k] : 1) * r.numbers[k] + beta * p.numbers[k];
          now[k] = x.numbers[k] + alpha * p.numbers[k];
        }
      expect_code (check, "direct", hotspots->direct (check->place->stream, check->type, n, &a, &b, r.there,
                                                      with ? d.there : NULL, p.there, x.there), ESK_OK);
      expect_vector (check, "direct: p", p.there, exact, 12);
      expect_vector (check, "direct: x", x.there, now, 6);
      fetch (check, p.there, n, p.numbers);
      fetch (check, x.there, n, x.numbers);
    }
  check->place->drop (given);
  vector_free (check, &q);
  vector_free (check, &d);
  vector_free (check, &r);
  vector_free (check, &p);
  vector_free (check, &x);
}

/* Every number of terms and of dots; out apart, and out as each of the terms. */
static void
check_combine (Check *check)
{
  const EskVectorsHotspots *hotspots = check->place->table->vectors;
  gsize n = check->n;

  for (gsize n_terms = 1; n_terms <= ESK_MOST_TERMS; n_terms++)
    for (gsize in_place = 0; in_place <= n_terms; in_place++)
      {
        Vector v[ESK_MOST_TERMS], own = vector_new (check, n);
        g_autofree double *exact = g_new0 (double, n + 1), *now = g_new (double, n + 1);
        gsize n_dots = (n_terms + in_place) % (ESK_MOST_DOTS + 1);
        const void *with[ESK_MOST_DOTS];
        EskTerm terms[ESK_MOST_TERMS];
        void *out = own.there;

        for (gsize t = 0; t < n_terms; t++)
          {
            double scale = (double) t - 0.75;

            v[t] = vector_new (check, n);
            terms[t] = (EskTerm) { { scale, { NULL }, { NULL }, false }, v[t].there };
            for (gsize k = 0; k < n; k++)
              exact[k] += scale * v[t].numbers[k];
          }
        if (in_place > 0)
          out = v[in_place - 1].there;
        for (gsize d = 0; d < n_dots; d++)
          with[d] = d == 0 ? NULL : d == 1 ? out : v[d % n_terms].there;
        expect_code (check, "combine", hotspots->combine (check->place->stream, check->type, n, n_terms, terms, out,
                                                          n_dots, with, check->slots), ESK_OK);
        expect_vector (check, "combine", out, exact, 10);
        fetch (check, out, n, now);
        get_slots (check, ESK_MOST_DOTS);
        for (gsize d = 0; d < n_dots; d++)
          expect_dot (check, "combine: dot", check->here[d], now,
                      d < 2 || with[d] == out ? now : v[d % n_terms].numbers, NULL);
        for (gsize t = 0; t < n_terms; t++)
          vector_free (check, &v[t]);
        vector_free (check, &own);
      }
}

static void
check_dots (Check *check)
{
  const EskVectorsHotspots *hotspots = check->place->table->vectors;
  Vector x = vector_new (check, check->n), y = vector_new (check, check->n), z = vector_new (check, check->n);
  const Vector *left[ESK_MOST_DOTS] = { &x, &x, &z, &y }, *right[ESK_MOST_DOTS] = { &y, &x, &y, &z };
  const void *a[ESK_MOST_DOTS], *b[ESK_MOST_DOTS];

  for (gsize d = 0; d < ESK_MOST_DOTS; d++)
    {
      a[d] = left[d]->there;
      b[d] = right[d]->there;
      expect_code (check, "dots", hotspots->dots (check->place->stream, check->type, check->n, d + 1, a, b,
                                                  check->slots), ESK_OK);
      get_slots (check, d + 1);
      for (gsize e = 0; e <= d; e++)
        expect_dot (check, "dots", check->here[e], left[e]->numbers, right[e]->numbers, NULL);
    }
  vector_free (check, &x);
  vector_free (check, &y);
  vector_free (check, &z);
}

static void
check_basis (Check *check,
             gsize  k)
{
  const EskVectorsHotspots *hotspots = check->place->table->vectors;
  EskStream *stream = check->place->stream;
  gsize n = check->n, stride = (n + 31) / 16 * 16;
  Vector basis = vector_new (check, stride * k), w = vector_new (check, n);
  g_autofree double *coefficients = g_new (double, k + 1), *exact = g_new (double, n + 1), *now = g_new (double, n + 1);
  double *given;

  for (gsize i = 0; i < k; i++)
    coefficients[i] = unit (&check->state);
  given = check->place->take (k * sizeof (double), coefficients);
  expect_code (check, "basis_dots", hotspots->basis_dots (stream, check->type, n, k, basis.there, stride, w.there,
                                                          check->slots), ESK_OK);
  get_slots (check, k);
  for (gsize i = 0; i < k; i++)
    expect_dot (check, "basis_dots", check->here[i], basis.numbers + i * stride, w.numbers, NULL);

  for (int again = 0; again < 2; again++)
    {
      if (again && hotspots->basis_again == NULL)
        continue;
      for (gsize e = 0; e < n; e++)
        {
          exact[e] = w.numbers[e];
          for (gsize i = 0; i < k; i++)
            exact[e] -= 0.5 * coefficients[i] * basis.numbers[i * stride + e];
        }
      if (again)
        expect_code (check, "basis_again",
                     hotspots->basis_again (stream, check->type, n, k, basis.there, stride, -0.5, given, w.there,
                                            check->slots), ESK_OK);
      else
        expect_code (check, "basis_add",
                     hotspots->basis_add (stream, check->type, n, k, basis.there, stride, -0.5, given, w.there,
                                          check->slots), ESK_OK);
      expect_vector (check, again ? "basis_again" : "basis_add", w.there, exact, 2 + (double) k);
      fetch (check, w.there, n, now);
      get_slots (check, again ? k : 1);
      if (!again)
        expect_dot (check, "basis_add: w.w", check->here[0], now, now, NULL);
      for (gsize i = 0; again && i < k; i++)
        expect_dot (check, "basis_again", check->here[i], basis.numbers + i * stride, now, NULL);
      memcpy (w.numbers, now, n * sizeof (double));
    }
  expect_code (check, "basis_add without a norm",
               hotspots->basis_add (stream, check->type, n, k, basis.there, stride, 0, given, w.there, NULL), ESK_OK);
  check->place->drop (given);
  vector_free (check, &basis);
  vector_free (check, &w);
}

static void
check_jacobi (Check *check)
{
  const EskVectorsHotspots *hotspots = check->place->table->vectors;
  Vector x = vector_new (check, check->n), f = vector_new (check, check->n), y = vector_new (check, check->n);
  g_autofree double *exact = g_new (double, check->n + 1), *now = g_new (double, check->n + 1);
  double largest = 0;

  for (gsize k = 0; k < check->n; k++)
    exact[k] = y.numbers[k] + f.numbers[k];
  expect_code (check, "jacobi_step", hotspots->jacobi_step (check->place->stream, check->type, check->n, x.there,
                                                            f.there, y.there, check->slots), ESK_OK);
  expect_vector (check, "jacobi_step", y.there, exact, 2);
  fetch (check, y.there, check->n, now);
  get_slots (check, 1);
  for (gsize k = 0; k < check->n; k++)
    {
      double difference = fabs (now[k] - x.numbers[k]);

      largest = MAX (largest, check->type == ESK_F32 ? (double) (float) difference : difference);
    }
  if (largest != check->here[0])
    check->place->fail ("jacobi_step", "the largest difference is another one");
  vector_free (check, &x);
  vector_free (check, &f);
  vector_free (check, &y);
}

static void
check_preconditioners (Check *check,
                       gsize  block)
{
  const EskVectorsHotspots *hotspots = check->place->table->vectors;
  gsize n = check->n, n_blocks = (n + block - 1) / block;
  Vector d = vector_new (check, n), r = vector_new (check, n), z = vector_new (check, n),
         blocks = vector_new (check, n_blocks * block * block);
  g_autofree double *exact = g_new (double, n + 1), *now = g_new (double, n + 1);

  for (gsize k = 0; k < n; k++)
    exact[k] = d.numbers[k] * r.numbers[k];
  expect_code (check, "scale", hotspots->scale (check->place->stream, check->type, n, d.there, r.there, z.there,
                                                check->slots), ESK_OK);
  expect_vector (check, "scale", z.there, exact, 1);
  fetch (check, z.there, n, now);
  get_slots (check, 1);
  expect_dot (check, "scale: r.z", check->here[0], r.numbers, now, NULL);
  expect_code (check, "scale without a sum", hotspots->scale (check->place->stream, check->type, n, d.there, r.there,
                                                              z.there, NULL), ESK_OK);
  expect_code (check, "scale in place", hotspots->scale (check->place->stream, check->type, n, d.there, r.there,
                                                         r.there, NULL), ESK_OK);
  expect_vector (check, "scale in place", r.there, exact, 1);
  vector_free (check, &r);
  r = vector_new (check, n);

  for (gsize k = 0; k < n; k++)
    {
      gsize first = k / block * block;

      exact[k] = 0;
      for (gsize j = first; j < MIN (first + block, n); j++)
        exact[k] += blocks.numbers[first * block + (j - first) * block + (k - first)] * r.numbers[j];
    }
  expect_code (check, "block_scale", hotspots->block_scale (check->place->stream, check->type, n, block, blocks.there,
                                                            r.there, z.there, check->slots), ESK_OK);
  expect_vector (check, "block_scale", z.there, exact, (double) block);
  fetch (check, z.there, n, now);
  get_slots (check, 1);
  expect_dot (check, "block_scale: r.z", check->here[0], r.numbers, now, NULL);
  vector_free (check, &d);
  vector_free (check, &r);
  vector_free (check, &z);
  vector_free (check, &blocks);
}

/* A matrix with a few nonzeros a row, all of the diagonal among them, and z = U^-1 L^-1 r by substitution. */
static void
check_triangles (Check *check)
{
  const EskVectorsHotspots *hotspots = check->place->table->vectors;
  gsize n = check->n, n_nonzeros = 0;
  g_autofree gint32 *row_from = g_new0 (gint32, n + 1), *column = g_new (gint32, 7 * n + 1);
  g_autofree double *numbers = g_new (double, 7 * n + 1), *exact = g_new (double, n + 1);
  g_autofree guint8 *value = g_malloc (7 * n * sizeof (double) + 1);
  Vector r = vector_new (check, n), z = vector_new (check, n);
  EskTriangles *triangles = NULL;
  EskCsr matrix = { n, n, check->type, row_from, column, value };

  if (hotspots->triangles_new == NULL)
    {
      vector_free (check, &r);
      vector_free (check, &z);
      return;
    }
  for (gsize i = 0; i < n; i++)
    {
      gsize from = i < 60 ? 0 : i - 60;

      /* Many rows wait for none, so that levels are long. */
      for (gsize j = from; j < MIN (i + 60, n) && n_nonzeros - (gsize) row_from[i] < 7; j++)
        if (j == i || ((i % 3 == 2 || (i % 3 == 0 && j > i)) && j % 3 != i % 3 && next (&check->state) % 12 == 0
                       && (j > i || n_nonzeros - (gsize) row_from[i] < 3)))
          {
            column[n_nonzeros] = (gint32) j;
            numbers[n_nonzeros] = j == i ? 2 + unit (&check->state) : 0.25 * unit (&check->state);
            if (check->type == ESK_F32)
              numbers[n_nonzeros] = (double) (float) numbers[n_nonzeros];
            n_nonzeros++;
          }
      row_from[i + 1] = (gint32) n_nonzeros;
    }
  to_type (check->type, n_nonzeros, numbers, value);
  for (gsize i = 0; i < n; i++)
    {
      exact[i] = r.numbers[i];
      for (gint32 k = row_from[i]; k < row_from[i + 1]; k++)
        if ((gsize) column[k] < i)
          exact[i] -= numbers[k] * exact[column[k]];
    }
  for (gsize i = n; i-- > 0;)
    {
      double pivot = 1;

      for (gint32 k = row_from[i]; k < row_from[i + 1]; k++)
        if ((gsize) column[k] > i)
          exact[i] -= numbers[k] * exact[column[k]];
        else if ((gsize) column[k] == i)
          pivot = numbers[k];
      exact[i] /= pivot;
    }
  expect_code (check, "triangles_new", hotspots->triangles_new (check->place->stream, &matrix, &triangles), ESK_OK);
  if (triangles != NULL)
    {
      expect_code (check, "triangles_solve", hotspots->triangles_solve (check->place->stream, triangles, r.there,
                                                                        z.there), ESK_OK);
      expect_vector (check, "triangles_solve", z.there, exact, 20);
      expect_code (check, "triangles_solve in place",
                   hotspots->triangles_solve (check->place->stream, triangles, r.there, r.there), ESK_OK);
      expect_vector (check, "triangles_solve in place", r.there, exact, 20);
      hotspots->triangles_free (check->place->stream, triangles);
    }
  vector_free (check, &r);
  vector_free (check, &z);
}

static void
check_begin (Check              *check,
             const VectorsPlace *place,
             EskType             type,
             gsize               n,
             guint64             seed)
{
  memset (check->here, 0, sizeof check->here);
  check->place = place;
  check->type = type;
  check->n = n;
  check->state = seed * 0x9e3779b97f4a7c15ull + 1;
  check->slots = place->take (sizeof check->here, check->here);
}

void
vectors_check (const VectorsPlace *place,
               EskType             type,
               gsize               n,
               guint64             seed)
{
  g_autofree Check *check = g_new (Check, 1);
  g_autofree double *exact = g_new (double, n + 1);
  void *filled;

  check_begin (check, place, type, n, seed);
  for (gsize k = 0; k < n; k++)
    exact[k] = 7;
  filled = put (check, n, exact);
  for (gsize k = 0; k < n; k++)
    exact[k] = 0.1;
  expect_code (check, "fill", place->table->vectors->fill (place->stream, type, n, 0.1, filled), ESK_OK);
  expect_vector (check, "fill", filled, exact, 0.1);
  place->drop (filled);

  check_dots (check);
  check_combine (check);
  check_gradients (check);
  check_basis (check, 1 + seed % MOST_BASIS);
  check_basis (check, 0);
  check_jacobi (check);
  check_preconditioners (check, 1 + seed * 7 % ESK_MOST_BLOCK);
  check_triangles (check);
  place->drop (check->slots);
}

GByteArray *
vectors_bytes (const VectorsPlace *place,
               EskType             type,
               gsize               n,
               guint64             seed)
{
  const EskVectorsHotspots *hotspots = place->table->vectors;
  g_autofree Check *check = g_new (Check, 1);
  GByteArray *bytes = g_byte_array_new ();
  const gsize stride = (n + 15) / 16 * 16;
  const EskScalar one = { 0.7, { NULL }, { NULL }, false };
  Vector v[3], basis;

  check_begin (check, place, type, n, seed);
  for (int i = 0; i < 3; i++)
    v[i] = vector_new (check, n);
  basis = vector_new (check, 5 * stride);
  hotspots->dots (place->stream, type, n, 1, (const void *[]) { v[0].there }, (const void *[]) { v[1].there },
                  check->slots);
  hotspots->descend (place->stream, type, n, &one, v[0].there, v[1].there, v[2].there, check->slots + 1);
  hotspots->basis_dots (place->stream, type, n, 5, basis.there, stride, v[1].there, check->slots + 3);
  hotspots->basis_add (place->stream, type, n, 5, basis.there, stride, 1, check->slots + 3, v[0].there,
                       check->slots + 8);
  hotspots->jacobi_step (place->stream, type, n, v[0].there, v[1].there, v[2].there, check->slots + 9);
  get_slots (check, 10);
  g_byte_array_append (bytes, (const guint8 *) check->here, 10 * sizeof (double));
  for (int i = 0; i < 3; i++)
    {
      fetch (check, v[i].there, n, v[i].numbers);
      g_byte_array_append (bytes, (const guint8 *) v[i].numbers, (guint) (n * sizeof (double)));
      vector_free (check, &v[i]);
    }
  vector_free (check, &basis);
  place->drop (check->slots);

  return bytes;
}

void
vectors_check_edges (const VectorsPlace *place)
{
  const EskVectorsHotspots *hotspots = place->table->vectors;
  g_autofree Check *check = g_new (Check, 1);
  const EskScalar nothing = { 5, { NULL, NULL }, { NULL, NULL }, false };
  const double zero = 0, numbers[3] = { 1, NAN, INFINITY };
  double *given;
  void *x, *y, *f;
  EskTerm term;

  check_begin (check, place, ESK_F64, 3, 1);
  given = place->take (sizeof zero, &zero);
  x = put (check, 3, numbers);
  y = put (check, 3, (const double[]) { 1, 2, 3 });
  f = put (check, 3, (const double[]) { 0, 0, 0 });

  expect_code (check, "dots", hotspots->dots (place->stream, ESK_F64, 3, 1, (const void *[]) { x },
                                              (const void *[]) { y }, check->slots), ESK_OK);
  expect_code (check, "jacobi_step", hotspots->jacobi_step (place->stream, ESK_F64, 3, x, f, y, check->slots + 1),
               ESK_OK);
  expect_code (check, "jacobi_step", hotspots->jacobi_step (place->stream, ESK_F64, 1, x, f, y, check->slots + 2),
               ESK_OK);
  get_slots (check, 3);
  if (!isnan (check->here[0]) || !isnan (check->here[1]) || check->here[2] != 0)
    place->fail ("values that are not finite", "a sum or a maximum does not tell of them");

  /* A quotient by 0 is 0. */
  term = (EskTerm) { { 3, { NULL, given }, { NULL, given }, false }, y };
  expect_code (check, "combine", hotspots->combine (place->stream, ESK_F64, 3, 1, &term, y, 0, NULL, NULL), ESK_OK);
  expect_vector (check, "a quotient by 0", y, (const double[]) { 0, 0, 0 }, 0);

  expect_code (check, "no elements", hotspots->dots (place->stream, ESK_F32, 0, 1, (const void *[]) { x },
                                                     (const void *[]) { x }, check->slots), ESK_OK);
  get_slots (check, 1);
  if (check->here[0] != 0)
    place->fail ("no elements", "their sum is not 0");

  expect_code (check, "integers", hotspots->fill (place->stream, ESK_I32, 3, 0, y), ESK_ERROR_ARGUMENT);
  expect_code (check, "no terms", hotspots->combine (place->stream, ESK_F64, 3, 0, &term, y, 0, NULL, NULL),
               ESK_ERROR_ARGUMENT);
  expect_code (check, "too many dots", hotspots->dots (place->stream, ESK_F64, 3, ESK_MOST_DOTS + 1,
                                                       (const void *[]) { x, x, x, x, x },
                                                       (const void *[]) { x, x, x, x, x }, check->slots),
               ESK_ERROR_ARGUMENT);
  expect_code (check, "no slots", hotspots->descend (place->stream, ESK_F64, 3, &nothing, x, y, NULL, NULL),
               ESK_ERROR_ARGUMENT);
  expect_code (check, "no vector", hotspots->direct (place->stream, ESK_F64, 3, &nothing, &nothing, x, NULL, NULL, y),
               ESK_ERROR_ARGUMENT);
  expect_code (check, "a stride below the size", hotspots->basis_dots (place->stream, ESK_F64, 3, 2, x, 2, y,
                                                                       check->slots), ESK_ERROR_ARGUMENT);
  expect_code (check, "a basis that is too large", hotspots->basis_dots (place->stream, ESK_F64, 3, ESK_MOST_BASIS + 1,
                                                                         x, 16, y, check->slots), ESK_ERROR_ARGUMENT);
  expect_code (check, "a block that is too large", hotspots->block_scale (place->stream, ESK_F64, 3,
                                                                          ESK_MOST_BLOCK + 1, x, y, f, NULL),
               ESK_ERROR_ARGUMENT);
  if (hotspots->triangles_new != NULL)
    {
      EskTriangles *triangles = NULL;
      EskCsr factors = { 2, 2, ESK_F64, (const int32_t[]) { 0, 1, 2 }, (const int32_t[]) { 0, 0 },
                         (const double[]) { 1, 2 } };

      expect_code (check, "a diagonal with a gap", hotspots->triangles_new (place->stream, &factors, &triangles),
                   ESK_ERROR_ARGUMENT);
      factors.columns = 3;
      expect_code (check, "a matrix that is not square", hotspots->triangles_new (place->stream, &factors, &triangles),
                   ESK_ERROR_ARGUMENT);
    }
  place->drop (given);
  place->drop (x);
  place->drop (y);
  place->drop (f);
  place->drop (check->slots);
}

/* The published kernel's own order, once more. */
static double
published (gsize        n,
           const float *x,
           const float *y)
{
  gsize block = n <= 64 * 512 ? 64 : n <= 128 * 512 ? 128 : n <= 256 * 512 ? 256 : 512;
  gsize groups = n <= 512 * 512 ? (n + block - 1) / block : 512, length = n <= 512 * 512 ? block : (n + 511) / 512;
  double total = 0;

  for (gsize g = 0; g < groups; g++)
    {
      volatile float sums[512] = { 0 };

      for (gsize t = 0; t < block; t++)
        for (gsize k = t; k < length && g * length + k < n; k += block)
          {
            volatile float product = x[g * length + k] * y[g * length + k];

            sums[t] = sums[t] + product;
          }
      for (gsize half = block / 2; half > 0; half /= 2)
        for (gsize t = 0; t < half; t++)
          sums[t] = sums[t] + sums[t + half];
      total += (double) sums[0];
    }

  return total;
}

void
vectors_check_inner (const VectorsPlace *place,
                     gboolean            quick)
{
  const gsize sizes[] = { 0, 1, 63, 64, 65, 1000, 32768, 32769, 65536, 65537, 131072, 131073, 262143, 262144, 262145,
                          300001, 1000003 };
  g_autofree Check *check = g_new (Check, 1);

  check_begin (check, place, ESK_F32, 0, 3);
  for (gsize s = 0; s < G_N_ELEMENTS (sizes) && !(quick && sizes[s] > 40000); s++)
    {
      Vector x = vector_new (check, sizes[s]), y = vector_new (check, sizes[s]);
      g_autofree float *a = g_new (float, sizes[s] + 1), *b = g_new (float, sizes[s] + 1);

      to_type (ESK_F32, sizes[s], x.numbers, a);
      to_type (ESK_F32, sizes[s], y.numbers, b);
      expect_code (check, "inner_published", place->table->vectors->inner_published (place->stream, sizes[s], x.there,
                                                                                     y.there, check->slots), ESK_OK);
      get_slots (check, 1);
      if (check->here[0] != published (sizes[s], a, b))
        {
          g_autofree char *message = g_strdup_printf ("of %zu is %.17g, not %.17g", sizes[s], check->here[0],
                                                      published (sizes[s], a, b));

          place->fail ("inner_published", message);
        }
      vector_free (check, &x);
      vector_free (check, &y);
    }
  place->drop (check->slots);
}
