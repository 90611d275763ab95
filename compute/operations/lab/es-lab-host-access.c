/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How quickly the processor works on host memory by its kind: gpu-lab.md, section 12; system 12. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-selection-model-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  { .key = "largest", .label = N_("Largest size"),
    .help = N_("The largest block that the processor goes through."),
    .type = ES_PARAM_FLOAT, .unit = "MiB", .minimum = 4, .maximum = 4096, .default_value = 64, .step = 1 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

#define LEAST_BYTES ((guint64) 4 << 20)

typedef struct
{
  EskLabMemory memory;
  guint        variant;        /* of the probe */
  const char  *name;
} Access;

static const Access accesses[] = {
  { ESK_MEMORY_PAGEABLE, 0, N_("Pageable, write") }, { ESK_MEMORY_PAGEABLE, 1, N_("Pageable, read") },
  { ESK_MEMORY_PINNED, 0, N_("Page-locked, write") }, { ESK_MEMORY_PINNED, 1, N_("Page-locked, read") },
  { ESK_MEMORY_PAGEABLE, 3, N_("Pageable to pageable") }, { ESK_MEMORY_PINNED, 3, N_("Page-locked to page-locked") },
  { ESK_MEMORY_PINNED, 2, N_("Page-locked to pageable") },
  { ESK_MEMORY_WRITE_COMBINED, 0, N_("Write-combined, write") },
  { ESK_MEMORY_WRITE_COMBINED, 1, N_("Write-combined, read") },
  { ESK_MEMORY_MANAGED, 0, N_("Managed, write") }, { ESK_MEMORY_MANAGED, 1, N_("Managed, read") },
  { ESK_MEMORY_LARGE_PAGES, 0, N_("Large pages, write") }, { ESK_MEMORY_LARGE_PAGES, 1, N_("Large pages, read") },
};

enum { WRITE, READ, LOCKED_WRITE, LOCKED_READ };

static const EsFindingsGroup groups[] = {
  { "one-thread", N_("Bandwidth of one thread"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE },
  { "all-threads", N_("Bandwidth of all threads"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE },
};

static void
judge (EsExperimentRun *run, double bytes)
{
  const char *rule = _("Reading or writing page-locked memory more than a tenth slower than pageable: memory stays "
                       "pageable while the processor works on it.");
  double rates[4];

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    rates[i] = es_findings_get (run->findings, "all-threads", accesses[i].name, bytes);
  const double combined = es_findings_get (run->findings, "all-threads", accesses[8].name, bytes);
  if (!(rates[WRITE] > 0) || !(rates[READ] > 0))
    return;
  if (isnan (rates[LOCKED_WRITE]) || isnan (rates[LOCKED_READ]))
    es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("All threads write %.1f GB/s and read %.1f GB/s."),
                       rates[WRITE] * 1e-9, rates[READ] * 1e-9);
  else
    {
      const gboolean slower = es_rule_is_slower (rates[LOCKED_WRITE], rates[WRITE])
                              || es_rule_is_slower (rates[LOCKED_READ], rates[READ]);

      es_experiment_say (run, slower ? ES_VERDICT_YES : ES_VERDICT_NO, rule,
                         slower ? _("Page-locked memory is not as quick for the processor as pageable: writing takes "
                                    "%.2f, reading %.2f times as long.")
                                : _("Page-locked memory is as quick for the processor as pageable: writing takes %.2f, "
                                    "reading %.2f times as long."), rates[WRITE] / rates[LOCKED_WRITE],
                         rates[READ] / rates[LOCKED_READ]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    if (!isnan (rates[i]))
      es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, accesses[i].name), rates[i], "B/s");
  if (combined > 0)
    {
      const gboolean slower = es_rule_is_slower (combined, rates[READ]);

      es_experiment_say (run, slower ? ES_VERDICT_NO : ES_VERDICT_YES, NULL,
                         slower ? _("Reading write-combined memory takes %.1f times as long as pageable memory.")
                                : _("Reading write-combined memory takes no longer than pageable memory here: %.2f "
                                    "times as long."), rates[READ] / combined);
      es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, accesses[8].name), combined, "B/s");
    }
  es_experiment_mean (run, _("Files are read straight into the buffers that are copied to the card, and results that "
                             "the processor works on are in pageable memory; nothing is ever read from write-combined "
                             "memory."));
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint64 most = (guint64) (es_params_get_float (run->params, "largest") * 1048576);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 bytes = LEAST_BYTES; bytes < most; bytes *= 2)
    g_array_append_val (sizes, bytes);
  g_array_append_val (sizes, most);
  for (guint t = 0; t < G_N_ELEMENTS (groups); t++)
    {
      es_findings_open (run->findings, &groups[t]);
      for (guint i = 0; i < G_N_ELEMENTS (accesses); i++)
        if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_HOST_ACCESS, .memory = accesses[i].memory,
                                                     .variant = accesses[i].variant, .threads = t == 0 ? 1 : 0 },
                                  accesses[i].name, ES_SWEEP_BYTES, (guint64 *) sizes->data, sizes->len, error))
          return FALSE;
    }
  judge (run, (double) most);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 2 * 6 * (is_cpu ? 6 : G_N_ELEMENTS (accesses));
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_host_access, measure, probes_of)

const EsOperation es_operation_lab_host_access = {
  .id = "lab-host-access",
  .title = N_("Host memory: the processor at work on it"),
  .short_title = N_("Work on host memory"),
  .summary = N_("How many bytes a second the processor writes, reads and copies in host memory of each kind, with "
                "one thread and with all."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_HOST_ACCESS, .bytes = 1 << 24, .variant = 1 };

const EsExperiment es_experiment_host_access = {
  .operation = &es_operation_lab_host_access,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("Is page-locked memory slower for the processor?"),
  .how = N_("One thread, then all, fill a block, sum it up and copy it, in memory of each kind and of growing size. "
            "What fits the caches comes from there."),
  .predict = N_("Which memory will be slowest to read, and how many times slower than pageable?"),
  .cpu_question = N_("How many bytes a second do one thread, and all of them, write, read and copy?"),
  .cpu_predict = N_("How many times as much do all threads together reach as one, within the caches and beyond them?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&groups[0], &groups[1]),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
