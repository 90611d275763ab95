/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-products.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-matrix-bars.h"
#include "layer/es-table.h"
#include "widgets/es-format.h"

/* A number of a member; NAN: it is none. A saved result may say anything. */
static double
get_number (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) != G_TYPE_STRING
         ? json_node_get_double (node) : NAN;
}

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

/* The measurements, as many as the table has rows, each an object; NULL: there are none. Borrowed. */
static JsonArray *
find_products (EsResult *result, EsTable **table)
{
  EsLayer *layer = es_result_find_layer (result, "products");
  JsonObject *values = es_result_get_values (result);
  JsonNode *node = values != NULL ? json_object_get_member (values, "products") : NULL;
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (layer == NULL || !ES_IS_TABLE (layer) || array == NULL
      || json_array_get_length (array) != es_table_get_n_rows (ES_TABLE (layer)) || json_array_get_length (array) == 0)
    return NULL;
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (!JSON_NODE_HOLDS_OBJECT (json_array_get_element (array, i)))
      return NULL;
  *table = ES_TABLE (layer);
  return array;
}

/* "0.123 ms, 85 % of the limit", or why there is nothing. */
static char *
tell (JsonObject *row, double share)
{
  const double seconds = get_number (row, "seconds");
  const char *missing = get_text (row, "missing");
  g_autofree char *time = es_format_value (seconds, "s"), *part = es_format_share (share);

  if (!(seconds > 0))
    return g_strdup (missing != NULL ? missing : "–");
  return part != NULL ? g_strdup_printf (_("%s, %s"), time, part) : g_steal_pointer (&time);
}

GtkWidget *
es_matrix_products_new (EsResult *result)
{
  EsTable *table = NULL;
  JsonArray *products = find_products (result, &table);
  const guint n = products != NULL ? json_array_get_length (products) : 0;
  const char *chosen = n > 0 ? get_text (es_result_get_values (result), "chosen") : NULL;
  g_autofree EsMatrixBar *bars = g_new0 (EsMatrixBar, MAX (n, 1));
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      JsonObject *row = json_array_get_object_element (products, i);
      const double share = get_number (row, "share");

      g_ptr_array_add (texts, tell (row, share));
      bars[i].name = es_table_get_text (table, i, 0);
      bars[i].text = g_ptr_array_index (texts, i);
      bars[i].value = isfinite (share) ? 100 * share : NAN;
      bars[i].marked = chosen != NULL && g_strcmp0 (chosen, get_text (row, "format")) == 0;
      any = any || isfinite (share);
    }
  if (!any)
    return NULL;
  return es_matrix_bars_new (n, bars, "%", 100, _("limit of the memory"), _("chosen"));
}
