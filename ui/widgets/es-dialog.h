/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the windows share that a person answers: a way out and a way on above, and a sentence below that judges what is
 * between them. */

/* A header bar: "Cancel", which closes the window, and the button that goes on. label: with a mnemonic. *accept: that
 * button, for its signal and its sensitivity. */
GtkWidget *es_dialog_header_new (const char *label, GtkWidget **accept);

/* Gives a window, an AdwWindow, that header and the box below it, which is returned: for what is between. */
GtkWidget *es_dialog_fill       (GtkWindow *window, const char *label, GtkWidget **accept);

/* A row with an entry of so many characters at its end; Return goes on. title: with a mnemonic. */
GtkWidget *es_dialog_row_new    (const char *title, const char *subtitle, int width, GtkWidget **entry);

/* Below, of what is told of a recording: the sentence, whether it is kept beside the recording, and a button that takes
 * it away. */
void       es_dialog_add_foot   (GtkBox *box, const char *remove_label, GtkLabel **verdict, GtkCheckButton **save,
                                 GtkWidget **remove);

/* The sentence, and its look: "error", "warning", or "dim-label" where nothing is wrong. */
void       es_dialog_say        (GtkLabel *verdict, const char *sentence, const char *look);

G_END_DECLS
