/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device.h"
#include "es-hotspots.h"

G_BEGIN_DECLS

/* What is less than this is no budget: a card that other programs have filled. */
#define ES_DEVICE_LEAST_MEMORY (8 << 20)

/* Its table of hot spots, and which of the back end's devices it is; -1: all of them. */
const EskHotspots *es_device_get_hotspots (EsDevice *self);
int       es_device_get_index       (EsDevice *self);
/* "GPU-…", whatever the driver and the place; "": it is not known, or no card. */
const char *es_device_get_uuid      (EsDevice *self);
/* Maps a hot spot's code to ES_COMPUTE_ERROR; what: "covariance sums". Returns FALSE where code is not ESK_OK. */
gboolean  es_device_check           (EsDevice *self, EskStream *stream, int code, const char *what, GError **error);
/* FALSE with ES_COMPUTE_ERROR_MEMORY: what is kept in the host's memory does not fit; what: "the beams". */
gboolean  es_compute_error_no_memory (const char *what, GError **error);

/* From ESK_ERROR_LOST on; tells of it in the main context. A member that is lost takes all GPUs together with it. */
void      es_device_mark_lost       (EsDevice *self);
/* Starts the device (context, libraries: 0.3 s the first time) and looks whether there is memory to work with; at once
 * for the CPU. ES_COMPUTE_ERROR_DEVICE or _MEMORY. */
gboolean  es_device_prepare         (EsDevice *self, GError **error);
/* Between the two this thread takes the CPU's speed as it was measured or, not yet measured, as it usually is: plans by
 * which progress is weighed are not worth 10 ms. */
void      es_device_begin_guess     (void);
void      es_device_end_guess       (void);
/* Its speed as it was measured; FALSE: nobody has had to know it yet, and nothing is measured for it. */
gboolean  es_device_peek_speed      (EsDevice *self, double *flops, double *bandwidth);
/* Whether it has been started. The CPU always is. */
gboolean  es_device_is_started      (EsDevice *self);

/* One job a device at a time: waits until nobody uses any member of this device, first come first served. FALSE with
 * G_IO_ERROR_CANCELLED. */
gboolean  es_device_occupy          (EsDevice *self, GCancellable *cancellable, GError **error);
void      es_device_vacate          (EsDevice *self);

/* Whether GPUs have been looked for, and whether one has been started. Neither looks for any. */
gboolean  es_devices_are_known      (void);
gboolean  es_devices_any_started    (void);
/* Every device that is not lost, in the list's order; waits for the search. Of borrowed EsDevice; transfer full. */
GPtrArray *es_devices_list          (void);
/* What is between the two is waited for by es_devices_stop (): threads that may be inside the driver. */
void      es_devices_hold           (void);
void      es_devices_release        (void);
/* On a thread of its own, which es_devices_stop () waits for; not at all after that, nor where there is no thread. */
void      es_devices_run_later      (void (*work) (gpointer data), gpointer data);
/* The same on the CPU: not waited for, but known (es_devices_stop ()). */
void      es_devices_begin_alone    (void);
void      es_devices_end_alone      (void);
/* As es_devices_hold (), for what may as well be left undone: FALSE, and nothing is held, after es_devices_stop (). */
gboolean  es_devices_try_hold       (void);

/* es-module.c: FALSE: there is no driver, or GPUs are turned off; no back end need be opened to say so. */
gboolean es_module_is_worth_a_look (void);

G_END_DECLS
