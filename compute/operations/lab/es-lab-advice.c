/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * What to do in programs for this machine, decided by what was measured: gpu-lab.md, sections 11 and 17; system 18.
 * What takes a moment is measured here; the rest comes from the machine's kept profile, or is said to be missing.
 */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-kept-profiles.h"
#include "lab/es-shown-unit.h"
#include "lab/es-strategies.h"

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

#define ROUND_BYTES 8192
#define MEMORY_CACHES 4
#define MOST_MEMORY ((guint64) 256 << 20)
#define COPIED_BYTES ((guint64) 64 << 20)
#define DOT_BYTES ((guint64) 8 << 20)
#define MOST_ELEMENTS 512

enum { CLOCKS, ELEMENTS, RATES, SECONDS, N_GROUPS };

static const EsFindingsGroup groups[N_GROUPS] = {
  { "clocks", N_("What advice rests on: latencies"), NULL, NULL, N_("Latency"), "clocks", FALSE },
  { "elements", N_("What advice rests on: arrays in registers"), NULL, NULL, N_("Elements"), "1", FALSE },
  { "rates", N_("What advice rests on: bandwidths"), NULL, NULL, N_("Bandwidth"), "B/s", FALSE },
  { "seconds", N_("What advice rests on: times"), NULL, NULL, N_("Time"), "s", FALSE },
};

/* A figure is a probe of its own; bytes 0 of a chase: the memory behind all caches. */
#define ADD N_("Dependent addition")
#define CHASE_SHARED N_("Shared memory, one thread")
#define CHASE_CONSTANT N_("Constant memory, one thread")
#define CHASE_LOCAL N_("Local memory, one thread")
#define CHASE_GLOBAL N_("Global memory, one thread")
#define CHASE_MEMORY N_("Global memory behind the caches")
#define CONSTANT_NEAR N_("Constants next to each other")
#define CONSTANT_FAR N_("Constants far from each other")
#define ONE_BANK N_("Shared memory, one word a bank")
#define MANY_BANK N_("Shared memory, 32 words in one bank")
#define PADDED N_("Shared memory, padded rows")
#define SHARED_DIFFERENT N_("Shared memory, 32 addresses")
#define SHARED_SAME N_("Shared memory, one address")
#define CONSTANT_DIFFERENT N_("Constant memory, 32 addresses")
#define CONSTANT_SAME N_("Constant memory, one address")
#define GLOBAL_DIFFERENT N_("Global memory, 32 addresses")
#define GLOBAL_SAME N_("Global memory, one address")
#define TEXTURE_DIFFERENT N_("Texture, 32 addresses")
#define TEXTURE_SAME N_("Texture, one address")
#define SHARED_FEW N_("Shared memory, 32 threads")
#define SHARED_MANY N_("Shared memory, 256 threads")
#define CONSTANT_FEW N_("Constant memory, 32 threads")
#define CONSTANT_MANY N_("Constant memory, 1024 threads")
#define SHARED_ORDER N_("Shared memory, in order")
#define SHARED_APART N_("Shared memory, rows apart")
#define GLOBAL_ORDER N_("Global memory, in order")
#define GLOBAL_SHUFFLED N_("Global memory, lanes shuffled")
#define GLOBAL_APART N_("Global memory, rows apart")
#define TEXTURE_ORDER N_("Texture, in order")
#define TEXTURE_SHUFFLED N_("Texture, lanes shuffled")
#define TEXTURE_APART N_("Texture, rows apart")
#define IN_VECTOR N_("Vector addition")
#define IN_MATRICES N_("Product of matrices, elements")
#define IN_SORTING N_("Sorting")
#define COPY_BYTES N_("Copied by single bytes")
#define COPY_WORDS N_("Copied by four bytes")
#define COPY_WIDE N_("Copied by sixteen bytes")
#define LINK_PAGEABLE N_("To the card, pageable")
#define LINK_LOCKED N_("To the card, page-locked")
#define DOT_COPIED N_("Dot product, copied")
#define DOT_IN_PLACE N_("Dot product, read in place")

/* Each with what profiles call the same. */
#define SHARING(name, where, lanes, n, series, called, at) \
  { CLOCKS, name, { .kind = ESK_PROBE_SHARING, .space = where, .ways = lanes, .threads = n, .blocks = 1 }, \
    "lab-sharing", series, called, at }
