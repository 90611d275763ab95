/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The comparison of devices, and the report. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "analyse/es-comparison-dialog.h"
#include "widgets/es-export.h"
#include "report/es-report.h"

/* ---- devices ---- */

static EsComparisonDialog *
find_dialog (EsWindow *self)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at != NULL; at = at->next)
    if (ES_IS_COMPARISON_DIALOG (at->data) && gtk_window_get_transient_for (at->data) == GTK_WINDOW (self))
      return at->data;
  return NULL;
}

/* What is shown, as it was computed; else what the panel would run. */
void
es_window_compare_devices (EsWindow *self)
{
  EsAnalysePanel *analyse = es_sidebar_get_analyse (self->sidebar);
  EsDataset *dataset = es_shown_get_dataset (self->shown);
  EsResult *result = es_shown_get_result (self->shown);
  const EsOperation *operation = result != NULL ? es_result_get_operation (result)
                                                : es_analyse_panel_get_operation (analyse);
  EsParams *params = result != NULL ? es_result_get_params (result) : es_analyse_panel_get_params (analyse);
  EsComparisonDialog *open = find_dialog (self);
  g_autoptr (EsComparison) comparison = NULL;

  if (dataset == NULL)
    return;
  /* An operation of results would need its source: the panel's is compared instead. */
  if (operation != NULL && operation->of_result)
    {
      operation = es_analyse_panel_get_operation (analyse);
      params = es_analyse_panel_get_params (analyse);
    }
  if (operation == NULL)
    return;
  if (open != NULL && es_comparison_get_dataset (es_comparison_dialog_get_comparison (open)) == dataset
      && es_comparison_get_operation (es_comparison_dialog_get_comparison (open)) == operation
      && es_params_equal (es_comparison_get_params (es_comparison_dialog_get_comparison (open)), params))
    {
      gtk_window_present (GTK_WINDOW (open));
      return;
    }
  comparison = es_comparison_new (operation, dataset, params, NULL);
  g_set_object (&self->comparison, comparison);
  gtk_window_present (GTK_WINDOW (es_comparison_dialog_new (GTK_WINDOW (self), comparison)));
}

/* ---- the report ---- */

typedef struct
{
  EsShell    *shell;
  EsActivity *activity;
  GFile      *target;
} Reporting;

static void
on_report_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  Reporting *reporting = data;
  g_autoptr (EsShell) shell = reporting->shell;
  g_autoptr (EsActivity) activity = reporting->activity;
  g_autoptr (GFile) target = reporting->target;
  g_autoptr (GError) error = NULL;
  gboolean saved = es_report_save_finish (ES_REPORT (source), result, &error);

  g_free (reporting);
  es_shell_end_saving (shell, activity, saved ? target : NULL, error);
}

/* A loaded result may be forged. */
static gboolean
is_text (JsonNode *node, const char *text)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         && strcmp (json_node_get_string (node), text) == 0;
}

/* The newest reconstruction from the shown result, if there is one. */
static EsResult *
find_reconstruction (EsWindow *self)
{
  GListModel *results = es_session_get_results (self->session, es_shown_get_dataset (self->shown));
  EsResult *found = NULL;

  for (guint i = 0; results != NULL && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (EsResult) result = g_list_model_get_item (results, i);
      JsonNode *node = json_object_get_member (es_result_get_values (result), "source");
      JsonObject *source = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

      /* The session keeps it. */
      if (es_result_get_operation (result)->of_result && source != NULL
          && is_text (json_object_get_member (source, "title"),
                      es_result_get_found_title (es_shown_get_result (self->shown))))
        found = result;
    }
  return found;
}

static EsReport *
make_report (EsWindow *self)
{
  EsResult *result = es_shown_get_result (self->shown);
  EsReport *report = es_report_new (result);

  es_report_set_reconstruction (report, find_reconstruction (self));
  if (self->comparison != NULL && es_comparison_get_dataset (self->comparison) == es_shown_get_dataset (self->shown)
      && es_comparison_get_operation (self->comparison) == es_result_get_operation (result)
      && es_comparison_get_n_steps (self->comparison) > 0)
    es_report_set_comparison (report, self->comparison);
  return report;
}

void
es_window_save_report (EsWindow *self, GFile *target)
{
  g_autoptr (EsReport) report = NULL;
  Reporting *reporting;

  if (es_shown_get_result (self->shown) == NULL)
    return;
  report = make_report (self);
  reporting = g_new0 (Reporting, 1);
  reporting->shell = g_object_ref (self->shell);
  reporting->activity = g_object_ref (es_shell_begin_saving (self->shell, target));
  reporting->target = g_object_ref (target);
  es_report_save_async (report, target, es_activity_get_cancellable (reporting->activity), on_report_saved, reporting);
}

static void
save_report_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  es_window_save_report (ES_WINDOW (gtk_widget_get_root (widget)), file);
}

static char *
without_extension (const char *name, const char *extension)
{
  return g_str_has_suffix (name, extension) ? g_strndup (name, strlen (name) - strlen (extension)) : g_strdup (name);
}

void
es_window_choose_report (EsWindow *self)
{
  g_autoptr (EsReport) report = NULL;
  g_autofree char *name = NULL;
  g_autofree char *stem = NULL;

  if (es_shown_get_result (self->shown) == NULL)
    return;
  report = es_report_new (es_shown_get_result (self->shown));
  name = es_report_suggest_name (report);
  stem = without_extension (name, ".html");
  es_export_ask_file (GTK_WIDGET (self->columns), _("Save Report"), stem, "html", save_report_to, NULL);
}
