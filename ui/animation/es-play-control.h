/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-plane-player.h"

G_BEGIN_DECLS

/* A button that plays and, behind it, how: a widget that is there while one of several planes is shown. */
GtkWidget *es_play_control_new (EsPlanePlayer *player);

G_END_DECLS
