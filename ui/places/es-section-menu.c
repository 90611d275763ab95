/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-section-menu-private.h"

#include <glib/gi18n-lib.h>

static void
append_where_possible (GMenu *menu, const char *label, const char *action)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
  g_menu_append_item (menu, item);
}

GMenuModel *
_es_section_menu_new (void)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) place = g_menu_new (), order = g_menu_new (), columns = g_menu_new (), rest = g_menu_new ();

  g_menu_append (place, _("_Large in the Middle"), "section.large");
  g_menu_append (place, _("In a _Window of Its Own"), "section.window");
  append_where_possible (place, _("Back into the _Column"), "section.column");
  g_menu_append (order, _("Move _Up"), "section.up");
  g_menu_append (order, _("Move _Down"), "section.down");
  append_where_possible (order, _("To the _Other Column"), "section.across");
  g_menu_append (columns, _("_Two Where the Window Is Wide"), "columns.inspector-columns::automatic");
  g_menu_append (columns, _("_One Column"), "columns.inspector-columns::one");
  g_menu_append (columns, _("T_wo Columns"), "columns.inspector-columns::two");
  g_menu_append_submenu (rest, _("Colum_ns"), G_MENU_MODEL (columns));
  g_menu_append (rest, _("Reset _Layout"), "win.reset-layout");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (place));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (order));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
  return G_MENU_MODEL (menu);
}