#define ORDER(name, where, pattern) \
  { CLOCKS, name, { .kind = ESK_PROBE_ORDER, .space = where, .variant = pattern, .bytes = 32768, .threads = 32, \
                    .blocks = 1 }, "lab-order", "patterns", name, NAN }
#define CHASE(name, where, n_bytes, called) \
  { CLOCKS, name, { .kind = ESK_PROBE_CHASE, .space = where, .bytes = n_bytes }, "lab-latency", "latency", called, \
    n_bytes }
#define STRIDE(name, words) \
  { CLOCKS, name, { .kind = ESK_PROBE_CHASE, .space = ESK_SPACE_CONSTANT, .bytes = ROUND_BYTES, .stride = words }, \
    "lab-stride", "stride", "Constant memory", words }
#define CONFLICT(name, words, padded, rows) \
  { CLOCKS, name, { .kind = ESK_PROBE_CONFLICT, .ways = words, .variant = padded }, "lab-banks", "conflict", rows, \
    words }
#define COPY(name, size, elements) \
  { RATES, name, { .kind = ESK_PROBE_COPY, .ways = size, .bytes = COPIED_BYTES }, "lab-bandwidth", "copy", elements, \
    NAN }
#define LINK(name, of, memory_name) \
  { RATES, name, { .kind = ESK_PROBE_LINK, .memory = of, .bytes = COPIED_BYTES }, "lab-link", "to", memory_name, \
    COPIED_BYTES }
#define DOT(name, how, how_name) \
  { SECONDS, name, { .kind = ESK_PROBE_DOT, .variant = how, .bytes = DOT_BYTES }, "lab-zero-copy", "dot", how_name, \
    DOT_BYTES }

typedef struct
{
  guint       group;
  const char *name;
  EskProbe    probe;
  const char *experiment, *figure_group, *figure;
  double      x;
} Asked;

static const Asked asked[] = {
  { CLOCKS, ADD, { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_FLOAT32, .operation = ESK_OPERATION_ADD },
    "lab-arithmetic", "latency", "float32 add", NAN },
  CHASE (CHASE_SHARED, ESK_SPACE_SHARED, ROUND_BYTES, "Shared memory"),
  CHASE (CHASE_CONSTANT, ESK_SPACE_CONSTANT, 1024, "Constant memory"),
  CHASE (CHASE_LOCAL, ESK_SPACE_LOCAL, 1024, "Local memory"),
  CHASE (CHASE_GLOBAL, ESK_SPACE_GLOBAL, ROUND_BYTES, "Global memory"),
  CHASE (CHASE_MEMORY, ESK_SPACE_GLOBAL, 0, "Global memory"),
  STRIDE (CONSTANT_NEAR, 1),
  STRIDE (CONSTANT_FAR, 33),
  CONFLICT (ONE_BANK, 1, 0, "Rows of 32 words"),
  CONFLICT (MANY_BANK, 32, 0, "Rows of 32 words"),
  CONFLICT (PADDED, 32, 1, "Rows of 33 words"),
  SHARING (SHARED_DIFFERENT, ESK_SPACE_SHARED, 1, 32, "sharing", "Shared memory", 1),
  SHARING (SHARED_SAME, ESK_SPACE_SHARED, 32, 32, "sharing", "Shared memory", 32),
  SHARING (CONSTANT_DIFFERENT, ESK_SPACE_CONSTANT, 1, 32, "sharing", "Constant memory", 1),
  SHARING (CONSTANT_SAME, ESK_SPACE_CONSTANT, 32, 32, "sharing", "Constant memory", 32),
  SHARING (GLOBAL_DIFFERENT, ESK_SPACE_GLOBAL, 1, 32, "sharing", "Global memory", 1),
  SHARING (GLOBAL_SAME, ESK_SPACE_GLOBAL, 32, 32, "sharing", "Global memory", 32),
  SHARING (TEXTURE_DIFFERENT, ESK_SPACE_TEXTURE, 1, 32, "sharing", "Texture", 1),
  SHARING (TEXTURE_SAME, ESK_SPACE_TEXTURE, 32, 32, "sharing", "Texture", 32),
  SHARING (SHARED_FEW, ESK_SPACE_SHARED, 1, 32, "threads", "Shared memory", 32),
  SHARING (SHARED_MANY, ESK_SPACE_SHARED, 1, 256, "threads", "Shared memory", 256),
  SHARING (CONSTANT_FEW, ESK_SPACE_CONSTANT, 1, 32, "threads", "Constant memory", 32),
  SHARING (CONSTANT_MANY, ESK_SPACE_CONSTANT, 1, 1024, "threads", "Constant memory", 1024),
  ORDER (SHARED_ORDER, ESK_SPACE_SHARED, 1),
  ORDER (SHARED_APART, ESK_SPACE_SHARED, 3),
  ORDER (GLOBAL_ORDER, ESK_SPACE_GLOBAL, 1),
  ORDER (GLOBAL_SHUFFLED, ESK_SPACE_GLOBAL, 2),
  ORDER (GLOBAL_APART, ESK_SPACE_GLOBAL, 3),
  ORDER (TEXTURE_ORDER, ESK_SPACE_TEXTURE, 1),
  ORDER (TEXTURE_SHUFFLED, ESK_SPACE_TEXTURE, 2),
  ORDER (TEXTURE_APART, ESK_SPACE_TEXTURE, 3),
  COPY (COPY_BYTES, 1, "1 byte"),
  COPY (COPY_WORDS, 4, "4 bytes"),
  COPY (COPY_WIDE, 16, "16 bytes"),
  LINK (LINK_PAGEABLE, ESK_MEMORY_PAGEABLE, "Pageable"),
  LINK (LINK_LOCKED, ESK_MEMORY_PINNED, "Page-locked"),
  DOT (DOT_COPIED, 1, "Copied from page-locked memory"),
  DOT (DOT_IN_PLACE, 2, "Read in place"),
};

