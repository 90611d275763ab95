/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What to do about memories in a kernel, decided by what was measured: gpu-lab.md, section 11; system 18. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"
#include "lab/es-shown-unit.h"

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
#define SHARED_FEW N_("Shared memory, 32 threads")
#define SHARED_MANY N_("Shared memory, 256 threads")
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

#define SHARING(name, where, lanes, n) \
  { CLOCKS, name, { .kind = ESK_PROBE_SHARING, .space = where, .ways = lanes, .threads = n, .blocks = 1 } }
#define ORDER(name, where, pattern) \
  { CLOCKS, name, { .kind = ESK_PROBE_ORDER, .space = where, .variant = pattern, .bytes = 32768, .threads = 32, \
                    .blocks = 1 } }
#define CHASE(name, where, n_bytes, words) \
  { CLOCKS, name, { .kind = ESK_PROBE_CHASE, .space = where, .bytes = n_bytes, .stride = words } }

typedef struct
{
  guint       group;
  const char *name;
  EskProbe    probe;
} Asked;

static const Asked asked[] = {
  { CLOCKS, ADD, { .kind = ESK_PROBE_ARITHMETIC, .type = ESK_TYPE_LAB_FLOAT32, .operation = ESK_OPERATION_ADD } },
  CHASE (CHASE_SHARED, ESK_SPACE_SHARED, ROUND_BYTES, 0),
  CHASE (CHASE_CONSTANT, ESK_SPACE_CONSTANT, 1024, 0),
  CHASE (CHASE_GLOBAL, ESK_SPACE_GLOBAL, ROUND_BYTES, 0),
  CHASE (CHASE_MEMORY, ESK_SPACE_GLOBAL, 0, 0),
  CHASE (CONSTANT_NEAR, ESK_SPACE_CONSTANT, ROUND_BYTES, 1),
  CHASE (CONSTANT_FAR, ESK_SPACE_CONSTANT, ROUND_BYTES, 33),
  { CLOCKS, ONE_BANK, { .kind = ESK_PROBE_CONFLICT, .ways = 1 } },
  { CLOCKS, MANY_BANK, { .kind = ESK_PROBE_CONFLICT, .ways = 32 } },
  { CLOCKS, PADDED, { .kind = ESK_PROBE_CONFLICT, .ways = 32, .variant = 1 } },
  SHARING (SHARED_DIFFERENT, ESK_SPACE_SHARED, 1, 32),
  SHARING (SHARED_SAME, ESK_SPACE_SHARED, 32, 32),
  SHARING (CONSTANT_DIFFERENT, ESK_SPACE_CONSTANT, 1, 32),
  SHARING (CONSTANT_SAME, ESK_SPACE_CONSTANT, 32, 32),
  SHARING (GLOBAL_DIFFERENT, ESK_SPACE_GLOBAL, 1, 32),
  SHARING (GLOBAL_SAME, ESK_SPACE_GLOBAL, 32, 32),
  SHARING (SHARED_FEW, ESK_SPACE_SHARED, 1, 32),
  SHARING (SHARED_MANY, ESK_SPACE_SHARED, 1, 256),
  SHARING (CONSTANT_MANY, ESK_SPACE_CONSTANT, 32, 1024),
  ORDER (SHARED_ORDER, ESK_SPACE_SHARED, 1),
  ORDER (SHARED_APART, ESK_SPACE_SHARED, 3),
  ORDER (GLOBAL_ORDER, ESK_SPACE_GLOBAL, 1),
  ORDER (GLOBAL_SHUFFLED, ESK_SPACE_GLOBAL, 2),
  ORDER (GLOBAL_APART, ESK_SPACE_GLOBAL, 3),
  ORDER (TEXTURE_ORDER, ESK_SPACE_TEXTURE, 1),
  ORDER (TEXTURE_SHUFFLED, ESK_SPACE_TEXTURE, 2),
  ORDER (TEXTURE_APART, ESK_SPACE_TEXTURE, 3),
  { RATES, COPY_BYTES, { .kind = ESK_PROBE_COPY, .ways = 1, .bytes = COPIED_BYTES } },
  { RATES, COPY_WORDS, { .kind = ESK_PROBE_COPY, .ways = 4, .bytes = COPIED_BYTES } },
  { RATES, COPY_WIDE, { .kind = ESK_PROBE_COPY, .ways = 16, .bytes = COPIED_BYTES } },
  { RATES, LINK_PAGEABLE, { .kind = ESK_PROBE_LINK, .memory = ESK_MEMORY_PAGEABLE, .bytes = COPIED_BYTES } },
  { RATES, LINK_LOCKED, { .kind = ESK_PROBE_LINK, .memory = ESK_MEMORY_PINNED, .bytes = COPIED_BYTES } },
  { SECONDS, DOT_COPIED, { .kind = ESK_PROBE_DOT, .variant = 1, .bytes = DOT_BYTES } },
  { SECONDS, DOT_IN_PLACE, { .kind = ESK_PROBE_DOT, .variant = 2, .bytes = DOT_BYTES } },
};

