/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Keys and the pointer of the display, as a person has them. FALSE: there is no XTest, and nothing of this may be
 * called. */
gboolean es_test_has_hands (void);
/* In a window that has the focus from now on. */
void     es_test_press     (GtkWindow *window, guint key, GdkModifierType modifiers);
/* At a place of a widget; with as many steps of the pointer in between as make it a motion. */
void     es_test_point     (GtkWidget *widget, double x, double y);
void     es_test_click     (GtkWidget *widget, double x, double y, guint button, guint times);
/* Up: it is turned away from the person. modifiers: Ctrl or Shift, or nothing. */
void     es_test_wheel     (GtkWidget *widget, double x, double y, gboolean up, GdkModifierType modifiers);
void     es_test_drag      (GtkWidget *widget, double x, double y, GtkWidget *to, double to_x, double to_y,
                            guint button);

G_END_DECLS
