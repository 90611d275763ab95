/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Every array in every kind of memory, measured beside what was predicted of it. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-choose-private.h"
#include "lab/es-lab-rules-internal.h"

/* gpu-lab.md, section 19, system 15: what the advised plan may be slower than the fastest. */
#define AS_FAST 1.03

typedef struct
{
  double       predicted[ESK_N_MEMORIES], measured[ESK_N_MEMORIES];    /* seconds; NAN: it is not known */
  EskLabMemory advised, fastest;       /* ESK_N_MEMORIES: none */
} Choice;

static const EsFindingsGroup plans = {
  "plans", N_("Plans, measured"), NULL, NULL, N_("Time of all arrays"), "s", FALSE,
};

static const char advised_name[] = N_("Advised, array by array");
static const char fastest_name[] = N_("Fastest, array by array");

static const char *
title_of (EskLabMemory memory)
{
  return memory < ESK_N_MEMORIES ? g_dgettext (GETTEXT_PACKAGE, es_lab_memory_name (memory)) : "–";
}

/* What the processor's turns at it take, which the plan leaves out; *has FALSE: it cannot be measured. */
static gboolean
measure_touches (EsExperimentRun *run, EskLabMemory memory, const EsTransferredArray *array, double *seconds,
                 gboolean *has, GError **error)
{
  EskProbe probe = { .kind = ESK_PROBE_HOST_ACCESS, .memory = memory, .bytes = array->bytes, .variant = 1 };
  EsMeasured measured;

  *seconds = 0;
  *has = array->touched == 0;
  if (*has)
    return TRUE;
  /* What is registered is pageable memory while the processor works on it. */
  if (memory == ESK_MEMORY_REGISTERED && !es_probing_has (run->probing, &probe))
    probe.memory = ESK_MEMORY_PAGEABLE;
  if (memory == ESK_MEMORY_MANAGED_AHEAD)
    probe.memory = ESK_MEMORY_MANAGED;
  if (!es_experiment_probe_raw (run, &probe, NULL, NAN, &measured, NULL, has, error))
    return FALSE;
  *has = *has && measured.median > 0;
  if (*has)
    *seconds = array->touched * (double) array->bytes / measured.median;
  return TRUE;
}

/* The same of the card's. */
static gboolean
measure_uses (EsExperimentRun *run, EskLabMemory memory, const EsTransferredArray *array, double *seconds,
              gboolean *has, GError **error)
{
  *seconds = 0;
  *has = array->used == 0;
  if (*has)
    return TRUE;
  if (!es_lab_choose_use (run, memory, array->bytes, NULL, seconds, has, error))
    return FALSE;
  *seconds *= array->used;
  return TRUE;
}

static gboolean
measure_array (EsExperimentRun *run, const EsMemoryModel *models, const EsTransferredArray *array, gboolean counts_own,
               Choice *choice, GError **error)
{
  choice->fastest = ESK_N_MEMORIES;
  choice->advised = es_selection_choose (models, array, !counts_own);
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_PLAN, .memory = (EskLabMemory) m, .bytes = array->bytes,
                               .ways = array->to, .threads = array->from };
      EsMeasured measured;
      double own = 0, touches, uses;
      gboolean has, has_own = TRUE, has_touches, has_uses;

      choice->measured[m] = NAN;
      choice->predicted[m] = es_selection_seconds (&models[m], array, !counts_own);
      if (!models[m].known)
        continue;
      if (!es_experiment_probe_raw (run, &probe, NULL, NAN, &measured, NULL, &has, error)
          || (has && counts_own && !es_lab_choose_own (run, (EskLabMemory) m, models[m].moves && array->to == 0,
                                                       array->bytes, NULL, &own, &has_own, error))
          || !measure_touches (run, (EskLabMemory) m, array, &touches, &has_touches, error)
          || !measure_uses (run, (EskLabMemory) m, array, &uses, &has_uses, error))
        return FALSE;
      if (!has || !has_own || !has_touches || !has_uses)
        continue;
      choice->measured[m] = measured.median + own + touches + uses;
      if (choice->fastest == ESK_N_MEMORIES || choice->measured[m] < choice->measured[choice->fastest])
        choice->fastest = (EskLabMemory) m;
    }
  return TRUE;
}

