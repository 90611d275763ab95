/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Small dense algebra, for any processor. */

/* Registers of most hold two. */
#define LANES 2
#define SPREAD(x) ((Vector) { (x), (x) })
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))

#include "es-cpu-algebra-loops-private.h"

#include "es-cpu-fourth-loops-private.h"

const EskCpuAlgebra esk_cpu_algebra_portable = {
  LANES, multiply, invert, square_sum, average, reflect, contract_one, contract_many
};
