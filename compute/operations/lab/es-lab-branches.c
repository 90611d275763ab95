/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which lane of a warp goes first where all branch apart, and what it costs: gpu-lab.md, section 3; system 3.
 * A processor guesses branches instead. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

#define LANES 32
/* Of a processor: of 32 branches with as many targets in random order, if the last target is guessed each time. */
#define WRONG_GUESSES 31

static const guint64 ways[] = { 1, 2, 4, 8, 16, 32 };

static const EsFindingsGroup order = { "order", NULL, NULL, "lanes", N_("Time"), "clocks", FALSE };
static const EsFindingsGroup divergence = {
  "divergence", N_("Time by different branches"), N_("Different branches"), "branches", N_("Time"), "clocks", FALSE,
};

static const char *const versions[] = { N_("Lane l takes branch l"), N_("Lane l takes branch 31 − l") };

static int
compare_clocks (gconstpointer a, gconstpointer b, gpointer clocks)
{
  const double x = ((const double *) clocks)[*(const guint *) a], y = ((const double *) clocks)[*(const guint *) b];

  return x != y ? (x < y ? -1 : 1) : *(const guint *) a < *(const guint *) b ? -1 : 1;
}

static void
add_table (EsExperimentRun *run, double lanes[2][LANES])
{
  EsTable *table = es_table_new ("lanes", _("Lanes in the order of their clocks"));
  guint sorted[2][LANES];

  es_table_add_column (table, _("Place"), NULL, 0);
  for (guint v = 0; v < 2; v++)
    {
      es_table_add_column (table, g_dgettext (GETTEXT_PACKAGE, versions[v]), NULL, 0);
      es_table_add_column (table, _("Time"), "clocks", 0);
      for (guint i = 0; i < LANES; i++)
        sorted[v][i] = i;
      g_qsort_with_data (sorted[v], LANES, sizeof (guint), compare_clocks, lanes[v]);
    }
  for (guint i = 0; i < LANES; i++)
    {
      const double place = i, first = sorted[0][i], second = sorted[1][i];

      es_table_add_row (table, (gconstpointer[]) { &place, &first, &lanes[0][sorted[0][i]], &second,
                                                   &lanes[1][sorted[1][i]] });
    }
  es_result_add_layer (run->result, ES_LAYER (table));
}

static void
judge_order (EsExperimentRun *run, double lanes[2][LANES], const double *steps)
{
  const char *rule = _("The same order of lanes in both versions: by lane. The mirrored one in the second: by the "
                       "place in the code. Two lanes with one time: they did not diverge.");

  switch (es_rule_branch_order (lanes[0], lanes[1]))
    {
    case ES_BRANCHES_BY_LANE:
      es_experiment_say (run, ES_VERDICT_YES, rule, _("Branches are executed one after the other, in the order of "
                                                      "lanes, wherever they are in the code."));
      break;
    case ES_BRANCHES_BY_CODE:
      es_experiment_say (run, ES_VERDICT_YES, rule, _("Branches are executed one after the other, in an order that "
                                                      "follows their place in the code."));
      break;
    case ES_BRANCHES_OTHERWISE:
      es_experiment_say (run, ES_VERDICT_UNSURE, rule, _("Branches are executed one after the other, in an order that "
                                                         "follows neither lanes nor code: nothing may rest on it."));
      break;
    case ES_BRANCHES_TOGETHER:
    default:
      es_experiment_say (run, ES_VERDICT_NO, rule, _("Lanes share times: these branches were not executed one after "
                                                     "the other."));
      break;
    }
  for (guint v = 0; v < 2; v++)
    es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, versions[v]), steps[v], "clocks");
}

