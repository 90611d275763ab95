/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many neighbours come with one access: gpu-lab.md, section 4; system 5. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

/* As many as were published; odd strides visit all of them. */
#define CONSTANT_BYTES 8192
/* Of a processor: more than the caches of a core keep, or the stride would not matter. */
#define LEAST_BYTES ((guint64) 4 << 20)
#define MOST_BYTES ((guint64) 16 << 20)
#define USUAL_REPEATS 5
#define WORD_BYTES 4

static const guint64 strides[] = { 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 23, 27, 31, 33, 41, 49, 57, 63 };

typedef struct
{
  EskLabSpace space;
  const char *name;
} Space;

static const Space spaces[] = {
  { ESK_SPACE_CONSTANT, N_("Constant memory") },
  { ESK_SPACE_GLOBAL, N_("Global memory") },
  { ESK_SPACE_TEXTURE, N_("Texture") },
};

static const EsFindingsGroup by_stride = {
  "stride", N_("Latency by stride"), N_("Stride"), "words", N_("Latency"), "clocks", FALSE,
};

/* The knee in words, as the size that a line can have: a power of two of bytes. */
static double
line_of (double knee)
{
  return exp2 (round (log2 (knee * WORD_BYTES)));
}

static void
judge (EsExperimentRun *run, const Space *space)
{
  g_autofree double *x = NULL, *latencies = NULL;
  const guint n = es_findings_get_series (run->findings, "stride", space->name, &x, &latencies);
  /* A processor has no other. */
  const char *title = run->is_cpu && space->space == ESK_SPACE_GLOBAL ? _("Memory")
                      : g_dgettext (GETTEXT_PACKAGE, space->name);
  const char *rule = _("The first stride from which all latencies stay within a tenth of the last one, as a power of "
                       "two of bytes; flat: the last latency is within a tenth of the first.");

  if (n < 3)
    return;
  if (!es_rule_is_slower (latencies[0], latencies[n - 1]))
    es_experiment_say (run, ES_VERDICT_NO, rule, _("%s: the stride does not matter at this footprint."), title);
  else
    es_experiment_say (run, ES_VERDICT_YES, rule,
                       run->is_cpu ? _("%s: from a stride of %.0f bytes on, the line and what the processor fetches "
                                       "ahead no longer help; next to each other accesses cost %.1f, then %.1f clocks.")
                                   : _("%s: an access brings %.0f bytes; neighbours within them cost %.1f instead of "
                                       "%.1f clocks."), title,
                       line_of (es_rule_knee (x, latencies, n)), latencies[0], latencies[n - 1]);
  es_verdict_add_number (run->verdict, _("Stride of one word"), latencies[0], "clocks");
  es_verdict_add_number (run->verdict, _("Largest stride"), latencies[n - 1], "clocks");
  if (space->space == (run->is_cpu ? ESK_SPACE_GLOBAL : ESK_SPACE_CONSTANT))
    es_experiment_mean (run, run->is_cpu
                        ? _("Readers turn pixels interleaved by band into planes tile by tile, so that what is read "
                            "next lies beside what was read before: %.1f clocks instead of %.1f.")
                        : _("Kernels here leave constant memory to their arguments, which all lanes read alike; tables "
                            "lie in global memory in the order in which they are read: %.1f clocks next to each other, "
                            "%.1f apart."), latencies[0], latencies[n - 1]);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const EskLabMachine *facts = es_probing_get_facts (run->probing);
  const guint64 caches = CLAMP (4 * facts->l2, LEAST_BYTES, MOST_BYTES);

  es_findings_open (run->findings, &by_stride);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_CHASE, .space = spaces[s].space,
                               .bytes = run->is_cpu ? caches : CONSTANT_BYTES, .repeats = USUAL_REPEATS };

      if (!es_experiment_sweep (run, &probe, spaces[s].name, ES_SWEEP_STRIDE, strides, G_N_ELEMENTS (strides), error))
        return FALSE;
    }
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    judge (run, &spaces[s]);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return (is_cpu ? 1 : G_N_ELEMENTS (spaces)) * G_N_ELEMENTS (strides);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_stride, measure, probes_of)

const EsOperation es_operation_lab_stride = {
  .id = "lab-stride",
  .title = N_("Latency by stride"),
  .short_title = N_("Stride"),
  .summary = N_("How long an access takes by how far it is from the one before: the curve bends where a line of the "
                "cache ends."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_CHASE, .space = ESK_SPACE_CONSTANT, .bytes = CONSTANT_BYTES,
                                  .stride = 3 };

const EsExperiment es_experiment_stride = {
  .operation = &es_operation_lab_stride,
  .group = ES_EXPERIMENTS_MEMORY,
  .question = N_("How many bytes come with one access?"),
  .how = N_("One thread goes through 8 KiB (on the processor through more than its caches hold) with a stride of 1, "
            "3, 5 … 63 words of 4 bytes; odd strides visit every word. As long as the next word lies in the line "
            "that the last access brought, it is cheap; from the length of a line on, every access brings another "
            "one."),
  .predict = N_("From which stride on will the latency stay the same? What does that say of the length of a line?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&by_stride),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