static void
add_arrays (EsExperimentRun *run, GArray *arrays, const Choice *choices)
{
  EsTable *table = es_table_new ("arrays", _("Arrays: predicted and measured"));

  /* What was found first: what was asked is known, and may be out of sight in a small window. */
  es_table_add_column (table, C_("program", "Array"), NULL, 0);
  es_table_add_column (table, _("Size"), "B", 0);
  es_table_add_column (table, _("Memory"), NULL, -1);
  es_table_add_column (table, _("Predicted"), "ms", 3);
  es_table_add_column (table, _("Measured"), "ms", 3);
  es_table_add_column (table, _("Advice"), NULL, -1);
  es_table_add_column (table, _("To the card"), NULL, 0);
  es_table_add_column (table, _("From the card"), NULL, 0);
  es_table_add_column (table, _("Touched"), NULL, 0);
  es_table_add_column (table, _("Used by the card"), NULL, 0);
  for (guint i = 0; i < arrays->len; i++)
    for (guint m = 0; m < ESK_N_MEMORIES; m++)
      {
        const EsTransferredArray *array = &g_array_index (arrays, EsTransferredArray, i);
        const double number = i + 1, bytes = (double) array->bytes, to = array->to, from = array->from;
        const double touched = array->touched, used = array->used;
        const double predicted = choices[i].predicted[m] * 1e3, measured = choices[i].measured[m] * 1e3;
        const char *advice = choices[i].advised == m ? (choices[i].fastest == m ? _("advised, fastest") : _("advised"))
                             : choices[i].fastest == m ? _("fastest") : "";

        if (!isnan (predicted))
          es_table_add_row (table, (gconstpointer[]) { &number, &bytes, title_of ((EskLabMemory) m), &predicted,
                                                       &measured, advice, &to, &from, &touched, &used });
      }
  es_result_add_layer (run->result, ES_LAYER (table));
}

/* The sum over all arrays, array i in memory[i] or all in one; NAN where one of them is not known. */
static double
sum_of (const Choice *choices, guint n, const EskLabMemory *memory, EskLabMemory uniform, gboolean predicted)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      const EskLabMemory m = memory != NULL ? memory[i] : uniform;

      if (m >= ESK_N_MEMORIES)
        return NAN;
      sum += predicted ? choices[i].predicted[m] : choices[i].measured[m];
    }
  return sum;
}

static void
add_plan (EsExperimentRun *run, EsTable *table, const char *name, double predicted, double measured)
{
  const double milliseconds[2] = { predicted * 1e3, measured * 1e3 };

  if (isnan (predicted))
    return;
  es_table_add_row (table, (gconstpointer[]) { g_dgettext (GETTEXT_PACKAGE, name), &milliseconds[0],
                                               &milliseconds[1] });
  if (!isnan (measured))
    es_findings_add (run->findings, name, NAN, &(EsMeasured) { measured, measured, measured, 0, 1, 0, -1 }, 1);
}

/* For as long as the array is there. Large pages are pageable, and what moves is where it is needed. */
static gboolean
is_locked (EskLabMemory memory)
{
  return memory == ESK_MEMORY_REGISTERED || memory == ESK_MEMORY_PINNED || memory == ESK_MEMORY_WRITE_COMBINED
         || memory == ESK_MEMORY_MAPPED;
}

static void
judge (EsExperimentRun *run, const Choice *choices, guint n)
{
  g_autofree EskLabMemory *advised = g_new (EskLabMemory, n), *fastest = g_new (EskLabMemory, n);
  EsTable *table = es_table_new ("plans-table", _("Plans: predicted and measured"));
  guint locked = 0;

  es_table_add_column (table, C_("program", "Plan"), NULL, -1);
  es_table_add_column (table, _("Predicted"), "ms", 3);
  es_table_add_column (table, _("Measured"), "ms", 3);
  es_findings_open (run->findings, &plans);
  for (guint i = 0; i < n; i++)
    {
      advised[i] = choices[i].advised;
      fastest[i] = choices[i].fastest;
      locked += is_locked (advised[i]);
    }
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    add_plan (run, table, es_lab_memory_name ((EskLabMemory) m), sum_of (choices, n, NULL, (EskLabMemory) m, TRUE),
              sum_of (choices, n, NULL, (EskLabMemory) m, FALSE));
  const double predicted = sum_of (choices, n, advised, 0, TRUE);
  const double run_as_advised = sum_of (choices, n, advised, 0, FALSE);
  const double least = sum_of (choices, n, fastest, 0, FALSE);
  add_plan (run, table, advised_name, predicted, run_as_advised);
  add_plan (run, table, fastest_name, sum_of (choices, n, fastest, 0, TRUE), least);
  es_result_add_layer (run->result, ES_LAYER (table));

  if (isnan (predicted))
    {
      es_experiment_say (run, ES_VERDICT_UNSURE, NULL, _("What transfers and host memory cost could not be measured "
                                                         "here: no plan can be predicted."));
      return;
    }
  if (isnan (run_as_advised) || isnan (least))
    {
      es_experiment_say (run, ES_VERDICT_UNSURE, NULL, _("The plans could be predicted, but not be run here."));
      return;
    }
  es_experiment_say (run, run_as_advised <= AS_FAST * least ? ES_VERDICT_YES : ES_VERDICT_NO,
                     /* xgettext:no-c-format */
                     _("The advised plan no more than 3 % slower than the fastest kind of memory for each array: the "
                       "advice is good."),
                     _("The advised plan takes %.3f ms, %.3f ms were predicted; the fastest of all plans takes %.3f "
                       "ms."), run_as_advised * 1e3, predicted * 1e3, least * 1e3);
  es_verdict_add_number (run->verdict, _("Predicted"), predicted, "s");
  es_verdict_add_number (run->verdict, _("As advised"), run_as_advised, "s");
  es_verdict_add_number (run->verdict, _("Fastest"), least, "s");
  es_experiment_mean (run, _("Of these %u arrays %u are better locked. This program has what is large (tiles, "
                             "components) in page-locked buffers of a pool, whose making counts once, and what is "
                             "small (sums, bases) in pageable memory."), n, locked);
}

