/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How long an operation takes whose operand is the result of the one before, and how many a second all units do:
 * gpu-lab.md, section 2; system 2. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"

/* Of what a data sheet promises. */
#define NEARLY_ALL 0.9

typedef struct
{
  int         value;
  const char *name;
} Named;

static const Named types[] = {
  { ESK_TYPE_LAB_UINT32, "uint32" }, { ESK_TYPE_LAB_INT32, "int32" }, { ESK_TYPE_LAB_INT64, "int64" },
  { ESK_TYPE_LAB_FLOAT16, "float16" }, { ESK_TYPE_LAB_BFLOAT16, "bfloat16" }, { ESK_TYPE_LAB_FLOAT32, "float32" },
  { ESK_TYPE_LAB_FLOAT64, "float64" },
};

static const Named operations[] = {
  { ESK_OPERATION_ADD, "add" }, { ESK_OPERATION_SUBTRACT, "subtract" }, { ESK_OPERATION_MULTIPLY, "multiply" },
  { ESK_OPERATION_MULTIPLY_ADD, "multiply-add" }, { ESK_OPERATION_DIVIDE, "divide" },
  { ESK_OPERATION_FAST_DIVIDE, "fast divide" }, { ESK_OPERATION_RECIPROCAL, "reciprocal" },
  { ESK_OPERATION_RECIPROCAL_ROOT, "reciprocal root" }, { ESK_OPERATION_SINE, "sine" },
  { ESK_OPERATION_COSINE, "cosine" }, { ESK_OPERATION_EXP2, "exp2" }, { ESK_OPERATION_LOG2, "log2" },
};

/* What data sheets promise of products, in operations a clock and multiprocessor: NVIDIA A100 and H100 Tensor Core GPU
 * (312, 156, 312, 624 and 19.5 million million a second of 108 multiprocessors at 1.41 GHz; 989, 495, 989, 1,979 and
 * 1,979 of 132 at 1.83 GHz, of float64 67 at 1.98 GHz; without zeros that are left out). 0: not known. */
typedef struct
{
  EskLabType  type;
  const char *name, *groups;   /* by warps, and by warp groups; nullable */
  double      of_80, of_90;
} Product;

static const Product products[] = {
  { ESK_TYPE_LAB_TF32, "matrix product tf32", "matrix product tf32, warp groups", 1024, 2048 },
  { ESK_TYPE_LAB_FLOAT16, "matrix product float16", "matrix product float16, warp groups", 2048, 4096 },
  { ESK_TYPE_LAB_BFLOAT16, "matrix product bfloat16", "matrix product bfloat16, warp groups", 2048, 4096 },
  { ESK_TYPE_LAB_INT8, "matrix product int8", "matrix product int8, warp groups", 4096, 8192 },
  { ESK_TYPE_LAB_FLOAT8, NULL, "matrix product float8, warp groups", 0, 8192 },
  { ESK_TYPE_LAB_FLOAT64, "matrix product float64", NULL, 128, 256 },
};

/* Operations a second, and the clock meanwhile; 0: not measured, not known. */
typedef struct
{
  double rate, hertz;
} Rate;

typedef struct
{
  Rate warps[G_N_ELEMENTS (products)], groups[G_N_ELEMENTS (products)];
} Rates;

#define N_TYPES G_N_ELEMENTS (types)
#define N_OPERATIONS G_N_ELEMENTS (operations)

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const EsFindingsGroup latency = { "latency", NULL, NULL, NULL, N_("Latency"), "clocks", FALSE };
static const EsFindingsGroup rate = {
  "rate", N_("Operations a second, of all units"), NULL, NULL, N_("Operations a second"), "1/s", FALSE,
};

static gboolean
measure_latencies (EsExperimentRun *run, double *table, GError **error)
{
  es_findings_open (run->findings, &latency);
  for (guint o = 0; o < N_OPERATIONS; o++)
    for (guint t = 0; t < N_TYPES; t++)
      {
        const EskProbe probe = { .kind = ESK_PROBE_ARITHMETIC, .type = (EskLabType) types[t].value,
                                 .operation = (EskLabOperation) operations[o].value };
        g_autofree char *name = g_strconcat (types[t].name, " ", operations[o].name, NULL);
        EsMeasured measured;
        gboolean has;

        table[o * N_TYPES + t] = NAN;
        if (!es_experiment_probe (run, &probe, name, NAN, 1, &measured, &has, error))
          return FALSE;
        if (has)
          table[o * N_TYPES + t] = measured.median;
      }
  return TRUE;
}

