/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The contraction of fourth moments, for any processor. */

#include "es-cpu-fourth-loops-private.h"

void
esk_cpu_fourth_portable (size_t m, size_t rows, const double *table, const double *q, double *lower, double *upper)
{
  contract (m, rows, table, q, lower, upper);
}
