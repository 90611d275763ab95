/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "player/es-player.h"

G_BEGIN_DECLS

/*
 * Play and pause, to the start and the end, a scale to seek, the speed (1x, 2x, 4x, as fast as possible), loop, listen,
 * the position and the real-time factor. Space plays and pauses (the window's action "sonar-play").
 * Properties: "listening" (gboolean): the beam at the cursor is to be heard; the window does it; "start" (GDateTime,
 * writable): times are written as a clock that began then, in its zone, NULL: as seconds. Signal "sought": somebody has
 * gone elsewhere by it.
 */
#define ES_TYPE_TRANSPORT_BAR (es_transport_bar_get_type ())
G_DECLARE_FINAL_TYPE (EsTransportBar, es_transport_bar, ES, TRANSPORT_BAR, GtkWidget)

GtkWidget *es_transport_bar_new        (void);
void       es_transport_bar_set_player (EsTransportBar *self, EsPlayer *player);
/* FALSE: this build, or this machine, has no sound; why (translated) is the tooltip. */
void       es_transport_bar_set_sound  (EsTransportBar *self, gboolean possible, const char *why);
/* Whether a beam is heard while nothing plays (the window's action "replay-beam"). */
void       es_transport_bar_set_replaying (EsTransportBar *self, gboolean replaying);

G_END_DECLS