static gboolean
measure_product (EsExperimentRun *run, EskLabType type, guint variant, const char *name, Rate *found,
                 GError **error)
{
  const EskProbe probe = { .kind = ESK_PROBE_MATRIX, .type = type, .variant = variant };
  EsMeasured measured;
  gboolean has;

  if (name == NULL)
    return TRUE;
  if (!es_experiment_probe (run, &probe, name, NAN, 1, &measured, &has, error))
    return FALSE;
  if (has)
    *found = (Rate) { measured.median, measured.hertz };
  return TRUE;
}

static gboolean
measure_rates (EsExperimentRun *run, Rates *rates, GError **error)
{
  static const EskLabOperation wanted[] = { ESK_OPERATION_ADD, ESK_OPERATION_MULTIPLY, ESK_OPERATION_MULTIPLY_ADD };
  gboolean has;

  es_findings_open (run->findings, &rate);
  for (guint t = 0; t < N_TYPES; t++)
    for (guint o = 0; o < G_N_ELEMENTS (wanted); o++)
      {
        const EskProbe probe = { .kind = ESK_PROBE_THROUGHPUT, .type = (EskLabType) types[t].value,
                                 .operation = wanted[o] };
        g_autofree char *name = NULL;

        for (guint i = 0; i < N_OPERATIONS; i++)
          if ((int) wanted[o] == operations[i].value)
            name = g_strconcat (types[t].name, " ", operations[i].name, NULL);
        if (!es_experiment_probe (run, &probe, name, NAN, 1, NULL, &has, error))
          return FALSE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    if (!measure_product (run, products[i].type, 0, products[i].name, &rates->warps[i], error)
        || !measure_product (run, products[i].type, 1, products[i].groups, &rates->groups[i], error))
      return FALSE;
  return TRUE;
}

/* Operations by types; what this machine does not have is empty. */
static void
add_matrix (EsExperimentRun *run, const double *table)
{
  const char *rows[N_OPERATIONS], *columns[N_TYPES];
  double values[N_OPERATIONS * N_TYPES];
  guint n_rows = 0;

  for (guint t = 0; t < N_TYPES; t++)
    columns[t] = types[t].name;
  for (guint o = 0; o < N_OPERATIONS; o++)
    {
      gboolean any = FALSE;

      for (guint t = 0; t < N_TYPES; t++)
        {
          values[n_rows * N_TYPES + t] = table[o * N_TYPES + t];
          any = any || !isnan (table[o * N_TYPES + t]);
        }
      if (any)
        rows[n_rows++] = operations[o].name;
    }
  if (n_rows == 0)
    return;
  EsMatrix *matrix = es_matrix_new ("latencies", _("Latency of a dependent operation in clocks"), n_rows, N_TYPES,
                                    values, rows, columns);
  es_matrix_set_titles (matrix, _("Operation"), _("Type"));
  es_result_add_layer (run->result, ES_LAYER (matrix));
}

/* Of what the data sheet promises at the clock that was measured. */
static double
share_of (const EskLabMachine *facts, const Product *product, const Rate *found)
{
  const double each = g_str_equal (facts->architecture, "9.0") ? product->of_90
                      : g_str_equal (facts->architecture, "8.0") ? product->of_80 : 0;

  return each > 0 && found->rate > 0 && found->hertz > 0 ? found->rate / (each * facts->units * found->hertz) : NAN;
}

/* Each beside what it is a share of: clocks differ from one measurement to the next. */
static void
tell_rate (EsExperimentRun *run, const char *title, const Rate *found, double share)
{
  if (!(found->rate > 0))
    return;
  es_verdict_add_number (run->verdict, title, found->rate, "1/s");
  if (!isnan (share))
    es_verdict_add_number (run->verdict, _("Data sheet, at this clock"), found->rate / share, "1/s");
}

static void
judge_products (EsExperimentRun *run, const Rates *rates)
{
  const EskLabMachine *facts = es_probing_get_facts (run->probing);
  const char *rule = _("Of operations a clock and multiprocessor by the data sheet, at the clock that was measured: "
                       "nine tenths are nearly all.");

  for (guint i = 0; i < G_N_ELEMENTS (products); i++)
    {
      const double warps = share_of (facts, &products[i], &rates->warps[i]);
      const double groups = share_of (facts, &products[i], &rates->groups[i]);
      const double best = fmax (isnan (warps) ? 0 : warps, isnan (groups) ? 0 : groups);
      /* "matrix product float16": the type is its last word. */
      const char *name = products[i].name != NULL ? products[i].name : products[i].groups;
      g_autofree char *type = g_strndup (name + strlen ("matrix product "),
                                         strcspn (name + strlen ("matrix product "), ","));

      if (isnan (warps) && isnan (groups))
        continue;
      if (isnan (warps) || isnan (groups))
        es_experiment_say (run, best >= NEARLY_ALL ? ES_VERDICT_YES : ES_VERDICT_NO, rule,
                           _("Products of %s reach %.0f %% of the data sheet."), type, 100 * best);
      else
        es_experiment_say (run, best >= NEARLY_ALL ? ES_VERDICT_YES : ES_VERDICT_NO, rule,
                           _("Products of %s by warp groups reach %.0f %% of the data sheet, by single warps %.0f %%."),
                           type, 100 * groups, 100 * warps);
      tell_rate (run, _("By single warps"), &rates->warps[i], warps);
      tell_rate (run, _("By warp groups"), &rates->groups[i], groups);
    }
}

static void
judge (EsExperimentRun *run)
{
  const double add = es_findings_get (run->findings, "latency", "float32 add", NAN);
  const double divide = es_findings_get (run->findings, "latency", "float32 divide", NAN);
  const double single = es_findings_get (run->findings, "rate", "float32 multiply-add", NAN);
  const double twofold = es_findings_get (run->findings, "rate", "float64 multiply-add", NAN);

  if (!isnan (add) && !isnan (divide))
    {
      es_experiment_say (run, divide > 2 * add ? ES_VERDICT_YES : ES_VERDICT_NO,
                         _("A division that takes more than twice an addition is no single instruction, or one that is "
                           "not pipelined."),
                         _("A float32 division takes %.1f times as long as an addition."), divide / add);
      es_verdict_add_number (run->verdict, _("Addition"), add, "clocks");
      es_verdict_add_number (run->verdict, _("Division"), divide, "clocks");
    }
  if (!isnan (single) && !isnan (twofold))
    {
      es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("float64 runs at %.0f %% of float32: %.3g and %.3g operations "
                                                        "a second."), 100 * twofold / single, twofold, single);
      es_verdict_add_number (run->verdict, "float32", single, "1/s");
      es_verdict_add_number (run->verdict, "float64", twofold, "1/s");
      es_experiment_mean (run, twofold < single / 4
                          ? _("Sums over samples stay in float32 inside a tile and go to float64 between tiles: "
                              "float64 throughout would cost %.0f times as much here.")
                          : _("float64 costs %.1f times as much as float32 here: eigenproblems and sums between tiles "
                              "can afford it."), single / twofold);
    }
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  double table[N_OPERATIONS * N_TYPES];
  Rates rates = { 0 };

  if (!measure_latencies (run, table, error) || !measure_rates (run, &rates, error))
    return FALSE;
  add_matrix (run, table);
  judge (run);
  judge_products (run, &rates);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return is_cpu ? 60 : 90;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_arithmetic, measure, probes_of)

const EsOperation es_operation_lab_arithmetic = {
  .id = "lab-arithmetic",
  .title = N_("Arithmetic: latency and rate"),
  .short_title = N_("Arithmetic"),
  .summary = N_("How many clocks an operation takes that needs the result of the one before, by type, and how many a "
                "second all units do together."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_FLOAT32,
                                  .operation = ESK_OPERATION_MULTIPLY_ADD };

const EsExperiment es_experiment_arithmetic = {
  .operation = &es_operation_lab_arithmetic,
  .group = ES_EXPERIMENTS_ARITHMETIC,
  .question = N_("How long does one operation take, and how many are done at once?"),
  .how = N_("A long chain of one operation, each on the result of the one before, is timed in one thread: no two can "
            "overlap, so its length divided by their number is the latency. Then every thread of the device works on "
            "several chains at once, and operations are counted by the second. Products of matrices are asked of "
            "single warps and, where there are such, of groups of four, whose operands are in shared memory."),
  .predict = N_("Which is slower, and how many times: a float32 division than an addition? How many chains have to be "
                "under way to keep a unit busy, if a multiply-add takes four clocks and one can begin in each?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&latency, &rate),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