static const char *const arrays[] = { IN_VECTOR, IN_MATRICES, IN_SORTING };

/* What has to hold of two figures for an advice to be one. */
typedef enum { IF_MORE, IF_LESS, IF_NOT_MORE, IF_SAME } Test;

static const char *const tests[] = {
  N_("Holds where the second figure is more than a tenth above the first."),
  N_("Holds where the second figure is more than a tenth below the first."),
  N_("Holds where the second figure is no more than a tenth above the first."),
  N_("Holds where the two figures are within a tenth of each other."),
};

typedef struct
{
  const char *code;            /* of the published strategies; Z and H: of zero copy and host memory */
  const char *advice;
  guint       group;
  const char *first, *second;
  Test        test;
} Advice;

static const Advice advices[] = {
  { "R_2", N_("Simplify nested loops over an array of a thread: they leave the registers sooner than one loop."),
    ELEMENTS, IN_VECTOR, IN_MATRICES, IF_LESS },
  { "R_3", N_("Replace sorting within a thread by something that needs no indexing."),
    ELEMENTS, IN_VECTOR, IN_SORTING, IF_LESS },
  { "R_5", N_("Keep in registers what would be read from shared memory again."),
    CLOCKS, ADD, CHASE_SHARED, IF_MORE },
  { "S_1", N_("Avoid bank conflicts of shared memory."),
    CLOCKS, ONE_BANK, MANY_BANK, IF_MORE },
  { "S_1", N_("Pad rows of shared memory by a word where columns are read."),
    CLOCKS, MANY_BANK, PADDED, IF_LESS },
  { "S_2", N_("In shared memory, different addresses and one address are equally good."),
    CLOCKS, SHARED_DIFFERENT, SHARED_SAME, IF_SAME },
  { "S_3", N_("In shared memory, ignore order and contiguity."),
    CLOCKS, SHARED_ORDER, SHARED_APART, IF_NOT_MORE },
  { "S_4", N_("Use more threads a block: shared memory answers each sooner."),
    CLOCKS, SHARED_FEW, SHARED_MANY, IF_LESS },
  { "S_5", N_("Use shared memory in place of global memory for what is read again."),
    CLOCKS, CHASE_GLOBAL, CHASE_SHARED, IF_LESS },
  { "S_6", N_("Reuse what was loaded as often as possible: the memory behind the caches is far."),
    CLOCKS, CHASE_SHARED, CHASE_MEMORY, IF_MORE },
  { "C_1", N_("Put constants that are read one after the other next to each other."),
    CLOCKS, CONSTANT_NEAR, CONSTANT_FAR, IF_MORE },
  { "C_2", N_("Read constants by one address a warp."),
    CLOCKS, CONSTANT_DIFFERENT, CONSTANT_SAME, IF_LESS },
  { "C_3", N_("Never read constant memory by different addresses in a warp."),
    CLOCKS, CONSTANT_SAME, CONSTANT_DIFFERENT, IF_MORE },
  { "C_4", N_("Balance the threads of a block that reads constants: many make each wait."),
    CLOCKS, CONSTANT_SAME, CONSTANT_MANY, IF_MORE },
  { "C_6", N_("Use constant memory in place of global memory for what all lanes want."),
    CLOCKS, CHASE_GLOBAL, CHASE_CONSTANT, IF_LESS },
  { "G_1", N_("From global memory, one address a warp is at least as good as different ones."),
    CLOCKS, GLOBAL_DIFFERENT, GLOBAL_SAME, IF_NOT_MORE },
  { "G_2", N_("Combine types below four bytes when global memory is copied."),
    RATES, COPY_BYTES, COPY_WORDS, IF_MORE },
  { "G_2", N_("Load sixteen bytes a lane where it can be done."),
    RATES, COPY_WORDS, COPY_WIDE, IF_MORE },
  { "G_3", N_("In global memory, the order of lanes within a row is irrelevant."),
    CLOCKS, GLOBAL_ORDER, GLOBAL_SHUFFLED, IF_NOT_MORE },
  { "G_3", N_("Lay data out such that a warp reads what is contiguous."),
    CLOCKS, GLOBAL_ORDER, GLOBAL_APART, IF_MORE },
  { "T_2", N_("Through textures, the order of lanes is irrelevant; keep neighbours contiguous."),
    CLOCKS, TEXTURE_ORDER, TEXTURE_SHUFFLED, IF_NOT_MORE },
  { "T_4", N_("Where neighbours cannot be contiguous, read through textures in place of global memory."),
    CLOCKS, GLOBAL_APART, TEXTURE_APART, IF_LESS },
  { "H_1", N_("Copy from page-locked memory what is large."),
    RATES, LINK_PAGEABLE, LINK_LOCKED, IF_MORE },
  { "Z_1", N_("Let kernels read in place, over the link, what they read once."),
    SECONDS, DOT_COPIED, DOT_IN_PLACE, IF_LESS },
};

