/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-outlook.h"
#include "session/es-device-choice.h"

G_BEGIN_DECLS

/*
 * Which device computes: automatic, a GPU, all of them, the CPU; below it what is known of that device now, renewed
 * every two seconds while it is on the screen. GPUs appear as they are found, and one that is lost cannot be chosen any
 * more. What is chosen is said to the session's EsDeviceChoice, and remembered in the setting "device". Signal
 * "changed": the device, or its outlook.
 */
#define ES_TYPE_DEVICE_CHOOSER (es_device_chooser_get_type ())
G_DECLARE_FINAL_TYPE (EsDeviceChooser, es_device_chooser, ES, DEVICE_CHOOSER, GtkBox)

GtkWidget       *es_device_chooser_new          (void);
/* Once: whose wish is shown and changed; what the setting says is wanted at first. */
void             es_device_chooser_set_choice   (EsDeviceChooser *self, EsDeviceChoice *wish);
/* What it would compute: for the automatic choice and the outlook. operation NULL: nothing. */
void             es_device_chooser_set_question (EsDeviceChooser *self, const EsOperation *operation,
                                                 EsDataset *dataset, EsParams *params);
/* Borrowed until "changed"; NULL: not known yet. */
const EsOutlook *es_device_chooser_get_outlook  (EsDeviceChooser *self);
const char      *es_device_chooser_get_detail   (EsDeviceChooser *self);
/* While the outlook is being made. */
gboolean         es_device_chooser_is_busy      (EsDeviceChooser *self);

G_END_DECLS
