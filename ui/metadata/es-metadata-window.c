/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-metadata-window.h"

#include <glib/gi18n-lib.h>

#include "es-file-facts-view.h"
#include "es-metadata-form.h"
#include "es-metadata-entry.h"
#include "es-metadata-store.h"
#include "es-metadata-table.h"
#include "inspection/es-metadata-import.h"
#include "widgets/es-dialog.h"

struct _EsMetadataWindow
{
  AdwWindow        parent_instance;

  EsShell         *shell;
  EsCube          *cube;
  GMenu           *sources;        /* of wavelengths */
  EsMetadataForm  *form;
  EsMetadataTable *table;
  GtkWidget       *facts;
  AdwViewStack    *stack;
  AdwWindowTitle  *title;
  GtkLabel        *verdict;
  char            *told_id;        /* which row told last; nullable */
  GCancellable    *cancellable;
};

G_DEFINE_FINAL_TYPE (EsMetadataWindow, es_metadata_window, ADW_TYPE_WINDOW)

static void
judge (EsMetadataWindow *self, const char *sentence, const char *look)
{
  es_dialog_say (self->verdict, sentence, look);
  gtk_widget_set_visible (GTK_WIDGET (self->verdict), *sentence != '\0');
}

static void
on_refused (EsMetadataWindow *self, const char *sentence)
{
  judge (self, sentence, "error");
}

/* ---- telling ---- */

static void
on_told (const GError *error, gpointer data)
{
  EsMetadataWindow *self = data;

  if (self->form == NULL)
    return;
  es_metadata_form_mark (self->form, error != NULL ? self->told_id : NULL);
  judge (self, error != NULL ? error->message : "", "error");
}

static void
on_tell (EsMetadataWindow *self, EsMetadata *metadata, const char *id)
{
  g_free (self->told_id);
  self->told_id = g_strdup (id);
  es_metadata_store_tell (self->shell, self->cube, metadata, on_told, self);
}

static void
on_undo (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsMetadataWindow *self = ES_METADATA_WINDOW (widget);

  es_metadata_store_undo (self->shell, self->cube);
}

/* An entry in which something is written undoes that, and else there is nothing for it to undo. Escape drops it, and
 * closes the window only then. */
static gboolean
on_key (EsMetadataWindow *self, guint key, guint code, GdkModifierType state)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (key == GDK_KEY_Escape && GTK_IS_TEXT (focus) && es_metadata_drop_written (focus))
    return TRUE;
  if (gdk_keyval_to_lower (key) != GDK_KEY_z || (state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK
      || !GTK_IS_TEXT (focus) || gtk_widget_is_ancestor (focus, self->facts) || es_metadata_is_written (focus))
    return FALSE;
  gtk_widget_activate_action (GTK_WIDGET (self), "metadata.undo", NULL);
  return TRUE;
}

/* ---- wavelengths from elsewhere ---- */

static void
merge (EsMetadataWindow *self, EsMetadata *more)
{
  g_autoptr (EsMetadata) all = es_metadata_merge (es_metadata_store_get_told (self->cube),
                                                  es_metadata_get_facts (more));

  on_tell (self, all, "wavelengths");
}

static void
on_imported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsMetadataWindow) self = data;
  g_autoptr (GError) error = NULL;
  gboolean guessed;
  g_autoptr (EsMetadata) more = es_cube_import_metadata_finish (result, &guessed, &error);

  if (self->form == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (more == NULL)
    {
      judge (self, error->message, "error");
      return;
    }
  merge (self, more);
  if (guessed)
    es_shell_say (self->shell, _("No unit of the wavelengths is said: it is guessed by the size of the numbers."));
}

void
es_metadata_window_take_file (EsMetadataWindow *self, GFile *file)
{
  g_return_if_fail (ES_IS_METADATA_WINDOW (self) && G_IS_FILE (file));
  es_cube_import_metadata_async (self->cube, file, self->cancellable, on_imported, g_object_ref (self));
}

static void
on_file_chosen (GtkNativeDialog *chooser, int response, EsMetadataWindow *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                                                           : NULL;

  if (file != NULL)
    es_metadata_window_take_file (self, file);
}

static void
on_take_file (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsMetadataWindow *self = ES_METADATA_WINDOW (widget);
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_("Take Wavelengths From"), GTK_WINDOW (self),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  GFile *own = es_dataset_get_file (ES_DATASET (self->cube));
  g_autoptr (GFile) folder = own != NULL ? g_file_get_parent (own) : NULL;

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
  es_shell_choose (self->shell, chooser, G_CALLBACK (on_file_chosen), self);
}

