/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files in the file manager. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

static void
on_folder_shown (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsWindow) self = data;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  if (reply == NULL && es_shell_is_open (self->shell))
    es_window_say (self, _("No file manager answered."));
}

/* The file manager selects the file; GtkFileLauncher is newer than the oldest GTK that is supported. */
void
es_window_show_in_folder (EsWindow *self, const char *uri)
{
  GDBusConnection *bus = g_application_get_dbus_connection (g_application_get_default ());
  const char *uris[] = { uri, NULL };

  if (bus == NULL)
    {
      es_window_say (self, _("No file manager answered."));
      return;
    }
  g_dbus_connection_call (bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
                          "org.freedesktop.FileManager1", "ShowItems", g_variant_new ("(^ass)", uris, ""),
                          NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, on_folder_shown, g_object_ref (self));
}
