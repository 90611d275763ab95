/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * The wheel scrolls the column in which @widget, a spin button or a scale, stands: its number does not change
 * when it passes under the pointer on the way.
 */
void es_ignore_wheel (GtkWidget *widget);

G_END_DECLS
