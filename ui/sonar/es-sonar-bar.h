/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "sonar/display/es-sonar-display.h"

G_BEGIN_DECLS

/*
 * The slim row above the displays of the sonar: follow, normaliser, range of levels, colour map, harmonics, tracks. It
 * has one row whatever its width: what finds no room there is in the menu at its end, which has all of it.
 */
#define ES_TYPE_SONAR_BAR (es_sonar_bar_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarBar, es_sonar_bar, ES, SONAR_BAR, GtkWidget)

GtkWidget *es_sonar_bar_new (EsSonarDisplay *display);

/* The first in the row. Transfer floating. */
void       es_sonar_bar_add_leading (EsSonarBar *self, GtkWidget *widget);

G_END_DECLS
