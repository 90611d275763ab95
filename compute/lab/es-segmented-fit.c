/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-segmented-fit-internal.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MOST_COEFFICIENTS 4
/* What measurements of a link differ by from run to run: more than that is worth another coefficient. */
#define NOISE 0.02

static const guint coefficients[ES_N_FITS] = { 2, 2, 3, 4, 2 };

/* ---- a piece ---- */

static void
basis (EsFitFamily family, double x, double *row)
{
  row[0] = 1;
  row[1] = family == ES_FIT_LOGARITHM ? log (x) : family == ES_FIT_EXPONENTIAL ? 1 / x : x;
  row[2] = x * x;
  row[3] = x * x * x;
}

double
es_fit_piece_value (const EsFitPiece *piece, double x)
{
  double row[MOST_COEFFICIENTS], sum = 0;

  basis (piece->family, x, row);
  for (guint k = 0; k < coefficients[piece->family]; k++)
    sum += piece->c[k] * row[k];
  return piece->family == ES_FIT_EXPONENTIAL ? exp (sum) : sum;
}

/* Least squares by modified Gram-Schmidt: columns of a, n x p, are replaced; b as well. Columns are scaled to the
 * length 1, as powers of bytes differ by a factor of 10^27. FALSE: they are dependent. */
static gboolean
solve (double *a, double *b, guint n, guint p, double *c)
{
  double r[MOST_COEFFICIENTS][MOST_COEFFICIENTS] = { { 0 } }, length[MOST_COEFFICIENTS], q[MOST_COEFFICIENTS];

  for (guint k = 0; k < p; k++)
    {
      length[k] = 0;
      for (guint i = 0; i < n; i++)
        length[k] += a[k * n + i] * a[k * n + i];
      length[k] = sqrt (length[k]);
      if (!(length[k] > 0) || !isfinite (length[k]))
        return FALSE;
      for (guint i = 0; i < n; i++)
        a[k * n + i] /= length[k];
    }
  for (guint k = 0; k < p; k++)
    {
      double norm = 0;

      for (guint i = 0; i < n; i++)
        norm += a[k * n + i] * a[k * n + i];
      norm = sqrt (norm);
      if (norm < 1e-10)
        return FALSE;
      r[k][k] = norm;
      q[k] = 0;
      for (guint i = 0; i < n; i++)
        {
          a[k * n + i] /= norm;
          q[k] += a[k * n + i] * b[i];
        }
      for (guint i = 0; i < n; i++)
        b[i] -= q[k] * a[k * n + i];
      for (guint j = k + 1; j < p; j++)
        {
          for (guint i = 0; i < n; i++)
            r[k][j] += a[k * n + i] * a[j * n + i];
          for (guint i = 0; i < n; i++)
            a[j * n + i] -= r[k][j] * a[k * n + i];
        }
    }
  for (guint k = p; k-- > 0;)
    {
      c[k] = q[k];
      for (guint j = k + 1; j < p; j++)
        c[k] -= r[k][j] * c[j];
      c[k] /= r[k][k];
    }
  for (guint k = 0; k < p; k++)
    c[k] /= length[k];
  return TRUE;
}

gboolean
es_fit_piece (EsFitFamily family, const double *x, const double *y, guint n, EsFitPiece *piece)
{
  const guint p = coefficients[family];
  g_autofree double *a = g_new (double, MOST_COEFFICIENTS * (gsize) n), *b = g_new (double, n);

  if (n < p)
    return FALSE;
  *piece = (EsFitPiece) { .family = family, .from = x[0], .to = x[n - 1] };
  for (guint i = 0; i < n; i++)
    {
      /* An error of ln y is a relative one of y already. */
      const double weight = family == ES_FIT_EXPONENTIAL ? 1 : 1 / y[i];
      double row[MOST_COEFFICIENTS];

      basis (family, x[i], row);
      for (guint k = 0; k < p; k++)
        a[k * n + i] = row[k] * weight;
      b[i] = family == ES_FIT_EXPONENTIAL ? log (y[i]) : 1;
    }
  if (!solve (a, b, n, p, piece->c))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const double value = es_fit_piece_value (piece, x[i]), wrong = fabs (value - y[i]) / y[i];

      if (!(value > 0) || !isfinite (value))
        return FALSE;
      piece->mean_error += wrong / n;
      piece->worst_error = fmax (piece->worst_error, wrong);
    }
  return TRUE;
}

