/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Round every call of OpenBLAS that may take memory. It is called from many threads at once, each of them busy with its
 * own tile, and starts no threads of its own. Where memory is short threads wait for each other; ESK_ERROR_MEMORY
 * (nothing to leave then) where there is none even for one: never again after it was there once. May be nested.
 */
int  esk_blas_enter (void);
void esk_blas_leave (void);

/* Whether so many bytes could be had now; they are not taken. For what leads to libraries that abort without. */
bool esk_memory_is_there (size_t bytes);
