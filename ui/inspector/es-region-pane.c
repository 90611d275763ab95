/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-pane-private.h"

#include <glib/gi18n-lib.h>

enum { NOISE_REGION, OPEN_CLASSES, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsRegionPane, es_region_pane, GTK_TYPE_WIDGET)

static char *
format_pixels (guint64 count)
{
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%'llu pixel", "%'llu pixels",
                                       (gulong) MIN (count, G_MAXUINT32)), (unsigned long long) count);
}

static guint
count_classes (EsRegionPane *self)
{
  EsRegionSet *classes = es_region_control_get_classes (self->control);

  return classes != NULL ? g_list_model_get_n_items (G_LIST_MODEL (classes)) : 0;
}

/* ---- a row of the list ---- */

static void
on_color (GtkColorChooser *button, GParamSpec *pspec, EsNamedRegion *region)
{
  GdkRGBA color;

  gtk_color_chooser_get_rgba (button, &color);
  es_named_region_set_colour (region, (guint32) (color.red * 255 + 0.5f) << 16
                                      | (guint32) (color.green * 255 + 0.5f) << 8
                                      | (guint32) (color.blue * 255 + 0.5f));
}

static void
on_renamed (GtkEditable *label, GParamSpec *pspec, EsNamedRegion *region)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (label)));

  if (gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (label)))
    return;
  /* A class without a name keeps the one it had. */
  if (*name != '\0' && g_strcmp0 (name, es_named_region_get_name (region)) != 0)
    es_named_region_set_name (region, name);
  else
    gtk_editable_set_text (label, es_named_region_get_name (region));
}

static void
show_class (EsNamedRegion *region, GParamSpec *pspec, GtkWidget *row)
{
  GtkWidget *swatch = g_object_get_data (G_OBJECT (row), "es-swatch"), *name = g_object_get_data (G_OBJECT (row),
                                                                                                 "es-name");
  GdkRGBA color = es_region_control_rgba (es_named_region_get_colour (region)), present;

  gtk_color_chooser_get_rgba (GTK_COLOR_CHOOSER (swatch), &present);
  if (!gdk_rgba_equal (&color, &present))
    gtk_color_chooser_set_rgba (GTK_COLOR_CHOOSER (swatch), &color);
  if (!gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (name)))
    gtk_editable_set_text (GTK_EDITABLE (name), es_named_region_get_name (region));
}

/* Where the class of a row is in the list: 0 and up. */
static int
place_of (EsRegionPane *self, EsNamedRegion *region)
{
  EsRegionSet *classes = es_region_control_get_classes (self->control);

  for (guint i = 0; i < count_classes (self); i++)
    {
      g_autoptr (EsNamedRegion) other = g_list_model_get_item (G_LIST_MODEL (classes), i);

      if (other == region)
        return (int) i;
    }
  return -1;
}

static GtkWidget *
make_menu (EsRegionPane *self)
{
  g_autoptr (GMenu) menu = g_menu_new (), last = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "view-more-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _("What can be done with the class"));
  g_menu_append (menu, _("_Select Its Pixels"), "row.select");
  g_menu_append (menu, _("Use as _Noise Region"), "row.noise");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (self->use_menu));
  g_menu_append (last, _("_Remove"), "row.remove");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (last));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  return button;
}

static void
on_row_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWidget *row = user_data;
  GtkWidget *pane = gtk_widget_get_ancestor (row, ES_TYPE_REGION_PANE);
  g_autofree char *name = g_strconcat ("region.class-", g_action_get_name (G_ACTION (action)), NULL);
  int place = pane != NULL ? place_of (ES_REGION_PANE (pane), g_object_get_data (G_OBJECT (row), "es-region")) : -1;

  if (place >= 0 && parameter != NULL)
    gtk_widget_activate_action (pane, name, "(us)", (guint) place, g_variant_get_string (parameter, NULL));
  else if (place >= 0)
    gtk_widget_activate_action (pane, name, "u", (guint) place);
}

