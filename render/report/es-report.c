/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-report.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-file-name.h"
#include "cube/es-cube.h"
#include "result/es-operation.h"
#include "plane/es-render-file-internal.h"
#include "es-report-private.h"

struct _EsReport
{
  GObject   parent_instance;

  EsResult *result;
  EsResult *reconstruction;
  char     *note;

  /* What a comparison said when it was given. */
  EsTable  *comparison;
  char     *comparison_command;
  guint     repeats;
};

G_DEFINE_FINAL_TYPE (EsReport, es_report, G_TYPE_OBJECT)

static void
es_report_finalize (GObject *object)
{
  EsReport *self = ES_REPORT (object);

  g_clear_object (&self->result);
  g_clear_object (&self->reconstruction);
  g_clear_object (&self->comparison);
  g_free (self->comparison_command);
  g_free (self->note);
  G_OBJECT_CLASS (es_report_parent_class)->finalize (object);
}

static void
es_report_class_init (EsReportClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_report_finalize;
}

static void
es_report_init (EsReport *self)
{
}

EsReport *
es_report_new (EsResult *result)
{
  EsReport *self = g_object_new (ES_TYPE_REPORT, NULL);

  self->result = g_object_ref (result);
  return self;
}

void
es_report_set_reconstruction (EsReport *self, EsResult *reconstruction)
{
  g_return_if_fail (ES_IS_REPORT (self));
  g_set_object (&self->reconstruction, reconstruction);
}

void
es_report_set_comparison (EsReport *self, EsComparison *comparison)
{
  g_return_if_fail (ES_IS_REPORT (self));

  g_clear_object (&self->comparison);
  g_clear_pointer (&self->comparison_command, g_free);
  if (comparison == NULL || es_comparison_get_n_steps (comparison) == 0)
    return;
  self->comparison = es_comparison_make_table (comparison);
  self->comparison_command = es_comparison_to_command (comparison);
  self->repeats = es_comparison_get_repeats (comparison);
}

void
es_report_set_note (EsReport *self, const char *note)
{
  g_return_if_fail (ES_IS_REPORT (self));
  g_free (self->note);
  self->note = g_strdup (note);
}

char *
es_report_suggest_name (EsReport *self)
{
  g_autofree char *stem = NULL;

  g_return_val_if_fail (ES_IS_REPORT (self), NULL);
  stem = es_file_name_stem (es_dataset_get_name (es_result_get_dataset (self->result)), NULL);
  return g_strdup_printf ("%s-%s-report.html", stem, es_result_get_operation (self->result)->id);
}

/* ---- sections ---- */

static void
append_head (EsReport *self, GString *page)
{
  EsDataset *dataset = es_result_get_dataset (self->result);
  const EsOperation *operation = es_result_get_operation (self->result);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d %H:%M");
  g_autofree char *description = es_dataset_describe (dataset);
  /* TRANSLATORS: the title of a report: what was done and the name of the data */
  g_autofree char *title = g_strdup_printf (_("%s of %s"), es_result_get_title (self->result),
                                            es_dataset_get_name (dataset));
  const char *const *warnings = es_result_get_warnings (self->result);

  es_report_begin_page (page, title);
  es_report_append_element (page, "h1", NULL, title);
  g_string_append (page, "<p class=\"by\">");
  es_report_append_text (page, description);
  g_string_append (page, " · Eigenscope " ES_VERSION " · ");
  es_report_append_text (page, date);
  g_string_append (page, "</p>\n");
  if (self->note != NULL && *self->note != '\0')
    es_report_append_element (page, "p", "class=\"note\"", self->note);
  es_report_append_element (page, "p", NULL, g_dgettext (GETTEXT_PACKAGE, operation->summary));
  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    es_report_append_element (page, "p", "class=\"warning\"", warnings[i]);
}

