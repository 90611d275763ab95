/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-display.h"
#include "image/es-plane-loader.h"

G_BEGIN_DECLS

/*
 * Shows the planes of a display one after the other, in the order of their wavelengths where they have such, else as
 * they are: while one is seen the next ones are read. A plane that is not there in time is waited for. Whatever else is
 * chosen in the display ends it.
 * Properties: "playing" (boolean), "rate" (uint, planes a second, 1..30), "back-and-forth" (boolean; else from the last
 * to the first), "skip-bad" (boolean: without bad bands), "possible" (boolean, read only: one of several is shown).
 */
#define ES_TYPE_PLANE_PLAYER (es_plane_player_get_type ())
G_DECLARE_FINAL_TYPE (EsPlanePlayer, es_plane_player, ES, PLANE_PLAYER, GObject)

#define ES_PLANE_PLAYER_MOST_RATE 30

EsPlanePlayer *es_plane_player_new  (EsDisplay *display, EsPlaneLoader *loader);
/* So many planes further, or back, in that order; 0 of what is at an end. */
void           es_plane_player_step (EsPlanePlayer *self, int planes);
/* To the first or the last one. */
void           es_plane_player_end  (EsPlanePlayer *self, gboolean last);

G_END_DECLS
