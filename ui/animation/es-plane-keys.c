/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plane-keys.h"

#define MANY 10

static gboolean
is_within (GtkWidget *widget, GType type)
{
  return widget != NULL && gtk_widget_get_ancestor (widget, type) != NULL;
}

/* Whether what has the focus needs the key for itself. */
static gboolean
is_kept (GtkWidget *focus, guint key)
{
  if (is_within (focus, GTK_TYPE_TEXT_VIEW) || is_within (focus, GTK_TYPE_POPOVER)
      || is_within (focus, GTK_TYPE_COLUMN_VIEW))
    return TRUE;
  /* A number that was clicked on would be changed by Page keys that were meant for the picture. */
  return (key == GDK_KEY_Home || key == GDK_KEY_End)
         && (is_within (focus, GTK_TYPE_TEXT) || is_within (focus, GTK_TYPE_LIST_VIEW)
             || is_within (focus, GTK_TYPE_LIST_BOX) || is_within (focus, GTK_TYPE_RANGE));
}

static guint
find_key (guint keyval)
{
  switch (keyval)
    {
    case GDK_KEY_KP_Page_Up:
      return GDK_KEY_Page_Up;
    case GDK_KEY_KP_Page_Down:
      return GDK_KEY_Page_Down;
    case GDK_KEY_KP_Home:
      return GDK_KEY_Home;
    case GDK_KEY_KP_End:
      return GDK_KEY_End;
    default:
      return keyval;
    }
}

static gboolean
on_key (GtkEventControllerKey *controller, guint keyval, guint keycode, GdkModifierType state, EsPlanePlayer *player)
{
  GtkWidget *window = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  const GdkModifierType held = state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_SHIFT_MASK);
  const guint key = find_key (keyval);
  const int planes = held == GDK_SHIFT_MASK ? MANY : 1;
  gboolean playing, possible;

  g_object_get (player, "playing", &playing, "possible", &possible, NULL);
  if (key == GDK_KEY_Escape && held == 0 && playing)
    {
      g_object_set (player, "playing", FALSE, NULL);
      return GDK_EVENT_STOP;
    }
  if (!possible || (held & ~GDK_SHIFT_MASK) != 0 || is_kept (gtk_root_get_focus (GTK_ROOT (window)), key))
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_Page_Up)
    es_plane_player_step (player, -planes);
  else if (key == GDK_KEY_Page_Down)
    es_plane_player_step (player, planes);
  else if ((key == GDK_KEY_Home || key == GDK_KEY_End) && held == 0)
    es_plane_player_end (player, key == GDK_KEY_End);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
remove_keys (GtkWidget *widget)
{
  GtkEventController *keys = g_object_steal_data (G_OBJECT (widget), "es-plane-keys");

  if (keys == NULL)
    return;
  if (gtk_event_controller_get_widget (keys) != NULL)
    gtk_widget_remove_controller (gtk_event_controller_get_widget (keys), keys);
  g_object_unref (keys);
}

static void
add_keys (GtkWidget *widget, EsPlanePlayer *player)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  remove_keys (widget);
  /* Before the widgets: what scrolls would take the Page keys. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key), player, 0);
  gtk_widget_add_controller (GTK_WIDGET (gtk_widget_get_root (widget)), keys);
  g_object_set_data (G_OBJECT (widget), "es-plane-keys", g_object_ref (keys));
}

void
es_plane_keys_install (GtkWidget *widget, EsPlanePlayer *player)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (ES_IS_PLANE_PLAYER (player));

  g_signal_connect_object (widget, "map", G_CALLBACK (add_keys), player, 0);
  g_signal_connect (widget, "unmap", G_CALLBACK (remove_keys), NULL);
}
