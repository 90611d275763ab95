/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the laboratory asks of the driver itself, which comes with the card and is opened when the program runs:
 * contexts of our own, and copies between two of them.
 */

#include <stddef.h>
#include <stdint.h>

/* From the CUDA driver API: https://docs.nvidia.com/cuda/cuda-driver-api/. 0 is CUDA_SUCCESS. */
typedef struct {
  int (*init)            (unsigned flags);
  int (*get_version)     (int *version);
  int (*device_get)      (int *device, int ordinal);
  int (*context_create)  (void **context, unsigned flags, int device);
  int (*context_destroy) (void *context);
  int (*context_get)     (void **context);
  int (*context_set)     (void *context);
  int (*peer_enable)     (void *context, unsigned flags);
  int (*memory_allocate) (unsigned long long *memory, size_t bytes);
  int (*memory_free)     (unsigned long long memory);
  int (*copy_peer)       (unsigned long long to, void *to_context, unsigned long long from, void *from_context,
                          size_t bytes, void *stream);
  int (*error_string)    (int code, const char **text);
} LabDriver;

#define LAB_DRIVER_UNAVAILABLE 46        /* CUDA_ERROR_DEVICE_UNAVAILABLE: busy, or for others only */

/* NULL: reason says why, a sentence without a full stop. */
const LabDriver *lab_driver       (char *reason, size_t n);
/* What it says of a code. */
const char      *lab_driver_error (int code);
