/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sections of components: their pictures, their figures, the plots. */

#include "es-report-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "layer/es-share.h"
#include "layer/es-component-numbers.h"

/* Components whose figures are listed: a page, not a data base. */
#define MOST_ROWS 64

EsImageStack *
es_report_find_stack (EsResult *result)
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

gboolean
es_report_append_pictures (GString *page, EsImageStack *stack, GCancellable *cancellable, GError **error)
{
  const guint all = es_image_stack_get_planes (stack), n = MIN (all, ES_REPORT_PICTURES);

  g_string_append (page, "<div class=\"pictures\">\n");
  for (guint k = 0; k < n; k++)
    {
      const double share = es_image_stack_get_plane_share (stack, k);
      g_autofree char *kept = es_share_format (share, 2);
      g_autofree char *caption = kept == NULL ? g_strdup (es_image_stack_get_plane_title (stack, k))
                                 : g_strdup_printf ("%s, %s", es_image_stack_get_plane_title (stack, k), kept);
      if (!es_report_append_plane (page, stack, k, caption, cancellable, error))
        return FALSE;
    }
  g_string_append (page, "</div>\n");
  if (n < all)
    {
      g_autofree char *said = g_strdup_printf (_("The first %u of %u pictures are shown."), n, all);
      es_markup_append_element (page, "p", "class=\"quiet\"", said);
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

  es_markup_append_element (page, "td", "class=\"n\"", text);
}

static gboolean
append_numbers (GString *page, EsResult *result, EsImageStack *stack, GCancellable *cancellable, GError **error)
{
  const guint all = es_image_stack_get_planes (stack), n = MIN (all, MOST_ROWS);
  JsonObject *values = es_result_get_values (result);
  g_autofree EsComponentNumbers *computed = g_new0 (EsComponentNumbers, 1);

  g_string_append (page, "<div class=\"wide\"><table><thead><tr>");
  es_markup_append_element (page, "th", NULL, _("Component"));
  for (guint c = 0; c < G_N_ELEMENTS (said); c++)
    if (find_said (values, c) != NULL)
      es_markup_append_element (page, "th", "class=\"n\"", g_dgettext (GETTEXT_PACKAGE, said[c].title));
  es_markup_append_element (page, "th", "class=\"n\"", _("Skewness"));
  es_markup_append_element (page, "th", "class=\"n\"", _("Kurtosis"));
  es_markup_append_element (page, "th", "class=\"n\"", _("Coherence"));
  es_markup_append_element (page, "th", "class=\"n\"", _("Entropy (bits)"));
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
      es_markup_append_element (page, "td", NULL, es_image_stack_get_plane_title (stack, k));
      for (guint c = 0; c < G_N_ELEMENTS (said); c++)
        if (find_said (values, c) != NULL)
          {
            g_autofree char *text = format_said (find_said (values, c), k, said[c].digits, said[c].factor);
            es_markup_append_element (page, "td", "class=\"n\"", text);
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
      es_markup_append_element (page, "p", "class=\"quiet\"", text);
    }
  return TRUE;
}

/* Every curve and matrix of a result, then its tables. */
gboolean
es_report_append_plots (GString *page, EsResult *result, GCancellable *cancellable, GError **error)
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
          es_markup_append_element (page, "h3", NULL, es_layer_get_title (layer));
          es_markup_append_table (page, ES_TABLE (layer));
        }
    }
  return TRUE;
}

gboolean
es_report_append_components (GString *page, EsResult *result, GCancellable *cancellable, GError **error)
{
  EsImageStack *stack = es_report_find_stack (result);

  if (stack != NULL)
    {
      es_markup_begin_section (page, es_layer_get_title (ES_LAYER (stack)));
      if (!es_report_append_pictures (page, stack, cancellable, error)
          || !append_numbers (page, result, stack, cancellable, error))
        return FALSE;
    }
  es_markup_begin_section (page, _("Plots"));
  return es_report_append_plots (page, result, cancellable, error);
}
