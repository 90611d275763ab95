/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-own-window.h"

#include <adwaita.h>

#include "widgets/es-settings.h"

#define KEY "own-windows"
#define ENTRIES "a{s(iiss)}"
#define LEAST 200

typedef struct
{
  char      *id;
  GtkWidget *owner;              /* weak */
  GtkWidget *title, *box, *content;
} Own;

static void
own_free (gpointer data)
{
  Own *self = data;

  g_clear_weak_pointer (&self->owner);
  g_free (self->id);
  g_free (self);
}

static Own *
own_of (gpointer window)
{
  return g_object_get_data (G_OBJECT (window), "es-own-window");
}

/* ---- what is remembered ---- */

static const char *
monitor_of (GtkWindow *window)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));
  GdkMonitor *monitor = NULL;

  if (surface != NULL)
    monitor = gdk_display_get_monitor_at_surface (gtk_widget_get_display (GTK_WIDGET (window)), surface);
  return monitor != NULL ? gdk_monitor_get_connector (monitor) : NULL;
}

static GdkMonitor *
find_monitor (GtkWindow *window, const char *connector)
{
  GListModel *monitors = gdk_display_get_monitors (gtk_widget_get_display (GTK_WIDGET (window)));

  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++)
    {
      g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);

      /* The list keeps it. */
      if (g_strcmp0 (gdk_monitor_get_connector (monitor), connector) == 0)
        return monitor;
    }
  return NULL;
}

static void
store (GtkWindow *window)
{
  g_autoptr (GVariant) old = g_settings_get_value (es_settings_get (), KEY);
  const char *monitor = monitor_of (window), *id = own_of (window)->id, *key;
  const char *state = gtk_window_is_fullscreen (window) ? "fullscreen"
                      : gtk_window_is_maximized (window) ? "maximized" : "normal";
  GVariantBuilder entries;
  GVariantIter iter;
  GVariant *entry;
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  g_variant_builder_init (&entries, G_VARIANT_TYPE (ENTRIES));
  g_variant_iter_init (&iter, old);
  while (g_variant_iter_next (&iter, "{&s@(iiss)}", &key, &entry))
    {
      if (!g_str_equal (key, id))
        g_variant_builder_add (&entries, "{s@(iiss)}", key, entry);
      g_variant_unref (entry);
    }
  g_variant_builder_add (&entries, "{s(iiss)}", id, MAX (width, LEAST), MAX (height, LEAST), state,
                         monitor != NULL ? monitor : "");
  g_settings_set_value (es_settings_get (), KEY, g_variant_builder_end (&entries));
}

static void
restore (GtkWindow *window, int width, int height)
{
  g_autoptr (GVariant) all = g_settings_get_value (es_settings_get (), KEY);
  const char *state = "normal", *connector = "";
  GdkMonitor *monitor;

  g_variant_lookup (all, own_of (window)->id, "(ii&s&s)", &width, &height, &state, &connector);
  gtk_window_set_default_size (window, CLAMP (width, LEAST, 16384), CLAMP (height, LEAST, 16384));
  if (g_str_equal (state, "maximized"))
    gtk_window_maximize (window);
  monitor = g_str_equal (state, "fullscreen") ? find_monitor (window, connector) : NULL;
  if (monitor != NULL)
    gtk_window_fullscreen_on_monitor (window, monitor);
}

static void
on_size (GtkWindow *window)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (window)))
    store (window);
}

/* ---- the other window ---- */

static GtkWindow *
main_of (Own *self)
{
  GtkRoot *root = self->owner != NULL ? gtk_widget_get_root (self->owner) : NULL;

  return GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL;
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, gpointer data)
{
  GtkWindow *window = data, *other = main_of (own_of (window));
  const GdkModifierType held = state & (GDK_ALT_MASK | GDK_CONTROL_MASK | GDK_SHIFT_MASK);

  if (key == GDK_KEY_F11 && held == 0)
    {
      if (gtk_window_is_fullscreen (window))
        gtk_window_unfullscreen (window);
      else
        gtk_window_fullscreen (window);
      return GDK_EVENT_STOP;
    }
  if (key == GDK_KEY_Escape && gtk_window_is_fullscreen (window))
    {
      gtk_window_unfullscreen (window);
      return GDK_EVENT_STOP;
    }
  if ((key == GDK_KEY_w && held == GDK_CONTROL_MASK) || (key == GDK_KEY_F11 && held == GDK_SHIFT_MASK))
    {
      gtk_window_close (window);
      return GDK_EVENT_STOP;
    }
  return other != NULL && gtk_event_controller_key_forward (controller, GTK_WIDGET (other));
}

/* It holds the other window: as long as that is on the screen, and no longer. */
static void
disconnect_from_main (GtkWindow *window)
{
  gtk_widget_insert_action_group (GTK_WIDGET (window), "win", NULL);
}

static void
connect_to_main (GtkWindow *window)
{
  Own *self = own_of (window);
  GtkWindow *other = main_of (self);

  if (other == NULL || !gtk_widget_get_realized (self->owner))
    return;
  gtk_window_set_application (window, gtk_window_get_application (other));
  if (G_IS_ACTION_GROUP (other))
    gtk_widget_insert_action_group (GTK_WIDGET (window), "win", G_ACTION_GROUP (other));
}

/* ---- making ---- */

void
es_own_window_set_detail (GtkWindow *window, const char *detail)
{
  g_return_if_fail (GTK_IS_WINDOW (window) && own_of (window) != NULL);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (own_of (window)->title), detail != NULL ? detail : "");
}

GtkWidget *
es_own_window_take (GtkWindow *window)
{
  Own *self;
  GtkWidget *content;

  g_return_val_if_fail (GTK_IS_WINDOW (window) && own_of (window) != NULL, NULL);

  self = own_of (window);
  content = g_object_ref (self->content);
  disconnect_from_main (window);
  gtk_box_remove (GTK_BOX (self->box), content);
  gtk_window_destroy (window);
  return content;
}

GtkWindow *
es_own_window_new (const char *id, const char *title, int width, int height, GtkWidget *content, GtkWidget *owner)
{
  GtkWindow *window = GTK_WINDOW (adw_window_new ());
  GtkWidget *bar = adw_header_bar_new (), *toasts = adw_toast_overlay_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  Own *self = g_new0 (Own, 1);
  g_autofree char *shown = NULL;

  self->id = g_strdup (id);
  self->content = content;
  g_set_weak_pointer (&self->owner, owner);
  g_object_set_data_full (G_OBJECT (window), "es-own-window", self, own_free);
  gtk_window_set_title (window, title);
  self->title = adw_window_title_new (title, "");
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (bar), self->title);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), bar);
  gtk_box_append (GTK_BOX (self->box), content);
  gtk_widget_set_vexpand (content, TRUE);
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (toasts), self->box);
  adw_window_set_content (ADW_WINDOW (window), toasts);
  connect_to_main (window);
  g_signal_connect_object (owner, "realize", G_CALLBACK (connect_to_main), window, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (owner, "unrealize", G_CALLBACK (disconnect_from_main), window, G_CONNECT_SWAPPED);
  restore (window, width, height);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), window);
  gtk_widget_add_controller (GTK_WIDGET (window), keys);
  g_signal_connect (window, "notify::default-width", G_CALLBACK (on_size), NULL);
  g_signal_connect (window, "notify::default-height", G_CALLBACK (on_size), NULL);
  g_signal_connect (window, "notify::maximized", G_CALLBACK (on_size), NULL);
  g_signal_connect (window, "notify::fullscreened", G_CALLBACK (on_size), NULL);
  return window;
}
