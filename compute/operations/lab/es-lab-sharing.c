/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Whether a memory serves the lanes of a warp at once that want different addresses, or one: gpu-lab.md, section 5;
 * system 6. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

#define N_SHARES 6
#define ALONE_BYTES 1024

typedef struct
{
  EskLabSpace space;
  const char *name;
} Space;

static const Space spaces[] = {
  { ESK_SPACE_GLOBAL, N_("Global memory") },
  { ESK_SPACE_TEXTURE, N_("Texture") },
  { ESK_SPACE_CONSTANT, N_("Constant memory") },
  { ESK_SPACE_SHARED, N_("Shared memory") },
};

static const EsParamSpec params[] = {
  { .key = "threads", .label = N_("Threads of a block"),
    .help = N_("How many threads ask at once in a block."),
    .type = ES_PARAM_INT, .minimum = 32, .maximum = 1024, .step = 32, .default_value = 32 },
  { .key = "blocks", .label = N_("Blocks"),
    .help = N_("How many blocks ask at once."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 1024, .default_value = 1 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const EsFindingsGroup sharing = {
  "sharing", N_("Latency by lanes at one address"), N_("Lanes at one address"), NULL, N_("Latency"), "clocks", FALSE,
};
static const EsFindingsGroup alone = {
  "alone", N_("One thread alone"), NULL, NULL, N_("Latency"), "clocks", FALSE,
};

static const EsFindingsGroup by_threads = {
  "threads", N_("Latency by threads of one block, 32 addresses a warp"), N_("Threads"), "threads", N_("Latency"),
  "clocks", FALSE,
};
static const EsFindingsGroup by_blocks = {
  "blocks", N_("Latency by blocks, one address a warp"), N_("Blocks"), "blocks", N_("Latency"), "clocks", FALSE,
};

static const guint64 thread_counts[] = { 32, 64, 128, 256, 512, 1024 };
static const guint64 block_counts[] = { 1, 4, 16, 64, 128, 256 };

#define N_SWEPT (G_N_ELEMENTS (thread_counts) + G_N_ELEMENTS (block_counts))

/* As many warps as there may be: gpu-lab.md, section 7. */
static gboolean
measure_load (EsExperimentRun *run, GError **error)
{
  es_findings_open (run->findings, &by_threads);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_SHARING, .space = spaces[s].space, .ways = 1,
                                                 .blocks = 1 }, spaces[s].name, ES_SWEEP_THREADS, thread_counts,
                              G_N_ELEMENTS (thread_counts), error))
      return FALSE;
  es_findings_open (run->findings, &by_blocks);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_SHARING, .space = spaces[s].space, .ways = 32,
                                                 .threads = 256 }, spaces[s].name, ES_SWEEP_BLOCKS, block_counts,
                              G_N_ELEMENTS (block_counts), error))
      return FALSE;
  return TRUE;
}

/* What all threads that fit a block cost a warp. */
static void
judge_load (EsExperimentRun *run, const Space *space)
{
  g_autofree double *x = NULL, *latencies = NULL;
  const guint n = es_findings_get_series (run->findings, "threads", space->name, &x, &latencies);

  if (n < 2)
    return;
  es_experiment_say (run, ES_VERDICT_TELLS, NULL,
                     _("%s: with %.0f threads an access takes %.2f times as long as with %.0f."),
                     g_dgettext (GETTEXT_PACKAGE, space->name), x[n - 1], latencies[n - 1] / latencies[0], x[0]);
  es_verdict_add_number (run->verdict, _("Fewest threads"), latencies[0], "clocks");
  es_verdict_add_number (run->verdict, _("Most threads"), latencies[n - 1], "clocks");
}

