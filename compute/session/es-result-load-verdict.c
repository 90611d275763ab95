/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Verdicts of a saved result: all of one is in result.json. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-result-load-private.h"
#include "layer/es-layer-internal.h"
#include "result/es-saved-internal.h"

#define MOST_ENTRIES 1000
#define MOST_NUMBERS 1000

EsLayer *
es_result_load_verdict (EsResultLoading *loading, JsonObject *object, GError **error)
{
  g_autoptr (EsVerdict) verdict = es_verdict_new (es_saved_get_string (object, "name"),
                                                  es_saved_get_string (object, "title"));
  JsonArray *entries, *numbers;
  const guint n = es_saved_get_array (object, "entries", &entries);

  for (guint i = 0; i < MIN (n, MOST_ENTRIES); i++)
    {
      JsonObject *entry = es_saved_get_element (entries, i);
      const char *sentence = es_saved_get_string (entry, "sentence");
      EsVerdictState state;

      if (sentence == NULL || !es_verdict_state_find (es_saved_get_string (entry, "state"), &state))
        {
          es_saved_refuse (loading->name, error, _("a verdict has no sentence or no state"));
          return NULL;
        }
      es_verdict_add (verdict, state, es_saved_get_flag (entry, "meaning"), sentence,
                      es_saved_get_string (entry, "rule"));
      const guint n_numbers = MIN (es_saved_get_array (entry, "numbers", &numbers), MOST_NUMBERS);
      for (guint j = 0; j < n_numbers; j++)
        {
          JsonObject *number = es_saved_get_element (numbers, j);
          es_verdict_add_number (verdict, es_saved_get_text (number, "title", ""),
                                 es_saved_get_number (number, "value", NAN), es_saved_get_string (number, "unit"));
        }
    }
  return ES_LAYER (g_steal_pointer (&verdict));
}
