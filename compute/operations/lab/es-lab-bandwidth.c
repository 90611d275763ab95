/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many bytes a second a device copies, by the size of its elements, and reads and writes, by how much it goes
 * through: gpu-lab.md, section 10; system 10. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

/* More than four times the last cache, and not less than this. */
#define LEAST_BYTES ((guint64) 256 << 20)
#define LEAST_OF_CPU ((guint64) 64 << 20)
#define MOST_BYTES ((guint64) 1 << 30)
#define LEAST_FOOTPRINT ((guint64) 16 << 10)
#define USUAL_REPEATS 5

static const struct { guint32 bytes; const char *name; } elements[] = {
  { 1, N_("1 byte") }, { 2, N_("2 bytes") }, { 4, N_("4 bytes") }, { 8, N_("8 bytes") }, { 16, N_("16 bytes") },
};

static const struct { EskProbeKind kind; const char *name; } ways[] = {
  { ESK_PROBE_READ, N_("Read") }, { ESK_PROBE_WRITE, N_("Write") }, { ESK_PROBE_MOVE, N_("Read and written") },
};

static const char library[] = N_("The library's own copy");

static const EsFindingsGroup copy = {
  "copy", N_("Copying, by the size of an element"), NULL, NULL, N_("Bandwidth, read and written"), "B/s", FALSE,
};
static const EsFindingsGroup by_footprint = {
  "footprint", N_("Bandwidth by footprint"), N_("Footprint"), "B", N_("Bandwidth"), "B/s", TRUE,
};
static const EsFindingsGroup by_threads = {
  "threads", N_("Bandwidth by threads"), N_("Threads"), "threads", N_("Bandwidth"), "B/s", FALSE,
};

static guint64
largest (EsExperimentRun *run)
{
  const EskLabMachine *facts = es_probing_get_facts (run->probing);
  const guint64 least = run->is_cpu ? LEAST_OF_CPU : LEAST_BYTES;
  guint64 most = CLAMP (4 * MAX (facts->l2, facts->l3), least, MOST_BYTES);

  /* A copy has two of them, and others want some, too. */
  while (facts->memory > 0 && most > facts->memory / 4)
    most /= 2;
  return most;
}

static gboolean
measure_copies (EsExperimentRun *run, guint64 bytes, GError **error)
{
  const EskProbe own = { .kind = ESK_PROBE_LIBRARY_COPY, .bytes = bytes };
  gboolean has;

  es_findings_open (run->findings, &copy);
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_COPY, .bytes = bytes, .ways = elements[i].bytes };

      if (!es_experiment_probe (run, &probe, elements[i].name, NAN, 1, NULL, &has, error))
        return FALSE;
    }
  return es_experiment_probe (run, &own, library, NAN, 1, NULL, &has, error);
}

static gboolean
measure_footprints (EsExperimentRun *run, guint64 most, GError **error)
{
  g_autoptr (GArray) footprints = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 bytes = LEAST_FOOTPRINT; bytes < most; bytes *= 2)
    g_array_append_val (footprints, bytes);
  g_array_append_val (footprints, most);
  es_findings_open (run->findings, &by_footprint);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (!es_experiment_sweep (run, &(EskProbe) { .kind = ways[i].kind, .repeats = USUAL_REPEATS }, ways[i].name,
                              ES_SWEEP_BYTES, (guint64 *) footprints->data, footprints->len, error))
      return FALSE;
  return TRUE;
}

static gboolean
measure_threads (EsExperimentRun *run, guint64 bytes, GError **error)
{
  const guint threads = MAX (es_probing_get_facts (run->probing)->threads, 1);
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 n = 1; n < threads; n *= 2)
    g_array_append_val (counts, n);
  g_array_append_val (counts, (guint64) { threads });
  es_findings_open (run->findings, &by_threads);
  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (!es_experiment_sweep (run, &(EskProbe) { .kind = ways[i].kind, .bytes = bytes, .repeats = USUAL_REPEATS },
                              ways[i].name, ES_SWEEP_THREADS, (guint64 *) counts->data, counts->len, error))
      return FALSE;
  return TRUE;
}