void
es_lab_choose_tell_managed (EsExperimentRun *run, const EsMemoryModel models[ESK_N_MEMORIES], guint64 bytes)
{
  const EskLabMachine *facts = es_probing_get_facts (run->probing);
  const EsMemoryModel *managed = &models[ESK_MEMORY_MANAGED], *ahead = &models[ESK_MEMORY_MANAGED_AHEAD];
  const char *rule = _("Of attributes that the driver tells of the card.");

  if (!managed->known)
    {
      es_experiment_say (run, ES_VERDICT_UNSURE, rule, _("What managed memory costs is not known here: it is neither "
                                                         "predicted nor among the plans."));
      return;
    }
  const double by_touch = es_segmented_fit_value (&managed->to, (double) bytes);
  /* As the sizes of arrays are told below. */
  g_autofree char *size = g_format_size (bytes);
  if (facts->host_tables > 0)
    es_experiment_say (run, ES_VERDICT_TELLS, rule,
                       _("The card finds the host’s pages by the host’s own tables: managed memory may stay where it "
                         "is while the other side works on it. A kernel reads %s for the first time at %.1f GB/s."),
                       size, by_touch * 1e-9);
  else if (ahead->known)
    es_experiment_say (run, ES_VERDICT_TELLS, rule,
                       _("Managed memory moves by pages: %s that a kernel touches come at %.1f GB/s, asked for "
                         "beforehand at %.1f GB/s."), size, by_touch * 1e-9,
                       es_segmented_fit_value (&ahead->to, (double) bytes) * 1e-9);
  else
    es_experiment_say (run, ES_VERDICT_TELLS, rule,
                       _("Managed memory moves as a whole whenever a kernel starts: %s at %.1f GB/s. Nothing of it can "
                         "be asked for beforehand, and the processor may not touch it while a kernel runs."), size,
                       by_touch * 1e-9);
  es_verdict_add_number (run->verdict, title_of (ESK_MEMORY_MANAGED), by_touch, "B/s");
  if (ahead->known)
    es_verdict_add_number (run->verdict, title_of (ESK_MEMORY_MANAGED_AHEAD),
                           es_segmented_fit_value (&ahead->to, (double) bytes), "B/s");
  if (managed->has_use && models[ESK_MEMORY_PAGEABLE].has_use)
    {
      const double there = es_segmented_fit_value (&managed->use, (double) bytes);
      const double own = es_segmented_fit_value (&models[ESK_MEMORY_PAGEABLE].use, (double) bytes);

      es_experiment_say (run, es_rule_is_slower (there, own) ? ES_VERDICT_NO : ES_VERDICT_YES,
                         _("No more than a tenth slower: it is the way there that managed memory costs."),
                         _("Once it is there the card reads managed memory at %.0f GB/s, memory of its own at %.0f "
                           "GB/s."), there * 1e-9, own * 1e-9);
    }
  if (facts->pageable_access > 0 && facts->host_tables == 0)
    es_experiment_say (run, ES_VERDICT_TELLS, rule, _("The card reaches pageable memory of the host as well, by pages "
                                                      "that move as those of managed memory do."));
}

gboolean
es_lab_choose_plans (EsExperimentRun *run, const EsMemoryModel models[ESK_N_MEMORIES], GArray *arrays,
                     gboolean counts_own, GError **error)
{
  g_autofree Choice *choices = g_new0 (Choice, arrays->len);

  for (guint i = 0; i < arrays->len; i++)
    {
      const EsTransferredArray *array = &g_array_index (arrays, EsTransferredArray, i);

      if (!measure_array (run, models, array, counts_own, &choices[i], error))
        return FALSE;
      g_autofree char *size = g_format_size (array->bytes);
      if (choices[i].advised != ESK_N_MEMORIES)
        es_experiment_say (run, ES_VERDICT_TELLS,
                           _("Of (4.9) and (4.10), for each kind of memory, the least sum of transfers, registering "
                             "and undoing it, and, where it is asked for, allocating."),
                           _("Array %u: “%s” is advised for its %s, %.3f ms are predicted."), i + 1,
                           title_of (choices[i].advised), size, choices[i].predicted[choices[i].advised] * 1e3);
      for (guint m = 0; m < ESK_N_MEMORIES && choices[i].advised != ESK_N_MEMORIES; m++)
        if (!isnan (choices[i].predicted[m]))
          es_verdict_add_number (run->verdict, title_of ((EskLabMemory) m), choices[i].predicted[m], "s");
    }
  add_arrays (run, arrays, choices);
  judge (run, choices, arrays->len);
  return TRUE;
}
