/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Registers what the widgets are built from (templates, icons, style), and has GTK keep its icons. To be called before
 * GTK's main objects are made; any further call does nothing but what waits for gtk_init (), es_popovers_init (). */
void  es_ui_init          (void);

/* "120 MB", "0.4 s", "3 min": figures of costs, with two digits. Transfer full. */
char *es_ui_format_bytes   (guint64 bytes);
char *es_ui_format_seconds (double seconds);

G_END_DECLS
