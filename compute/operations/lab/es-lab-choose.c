/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which kind of host memory each array of a program should be in: gpu-lab.md, section 14; system 15. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-choose-private.h"
#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"

#define LEAST_BYTES ((guint64) 4096)
#define LEAST_SIZES 5
/* What the processor is asked to go through to find how quickly it does. */
#define TOUCHED_BYTES ((guint64) 32 << 20)
/* Each has many moves, and what is larger takes as long a byte. */
#define TURNS_REPEATS 3
#define MOST_TURNED ((guint64) 16 << 20)
/* Of ESK_PROBE_READ. */
#define USED_STEP 32
#define LEAST_USED ((guint64) 1024)

static const EsParamSpec params[] = {
  { .key = "arrays", .label = N_("Arrays"),
    .help = N_("Of each: bytes, copies to the card, copies from it, how often the processor goes through it in "
               "between, and how often the card does while it lies there (0 unless told), as "
               "bytes:to:from:touched:used. By default the image, covariance, transform and components of a published "
               "analysis."),
    .type = ES_PARAM_TEXT, .check = es_transferred_arrays_check,
    .default_text = "149501632:1:0, 200704:0:1, 200704:1:0, 72081144:0:1" },
  { .key = "allocation", .label = N_("Count allocating"),
    .help = N_("Whether allocating, touching for the first time and freeing count, or the memory is there anyway."),
    .type = ES_PARAM_BOOL, .default_value = TRUE },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const EsFindingsGroup to_card = {
  "to", N_("To the card, by size"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE,
};
static const EsFindingsGroup from_card = {
  "from", N_("From the card, by size"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE,
};
static const EsFindingsGroup turns = {
  "turns", N_("To and fro, by size"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE,
};
static const EsFindingsGroup registering = {
  "registering", N_("Registration by size"), N_("Size"), "B", N_("Time"), "s", TRUE,
};
static const EsFindingsGroup own = {
  "own", N_("Allocating, touching and freeing by size"), N_("Size"), "B", N_("Time"), "s", TRUE,
};
static const EsFindingsGroup touch = {
  "touch", N_("Read by the processor"), NULL, NULL, N_("Bandwidth"), "B/s", FALSE,
};
static const EsFindingsGroup use = {
  "use", N_("Read by the card where it lies, by size"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE,
};
static const char there_name[] = N_("Managed, touched by the card");
static const char card_name[] = N_("The card’s own memory");

gboolean
es_lab_choose_own (EsExperimentRun *run, EskLabMemory memory, gboolean there, guint64 bytes, const char *name,
                   double *seconds, gboolean *has, GError **error)
{
  const guint variants[] = { 0, there ? 5 : 2, 4 };
  /* What is registered was allocated as pageable memory is. */
  const EskLabMemory allocated = memory == ESK_MEMORY_REGISTERED ? ESK_MEMORY_PAGEABLE
                                 : memory == ESK_MEMORY_MANAGED_AHEAD ? ESK_MEMORY_MANAGED : memory;
  gboolean any = FALSE;

  *seconds = 0;
  for (guint i = 0; i < G_N_ELEMENTS (variants); i++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_ALLOCATE, .memory = allocated, .bytes = bytes,
                               .variant = variants[i] };
      EsMeasured measured;

      if (!es_experiment_probe_raw (run, &probe, NULL, NAN, &measured, NULL, has, error))
        return FALSE;
      /* There was not enough memory for it: a sum without a part of it is none. */
      if (!*has && es_probing_has (run->probing, &probe))
        return TRUE;
      if (*has)
        *seconds += measured.median;
      any = any || *has;
    }
  *has = any;
  if (any && name != NULL)
    es_findings_add (run->findings, name, (double) bytes, &(EsMeasured) { *seconds, *seconds, *seconds, 0, 1, 0, -1 },
                     1);
  return TRUE;
}

gboolean
es_lab_choose_use (EsExperimentRun *run, EskLabMemory memory, guint64 bytes, const char *name, double *seconds,
                   gboolean *has, GError **error)
{
  /* Everything else was copied into memory of the card's own. */
  const EskProbe probe = { .kind = ESK_PROBE_READ, .bytes = MAX (bytes / USED_STEP * USED_STEP, LEAST_USED),
                           .memory = memory == ESK_MEMORY_MANAGED || memory == ESK_MEMORY_MANAGED_AHEAD
                                     ? ESK_MEMORY_MANAGED : ESK_MEMORY_PAGEABLE };
  EsMeasured measured;

  if (!es_experiment_probe_raw (run, &probe, name, (double) probe.bytes, &measured, NULL, has, error))
    return FALSE;
  *has = *has && measured.median > 0;
  *seconds = *has ? (double) probe.bytes / measured.median : 0;
  return TRUE;
}

static gboolean
fit_curve (EsExperimentRun *run, const char *group, const char *name, EsSegmentedFit *fit)
{
  g_autofree double *x = NULL, *y = NULL;
  const guint n = es_findings_get_series (run->findings, group, name, &x, &y);

  return es_segmented_fit (x, y, n, fit);
}

static gboolean
fit_cost (EsExperimentRun *run, const char *group, const char *name, EsTwoPieceFit *fit)
{
  g_autofree double *x = NULL, *y = NULL;
  const guint n = es_findings_get_series (run->findings, group, name, &x, &y);

  return es_two_piece_fit (x, y, n, fit);
}

/* Around the sizes of the arrays, and at each of them. */
static GArray *
sizes_for (GArray *arrays)
{
  g_autoptr (GArray) sizes = NULL;
  guint64 least = G_MAXUINT64, most = 0;

  for (guint i = 0; i < arrays->len; i++)
    {
      least = MIN (least, g_array_index (arrays, EsTransferredArray, i).bytes);
      most = MAX (most, g_array_index (arrays, EsTransferredArray, i).bytes);
    }
  sizes = es_experiment_footprints (MAX (LEAST_BYTES, ((guint64) 1 << g_bit_storage (least)) / 16), most);
  if (sizes->len == 0 || g_array_index (sizes, guint64, sizes->len - 1) < most)
    g_array_append_val (sizes, most);
  /* A formula needs some. */
  while (sizes->len < LEAST_SIZES)
    {
      const guint64 above = 2 * g_array_index (sizes, guint64, sizes->len - 1);
      g_array_append_val (sizes, above);
    }
  return g_steal_pointer (&sizes);
}

/* Every other one, and the last: enough for what is smooth. */
static GArray *
fewer (GArray *sizes)
{
  GArray *few = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < sizes->len; i++)
    if (sizes->len < 2 * LEAST_SIZES || i % 2 == 0 || i + 1 == sizes->len)
      g_array_append_val (few, g_array_index (sizes, guint64, i));
  return few;
}

static gboolean
moves (guint memory)
{
  return memory == ESK_MEMORY_MANAGED || memory == ESK_MEMORY_MANAGED_AHEAD;
}

static gboolean
measure_transfers (EsExperimentRun *run, GArray *sizes, GError **error)
{
  const EsFindingsGroup *groups[] = { &to_card, &from_card };
  g_autoptr (GArray) few = fewer (sizes);

  for (guint way = 0; way < G_N_ELEMENTS (groups); way++)
    {
      es_findings_open (run->findings, groups[way]);
      for (guint m = 0; m < ESK_N_MEMORIES; m++)
        {
          GArray *swept = moves (m) ? few : sizes;

          if (!es_experiment_sweep_rate (run, &(EskProbe) { .kind = ESK_PROBE_LINK, .memory = (EskLabMemory) m,
                                                            .variant = way }, es_lab_memory_name ((EskLabMemory) m),
                                         1, (guint64 *) swept->data, swept->len, error))
            return FALSE;
        }
    }
  return TRUE;
}

/* Managed memory in turns, as it is used that way. */
static gboolean
measure_turns (EsExperimentRun *run, GArray *sizes, EsMemoryModel *models, GError **error)
{
  g_autoptr (GArray) few = fewer (sizes);
  guint n = 0;

  while (n < few->len && (n < LEAST_SIZES || g_array_index (few, guint64, n) <= MOST_TURNED))
    n++;
  es_findings_open (run->findings, &turns);
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    {
      const char *name = es_lab_memory_name ((EskLabMemory) m);

      if (!models[m].known || !models[m].moves)
        continue;
      if (!es_experiment_sweep_rate (run, &(EskProbe) { .kind = ESK_PROBE_PLAN, .memory = (EskLabMemory) m,
                                                        .ways = ES_SELECTION_TURNS, .threads = ES_SELECTION_TURNS,
                                                        .repeats = TURNS_REPEATS }, name, 2 * ES_SELECTION_TURNS,
                                     (guint64 *) few->data, n, error))
        return FALSE;
      models[m].has_turns = fit_curve (run, "turns", name, &models[m].turns);
    }
  return TRUE;
}

static gboolean
measure_registering (EsExperimentRun *run, GArray *sizes, EsMemoryModel *model, GError **error)
{
  static const struct { guint variant; const char *name; } parts[] = {
    { 1, N_("Page-locking") }, { 3, N_("Unlocking") },
  };

  es_findings_open (run->findings, &registering);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_ALLOCATE, .memory = ESK_MEMORY_REGISTERED,
                                                 .variant = parts[i].variant }, parts[i].name, ES_SWEEP_BYTES,
                              (guint64 *) sizes->data, sizes->len, error))
      return FALSE;
  model->has_lock = fit_cost (run, "registering", parts[0].name, &model->lock)
                    && fit_cost (run, "registering", parts[1].name, &model->unlock);
  return TRUE;
}

