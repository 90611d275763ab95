/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device-internal.h"

G_BEGIN_DECLS

/* FALSE with ES_COMPUTE_ERROR_DEVICE where it, or a member of it, is lost. */
gboolean  es_device_check_not_lost  (EsDevice *self, GError **error);
/* TRUE on the thread of the main loop of a program that has called es_devices_start (): it is not to wait. */
gboolean  es_devices_must_not_wait  (void);

/* Measures it on a thread of its own. */
void      es_devices_measure_later  (EsDevice *self);

/* es-device.c, for the list. */
EsDevice *es_device_new_cpu         (void);
EsDevice *es_device_new_gpu         (const EskHotspots *hotspots, int index, guint n_gpus);
EsDevice *es_device_new_all_gpus    (GPtrArray *gpus);
EsDevice *es_device_new_some_gpus   (GPtrArray *gpus, const char *id);

/* es-device.c: bytes that nobody uses of a GPU's memory; FALSE: it does not tell. */
gboolean  es_device_get_free        (EsDevice *self, guint64 *bytes);

/* es-device-measure.c */
void      es_device_measure         (EsDevice *self, double *flops, double *bandwidth);

/* es-module.c: opens the GPU back end, once; its table, or NULL where there is none. before: is called before that is
 * loaded, where there is a driver for it. *why: a translated sentence without a full stop; transfer full. */
const EskHotspots *es_module_load   (void (*before) (void), char **why);
/* A reason that the module gave, translated where it is one that is known; else as it is, behind "frame: ". */
char     *es_module_explain         (const char *frame, const char *why);

G_END_DECLS
