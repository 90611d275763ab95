/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Residuals of a row, for x86-64 with AVX2 (this file is compiled for it). */

#include "es-cpu-noise-loops-private.h"

bool
esk_cpu_noise_row_avx2 (EskType           type,
                        EskNoiseKind      kind,
                        EskNoisePart      part,
                        const void *const rows[3],
                        size_t            n,
                        void             *out)
{
  return noise_row (type, kind, part, rows, n, out);
}
