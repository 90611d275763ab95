/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What cuSPARSE's products are made of: which there are, and their arrays. */

#include "es-cuda-sparse-private.h"

enum { CSR_FIRST = 1, CSR_SECOND, COO_FIRST, COO_SECOND, SELL, N_VARIANTS = SELL };

/* Rows of a chunk of SELL. */
#define CHUNK 32

/* SELL as cuSPARSE has it: rows in their order. */
typedef struct {
  const int32_t *from, *column;
  const void    *value;
  int64_t        stored;
} EskLibrarySell;

/* Arrays of the variants from `first` to `last`; *last becomes smaller where the last ones find no room. */
int  esk_cuda_library_arrays (EskSparseMaking *making, unsigned first, unsigned *last, EskLibrarySell *sell);
/* Gives back an array before the product goes; NULL is none. */
void esk_cuda_library_drop   (EskSparseProduct *product, const void *array);
/* Whether SELL may be the best. */
bool esk_cuda_library_is_worth_padding (EskSparseMaking *making);
