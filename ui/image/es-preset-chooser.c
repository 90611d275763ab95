/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-look-choosers.h"

#include <glib/gi18n-lib.h>

#include "plane/es-composite.h"

/*
 * Three planes at once: combinations of wavelengths that a cube has bands near, and of a stack its planes in threes.
 * The menu is made anew for each source; its action's state is what is shown, so that the menu marks it.
 */

#define MOST_THREES 4           /* of a stack: 1-2-3 ... 10-11-12 */

static GVariant *
planes_to_variant (const guint planes[3])
{
  return g_variant_new ("(uuu)", planes[0], planes[1], planes[2]);
}

static void
append (GMenu *menu, const char *label, const guint planes[3])
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, "composite.planes", planes_to_variant (planes));
  g_menu_append_item (menu, item);
}

static void
append_of_cube (GMenu *menu, EsCube *cube)
{
  guint usual[3], n;
  const EsCompositePreset *presets = es_composite_get_presets (&n);
  const char *from = es_cube_pick_rgb (cube, usual);

  if (!g_str_equal (from, "wavelength"))
    append (menu, g_str_equal (from, "header") ? _("As the file says") : _("Spread"), usual);
  for (guint i = 0; i < n; i++)
    {
      guint bands[3];

      if (es_cube_pick_near (cube, presets[i].nanometres, bands))
        append (menu, g_dgettext (GETTEXT_PACKAGE, presets[i].title), bands);
    }
}

static void
append_of_stack (GMenu *menu, EsPlaneSource *source)
{
  const guint n = es_plane_source_get_n_planes (source);

  for (guint i = 0; i < MOST_THREES && 3 * i + 2 < n; i++)
    {
      const guint planes[3] = { 3 * i, 3 * i + 1, 3 * i + 2 };
      g_autofree char *red = es_plane_source_get_plane_title (source, planes[0]);
      g_autofree char *green = es_plane_source_get_plane_title (source, planes[1]);
      g_autofree char *blue = es_plane_source_get_plane_title (source, planes[2]);
      g_autofree char *label = g_strdup_printf (C_("three planes", "%s, %s, %s"), red, green, blue);

      append (menu, label, planes);
    }
}

static void
on_source_changed (GtkMenuButton *button, EsDisplay *display)
{
  EsPlaneSource *source = es_display_get_source (display);
  g_autoptr (GMenu) menu = g_menu_new ();

  if (source != NULL && es_plane_source_get_cube (source) != NULL)
    append_of_cube (menu, es_plane_source_get_cube (source));
  else if (source != NULL)
    append_of_stack (menu, source);
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
  /* The only one is a click on RGB. */
  gtk_widget_set_visible (GTK_WIDGET (button), g_menu_model_get_n_items (G_MENU_MODEL (menu)) > 1);
}

/* G_MAXUINT where one plane is shown alone: then none of the menu's is marked. */
static void
update (GSimpleAction *action, EsDisplay *display)
{
  guint planes[3] = { G_MAXUINT, G_MAXUINT, G_MAXUINT };

  if (es_display_get_composite (display))
    es_display_get_planes (display, planes);
  g_simple_action_set_state (action, planes_to_variant (planes));
}

static void
on_activated (EsDisplay *display, GVariant *target)
{
  guint planes[3];

  g_variant_get (target, "(uuu)", &planes[0], &planes[1], &planes[2]);
  es_display_show_rgb (display, planes);
}

GtkWidget *
es_preset_chooser_new (EsDisplay *display)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = NULL;
  GtkWidget *button;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  button = gtk_menu_button_new ();
  gtk_widget_add_css_class (button, "presets");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, _("Colours to choose from"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Colours to choose from"),
                                  -1);
  action = g_simple_action_new_stateful ("planes", G_VARIANT_TYPE ("(uuu)"),
                                         g_variant_new ("(uuu)", G_MAXUINT, G_MAXUINT, G_MAXUINT));
  g_signal_connect_object (action, "activate", G_CALLBACK (on_activated), display, G_CONNECT_SWAPPED);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (button, "composite", G_ACTION_GROUP (group));
  g_signal_connect_object (display, "source-changed", G_CALLBACK (on_source_changed), button, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (update), action, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (update), action, G_CONNECT_SWAPPED);
  on_source_changed (GTK_MENU_BUTTON (button), display);
  update (action, display);
  return button;
}
