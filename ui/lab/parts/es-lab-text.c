/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-text.h"

#include <glib/gi18n-lib.h>

/* ---- results ---- */

EsResult *
es_lab_find_result (EsSession *session, EsMachine *machine, const EsOperation *operation)
{
  GListModel *results = es_session_get_results (session, ES_DATASET (machine));

  for (guint i = results != NULL ? g_list_model_get_n_items (results) : 0; i-- > 0;)
    {
      g_autoptr (EsResult) result = g_list_model_get_item (results, i);

      if (es_result_get_operation (result) == operation && !es_result_is_absent (result))
        return result;
    }
  return NULL;
}

EsJob *
es_lab_find_job (EsSession *session, EsMachine *machine, const EsOperation *operation)
{
  GListModel *jobs = es_session_get_jobs (session);

  for (guint i = 0; i < g_list_model_get_n_items (jobs); i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (jobs, i);

      if (es_job_get_operation (job) == operation && es_job_get_dataset (job) == ES_DATASET (machine)
          && es_session_is_under_way (session, job))
        return job;
    }
  return NULL;
}

GPtrArray *
es_lab_list_results (EsSession *session, EsMachine *machine)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (const EsExperiment * const *at = es_experiments_get (); *at != NULL; at++)
    {
      EsResult *result = es_lab_find_result (session, machine, (*at)->operation);

      if (result != NULL)
        g_ptr_array_add (list, g_object_ref (result));
    }
  return list;
}

/* ---- verdicts ---- */

EsVerdict *
es_lab_find_verdict (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (ES_IS_VERDICT (layer))
        return ES_VERDICT (layer);
    }
  return NULL;
}

const char *
es_lab_find_sentence (EsResult *result, EsVerdictState *state)
{
  EsVerdict *verdict = es_lab_find_verdict (result);

  for (guint i = 0; verdict != NULL && i < es_verdict_get_n (verdict); i++)
    if (!es_verdict_is_meaning (verdict, i))
      {
        *state = es_verdict_get_state (verdict, i);
        return es_verdict_get_sentence (verdict, i);
      }
  return NULL;
}

const char *
es_lab_state_icon (EsVerdictState state)
{
  switch (state)
    {
    case ES_VERDICT_YES:
      return "es-verdict-yes-symbolic";
    case ES_VERDICT_NO:
      return "es-verdict-no-symbolic";
    case ES_VERDICT_UNSURE:
      return "es-verdict-unsure-symbolic";
    case ES_VERDICT_TELLS:
    default:
      return "es-verdict-tells-symbolic";
    }
}

const char *
es_lab_state_word (EsVerdictState state)
{
  switch (state)
    {
    case ES_VERDICT_YES:
      return C_("verdict", "Yes");
    case ES_VERDICT_NO:
      return C_("verdict", "No");
    case ES_VERDICT_UNSURE:
      return C_("verdict", "Not decided");
    case ES_VERDICT_TELLS:
    default:
      return C_("verdict", "Found");
    }
}

const char *
es_lab_state_class (EsVerdictState state)
{
  return state == ES_VERDICT_YES ? "success" : state == ES_VERDICT_UNSURE ? "warning" : NULL;
}

const char *
es_lab_source_word (EsDeviceProfile *profile)
{
  static const char *const words[] = { NC_("profile", "measured"), NC_("profile", "published") };
  const char *source = es_device_profile_get_source (profile);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_strcmp0 (source, words[i]) == 0)
      return g_dpgettext2 (GETTEXT_PACKAGE, "profile", source);
  return source;
}
