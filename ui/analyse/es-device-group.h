/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* The group of the preferences about devices: which there are and how they are, and what GPUs may use and do. Follows
 * the devices while it is on the screen. */
#define ES_TYPE_DEVICE_GROUP (es_device_group_get_type ())
G_DECLARE_FINAL_TYPE (EsDeviceGroup, es_device_group, ES, DEVICE_GROUP, AdwPreferencesGroup)

G_END_DECLS
