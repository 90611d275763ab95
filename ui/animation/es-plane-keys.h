/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-plane-player.h"

G_BEGIN_DECLS

/*
 * While widget is on the screen, keys of its whole window: Page Up and Page Down go one plane back and on, with Shift
 * ten, Home and End to the first and the last one, Escape ends playing. A text of several lines, a popover and a table
 * keep theirs; a line of text, a number, a list and a slider Home and End.
 */
void es_plane_keys_install (GtkWidget *widget, EsPlanePlayer *player);

G_END_DECLS
