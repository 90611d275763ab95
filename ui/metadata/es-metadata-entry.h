/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What an entry shows, which is told from what is being written in it. */
void     es_metadata_show_text    (GtkWidget *entry, const char *text);
/* Something has been written there, or in a parent that is such an entry, and not been told yet. */
gboolean es_metadata_is_written   (GtkWidget *entry);
/* What was shown is there again. FALSE: nothing has been written. */
gboolean es_metadata_drop_written (GtkWidget *entry);

G_END_DECLS