static GtkWidget *
make_row (gpointer item, gpointer user_data)
{
  static const GActionEntry entries[] = {
    { "select", on_row_action }, { "noise", on_row_action }, { "remove", on_row_action },
    { "use", on_row_action, "s" },
  };
  EsNamedRegion *region = item;
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *swatch = gtk_color_button_new ();
  GtkWidget *name = gtk_editable_label_new (es_named_region_get_name (region)), *count;
  g_autofree char *pixels = format_pixels (es_named_region_get_count (region));

  gtk_color_button_set_title (GTK_COLOR_BUTTON (swatch), _("Colour of the Class"));
  gtk_widget_add_css_class (swatch, "class-swatch");
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (swatch, _("Colour of the class"));
  gtk_widget_set_hexpand (name, TRUE);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (name), 12);
  gtk_editable_set_width_chars (GTK_EDITABLE (name), 6);
  gtk_widget_set_tooltip_text (name, _("Click to rename"));
  count = gtk_label_new (pixels);
  gtk_widget_add_css_class (count, "caption");
  gtk_widget_add_css_class (count, "dim-label");
  gtk_widget_add_css_class (count, "numeric");
  gtk_box_append (GTK_BOX (row), swatch);
  gtk_box_append (GTK_BOX (row), name);
  gtk_box_append (GTK_BOX (row), count);
  gtk_box_append (GTK_BOX (row), make_menu (user_data));

  g_object_set_data (G_OBJECT (row), "es-swatch", swatch);
  g_object_set_data (G_OBJECT (row), "es-name", name);
  g_object_set_data_full (G_OBJECT (row), "es-region", g_object_ref (region), g_object_unref);
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), row);
  gtk_widget_insert_action_group (row, "row", G_ACTION_GROUP (actions));
  show_class (region, NULL, row);
  g_signal_connect_object (region, "notify::name", G_CALLBACK (show_class), row, 0);
  g_signal_connect_object (region, "notify::colour", G_CALLBACK (show_class), row, 0);
  g_signal_connect_object (swatch, "notify::rgba", G_CALLBACK (on_color), region, 0);
  g_signal_connect_object (name, "notify::editing", G_CALLBACK (on_renamed), region, 0);
  return row;
}

/* ---- following ---- */

char *
es_region_pane_describe (EsRegionPane *self)
{
  guint n;

  g_return_val_if_fail (ES_IS_REGION_PANE (self), NULL);

  n = count_classes (self);
  return n > 0 ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u class", "%u classes", n), n) : NULL;
}

static void
on_changed (EsRegionPane *self)
{
  EsRegionSet *classes = es_region_control_get_classes (self->control);
  gboolean any = es_region_control_get_selection (self->control) != NULL;
  gboolean some = count_classes (self) > 0;

  if (classes != self->classes)
    {
      self->classes = classes;
      gtk_list_box_bind_model (GTK_LIST_BOX (self->list), classes != NULL ? G_LIST_MODEL (classes) : NULL, make_row,
                               self, NULL);
    }
  gtk_widget_set_visible (self->hint, !any && !some);
  gtk_widget_set_visible (self->selected, any);
  gtk_widget_set_visible (self->list, some);
  gtk_widget_set_visible (self->foot, classes != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "region.keep", any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "region.noise", any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "region.use", any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "region.clear", any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "region.save", some);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "region.write-classification", some);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "region.write-spectra", some);
  if (any)
    {
      g_autofree char *pixels = format_pixels (es_region_control_get_count (self->control));
      g_autofree char *text = g_strdup_printf (_("%s selected"), pixels);

      gtk_label_set_text (self->count, text);
    }
}

/* ---- actions ---- */

static void
keep (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsRegionPane *self = ES_REGION_PANE (widget);
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));

  es_region_control_keep (self->control, *text != '\0' ? text : NULL);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
}

static void
clear (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_region_control_set_selection (ES_REGION_PANE (widget)->control, NULL);
}

static void
use_as_noise (EsRegionPane *self, EsRegion *region)
{
  g_autofree char *text = region != NULL ? es_region_format (region) : NULL;

  if (text != NULL)
    g_signal_emit (self, signals[NOISE_REGION], 0, text);
}

static void
noise (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsRegionPane *self = ES_REGION_PANE (widget);

  use_as_noise (self, es_region_control_get_selection (self->control));
}

static void
class_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsRegionPane *self = ES_REGION_PANE (widget);
  EsRegionSet *classes = es_region_control_get_classes (self->control);
  g_autoptr (EsNamedRegion) region = NULL;

  if (classes != NULL)
    region = g_list_model_get_item (G_LIST_MODEL (classes), g_variant_get_uint32 (parameter));
  if (region == NULL)
    return;
  if (g_str_equal (name, "region.class-select"))
    es_region_control_set_selection (self->control, es_named_region_get_region (region));
  else if (g_str_equal (name, "region.class-noise"))
    use_as_noise (self, es_named_region_get_region (region));
  else
    es_region_set_remove (classes, region);
}

void
_es_region_pane_open_classes (EsRegionPane *self, EsRegionSet *classes, GFile *file)
{
  g_signal_emit (self, signals[OPEN_CLASSES], 0, classes, file);
}

/* ---- the widget ---- */