static const char *const arrays[] = { IN_VECTOR, IN_MATRICES, IN_SORTING };

/* What was measured here, as profiles call it. */
static void
keep_figure (GPtrArray *figures, const char *experiment, const char *group, const char *name, double x,
             const char *unit, double value)
{
  EsFigure *figure = g_new0 (EsFigure, 1);

  *figure = (EsFigure) { g_strdup (experiment), g_strdup (name), g_strdup (group), x, NULL, value, g_strdup (unit),
                         NAN, NAN, 0 };
  if (!isnan (x) && (strcmp (group, "latency") == 0 || strcmp (group, "to") == 0 || strcmp (group, "dot") == 0))
    figure->x_unit = g_strdup ("B");
  g_ptr_array_add (figures, figure);
}

static void
figure_free (gpointer data)
{
  es_figure_clear (data);
  g_free (data);
}

/* By bisection over the sizes that were compiled: more elements are never in registers where fewer are not. */
static gboolean
find_largest (EsExperimentRun *run, guint kernel, double *largest, GError **error)
{
  guint sizes[MOST_ELEMENTS], n = 0, low = 0, high;
  gboolean has;

  for (guint elements = 1; elements <= MOST_ELEMENTS; elements++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_PRIVATE_ARRAY, .variant = kernel, .ways = elements };
      if (es_probing_has (run->probing, &probe))
        sizes[n++] = elements;
    }
  *largest = n > 0 ? 0 : NAN;
  high = n;
  while (low < high)
    {
      const guint middle = (low + high) / 2;
      const EskProbe probe = { .kind = ESK_PROBE_PRIVATE_ARRAY, .variant = kernel, .ways = sizes[middle],
                               .repeats = 1 };
      EsMeasured measured;

      if (!es_experiment_probe_raw (run, &probe, NULL, NAN, &measured, NULL, &has, error))
        return FALSE;
      if (has && measured.median == 0)
        {
          *largest = sizes[middle];
          low = middle + 1;
        }
      else
        high = middle;
    }
  return TRUE;
}

