/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Who computes: the CPU, or a GPU. Lives as long as the program. */
#define ES_TYPE_DEVICE (es_device_get_type ())
G_DECLARE_FINAL_TYPE (EsDevice, es_device, ES, DEVICE, GObject)

const char *es_device_get_id      (EsDevice *self);   /* "cpu", "cuda:0" */
const char *es_device_get_name    (EsDevice *self);   /* "AMD EPYC", "NVIDIA H200" */
const char *es_device_get_backend (EsDevice *self);   /* "cpu", "cuda" */
/* "2 threads, AVX2, 23.4 GB": one line for the device row. */
const char *es_device_get_detail  (EsDevice *self);
guint       es_device_get_lanes   (EsDevice *self);   /* tiles in flight at once; CPU: its threads */
guint64     es_device_get_memory  (EsDevice *self);   /* bytes, total */

/* Devices in order of preference, the CPU last; a GListModel of EsDevice that belongs to the library. */
GListModel *es_devices_get        (void);
/* Borrowed. ES_COMPUTE_ERROR_DEVICE, with the ids there are. */
EsDevice   *es_device_find        (const char *id, GError **error);
EsDevice   *es_device_get_cpu     (void);
/* Why there is no GPU ("this build has no GPU support"), translated; NULL where there is one. */
const char *es_devices_why_no_gpu (void);

/* Measured once, lazily, in about 20 ms, and kept: what plans divide by. */
double      es_device_get_flops   (EsDevice *self);   /* float32 multiply-adds * 2 a second, all lanes */
double      es_device_get_bandwidth (EsDevice *self); /* bytes a second through one pass over a tile */

G_END_DECLS
