/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Rows of files: a button that asks for one. */

#include "es-param-row-private.h"

#include <glib/gi18n-lib.h>

static void
on_file_response (GtkNativeDialog *dialog, int response, EsParamRow *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                                                           : NULL;
  if (file != NULL)
    {
      g_autofree char *name = g_file_get_parse_name (file);
      es_params_set_text (self->params, self->spec->key, name);
    }
  g_clear_object (&self->chooser);
}

static void
on_file_clicked (EsParamRow *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  const char *present = es_params_get_text (self->params, self->spec->key);

  if (self->chooser == NULL)
    {
      self->chooser = gtk_file_chooser_native_new (_(self->spec->label),
                                                   GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                                   GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
      gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
      g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_file_response), self, 0);
      if (*present != '\0')
        {
          g_autoptr (GFile) file = g_file_parse_name (present);
          gtk_file_chooser_set_file (GTK_FILE_CHOOSER (self->chooser), file, NULL);
        }
    }
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

GtkWidget *
es_param_row_make_name (EsParamRow *self)
{
  self->name = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->name), 18);
  gtk_label_set_xalign (GTK_LABEL (self->name), 1);
  return self->name;
}

GtkWidget *
es_param_row_make_file (EsParamRow *self)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (content), gtk_image_new_from_icon_name ("document-open-symbolic"));
  gtk_box_append (GTK_BOX (content), es_param_row_make_name (self));
  gtk_button_set_child (GTK_BUTTON (button), content);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_file_clicked), self);
  return button;
}
