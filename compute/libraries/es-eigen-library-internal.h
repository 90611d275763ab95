/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* ARPACK and CHOLMOD, loaded when the first of their functions is called: include this instead of their own headers.
 * What is not known then is a line in eigen.names. */

#include <suitesparse/cholmod.h>

#include "es-library-internal.h"

/* ARPACK is Fortran, and its header differs from one system to the next. The last arguments are the lengths of the
 * texts, as gfortran has them. */
extern void dsaupd_ (int *ido, const char *bmat, const int *n, const char *which, const int *nev, const double *tol,
                     double *resid, const int *ncv, double *v, const int *ldv, int *iparam, int *ipntr, double *workd,
                     double *workl, const int *lworkl, int *info, size_t bmat_length, size_t which_length);
extern void dseupd_ (const int *rvec, const char *howmny, const int *select, double *d, double *z, const int *ldz,
                     const double *sigma, const char *bmat, const int *n, const char *which, const int *nev,
                     const double *tol, double *resid, const int *ncv, double *v, const int *ldv, int *iparam,
                     int *ipntr, double *workd, double *workl, const int *lworkl, int *info, size_t howmny_length,
                     size_t bmat_length, size_t which_length);

#include "libraries/es-eigen-names.h"
