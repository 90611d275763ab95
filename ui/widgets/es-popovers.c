/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-popovers.h"

#include <adwaita.h>

/* Those that widgets hang from themselves, and of a split button that of its arrow. */
static gboolean
has_open_child (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) ? gtk_widget_get_mapped (child) : GTK_IS_MENU_BUTTON (child) && has_open_child (child))
      return TRUE;
  return FALSE;
}

/* The popover that the keys are in; NULL: in none. */
static GtkWidget *
find_popover (GtkRoot *root)
{
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL ? gtk_widget_get_ancestor (focus, GTK_TYPE_POPOVER) : NULL;
}

gboolean
es_popovers_is_open (GtkWidget *widget)
{
  GtkWidget *popover;

  g_return_val_if_fail (GTK_IS_WIDGET (widget), FALSE);

  popover = find_popover (gtk_widget_get_root (widget));
  return (popover != NULL && popover != widget && gtk_widget_get_mapped (popover)
          && gtk_widget_is_ancestor (popover, widget))
         || has_open_child (widget);
}

/* ---- tooltips ---- */

static gboolean (*query_tooltip) (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip);

static gboolean
query_tooltip_unless_open (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  return !es_popovers_is_open (widget) && query_tooltip (widget, x, y, keyboard, tooltip);
}

/* ---- viewports ---- */

#define STILL "es-still-viewports"

static void (*window_notify) (GObject *window, GParamSpec *spec);

static void
still_free (gpointer data)
{
  GSList *still = data;

  for (GSList *l = still; l != NULL; l = l->next)
    gtk_viewport_set_scroll_to_focus (l->data, TRUE);
  g_slist_free_full (still, g_object_unref);
}

/* The class’s function is called before the handlers of its objects, those of viewports among them. */
static void
on_window_notify (GObject *window, GParamSpec *spec)
{
  if (g_str_equal (spec->name, "focus-widget"))
    {
      GtkWidget *popover = find_popover (GTK_ROOT (window));
      GSList *still = NULL;

      g_object_set_data (window, STILL, NULL);
      for (GtkWidget *above = popover; above != NULL; above = gtk_widget_get_parent (above))
        if (GTK_IS_VIEWPORT (above) && gtk_viewport_get_scroll_to_focus (GTK_VIEWPORT (above)))
          {
            gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (above), FALSE);
            still = g_slist_prepend (still, g_object_ref (above));
          }
      if (still != NULL)
        g_object_set_data_full (window, STILL, still, still_free);
    }
  if (window_notify != NULL)
    window_notify (window, spec);
}

void
es_popovers_init (void)
{
  GObjectClass *window_class = g_type_class_ref (GTK_TYPE_WINDOW);
  /* Classes that were there already have a table of their own. */
  const GType types[] = { GTK_TYPE_WIDGET, GTK_TYPE_DROP_DOWN, GTK_TYPE_MENU_BUTTON, ADW_TYPE_SPLIT_BUTTON,
                          ADW_TYPE_COMBO_ROW };

  if (window_class->notify != on_window_notify)
    {
      window_notify = window_class->notify;
      window_class->notify = on_window_notify;
    }
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      GtkWidgetClass *klass = g_type_class_ref (types[i]);

      if (query_tooltip == NULL)
        query_tooltip = klass->query_tooltip;
      if (klass->query_tooltip == query_tooltip)
        klass->query_tooltip = query_tooltip_unless_open;
    }
}
