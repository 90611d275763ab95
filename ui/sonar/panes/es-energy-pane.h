/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-pane.h"

G_BEGIN_DECLS

/* The energy field of the moment, ranges x bearings, as a map (nearest range below, the far field set apart above) or
 * as a plan; its maximum is marked, and told with how far it stands over the best other range. */
#define ES_TYPE_ENERGY_PANE (es_energy_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsEnergyPane, es_energy_pane, ES, ENERGY_PANE, EsSonarPane)

EsSonarPane *es_energy_pane_new (EsSonarDisplay *display);

G_END_DECLS
