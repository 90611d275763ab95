/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-gl-context.h"

void
es_gl_context_ensure (GtkWidget *widget, GdkGLContext **context, gboolean *tried)
{
  GtkNative *native = gtk_widget_get_native (widget);
  g_autoptr (GdkGLContext) made = NULL;

  if (*tried || native == NULL)
    return;
  *tried = TRUE;
  if (GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (native)))
    return;
  made = gdk_surface_create_gl_context (gtk_native_get_surface (native), NULL);
  if (made != NULL && gdk_gl_context_realize (made, NULL))
    *context = g_steal_pointer (&made);
}
