/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The implicitly restarted Lanczos method of ARPACK, which asks for one product after the other and is left between any
 * two. */

#include "es-sparse-eigen-private.h"

#include <glib/gi18n-lib.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-cancel-internal.h"
#include "device/es-device-internal.h"
#include "es-blas-core.h"
#include "libraries/es-eigen-library-internal.h"

static GMutex lock;
static GCond changed;
static gboolean busy;

gboolean
es_lanczos_begin (GCancellable *cancellable, GError **error)
{
  EsCancelWake wake;
  gboolean mine;

  es_cancel_wake_begin (&wake, cancellable, &lock, &changed);
  g_mutex_lock (&lock);
  while (busy && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&changed, &lock);
  mine = !g_cancellable_set_error_if_cancelled (cancellable, error);
  if (mine)
    busy = TRUE;
  g_mutex_unlock (&lock);
  es_cancel_wake_end (&wake);
  return mine;
}

void
es_lanczos_end (void)
{
  g_mutex_lock (&lock);
  busy = FALSE;
  g_cond_broadcast (&changed);
  g_mutex_unlock (&lock);
}

/* Columns of the basis. */
static guint
count_basis (gsize n, guint m, guint least)
{
  return (guint) MIN (n, MAX (2 * m + 1, least));
}

guint64
es_lanczos_bytes (gsize n, guint m)
{
  const guint64 basis = count_basis (n, m, ES_LANCZOS_MOST);

  return (n * (basis + 5) + basis * (basis + 8)) * sizeof (double);
}

double
es_lanczos_get_work (gsize n, gsize n_nonzeros, guint m)
{
  return 2 * (double) n_nonzeros + 6 * (double) MAX (2 * m + 1, ES_LANCZOS_MOST) * (double) n;
}

guint
es_lanczos_count_before_look (guint m)
{
  const guint basis = MAX (2 * m + 1, ES_LANCZOS_MOST);

  return basis + 1 + ES_LANCZOS_LOOKS * (basis - m);
}

