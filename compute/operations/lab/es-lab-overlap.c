/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Whether transfers hide behind work, and the card and the processor work at once: gpu-lab.md, section 16; system
 * 17. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"

static const guint64 bands[] = { 1, 2, 3, 4, 6, 8, 12, 16 };
/* Rounds of work of the trial from which it is found how many take as long as a transfer. */
#define TRIAL_ROUNDS 16
#define MOST_ROUNDS 65536

static const char *const what[] = { N_("upload"), N_("work"), N_("download"), N_("processor") };

static const EsParamSpec params[] = {
  { .key = "size", .label = N_("Size"),
    .help = N_("How much is brought to the card, worked on and brought back."),
    .type = ES_PARAM_FLOAT, .unit = "MiB", .minimum = 1, .maximum = 1024, .default_value = 64, .step = 1 },
  { .key = "rounds", .label = N_("Rounds of work"),
    .help = N_("How much work there is a byte. Automatic: as much as takes as long as bringing it to the card."),
    .type = ES_PARAM_INT, .maximum = MOST_ROUNDS, .zero_label = N_("Automatic") },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const EsFindingsGroup by_bands = {
  "overlap", N_("Time by bands"), N_("Bands, a stream each"), "bands", N_("Time of the whole"), "s", FALSE,
};
static const EsFindingsGroup parts = {
  "parts", N_("Parts, one after the other"), NULL, NULL, N_("Time"), "s", FALSE,
};
static const EsFindingsGroup both = {
  "both", N_("Card and processor"), NULL, NULL, N_("Time of both shares"), "s", FALSE,
};
static const char in_bands[] = N_("In bands");
static const char in_bands_pageable[] = N_("In bands, pageable memory");
static const char *const both_names[] = { N_("One after the other"), N_("At once") };

/* How long each kind of work took, of all spans. */
static void
sum_spans (const EskProbeResult *raw, double sums[G_N_ELEMENTS (what)])
{
  for (guint k = 0; k < G_N_ELEMENTS (what); k++)
    sums[k] = 0;
  for (guint i = 0; i < MIN (raw->n_spans, ESK_LAB_MOST_SPANS); i++)
    if (raw->spans[i].what < G_N_ELEMENTS (what))
      sums[raw->spans[i].what] += raw->spans[i].to - raw->spans[i].from;
}

/* What happened when, as rows: a view draws them as bars. */
static void
add_timeline (EsExperimentRun *run, const char *name, const char *title, const EskProbeResult *raw)
{
  EsTable *table;

  if (raw->n_spans == 0)
    return;
  table = es_table_new (name, title);
  es_table_add_column (table, _("What"), NULL, -1);
  es_table_add_column (table, _("Row"), NULL, 0);
  es_table_add_column (table, _("From"), "ms", 4);
  es_table_add_column (table, _("To"), "ms", 4);
  for (guint i = 0; i < MIN (raw->n_spans, ESK_LAB_MOST_SPANS); i++)
    {
      const EskLabSpan *span = &raw->spans[i];
      const double row = span->row, from = span->from * 1e3, to = span->to * 1e3;

      es_table_add_row (table, (gconstpointer[]) {
        g_dgettext (GETTEXT_PACKAGE, what[MIN (span->what, G_N_ELEMENTS (what) - 1)]), &row, &from, &to });
    }
  es_result_add_layer (run->result, ES_LAYER (table));
}

/* Rounds of work that take as long as the upload; 0: the machine does not tell. */
static gboolean
find_rounds (EsExperimentRun *run, guint64 bytes, guint *rounds, GError **error)
{
  const EskProbe trial = { .kind = ESK_PROBE_OVERLAP, .bytes = bytes, .ways = 1, .variant = TRIAL_ROUNDS,
                           .memory = ESK_MEMORY_PINNED, .repeats = 3 };
  g_autofree EskProbeResult *raw = g_new0 (EskProbeResult, 1);
  double sums[G_N_ELEMENTS (what)];
  EsMeasured measured;
  gboolean has;

  *rounds = (guint) es_params_get_int (run->params, "rounds");
  if (*rounds > 0)
    return TRUE;
  if (!es_experiment_probe_raw (run, &trial, NULL, NAN, &measured, raw, &has, error))
    return FALSE;
  if (!has)
    return TRUE;
  sum_spans (raw, sums);
  *rounds = sums[0] > 0 && sums[1] > 0
            ? (guint) CLAMP (TRIAL_ROUNDS * sums[0] / sums[1], 1, MOST_ROUNDS) : TRIAL_ROUNDS;
  return TRUE;
}

static void
judge (EsExperimentRun *run, const double sums[G_N_ELEMENTS (what)])
{
  g_autofree double *x = NULL, *seconds = NULL;
  const guint n = es_findings_get_series (run->findings, "overlap", in_bands, &x, &seconds);
  const double all = sums[0] + sums[1] + sums[2], longest = MAX (MAX (sums[0], sums[1]), sums[2]);
  guint best = 0;

  for (guint i = 0; i < n; i++)
    if (seconds[i] < seconds[best])
      best = i;
  if (n < 2)
    return;
  es_experiment_say (run, seconds[best] < 0.95 * seconds[0] ? ES_VERDICT_YES : ES_VERDICT_NO,
                     /* xgettext:no-c-format */
                     _("More than 5 % quicker in bands than as a whole: transfers hide behind work."),
                     _("In %.0f bands it takes %.2f ms instead of %.2f ms: %.0f %% of the time is hidden."), x[best],
                     seconds[best] * 1e3, seconds[0] * 1e3, 100 * (1 - seconds[best] / seconds[0]));
  es_verdict_add_number (run->verdict, _("One band"), seconds[0], "s");
  es_verdict_add_number (run->verdict, _("At best"), seconds[best], "s");
  if (longest > 0)
    {
      es_verdict_add_number (run->verdict, _("Sum of the parts"), all, "s");
      es_verdict_add_number (run->verdict, _("Longest part"), longest, "s");
    }
  es_experiment_mean (run, _("Passes bring one tile to the card while it works on the one before, in two buffers: of "
                             "transfer and work the longer one counts, and %.0f %% is what that hides here at best."),
                      100 * (1 - seconds[best] / seconds[0]));
}

/* Copies of pageable memory are not asynchronous: gpu-lab.md, section 12. Drivers may see to it otherwise. */
static void
judge_pageable (EsExperimentRun *run)
{
  g_autofree double *x = NULL, *seconds = NULL, *x_locked = NULL, *locked = NULL;
  const guint n = es_findings_get_series (run->findings, "overlap", in_bands_pageable, &x, &seconds);
  const guint n_locked = es_findings_get_series (run->findings, "overlap", in_bands, &x_locked, &locked);
  guint best = 0, best_locked = 0;

  for (guint i = 0; i < n; i++)
    if (seconds[i] < seconds[best])
      best = i;
  for (guint i = 0; i < n_locked; i++)
    if (locked[i] < locked[best_locked])
      best_locked = i;
  if (n < 2 || n_locked < 2)
    return;
  const double hidden = 100 * (1 - seconds[best] / seconds[0]);
  es_experiment_say (run, seconds[best] < 0.95 * seconds[0] ? ES_VERDICT_YES : ES_VERDICT_NO,
                     /* xgettext:no-c-format */
                     _("More than 5 % quicker in bands than as a whole: transfers hide behind work."),
                     _("From pageable memory %.0f %% of the time is hidden at best, and it takes %.2f times as long "
                       "as from page-locked memory."), hidden, seconds[best] / locked[best_locked]);
  es_verdict_add_number (run->verdict, _("One band, pageable"), seconds[0], "s");
  es_verdict_add_number (run->verdict, _("At best, pageable"), seconds[best], "s");
  es_verdict_add_number (run->verdict, _("At best, page-locked"), locked[best_locked], "s");
}

static gboolean
measure_bands (EsExperimentRun *run, GError **error)
{
  const guint64 bytes = (guint64) (es_params_get_float (run->params, "size") * 1048576);
  g_autofree EskProbeResult *raw = g_new0 (EskProbeResult, 1), *best = g_new0 (EskProbeResult, 1);
  double sums[G_N_ELEMENTS (what)] = { 0 }, least = INFINITY;
  EsMeasured measured;
  gboolean has;
  guint rounds;

  es_findings_open (run->findings, &by_bands);
  if (!find_rounds (run, bytes, &rounds, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (bands); i++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_OVERLAP, .bytes = bytes, .ways = (guint32) bands[i],
                               .memory = ESK_MEMORY_PINNED, .variant = rounds };

      if (!es_experiment_probe_raw (run, &probe, in_bands, (double) bands[i], &measured, raw, &has, error))
        return FALSE;
      if (has && i == 0)
        sum_spans (raw, sums);
      if (has && measured.median < least)
        {
          least = measured.median;
          *best = *raw;
        }
    }
  if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_OVERLAP, .bytes = bytes, .variant = rounds,
                                               .memory = ESK_MEMORY_PAGEABLE }, in_bands_pageable, ES_SWEEP_WAYS,
                            bands, G_N_ELEMENTS (bands), error))
    return FALSE;
  es_findings_open (run->findings, &parts);
  for (guint k = 0; k < 3 && sums[0] + sums[1] + sums[2] > 0; k++)
    es_findings_add (run->findings, what[k], NAN, &(EsMeasured) { sums[k], sums[k], sums[k], 0, 1, 0, -1 }, 1);
  judge (run, sums);
  judge_pageable (run);
  add_timeline (run, "timeline", _("What happened when, at best"), best);
  return TRUE;
}

