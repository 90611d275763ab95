/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sets of pixels: the list of them, and what adds one. */

#include "es-selection-pane-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-task.h"
#include "cube/es-region.h"
#include "preparation/es-open-pixels.h"

/* ---- the list ---- */

static char *
name_set (const EsPixelSet *set)
{
  if (set->name == NULL)
    return g_strdup (set->outside ? _("Outside a region") : _("Inside a region"));
  return g_strdup_printf (set->outside ? _("Outside “%s”") : _("Inside “%s”"), set->name);
}

static GtkWidget *
make_row (const EsPixelSet *set, guint place)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label, *button;
  g_autofree char *text = name_set (set);

  label = gtk_label_new (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_tooltip_text (label, set->file != NULL ? set->file : text);
  button = gtk_button_new_from_icon_name ("list-remove-symbolic");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _("These pixels are left to themselves again"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "selection.remove");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "u", place);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), button);
  return row;
}

void
_es_selection_pane_show_pixels (EsSelectionPane *self, EsSelection *selection)
{
  guint n = 0;
  EsPixelSet * const *sets = selection != NULL ? es_selection_get_sets (selection, &n) : NULL;
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), 0)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (row));
  for (guint i = 0; i < n; i++)
    {
      gtk_list_box_append (GTK_LIST_BOX (self->list), make_row (sets[i], i));
      gtk_list_box_row_set_activatable (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i), FALSE);
    }
  gtk_widget_set_visible (self->list, n > 0);
}

/* ---- adding and removing ---- */

static void
change_sets (EsSelectionPane *self, const EsPixelSet *added, guint removed)
{
  g_autoptr (EsSelection) now = es_cube_dup_selection (self->cube), selection = NULL;
  g_autoptr (GPtrArray) sets = g_ptr_array_new_with_free_func ((GDestroyNotify) es_pixel_set_free);
  guint n = 0;
  EsPixelSet * const *present = now != NULL ? es_selection_get_sets (now, &n) : NULL;

  for (guint i = 0; i < n; i++)
    if (i != removed)
      g_ptr_array_add (sets, es_pixel_set_copy (present[i]));
  if (added != NULL)
    g_ptr_array_add (sets, es_pixel_set_copy (added));
  selection = es_selection_with_sets (now, (EsPixelSet * const *) sets->pdata, sets->len);
  _es_selection_pane_tell (self, selection);
}

static void
remove_set (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsSelectionPane *self = ES_SELECTION_PANE (widget);

  if (self->cube != NULL)
    change_sets (self, NULL, g_variant_get_uint32 (parameter));
}

static void
add_region (EsSelectionPane *self, gboolean outside, const char *name, EsRegion *region)
{
  g_autofree char *text = es_region_format (region);
  g_autoptr (EsPixelSet) set = es_pixel_set_new (outside, name, text);

  change_sets (self, set, G_MAXUINT);
}

static void
add_selected (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsSelectionPane *self = ES_SELECTION_PANE (widget);
  EsRegion *region = es_region_control_get_selection (self->control);

  if (self->cube != NULL && region != NULL)
    add_region (self, g_variant_get_boolean (parameter), NULL, region);
}

static void
add_class (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsSelectionPane *self = ES_SELECTION_PANE (widget);
  EsRegionSet *classes = es_region_control_get_classes (self->control);
  g_autoptr (EsNamedRegion) region = NULL;
  gboolean outside;
  guint which;

  g_variant_get (parameter, "(bu)", &outside, &which);
  region = classes != NULL ? g_list_model_get_item (G_LIST_MODEL (classes), which) : NULL;
  if (self->cube != NULL && region != NULL)
    add_region (self, outside, es_named_region_get_name (region), es_named_region_get_region (region));
}

/* ---- files ---- */

typedef struct
{
  EsCube  *cube;
  GFile   *file;
  gboolean outside;
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_object_unref (reading->cube);
  g_object_unref (reading->file);
  g_free (reading);
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  GError *error = NULL;
  EsPixelSet *set = es_cube_open_pixels (reading->cube, reading->outside, reading->file, NULL, cancellable, &error);

  if (set != NULL)
    g_task_return_pointer (task, set, (GDestroyNotify) es_pixel_set_free);
  else
    g_task_return_error (task, error);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  EsSelectionPane *self = ES_SELECTION_PANE (source);
  const Reading *reading = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsPixelSet) set = g_task_propagate_pointer (G_TASK (result), &error);

  if (reading->cube != self->cube)
    return;
  if (set != NULL)
    change_sets (self, set, G_MAXUINT);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    _es_selection_pane_complain (self, error->message);
}

