/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Round every call of OpenBLAS that may take memory, also where a library of others calls it. It is called from many
 * threads at once, each of them busy with its own tile, and starts no threads of its own. Where memory is short threads
 * wait for each other; ESK_ERROR_MEMORY (nothing to leave then) where there is none even for one: never again after it
 * was there once. May be nested.
 */
int  esk_blas_enter (void);
void esk_blas_leave (void);

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
