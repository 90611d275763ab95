/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-workspace.h"

#include <glib/gi18n-lib.h>

#include "es-matrix-dialog.h"
#include "files/es-saver.h"
#include "widgets/es-export.h"

struct _EsMatrixWorkspace
{
  EsWorkspace   parent_instance;

  EsMatrixPage *page;                /* NULL until a matrix has been shown */
  GMenuModel   *save_menu;
  EsSparseMatrix *matrix;            /* that is shown; NULL: none is */
};

G_DEFINE_FINAL_TYPE (EsMatrixWorkspace, es_matrix_workspace, ES_TYPE_WORKSPACE)

enum { NEEDS_RESULT = 1 << 0 };      /* what was found of a matrix is shown */

static void
ensure_widgets (EsMatrixWorkspace *self)
{
  if (self->page != NULL)
    return;
  self->page = g_object_ref_sink (ES_MATRIX_PAGE (es_matrix_page_new ()));
  self->save_menu = es_workspace_load_save_menu ("es-matrix-menu");
}

/* What runs on the matrix that is shown; NULL: nothing does. Borrowed. */
static EsJob *
find_job (EsMatrixWorkspace *self)
{
  GListModel *jobs = es_session_get_jobs (es_shell_get_session (es_workspace_get_shell (ES_WORKSPACE (self))));
  EsJob *found = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (jobs) && found == NULL; i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (jobs, i);

      /* The list keeps it. */
      if (es_job_is_active (job) && es_job_get_dataset (job) == ES_DATASET (self->matrix))
        found = job;
    }
  return found;
}

static gboolean
show (EsWorkspace *workspace, EsResult *replaced)
{
  EsMatrixWorkspace *self = ES_MATRIX_WORKSPACE (workspace);
  EsShown *shown = es_workspace_get_shown (workspace);
  EsDataset *dataset = es_shown_get_dataset (shown);

  if (dataset == NULL || !ES_IS_SPARSE_MATRIX (dataset))
    {
      if (self->page != NULL)
        es_matrix_page_show (self->page, NULL, NULL);
      g_clear_object (&self->matrix);
      return FALSE;
    }
  ensure_widgets (self);
  g_set_object (&self->matrix, ES_SPARSE_MATRIX (dataset));
  es_matrix_page_show (self->page, self->matrix, es_shown_get_result (shown));
  es_matrix_page_set_job (self->page, find_job (self));
  if (es_shown_get_result (shown) != NULL && es_shown_get_layer (shown) != NULL)
    es_matrix_page_seek (self->page, es_shown_get_layer (shown));
  return TRUE;
}

/* ---- what the window asks ---- */

static void
watch_job (EsWorkspace *workspace, EsJob *job)
{
  EsMatrixWorkspace *self = ES_MATRIX_WORKSPACE (workspace);

  if (self->matrix != NULL && es_job_get_dataset (job) == ES_DATASET (self->matrix))
    {
      es_matrix_page_set_job (self->page, job);
      es_matrix_page_seek (self->page, NULL);
    }
}

static EsWorkspaceAbilities
get_abilities (EsWorkspace *workspace)
{
  return ES_WORKSPACE_RUNS;
}

static GtkWidget *
get_middle (EsWorkspace *workspace)
{
  ensure_widgets (ES_MATRIX_WORKSPACE (workspace));
  return GTK_WIDGET (ES_MATRIX_WORKSPACE (workspace)->page);
}

static GMenuModel *
get_save_menu (EsWorkspace *workspace)
{
  return ES_MATRIX_WORKSPACE (workspace)->save_menu;
}

static void
on_picture_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsShell) shell = data;
  g_autoptr (GError) error = NULL;

  if (!es_export_save_texture_finish (result, &error) && es_shell_is_open (shell))
    es_shell_say (shell, error->message);
}

