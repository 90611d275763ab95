/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What additions that nobody may interrupt cost, and what it costs that many want the same address. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

typedef struct
{
  int         value;
  const char *name;
} Named;

static const Named types[] = {
  { ESK_TYPE_LAB_INT32, "int32" }, { ESK_TYPE_LAB_INT64, "int64" }, { ESK_TYPE_LAB_FLOAT32, "float32" },
  { ESK_TYPE_LAB_FLOAT64, "float64" },
};

static const Named spaces[] = { { ESK_SPACE_GLOBAL, "global" }, { ESK_SPACE_SHARED, "shared" } };

#define N_SHARES 3
#define N_ROWS (G_N_ELEMENTS (spaces) * N_SHARES)

static const char *const shares[N_SHARES] = { "own", "warp", "all" };
static const char *const row_titles[N_ROWS] = {
  N_("Global memory, each its own address"), N_("Global memory, a warp one address"),
  N_("Global memory, all one address"), N_("Shared memory, each its own address"),
  N_("Shared memory, a warp one address"), N_("Shared memory, all one address"),
};

static const EsFindingsGroup rate = { "rate", NULL, NULL, NULL, N_("Additions a second"), "1/s", FALSE };

static void
add_matrix (EsExperimentRun *run, const double *values)
{
  const char *rows[N_ROWS], *columns[G_N_ELEMENTS (types)];
  double kept[N_ROWS * G_N_ELEMENTS (types)];
  guint n = 0;

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    columns[t] = types[t].name;
  for (guint r = 0; r < N_ROWS; r++)
    {
      gboolean any = FALSE;

      for (guint t = 0; t < G_N_ELEMENTS (types); t++)
        {
          kept[n * G_N_ELEMENTS (types) + t] = values[r * G_N_ELEMENTS (types) + t] * 1e-9;
          any = any || !isnan (values[r * G_N_ELEMENTS (types) + t]);
        }
      if (any)
        rows[n++] = g_dgettext (GETTEXT_PACKAGE, row_titles[r]);
    }
  if (n == 0)
    return;
  EsMatrix *matrix = es_matrix_new ("rates", _("Billions of atomic additions a second"), n, G_N_ELEMENTS (types), kept,
                                    rows, columns);
  es_matrix_set_titles (matrix, _("Addresses"), _("Type"));
  es_result_add_layer (run->result, ES_LAYER (matrix));
}

static void
judge (EsExperimentRun *run)
{
  const double own = es_findings_get (run->findings, "rate", "int32 global own", NAN);
  const double all = es_findings_get (run->findings, "rate", "int32 global all", NAN);
  const double sum = es_findings_get (run->findings, "rate", "float32 global own", NAN);

  if (isnan (own) || isnan (all))
    return;
  es_experiment_say (run, es_rule_is_slower (all, own) ? ES_VERDICT_YES : ES_VERDICT_NO,
                     _("More than a tenth fewer additions a second where all want one address: contention costs."),
                     _("Additions to one address take %.3g times as long as to addresses of one's own."), own / all);
  es_verdict_add_number (run->verdict, _("Each its own address"), own, "1/s");
  es_verdict_add_number (run->verdict, _("All one address"), all, "1/s");
  if (!isnan (sum))
    {
      es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("A sum in float32 takes %.2f times as long as one in int32."),
                         own / sum);
      es_verdict_add_number (run->verdict, "float32", sum, "1/s");
    }
  es_experiment_mean (run, es_rule_is_slower (all, own)
                      ? _("Sums over samples take no atomics: each block or thread has its own, added in a fixed "
                          "order, which is also why the same input gives the same bytes; what is counted atomically, "
                          "such as clipped samples, is added up before. One address for all would take %.3g times as "
                          "long.")
                      : _("Sums over samples take no atomics: each block or thread has its own, added in a fixed "
                          "order, which is also why the same input gives the same bytes; what is counted atomically, "
                          "such as clipped samples, is added up before."), own / all);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  double values[N_ROWS * G_N_ELEMENTS (types)];
  gboolean has;

  es_findings_open (run->findings, &rate);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    for (guint k = 0; k < N_SHARES; k++)
      for (guint t = 0; t < G_N_ELEMENTS (types); t++)
        {
          const EskProbe probe = { .kind = ESK_PROBE_ATOMIC, .space = (EskLabSpace) spaces[s].value,
                                   .type = (EskLabType) types[t].value, .variant = k };
          g_autofree char *name = g_strdup_printf ("%s %s %s", types[t].name, spaces[s].name, shares[k]);
          double *value = &values[(s * N_SHARES + k) * G_N_ELEMENTS (types) + t];
          EsMeasured measured;

          *value = NAN;
          if (!es_experiment_probe (run, &probe, name, NAN, 1, &measured, &has, error))
            return FALSE;
          if (has)
            *value = measured.median;
        }
  add_matrix (run, values);
  judge (run);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return is_cpu ? 8 : N_ROWS * G_N_ELEMENTS (types);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_atomics, measure, probes_of)

const EsOperation es_operation_lab_atomics = {
  .id = "lab-atomics",
  .title = N_("Atomic additions"),
  .short_title = N_("Atomic additions"),
  .summary = N_("How many additions a second all threads do that nobody may interrupt: each to its own address, or "
                "many to one."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_ATOMIC, .type = ESK_TYPE_LAB_INT32, .variant = 2 };

const EsExperiment es_experiment_atomics = {
  .operation = &es_operation_lab_atomics,
  .group = ES_EXPERIMENTS_ARITHMETIC,
  .question = N_("What does it cost that many add to the same address?"),
  .how = N_("All threads add over and over by atomic instructions: each to an address of its own, those of a warp to "
            "one, or all to a single one, in global memory (on the processor the memory) and in shared memory."),
  .predict = N_("How many times slower will it be if all threads add to a single address? Is a sum in float32 slower "
                "than one in int32?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&rate),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
