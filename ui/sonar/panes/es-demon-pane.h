/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-pane.h"

G_BEGIN_DECLS

/*
 * DEMON of the beam under the cursor: the spectrum of the envelope of its band, in which the turns of a shaft and the
 * blades of a propeller are lines. Worked out on a thread of its own from the last seconds before the moment, as often
 * as leaves most of the machine to the beams.
 */
#define ES_TYPE_DEMON_PANE (es_demon_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsDemonPane, es_demon_pane, ES, DEMON_PANE, EsSonarPane)

EsSonarPane *es_demon_pane_new     (EsSonarDisplay *display);
/* While something is being worked out or waits to be. */
gboolean     es_demon_pane_is_busy (EsDemonPane *self);

G_END_DECLS