static gboolean
measure_own (EsExperimentRun *run, GArray *sizes, EsMemoryModel *models, GError **error)
{
  g_autoptr (GArray) few = fewer (sizes);
  gboolean has;
  double seconds;

  es_findings_open (run->findings, &own);
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    {
      const char *name = es_lab_memory_name ((EskLabMemory) m);

      if (!models[m].known)
        continue;
      /* The same memory. */
      if (m == ESK_MEMORY_MANAGED_AHEAD && models[ESK_MEMORY_MANAGED].known)
        {
          models[m].has_own = models[ESK_MEMORY_MANAGED].has_own;
          models[m].own = models[ESK_MEMORY_MANAGED].own;
          models[m].has_own_there = models[ESK_MEMORY_MANAGED].has_own_there;
          models[m].own_there = models[ESK_MEMORY_MANAGED].own_there;
          continue;
        }
      GArray *swept = models[m].moves ? few : sizes;
      for (guint i = 0; i < swept->len; i++)
        {
          const guint64 bytes = g_array_index (swept, guint64, i);

          if (!es_lab_choose_own (run, (EskLabMemory) m, FALSE, bytes, name, &seconds, &has, error)
              || (models[m].moves && !es_lab_choose_own (run, (EskLabMemory) m, TRUE, bytes, there_name, &seconds, &has,
                                                         error)))
            return FALSE;
        }
      models[m].has_own = fit_cost (run, "own", name, &models[m].own);
      models[m].has_own_there = models[m].moves && fit_cost (run, "own", there_name, &models[m].own_there);
    }
  return TRUE;
}

