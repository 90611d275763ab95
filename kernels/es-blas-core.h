/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kernels, by the name that OPENBLAS_CORETYPE takes, that a processor runs faster than those of `core`; NULL: it
 * has none better. */
const char *esk_blas_better_core   (const char *core, bool avx2, bool avx512);

/* Lets OpenBLAS choose again where it does not know this processor; done once before main (). Not where
 * OPENBLAS_CORETYPE is set. Only while nobody is inside OpenBLAS, and from the only thread there is. */
void        esk_blas_fit_processor (void);

/* The name of the kernels that it runs although there are better ones, whose name becomes *better; NULL: all is well,
 * or OPENBLAS_CORETYPE is set. */
const char *esk_blas_slow_core     (const char **better);

#ifdef __cplusplus
}
#endif
