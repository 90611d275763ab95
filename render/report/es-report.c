/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-report.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "layer/es-component-numbers.h"
#include "cube/es-cube.h"
#include "result/es-operation.h"
#include "plane/es-render-file-internal.h"
#include "es-report-private.h"

/* Components whose figures are listed: a page, not a data base. */
#define MOST_ROWS 64

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
  char *dot;

  g_return_val_if_fail (ES_IS_REPORT (self), NULL);
  stem = g_strdup (es_dataset_get_name (es_result_get_dataset (self->result)));
  dot = strrchr (stem, '.');
  if (dot != NULL && dot != stem && strlen (dot) <= 5)
    *dot = '\0';
  g_strdelimit (stem, "/\\:*?\"<>|\n\t", '_');
  return g_strdup_printf ("%s-%s-report.html", stem, es_result_get_operation (self->result)->id);
}

/* ---- sections ---- */

static void
begin_section (GString *page, const char *title)
{
  es_report_append_element (page, "h2", NULL, title);
}

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

  begin_section (page, _("Data"));
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
  double latitude, longitude;

  g_string_append (page, "<table class=\"facts\">\n");
  es_report_append_fact (page, _("Name"), es_dataset_get_name (dataset), FALSE);
  es_report_append_fact (page, _("Size"), shape, FALSE);
  es_report_append_fact (page, _("Stored as"), stored, FALSE);
  es_report_append_fact (page, _("Good bands"), good, FALSE);
  if (es_cube_get_geographic (cube, es_cube_get_width (cube) / 2.0, es_cube_get_height (cube) / 2.0, &latitude,
                              &longitude))
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
  begin_section (page, _("Parameters"));
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

static EsImageStack *
first_stack (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      if (es_layer_get_kind (layer) == ES_LAYER_IMAGE_STACK)
        return ES_IMAGE_STACK (layer);
    }
  return NULL;
}

static gboolean
append_pictures (GString *page, EsImageStack *stack, GCancellable *cancellable, GError **error)
{
  const guint all = es_image_stack_get_planes (stack), n = MIN (all, ES_REPORT_PICTURES);

  g_string_append (page, "<div class=\"pictures\">\n");
  for (guint k = 0; k < n; k++)
    {
      const double share = es_image_stack_get_plane_share (stack, k);
      g_autofree char *caption = isnan (share) ? g_strdup (es_image_stack_get_plane_title (stack, k))
                                 : g_strdup_printf ("%s, %.2f %%", es_image_stack_get_plane_title (stack, k),
                                                    100 * share);
      if (!es_report_append_plane (page, stack, k, caption, cancellable, error))
        return FALSE;
    }
  g_string_append (page, "</div>\n");
  if (n < all)
    {
      g_autofree char *said = g_strdup_printf (_("The first %u of %u pictures are shown."), n, all);
      es_report_append_element (page, "p", "class=\"quiet\"", said);
    }
  return TRUE;
}

/* ---- figures of each component ---- */

/* What operations say of each component, in the order to be shown; key of result.json, title, digits, what to multiply
 * by. FastICA's eigenvalues are of other components: they are left to the plot. */
static const struct
{
  const char *key, *title;
  int         digits;          /* -1: yes or no; -2: four significant ones */
  double      factor;
} said[] = {
  { "eigenvalues", N_("Eigenvalue"), -2, 1 }, { "explained", N_("Share (%)"), 3, 100 },
  { "cumulative", N_("Cumulative (%)"), 3, 100 }, { "negentropy", N_("Negentropy"), -2, 1 },
  { "steps", N_("Iterations"), 0, 1 }, { "converged", N_("Converged"), -1, 1 },
};

static char *
format_said (JsonArray *array, guint i, int digits, double factor)
{
  JsonNode *node = i < json_array_get_length (array) ? json_array_get_element (array, i) : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return g_strdup ("–");
  if (digits == -1)
    return g_strdup (json_node_get_boolean (node) ? _("Yes") : _("No"));
  return digits == -2 ? g_strdup_printf ("%.4g", factor * json_node_get_double (node))
                      : g_strdup_printf ("%.*f", digits, factor * json_node_get_double (node));
}