static gboolean
append_scene (EsReport *self, GString *page, GCancellable *cancellable, GError **error)
{
  EsDataset *dataset = es_result_get_dataset (self->result);
  const char *const *notes = es_dataset_get_notes (dataset);
  EsCube *cube;

  es_report_begin_section (page, _("Data"));
  if (!ES_IS_CUBE (dataset))
    return TRUE;
  cube = ES_CUBE (dataset);
  if (!es_report_append_scene (page, cube, cancellable, error))
    return FALSE;

  g_autofree char *shape = g_strdup_printf (_("%llu × %llu pixels, %u bands"),
                                            (unsigned long long) es_cube_get_width (cube),
                                            (unsigned long long) es_cube_get_height (cube), es_cube_get_bands (cube));
  g_autofree char *good = g_strdup_printf (_("%u of %u"), es_cube_get_n_good_bands (cube), es_cube_get_bands (cube));
  g_autofree char *bytes = g_format_size (es_cube_get_bytes (cube));
  g_autofree char *stored = g_strdup_printf ("%s, %s, %s", es_cube_get_format_name (cube),
                                             es_cube_get_type_name (cube), bytes);
  g_autoptr (EsSelection) selection = es_result_dup_selection (self->result);
  g_autofree char *taken = selection != NULL ? es_selection_describe (selection) : NULL;
  double latitude, longitude;

  g_string_append (page, "<table class=\"facts\">\n");
  es_report_append_fact (page, _("Name"), es_dataset_get_name (dataset), FALSE);
  es_report_append_fact (page, _("Size"), shape, FALSE);
  es_report_append_fact (page, _("Stored as"), stored, FALSE);
  es_report_append_fact (page, _("Good bands"), good, FALSE);
  if (taken != NULL)
    es_report_append_fact (page, _("Takes part"), taken, FALSE);
  if (es_cube_get_geographic (cube, (es_cube_get_width (cube) - 1) / 2.0, (es_cube_get_height (cube) - 1) / 2.0,
                              &latitude, &longitude))
    {
      g_autofree char *centre = g_strdup_printf ("%.5f° %s, %.5f° %s", fabs (latitude), latitude < 0 ? "S" : "N",
                                                 fabs (longitude), longitude < 0 ? "W" : "E");
      es_report_append_fact (page, _("Centre"), centre, FALSE);
    }
  for (guint i = 0; notes != NULL && notes[i] != NULL; i++)
    es_report_append_fact (page, _("Note"), notes[i], FALSE);
  g_string_append (page, "</table>\n");
  return TRUE;
}

static void
append_parameters (GString *page, EsParams *params)
{
  es_report_begin_section (page, _("Parameters"));
  g_string_append (page, "<div class=\"columns\"><table class=\"facts\">\n");
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (es_params_is_visible (params, spec->key))
      {
        g_autofree char *value = es_params_format_for_people (params, spec->key);
        es_report_append_fact (page, g_dgettext (GETTEXT_PACKAGE, spec->label), value,
                               !es_params_is_key_default (params, spec->key));
      }
  g_string_append (page, "</table></div>\n");
  if (!es_params_is_default (params))
    es_report_append_element (page, "p", "class=\"quiet\"", _("In bold: what differs from the defaults."));
}

static gboolean
append_reconstruction (EsReport *self, GString *page, GCancellable *cancellable, GError **error)
{
  static const struct { const char *key, *title; int digits; } totals[] = {
    { "components", N_("Components used"), 0 }, { "of_components", N_("Of"), 0 },
    { "rmse", N_("RMSE"), -2 }, { "largest_rmse", N_("Largest RMSE of a pixel"), -2 },
    { "angle", N_("Mean spectral angle (°)"), 4 }, { "snr_db", N_("SNR (dB)"), 2 },
  };
  JsonObject *values;
  EsImageStack *stack;

  if (self->reconstruction == NULL)
    return TRUE;
  values = es_result_get_values (self->reconstruction);
  es_report_begin_section (page, _("What the components keep"));
  g_string_append (page, "<table class=\"facts\">\n");
  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    {
      JsonNode *node = json_object_get_member (values, totals[i].key);

      if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
        continue;
      g_autofree char *value = totals[i].digits < 0 ? g_strdup_printf ("%.5g", json_node_get_double (node))
                               : g_strdup_printf ("%.*f", totals[i].digits, json_node_get_double (node));
      es_report_append_fact (page, g_dgettext (GETTEXT_PACKAGE, totals[i].title), value, FALSE);
    }
  g_string_append (page, "</table>\n");
  stack = es_report_find_stack (self->reconstruction);
  return (stack == NULL || es_report_append_pictures (page, stack, cancellable, error))
         && es_report_append_plots (page, self->reconstruction, cancellable, error);
}

/* What binds a step, and how far it is from that. */
static void
append_bound (GString *page, const EsStageTime *stage)
{
  g_autofree char *bound = stage->bound != ES_BOUND_UNKNOWN ? es_stage_time_describe_bound (stage) : NULL;

  es_report_append_element (page, "td", NULL, bound != NULL ? bound : "");
}

static void
append_advice (GString *page, EsResult *result)
{
  g_auto (GStrv) advice = es_result_list_advice (result);

  if (advice == NULL)
    return;
  g_string_append (page, "<ul>\n");
  for (char **sentence = advice; *sentence != NULL; sentence++)
    es_report_append_element (page, "li", NULL, *sentence);
  g_string_append (page, "</ul>\n");
}

