/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-result-tell.h"

#include <glib/gi18n-lib.h>

#include "result/es-operation.h"

/* More than these are too much for a row. */
#define MOST_TOLD 3

static void
append_pair (GString *text, EsParams *params, const EsParamSpec *spec)
{
  g_autofree char *value = es_params_format_for_people (params, spec->key);

  /* TRANSLATORS: a parameter of a result, and its value */
  g_string_append_printf (text, _("%s: %s"), g_dgettext (GETTEXT_PACKAGE, spec->label), value);
}

char *
es_result_tell_parameters (EsResult *result)
{
  g_autoptr (GString) text = g_string_new (NULL);
  EsParams *params = es_result_get_params (result);

  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (es_params_is_visible (params, spec->key))
      {
        if (text->len > 0)
          g_string_append_c (text, '\n');
        append_pair (text, params, spec);
      }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* As people read it: what they cannot see apart is the same to them only where all digits are. */
static gboolean
is_same (EsParams *a, EsParams *b, const char *key)
{
  g_autofree char *one = es_params_format (a, key), *other = es_params_format (b, key);

  if (es_params_is_visible (a, key) != es_params_is_visible (b, key))
    return FALSE;
  return g_str_equal (one, other);
}

static gboolean
differs (EsResult *result, const EsParamSpec *spec, GPtrArray *neighbours)
{
  EsParams *params = es_result_get_params (result);

  if (neighbours->len == 0)
    return !es_params_is_key_default (params, spec->key);
  for (guint i = 0; i < neighbours->len; i++)
    if (!is_same (params, es_result_get_params (g_ptr_array_index (neighbours, i)), spec->key))
      return TRUE;
  return FALSE;
}

/* Without digits that say nothing: thresholds close to 100 % are told apart by their last ones. */
static char *
format_value (EsParams *params, const EsParamSpec *spec)
{
  if (g_strcmp0 (spec->unit, "%") == 0)
    return g_strdup_printf ("%.10g %%", 100 * es_params_get_float (params, spec->key));
  return es_params_format_for_people (params, spec->key);
}

static void
append_short (GString *text, EsParams *params, const EsParamSpec *spec)
{
  const gboolean alone = spec->type == ES_PARAM_CHOICE || (spec->type == ES_PARAM_FLOAT && spec->unit != NULL);
  g_autofree char *value = alone ? format_value (params, spec) : NULL;

  if (text->len > 0)
    g_string_append (text, ", ");
  if (alone)
    g_string_append (text, value);
  else
    append_pair (text, params, spec);
}

char *
es_result_tell_difference (EsResult *result, GListModel *results)
{
  g_autoptr (GPtrArray) neighbours = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GString) text = g_string_new (NULL);
  EsParams *params = es_result_get_params (result);
  guint told = 0;

  for (guint i = 0; results != NULL && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (EsResult) other = g_list_model_get_item (results, i);

      if (other != result && es_result_get_operation (other) == es_result_get_operation (result))
        g_ptr_array_add (neighbours, g_steal_pointer (&other));
    }
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (es_params_is_visible (params, spec->key) && differs (result, spec, neighbours) && told++ < MOST_TOLD)
      append_short (text, params, spec);
  if (told > MOST_TOLD)
    g_string_append (text, ", …");
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