static gboolean
measure_arrays (EsExperimentRun *run, GPtrArray *figures, GError **error)
{
  static const char *const names[] = { "Vector addition", "Product of matrices", "Sorting" };

  for (guint kernel = 0; kernel < G_N_ELEMENTS (arrays); kernel++)
    {
      double largest;

      if (!find_largest (run, kernel, &largest, error))
        return FALSE;
      if (!isnan (largest))
        keep_figure (figures, "lab-private", "largest", names[kernel], NAN, "1", largest);
      /* Of matrices, whose side it is, so that it stands beside the others. */
      if (kernel == 1)
        largest *= largest;
      if (!isnan (largest))
        es_findings_add (run->findings, arrays[kernel], NAN, &(EsMeasured) { largest, largest, largest, 0, 1, 0, -1 },
                         1);
    }
  return TRUE;
}

static gboolean
measure_figures (EsExperimentRun *run, GPtrArray *figures, GError **error)
{
  const EskLabMachine *facts = es_probing_get_facts (run->probing);
  const guint64 behind = CLAMP (MEMORY_CACHES * MAX (facts->l2, facts->l3), (guint64) 64 << 20, MOST_MEMORY);

  for (guint group = 0; group < N_GROUPS; group++)
    {
      es_findings_open (run->findings, &groups[group]);
      if (group == ELEMENTS && !measure_arrays (run, figures, error))
        return FALSE;
      for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
        {
          EskProbe probe = asked[i].probe;
          EsMeasured measured;
          gboolean has;

          if (asked[i].group != group)
            continue;
          if (probe.kind == ESK_PROBE_CHASE && probe.bytes == 0)
            probe.bytes = behind;
          if (!es_experiment_probe_raw (run, &probe, NULL, NAN, &measured, NULL, &has, error))
            return FALSE;
          if (has && probe.kind == ESK_PROBE_LINK)
            es_experiment_invert (&measured, (double) probe.bytes);
          if (!has)
            continue;
          es_findings_add (run->findings, asked[i].name, NAN, &measured, 1);
          keep_figure (figures, asked[i].experiment, asked[i].figure_group, asked[i].figure,
                       asked[i].x == 0 ? (double) probe.bytes : asked[i].x, groups[group].unit, measured.median);
        }
    }
  return TRUE;
}

/* The experiment whose figures are missing, by its title. */
static const char *
name_experiment (const char *id)
{
  for (const EsExperiment * const *each = es_experiments_get (); *each != NULL; each++)
    if (strcmp ((*each)->operation->id, id) == 0)
      return g_dgettext (GETTEXT_PACKAGE, (*each)->operation->title);
  return id;
}

static const char *
name_state (const EsStrategyAdvice *advice)
{
  return advice->state == ES_STRATEGY_HOLDS ? _("yes") : advice->state == ES_STRATEGY_FAILS ? _("no")
                                                                                            : _("not measured");
}

static void
say_strategy (EsExperimentRun *run, const EsStrategyAdvice *advice)
{
  const char *rule = advice->ignores ? _("Holds where the two figures are within a tenth of each other.")
                                     : _("Holds where it gains more than a tenth.");

  switch (advice->state)
    {
    case ES_STRATEGY_HOLDS:
      if (advice->ignores)
        es_experiment_say (run, ES_VERDICT_YES, rule, _("%s: %s"), advice->code, advice->advice);
      else
        /* TRANSLATORS: a strategy, what it says, and what it gains. */
        es_experiment_say (run, ES_VERDICT_YES, rule, _("%s: %s It gains %.1f times here."), advice->code,
                           advice->advice, advice->gain);
      break;
    case ES_STRATEGY_FAILS:
      if (advice->ignores)
        es_experiment_say (run, ES_VERDICT_NO, rule, _("%s does not hold here: %s The one takes %.2f times the other."),
                           advice->code, advice->advice, advice->gain);
      else
        es_experiment_say (run, ES_VERDICT_NO, rule, _("%s does not hold here: %s It gains %.2f times, no more."),
                           advice->code, advice->advice, advice->gain);
      break;
    case ES_STRATEGY_UNMEASURED:
    default:
      es_experiment_say (run, ES_VERDICT_UNSURE, NULL, _("%s is not measured: %s Run “%s”, and keep the profile."),
                         advice->code, advice->advice, name_experiment (advice->experiment));
      return;
    }
  es_verdict_add_number (run->verdict, advice->first_title, advice->first, advice->unit);
  es_verdict_add_number (run->verdict, advice->second_title, advice->second, advice->unit);
}