static GtkWidget *
make_action_button (const char *label, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_add_css_class (button, "pane-button");
  gtk_widget_set_tooltip_text (button, tooltip);
  return button;
}

static void
make_selected (EsRegionPane *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *name = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *dot = gtk_label_new ("●"), *clear_button = gtk_button_new_from_icon_name ("edit-clear-symbolic");
  GtkWidget *noise_button = make_action_button (_("Use as _Noise Region"), "region.noise",
                                                _("Estimate the noise of MNF from these pixels"));
  g_autofree char *markup = g_strdup_printf ("<span color=\"#%02x%02x%02x\">●</span>",
                                             (guint) (es_region_selection_color.red * 255),
                                             (guint) (es_region_selection_color.green * 255),
                                             (guint) (es_region_selection_color.blue * 255));

  self->selected = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_add_css_class (self->selected, "pane-margins");
  gtk_label_set_markup (GTK_LABEL (dot), markup);
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->count, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  gtk_widget_set_hexpand (GTK_WIDGET (self->count), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (clear_button), "region.clear");
  gtk_widget_add_css_class (clear_button, "flat");
  gtk_widget_set_tooltip_text (clear_button, _("Select nothing"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (clear_button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Select nothing"),
                                  -1);
  gtk_box_append (GTK_BOX (head), dot);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->count));
  gtk_box_append (GTK_BOX (head), clear_button);
  gtk_box_append (GTK_BOX (self->selected), head);

  self->entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), _("Name of the class"));
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 8);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Name of the class"),
                                  -1);
  gtk_box_append (GTK_BOX (name), self->entry);
  gtk_box_append (GTK_BOX (name), make_action_button (_("_Keep as Class"), "region.keep",
                                                      _("Give these pixels a name and a colour")));
  gtk_box_append (GTK_BOX (self->selected), name);
  gtk_widget_set_halign (noise_button, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (self->selected), noise_button);
  _es_region_pane_make_uses (self);
  gtk_widget_set_parent (self->selected, GTK_WIDGET (self));
}

static void
on_entry_activate (EsRegionPane *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "region.keep", NULL);
}

GtkWidget *
es_region_pane_new (EsRegionControl *control)
{
  EsRegionPane *self;

  g_return_val_if_fail (ES_IS_REGION_CONTROL (control), NULL);

  self = g_object_new (ES_TYPE_REGION_PANE, NULL);
  self->control = g_object_ref (control);
  g_signal_connect_object (control, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  on_changed (self);
  return GTK_WIDGET (self);
}

static void
es_region_pane_dispose (GObject *object)
{
  EsRegionPane *self = ES_REGION_PANE (object);
  GtkWidget *child;

  if (self->list != NULL)
    gtk_list_box_bind_model (GTK_LIST_BOX (self->list), NULL, NULL, NULL, NULL);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->list = NULL;
  _es_region_pane_drop_uses (self);
  g_clear_object (&self->control);
  G_OBJECT_CLASS (es_region_pane_parent_class)->dispose (object);
}

static void
es_region_pane_class_init (EsRegionPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_region_pane_dispose;
  signals[NOISE_REGION] = g_signal_new ("noise-region", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[OPEN_CLASSES] = g_signal_new ("open-classes", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 2, ES_TYPE_REGION_SET, G_TYPE_FILE);
  gtk_widget_class_install_action (widget_class, "region.keep", NULL, keep);
  gtk_widget_class_install_action (widget_class, "region.clear", NULL, clear);
  gtk_widget_class_install_action (widget_class, "region.noise", NULL, noise);
  gtk_widget_class_install_action (widget_class, "region.class-select", "u", class_action);
  gtk_widget_class_install_action (widget_class, "region.class-noise", "u", class_action);
  gtk_widget_class_install_action (widget_class, "region.class-remove", "u", class_action);
  _es_region_pane_install_files (widget_class);
  _es_region_pane_install_uses (widget_class);
  gtk_widget_class_set_css_name (widget_class, "regionpane");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_region_pane_init (EsRegionPane *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->hint = gtk_label_new (_("Draw a region in the picture with the rectangle or the lasso, or a lasso in the "
                                "scatter plot, and keep it as a class."));
  gtk_label_set_wrap (GTK_LABEL (self->hint), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->hint), 0);
  gtk_widget_add_css_class (self->hint, "dim-label");
  gtk_widget_add_css_class (self->hint, "section-placeholder");
  gtk_widget_set_parent (self->hint, GTK_WIDGET (self));
  make_selected (self);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "class-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Classes"), -1);
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
  _es_region_pane_make_foot (self);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (on_entry_activate), self, G_CONNECT_SWAPPED);
}