/* Between the points that it was made of it neither leaves them by much nor becomes negative. */
static gboolean
stays_between (const EsFitPiece *piece, const double *x, const double *y, guint n)
{
  for (guint i = 0; i + 1 < n; i++)
    {
      const double value = es_fit_piece_value (piece, 0.5 * (x[i] + x[i + 1]));

      if (value < 0.8 * fmin (y[i], y[i + 1]) || value > 1.25 * fmax (y[i], y[i + 1]))
        return FALSE;
    }
  return TRUE;
}

/* ---- pieces ---- */

/* What the points cost as one piece of the family that is cheapest; infinite: none goes. */
static double
cost_of (const double *x, const double *y, guint n, guint all, EsFitPiece *best)
{
  double least = INFINITY;

  for (guint family = 0; family < ES_N_FITS; family++)
    {
      EsFitPiece piece;
      double cost = 0;

      /* As many points as coefficients are met by anything. */
      if (n < coefficients[family] + 1 || !es_fit_piece ((EsFitFamily) family, x, y, n, &piece)
          || !stays_between (&piece, x, y, n))
        continue;
      for (guint i = 0; i < n; i++)
        cost += pow ((es_fit_piece_value (&piece, x[i]) - y[i]) / y[i] / NOISE, 2);
      /* Its coefficients, and where it begins. */
      cost += log (all) * (coefficients[family] + 1);
      if (cost < least)
        {
          least = cost;
          *best = piece;
        }
    }
  return least;
}

static void
tell_errors (EsSegmentedFit *fit, const double *x, const double *y, guint n)
{
  fit->mean_error = fit->worst_error = 0;
  fit->worst_at = x[0];
  for (guint i = 0; i < n; i++)
    {
      const double wrong = fabs (es_segmented_fit_value (fit, x[i]) - y[i]) / y[i];

      fit->mean_error += wrong / n;
      if (wrong > fit->worst_error)
        {
          fit->worst_error = wrong;
          fit->worst_at = x[i];
        }
    }
}

gboolean
es_segmented_fit (const double *x, const double *y, guint n, EsSegmentedFit *fit)
{
  g_autofree double *cheapest = g_new (double, (n + 1) * (ES_FIT_MOST_PIECES + 1));
  g_autofree guint *begin = g_new0 (guint, (n + 1) * (ES_FIT_MOST_PIECES + 1));
  g_autofree EsFitPiece *pieces = g_new (EsFitPiece, (n + 1) * (ES_FIT_MOST_PIECES + 1));
  guint count = 0;

  memset (fit, 0, sizeof *fit);
  if (n < 3)
    return FALSE;
#define AT(end, k) ((end) * (ES_FIT_MOST_PIECES + 1) + (k))
  for (guint i = 0; i < (n + 1) * (ES_FIT_MOST_PIECES + 1); i++)
    cheapest[i] = INFINITY;
  cheapest[AT (0, 0)] = 0;
  for (guint end = 1; end <= n; end++)
    for (guint from = 0; from < end; from++)
      {
        EsFitPiece piece;
        const double cost = cost_of (x + from, y + from, end - from, n, &piece);

        for (guint k = 1; k <= ES_FIT_MOST_PIECES && cost < INFINITY; k++)
          if (cheapest[AT (from, k - 1)] + cost < cheapest[AT (end, k)])
            {
              cheapest[AT (end, k)] = cheapest[AT (from, k - 1)] + cost;
              begin[AT (end, k)] = from;
              pieces[AT (end, k)] = piece;
            }
      }
  for (guint k = 1; k <= ES_FIT_MOST_PIECES; k++)
    if (cheapest[AT (n, k)] < (count > 0 ? cheapest[AT (n, count)] : INFINITY))
      count = k;
  if (count == 0)
    return FALSE;
  fit->n = count;
  for (guint end = n, k = count; k > 0; end = begin[AT (end, k)], k--)
    fit->pieces[k - 1] = pieces[AT (end, k)];
#undef AT
  tell_errors (fit, x, y, n);
  return TRUE;
}

