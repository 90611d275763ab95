/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-dialog.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-dialog.h"
#include "params/es-param-row.h"
#include "widgets/es-ui.h"

#define MOST_NONZEROS 2147483647.0

struct _EsMatrixDialog
{
  AdwWindow  parent_instance;

  EsParams  *params;
  GtkWidget *rows;                   /* one of each parameter, in their order; borrowed, as the next */
  GtkWidget *make;
  GtkLabel  *name, *size;
};

enum { MAKE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsMatrixDialog, es_matrix_dialog, ADW_TYPE_WINDOW)

/* Those that the kind asks for. */
static void
show_rows (EsMatrixDialog *self)
{
  const EsParamSpec *spec = es_params_get_specs (self->params);

  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL; row = gtk_widget_get_next_sibling (row))
    gtk_widget_set_visible (row, es_params_is_visible (self->params, (spec++)->key));
}

static void
update (EsMatrixDialog *self)
{
  g_autofree char *name = es_matrix_made_name (self->params), *bytes = NULL, *sentence = NULL;
  double rows, nonzeros;

  gtk_label_set_label (self->name, name);
  show_rows (self);
  gtk_widget_set_sensitive (self->make, TRUE);
  if (!es_matrix_made_size (self->params, &rows, &nonzeros))
    {
      es_dialog_say (self->size, "", "dim-label");
      return;
    }
  bytes = es_ui_format_bytes ((guint64) (12 * nonzeros + 4 * rows));
  if (rows > MOST_NONZEROS || nonzeros > MOST_NONZEROS)
    {
      es_dialog_say (self->size, _("That is too large: there can be 2,147,483,647 rows and as many nonzeros."),
                     "error");
      gtk_widget_set_sensitive (self->make, FALSE);
      return;
    }
  /* TRANSLATORS: of a matrix: numbers of rows and nonzeros, and memory: "60 MB" */
  sentence = g_strdup_printf (_("%'.0f rows, about %'.0f nonzeros, %s in memory"), rows, nonzeros, bytes);
  es_dialog_say (self->size, sentence, "dim-label");
}

void
es_matrix_dialog_make (EsMatrixDialog *self)
{
  g_autofree char *name = NULL;

  g_return_if_fail (ES_IS_MATRIX_DIALOG (self));

  name = es_matrix_made_name (self->params);
  g_signal_emit (self, signals[MAKE], 0, name);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
es_matrix_dialog_dispose (GObject *object)
{
  EsMatrixDialog *self = ES_MATRIX_DIALOG (object);

  if (self->params != NULL)
    g_signal_handlers_disconnect_by_data (self->params, self);
  g_clear_object (&self->params);
  G_OBJECT_CLASS (es_matrix_dialog_parent_class)->dispose (object);
}

static void
es_matrix_dialog_class_init (EsMatrixDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_matrix_dialog_dispose;
  signals[MAKE] = g_signal_new ("make", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkLabel *
add_label (GtkWidget *content, const char *class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (label, class);
  gtk_box_append (GTK_BOX (content), label);
  return GTK_LABEL (label);
}

static void
es_matrix_dialog_init (EsMatrixDialog *self)
{
  GtkWidget *content;

  gtk_window_set_title (GTK_WINDOW (self), _("New Matrix"));
  gtk_window_set_default_size (GTK_WINDOW (self), 460, 480);
  content = es_dialog_fill (GTK_WINDOW (self), _("_Make"), &self->make);
  g_signal_connect_swapped (self->make, "clicked", G_CALLBACK (es_matrix_dialog_make), self);
  self->rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_vexpand (self->rows, TRUE);
  gtk_box_append (GTK_BOX (content), self->rows);
  self->size = add_label (content, "dim-label");
  add_label (content, "heading");
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (content)), _("Its name, also for eigenscope-batch"));
  self->name = add_label (content, "monospace");
  gtk_label_set_selectable (self->name, TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (self->name), FALSE);
}

GtkWidget *
es_matrix_dialog_new (GtkWindow *parent)
{
  EsMatrixDialog *self = g_object_new (ES_TYPE_MATRIX_DIALOG, "transient-for", parent, "modal", TRUE, NULL);

  self->params = es_matrix_made_params ();
  g_signal_connect_swapped (self->params, "changed", G_CALLBACK (update), self);
  for (const EsParamSpec *spec = es_params_get_specs (self->params); spec->type != ES_PARAM_END; spec++)
    gtk_box_append (GTK_BOX (self->rows), es_param_row_new (self->params, spec));
  update (self);
  gtk_widget_grab_focus (self->make);
  return GTK_WIDGET (self);
}

EsParams *
es_matrix_dialog_get_params (EsMatrixDialog *self)
{
  g_return_val_if_fail (ES_IS_MATRIX_DIALOG (self), NULL);
  return self->params;
}

char *
es_matrix_dialog_get_name (EsMatrixDialog *self)
{
  g_return_val_if_fail (ES_IS_MATRIX_DIALOG (self), NULL);
  return es_matrix_made_name (self->params);
}
