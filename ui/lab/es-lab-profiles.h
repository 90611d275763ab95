/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "lab/es-device-profile.h"

G_BEGIN_DECLS

/*
 * The profiles of other machines: those that are installed, and those that a person has opened; and which of them are
 * compared with. Signal "changed": other ones, or others are compared with. Main context.
 */
#define ES_TYPE_LAB_PROFILES (es_lab_profiles_get_type ())
G_DECLARE_FINAL_TYPE (EsLabProfiles, es_lab_profiles, ES, LAB_PROFILES, GObject)

EsLabProfiles   *es_lab_profiles_new        (void);
/* The installed ones are read when they are first asked for. */
guint            es_lab_profiles_get_n      (EsLabProfiles *self);
EsDeviceProfile *es_lab_profiles_get        (EsLabProfiles *self, guint i);           /* borrowed */
gboolean         es_lab_profiles_is_chosen  (EsLabProfiles *self, guint i);
void             es_lab_profiles_set_chosen (EsLabProfiles *self, guint i, gboolean chosen);
/* Those that are compared with, of EsDeviceProfile. Transfer full. */
GPtrArray       *es_lab_profiles_list       (EsLabProfiles *self);

/* Reads a file on a worker, for whoever wants to see it alone. Transfer full. */
void             es_lab_profile_read_async   (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                                              gpointer user_data);
EsDeviceProfile *es_lab_profile_read_finish  (GAsyncResult *result, GError **error);
/* The same; it is then one of them, and compared with. */
void             es_lab_profiles_open_async  (EsLabProfiles *self, GFile *file, GCancellable *cancellable,
                                              GAsyncReadyCallback callback, gpointer user_data);
gboolean         es_lab_profiles_open_finish (EsLabProfiles *self, GAsyncResult *result, GError **error);

/* What sessions keep: which are compared with, and the files that were opened. NULL: none. Transfer full. */
JsonNode        *es_lab_profiles_tell       (EsLabProfiles *self);
/* What is there no more is left out. */
void             es_lab_profiles_take       (EsLabProfiles *self, JsonNode *told);

G_END_DECLS
