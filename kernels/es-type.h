/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Types of samples. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How one sample is stored. 64-bit integers are read as float64. */
typedef enum {
  ESK_U8, ESK_I8, ESK_U16, ESK_I16, ESK_U32, ESK_I32, ESK_U64, ESK_I64, ESK_F32, ESK_F64,
  ESK_N_TYPES
} EskType;

/* Bytes of one sample; 0 for an unknown type. */
size_t      esk_type_size       (EskType type);
/* "uint8", "int16", "float32" ... */
const char *esk_type_name       (EskType type);
/* True for 8- and 16-bit integers, whose sums are exact (DESIGN section 4). */
bool        esk_type_is_exact   (EskType type);

#ifdef __cplusplus
}
#endif