static gboolean
measure_touching (EsExperimentRun *run, EsMemoryModel *models, GError **error)
{
  EsMemoryModel *registered = &models[ESK_MEMORY_REGISTERED], *ahead = &models[ESK_MEMORY_MANAGED_AHEAD];
  gboolean has;

  es_findings_open (run->findings, &touch);
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_HOST_ACCESS, .memory = (EskLabMemory) m, .variant = 1,
                               .bytes = TOUCHED_BYTES };
      EsMeasured measured;

      if (!models[m].known)
        continue;
      if (!es_experiment_probe (run, &probe, es_lab_memory_name ((EskLabMemory) m), NAN, 1, &measured, &has, error))
        return FALSE;
      models[m].touch = has ? measured.median : 0;
    }
  /* What is registered is pageable memory while the processor works on it. */
  if (!(registered->touch > 0))
    registered->touch = models[ESK_MEMORY_PAGEABLE].touch;
  /* Once it is back it is managed memory like any other. */
  if (!(ahead->touch > 0))
    ahead->touch = models[ESK_MEMORY_MANAGED].touch;
  return TRUE;
}

/* Sizes that the card can go through, each once, and as many as a formula needs: of small arrays many are the least. */
static GArray *
used_sizes (GArray *sizes)
{
  g_autoptr (GArray) few = fewer (sizes);
  GArray *used = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 last = 0;

  for (guint i = 0; i < few->len || used->len < LEAST_SIZES; i++)
    {
      const guint64 bytes = i < few->len ? MAX (g_array_index (few, guint64, i), LEAST_USED) : 2 * last;

      if (bytes == last)
        continue;
      g_array_append_val (used, bytes);
      last = bytes;
    }
  return used;
}

