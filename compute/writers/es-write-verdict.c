/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What follows from numbers: a text for people, and all of it in result.json. */

#include <math.h>

#include "es-write-text-private.h"

static void
append_state (GString *text, EsVerdictState state)
{
  if (state != ES_VERDICT_TELLS)
    g_string_append_printf (text, "[%s] ", es_verdict_state_name (state));
}

GString *
es_text_verdict (EsVerdict *verdict)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < es_verdict_get_n (verdict); i++)
    {
      const char *rule = es_verdict_get_rule (verdict, i);
      guint n;
      const EsVerdictNumber *numbers = es_verdict_get_numbers (verdict, i, &n);

      append_state (text, es_verdict_get_state (verdict, i));
      g_string_append_printf (text, "%s\n", es_verdict_get_sentence (verdict, i));
      if (rule != NULL)
        g_string_append_printf (text, "    %s\n", rule);
      for (guint j = 0; j < n; j++)
        {
          char value[G_ASCII_DTOSTR_BUF_SIZE];

          g_ascii_formatd (value, sizeof value, "%.6g", numbers[j].value);
          g_string_append_printf (text, "    %s: %s%s%s\n", numbers[j].title, value, numbers[j].unit != NULL ? " " : "",
                                  numbers[j].unit != NULL ? numbers[j].unit : "");
        }
    }
  return text;
}

static void
set_text (JsonObject *object, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, name, text);
  else
    json_object_set_null_member (object, name);
}

void
es_write_describe_verdict (JsonObject *object, EsVerdict *verdict)
{
  JsonArray *entries = json_array_new ();

  for (guint i = 0; i < es_verdict_get_n (verdict); i++)
    {
      JsonObject *entry = json_object_new ();
      JsonArray *list = json_array_new ();
      guint n;
      const EsVerdictNumber *numbers = es_verdict_get_numbers (verdict, i, &n);

      for (guint j = 0; j < n; j++)
        {
          JsonObject *number = json_object_new ();

          json_object_set_string_member (number, "title", numbers[j].title);
          if (isfinite (numbers[j].value))
            json_object_set_double_member (number, "value", numbers[j].value);
          set_text (number, "unit", numbers[j].unit);
          json_array_add_object_element (list, number);
        }
      json_object_set_string_member (entry, "state", es_verdict_state_name (es_verdict_get_state (verdict, i)));
      json_object_set_string_member (entry, "sentence", es_verdict_get_sentence (verdict, i));
      set_text (entry, "rule", es_verdict_get_rule (verdict, i));
      json_object_set_boolean_member (entry, "meaning", es_verdict_is_meaning (verdict, i));
      json_object_set_array_member (entry, "numbers", list);
      json_array_add_object_element (entries, entry);
    }
  json_object_set_array_member (object, "entries", entries);
}