static void
save_picture_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsMatrixWorkspace *self = user_data;
  g_autoptr (GdkTexture) texture = es_matrix_page_render (self->page);

  if (texture != NULL)
    es_export_save_texture_async (texture, file, NULL, on_picture_saved,
                                  g_object_ref (es_workspace_get_shell (ES_WORKSPACE (self))));
}

static void
activate (EsWorkspace *workspace, const char *what)
{
  EsMatrixWorkspace *self = ES_MATRIX_WORKSPACE (workspace);

  if (self->matrix == NULL)
    return;
  if (g_str_equal (what, "copy"))
    {
      g_autoptr (GdkTexture) texture = es_matrix_page_render (self->page);

      if (texture != NULL)
        gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (self->page)), texture);
    }
  else if (g_str_equal (what, "save-picture"))
    es_export_ask_file (GTK_WIDGET (self->page), _("Save Picture"), es_dataset_get_name (ES_DATASET (self->matrix)),
                        "png", save_picture_to, self);
  else if (g_str_equal (what, "save"))
    es_saver_choose (es_workspace_get_shell (workspace), ES_SAVE_ALL, NULL);
}

/* ---- actions ---- */

static void
activate_back (gpointer owner, const char *name, GVariant *parameter)
{
  EsMatrixWorkspace *self = owner;

  if (self->matrix != NULL)
    es_shown_set (es_workspace_get_shown (owner), ES_DATASET (self->matrix), NULL, NULL);
}

static void
on_make (gpointer window, const char *name)
{
  gtk_widget_activate_action (window, "win.make-matrix", "s", name);
}

static void
activate_new (gpointer owner, const char *name, GVariant *parameter)
{
  GtkWindow *window = es_shell_get_window (es_workspace_get_shell (owner));
  GtkWidget *dialog = es_matrix_dialog_new (window);

  g_signal_connect_object (dialog, "make", G_CALLBACK (on_make), window, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static const EsAction actions[] = {
  { "new-matrix", NULL, activate_new, 0 },
  { "matrix-back", NULL, activate_back, NEEDS_RESULT },
};

static const EsWorkspaceKey keys[] = {
  { GDK_KEY_Left, GDK_ALT_MASK, "win.matrix-back" },
};

static guint
get_met (EsWorkspace *workspace)
{
  EsMatrixWorkspace *self = ES_MATRIX_WORKSPACE (workspace);

  return self->matrix != NULL && es_shown_get_result (es_workspace_get_shown (workspace)) != NULL ? NEEDS_RESULT : 0;
}

/* ---- the class ---- */

static void
es_matrix_workspace_dispose (GObject *object)
{
  EsMatrixWorkspace *self = ES_MATRIX_WORKSPACE (object);

  g_clear_object (&self->page);
  g_clear_object (&self->matrix);
  g_clear_object (&self->save_menu);
  G_OBJECT_CLASS (es_matrix_workspace_parent_class)->dispose (object);
}

static void
es_matrix_workspace_class_init (EsMatrixWorkspaceClass *class)
{
  EsWorkspaceClass *workspace_class = ES_WORKSPACE_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_matrix_workspace_dispose;
  workspace_class->actions = actions;
  workspace_class->n_actions = G_N_ELEMENTS (actions);
  workspace_class->keys = keys;
  workspace_class->n_keys = G_N_ELEMENTS (keys);
  workspace_class->data_height = 104;
  workspace_class->get_met = get_met;
  workspace_class->show = show;
  workspace_class->watch_job = watch_job;
  workspace_class->get_abilities = get_abilities;
  workspace_class->get_middle = get_middle;
  workspace_class->get_save_menu = get_save_menu;
  workspace_class->activate = activate;
}

static void
es_matrix_workspace_init (EsMatrixWorkspace *self)
{
}

EsMatrixPage *
es_matrix_workspace_get_page (EsMatrixWorkspace *self)
{
  g_return_val_if_fail (ES_IS_MATRIX_WORKSPACE (self), NULL);
  return self->page;
}
