/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A curve in pieces, each of the family that suits it: gpu-lab.md, section 13. Errors are relative, and so are the
 * weights. Pure.
 */
typedef enum
{
  ES_FIT_LINEAR,               /* c0 + c1 x */
  ES_FIT_LOGARITHM,            /* c0 + c1 ln x */
  ES_FIT_QUADRATIC,
  ES_FIT_CUBIC,
  ES_FIT_EXPONENTIAL,          /* exp (c0 + c1 / x): about e^c0 x / (x − c1), a time that grows linearly */
  ES_N_FITS
} EsFitFamily;

typedef struct
{
  EsFitFamily family;
  double      from, to;        /* of x; the next piece begins at its own from */
  double      c[4];
  double      mean_error, worst_error;       /* relative, over its points */
} EsFitPiece;

#define ES_FIT_MOST_PIECES 16

typedef struct
{
  guint      n;
  EsFitPiece pieces[ES_FIT_MOST_PIECES];
  double     mean_error, worst_error, worst_at;
} EsSegmentedFit;

/* x rising and positive, y positive. Where pieces begin and of which family each is is what dynamic programming finds
 * cheapest: squared errors in units of the noise that measurements have, and a price for each coefficient. FALSE: fewer
 * than three points. */
gboolean    es_segmented_fit       (const double *x, const double *y, guint n, EsSegmentedFit *fit);
/* The best single piece of a family through them; FALSE: too few points, or it is not positive at all of them. */
gboolean    es_fit_piece           (EsFitFamily family, const double *x, const double *y, guint n, EsFitPiece *piece);
/* Outside of what was fitted, as at its end. */
double      es_segmented_fit_value (const EsSegmentedFit *fit, double x);
double      es_fit_piece_value     (const EsFitPiece *piece, double x);
/* "exp (1.197 − 514829 / S)". Transfer full. */
char       *es_fit_piece_formula   (const EsFitPiece *piece);
const char *es_fit_family_name     (EsFitFamily family);                  /* translated */

/* Costs that are constant below a size and grow linearly from it on: gpu-lab.md, section 14, (4.5). */
typedef struct
{
  double below;                /* the constant; 0 where break_at is the least x: there is none */
  double break_at;
  double slope, start;         /* start + slope x, from break_at on */
  double mean_error, worst_error;
} EsTwoPieceFit;
gboolean    es_two_piece_fit       (const double *x, const double *y, guint n, EsTwoPieceFit *fit);
double      es_two_piece_value     (const EsTwoPieceFit *fit, double x);

G_END_DECLS
