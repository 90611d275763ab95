/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-display.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The values that a pixel of an image stack has in all its planes. Property "empty", notified. */
#define ES_TYPE_VALUES_PANE (es_values_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsValuesPane, es_values_pane, ES, VALUES_PANE, GtkWidget)

GtkWidget *es_values_pane_new          (EsDisplay *display);
void       es_values_pane_set_selected (EsValuesPane *self, gboolean any, guint x, guint y);
gboolean   es_values_pane_is_empty     (EsValuesPane *self);
gboolean   es_values_pane_is_loading   (EsValuesPane *self);

G_END_DECLS
