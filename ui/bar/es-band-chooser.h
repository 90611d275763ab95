/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "image/es-plane-group.h"

G_BEGIN_DECLS

/*
 * A button that says which band is shown, and a popover to choose another: typing a wavelength, a band's
 * number or a part of its name, or from the list. The planes of others can be
 * offered below the own ones. Signals: "chosen" (guint plane), "chosen-other" (EsPlaneGroup *, guint plane).
 */
#define ES_TYPE_BAND_CHOOSER (es_band_chooser_get_type ())
G_DECLARE_FINAL_TYPE (EsBandChooser, es_band_chooser, ES, BAND_CHOOSER, GtkWidget)

/* prefix: "R"; nullable. name: spoken and in the tooltip. */
GtkWidget *es_band_chooser_new        (const char *prefix, const char *name);
void       es_band_chooser_set_source (EsBandChooser *self, EsPlaneSource *source);    /* nullable */
/* A GListModel of EsPlaneGroup (nullable), the source among them. */
void       es_band_chooser_set_others (EsBandChooser *self, GListModel *groups);
void       es_band_chooser_set_plane  (EsBandChooser *self, guint plane);
/* What a typed text means: the nearest band; -1: nothing. */
int        es_band_chooser_find       (EsBandChooser *self, const char *text);

G_END_DECLS