static EsTable *
make_table (GPtrArray *list)
{
  EsTable *table = es_table_new ("advice", _("Advice"));

  es_table_add_column (table, _("Strategy"), NULL, -1);
  es_table_add_column (table, _("Holds here"), NULL, -1);
  es_table_add_column (table, _("Gain"), "×", 2);
  es_table_add_column (table, _("Advice"), NULL, -1);
  es_table_add_column (table, _("Because"), NULL, -1);
  es_table_add_column (table, _("What has changed"), NULL, -1);
  es_table_add_column (table, _("Experiment"), NULL, -1);
  for (guint i = 0; i < list->len; i++)
    {
      const EsStrategyAdvice *advice = g_ptr_array_index (list, i);
      g_autofree char *because = es_strategy_describe_figures (advice);

      es_table_add_row (table, (gconstpointer[]) { advice->code, name_state (advice), &advice->gain, advice->advice,
                                                   because != NULL ? because : "",
                                                   advice->note != NULL ? advice->note : "",
                                                   name_experiment (advice->experiment) });
    }
  return table;
}

/* What was measured now first, then what is kept of the machine. */
static GPtrArray *
judge_strategies (EsExperimentRun *run, GPtrArray *figures)
{
  g_autoptr (EsDeviceProfile) kept = es_kept_profile_find (es_job_get_device (run->job), NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (guint i = 0; i < figures->len; i++)
    g_ptr_array_add (all, g_ptr_array_index (figures, i));
  for (guint i = 0; kept != NULL && i < es_device_profile_get_n (kept); i++)
    g_ptr_array_add (all, (gpointer) es_device_profile_get (kept, i));
  return es_strategies_judge (all, es_probing_get_facts (run->probing), run->is_cpu);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  g_autoptr (GPtrArray) figures = g_ptr_array_new_with_free_func (figure_free), list = NULL;
  g_autoptr (EsTable) table = NULL;
  guint n_held = 0, n_measured = 0;

  if (!measure_figures (run, figures, error))
    return FALSE;
  list = judge_strategies (run, figures);
  for (guint i = 0; i < list->len; i++)
    {
      const EsStrategyAdvice *advice = g_ptr_array_index (list, i);

      n_held += advice->state == ES_STRATEGY_HOLDS;
      n_measured += advice->state != ES_STRATEGY_UNMEASURED;
    }
  if (n_measured == 0)
    return TRUE;
  for (guint i = 0; i < list->len; i++)
    say_strategy (run, g_ptr_array_index (list, i));
  if (run->is_cpu)
    es_experiment_mean (run, _("%u of the %u strategies that were measured hold here. Loops of this program are of "
                               "vectors, in blocks that stay in the caches, on every thread, and read planes in the "
                               "order in which they lie."), n_held, n_measured);
  else
    es_experiment_mean (run, _("%u of the %u strategies that were measured hold here. Kernels of this program follow "
                               "G_3, S_1 and S_6 throughout, on every card: planes, padded tiles, and each sample "
                               "brought to shared memory or registers once."), n_held, n_measured);
  table = make_table (list);
  es_result_add_layer (run->result, ES_LAYER (table));
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return G_N_ELEMENTS (asked) + 24;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_advice, measure, probes_of)

const EsOperation es_operation_lab_advice = {
  .id = "lab-advice",
  .title = N_("Advice for programs"),
  .short_title = N_("Advice"),
  .summary = N_("Strategies for registers, shared, constant, global and texture memory, for the link and for "
                "processors, each held against what this machine does, and ordered by what it gains."),
  .version = 2,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

const EsExperiment es_experiment_advice = {
  .operation = &es_operation_lab_advice,
  .group = ES_EXPERIMENTS_CHOICE,
  .question = N_("Which strategies hold on this machine, and what does each gain?"),
  .how = N_("Each strategy rests on two figures: two latencies, bandwidths, times or sizes. What takes a moment is "
            "measured here, the rest comes from the machine's kept profile. What the one figure is to the other is "
            "what the strategy gains; it holds where that is more than a tenth. A strategy that held in 2013 need not "
            "hold today."),
  .predict = N_("Which strategies of 2013 will no longer hold on a card of today?"),
  .in_profile = FALSE,
  .groups = ES_LAB_GROUPS (&groups[0], &groups[1], &groups[2], &groups[3]),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
