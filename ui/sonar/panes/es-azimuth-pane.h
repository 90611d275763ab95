/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-pane.h"

G_BEGIN_DECLS

/* Band energy of the far row against bearing at the moment, in decibels, and its peaks in a list with their width and
 * how far they stand over the next. The cursor's bearing is a line that can be dragged. */
#define ES_TYPE_AZIMUTH_PANE (es_azimuth_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsAzimuthPane, es_azimuth_pane, ES, AZIMUTH_PANE, EsSonarPane)

EsSonarPane *es_azimuth_pane_new (EsSonarDisplay *display);
/* Which curves are shown, where there are several: for its frame. */
GtkWidget   *es_azimuth_pane_get_toggles (EsAzimuthPane *self);

G_END_DECLS
