/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * A slider over a list of values that a person would choose (1, 2, 3, 4, 6, 8, 12 ...), with its name in front and what
 * it stands at behind. A value between two of the list stays what it is and stands between them; moving the slider goes
 * to those of the list. Property "value" (double).
 */
#define ES_TYPE_VALUE_SLIDER (es_value_slider_get_type ())
G_DECLARE_FINAL_TYPE (EsValueSlider, es_value_slider, ES, VALUE_SLIDER, GtkWidget)

/* values ascend, n >= 2. label: of gtk_label_new_with_mnemonic (); longest: a reading that fits. */
GtkWidget  *es_value_slider_new         (const char *label, const char *longest, const double *values, guint n);
double      es_value_slider_get_value   (EsValueSlider *self);
void        es_value_slider_set_value   (EsValueSlider *self, double value);
/* What stands behind the slider: the caller knows what the value means. */
void        es_value_slider_set_reading (EsValueSlider *self, const char *reading);
const char *es_value_slider_get_reading (EsValueSlider *self);
/* As a person who drags it would: to entry i of the list. */
void        es_value_slider_move        (EsValueSlider *self, guint i);

G_END_DECLS
