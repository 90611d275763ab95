/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Residuals of a row, for any processor. */

#include "es-cpu-noise-loops-private.h"

bool
esk_cpu_noise_row_portable (EskType           type,
                            EskNoiseKind      kind,
                            EskNoisePart      part,
                            const void *const rows[3],
                            size_t            n,
                            void             *out)
{
  return noise_row (type, kind, part, rows, n, out);
}
