/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-display.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Thumbnails of an image stack side by side, each with its title and share; the plane shown is selected, and
 * selecting another shows that one alone (click, arrow keys, Home, End); while three are shown as colours, letters on
 * each say which they are, and choose. Only what is in view is read and drawn.
 * Empty for a source that is no stack.
 */
#define ES_TYPE_STACK_STRIP (es_stack_strip_get_type ())
G_DECLARE_FINAL_TYPE (EsStackStrip, es_stack_strip, ES, STACK_STRIP, GtkWidget)

GtkWidget *es_stack_strip_new          (EsDisplay *display);
/* How many thumbnails have been read so far, and whether one is under way. */
guint      es_stack_strip_get_n_loaded (EsStackStrip *self);
gboolean   es_stack_strip_is_loading   (EsStackStrip *self);

G_END_DECLS
