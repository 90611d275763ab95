/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "array/es-array.h"

G_BEGIN_DECLS

/* From where bearings and ranges are counted: the centre of the array, an element by its number, or a point. */
#define ES_TYPE_ORIGIN_ROW (es_origin_row_get_type ())
G_DECLARE_FINAL_TYPE (EsOriginRow, es_origin_row, ES, ORIGIN_ROW, GtkWidget)

/* Signal "changed". */
GtkWidget *es_origin_row_new        (void);
/* Without the signal. */
void       es_origin_row_set_origin (EsOriginRow *self, const EsOrigin *origin);
EsOrigin   es_origin_row_get_origin (EsOriginRow *self);

G_END_DECLS
