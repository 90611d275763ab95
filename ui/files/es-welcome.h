/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The empty window: one line what this is, how to begin, the devices that can be measured, the sessions closed last,
 * and the files opened last. Opens by "win.open-device", "win.continue-session" and "win.open-recent". */
#define ES_TYPE_WELCOME (es_welcome_get_type ())
G_DECLARE_FINAL_TYPE (EsWelcome, es_welcome, ES, WELCOME, GtkWidget)

G_END_DECLS
