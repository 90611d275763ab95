/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-pane.h"

G_BEGIN_DECLS

/* FRAZ: frequency against bearing at the moment, of the far field: of CBF, or of adaptive beams. */
#define ES_TYPE_FRAZ_PANE (es_fraz_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsFrazPane, es_fraz_pane, ES, FRAZ_PANE, EsSonarPane)

EsSonarPane *es_fraz_pane_new (EsSonarDisplay *display, const char *id, EsBeamKind kind);

G_END_DECLS
