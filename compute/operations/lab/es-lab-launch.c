/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What it costs to start work, and that all of it waits for all of it: heterogeneous-programming.md, 1.A, A9. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const char *const launches[] = {
  N_("Launched and its end awaited"), N_("One of many in a stream"), N_("One of many in a graph"),
};
static const char *const launches_of_cpu[] = {
  N_("A thread is started"), N_("Work is handed to a thread that sleeps"), N_("Work is handed to a thread that looks"),
};
static const char *const barriers[] = {
  N_("A launch each, its end awaited"), N_("A launch each"), N_("Atomics of our own"), N_("The runtime's barrier"),
};
static const char *const barriers_of_cpu[] = {
  N_("Threads started and awaited"), N_("Threads started"), N_("Atomics of our own"), N_("The system's barrier"),
};

static const EsFindingsGroup launch = {
  "launch", N_("Starting work"), NULL, NULL, N_("Time each"), "s", FALSE,
};
static const EsFindingsGroup barrier = {
  "barrier", N_("Waiting for all"), NULL, NULL, N_("Time of one barrier"), "s", FALSE,
};
static const EsFindingsGroup by_blocks = {
  "blocks", N_("A barrier by blocks that wait"), N_("Blocks"), "blocks", N_("Time of one barrier"), "s", TRUE,
};

static void
judge_launches (EsExperimentRun *run, const char *const *names)
{
  const double awaited = es_findings_get (run->findings, "launch", names[0], NAN);
  const double queued = es_findings_get (run->findings, "launch", names[1], NAN);
  const double graph = es_findings_get (run->findings, "launch", names[2], NAN);

  if (isnan (awaited) || isnan (queued))
    return;
  es_experiment_say (run, es_rule_is_slower (queued, awaited) ? ES_VERDICT_YES : ES_VERDICT_NO,
                     _("Awaiting each more than a tenth slower than queueing them: queue."),
                     run->is_cpu ? _("Starting a thread takes %.1f µs, handing work to one that is there %.1f µs.")
                                 : _("A launch whose end is awaited takes %.1f µs, one of many in a stream %.1f µs."),
                     awaited * 1e6, queued * 1e6);
  es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, names[0]), awaited, "s");
  es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, names[1]), queued, "s");
  if (!isnan (graph))
    es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, names[2]), graph, "s");
  es_experiment_mean (run, run->is_cpu
                      ? _("The threads of a pass are started once and fetch tile after tile: handing one over costs "
                          "%.1f µs, a thread for each would cost %.1f µs.")
                      : _("A pass queues the kernels of all its tiles and waits once at its end: each costs %.1f µs "
                          "instead of %.1f µs."), queued * 1e6, awaited * 1e6);
}

static void
judge_barriers (EsExperimentRun *run, const char *const *names)
{
  const double restart = es_findings_get (run->findings, "barrier", names[0], NAN);
  guint best = 0;
  double least = restart;

  for (guint v = 1; v < G_N_ELEMENTS (barriers); v++)
    {
      const double value = es_findings_get (run->findings, "barrier", names[v], NAN);
      if (!isnan (value) && (isnan (least) || value < least))
        {
          least = value;
          best = v;
        }
    }
  if (isnan (restart) || isnan (least))
    return;
  es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("The quickest barrier is “%s”: %.4g µs, %.1f times as quick as "
                                                    "“%s”."), g_dgettext (GETTEXT_PACKAGE, names[best]), least * 1e6,
                     restart / least, g_dgettext (GETTEXT_PACKAGE, names[0]));
  for (guint v = 0; v < G_N_ELEMENTS (barriers); v++)
    {
      const double value = es_findings_get (run->findings, "barrier", names[v], NAN);
      if (!isnan (value))
        es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, names[v]), value, "s");
    }
}

static gboolean
measure_by_blocks (EsExperimentRun *run, GError **error)
{
  const guint units = MAX (es_probing_get_facts (run->probing)->units, 1);
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 n = 1; n < units; n *= 2)
    g_array_append_val (counts, n);
  g_array_append_val (counts, (guint64) { units });
  es_findings_open (run->findings, &by_blocks);
  for (guint v = 0; v < G_N_ELEMENTS (barriers); v++)
    if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_BARRIER, .variant = v, .threads = 256 },
                              barriers[v], ES_SWEEP_BLOCKS, (guint64 *) counts->data, counts->len, error))
      return FALSE;
  return TRUE;
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const char *const *launch_names = run->is_cpu ? launches_of_cpu : launches;
  const char *const *barrier_names = run->is_cpu ? barriers_of_cpu : barriers;
  gboolean has;

  es_findings_open (run->findings, &launch);
  for (guint v = 0; v < G_N_ELEMENTS (launches); v++)
    if (!es_experiment_probe (run, &(EskProbe) { .kind = ESK_PROBE_LAUNCH, .variant = v }, launch_names[v], NAN, 1,
                              NULL, &has, error))
      return FALSE;
  es_findings_open (run->findings, &barrier);
  for (guint v = 0; v < G_N_ELEMENTS (barriers); v++)
    if (!es_experiment_probe (run, &(EskProbe) { .kind = ESK_PROBE_BARRIER, .variant = v }, barrier_names[v], NAN, 1,
                              NULL, &has, error))
      return FALSE;
  if (!run->is_cpu && !measure_by_blocks (run, error))
    return FALSE;
  judge_launches (run, launch_names);
  judge_barriers (run, barrier_names);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return is_cpu ? 7 : 7 + 4 * 9;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_launch, measure, probes_of)

const EsOperation es_operation_lab_launch = {
  .id = "lab-launch",
  .title = N_("Starting work and waiting for all of it"),
  .short_title = N_("Launches and barriers"),
  .summary = N_("What an empty kernel costs by the way it is started, and what it costs that all blocks wait for "
                "each other; of the processor the same of threads."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_BARRIER, .variant = 2 };

const EsExperiment es_experiment_launch = {
  .operation = &es_operation_lab_launch,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("What does it cost to start work, and to wait for all of it?"),
  .how = N_("An empty kernel is started and its end awaited each time; many are queued in a stream and awaited once; "
            "and many are replayed as a graph. Then all blocks wait for each other: by ending the kernel and "
            "starting another one, by atomics on a counter that only grows, all blocks being on the card at once, "
            "and by the barrier of the runtime."),
  .predict = N_("A barrier inside a kernel, or a new kernel: which is quicker, and how many times?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&launch, &barrier, &by_blocks),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