/* One curve for all that is copied, one for what moves. */
static gboolean
measure_using (EsExperimentRun *run, GArray *sizes, EsMemoryModel *models, GError **error)
{
  const char *const managed_name = es_lab_memory_name (ESK_MEMORY_MANAGED);
  g_autoptr (GArray) used = used_sizes (sizes);
  EsSegmentedFit copied = { 0 }, moved = { 0 };
  gboolean has, has_copied, has_moved;
  double seconds;

  es_findings_open (run->findings, &use);
  for (guint i = 0; i < used->len; i++)
    if (!es_lab_choose_use (run, ESK_MEMORY_PAGEABLE, g_array_index (used, guint64, i), card_name, &seconds, &has,
                            error)
        || (models[ESK_MEMORY_MANAGED].known
            && !es_lab_choose_use (run, ESK_MEMORY_MANAGED, g_array_index (used, guint64, i), managed_name, &seconds,
                                   &has, error)))
      return FALSE;
  has_copied = fit_curve (run, "use", card_name, &copied);
  has_moved = fit_curve (run, "use", managed_name, &moved);
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    {
      models[m].has_use = models[m].moves ? has_moved : has_copied;
      models[m].use = models[m].moves ? moved : copied;
    }
  return TRUE;
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  g_autoptr (GArray) arrays = es_transferred_arrays_parse (es_params_get_text (run->params, "arrays"), error);
  g_autofree EsMemoryModel *models = g_new0 (EsMemoryModel, ESK_N_MEMORIES);
  g_autoptr (GArray) sizes = arrays != NULL ? sizes_for (arrays) : NULL;
  const gboolean counts_own = es_params_get_bool (run->params, "allocation");

  if (arrays == NULL || !measure_transfers (run, sizes, error))
    return FALSE;
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    {
      const char *name = es_lab_memory_name ((EskLabMemory) m);

      models[m].known = fit_curve (run, "to", name, &models[m].to) && fit_curve (run, "from", name, &models[m].from);
      models[m].moves = moves (m);
    }
  if (!measure_turns (run, sizes, models, error)
      || !measure_registering (run, sizes, &models[ESK_MEMORY_REGISTERED], error)
      || (counts_own && !measure_own (run, sizes, models, error)) || !measure_touching (run, models, error)
      || !measure_using (run, sizes, models, error))
    return FALSE;
  /* Without what registering costs it would seem to be for nothing. */
  models[ESK_MEMORY_REGISTERED].known = models[ESK_MEMORY_REGISTERED].known && models[ESK_MEMORY_REGISTERED].has_lock;
  if (es_findings_get_n (run->findings) == 0)
    return TRUE;
  es_lab_choose_tell_managed (run, models, g_array_index (sizes, guint64, sizes->len - 1));
  return es_lab_choose_plans (run, models, arrays, counts_own, error);
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 9 * 60;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_choose, measure, probes_of)

const EsOperation es_operation_lab_choose = {
  .id = "lab-choose",
  .title = N_("Which host memory to choose"),
  .short_title = N_("Host memory to choose"),
  .summary = N_("For each array of a program, the kind of host memory in which transfers and all that goes with them "
                "are predicted to take least; then every plan is run, and the advice is held against it."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_PLAN, .memory = ESK_MEMORY_REGISTERED, .bytes = 1 << 24,
                                  .ways = 1 };

const EsExperiment es_experiment_choose = {
  .operation = &es_operation_lab_choose,
  .group = ES_EXPERIMENTS_CHOICE,
  .question = N_("In which kind of host memory should each array of a program be?"),
  .how = N_("The link, registering, allocating and the processor’s reading are measured by size for every kind of "
            "memory, and formulas are fitted to them. Of each array the times of its transfers and of all that goes "
            "with the memory are added up, and the least sum is the advice. Managed memory is not copied but moves to "
            "where it is needed, when it is touched or, prefetched, beforehand. Then every array is really copied or "
            "moved as often as it says, in each kind of memory, and the sums are told beside the predictions."),
  .predict = N_("Is a matrix of 200 kilobytes that is copied once worth registering? An image of 150 megabytes?"),
  .example = &example,
  .in_profile = FALSE,
  .groups = ES_LAB_GROUPS (&to_card, &from_card, &turns, &registering, &own, &touch, &use),
  .kinds = ES_EXPERIMENT_ON_GPU,
};
