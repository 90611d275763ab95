/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What is used of NCCL, the library that adds over cards of several processes. It comes with neither the driver nor the
 * toolkit: it is opened when it is asked for, with declarations of our own. Plain C, without CUDA.
 */

#include <stdbool.h>
#include <stddef.h>

#include "es-hotspots-sums.h"

#ifdef __cplusplus
extern "C" {
#endif

/* From https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html. */
typedef struct {
  char internal[ESK_SUMS_ID];
} EskNcclId;
typedef void *EskNcclComm;

enum { ESK_NCCL_SUCCESS = 0, ESK_NCCL_IN_PROGRESS = 7 };
enum { ESK_NCCL_INT64 = 4, ESK_NCCL_FLOAT64 = 8 };
enum { ESK_NCCL_SUM = 0 };
/* 2.9.0, from which on versions are numbered so. */
#define ESK_NCCL_OLDEST 20900

typedef struct {
  int         (*get_version)    (int *version);
  int         (*get_unique_id)  (EskNcclId *id);
  int         (*init_rank)      (EskNcclComm *comm, int size, EskNcclId id, int rank);
  /* stream: a cudaStream_t. */
  int         (*all_reduce)     (const void *from, void *to, size_t n, int type, int operation, EskNcclComm comm,
                                 void *stream);
  int         (*get_async_error) (EskNcclComm comm, int *error);
  int         (*give_up)        (EskNcclComm comm);
  const char *(*get_error_string) (int code);
} EskNccl;

/* The library once it has been opened, and then for ever; NULL: not yet. */
const EskNccl *esk_nccl_get (void);

/* The first two of EskSumsHotspots. */
int  esk_nccl_library (const char *path, int *version, char *why, size_t why_bytes);
int  esk_nccl_make_id (EskSumsId *id, char *why, size_t why_bytes);
/* A place of its own; what fails is told in `why`. NULL: failed. */
EskNcclComm esk_nccl_join (const EskSumsId *id, int rank, int size, char *why, size_t why_bytes);

#ifdef __cplusplus
}
#endif
