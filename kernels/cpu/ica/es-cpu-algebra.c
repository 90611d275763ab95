/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which small dense algebra this processor runs. */

#include "es-cpu-algebra-private.h"

#include "cpu/core/es-cpu-internal.h"

const EskCpuAlgebra *
esk_cpu_algebra (void)
{
  EskStream stream;

  esk_cpu_stream_init (&stream);
  if (stream.wide && esk_cpu_algebra_avx512 != NULL)
    return esk_cpu_algebra_avx512;

  return stream.has_avx2 && esk_cpu_algebra_avx2 != NULL ? esk_cpu_algebra_avx2 : &esk_cpu_algebra_portable;
}
