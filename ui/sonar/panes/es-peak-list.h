/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "signal/es-beam-peaks.h"
#include "sonar/display/es-bearing-scale.h"

G_BEGIN_DECLS

/*
 * Arrivals as a table: bearing, level, width and margin of each, and what "!" means where a bearing has it.
 * Signal: "picked" (double bearing of the array), by a click on a row.
 */
#define ES_PEAK_LIST_ROWS 6

#define ES_TYPE_PEAK_LIST (es_peak_list_get_type ())
G_DECLARE_FINAL_TYPE (EsPeakList, es_peak_list, ES, PEAK_LIST, GtkGrid)

GtkWidget *es_peak_list_new  (void);
/* As bearings are written where the array points to `heading`: with their mirror images where there are any. Copied. */
void       es_peak_list_show (EsPeakList *self, guint n, const EsBeamPeak *peaks, EsBearingScale *scale,
                              double heading);

G_END_DECLS
