/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * The wheel scrolls the column in which @widget, a spin button or a scale, stands: its number does not change
 * when it passes under the pointer on the way.
 */
void es_ignore_wheel (GtkWidget *widget);

/*
 * A list in @scroller, a scrolled window in a column that scrolls, hands the wheel on to the column where it is at its
 * end, or has nothing to scroll.
 */
void es_hand_on_wheel (GtkWidget *scroller);

/*
 * A click on @widget, a button, a drop-down or a button with a menu, leaves the keys where they were: what a pointer
 * chose there takes no focus, so that Space and arrows do afterwards what they did before. Whoever comes to it by keys
 * stays on it. To be called once.
 */
void es_keep_focus (GtkWidget *widget);

/*
 * The tooltip of what is told again and again: GTK asks the display where the pointer is whenever it is given a text,
 * and waits for the answer, also where the text is the same as before. @text is nullable.
 */
void es_set_tooltip (GtkWidget *widget, const char *text);

G_END_DECLS
