/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What all experiments do alike. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"

#define PROBE_SECONDS 0.06
#define PROBE_MEMORY ((guint64) 64 << 20)

EsPlan
es_experiment_plan (guint probes)
{
  return (EsPlan) { .passes = 1, .tiles = probes, .tile_width = 1, .tile_height = 1, .written_bytes = probes * 100u,
                    .memory = PROBE_MEMORY, .seconds = 0.2 + probes * PROBE_SECONDS };
}

EsResult *
es_experiment_run (const EsOperation *operation, EsJob *job, EsDataset *dataset, EsParams *params, guint probes,
                   gboolean (*measure) (EsExperimentRun *run, GError **error), GError **error)
{
  EsMachine *machine = ES_MACHINE (dataset);
  g_autoptr (EsFindings) findings = es_findings_new (operation);
  g_autoptr (EsVerdict) verdict = es_verdict_new ("verdict", _("Verdict"));
  g_autoptr (EsResult) result = es_result_new (operation, dataset, params);
  EsExperimentRun run = { NULL, job, machine, params, findings, verdict, result,
                          g_str_equal (es_machine_get_id (machine), "cpu") };
  gboolean done;

  es_job_begin_stage (job, "measure", _("Measuring"), 1);
  run.probing = es_probing_begin (machine, job, probes, error);
  if (run.probing == NULL)
    return NULL;
  es_result_set_values (result, json_object_new ());
  done = measure (&run, error);
  if (done)
    {
      es_findings_publish (findings, es_verdict_get_n (verdict) > 0 ? verdict : NULL, result);
      es_result_set_title (result, g_dgettext (GETTEXT_PACKAGE, operation->short_title));
    }
  es_probing_end (run.probing, done ? result : NULL);
  return done ? g_steal_pointer (&result) : NULL;
}

gboolean
es_experiment_probe (EsExperimentRun *run, const EskProbe *probe, const char *name, double x, double scale,
                     EsMeasured *measured, gboolean *has, GError **error)
{
  EskProbe repeated = *probe;
  EsMeasured here;

  *has = es_probing_has (run->probing, probe);
  if (!*has)
    return TRUE;
  repeated.repeats = (guint32) es_params_get_int (run->params, "repeats");
  if (!es_probing_measure (run->probing, &repeated, &here, NULL, error))
    return FALSE;
  es_findings_add (run->findings, name, x, &here, scale);
  if (measured != NULL)
    *measured = here;
  return TRUE;
}

void
es_experiment_say (EsExperimentRun *run, EsVerdictState state, const char *rule, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  es_verdict_add (run->verdict, state, FALSE, sentence, rule);
}

void
es_experiment_mean (EsExperimentRun *run, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  es_verdict_add (run->verdict, ES_VERDICT_TELLS, TRUE, sentence, NULL);
}

GArray *
es_experiment_footprints (guint64 least, guint64 most)
{
  GArray *footprints = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 bytes = least; bytes <= most; bytes *= 2)
    {
      const guint64 between = bytes / 2 * 3;

      g_array_append_val (footprints, bytes);
      if (between <= most)
        g_array_append_val (footprints, between);
    }
  return footprints;
}
