/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the windows share that a person answers: a way out and a way on above, and a sentence below that judges what is
 * between them. */

/* A header bar: "Cancel", which closes the window, and the button that goes on. label: with a mnemonic. *accept: that
 * button, for its signal and its sensitivity. */
GtkWidget *es_dialog_header_new (const char *label, GtkWidget **accept);

/* The sentence, and its look: "error", "warning", or "dim-label" where nothing is wrong. */
void       es_dialog_say        (GtkLabel *verdict, const char *sentence, const char *look);

G_END_DECLS