static void
judge (EsExperimentRun *run, const Space *space)
{
  const char *rule = _("Falls from 1 to 32 lanes at an address: different addresses are served one after the other. "
                       "Rises: one address is. Flat, within a tenth: both at once, unless one thread alone takes less "
                       "than two thirds.");
  g_autofree double *x = NULL, *latencies = NULL;
  const guint n = es_findings_get_series (run->findings, "sharing", space->name, &x, &latencies);
  const double one = es_findings_get (run->findings, "alone", space->name, NAN);
  const char *title = g_dgettext (GETTEXT_PACKAGE, space->name);

  if (n < 2)
    return;
  switch (es_rule_sharing (latencies, n, one))
    {
    case ES_SHARING_SERIALISED:
      es_experiment_say (run, ES_VERDICT_NO, rule, _("%s: parallel access no, broadcast yes."), title);
      break;
    case ES_SHARING_PARALLEL_ONLY:
      es_experiment_say (run, ES_VERDICT_NO, rule, _("%s: parallel access yes, broadcast no."), title);
      break;
    case ES_SHARING_NEITHER:
      es_experiment_say (run, ES_VERDICT_NO, rule, _("%s: neither parallel access nor broadcast."), title);
      break;
    case ES_SHARING_BOTH:
      es_experiment_say (run, ES_VERDICT_YES, rule, _("%s: parallel access and broadcast."), title);
      break;
    case ES_SHARING_FLAT:
    default:
      es_experiment_say (run, ES_VERDICT_UNSURE, rule, _("%s: both or neither."), title);
      break;
    }
  es_verdict_add_number (run->verdict, _("32 addresses"), latencies[0], "clocks");
  es_verdict_add_number (run->verdict, _("One address"), latencies[n - 1], "clocks");
  if (!isnan (one))
    es_verdict_add_number (run->verdict, _("One thread alone"), one, "clocks");
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  gboolean has;

  es_findings_open (run->findings, &sharing);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    for (guint k = 0; k < N_SHARES; k++)
      {
        const EskProbe probe = { .kind = ESK_PROBE_SHARING, .space = spaces[s].space, .ways = 1u << k,
                                 .threads = (guint32) es_params_get_int (run->params, "threads"),
                                 .blocks = (guint32) es_params_get_int (run->params, "blocks") };

        if (!es_experiment_probe (run, &probe, spaces[s].name, 1u << k, 1, NULL, &has, error))
          return FALSE;
      }
  es_findings_open (run->findings, &alone);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    {
      EskProbe probe = { .kind = ESK_PROBE_SHARING, .space = spaces[s].space, .ways = 1, .threads = 1, .blocks = 1 };

      /* Warps are whole on some machines: a thread that walks over words that the nearest cache has is the same. */
      if (!es_probing_has (run->probing, &probe))
        probe = (EskProbe) { .kind = ESK_PROBE_CHASE, .space = spaces[s].space, .bytes = ALONE_BYTES, .stride = 1 };

      if (!es_experiment_probe (run, &probe, spaces[s].name, NAN, 1, NULL, &has, error))
        return FALSE;
    }
  if (!measure_load (run, error))
    return FALSE;
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    judge (run, &spaces[s]);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    judge_load (run, &spaces[s]);
  es_experiment_mean (run, _("Kernels read what all lanes need (bases, weights, steering vectors) by one address a "
                             "warp, and keep what differs by lane out of constant memory."));
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return G_N_ELEMENTS (spaces) * (N_SHARES + 1 + N_SWEPT);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_sharing, measure, probes_of)

const EsOperation es_operation_lab_sharing = {
  .id = "lab-sharing",
  .title = N_("Broadcast and parallel access"),
  .short_title = N_("Broadcast or parallel"),
  .summary = N_("Whether a memory serves 32 lanes at once that want 32 addresses, or one address."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_SHARING, .space = ESK_SPACE_CONSTANT, .ways = 4, .threads = 32,
                                  .blocks = 1 };

const EsExperiment es_experiment_sharing = {
  .operation = &es_operation_lab_sharing,
  .group = ES_EXPERIMENTS_MEMORY,
  .question = N_("Are 32 lanes served at once that want 32 addresses, or all the same one?"),
  .how = N_("A warp reads over and over, 1, 2, 4 … 32 lanes at each address. Where the time of an access falls as more "
            "lanes share one, the addresses are served one after the other."),
  .predict = N_("Constant memory was made for values that all lanes want. What will happen to its latency when they "
                "want 32 different ones?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&sharing, &alone, &by_threads, &by_blocks),
  .kinds = ES_EXPERIMENT_ON_GPU,
};
