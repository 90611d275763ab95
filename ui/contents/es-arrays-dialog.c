/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-arrays-dialog.h"

#include <glib/gi18n-lib.h>

#include "base/es-text-show.h"
#include "dataset/es-file-array.h"
#include "widgets/es-dialog.h"

struct _EsArraysDialog
{
  AdwWindow   parent_instance;

  GtkListBox *list;
  GtkWidget  *accept;
  EsDataset  *dataset;
  GPtrArray  *checks;            /* of GtkCheckButton, borrowed: one an array */
};

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsArraysDialog, es_arrays_dialog, ADW_TYPE_WINDOW)

static const EsFileArray *
get_array (EsArraysDialog *self, guint i)
{
  return g_ptr_array_index (es_dataset_get_arrays (self->dataset), i);
}

static gboolean
is_marked (EsArraysDialog *self, guint i)
{
  GtkWidget *check = g_ptr_array_index (self->checks, i);

  return gtk_widget_get_sensitive (check) && gtk_check_button_get_active (GTK_CHECK_BUTTON (check));
}

static void
update (EsArraysDialog *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->checks->len; i++)
    any = any || is_marked (self, i);
  gtk_widget_set_sensitive (self->accept, any);
}

void
es_arrays_dialog_accept (EsArraysDialog *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) chosen = NULL;

  g_return_if_fail (ES_IS_ARRAYS_DIALOG (self));

  for (guint i = 0; i < self->checks->len; i++)
    if (is_marked (self, i))
      g_strv_builder_add (names, get_array (self, i)->name);
  chosen = g_strv_builder_end (names);
  if (chosen[0] == NULL)
    return;
  g_signal_emit (self, signals[CHOSEN], 0, chosen);
  gtk_window_close (GTK_WINDOW (self));
}

gboolean
es_arrays_dialog_mark (EsArraysDialog *self, const char *name)
{
  g_return_val_if_fail (ES_IS_ARRAYS_DIALOG (self), FALSE);

  for (guint i = 0; i < self->checks->len; i++)
    {
      GtkWidget *check = g_ptr_array_index (self->checks, i);

      if (!g_str_equal (get_array (self, i)->name, name) || !gtk_widget_get_sensitive (check))
        continue;
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check), TRUE);
      return TRUE;
    }
  return FALSE;
}

static void
add_array (EsArraysDialog *self, const EsFileArray *array, gboolean is_open)
{
  GtkWidget *row = adw_action_row_new (), *check = gtk_check_button_new ();
  const char *reason = es_file_array_tell_reason (array);
  g_autofree char *name = es_text_show (array->name), *description = es_file_array_describe (array);
  g_autoptr (GString) subtitle = g_string_new (description);

  if (reason != NULL)
    /* TRANSLATORS: of an array of a file, behind its size; %s is a reason: "it has wavelengths" */
    g_string_append_printf (subtitle, _(" · opens by itself: %s"), reason);
  if (is_open)
    /* TRANSLATORS: of an array of a file, behind its size */
    g_string_append (subtitle, _(" · open"));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle->str);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  gtk_widget_set_valign (check, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), is_open);
  g_signal_connect_object (check, "toggled", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
  gtk_widget_set_sensitive (check, !is_open);
  gtk_widget_set_sensitive (row, !is_open);
  g_ptr_array_add (self->checks, check);
  gtk_list_box_append (self->list, row);
}

static void
es_arrays_dialog_dispose (GObject *object)
{
  EsArraysDialog *self = ES_ARRAYS_DIALOG (object);

  g_clear_object (&self->dataset);
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  G_OBJECT_CLASS (es_arrays_dialog_parent_class)->dispose (object);
}

static void
es_arrays_dialog_class_init (EsArraysDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_arrays_dialog_dispose;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRV);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
es_arrays_dialog_init (EsArraysDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new ();

  self->checks = g_ptr_array_new ();
  gtk_window_set_title (GTK_WINDOW (self), _("Other Arrays"));
  gtk_window_set_default_size (GTK_WINDOW (self), 560, 420);
  gtk_box_append (GTK_BOX (box), es_dialog_header_new (_("_Open"), &self->accept));
  gtk_widget_set_sensitive (self->accept, FALSE);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->accept);
  g_signal_connect_object (self->accept, "clicked", G_CALLBACK (es_arrays_dialog_accept), self, G_CONNECT_SWAPPED);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_widget_set_valign (GTK_WIDGET (self->list), GTK_ALIGN_START);
  gtk_widget_set_margin_top (GTK_WIDGET (self->list), 12);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->list), 12);
  gtk_widget_set_margin_start (GTK_WIDGET (self->list), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->list), 12);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_box_append (GTK_BOX (box), scrolled);
  adw_window_set_content (ADW_WINDOW (self), box);
}

GtkWidget *
es_arrays_dialog_new (GtkWindow *parent, EsDataset *dataset, const char * const *open)
{
  EsArraysDialog *self;
  GPtrArray *arrays;
  g_autofree char *title = NULL;

  g_return_val_if_fail (ES_IS_DATASET (dataset), NULL);

  self = g_object_new (ES_TYPE_ARRAYS_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
  self->dataset = g_object_ref (dataset);
  /* TRANSLATORS: %s is the name of a file */
  title = g_strdup_printf (_("Arrays of “%s”"), es_dataset_get_name (dataset));
  gtk_window_set_title (GTK_WINDOW (self), title);
  arrays = es_dataset_get_arrays (dataset);
  for (guint i = 0; i < arrays->len; i++)
    add_array (self, g_ptr_array_index (arrays, i), g_strv_contains (open, get_array (self, i)->name));
  for (guint i = self->checks->len; i-- > 0;)
    if (gtk_widget_get_sensitive (g_ptr_array_index (self->checks, i)))
      gtk_window_set_focus (GTK_WINDOW (self), g_ptr_array_index (self->checks, i));
  return GTK_WIDGET (self);
}
