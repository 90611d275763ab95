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
} EsLimits;

/* Bytes of GPU memory that a job may use on each of its GPUs; 0 for the CPU. */
guint64 es_device_get_room (EsDevice *device, const EsLimits *limits);

G_END_DECLS
