/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What it costs that lanes want different words of one bank of shared memory, and a padding that avoids it:
 * gpu-lab.md, section 9; system 9. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const guint64 words[] = { 1, 2, 4, 8, 16, 32 };

static const char *const layouts[] = { N_("Rows of 32 words"), N_("Rows of 33 words") };

static const EsFindingsGroup conflict = {
  "conflict", N_("Latency by words in one bank"), N_("Words in one bank"), "words", N_("Latency"), "clocks", FALSE,
};

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const char *rule = _("A straight line through latency by words in one bank that fits each within a fifth: accesses "
                       "are served one after the other.");

  es_findings_open (run->findings, &conflict);
  for (guint v = 0; v < G_N_ELEMENTS (layouts); v++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_CONFLICT, .variant = v };

      if (!es_experiment_sweep (run, &probe, layouts[v], ES_SWEEP_WAYS, words, G_N_ELEMENTS (words), error))
        return FALSE;
    }
  g_autofree double *x = NULL, *plain = NULL, *padded_x = NULL, *padded = NULL;
  const guint n = es_findings_get_series (run->findings, "conflict", layouts[0], &x, &plain);
  const guint n_padded = es_findings_get_series (run->findings, "conflict", layouts[1], &padded_x, &padded);
  gboolean fits;
  if (n < 3)
    return TRUE;
  const double each = es_rule_conflict (x, plain, n, &fits);
  if (fits)
    es_experiment_say (run, ES_VERDICT_YES, rule, _("Each further word in the same bank costs %.1f clocks."), each);
  else
    es_experiment_say (run, ES_VERDICT_UNSURE, rule, _("Latency does not grow with the words in a bank in a straight "
                                                       "line."));
  es_verdict_add_number (run->verdict, _("One word a bank"), plain[0], "clocks");
  es_verdict_add_number (run->verdict, _("32 words in one bank"), plain[n - 1], "clocks");
  if (n_padded == 0)
    return TRUE;
  const gboolean helps = !es_rule_is_slower (plain[0], padded[n_padded - 1]);
  es_experiment_say (run, helps ? ES_VERDICT_YES : ES_VERDICT_NO,
                     _("A column of padded rows no more than a tenth slower than a row: padding removes the conflict."),
                     helps ? _("A word of padding a row removes it: %.1f clocks.")
                           : _("A word of padding a row does not remove it: %.1f clocks."), padded[n_padded - 1]);
  es_verdict_add_number (run->verdict, _("32 words, padded"), padded[n_padded - 1], "clocks");
  es_experiment_mean (run, _("Kernels that turn rows into columns in shared memory pad their rows by a word: a column "
                             "of an unpadded tile would take %.0f times as long."), plain[n - 1] / plain[0]);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 2 * G_N_ELEMENTS (words);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_banks, measure, probes_of)

const EsOperation es_operation_lab_banks = {
  .id = "lab-banks",
  .title = N_("Bank conflicts of shared memory"),
  .short_title = N_("Bank conflicts"),
  .summary = N_("What it costs that the lanes of a warp want different words of one bank, and whether a padded row "
                "avoids it."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_CONFLICT, .ways = 32 };

const EsExperiment es_experiment_banks = {
  .operation = &es_operation_lab_banks,
  .group = ES_EXPERIMENTS_MEMORY,
  .question = N_("What does a bank conflict cost, and does padding avoid it?"),
  .how = N_("Shared memory lies in 32 banks of 4 bytes. The lanes of a warp ask for 1, 2, 4 … 32 different words of "
            "each bank that they use. The same is done with rows that are one word longer than the banks are many, "
            "so that a column meets every bank once."),
  .predict = N_("How many times longer does a column of a tile of 32 x 32 words take than a row? And of a tile of 32 "
                "x 33?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&conflict),
  .kinds = ES_EXPERIMENT_ON_GPU,
};
