/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-compare.h"

#include <glib/gi18n-lib.h>

#include "lab/parts/es-lab-text.h"
#include "widgets/es-format.h"

#define LONGEST_NAME 60

struct _EsLabCompare
{
  GtkWidget      parent_instance;

  EsLabProfiles *profiles;
  GtkWidget     *button;
  GtkWidget     *list;               /* a box with what can be chosen */
};

G_DEFINE_FINAL_TYPE (EsLabCompare, es_lab_compare, GTK_TYPE_WIDGET)

static void
on_toggled (EsLabCompare *self, GtkCheckButton *check)
{
  es_lab_profiles_set_chosen (self->profiles,
                              GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (check), "es-profile")),
                              gtk_check_button_get_active (check));
}

static GtkWidget *
make_choice (EsLabCompare *self, guint i)
{
  EsDeviceProfile *profile = es_lab_profiles_get (self->profiles, i);
  g_autofree char *name = es_format_shorten (es_device_profile_get_name (profile), LONGEST_NAME);
  GtkWidget *check = gtk_check_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *title = gtk_label_new (name);
  /* TRANSLATORS: where a profile is from ("measured", "published in ..."), and when */
  g_autofree char *origin = g_strdup_printf (_("%s, %s"), es_lab_source_word (profile),
                                             es_device_profile_get_date (profile));
  GtkWidget *detail = gtk_label_new (origin);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (detail), 0);
  gtk_label_set_ellipsize (GTK_LABEL (detail), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (detail), LONGEST_NAME);
  gtk_widget_set_tooltip_text (detail, origin);
  gtk_widget_add_css_class (detail, "caption");
  gtk_widget_add_css_class (detail, "dim-label");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), detail);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), es_lab_profiles_is_chosen (self->profiles, i));
  g_object_set_data (G_OBJECT (check), "es-profile", GUINT_TO_POINTER (i));
  g_signal_connect_object (check, "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);

  /* Its name chooses it, too. */
  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), box);
  return check;
}

/* While it is open it is as it was: a box that is checked would lose the focus. */
static void
fill (EsLabCompare *self)
{
  GtkWidget *child;
  const guint n = es_lab_profiles_get_n (self->profiles);

  while ((child = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_box_remove (GTK_BOX (self->list), child);
  if (n == 0)
    {
      GtkWidget *label = gtk_label_new (_("No profile of another machine is installed."));

      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (self->list), label);
    }
  for (guint i = 0; i < n; i++)
    gtk_box_append (GTK_BOX (self->list), make_choice (self, i));
}

static void
on_changed (EsLabCompare *self)
{
  g_autoptr (GPtrArray) chosen = es_lab_profiles_list (self->profiles);
  g_autofree char *label = chosen->len > 0 ? g_strdup_printf (_("Compared with %u"), chosen->len)
                                           : g_strdup (_("Compare with"));

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), label);
}

static void
es_lab_compare_dispose (GObject *object)
{
  EsLabCompare *self = ES_LAB_COMPARE (object);

  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_object (&self->profiles);
  G_OBJECT_CLASS (es_lab_compare_parent_class)->dispose (object);
}

static void
es_lab_compare_class_init (EsLabCompareClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_lab_compare_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_lab_compare_init (EsLabCompare *self)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *open = gtk_button_new_with_mnemonic (_("_Open a Profile…"));
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 360);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.lab-open-profile");
  /* It would stand before the dialog. */
  g_signal_connect_swapped (open, "clicked", G_CALLBACK (gtk_popover_popdown), popover);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), open);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover);
  gtk_widget_set_tooltip_text (self->button, _("Profiles of other machines, drawn beside what this one does"));
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  g_signal_connect_swapped (popover, "map", G_CALLBACK (fill), self);
}

GtkWidget *
es_lab_compare_new (EsLabProfiles *profiles)
{
  EsLabCompare *self = g_object_new (ES_TYPE_LAB_COMPARE, NULL);

  self->profiles = g_object_ref (profiles);
  g_signal_connect_object (profiles, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  on_changed (self);
  return GTK_WIDGET (self);
}
