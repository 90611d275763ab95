/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "simulate/es-simulate-recording.h"

G_BEGIN_DECLS

/* One source of a simulated scene in numbers: kind, bearing and how it moves, range, level, frequencies. Signals
 * "changed"; "remove": its button. */
#define ES_TYPE_SOURCE_ROW (es_source_row_get_type ())
G_DECLARE_FINAL_TYPE (EsSourceRow, es_source_row, ES, SOURCE_ROW, GtkWidget)

GtkWidget *es_source_row_new        (const EsSource *source);
EsSource   es_source_row_get_source (EsSourceRow *self);

G_END_DECLS
