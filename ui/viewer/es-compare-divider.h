/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * The line between the two pictures of a swipe, with a handle to be dragged; the arrow keys move it too (Shift: by ten
 * steps), Home and End to the edges. Property "position" (double, 0..1 of the parent's width). Placed by its parent.
 */
#define ES_TYPE_COMPARE_DIVIDER (es_compare_divider_get_type ())
G_DECLARE_FINAL_TYPE (EsCompareDivider, es_compare_divider, ES, COMPARE_DIVIDER, GtkWidget)

GtkWidget *es_compare_divider_new          (void);
void       es_compare_divider_set_position (EsCompareDivider *self, double position);
double     es_compare_divider_get_position (EsCompareDivider *self);
/* Where it is to lie in a parent of this size. */
void       es_compare_divider_get_place    (EsCompareDivider *self, int width, int *x, int *thickness);

G_END_DECLS