static void
judge_elements (EsExperimentRun *run)
{
  const double small = es_findings_get (run->findings, "copy", elements[0].name, NAN);
  const double word = es_findings_get (run->findings, "copy", elements[2].name, NAN);
  const double wide = es_findings_get (run->findings, "copy", elements[4].name, NAN);
  const double own = es_findings_get (run->findings, "copy", library, NAN);
  const double best = fmax (word, wide);

  if (isnan (small) || isnan (word))
    return;
  es_experiment_say (run, es_rule_is_slower (small, word) ? ES_VERDICT_YES : ES_VERDICT_NO,
                     _("Elements of 4 bytes more than a tenth faster than of 1: small types are worth packing."),
                     es_rule_is_slower (small, word)
                     ? _("Elements of one byte reach %.0f %% of what elements of four reach: small types are packed.")
                     : _("Elements of one byte reach %.0f %% of what elements of four reach: packing does not help."),
                     100 * small / word);
  es_verdict_add_number (run->verdict, _("1 byte"), small, "B/s");
  es_verdict_add_number (run->verdict, _("4 bytes"), word, "B/s");
  if (!isnan (own))
    {
      es_experiment_say (run, es_rule_is_slower (best, own) ? ES_VERDICT_NO : ES_VERDICT_YES,
                         _("A copy of our own within a tenth of the library's reaches the memory's bandwidth."),
                         _("The best copy of our own reaches %.0f %% of the library's."), 100 * best / own);
      es_verdict_add_number (run->verdict, _("Own copy"), best, "B/s");
      es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, library), own, "B/s");
    }
}

static void
judge_footprints (EsExperimentRun *run)
{
  g_autofree double *x = NULL, *rates = NULL;
  const guint n = es_findings_get_series (run->findings, "footprint", ways[0].name, &x, &rates);
  double best = 0;

  for (guint i = 0; i < n; i++)
    best = MAX (best, rates[i]);
  if (n < 2)
    return;
  es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("Reading reaches %.1f GB/s from the caches and %.1f GB/s from the "
                                                    "memory."), best * 1e-9, rates[n - 1] * 1e-9);
  es_verdict_add_number (run->verdict, _("Best footprint"), best, "B/s");
  es_verdict_add_number (run->verdict, _("Largest footprint"), rates[n - 1], "B/s");
  es_experiment_mean (run, run->is_cpu
                      ? _("Going once through a cube in memory takes %.3g ms a gigabyte at least: what can be computed "
                          "in one pass is not read twice.")
                      : _("Going once through a cube on the card takes %.3g ms a gigabyte at least; kernels load 16 "
                          "bytes a lane and keep the stored type, so that 8- and 16-bit cubes cost what they weigh."),
                      1e12 / rates[n - 1]);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint64 most = largest (run);

  if (!measure_copies (run, most, error) || !measure_footprints (run, most, error)
      || (run->is_cpu && !measure_threads (run, most, error)))
    return FALSE;
  judge_footprints (run);
  judge_elements (run);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return G_N_ELEMENTS (elements) + 1 + 3 * (is_cpu ? 18 : 17);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_bandwidth, measure, probes_of)

const EsOperation es_operation_lab_bandwidth = {
  .id = "lab-bandwidth",
  .title = N_("Bandwidth of memory"),
  .short_title = N_("Bandwidth"),
  .summary = N_("How many bytes a second are copied by the size of an element, and read and written by how much "
                "memory is gone through."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_COPY, .bytes = 1 << 28, .ways = 4 };

const EsExperiment es_experiment_bandwidth = {
  .operation = &es_operation_lab_bandwidth,
  .group = ES_EXPERIMENTS_MEMORY,
  .question = N_("How many bytes a second can be read, written and copied?"),
  .how = N_("All threads copy a large block, in elements of 1 to 16 bytes; of several grids the best counts, and "
            "each byte that is read and written counts twice. Beside it the copy of the library. Then blocks of "
            "growing size are read, written or both over and over: those that fit a cache come from there."),
  .predict = N_("How much faster is a copy in elements of four bytes than in single bytes? And in elements of "
                "sixteen?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&copy, &by_footprint, &by_threads),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