static gboolean
measure_both (EsExperimentRun *run, GError **error)
{
  g_autofree EskProbeResult *raw = g_new0 (EskProbeResult, 1);
  const guint64 bytes = (guint64) (es_params_get_float (run->params, "size") * 1048576);
  double seconds[2] = { NAN, NAN };
  EsMeasured measured;
  gboolean has;

  es_findings_open (run->findings, &both);
  for (guint v = 0; v < 2; v++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_BOTH, .variant = v, .bytes = bytes };

      if (!es_experiment_probe_raw (run, &probe, both_names[v], NAN, &measured, raw, &has, error))
        return FALSE;
      if (has)
        seconds[v] = measured.median;
    }
  if (isnan (seconds[0]) || isnan (seconds[1]))
    return TRUE;
  es_experiment_say (run, seconds[1] < 0.95 * seconds[0] ? ES_VERDICT_YES : ES_VERDICT_NO,
                     /* xgettext:no-c-format */
                     _("More than 5 % quicker at once than one after the other: both work at once."),
                     _("The card and the processor take %.2f ms at once, %.2f ms one after the other."),
                     seconds[1] * 1e3, seconds[0] * 1e3);
  es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, both_names[0]), seconds[0], "s");
  es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, both_names[1]), seconds[1], "s");
  add_timeline (run, "timeline-both", _("Card and processor at once"), raw);
  return TRUE;
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  return measure_bands (run, error) && measure_both (run, error);
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 3 + 2 * G_N_ELEMENTS (bands);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_overlap, measure, probes_of)

const EsOperation es_operation_lab_overlap = {
  .id = "lab-overlap",
  .title = N_("Transfers behind work"),
  .short_title = N_("Overlap"),
  .summary = N_("How much of the transfers hides behind work when it is done in bands on streams, and whether the "
                "card and the processor work at once."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_OVERLAP, .ways = 4, .bytes = 64 << 20, .variant = 16,
                                  .memory = ESK_MEMORY_PINNED };

const EsExperiment es_experiment_overlap = {
  .operation = &es_operation_lab_overlap,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("How much of the transfers can hide behind the work?"),
  .how = N_("Data are brought to the card, worked on for about as long as that takes, and brought back: as a whole, "
            "then in 2, 3, 4 … 16 bands with a stream each, so that one band is copied while another is worked on; "
            "once in page-locked, once in pageable memory, whose copies the host has to wait for. "
            "Then the card and the processor each do a share of like work, one after the other and at once."),
  .predict = N_("Upload, work and download take equally long. How much time can bands save at best, and how many "
                "bands will it take?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&by_bands, &parts, &both),
  .kinds = ES_EXPERIMENT_ON_GPU,
};
