/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"

G_BEGIN_DECLS

/*
 * Which device a session's runs are given to: whoever lets a person choose says it here, and whoever runs something
 * reads it here. Main context only. Signal "changed": something was wanted, be it the same again.
 */
#define ES_TYPE_DEVICE_CHOICE (es_device_choice_get_type ())
G_DECLARE_FINAL_TYPE (EsDeviceChoice, es_device_choice, ES, DEVICE_CHOICE, GObject)

EsDeviceChoice *es_device_choice_new         (void);
/* "auto", "cpu", "cuda:0", "cuda:all"; may name one that is not here (yet). */
void            es_device_choice_want        (EsDeviceChoice *self, const char *id);
/* FALSE: GPUs are still being looked for, and the one that is wanted may be among them: a run that begins now waits. */
gboolean        es_device_choice_is_known    (EsDeviceChoice *self);
/* The one that is wanted, where it is here and works. Borrowed; NULL: automatic. */
EsDevice       *es_device_choice_get_device  (EsDeviceChoice *self);
/* The same for a run that begins now: one that is not here yet is waited for while GPUs are being looked for. */
EsDevice       *es_device_choice_find_device (EsDeviceChoice *self);

G_END_DECLS
