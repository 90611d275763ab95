/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-popovers.h"

#include <adwaita.h>

/* Those that widgets hang from themselves, and of a split button that of its arrow. */
static gboolean
has_open_child (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
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

void
es_popovers_init (void)
{
  /* Classes that were there already have a table of their own. */
  const GType types[] = { GTK_TYPE_WIDGET, GTK_TYPE_DROP_DOWN, GTK_TYPE_MENU_BUTTON, ADW_TYPE_SPLIT_BUTTON,
                          ADW_TYPE_COMBO_ROW };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      GtkWidgetClass *klass = g_type_class_ref (types[i]);

      if (query_tooltip == NULL)
        query_tooltip = klass->query_tooltip;
      if (klass->query_tooltip == query_tooltip)
        klass->query_tooltip = query_tooltip_unless_open;
    }
}
