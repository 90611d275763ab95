/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "image/es-display.h"

G_BEGIN_DECLS

/*
 * The slim row above the picture: composite or single band, which bands, colour map, stretch, legend. What
 * does not apply to the source is not there, what finds no room is in a menu at its end. Property "legend" (boolean).
 * The spinner turns while "busy".
 */
#define ES_TYPE_DISPLAY_BAR (es_display_bar_get_type ())
G_DECLARE_FINAL_TYPE (EsDisplayBar, es_display_bar, ES, DISPLAY_BAR, GtkWidget)

GtkWidget *es_display_bar_new        (EsDisplay *display);
gboolean   es_display_bar_get_legend (EsDisplayBar *self);
/* Behind what says which one is shown; it hides itself where there is none. `again` is the same for the menu. */
void       es_display_bar_add        (EsDisplayBar *self, GtkWidget *widget, GtkWidget *again);
/* Turns the spinner once something has been under way for a moment. */
void       es_display_bar_set_busy   (EsDisplayBar *self, gboolean busy);

G_END_DECLS