double
es_segmented_fit_value (const EsSegmentedFit *fit, double x)
{
  guint k = 0;

  g_return_val_if_fail (fit->n > 0, NAN);
  while (k + 1 < fit->n && x >= fit->pieces[k + 1].from)
    k++;
  /* Between two pieces the line through their ends. */
  if (k + 1 < fit->n && x > fit->pieces[k].to)
    {
      const EsFitPiece *left = &fit->pieces[k], *right = left + 1;
      const double share = (x - left->to) / (right->from - left->to);

      return (1 - share) * es_fit_piece_value (left, left->to) + share * es_fit_piece_value (right, right->from);
    }
  return es_fit_piece_value (&fit->pieces[k], CLAMP (x, fit->pieces[0].from, fit->pieces[fit->n - 1].to));
}

char *
es_fit_piece_formula (const EsFitPiece *piece)
{
  static const char *const powers[] = { "", " S", " S²", " S³" };
  g_autoptr (GString) text = NULL;

  if (piece->family == ES_FIT_EXPONENTIAL)
    return g_strdup_printf ("exp (%.5g %s %.6g / S)", piece->c[0], piece->c[1] < 0 ? "−" : "+", fabs (piece->c[1]));
  if (piece->family == ES_FIT_LOGARITHM)
    return g_strdup_printf ("%.5g ln S %s %.5g", piece->c[1], piece->c[0] < 0 ? "−" : "+", fabs (piece->c[0]));
  text = g_string_new (NULL);
  g_string_append_printf (text, "%.5g", piece->c[0]);
  for (guint k = 1; k < coefficients[piece->family]; k++)
    g_string_append_printf (text, " %s %.5g%s", piece->c[k] < 0 ? "−" : "+", fabs (piece->c[k]), powers[k]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

const char *
es_fit_family_name (EsFitFamily family)
{
  static const char *const names[ES_N_FITS] = {
    N_("linear"), N_("logarithm"), N_("quadratic"), N_("cubic"), N_("exponential"),
  };

  return g_dgettext (GETTEXT_PACKAGE, names[family]);
}

/* ---- a constant, then a line ---- */

static double
squared_error (const EsTwoPieceFit *fit, const double *x, const double *y, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += pow ((es_two_piece_value (fit, x[i]) - y[i]) / y[i], 2);
  return sum;
}

/* The constant of least relative squares. */
static double
constant_of (const double *y, guint n)
{
  double above = 0, below = 0;

  for (guint i = 0; i < n; i++)
    {
      above += 1 / y[i];
      below += 1 / (y[i] * y[i]);
    }
  return n > 0 ? above / below : 0;
}

gboolean
es_two_piece_fit (const double *x, const double *y, guint n, EsTwoPieceFit *fit)
{
  double least = INFINITY;

  for (guint from = 0; from + 3 <= n; from++)
    {
      EsFitPiece line;
      EsTwoPieceFit here;
      double cost;

      if (!es_fit_piece (ES_FIT_LINEAR, x + from, y + from, n - from, &line))
        continue;
      here = (EsTwoPieceFit) { constant_of (y, from), x[from], line.c[1], line.c[0], 0, 0 };
      cost = squared_error (&here, x, y, n);
      if (cost < least)
        {
          least = cost;
          *fit = here;
        }
    }
  for (guint i = 0; i < n && least < INFINITY; i++)
    {
      const double wrong = fabs (es_two_piece_value (fit, x[i]) - y[i]) / y[i];

      fit->mean_error += wrong / n;
      fit->worst_error = fmax (fit->worst_error, wrong);
    }
  return least < INFINITY;
}

double
es_two_piece_value (const EsTwoPieceFit *fit, double x)
{
  return x < fit->break_at && fit->below > 0 ? fit->below : fmax (fit->start + fit->slope * x, 0);
}
