/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "sonar/display/es-sonar-display.h"

G_BEGIN_DECLS

/* Which beams a display is of (CBF, MVDR, MUSIC), of those there are; hidden where there is no choice. Signal
 * "changed": another one, by a person, or because those there are have changed. */
#define ES_TYPE_KIND_CHOOSER (es_kind_chooser_get_type ())
G_DECLARE_FINAL_TYPE (EsKindChooser, es_kind_chooser, ES, KIND_CHOOSER, GtkWidget)

GtkWidget  *es_kind_chooser_new      (EsSonarDisplay *display, EsBeamKind kind);
/* The one that was asked for where there is such, else CBF. */
EsBeamKind  es_kind_chooser_get_kind (EsKindChooser *self);
EsBeamKind  es_kind_chooser_get_wanted (EsKindChooser *self);    /* the one that was asked for */
void        es_kind_chooser_set_kind (EsKindChooser *self, EsBeamKind kind);

/* "CBF", "MVDR", "MUSIC". */
const char *es_beam_kind_name        (EsBeamKind kind);

G_END_DECLS