void
es_selection_pane_add_file (EsSelectionPane *self, GFile *file, gboolean outside)
{
  g_autoptr (GTask) task = NULL;
  Reading *reading;

  g_return_if_fail (ES_IS_SELECTION_PANE (self) && G_IS_FILE (file));

  if (self->cube == NULL)
    return;
  g_cancellable_cancel (self->reading);
  g_set_object (&self->reading, NULL);
  self->reading = g_cancellable_new ();
  reading = g_new (Reading, 1);
  *reading = (Reading) { g_object_ref (self->cube), g_object_ref (file), outside };
  task = g_task_new (self, self->reading, on_read, NULL);
  g_task_set_source_tag (task, es_selection_pane_add_file);
  g_task_set_task_data (task, reading, reading_free);
  es_task_run_in_thread (task, read_in_thread);
}

static void
on_open_response (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  const gboolean outside = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (dialog), "es-outside"));
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL)
    es_selection_pane_add_file (user_data, file, outside);
  g_object_unref (dialog);
}

static void
add_mask (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsSelectionPane *self = ES_SELECTION_PANE (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GFile *file = self->cube != NULL ? es_dataset_get_file (ES_DATASET (self->cube)) : NULL;
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Open a Mask"), GTK_IS_WINDOW (root) ? GTK_WINDOW (root)
                                                                                                    : NULL,
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  g_object_set_data (G_OBJECT (dialog), "es-outside", GINT_TO_POINTER (g_variant_get_boolean (parameter)));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_open_response), widget, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* ---- the menu ---- */

static GMenu *
make_classes (EsSelectionPane *self, gboolean outside)
{
  EsRegionSet *classes = es_region_control_get_classes (self->control);
  GMenu *menu = g_menu_new ();

  for (guint i = 0; classes != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (classes)); i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (classes), i);
      g_autoptr (GMenuItem) item = NULL;
      /* A name is no mnemonic. */
      g_auto (GStrv) parts = g_strsplit (es_named_region_get_name (region), "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts);

      item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "selection.add-class", "(bu)", outside, i);
      g_menu_append_item (menu, item);
    }
  return menu;
}

static void
append (GMenu *menu, const char *label, const char *action, gboolean outside)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "b", outside);
  g_menu_append_item (menu, item);
}

/* Each time anew: of the classes that there are. */
static void
fill_menu (GtkMenuButton *button, gpointer data)
{
  EsSelectionPane *self = data;
  g_autoptr (GMenu) menu = g_menu_new ();

  for (gboolean outside = FALSE; outside <= TRUE; outside++)
    {
      g_autoptr (GMenu) part = g_menu_new ();
      g_autoptr (GMenu) classes = make_classes (self, outside);

      append (part, outside ? _("Outside What Is _Selected") : _("_Inside What Is Selected"), "selection.add-selected",
              outside);
      if (g_menu_model_get_n_items (G_MENU_MODEL (classes)) > 0)
        g_menu_append_submenu (part, outside ? _("Outside a C_lass") : _("Inside a _Class"), G_MENU_MODEL (classes));
      append (part, outside ? _("Outside the Mask of a _File…") : _("Inside the _Mask of a File…"),
              "selection.add-mask", outside);
      g_menu_append_section (menu, NULL, G_MENU_MODEL (part));
    }
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

void
_es_selection_pane_make_pixels (EsSelectionPane *self)
{
  GtkWidget *everything = gtk_button_new_with_mnemonic (_("_Everything"));

  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->list, "class-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Sets of pixels"), -1);
  gtk_widget_set_visible (self->list, FALSE);
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));

  self->foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->add = gtk_menu_button_new ();
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->add), _("Pixels"));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->add), fill_menu, self, NULL);
  gtk_widget_set_tooltip_text (self->add, _("Take or leave the pixels of a region, a class or a mask"));
  gtk_widget_add_css_class (self->add, "flat");
  gtk_widget_add_css_class (self->add, "pane-foot");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (everything), "selection.everything");
  gtk_widget_set_tooltip_text (everything, _("All good bands and all pixels take part again"));
  gtk_widget_add_css_class (everything, "flat");
  gtk_widget_add_css_class (everything, "pane-button");
  gtk_widget_set_halign (everything, GTK_ALIGN_END);
  gtk_widget_set_hexpand (everything, TRUE);
  gtk_widget_add_css_class (self->foot, "pane-margins");
  gtk_box_append (GTK_BOX (self->foot), self->add);
  gtk_box_append (GTK_BOX (self->foot), everything);
  gtk_widget_set_parent (self->foot, GTK_WIDGET (self));
}

void
_es_selection_pane_install_pixel_actions (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "selection.remove", "u", remove_set);
  gtk_widget_class_install_action (klass, "selection.add-selected", "b", add_selected);
  gtk_widget_class_install_action (klass, "selection.add-class", "(bu)", add_class);
  gtk_widget_class_install_action (klass, "selection.add-mask", "b", add_mask);
}
