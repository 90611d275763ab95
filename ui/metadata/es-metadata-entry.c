/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Entries in which something can be written that has not been told yet. */

#include "es-metadata-entry.h"

#include <string.h>

void
es_metadata_show_text (GtkWidget *entry, const char *text)
{
  g_object_set_data_full (G_OBJECT (entry), "es-shown", g_strdup (text), g_free);
  if (strcmp (text, gtk_editable_get_text (GTK_EDITABLE (entry))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

/* The entry that a widget is, or is part of, in which something has been written; *shown: what it showed. NULL: there
 * is none. */
static GtkWidget *
find_written (GtkWidget *entry, const char **shown)
{
  for (GtkWidget *at = entry; at != NULL; at = gtk_widget_get_parent (at))
    {
      *shown = g_object_get_data (G_OBJECT (at), "es-shown");
      if (*shown != NULL)
        return strcmp (*shown, gtk_editable_get_text (GTK_EDITABLE (at))) != 0 ? at : NULL;
    }
  return NULL;
}

gboolean
es_metadata_is_written (GtkWidget *entry)
{
  const char *shown;

  return find_written (entry, &shown) != NULL;
}

gboolean
es_metadata_drop_written (GtkWidget *entry)
{
  const char *shown;
  GtkWidget *written = find_written (entry, &shown);

  if (written != NULL)
    gtk_editable_set_text (GTK_EDITABLE (written), shown);
  return written != NULL;
}
