/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Errors of one band, for any processor. */

#include "es-cpu-error-loops-private.h"

void
esk_cpu_add_errors_portable (const float          *x,
                             const float          *estimate,
                             size_t                n,
                             double                rest,
                             double                scale,
                             double                offset,
                             const EskPixelErrors *pixels,
                             double               *error,
                             double               *square)
{
  add_errors (x, estimate, n, rest, scale, offset, pixels, error, square);
}
