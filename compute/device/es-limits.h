/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device.h"

G_BEGIN_DECLS

/* What may limit a run. Zero: not limited. */
typedef struct
{
  guint64     memory;          /* bytes for buffers and results together (--memory) */
  guint       threads;         /* lanes used at most (--threads) */
  guint64     device_memory;   /* bytes of a GPU's memory (--gpu-memory); smaller than its budget */
  gboolean    cpu_fallback;    /* a GPU that is lost or full in mid-job: repeat on the CPU instead of failing */
  const char *output_dir;      /* layers are made here at once where given; nullable */
  const char *output_ending;   /* of stacks there, which tells their layout (".tif"); NULL: ".img" */
} EsLimits;

/* Which part of the host's memory is for one purpose: a half is 2. */
typedef struct
{
  guint       of_limit;        /* of what a run is limited to; 1: all of it */
  guint       of_machine;      /* of what the machine has, where nobody limits it */
} EsMemoryShare;

/* ES_COMPUTE_ERROR_MEMORY where a limited address space (ulimit -v) leaves too little to begin anything. */
gboolean es_limits_check_address_space (GError **error);

/* Bytes of the host's memory that may be used for that, which a limited address space also limits. limits: nullable. */
guint64 es_limits_get_host_memory (const EsLimits *limits, EsMemoryShare share);

/* ES_COMPUTE_ERROR_MEMORY, which says what is needed at least, where something (translated: "A segment of 10 s") takes
 * more than that. */
gboolean es_limits_check_host_memory (const EsLimits *limits, EsMemoryShare share, guint64 needed, const char *what,
                                      GError **error);

/* Bytes of GPU memory that a job may use on each of its GPUs; 0 for the CPU. */
guint64 es_device_get_room (EsDevice *device, const EsLimits *limits);

G_END_DECLS
