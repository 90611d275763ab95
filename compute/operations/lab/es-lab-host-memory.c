/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What host memory costs by its kind before and after it is of use: gpu-lab.md, section 12; system 11. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-selection-model-internal.h"
#include "lab/es-shown-unit.h"

static const EsParamSpec params[] = {
  { .key = "largest", .label = N_("Largest size"),
    .help = N_("The largest block that is allocated; the table is of this size."),
    .type = ES_PARAM_FLOAT, .unit = "MiB", .minimum = 4, .maximum = 4096, .default_value = 128, .step = 1 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

#define N_PARTS 5
#define LEAST_BYTES ((guint64) 1 << 20)

/* In the order in which they happen; the variant of the probe. */
static const struct { guint variant; const char *name, *title; } parts[N_PARTS] = {
  { 0, "allocate", N_("Allocating") }, { 2, "touch", N_("Touching for the first time") },
  { 1, "lock", N_("Page-locking") }, { 3, "unlock", N_("Unlocking") }, { 4, "free", N_("Freeing") },
};

static const EsFindingsGroup groups[N_PARTS] = {
  { "allocate", N_("Allocating by size"), N_("Size"), "B", N_("Time"), "s", TRUE },
  { "touch", N_("Touching for the first time by size"), N_("Size"), "B", N_("Time"), "s", TRUE },
  { "lock", N_("Page-locking by size"), N_("Size"), "B", N_("Time"), "s", TRUE },
  { "unlock", N_("Unlocking by size"), N_("Size"), "B", N_("Time"), "s", TRUE },
  { "free", N_("Freeing by size"), N_("Size"), "B", N_("Time"), "s", TRUE },
};

/* Of managed memory alone: it is one or the other that touches it first. */
static const EsFindingsGroup touch_there = {
  "touch-card", N_("Touching for the first time by the card, by size"), N_("Size"), "B", N_("Time"), "s", TRUE,
};

/* Whether a part is one of this kind: what else is locked is for the curves alone, where large pages are told apart. */
static gboolean
is_part (guint part, EskLabMemory memory)
{
  return (parts[part].variant != 1 && parts[part].variant != 3) || memory == ESK_MEMORY_REGISTERED;
}

/* NAN: it is not known, or no part of this kind. What is registered was allocated as pageable memory is. */
static double
seconds_of (EsExperimentRun *run, guint part, EskLabMemory memory, double bytes)
{
  const double own = is_part (part, memory)
                     ? es_findings_get (run->findings, parts[part].name, es_lab_memory_name (memory), bytes) : NAN;

  return isnan (own) && memory == ESK_MEMORY_REGISTERED && is_part (part, ESK_MEMORY_PAGEABLE)
         ? es_findings_get (run->findings, parts[part].name, es_lab_memory_name (ESK_MEMORY_PAGEABLE), bytes) : own;
}

/* Parts of the largest size by kind, and their sum; totals of kinds that are not here are NAN. */
static void
add_matrix (EsExperimentRun *run, double bytes, double *totals)
{
  const char *rows[ESK_N_MEMORIES], *columns[N_PARTS + 1];
  double values[ESK_N_MEMORIES * (N_PARTS + 1)];
  g_autofree char *size = es_shown_bytes (bytes);
  g_autofree char *title = g_strdup_printf (_("Milliseconds of %s"), size);
  guint n = 0;

  for (guint p = 0; p < N_PARTS; p++)
    columns[p] = g_dgettext (GETTEXT_PACKAGE, parts[p].title);
  columns[N_PARTS] = _("All");
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    {
      double *row = &values[n * (N_PARTS + 1)];

      totals[m] = NAN;
      for (guint p = 0; p < N_PARTS; p++)
        {
          const double seconds = seconds_of (run, p, (EskLabMemory) m, bytes);

          row[p] = seconds * 1e3;
          if (!isnan (seconds))
            totals[m] = (isnan (totals[m]) ? 0 : totals[m]) + seconds;
        }
      /* Where nothing can be locked nothing is registered. */
      if (m == ESK_MEMORY_REGISTERED && isnan (row[2]))
        totals[m] = NAN;
      row[N_PARTS] = totals[m] * 1e3;
      if (!isnan (totals[m]))
        rows[n++] = g_dgettext (GETTEXT_PACKAGE, es_lab_memory_name ((EskLabMemory) m));
    }
  if (n == 0)
    return;
  EsMatrix *matrix = es_matrix_new ("parts", title, n, N_PARTS + 1, values, rows, columns);
  es_matrix_set_titles (matrix, _("Memory"), _("Part"));
  es_result_add_layer (run->result, ES_LAYER (matrix));
}

static void
judge (EsExperimentRun *run, const double *totals, double bytes)
{
  const double plain = totals[ESK_MEMORY_PAGEABLE];
  const char *rule = _("The sum of the parts: of the kinds that can be copied asynchronously the one with the least.");
  g_autofree char *size = es_shown_bytes (bytes);
  guint best = ESK_N_MEMORIES;

  for (guint m = ESK_MEMORY_REGISTERED; m <= ESK_MEMORY_MAPPED; m++)
    if (!isnan (totals[m]) && (best == ESK_N_MEMORIES || totals[m] < totals[best]))
      best = m;
  if (best == ESK_N_MEMORIES || isnan (plain))
    return;
  if (run->is_cpu)
    es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("%s that are locked take %.1f ms to be made and given back; "
                                                      "pageable memory takes %.1f ms."), size, totals[best] * 1e3,
                       plain * 1e3);
  else
    es_experiment_say (run, ES_VERDICT_TELLS, rule,
                       _("Of %s that can be copied asynchronously, “%s” is made and given back most cheaply: %.1f ms; "
                         "pageable memory takes %.1f ms."), size,
                       g_dgettext (GETTEXT_PACKAGE, es_lab_memory_name ((EskLabMemory) best)), totals[best] * 1e3,
                       plain * 1e3);
  for (guint m = 0; m < ESK_N_MEMORIES; m++)
    if (!isnan (totals[m]))
      es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, es_lab_memory_name ((EskLabMemory) m)),
                             totals[m], "s");
}

