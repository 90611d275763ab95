/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device-profile.h"

G_BEGIN_DECLS

/*
 * The profiles of this machine's devices, kept where a person's data are (XDG_DATA_HOME/eigenscope/profiles), a file a
 * device, which a later one replaces; and what the program takes from them for itself.
 */

/* FALSE: it is not a device that is here (ES_COMPUTE_ERROR_DEVICE), or ES_DATA_ERROR_WRITE. */
gboolean         es_device_profile_keep  (EsDeviceProfile *profile, GError **error);
/* The newest of such a device in a machine with such a processor: that of this very card, where it has a number of its
 * own, else of its name and memory. NULL: none; with *error: one of them cannot be read. Transfer full. */
EsDeviceProfile *es_kept_profile_find    (EsDevice *device, GError **error);
/* Where they are, whether or not there is such a folder. Transfer full. */
char            *es_kept_profiles_dup_folder (void);
/* From now on es_upload_choose () takes from them what it can. For programs, before there are threads. */
void             es_kept_profiles_use    (void);

G_END_DECLS