static void
append_steps (EsReport *self, GString *page)
{
  guint n;
  const EsStageTime *stages = es_result_get_stages (self->result, &n);
  const double total = es_result_get_total_ms (self->result);
  const char *reason = es_result_get_device_reason (self->result);

  es_report_begin_section (page, _("Steps"));
  g_string_append (page, "<table><tbody>\n");
  for (guint i = 0; i < n; i++)
    {
      const double share = total > 0 ? stages[i].ms / total : 0;
      char width[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *ms = g_strdup_printf ("%.1f ms", stages[i].ms);
      g_autofree char *percent = g_strdup_printf ("%.1f %%", 100 * share);

      g_ascii_formatd (width, sizeof width, "%.2f", 16 * CLAMP (share, 0, 1));
      g_string_append (page, "<tr>");
      es_report_append_element (page, "td", NULL, stages[i].title);
      es_report_append_element (page, "td", "class=\"n\"", ms);
      es_report_append_element (page, "td", "class=\"n\"", percent);
      g_string_append_printf (page, "<td><span class=\"bar\" style=\"width:%sem\"></span></td>", width);
      append_bound (page, &stages[i]);
      g_string_append (page, "</tr>\n");
    }
  g_autofree char *all = g_strdup_printf ("%.1f ms", total);
  g_string_append (page, "<tr class=\"changed\">");
  es_report_append_element (page, "td", NULL, _("Total"));
  es_report_append_element (page, "td", "class=\"n\"", all);
  g_string_append (page, "<td></td><td></td><td></td></tr>\n</tbody></table>\n");
  append_advice (page, self->result);

  g_autofree char *device = reason == NULL
    ? g_strdup_printf (_("Computed by %s (%s)."), es_result_get_device_name (self->result) ?: "–",
                       es_result_get_device_id (self->result) ?: "–")
    : g_strdup_printf (_("Computed by %s (%s): %s."), es_result_get_device_name (self->result) ?: "–",
                       es_result_get_device_id (self->result) ?: "–", reason);
  es_report_append_element (page, "p", "class=\"quiet\"", device);

  if (self->comparison != NULL)
    {
      g_autofree char *median = g_strdup_printf (ngettext ("One run on each.", "Medians of %u runs on each.",
                                                           self->repeats), self->repeats);
      es_report_begin_section (page, _("Comparison of devices"));
      es_report_append_table (page, self->comparison);
      es_report_append_element (page, "p", "class=\"quiet\"", median);
      es_report_append_element (page, "pre", NULL, self->comparison_command);
    }
}

static void
append_provenance (EsReport *self, GString *page)
{
  EsDataset *dataset = es_result_get_dataset (self->result);
  const EsOperation *operation = es_result_get_operation (self->result);
  GFile *file = es_dataset_get_file (dataset);
  g_autofree char *path = file != NULL ? g_file_get_parse_name (file) : NULL;
  g_autofree char *shape = es_dataset_shape (dataset);
  g_autofree char *command = es_result_to_command (self->result);
  g_autofree char *version = g_strdup_printf ("%s %u", operation->id, operation->version);

  es_report_begin_section (page, _("Provenance"));
  g_string_append (page, "<table class=\"facts\">\n");
  es_report_append_fact (page, _("Software"), "Eigenscope " ES_VERSION, FALSE);
  es_report_append_fact (page, _("Operation"), version, FALSE);
  es_report_append_fact (page, _("Input"), path, FALSE);
  es_report_append_fact (page, _("Shape"), shape, FALSE);
  es_report_append_fact (page, _("Identity"), es_dataset_get_identity (dataset), FALSE);
  g_string_append (page, "</table>\n");
  es_report_append_element (page, "p", NULL, _("This repeats it:"));
  es_report_append_element (page, "pre", NULL, command);
  g_string_append (page, "</body>\n</html>\n");
}

char *
es_report_make_html (EsReport *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) page = g_string_new (NULL);

  g_return_val_if_fail (ES_IS_REPORT (self), NULL);

  append_head (self, page);
  if (!append_scene (self, page, cancellable, error))
    return NULL;
  append_parameters (page, es_result_get_params (self->result));
  es_report_append_beams (page, self->result);
  if (!es_report_append_components (page, self->result, cancellable, error)
      || !append_reconstruction (self, page, cancellable, error))
    return NULL;
  append_steps (self, page);
  append_provenance (self, page);
  return g_string_free (g_steal_pointer (&page), FALSE);
}

gboolean
es_report_save (EsReport *self, GFile *target, GCancellable *cancellable, GError **error)
{
  char *html = es_report_make_html (self, cancellable, error);
  g_autoptr (GBytes) bytes = html != NULL ? g_bytes_new_take (html, strlen (html)) : NULL;

  return bytes != NULL && !g_cancellable_set_error_if_cancelled (cancellable, error)
         && es_render_file_replace (target, bytes, error);
}

static void
save_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (es_report_save (source, data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
es_report_save_async (EsReport *self, GFile *target, GCancellable *cancellable, GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, es_report_save_async);
  g_task_set_task_data (task, g_object_ref (target), g_object_unref);
  g_task_run_in_thread (task, save_thread);
}

gboolean
es_report_save_finish (EsReport *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