static JsonArray *
find_said (JsonObject *values, guint column)
{
  JsonNode *node = json_object_get_member (values, said[column].key);
  const gboolean iterated = json_object_has_member (values, "converged");

  if (iterated && (g_str_equal (said[column].key, "eigenvalues") || g_str_equal (said[column].key, "cumulative")))
    return NULL;
  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static void
append_number (GString *page, double value, int digits)
{
  g_autofree char *text = isnan (value) ? g_strdup ("–") : g_strdup_printf ("%.*f", digits, value);

  es_report_append_element (page, "td", "class=\"n\"", text);
}

static gboolean
append_numbers (EsReport *self, GString *page, EsImageStack *stack, GCancellable *cancellable, GError **error)
{
  const guint all = es_image_stack_get_planes (stack), n = MIN (all, MOST_ROWS);
  JsonObject *values = es_result_get_values (self->result);
  g_autofree EsComponentNumbers *computed = g_new0 (EsComponentNumbers, 1);

  g_string_append (page, "<div class=\"wide\"><table><thead><tr>");
  es_report_append_element (page, "th", NULL, _("Component"));
  for (guint c = 0; c < G_N_ELEMENTS (said); c++)
    if (find_said (values, c) != NULL)
      es_report_append_element (page, "th", "class=\"n\"", g_dgettext (GETTEXT_PACKAGE, said[c].title));
  es_report_append_element (page, "th", "class=\"n\"", _("Skewness"));
  es_report_append_element (page, "th", "class=\"n\"", _("Kurtosis"));
  es_report_append_element (page, "th", "class=\"n\"", _("Coherence"));
  es_report_append_element (page, "th", "class=\"n\"", _("Entropy (bits)"));
  g_string_append (page, "</tr></thead><tbody>\n");
  for (guint k = 0; k < n; k++)
    {
      const EsComponentNumbers *numbers = es_image_stack_get_numbers (stack, k);

      if (numbers == NULL)
        {
          if (!es_component_numbers_compute (stack, k, computed, cancellable, error))
            return FALSE;
          numbers = computed;
        }
      g_string_append (page, "<tr>");
      es_report_append_element (page, "td", NULL, es_image_stack_get_plane_title (stack, k));
      for (guint c = 0; c < G_N_ELEMENTS (said); c++)
        if (find_said (values, c) != NULL)
          {
            g_autofree char *text = format_said (find_said (values, c), k, said[c].digits, said[c].factor);
            es_report_append_element (page, "td", "class=\"n\"", text);
          }
      append_number (page, numbers->skewness, 2);
      append_number (page, numbers->kurtosis, 2);
      append_number (page, numbers->coherence, 3);
      append_number (page, numbers->entropy, 2);
      g_string_append (page, "</tr>\n");
    }
  g_string_append (page, "</tbody></table></div>\n");
  if (n < all)
    {
      g_autofree char *text = g_strdup_printf (_("The first %u of %u components are listed."), n, all);
      es_report_append_element (page, "p", "class=\"quiet\"", text);
    }
  return TRUE;
}

/* Every curve and matrix of a result, then its tables. */
static gboolean
append_plots (GString *page, EsResult *result, GCancellable *cancellable, GError **error)
{
  GListModel *layers = es_result_get_layers (result);

  g_string_append (page, "<div class=\"plots\">\n");
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (es_layer_get_kind (layer) == ES_LAYER_CURVE && !es_report_append_curve (page, ES_CURVE (layer), error))
        return FALSE;
      if (es_layer_get_kind (layer) == ES_LAYER_MATRIX && !es_report_append_matrix (page, ES_MATRIX (layer), error))
        return FALSE;
    }
  g_string_append (page, "</div>\n");
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (es_layer_get_kind (layer) == ES_LAYER_TABLE)
        {
          es_report_append_element (page, "h3", NULL, es_layer_get_title (layer));
          es_report_append_table (page, ES_TABLE (layer));
        }
    }
  return TRUE;
}

static gboolean
append_components (EsReport *self, GString *page, GCancellable *cancellable, GError **error)
{
  EsImageStack *stack = first_stack (self->result);

  if (stack != NULL)
    {
      begin_section (page, es_layer_get_title (ES_LAYER (stack)));
      if (!append_pictures (page, stack, cancellable, error)
          || !append_numbers (self, page, stack, cancellable, error))
        return FALSE;
    }
  begin_section (page, _("Plots"));
  return append_plots (page, self->result, cancellable, error);
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
  begin_section (page, _("What the components keep"));
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
  stack = first_stack (self->reconstruction);
  return (stack == NULL || append_pictures (page, stack, cancellable, error))
         && append_plots (page, self->reconstruction, cancellable, error);
}

static void
append_steps (EsReport *self, GString *page)
{
  guint n;
  const EsStageTime *stages = es_result_get_stages (self->result, &n);
  const double total = es_result_get_total_ms (self->result);
  const char *reason = es_result_get_device_reason (self->result);

  begin_section (page, _("Steps"));
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
      g_string_append_printf (page, "<td><span class=\"bar\" style=\"width:%sem\"></span></td></tr>\n", width);
    }
  g_autofree char *all = g_strdup_printf ("%.1f ms", total);
  g_string_append (page, "<tr class=\"changed\">");
  es_report_append_element (page, "td", NULL, _("Total"));
  es_report_append_element (page, "td", "class=\"n\"", all);
  g_string_append (page, "<td></td><td></td></tr>\n</tbody></table>\n");

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
      begin_section (page, _("Comparison of devices"));
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

  begin_section (page, _("Provenance"));
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
  if (!append_components (self, page, cancellable, error)
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
