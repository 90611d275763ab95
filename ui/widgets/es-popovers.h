/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * What GTK does with all widgets while the list or menu of one of them is open, for every widget at once: behind
 * gtk_init () and before the first widget. Any further call does nothing.
 *
 * No tooltip of what the list hangs from, and of what that stands in: GTK asks the widgets above a popover's for one,
 * and shows it over the list.
 *
 * Nothing that the list hangs in scrolls: a viewport scrolls to whatever in it has the keys, and takes a row of the
 * list for something that lies as far down in itself. As soon as the keys are elsewhere it does as ever.
 */
void     es_popovers_init    (void);
/* Whether a popover that is open hangs from the widget, or from something in it that the keys are in. */
gboolean es_popovers_is_open (GtkWidget *widget);

G_END_DECLS
