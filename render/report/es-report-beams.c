/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a run of beams says in numbers. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "beam/es-adaptive-compare.h"
#include "es-report-private.h"

static const struct
{
  const char *key, *title;
  int         digits;          /* behind the point; below 0: four significant ones */
} facts[] = {
  { "elements", N_("Elements"), 0 },
  { "blocks", N_("Blocks"), 0 },
  { "snapshots_used", N_("Snapshots of a matrix"), -1 },
  { "loading", N_("Diagonal loading"), -1 },
  { "sources_mdl", N_("Sources by MDL"), 0 },
  { "sources_aic", N_("Sources by AIC"), 0 },
  { "noise_floor_db", N_("Noise of an element and bin (dB)"), 1 },
  { "adaptive_block_ms", N_("Adaptive beams of a block (ms)"), 2 },
  { "sweeps", N_("Sweeps"), 0 },
  { "rotations", N_("Rotations"), 0 },
  { "real_time_factor", N_("Times faster than the sound"), 1 },
};

static const char *
find_method (const char *id)
{
  for (guint i = 0; i < ES_N_ADAPTIVE_METHODS; i++)
    if (g_strcmp0 (es_adaptive_method_get_id (i), id) == 0)
      return es_adaptive_method_get_name (i);
  return id;
}

void
es_report_append_beams (GString *page, EsResult *result)
{
  JsonObject *values = es_result_get_values (result);
  JsonNode *method = json_object_get_member (values, "method");

  if (!json_object_has_member (values, "real_time_factor") || !json_object_has_member (values, "elements"))
    return;
  es_markup_append_element (page, "h2", NULL, _("Beams"));
  g_string_append (page, "<table class=\"facts\">\n");
  /* A loaded result may be forged. */
  if (method != NULL && JSON_NODE_HOLDS_VALUE (method) && json_node_get_string (method) != NULL)
    es_markup_append_fact (page, _("Method"), find_method (json_node_get_string (method)), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    {
      JsonNode *node = json_object_get_member (values, facts[i].key);
      const double value = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : NAN;
      g_autofree char *text = NULL;

      if (!isfinite (value))
        continue;
      text = facts[i].digits < 0 ? g_strdup_printf ("%.4g", value) : g_strdup_printf ("%.*f", facts[i].digits, value);
      es_markup_append_fact (page, g_dgettext (GETTEXT_PACKAGE, facts[i].title), text, FALSE);
    }
  g_string_append (page, "</table>\n");
}
