/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors on the stream's threads, piece by piece. */

#include "es-cpu-vectors-private.h"

/* Below so many elements one thread is done before another has woken. */
#define ALONE 32768

const EskCpuVectorLoops *
esk_cpu_vector_loops (const EskStream *stream,
                      EskType          type)
{
  size_t which = type == ESK_F64;

  if (stream->wide && esk_cpu_vector_loops_avx512 != NULL)
    return esk_cpu_vector_loops_avx512 + which;
  if (stream->has_avx2 && esk_cpu_vector_loops_avx2 != NULL)
    return esk_cpu_vector_loops_avx2 + which;
  return esk_cpu_vector_loops_portable + which;
}

double
esk_scalar_value (const EskScalar *scalar)
{
  double value = 1;

  for (int i = 0; i < 2; i++)
    {
      double over = scalar->over[i] != NULL ? *scalar->over[i] : 1;
      double under = scalar->under[i] != NULL ? *scalar->under[i] : 1;

      value *= under == 0 ? 0 : over / under;
    }

  return scalar->factor * (scalar->root ? sqrt (value) : value);
}

/* ---- pieces ---- */

typedef struct
{
  size_t       n, piece, n_sums;
  EskPieceWork work;
  void        *data;
  double      *sums;
} Pieces;

static void
do_piece (void    *data,
          size_t   item,
          unsigned worker)
{
  const Pieces *self = data;
  size_t first = item * self->piece, rest = self->n - first;

  (void) worker;
  self->work (self->data, first, rest < self->piece ? rest : self->piece, self->sums + item * self->n_sums);
}

static double
larger (double a,
        double b)
{
  return isnan (a) || isnan (b) ? NAN : fmax (a, b);
}

int
esk_run_pieces (EskStream   *stream,
                size_t       n,
                size_t       piece,
                size_t       n_sums,
                bool         maximum,
                EskPieceWork work,
                void        *data,
                double      *slots)
{
  size_t n_pieces = (n + piece - 1) / piece;
  Pieces self = { n, piece, n_sums, work, data, NULL };

  if (n_sums > 0 && n > 0)
    {
      self.sums = esk_scratch_get (&stream->products, n_pieces * n_sums, sizeof (double));
      if (self.sums == NULL)
        return ESK_ERROR_MEMORY;
    }
  if (n >= ALONE)
    esk_team_run (stream, n_pieces, do_piece, &self);
  else
    for (size_t item = 0; item < n_pieces; item++)
      do_piece (&self, item, 0);
  for (size_t i = 0; i < n_sums; i++)
    {
      double total = 0;

      for (size_t item = 0; item < n_pieces; item++)
        {
          double part = self.sums[item * n_sums + i];

          total = maximum ? larger (total, part) : total + part;
        }
      slots[i] = total;
    }

  return ESK_OK;
}

/* ---- entries ---- */

/* What the pieces of any of them need. */
typedef struct
{
  const EskCpuVectorLoops *loops;
  EskType                  type;
  double                   scales[ESK_MOST_TERMS], a, b;
  const void              *from[ESK_MOST_TERMS], *with[ESK_MOST_TERMS];
  size_t                   n_from, n_dots;
  const void              *q, *diagonal;
  void                    *out, *x;
} Call;

static bool
check (EskStream *stream,
       EskType    type,
       Call      *call)
{
  if (stream == NULL || !esk_is_vector_type (type))
    return false;
  *call = (Call) { .loops = esk_cpu_vector_loops (stream, type), .type = type };
  return true;
}

static void
fill_piece (void   *data,
            size_t  first,
            size_t  n,
            double *sums)
{
  const Call *call = data;

  (void) sums;
  call->loops->fill (n, call->a, esk_vector_part (call->out, call->type, first));
}

int
esk_cpu_fill (EskStream *stream,
              EskType    type,
              size_t     n,
              double     value,
              void      *x)
{
  Call call;

  if (!check (stream, type, &call) || (n > 0 && x == NULL))
    return ESK_ERROR_ARGUMENT;
  call.a = value;
  call.out = x;

  return esk_run_pieces (stream, n, ESK_PIECE, 0, false, fill_piece, &call, NULL);
}

static void
dots_piece (void   *data,
            size_t  first,
            size_t  n,
            double *sums)
{
  const Call *call = data;
  const void *x[ESK_MOST_DOTS], *y[ESK_MOST_DOTS];

  for (size_t d = 0; d < call->n_dots; d++)
    {
      x[d] = esk_vector_at (call->from[d], call->type, first);
      y[d] = esk_vector_at (call->with[d], call->type, first);
    }
  call->loops->dots (n, call->n_dots, x, y, sums);
}

int
esk_cpu_dots (EskStream          *stream,
              EskType             type,
              size_t              n,
              size_t              n_dots,
              const void * const *x,
              const void * const *y,
              double             *slots)
{
  Call call;

  if (!check (stream, type, &call) || n_dots == 0 || n_dots > ESK_MOST_DOTS || x == NULL || y == NULL || slots == NULL)
    return ESK_ERROR_ARGUMENT;
  for (size_t d = 0; d < n_dots; d++)
    {
      if (n > 0 && (x[d] == NULL || y[d] == NULL))
        return ESK_ERROR_ARGUMENT;
      call.from[d] = x[d];
      call.with[d] = y[d];
    }
  call.n_dots = n_dots;

  return esk_run_pieces (stream, n, ESK_PIECE, n_dots, false, dots_piece, &call, slots);
}

