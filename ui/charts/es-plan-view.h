/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "picture/es-heatmap.h"

G_BEGIN_DECLS

/*
 * A heat map of ranges and bearings as seen from above: the array in the middle, one ring for each range, all of the
 * same width (their names say how far), the last one set apart where it is the far field. Half a disc for bearings of
 * 0 .. 180 degrees, 0 to the right. Signal: "picked" (double column, double row).
 */
#define ES_TYPE_PLAN_VIEW (es_plan_view_get_type ())
G_DECLARE_FINAL_TYPE (EsPlanView, es_plan_view, ES, PLAN_VIEW, GtkWidget)

GtkWidget *es_plan_view_new        (EsHeatmap *map, int natural_height);
/* n bearings in degrees, ascending; the names of the rows, nearest first; row `apart` is set apart (0: none). */
void       es_plan_view_set_axes   (EsPlanView *self, guint n, const double *bearings, const char *const *names,
                                    guint apart);
/* With a unit there is a legend of the colours; NULL: none. */
void       es_plan_view_set_unit   (EsPlanView *self, const char *unit);
/* A ray at the bearing; NAN: none. A ring round a cell; NAN: none. */
void       es_plan_view_set_cursor (EsPlanView *self, double bearing);
void       es_plan_view_set_mark   (EsPlanView *self, double column, double row);

G_END_DECLS
