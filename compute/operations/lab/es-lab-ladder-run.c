/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A ladder is climbed: what the machine's roofs are first, then every rung that is wanted. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-lab-ladder-private.h"
#include "ladder/es-ladder-module-internal.h"

#define ROOFS 16
/* Of a rung, with what goes before and after it. */
#define USUAL_RUNG_SECONDS 1.5
#define USUAL_RUNGS 10
#define PREPARATION_SECONDS 1.0

/* Rows that a ladder does not have are not in its table. */
static guint
get_number (EsParams *params, const char *key)
{
  return es_param_specs_find (es_params_get_specs (params), key) != NULL ? (guint) es_params_get_int (params, key) : 0;
}

static EsLadderSize
get_size (const EsLadder *ladder, gboolean is_cpu, EsParams *params)
{
  EsLadderSize size = { 0 };

  if (!es_ladder_get_size (ladder, is_cpu, es_params_get_choice_id (params, "size"), &size))
    size = (EsLadderSize) { get_number (params, "width"), get_number (params, "height"), get_number (params, "bands"),
                            get_number (params, "rows"), get_number (params, "elements"),
                            get_number (params, "angles"), get_number (params, "ranges"),
                            get_number (params, "bins"), get_number (params, "samples"), 0 };
  size.threads = get_number (params, "threads");
  return size;
}

EsPlan
es_lab_ladder_plan (EsDataset *dataset, EsParams *values, EsDevice *device, const EsLimits *limits)
{
  EsPlan plan = es_experiment_plan (ROOFS);
  const double seconds = es_params_get_float (values, "seconds");
  g_auto (GStrv) rungs = es_strategies_split (es_params_get_text (values, "rungs"));
  const guint n = g_strv_length (rungs) > 0 ? g_strv_length (rungs) : USUAL_RUNGS;

  plan.seconds += PREPARATION_SECONDS + n * (seconds > 0 ? seconds : USUAL_RUNG_SECONDS);
  return plan;
}

/* rungs, off: what the request points to. */
static EsLadderRequest
get_request (const EsLadder *ladder, gboolean is_cpu, EsParams *params, char **rungs, char **off)
{
  return (EsLadderRequest) {
    get_size (ladder, is_cpu, params), (guint) es_params_get_int (params, "repeats"),
    es_params_get_float (params, "seconds"), rungs, off,
    !is_cpu && es_param_specs_find (es_params_get_specs (params), "sweep") != NULL
    && es_params_get_bool (params, "sweep"),
  };
}

static gboolean
climb (EsLadderClimb *self, EsProbing *probing, EsMachine *machine, EsJob *job, const EsLadderRequest *request,
       GError **error)
{
  const gboolean is_cpu = es_experiment_is_cpu (ES_DATASET (machine));

  if (!es_lab_ladder_measure_roofs (probing, self, is_cpu ? request->size.threads : 0, error)
      || !es_ladder_climb_run (self, machine, job, request, error))
    return FALSE;
  es_ladder_climb_settle (self);
  return TRUE;
}

static void
keep (EsLadderClimb *self, EsResult *result)
{
  JsonObject *values = es_result_get_values (result);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  g_free (self->date);
  self->date = g_date_time_format (now, "%Y-%m-%d");
  json_object_set_array_member (values, "figures", json_array_new ());
  json_object_set_object_member (values, "ladder", es_ladder_climb_to_json (self));
  es_lab_ladder_publish (self, result);
}

EsResult *
es_lab_ladder_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  const EsOperation *operation = es_job_get_operation (job);
  const EsLadder *ladder = es_ladder_of_operation (operation->id);
  EsMachine *machine = ES_MACHINE (dataset);
  g_autoptr (EsResult) result = es_result_new (operation, dataset, params);
  g_auto (GStrv) rungs = es_strategies_split (es_params_get_text (params, "rungs"));
  g_auto (GStrv) off = es_strategies_split (es_params_get_text (params, "off"));
  const EsLadderRequest request = get_request (ladder, es_experiment_is_cpu (dataset), params, rungs, off);
  g_autoptr (EsLadderClimb) self = NULL;
  EsProbing *probing;
  gboolean done;

  /* Before anything is measured. */
  if (es_machine_is_here (machine) && es_ladder_load (es_machine_get_id (machine), error) == NULL)
    return NULL;
  es_result_set_values (result, json_object_new ());
  es_job_set_total_weight (job, 1 + es_ladder_climb_count_stages (ladder, machine, &request));
  es_job_begin_stage (job, "measure", _("Measuring"), 1);
  probing = es_probing_begin (machine, job, ROOFS, error);
  if (probing == NULL)
    return NULL;
  self = es_ladder_climb_new (ladder, es_experiment_is_cpu (dataset) ? "cpu" : "cuda", es_dataset_get_name (dataset));
  done = climb (self, probing, machine, job, &request, error);
  if (done)
    {
      keep (self, result);
      es_result_set_title (result, g_dgettext (GETTEXT_PACKAGE, operation->short_title));
    }
  es_probing_end (probing, done ? result : NULL);
  return done ? g_steal_pointer (&result) : NULL;
}