static void
combine_piece (void   *data,
               size_t  first,
               size_t  n,
               double *sums)
{
  const Call *call = data;
  const void *vectors[ESK_MOST_TERMS], *with[ESK_MOST_DOTS];

  for (size_t t = 0; t < call->n_from; t++)
    vectors[t] = esk_vector_at (call->from[t], call->type, first);
  for (size_t d = 0; d < call->n_dots; d++)
    with[d] = esk_vector_at (call->with[d], call->type, first);
  call->loops->combine (n, call->n_from, call->scales, vectors, esk_vector_part (call->out, call->type, first),
                        call->n_dots, with, sums);
}

int
esk_cpu_combine (EskStream          *stream,
                 EskType             type,
                 size_t              n,
                 size_t              n_terms,
                 const EskTerm      *terms,
                 void               *out,
                 size_t              n_dots,
                 const void * const *with,
                 double             *slots)
{
  Call call;

  if (!check (stream, type, &call) || n_terms == 0 || n_terms > ESK_MOST_TERMS || terms == NULL
      || n_dots > ESK_MOST_DOTS || (n_dots > 0 && (with == NULL || slots == NULL)) || (n > 0 && out == NULL))
    return ESK_ERROR_ARGUMENT;
  for (size_t t = 0; t < n_terms; t++)
    {
      if (n > 0 && terms[t].vector == NULL)
        return ESK_ERROR_ARGUMENT;
      call.from[t] = terms[t].vector;
      call.scales[t] = esk_scalar_value (&terms[t].scale);
    }
  for (size_t d = 0; d < n_dots; d++)
    call.with[d] = with[d];
  call.n_from = n_terms;
  call.n_dots = n_dots;
  call.out = out;

  return esk_run_pieces (stream, n, ESK_PIECE, n_dots, false, combine_piece, &call, slots);
}

static void
descend_piece (void   *data,
               size_t  first,
               size_t  n,
               double *sums)
{
  const Call *call = data;

  call->loops->descend (n, call->a, esk_vector_at (call->q, call->type, first),
                        esk_vector_part (call->out, call->type, first),
                        esk_vector_at (call->diagonal, call->type, first), sums);
}

int
esk_cpu_descend (EskStream       *stream,
                 EskType          type,
                 size_t           n,
                 const EskScalar *a,
                 const void      *q,
                 void            *r,
                 const void      *diagonal,
                 double          *slots)
{
  Call call;

  if (!check (stream, type, &call) || a == NULL || slots == NULL || (n > 0 && (q == NULL || r == NULL)))
    return ESK_ERROR_ARGUMENT;
  call.a = esk_scalar_value (a);
  call.q = q;
  call.out = r;
  call.diagonal = diagonal;

  return esk_run_pieces (stream, n, ESK_PIECE, diagonal != NULL ? 2 : 1, false, descend_piece, &call, slots);
}

static void
direct_piece (void   *data,
              size_t  first,
              size_t  n,
              double *sums)
{
  const Call *call = data;

  (void) sums;
  call->loops->direct (n, call->a, call->b, esk_vector_at (call->q, call->type, first),
                       esk_vector_at (call->diagonal, call->type, first),
                       esk_vector_part (call->out, call->type, first), esk_vector_part (call->x, call->type, first));
}

int
esk_cpu_direct (EskStream       *stream,
                EskType          type,
                size_t           n,
                const EskScalar *a,
                const EskScalar *b,
                const void      *r,
                const void      *diagonal,
                void            *p,
                void            *x)
{
  Call call;

  if (!check (stream, type, &call) || a == NULL || b == NULL || (n > 0 && (r == NULL || p == NULL || x == NULL)))
    return ESK_ERROR_ARGUMENT;
  call.a = esk_scalar_value (a);
  call.b = esk_scalar_value (b);
  call.q = r;
  call.diagonal = diagonal;
  call.out = p;
  call.x = x;

  return esk_run_pieces (stream, n, ESK_PIECE, 0, false, direct_piece, &call, NULL);
}

static void
jacobi_piece (void   *data,
              size_t  first,
              size_t  n,
              double *sums)
{
  const Call *call = data;

  call->loops->jacobi (n, esk_vector_at (call->q, call->type, first),
                       esk_vector_at (call->from[0], call->type, first),
                       esk_vector_part (call->out, call->type, first), sums);
}

int
esk_cpu_jacobi_step (EskStream  *stream,
                     EskType     type,
                     size_t      n,
                     const void *x,
                     const void *f,
                     void       *y,
                     double     *largest)
{
  Call call;

  if (!check (stream, type, &call) || largest == NULL || (n > 0 && (x == NULL || f == NULL || y == NULL)))
    return ESK_ERROR_ARGUMENT;
  call.q = x;
  call.from[0] = f;
  call.out = y;

  return esk_run_pieces (stream, n, ESK_PIECE, 1, true, jacobi_piece, &call, largest);
}
