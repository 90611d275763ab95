/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What all experiments do alike. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "es-lab-experiments-internal.h"

#define PROBE_SECONDS 0.06
#define PROBE_MEMORY ((guint64) 64 << 20)

/* What is copied by the gigabyte is steady after a few times. */
#define LARGE_BYTES ((guint64) 8 << 20)
#define LARGE_REPEATS 4

gboolean
es_experiment_is_cpu (EsDataset *machine)
{
  return g_str_equal (es_machine_get_id (ES_MACHINE (machine)), "cpu");
}

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
  g_autoptr (EsVerdict) verdict = NULL;
  g_autoptr (EsResult) result = es_result_new (operation, dataset, params);
  EsExperimentRun run = { NULL, job, machine, params, findings, es_verdict_new ("verdict", _("Verdict")), result,
                          es_experiment_is_cpu (dataset), FALSE };
  gboolean done;

  verdict = run.verdict;
  es_job_begin_stage (job, "measure", _("Measuring"), 1);
  run.probing = es_probing_begin (machine, job, probes, error);
  if (run.probing == NULL)
    return NULL;
  es_result_set_values (result, json_object_new ());
  done = measure (&run, error);
  if (done && es_findings_get_n (findings) == 0)
    {
      g_set_object (&verdict, NULL);
      verdict = run.verdict = es_verdict_new ("verdict", _("Verdict"));
      es_experiment_say (&run, ES_VERDICT_UNSURE, NULL, _("“%s” has nothing of what this experiment measures."),
                         es_machine_get_id (machine));
    }
  if (done)
    {
      es_findings_publish (findings, es_verdict_get_n (verdict) > 0 ? verdict : NULL, result);
      es_result_set_title (result, g_dgettext (GETTEXT_PACKAGE, operation->short_title));
    }
  es_probing_end (run.probing, done ? result : NULL);
  return done ? g_steal_pointer (&result) : NULL;
}

guint32
es_experiment_repeats (EsExperimentRun *run, guint64 bytes)
{
  const guint32 told = (guint32) es_params_get_int (run->params, "repeats");

  return told > 0 || bytes < LARGE_BYTES ? told : LARGE_REPEATS;
}

gboolean
es_experiment_probe_raw (EsExperimentRun *run, const EskProbe *probe, const char *name, double x,
                         EsMeasured *measured, EskProbeResult *raw, gboolean *has, GError **error)
{
  g_autoptr (GError) own = NULL;
  EskProbe repeated = *probe;

  *has = es_probing_has (run->probing, probe);
  if (!*has)
    return TRUE;
  if (repeated.repeats == 0 || es_params_get_int (run->params, "repeats") > 0)
    repeated.repeats = es_experiment_repeats (run, probe->bytes);
  if (!es_probing_measure (run->probing, &repeated, measured, raw, &own))
    {
      *has = FALSE;
      if (es_probing_was_unsupported (run->probing)
          && !g_cancellable_is_cancelled (es_job_get_cancellable (run->job)))
        return TRUE;
      if (!g_error_matches (own, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY))
        {
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
      /* What fits is still worth knowing. */
      if (!run->told_memory)
        es_result_add_warning (run->result, _("There was not enough free memory for the largest footprints: they are "
                                              "left out."));
      run->told_memory = TRUE;
      return TRUE;
    }
  if (name != NULL)
    es_findings_add (run->findings, name, x, measured, 1);
  return TRUE;
}

gboolean
es_experiment_probe (EsExperimentRun *run, const EskProbe *probe, const char *name, double x, double scale,
                     EsMeasured *measured, gboolean *has, GError **error)
{
  EsMeasured here;

  if (!es_experiment_probe_raw (run, probe, NULL, x, &here, NULL, has, error))
    return FALSE;
  if (!*has)
    return TRUE;
  es_findings_add (run->findings, name, x, &here, scale);
  if (measured != NULL)
    *measured = here;
  return TRUE;
}

void
es_experiment_invert (EsMeasured *measured, double amount)
{
  const double least = measured->least;

  measured->median = amount / measured->median;
  measured->least = amount / measured->most;
  measured->most = amount / least;
}

static void
set_swept (EskProbe *probe, EsSweep what, guint64 value)
{
  switch (what)
    {
    case ES_SWEEP_BYTES:
      probe->bytes = value;
      break;
    case ES_SWEEP_STRIDE:
      probe->stride = (guint32) value;
      break;
    case ES_SWEEP_WAYS:
      probe->ways = (guint32) value;
      break;
    case ES_SWEEP_THREADS:
      probe->threads = (guint32) value;
      break;
    case ES_SWEEP_BLOCKS:
    default:
      probe->blocks = (guint32) value;
      break;
    }
}

gboolean
es_experiment_sweep (EsExperimentRun *run, const EskProbe *probe, const char *name, EsSweep what,
                     const guint64 *values, guint n, GError **error)
{
  EskProbe at = *probe;
  gboolean has;

  for (guint i = 0; i < n; i++)
    {
      set_swept (&at, what, values[i]);
      if (!es_experiment_probe (run, &at, name, (double) values[i], 1, NULL, &has, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- rates by size ---- */

/* What falls below this share of a smaller size's rate has met something else's work. */
#define DIP 0.9

typedef struct
{
  gboolean   has;
  EsMeasured rate;
} Rate;

static gboolean
measure_rate (EsExperimentRun *run, EskProbe *at, guint64 bytes, double times, Rate *found, GError **error)
{
  at->bytes = bytes;
  if (!es_experiment_probe_raw (run, at, NULL, NAN, &found->rate, NULL, &found->has, error))
    return FALSE;
  found->has = found->has && found->rate.least > 0;
  if (found->has)
    es_experiment_invert (&found->rate, times * (double) bytes);
  return TRUE;
}

static gboolean
dips (const Rate *rates, guint at)
{
  double before = 0;

  for (guint i = 0; i < at; i++)
    if (rates[i].has)
      before = MAX (before, rates[i].rate.median);
  return rates[at].has && rates[at].rate.median < DIP * before;
}

/* Larger copies are no slower by themselves, and other work only ever makes them so: where a curve falls it is measured
 * once more, when the rest has been, and the better one stays. */
gboolean
es_experiment_sweep_rate (EsExperimentRun *run, const EskProbe *probe, const char *name, double times,
                          const guint64 *values, guint n, GError **error)
{
  g_autofree Rate *rates = g_new0 (Rate, n);
  EskProbe at = *probe;

  for (guint i = 0; i < n; i++)
    if (!measure_rate (run, &at, values[i], times, &rates[i], error))
      return FALSE;
  for (guint i = 0; i < n; i++)
    if (dips (rates, i))
      {
        Rate again;

        if (!measure_rate (run, &at, values[i], times, &again, error))
          return FALSE;
        if (again.has && again.rate.median > rates[i].rate.median)
          rates[i] = again;
      }
  for (guint i = 0; i < n; i++)
    if (rates[i].has)
      es_findings_add (run->findings, name, (double) values[i], &rates[i].rate, 1);
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