void
es_eigen_fill_start (gsize n, guint which, double *x)
{
  for (gsize i = 0; i < n; i++)
    {
      guint64 z = (i + 1 + (guint64) which * n) * 0x9e3779b97f4a7c15;

      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      x[i] = (double) ((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
    }
}

/* Takes out of x what lies along the vectors that were found, twice (Kahan). */
static void
project (gsize n, const double *found, guint n_found, double *x)
{
  for (int pass = 0; pass < 2; pass++)
    for (guint k = 0; k < n_found; k++)
      {
        const double *v = found + k * n;
        double along = 0;

        for (gsize i = 0; i < n; i++)
          along += v[i] * x[i];
        for (gsize i = 0; i < n; i++)
          x[i] -= along * v[i];
      }
}

typedef struct
{
  int     n, nev, ncv, ldv, lworkl;
  int     iparam[11], ipntr[14], info;
  double  tolerance;
  double *resid, *v, *workd, *workl, *d, *start;
  int    *select;
} Arpack;

static void
arpack_free (Arpack *self)
{
  g_free (self->resid);
  g_free (self->v);
  g_free (self->workd);
  g_free (self->workl);
  g_free (self->d);
  g_free (self->start);
  g_free (self->select);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Arpack, arpack_free)

static Arpack *
arpack_new (gsize n, guint m, guint least, double tolerance)
{
  Arpack *self = g_new0 (Arpack, 1);

  self->n = self->ldv = (int) n;
  self->nev = (int) m;
  self->ncv = (int) count_basis (n, m, least);
  self->lworkl = self->ncv * (self->ncv + 8);
  self->tolerance = tolerance;
  self->resid = g_try_new (double, n);
  self->start = g_try_new (double, n);
  self->v = g_try_malloc_n (n, (gsize) self->ncv * sizeof (double));
  self->workd = g_try_new (double, 3 * n);
  self->workl = g_try_new (double, self->lworkl);
  self->d = g_new (double, m);
  self->select = g_new (int, self->ncv);
  if (self->resid != NULL && self->start != NULL && self->v != NULL && self->workd != NULL && self->workl != NULL)
    return self;
  arpack_free (self);
  return NULL;
}

static gboolean
set_not_converged (const EsLanczos *self, guint wanted, guint found, guint products, GError **error)
{
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
               _("The sparse eigenproblem of %zu rows did not converge: %u of %u pairs were found by %u products."),
               self->n, found, wanted, products);
  return FALSE;
}

/* ---- how far a run is ---- */

static double
get_fraction (const Arpack *arpack, const EsEigenFacts *facts)
{
  return 1 - 1 / (1 + facts->products / (4.0 * arpack->ncv));
}

/* What is known since the last restart: ARPACK keeps its values and, of each, what is left of A v. *first: the
 * logarithm by which the worst one exceeded what is wanted after the first restart; NAN: it is the first. */
static gboolean
look (const EsLanczos *self, const Arpack *arpack, double found, double fraction, guint products,
      double *first, GError **error)
{
  const double *value = arpack->workl + arpack->ipntr[5] - 1, *rest = arpack->workl + arpack->ipntr[6] - 1;
  EsLanczosView view = { .above = found, .fraction = fraction };
  double below = INFINITY, excess = 0;

  for (int k = 0; k < arpack->nev; k++)
    {
      double next = -INFINITY, left = 0;

      for (int i = 0; i < arpack->ncv; i++)
        if (value[i] < below && value[i] > next)
          {
            next = value[i];
            left = rest[i];
          }
      if (!isfinite (next))
        break;
      below = view.last = next;
      view.above = fmax (view.above, next + left);
      excess = fmax (excess, log (fmax (left / (arpack->tolerance * fabs (next)), 1)));
    }
  if (isnan (*first))
    {
      *first = excess;
      return TRUE;
    }
  /* Where nothing was gained, as many as it has taken. */
  view.remaining = excess < *first ? excess / (*first - excess) * (products - (guint) arpack->ncv) : 2.0 * products;
  return self->look (&view, self->look_data, error);
}

/* The m outermost values at right angles to those that were found, in ARPACK's order, and their vectors in self->v. */
static gboolean
iterate (const EsLanczos *self, Arpack *arpack, const double *values, const double *found, guint n_found,
         guint *starts, EsEigenFacts *facts, GError **error)
{
  const char *which = "LA";
  const gsize n = self->n;
  const int vectors = 1;
  const double sigma = 0;
  const guint every = ES_LANCZOS_LOOKS * (guint) MAX (1, arpack->ncv - arpack->nev);
  guint next_look = (guint) arpack->ncv + 1, products = 0;
  double first = NAN;
  int ido = 0;

  /* 1: `resid` is what it begins with. */
  arpack->info = 1;
  memset (arpack->iparam, 0, sizeof arpack->iparam);
  arpack->iparam[0] = 1;
  arpack->iparam[2] = (int) MAX (10, (self->most_products - MIN (facts->products, self->most_products))
                                     / (guint) MAX (1, arpack->ncv - arpack->nev));
  arpack->iparam[3] = 1;
  arpack->iparam[6] = 1;
  /* What one start holds of a value that repeats was found: another run needs another. */
  es_eigen_fill_start (n, *starts, arpack->start);
  project (n, found, n_found, arpack->start);
  memcpy (arpack->resid, arpack->start, n * sizeof (double));
  for (;;)
    {
      double *y;

      if (esk_blas_enter () != ESK_OK)
        return es_compute_error_no_memory (_("the eigenproblem"), error);
      dsaupd_ (&ido, "I", &arpack->n, which, &arpack->nev, &arpack->tolerance, arpack->resid, &arpack->ncv, arpack->v,
               &arpack->ldv, arpack->iparam, arpack->ipntr, arpack->workd, arpack->workl, &arpack->lworkl,
               &arpack->info, 1, 2);
      esk_blas_leave ();
      if (ido != 1 && ido != -1)
        break;
      if (esk_is_cancelled (self->cancelled))
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Operation was cancelled"));
          return FALSE;
        }

      if (self->look != NULL && products == next_look)
        {
          next_look += every;
          if (!look (self, arpack, n_found > 0 ? values[0] : 0,
                     get_fraction (arpack, facts), products, &first, error))
            return FALSE;
        }

      const double *x = arpack->workd + arpack->ipntr[0] - 1;

      y = arpack->workd + arpack->ipntr[1] - 1;
      /* A space that has no more room: ARPACK would begin another one with numbers of its own, never the same twice. */
      if (ido == -1)
        {
          es_eigen_fill_start (n, (*starts)++, arpack->start);
          project (n, found, n_found, arpack->start);
          x = arpack->start;
        }
      if (!self->apply (self->data, x, y, error))
        return FALSE;
      project (n, found, n_found, y);
      facts->products++;
      products++;
      if (self->progress != NULL)
        self->progress (get_fraction (arpack, facts), self->data);
    }
  ++*starts;
  facts->restarts += (guint) MAX (arpack->iparam[2], 0);
  if (arpack->info == 1 || arpack->info == 3)
    return set_not_converged (self, (guint) arpack->nev, (guint) MAX (arpack->iparam[4], 0), facts->products, error);
  if (arpack->info == 0)
    {
      dseupd_ (&vectors, "A", arpack->select, arpack->d, arpack->v, &arpack->ldv, &sigma, "I", &arpack->n, which,
               &arpack->nev, &arpack->tolerance, arpack->resid, &arpack->ncv, arpack->v, &arpack->ldv, arpack->iparam,
               arpack->ipntr, arpack->workd, arpack->workl, &arpack->lworkl, &arpack->info, 1, 1, 2);
      if (arpack->info == 0)
        return TRUE;
    }
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
               _("The sparse eigenproblem of %zu rows could not be solved: ARPACK gave it up with code %d."), n,
               arpack->info);
  return FALSE;
}

