/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-pane.h"

G_BEGIN_DECLS

/* How much of a plane wave from each bearing the beam at the cursor lets through, at the cursor's frequency: with the
 * fixed weights of CBF, and with those of MVDR, which set nulls on what they hear. */
#define ES_TYPE_PATTERN_PANE (es_pattern_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsPatternPane, es_pattern_pane, ES, PATTERN_PANE, EsSonarPane)

EsSonarPane *es_pattern_pane_new (EsSonarDisplay *display);

G_END_DECLS