static gboolean
measure_order (EsExperimentRun *run, GError **error)
{
  double lanes[2][LANES], steps[2];
  gboolean has = TRUE;

  es_findings_open (run->findings, &order);
  for (guint v = 0; v < 2 && has; v++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_BRANCH_ORDER, .variant = v };
      g_autofree EskProbeResult *raw = g_new0 (EskProbeResult, 1);
      EsMeasured measured;

      if (!es_experiment_probe_raw (run, &probe, NULL, NAN, &measured, raw, &has, error))
        return FALSE;
      steps[v] = measured.median;
      for (guint i = 0; i < LANES && has; i++)
        {
          lanes[v][i] = raw->lanes[i];
          es_findings_add (run->findings, versions[v], i, &(EsMeasured) { lanes[v][i], lanes[v][i], lanes[v][i], 0, 1,
                                                                         raw->hertz, -1 }, 1);
        }
    }
  if (has)
    {
      add_table (run, lanes);
      judge_order (run, lanes, steps);
    }
  return TRUE;
}

static void
judge_cost (EsExperimentRun *run)
{
  const double one = es_findings_get (run->findings, "divergence", "clocks", 1);
  const double all = es_findings_get (run->findings, "divergence", "clocks", LANES);

  if (!(one > 0) || !(all > 0))
    return;
  es_experiment_say (run, es_rule_is_slower (one, all) ? ES_VERDICT_YES : ES_VERDICT_NO,
                     _("More than a tenth longer with 32 different branches than with one: they cost."),
                     run->is_cpu ? _("A branch with 32 targets in random order takes %.1f times as long as one with a "
                                     "single target.")
                                 : _("A warp whose lanes take 32 branches needs %.1f times as long as one that takes "
                                     "one."), all / one);
  es_verdict_add_number (run->verdict, _("One branch"), one, "clocks");
  es_verdict_add_number (run->verdict, _("32 branches"), all, "clocks");
  if (run->is_cpu)
    es_experiment_mean (run, _("A guess that fails costs %.0f clocks: loops over samples choose by masks and minima, "
                               "and ask what kind of sample it is once for a whole tile."),
                        MAX (all - one, 0) / WRONG_GUESSES);
  else
    es_experiment_mean (run, _("Kernels here decide by block or by warp (kind of sample, method, edge of a tile); what "
                               "differs by lane is computed for all and chosen from, as %.1f times would be the "
                               "price."), all / one);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const EskProbe probe = { .kind = ESK_PROBE_DIVERGENCE };

  if (!measure_order (run, error))
    return FALSE;
  es_findings_open (run->findings, &divergence);
  if (!es_experiment_sweep (run, &probe, "clocks", ES_SWEEP_WAYS, ways, G_N_ELEMENTS (ways), error))
    return FALSE;
  judge_cost (run);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 2 + G_N_ELEMENTS (ways);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_branches, measure, probes_of)

const EsOperation es_operation_lab_branches = {
  .id = "lab-branches",
  .title = N_("Branches within a warp"),
  .short_title = N_("Branches"),
  .summary = N_("In which order the lanes of a warp go where each takes another branch, and what diverging costs; on "
                "the processor, what a branch costs that cannot be guessed."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_BRANCH_ORDER };

const EsExperiment es_experiment_branches = {
  .operation = &es_operation_lab_branches,
  .group = ES_EXPERIMENTS_ARITHMETIC,
  .question = N_("Which lane goes first where all of them branch apart, and what does it cost?"),
  .how = N_("An if-chain sends each of 32 lanes to a branch of its own, which reads the clock. In a second version "
            "the same lanes take the opposite branches: if their order stays, it goes by lane, if it is mirrored, by "
            "the place in the code. Then 1, 2, 4 … 32 different branches are taken within a warp, and the whole is "
            "timed. On the processor a jump goes to so many targets in random order."),
  .predict = N_("In an if-chain, does the first branch in the code go first? How many times longer do 32 branches "
                "take than one?"),
  .cpu_question = N_("What does a branch cost whose way cannot be foreseen?"),
  .cpu_predict = N_("How many clocks does a jump to a single target take, and how many one to any of 32, in random "
                    "order?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&order, &divergence),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
