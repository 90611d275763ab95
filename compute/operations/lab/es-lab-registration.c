/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What page-locking memory that is there costs: gpu-lab.md, section 14, (4.5) and (4.6); system 14. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-segmented-fit-internal.h"

static const EsParamSpec params[] = {
  { .key = "largest", .label = N_("Largest size"),
    .help = N_("The largest block that is page-locked."),
    .type = ES_PARAM_FLOAT, .unit = "MiB", .minimum = 4, .maximum = 4096, .default_value = 128, .step = 1 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

#define LEAST_BYTES 4096
#define MOST_ERROR 0.05

static const struct { guint variant; const char *name; } parts[] = {
  { 1, N_("Page-locking") }, { 3, N_("Unlocking") },
};

static const EsFindingsGroup cost = {
  "cost", N_("Registration by size"), N_("Size"), "B", N_("Time"), "s", TRUE,
};

static EsTable *
make_table (void)
{
  EsTable *table = es_table_new ("fit", _("Formulas: milliseconds by S bytes"));

  es_table_add_column (table, _("What"), NULL, -1);
  es_table_add_column (table, _("Below"), "B", 0);
  es_table_add_column (table, _("Constant"), "ms", 4);
  es_table_add_column (table, _("From there on"), "ms", -1);
  es_table_add_column (table, _("Mean error"), "%", 2);
  es_table_add_column (table, _("Worst error"), "%", 2);
  return table;
}

static void
judge (EsExperimentRun *run, EsTable *table, const char *name)
{
  g_autofree double *x = NULL, *seconds = NULL;
  const guint n = es_findings_get_series (run->findings, "cost", name, &x, &seconds);
  const char *title = g_dgettext (GETTEXT_PACKAGE, name);
  EsTwoPieceFit fit;

  if (!es_two_piece_fit (x, seconds, n, &fit))
    return;
  const double below = fit.below * 1e3, mean = 100 * fit.mean_error, worst = 100 * fit.worst_error;
  g_autofree char *line = g_strdup_printf ("%.4g S %s %.4g", fit.slope * 1e3, fit.start < 0 ? "−" : "+",
                                           fabs (fit.start * 1e3));
  es_table_add_row (table, (gconstpointer[]) { title, &fit.break_at, &below, line, &mean, &worst });
  es_experiment_say (run, fit.mean_error < MOST_ERROR ? ES_VERDICT_YES : ES_VERDICT_NO,
                     /* xgettext:no-c-format */
                     _("A constant and a straight line that meet what was measured within 5 % on average may stand for "
                       "it."), _("%s takes %.3f ms and then %.2f ms a hundred megabytes; wrong by %.1f %% on average."),
                     title, (fit.below > 0 ? fit.below : fit.start) * 1e3, fit.slope * 1e11, mean);
  es_verdict_add_number (run->verdict, _("Least size"), seconds[0], "s");
  es_verdict_add_number (run->verdict, _("Largest size"), seconds[n - 1], "s");
  es_verdict_add_number (run->verdict, _("A byte"), fit.slope, "s");
  if (g_str_equal (name, parts[0].name))
    es_experiment_mean (run, run->is_cpu
                        ? _("Memory is locked only for cards; on the processor no buffer is, as %.2f ms a hundred "
                            "megabytes would buy nothing.")
                        : _("A buffer is registered once and taken from a pool by every pass, as %.2f ms a hundred "
                            "megabytes would be lost each time."), fit.slope * 1e11);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint64 most = (guint64) (es_params_get_float (run->params, "largest") * 1048576);
  g_autoptr (GArray) sizes = es_experiment_footprints (LEAST_BYTES, most);

  /* Of a straight line every doubling tells enough; a processor has other things to be asked within its minute. */
  for (guint i = sizes->len; run->is_cpu && i >= 2; i -= 2)
    g_array_remove_index (sizes, i - 2);
  es_findings_open (run->findings, &cost);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_ALLOCATE, .memory = ESK_MEMORY_REGISTERED,
                                                 .variant = parts[i].variant }, parts[i].name, ES_SWEEP_BYTES,
                              (guint64 *) sizes->data, sizes->len, error))
      return FALSE;
  EsTable *table = make_table ();
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    judge (run, table, parts[i].name);
  if (es_table_get_n_rows (table) > 0)
    es_result_add_layer (run->result, ES_LAYER (table));
  else
    g_object_unref (table);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 2 * (is_cpu ? 17 : 34);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_registration, measure, probes_of)

const EsOperation es_operation_lab_registration = {
  .id = "lab-registration",
  .title = N_("Registering memory"),
  .short_title = N_("Registration"),
  .summary = N_("What page-locking memory that is there costs by its size, and undoing it: a constant, then a "
                "straight line."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_ALLOCATE, .memory = ESK_MEMORY_REGISTERED, .bytes = 1 << 20,
                                  .variant = 1 };

const EsExperiment es_experiment_registration = {
  .operation = &es_operation_lab_registration,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("What does it cost to page-lock memory that is already there?"),
  .how = N_("Blocks of 4 KiB to hundreds of megabytes that were touched before are page-locked and unlocked, each "
            "step timed by itself. A constant below a size and a straight line from it on are fitted such that "
            "relative errors are least; every size is tried as the one between them."),
  .predict = N_("Will it grow with the size from the first page on?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&cost),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
