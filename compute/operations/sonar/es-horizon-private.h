/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "array/es-array.h"
#include "layer/es-layer-internal.h"
#include "layer/es-table.h"
#include "navigation/es-navigation.h"

G_BEGIN_DECLS

/*
 * What tables say of a bearing beyond the array: from true north, where the heading is told, and when, where the start
 * is. Without a time only a fixed heading counts. navigation: nullable. Columns come last in a table.
 */
typedef struct
{
  double true_bearings[2];     /* degrees clockwise from north; NAN */
  char  *clock;                /* "2026-05-01T12:00:00.250Z"; owned, nullable */
} EsHorizonCells;

#define ES_HORIZON_MOST_CELLS 3

void  es_horizon_add_columns (EsTable *table, EsArray *array, EsNavigation *navigation, gboolean timed);
/* Those of a row, pointers into *cells to `pointers`; how many. time: s from the beginning, nullable. */
guint es_horizon_fill        (EsHorizonCells *cells, EsArray *array, EsNavigation *navigation, const double *time,
                              double bearing, gconstpointer *pointers);
void  es_horizon_cells_clear (EsHorizonCells *cells);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsHorizonCells, es_horizon_cells_clear)
/* Where the array pointed at every row of a field over time, once all of them are there; where no heading is told,
 * nothing. */
void  es_horizon_add_headings (EsField *field, EsNavigation *navigation);
/* Members "true_deg" and "true_mirror_deg", null where they are not known. */
void  es_horizon_add_members (JsonObject *object, EsArray *array, EsNavigation *navigation, double bearing);

G_END_DECLS