static void
on_take_cube (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsMetadataWindow *self = ES_METADATA_WINDOW (widget);
  GListModel *datasets = es_session_get_datasets (es_shell_get_session (self->shell));
  g_autoptr (EsDataset) other = g_list_model_get_item (datasets, g_variant_get_uint32 (parameter));
  g_autoptr (EsMetadata) more = NULL;
  g_autoptr (GError) error = NULL;

  if (!ES_IS_CUBE (other))
    return;
  more = es_cube_take_metadata_of (self->cube, ES_CUBE (other), &error);
  if (more != NULL)
    merge (self, more);
  else
    judge (self, error->message, "error");
}

static void
list_sources (EsMetadataWindow *self)
{
  GListModel *datasets = es_session_get_datasets (es_shell_get_session (self->shell));
  g_autoptr (GMenu) cubes = g_menu_new ();

  g_menu_remove_all (self->sources);
  g_menu_append (self->sources, _("A _File…"), "metadata.take-file");
  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) other = g_list_model_get_item (datasets, i);
      g_autoptr (GMenuItem) item = NULL;
      g_autoptr (GString) name = g_string_new (es_dataset_get_name (other));

      if (!ES_IS_CUBE (other) || other == ES_DATASET (self->cube))
        continue;
      /* It is no mnemonic. */
      g_string_replace (name, "_", "__", 0);
      item = g_menu_item_new (name->str, NULL);
      g_menu_item_set_action_and_target (item, "metadata.take-cube", "u", i);
      g_menu_append_item (cubes, item);
    }
  if (g_menu_model_get_n_items (G_MENU_MODEL (cubes)) > 0)
    g_menu_append_section (self->sources, _("Open Cubes"), G_MENU_MODEL (cubes));
}

/* ---- the cube ---- */

static void
show_cube (EsMetadataWindow *self)
{
  EsMetadata *metadata = es_cube_get_metadata (self->cube);
  g_autofree char *told = metadata != NULL ? es_metadata_describe (metadata) : NULL;
  g_autofree char *subtitle = told != NULL ? g_strdup_printf (_("Told beside the file: %s"), told)
                                           : g_strdup (_("As the file says it"));

  adw_window_title_set_title (self->title, es_dataset_get_name (ES_DATASET (self->cube)));
  adw_window_title_set_subtitle (self->title, subtitle);
  es_metadata_form_set_cube (self->form, self->cube);
  es_metadata_table_set_cube (self->table, self->cube);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "metadata.undo", es_metadata_store_can_undo (self->cube));
}

static gboolean
is_open (EsSession *session, EsDataset *dataset)
{
  GListModel *datasets = es_session_get_datasets (session);

  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) open = g_list_model_get_item (datasets, i);

      if (open == dataset)
        return TRUE;
    }
  return FALSE;
}

static void
on_datasets (EsMetadataWindow *self)
{
  EsSession *session = es_shell_get_session (self->shell);
  EsDataset *now = es_session_get_current (session, ES_DATASET (self->cube));

  if (!is_open (session, now))
    {
      gtk_window_close (GTK_WINDOW (self));
      return;
    }
  if (g_set_object (&self->cube, ES_CUBE (now)))
    show_cube (self);
  list_sources (self);
}

EsCube *
es_metadata_window_get_cube (EsMetadataWindow *self)
{
  g_return_val_if_fail (ES_IS_METADATA_WINDOW (self), NULL);
  return self->cube;
}

void
es_metadata_window_show (EsMetadataWindow *self, const char *page)
{
  g_return_if_fail (ES_IS_METADATA_WINDOW (self));
  adw_view_stack_set_visible_child_name (self->stack, page);
}

GtkWidget *
es_metadata_window_get_page (EsMetadataWindow *self, const char *page)
{
  g_return_val_if_fail (ES_IS_METADATA_WINDOW (self), NULL);
  return adw_view_stack_get_child_by_name (self->stack, page);
}

const char *
es_metadata_window_get_verdict (EsMetadataWindow *self)
{
  g_return_val_if_fail (ES_IS_METADATA_WINDOW (self), NULL);
  return gtk_label_get_label (self->verdict);
}

/* ---- beginning and end ---- */

static void
add_page (EsMetadataWindow *self, GtkWidget *page, const char *name, const char *title, const char *icon)
{
  AdwViewStackPage *added = adw_view_stack_add_titled (self->stack, page, name, title);

  adw_view_stack_page_set_icon_name (added, icon);
}

