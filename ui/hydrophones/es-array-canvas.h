/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "array/es-array.h"

G_BEGIN_DECLS

/* From where the array is looked at. */
typedef enum
{
  ES_ARRAY_FROM_ABOVE,         /* x to the right, y up */
  ES_ARRAY_FROM_SIDE,          /* x to the right, z up */
  ES_ARRAY_ALONG_LINE,         /* of a line: its axis to the right */
} EsArrayView;

/* What is wrong with an element, beside being dead. */
typedef enum
{
  ES_ELEMENT_CLIPPED = 1 << 0,
  ES_ELEMENT_NOT_FINITE = 1 << 1,
} EsElementFlags;

/*
 * The elements of an array drawn to scale, with a scale bar: dead ones crossed out, those that clip or have samples
 * that are no numbers as triangles, the reference ringed. Few elements are numbered.
 */
#define ES_TYPE_ARRAY_CANVAS (es_array_canvas_get_type ())
G_DECLARE_FINAL_TYPE (EsArrayCanvas, es_array_canvas, ES, ARRAY_CANVAS, GtkWidget)

GtkWidget  *es_array_canvas_new       (void);
/* The best view of it is taken: along a line, from the side where it is higher than deep, else from above. */
void        es_array_canvas_set_array (EsArrayCanvas *self, EsArray *array);      /* nullable */
/* One EsElementFlags an element, copied; n 0: nothing is known. */
void        es_array_canvas_set_flags (EsArrayCanvas *self, const guint8 *flags, guint n);
void        es_array_canvas_set_view  (EsArrayCanvas *self, EsArrayView view);
EsArrayView es_array_canvas_get_view  (EsArrayCanvas *self);

G_END_DECLS