static void
judge_pages (EsExperimentRun *run, double bytes)
{
  const double small = es_findings_get (run->findings, "touch", es_lab_memory_name (ESK_MEMORY_PAGEABLE), bytes);
  const double large = es_findings_get (run->findings, "touch", es_lab_memory_name (ESK_MEMORY_LARGE_PAGES), bytes);

  if (!(small > 0) || !(large > 0))
    return;
  es_experiment_say (run, large < small * 0.9 ? ES_VERDICT_YES : ES_VERDICT_NO,
                     _("The first touch more than a tenth quicker with large pages: they help."),
                     _("The first touch of large pages takes %.0f %% of the time of usual ones."), 100 * large / small);
  es_verdict_add_number (run->verdict, _("Usual pages"), small, "s");
  es_verdict_add_number (run->verdict, _("Large pages"), large, "s");
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint64 most = (guint64) (es_params_get_float (run->params, "largest") * 1048576);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint64));
  double totals[ESK_N_MEMORIES];

  for (guint64 bytes = LEAST_BYTES; bytes < most; bytes *= 4)
    g_array_append_val (sizes, bytes);
  g_array_append_val (sizes, most);
  for (guint p = 0; p < N_PARTS; p++)
    {
      es_findings_open (run->findings, &groups[p]);
      for (guint m = 0; m < ESK_N_MEMORIES; m++)
        if ((is_part (p, (EskLabMemory) m) || m == ESK_MEMORY_LARGE_PAGES)
            && !es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_ALLOCATE, .memory = (EskLabMemory) m,
                                                        .variant = parts[p].variant },
                                     es_lab_memory_name ((EskLabMemory) m), ES_SWEEP_BYTES, (guint64 *) sizes->data,
                                     sizes->len, error))
          return FALSE;
    }
  es_findings_open (run->findings, &touch_there);
  if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_ALLOCATE, .memory = ESK_MEMORY_MANAGED, .variant = 5 },
                            es_lab_memory_name (ESK_MEMORY_MANAGED), ES_SWEEP_BYTES, (guint64 *) sizes->data,
                            sizes->len, error))
    return FALSE;
  add_matrix (run, (double) most, totals);
  judge (run, totals, (double) most);
  judge_pages (run, (double) most);
  es_experiment_mean (run, _("Page-locked buffers are made once, of large pages that are then registered, and kept for "
                             "the next pass; results stay in pageable memory."));
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return is_cpu ? 60 : 100;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_host_memory, measure, probes_of)

const EsOperation es_operation_lab_host_memory = {
  .id = "lab-host-memory",
  .title = N_("Host memory: what it costs to have it"),
  .short_title = N_("Host memory"),
  .summary = N_("What allocating, touching, page-locking, unlocking and freeing host memory cost, by its kind and "
                "size."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_ALLOCATE, .memory = ESK_MEMORY_REGISTERED, .bytes = 1 << 20,
                                  .variant = 1 };

const EsExperiment es_experiment_host_memory = {
  .operation = &es_operation_lab_host_memory,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("What does host memory cost before the first byte of it is of use?"),
  .how = N_("Blocks of each kind of memory are allocated, touched for the first time, page-locked, unlocked and "
            "freed, and each step is timed by itself: allocating pageable memory takes almost nothing, as its pages "
            "come with the first touch."),
  .predict = N_("Which of the steps takes longest: allocating, touching or page-locking?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&groups[0], &groups[1], &groups[2], &groups[3], &groups[4]),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