/* Puts a pair in its place among n_found, of which one more than m falls out at the end. */
static void
insert (const EsLanczos *self, double value, const double *vector, guint *n_found, double *values, double *vectors)
{
  guint place = *n_found;

  while (place > 0 && values[place - 1] < value)
    place--;
  if (place >= self->m)
    return;
  if (*n_found < self->m)
    ++*n_found;
  memmove (values + place + 1, values + place, (*n_found - 1 - place) * sizeof (double));
  memmove (vectors + (place + 1) * self->n, vectors + place * self->n,
           (*n_found - 1 - place) * self->n * sizeof (double));
  values[place] = value;
  memcpy (vectors + place * self->n, vector, self->n * sizeof (double));
}

/* Of inverses: 1/last - 1/value > least_inverse. Beside one value that is far from all others the inverses of these
 * are nearly the same. */
static double
get_least (const EsLanczos *self, double last)
{
  return self->least_inverse > 0 ? MIN (self->least, self->least_inverse * last) : self->least;
}

gboolean
es_lanczos_run (const EsLanczos *self, double *values, double *vectors, EsEigenFacts *facts, GError **error)
{
  g_autoptr (Arpack) arpack = arpack_new (self->n, self->m, self->basis, self->tolerance);
  guint n_found = 0, wanted = 1, starts = 0;
  double tolerance = fmax (self->tolerance, self->rough);

  if (arpack == NULL)
    return es_compute_error_no_memory (_("the eigenproblem"), error);
  if (!iterate (self, arpack, NULL, NULL, 0, &starts, facts, error))
    return FALSE;
  for (guint k = 0; k < self->m; k++)
    insert (self, arpack->d[k], arpack->v + k * self->n, &n_found, values, vectors);

  /* A value that repeats has vectors that the space of one start does not hold. */
  while (self->m + wanted < self->n)
    {
      g_autoptr (Arpack) again = arpack_new (self->n, wanted, self->basis, tolerance);
      guint beyond = 0;

      if (again == NULL)
        return es_compute_error_no_memory (_("the eigenproblem"), error);
      if (!iterate (self, again, values, vectors, self->m, &starts, facts, error))
        return FALSE;
      /* What is far enough below the last need not be known better. */
      if (tolerance > self->tolerance)
        {
          if (again->d[wanted - 1] * (1 + 2 * tolerance) < values[self->m - 1])
            break;
          tolerance = self->tolerance;
          continue;
        }
      for (guint k = 0; k < wanted; k++)
        beyond += again->d[k] - values[self->m - 1] > get_least (self, values[self->m - 1]) * again->d[k];
      if (beyond == 0)
        break;
      /* All of them: each is at right angles to the others and to what was there. */
      for (guint k = 0; k < wanted; k++)
        insert (self, again->d[k], again->v + k * self->n, &n_found, values, vectors);
      facts->found_later += beyond;
      wanted = MIN (2 * wanted, self->m);
    }
  return TRUE;
}