static void
fill (EsMetadataWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *header = adw_header_bar_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkWidget *switcher = adw_view_switcher_bar_new (), *undo = gtk_button_new_from_icon_name ("edit-undo-symbolic");

  self->title = ADW_WINDOW_TITLE (adw_window_title_new ("", ""));
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), GTK_WIDGET (self->title));
  gtk_widget_set_tooltip_text (undo, _("Undo (Ctrl+Z)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (undo), "metadata.undo");
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), undo);
  self->stack = ADW_VIEW_STACK (adw_view_stack_new ());
  self->form = ES_METADATA_FORM (es_metadata_form_new (G_MENU_MODEL (self->sources)));
  self->table = ES_METADATA_TABLE (es_metadata_table_new ());
  self->facts = es_file_facts_view_new (ES_DATASET (self->cube));
  g_signal_connect_object (self->form, "tell", G_CALLBACK (on_tell), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "tell", G_CALLBACK (on_tell), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->form, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "refused", G_CALLBACK (on_refused), self, G_CONNECT_SWAPPED);
  add_page (self, GTK_WIDGET (self->form), "understood", _("What Is Understood"), "document-properties-symbolic");
  add_page (self, GTK_WIDGET (self->table), "bands", _("Bands"), "view-list-symbolic");
  add_page (self, self->facts, "file", _("What the File Says"), "text-x-generic-symbolic");
  adw_view_switcher_bar_set_stack (ADW_VIEW_SWITCHER_BAR (switcher), self->stack);
  adw_view_switcher_bar_set_reveal (ADW_VIEW_SWITCHER_BAR (switcher), TRUE);
  self->verdict = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_wrap (self->verdict, TRUE);
  gtk_label_set_xalign (self->verdict, 0);
  gtk_widget_set_margin_start (GTK_WIDGET (self->verdict), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->verdict), 12);
  gtk_widget_set_margin_top (GTK_WIDGET (self->verdict), 6);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->verdict), 6);
  gtk_widget_set_visible (GTK_WIDGET (self->verdict), FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->verdict));
  gtk_box_append (GTK_BOX (box), switcher);
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/* The one of this file, whatever it was told since. */
static EsMetadataWindow *
find_window (EsCube *cube)
{
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (windows, i);

      if (ES_IS_METADATA_WINDOW (window)
          && es_cube_get_original (ES_METADATA_WINDOW (window)->cube) == es_cube_get_original (cube))
        return ES_METADATA_WINDOW (window);
    }
  return NULL;
}

void
es_metadata_window_present (EsShell *shell, EsCube *cube)
{
  EsSession *session = es_shell_get_session (shell);
  EsMetadataWindow *self = find_window (cube);

  if (self == NULL)
    {
      self = g_object_new (ES_TYPE_METADATA_WINDOW, "title", _("Metadata"), "transient-for",
                           es_shell_get_window (shell), "destroy-with-parent", TRUE, "default-width",
                           680, "default-height", 640, NULL);
      self->shell = g_object_ref (shell);
      self->cube = g_object_ref (ES_CUBE (es_session_get_current (session, ES_DATASET (cube))));
      fill (self);
      list_sources (self);
      show_cube (self);
      g_signal_connect_object (es_session_get_datasets (session), "items-changed", G_CALLBACK (on_datasets), self,
                               G_CONNECT_SWAPPED);
    }
  gtk_window_present (GTK_WINDOW (self));
}

static void
es_metadata_window_dispose (GObject *object)
{
  EsMetadataWindow *self = ES_METADATA_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  self->form = NULL;
  G_OBJECT_CLASS (es_metadata_window_parent_class)->dispose (object);
}

static void
es_metadata_window_finalize (GObject *object)
{
  EsMetadataWindow *self = ES_METADATA_WINDOW (object);

  g_clear_object (&self->shell);
  g_clear_object (&self->cube);
  g_clear_object (&self->sources);
  g_clear_object (&self->cancellable);
  g_free (self->told_id);
  G_OBJECT_CLASS (es_metadata_window_parent_class)->finalize (object);
}

static void
es_metadata_window_class_init (EsMetadataWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_metadata_window_dispose;
  G_OBJECT_CLASS (class)->finalize = es_metadata_window_finalize;
  gtk_widget_class_install_action (widget_class, "metadata.take-file", NULL, on_take_file);
  gtk_widget_class_install_action (widget_class, "metadata.take-cube", "u", on_take_cube);
  gtk_widget_class_install_action (widget_class, "metadata.undo", NULL, on_undo);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, "metadata.undo", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
es_metadata_window_init (EsMetadataWindow *self)
{
  self->sources = g_menu_new ();
  self->cancellable = g_cancellable_new ();
}
