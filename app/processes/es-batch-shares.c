/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-batch-shares.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "tool/es-batch-tool.h"

static gboolean
parse_numbers (const char *text, EsShares *self, double **told)
{
  g_auto (GStrv) words = g_strsplit (text, ",", -1);

  self->n_told = g_strv_length (words);
  self->told = *told = g_new (double, MAX (self->n_told, 1));
  for (guint i = 0; i < self->n_told; i++)
    {
      char *end;

      (*told)[i] = g_ascii_strtod (words[i], &end);
      if (end == words[i] || *end != '\0' || !isfinite ((*told)[i]) || (*told)[i] < 0)
        return FALSE;
    }
  return self->n_told > 0;
}

gboolean
es_batch_shares_parse (const char *text, EsShares *self, double **told)
{
  *self = (EsShares) { .kind = ES_SHARES_TOLD };
  if (text == NULL || strcmp (text, "auto") == 0)
    self->kind = ES_SHARES_AUTO;
  else if (strcmp (text, "equal") == 0)
    self->kind = ES_SHARES_EQUAL;
  else if (strcmp (text, "measured") == 0)
    self->kind = ES_SHARES_MEASURED;
  else if (!parse_numbers (text, self, told))
    {
      es_batch_usage (_("--shares cannot be “%s”: expected auto, equal, measured, or a number for each process such as "
                        "1,2"), text);
      return FALSE;
    }
  return TRUE;
}

void
es_batch_shares_print (EsResult *result)
{
  JsonObject *values = es_result_get_values (result);
  JsonObject *processes = json_object_has_member (values, "processes")
                          ? json_object_get_object_member (values, "processes") : NULL;
  JsonArray *shares = processes != NULL ? json_object_get_array_member (processes, "shares") : NULL;
  g_autoptr (GString) line = g_string_new (NULL);
  gboolean equal = TRUE;

  for (guint i = 0; shares != NULL && i < json_array_get_length (shares); i++)
    {
      const double share = json_array_get_double_element (shares, i);

      equal &= share == json_array_get_double_element (shares, 0);
      g_string_append_printf (line, "%s%.1f %%", i > 0 ? ", " : "", 100 * share);
    }
  if (!equal)
    g_print (_("  shares of the processes: %s\n"), line->str);
}
