/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Sums over the cards of several processes, by a library that knows the links between them (NCCL). It is opened when it
 * is asked for; nothing is linked with it.
 */

#include <stdint.h>

#include "es-hotspots-stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the first process tells the others, so that they find each other. */
#define ESK_SUMS_ID 128
typedef struct {
  unsigned char bytes[ESK_SUMS_ID];
} EskSumsId;

/* The place of one process among those that add. */
typedef struct _EskSums EskSums;

typedef struct {
  /* Opens the library, and tells its version (22703: 2.27.3). path NULL: under the name that it usually has. What fails
   * is ESK_ERROR_DEVICE, and why (without a full stop) is in `why`, as below. */
  int  (*sums_library) (const char *path, int *version, char *why, size_t why_bytes);
  /* By one process, after sums_library (). */
  int  (*sums_id)      (EskSumsId *id, char *why, size_t why_bytes);
  /* By all of `size` processes, each with its rank and the device that it computes on; waits until all have called it.
   * NULL: why. */
  EskSums *(*sums_join) (int device, const EskSumsId *id, int rank, int size, char *why, size_t why_bytes);
  /*
   * By all of them in the same order with the same n: values, in host memory, become their sums over all processes,
   * which are the same bytes in all. Of float64 the order is the library's. cancelled: as in
   * EskStreamHotspots.set_cancelled, looked at all the time. After anything but ESK_OK nobody adds any more.
   */
  int  (*sums_add)     (EskSums *sums, double *values, size_t n, const int *cancelled);
  int  (*sums_add_integers) (EskSums *sums, int64_t *values, size_t n, const int *cancelled);
  /* Why it failed; owned by sums. */
  const char *(*sums_error) (EskSums *sums);
  /* NULL is allowed. Waits for nobody. */
  void (*sums_free)    (EskSums *sums);
} EskSumsHotspots;

#ifdef __cplusplus
}
#endif
