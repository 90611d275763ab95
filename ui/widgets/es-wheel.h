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
 * The tooltip of what there are many of, or what is told again and again: whenever GTK is given a text it asks the
 * display where the pointer is and waits for the answer; this one it asks for when the pointer is there. @text is
 * nullable.
 */
void        es_set_tooltip (GtkWidget *widget, const char *text);
/* NULL: none. */
const char *es_get_tooltip (GtkWidget *widget);
/* As it is shown: of a label that is cut short, below its whole text. Free it with g_free (); NULL: none. */
char       *es_dup_shown_tooltip (GtkWidget *widget);

/*
 * No line of @label, which wraps, ends between a number and its unit or in a size, whatever text it is given: what is
 * copied from it has the spaces that it was given. Its attributes are taken. To be called once.
 */
void        es_keep_figures (GtkLabel *label);

G_END_DECLS
