/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a session holds, in some words for people. */

#include "es-session-file.h"

#include <glib/gi18n-lib.h>

#include "base/es-text-show.h"
#include "es-session-inputs-private.h"
#include "result/es-saved-internal.h"

/* Data sets and results that are called by name. */
#define MOST_NAMED    2

guint
es_session_file_count_datasets (JsonNode *root)
{
  JsonArray *datasets;

  return es_saved_get_array (json_node_get_object (root), "datasets", &datasets);
}

/* The first ones, by name. */
static void
append_names (GString *text, GPtrArray *names)
{
  for (guint i = 0; i < MIN (names->len, MOST_NAMED); i++)
    {
      g_autofree char *name = es_text_show (g_ptr_array_index (names, i));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", name);
    }
}

char *
_es_session_describe (GPtrArray *names, GPtrArray *results)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_names (text, names);
  if (names->len > MOST_NAMED)
    /* TRANSLATORS: behind the names of two data sets */
    g_string_append_printf (text, ngettext (" and %u more", " and %u more", names->len - MOST_NAMED),
                            names->len - MOST_NAMED);
  if (results->len > 0)
    g_string_append (text, " · ");
  if (results->len > MOST_NAMED)
    g_string_append_printf (text, ngettext ("%u result", "%u results", results->len), results->len);
  else
    append_names (text, results);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Spectra that were collected, where the data that they are of are closed. Nullable, transfer full. */
static char *
describe_spectra (JsonObject *session)
{
  JsonObject *sections = es_saved_get_object (session, "sections");
  JsonObject *spectra = sections != NULL ? es_saved_get_object (sections, "spectra") : NULL;
  JsonObject *collected = spectra != NULL ? es_saved_get_object (spectra, "collected") : NULL;
  JsonArray *array;
  const guint n = collected != NULL ? es_saved_get_array (collected, "spectra", &array) : 0;

  return n > 0 ? g_strdup_printf (ngettext ("%u collected spectrum", "%u collected spectra", n), n) : NULL;
}

char *
es_session_file_describe (JsonNode *root)
{
  g_autofree char *spectra = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new (), titles = g_ptr_array_new ();
  JsonArray *datasets;
  guint n;

  n = es_saved_get_array (json_node_get_object (root), "datasets", &datasets);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *dataset = es_saved_get_element (datasets, i);
      JsonArray *results;
      const guint n_results = es_saved_get_array (dataset, "results", &results);

      g_ptr_array_add (names, (gpointer) es_saved_get_text (dataset, "name", "?"));
      for (guint k = 0; k < n_results; k++)
        {
          JsonObject *result = es_saved_get_element (results, k);
          const char *title = es_saved_get_text (result, "title", "?");

          g_ptr_array_add (titles, (gpointer) es_saved_get_text (result, "name", title));
        }
    }
  if (names->len == 0 && (spectra = describe_spectra (json_node_get_object (root))) != NULL)
    return g_steal_pointer (&spectra);
  return _es_session_describe (names, titles);
}
