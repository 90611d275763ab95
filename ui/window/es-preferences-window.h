/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define ES_TYPE_PREFERENCES_WINDOW (es_preferences_window_get_type ())
G_DECLARE_FINAL_TYPE (EsPreferencesWindow, es_preferences_window, ES, PREFERENCES_WINDOW, AdwPreferencesWindow)

GtkWidget *es_preferences_window_new (GtkWindow *parent);

G_END_DECLS
