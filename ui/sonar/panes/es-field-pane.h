/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-field.h"
#include "es-sonar-pane.h"

G_BEGIN_DECLS

/* Any field or waterfall of a result, as it is: its rows upwards, its columns across. */
#define ES_TYPE_FIELD_PANE (es_field_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsFieldPane, es_field_pane, ES, FIELD_PANE, EsSonarPane)

EsSonarPane *es_field_pane_new       (EsSonarDisplay *display);
void         es_field_pane_set_field (EsFieldPane *self, EsField *field);      /* nullable */
EsField     *es_field_pane_get_field (EsFieldPane *self);

G_END_DECLS
