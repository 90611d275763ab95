/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A context of the window that a widget is in, for pictures that are rendered by GL: made once, as soon as there is a
 * window. *context stays NULL where the window has none, or is drawn by cairo, which would have to fetch a GL texture
 * back. tried: FALSE at first and whenever the widget has been unrealized. */
void es_gl_context_ensure (GtkWidget *widget, GdkGLContext **context, gboolean *tried);

G_END_DECLS
