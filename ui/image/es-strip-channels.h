/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-display.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Three letters on the thumbnail of a plane: whether it is the red, the green or the blue of what is shown; a click
 * makes it that. Where one plane is shown alone, they come with the pointer or the focus, and a click brings the
 * composite back that was shown last.
 */
#define ES_TYPE_STRIP_CHANNELS (es_strip_channels_get_type ())
G_DECLARE_FINAL_TYPE (EsStripChannels, es_strip_channels, ES, STRIP_CHANNELS, GtkWidget)

GtkWidget *es_strip_channels_new       (EsDisplay *display);
/* The pointer is over the thumbnail: beside a plane that is shown alone, the letters can be pressed only then. */
void       es_strip_channels_set_pointed (EsStripChannels *self, gboolean pointed);
/* title: of the plane, spoken. */
void       es_strip_channels_set_plane (EsStripChannels *self, guint plane, const char *title);

G_END_DECLS