static gboolean
holds (const Advice *advice, double first, double second)
{
  switch (advice->test)
    {
    case IF_MORE:
      return es_rule_is_slower (first, second);
    case IF_LESS:
      return es_rule_is_slower (second, first);
    case IF_NOT_MORE:
      return !es_rule_is_slower (first, second);
    case IF_SAME:
    default:
      return !es_rule_is_slower (first, second) && !es_rule_is_slower (second, first);
    }
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
measure_arrays (EsExperimentRun *run, GError **error)
{
  for (guint kernel = 0; kernel < G_N_ELEMENTS (arrays); kernel++)
    {
      double largest;

      if (!find_largest (run, kernel, &largest, error))
        return FALSE;
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
measure_figures (EsExperimentRun *run, GError **error)
{
  const EskLabMachine *facts = es_probing_get_facts (run->probing);
  const guint64 behind = CLAMP (MEMORY_CACHES * MAX (facts->l2, facts->l3), (guint64) 64 << 20, MOST_MEMORY);

  for (guint group = 0; group < N_GROUPS; group++)
    {
      es_findings_open (run->findings, &groups[group]);
      if (group == ELEMENTS && !measure_arrays (run, error))
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
          if (has)
            es_findings_add (run->findings, asked[i].name, NAN, &measured, 1);
        }
    }
  return TRUE;
}

static void
advise (EsExperimentRun *run, EsTable *table, const Advice *advice, guint *n_held)
{
  const EsFindingsGroup *group = &groups[advice->group];
  const double first = es_findings_get (run->findings, group->name, advice->first, NAN);
  const double second = es_findings_get (run->findings, group->name, advice->second, NAN);
  const char *text = g_dgettext (GETTEXT_PACKAGE, advice->advice);
  const char *first_title = g_dgettext (GETTEXT_PACKAGE, advice->first);
  const char *second_title = g_dgettext (GETTEXT_PACKAGE, advice->second);

  if (isnan (first) || isnan (second))
    return;
  const gboolean held = holds (advice, first, second);
  double factor;
  const char *unit = es_shown_unit (group->unit, MAX (first, second), &factor);
  g_autofree char *one = es_shown_digits (first * factor), *other = es_shown_digits (second * factor);
  g_autofree char *because = g_strdup_printf (unit != NULL ? _("%s: %s, %s: %s %s") : _("%s: %s, %s: %s"), first_title,
                                              one, second_title, other, unit);
  es_table_add_row (table, (gconstpointer[]) { advice->code, held ? _("yes") : _("no"), text, because });
  *n_held += held;
  es_experiment_say (run, held ? ES_VERDICT_YES : ES_VERDICT_NO, g_dgettext (GETTEXT_PACKAGE, tests[advice->test]),
                     held ? _("%s: %s") : _("%s does not hold here: %s"), advice->code, text);
  es_verdict_add_number (run->verdict, first_title, first, group->unit);
  es_verdict_add_number (run->verdict, second_title, second, group->unit);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  EsTable *table;
  guint n_held = 0;

  if (!measure_figures (run, error))
    return FALSE;
  table = es_table_new ("advice", _("Advice"));
  es_table_add_column (table, _("Strategy"), NULL, -1);
  es_table_add_column (table, _("Holds here"), NULL, -1);
  es_table_add_column (table, _("Advice"), NULL, -1);
  es_table_add_column (table, _("Because"), NULL, -1);
  for (guint i = 0; i < G_N_ELEMENTS (advices); i++)
    advise (run, table, &advices[i], &n_held);
  if (es_table_get_n_rows (table) > 0)
    es_experiment_mean (run, _("%u of %u strategies hold here. Kernels of this program follow G_3, S_1 and S_6 "
                               "throughout, on every card: planes, padded tiles, and each sample brought to shared "
                               "memory or registers once."), n_held, es_table_get_n_rows (table));
  if (es_table_get_n_rows (table) > 0)
    es_result_add_layer (run->result, ES_LAYER (table));
  else
    g_object_unref (table);
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
  .title = N_("Advice for kernels"),
  .short_title = N_("Advice"),
  .summary = N_("Published strategies for registers, shared, constant, global and texture memory and for the link, "
                "each held against what this machine does."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

const EsExperiment es_experiment_advice = {
  .operation = &es_operation_lab_advice,
  .group = ES_EXPERIMENTS_CHOICE,
  .question = N_("Which of the published strategies hold on this machine?"),
  .how = N_("Each strategy rests on two figures: two latencies, bandwidths, times or sizes. Both are measured, and "
            "the strategy holds where they differ as it says. A strategy that held in 2013 need not hold today."),
  .predict = N_("Which strategies of 2013 will no longer hold on a card of today?"),
  .in_profile = FALSE,
  .groups = ES_LAB_GROUPS (&groups[0], &groups[1], &groups[2], &groups[3]),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
