/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "es-lab-profiles.h"

G_BEGIN_DECLS

/* A machine's profile drawn as one page: what it says of itself, its figures beside those of the machines that it is
 * compared with, and its curves. It is copied and saved as a picture, and its figures as CSV. */
#define ES_TYPE_PROFILE_WINDOW (es_profile_window_get_type ())
G_DECLARE_FINAL_TYPE (EsProfileWindow, es_profile_window, ES, PROFILE_WINDOW, AdwWindow)

/* parent: whose actions "win.lab-open-profile" and "win.lab-save-profile" are used. */
GtkWidget *es_profile_window_new (GtkWindow *parent, EsDeviceProfile *profile, EsLabProfiles *profiles);

G_END_DECLS
