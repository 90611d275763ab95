/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How long an access takes that waits for the one before, in each memory, by how much memory is gone through:
 * gpu-lab.md, section 4; system 4. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"
#include "lab/es-shown-unit.h"

#define LEAST_BYTES 1024
#define MOST_BYTES ((guint64) 1 << 30)
/* Below, addresses are found in time whatever the pages are. */
#define LEAST_IN_LARGE_PAGES ((guint64) 256 << 10)
/* Of the last cache before the memory: what is larger has left it. */
#define CACHES 4
#define MOST_LEVELS 6
#define LEAST_RATIO 2

typedef struct
{
  EskLabSpace  space;
  const char  *name;
  guint64      most;           /* bytes that it has, or that tell enough; 0: as the global memory */
  guint64      least;
  EskLabMemory memory;
} Space;

static const Space spaces[] = {
  { ESK_SPACE_GLOBAL, N_("Global memory"), 0 },
  { ESK_SPACE_GLOBAL, N_("Global memory, large pages"), 0, LEAST_IN_LARGE_PAGES, ESK_MEMORY_LARGE_PAGES },
  { ESK_SPACE_READ_ONLY, N_("Global memory, read only"), (guint64) 4 << 20 },
  { ESK_SPACE_TEXTURE, N_("Texture"), (guint64) 4 << 20 },
  { ESK_SPACE_CONSTANT, N_("Constant memory"), 65536 },
  { ESK_SPACE_SHARED, N_("Shared memory"), 32768 },
  { ESK_SPACE_LOCAL, N_("Local memory"), (guint64) 1 << 18 },
};

static const EsParamSpec params[] = {
  { .key = "largest", .label = N_("Largest footprint"),
    .help = N_("How much memory is gone through at most. Automatic: four times the last cache, up to 1 GiB."),
    .type = ES_PARAM_FLOAT, .unit = "MiB", .maximum = 16384, .step = 1, .digits = 3, .zero_label = N_("Automatic") },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const EsFindingsGroup by_footprint = {
  "latency", N_("Latency by footprint"), N_("Footprint"), "B", N_("Latency"), "clocks", TRUE,
};

static guint64
largest (EsExperimentRun *run)
{
  const EskLabMachine *facts = es_probing_get_facts (run->probing);
  const guint64 cache = MAX (MAX (facts->l2, facts->l3), (guint64) 4 << 20);
  const double told = es_params_get_float (run->params, "largest");

  return told > 0 ? MAX ((guint64) (told * 1048576), 4 * LEAST_BYTES) : MIN (CACHES * cache, MOST_BYTES);
}

static void
tell_levels (EsExperimentRun *run, const char *name)
{
  g_autofree double *bytes = NULL, *latencies = NULL;
  const guint n = es_findings_get_series (run->findings, "latency", name, &bytes, &latencies);
  EsLevel levels[MOST_LEVELS];
  const guint found = n >= 3 ? es_rule_levels (bytes, latencies, n, levels, MOST_LEVELS) : 0;
  /* A processor has no other. */
  const char *title = run->is_cpu && name == spaces[0].name ? _("Memory") : g_dgettext (GETTEXT_PACKAGE, name);

  if (found == 0)
    return;
  if (found == 1)
    es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("%s: one level, %.1f clocks an access."), title,
                       levels[0].latency);
  else
    es_experiment_say (run, ES_VERDICT_TELLS,
                       _("A level is a run of footprints whose latencies stay within a quarter; it ends half-way to "
                         "the next, by their logarithms."),
                       g_dngettext (GETTEXT_PACKAGE, "%s: %u level, from %.1f to %.1f clocks an access.",
                                    "%s: %u levels, from %.1f to %.1f clocks an access.", found),
                       title, found, levels[0].latency, levels[found - 1].latency);
  for (guint k = 0; k < found; k++)
    {
      g_autofree char *fits = isnan (levels[k].capacity) ? NULL : es_shown_bytes (levels[k].capacity);
      g_autofree char *text = fits != NULL ? g_strdup_printf (_("Level %u, up to %s"), k + 1, fits)
                                           : g_strdup_printf (_("Level %u"), k + 1);

      es_verdict_add_number (run->verdict, text, levels[k].latency, "clocks");
    }
}

static void
tell_pages (EsExperimentRun *run)
{
  g_autofree double *small_bytes = NULL, *small = NULL, *large_bytes = NULL, *large = NULL;
  const guint n = es_findings_get_series (run->findings, "latency", spaces[0].name, &small_bytes, &small);
  const guint m = es_findings_get_series (run->findings, "latency", spaces[1].name, &large_bytes, &large);

  if (n == 0 || m == 0 || small_bytes[n - 1] != large_bytes[m - 1])
    return;
  g_autofree char *size = es_shown_bytes (small_bytes[n - 1]);
  es_experiment_say (run, es_rule_is_slower (large[m - 1], small[n - 1]) ? ES_VERDICT_YES : ES_VERDICT_NO,
                     _("More than a tenth longer in usual pages: that part of an access is the search for where its "
                       "page lies, not the memory."),
                     _("In large pages an access within %s takes %.1f clocks instead of %.1f."), size, large[m - 1],
                     small[n - 1]);
}

static void
judge (EsExperimentRun *run)
{
  g_autofree double *bytes = NULL, *latencies = NULL;
  const guint n = es_findings_get_series (run->findings, "latency", spaces[0].name, &bytes, &latencies);
  EsLevel levels[MOST_LEVELS];
  guint found;

  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (spaces[i].memory != ESK_MEMORY_LARGE_PAGES)
      tell_levels (run, spaces[i].name);
  tell_pages (run);
  found = n >= 3 ? es_rule_levels (bytes, latencies, n, levels, MOST_LEVELS) : 0;
  if (found == 0 || !(levels[0].latency > 0))
    return;
  /* Of the levels that were told, not of the one footprint that happens to be the largest. */
  const double ratio = levels[found - 1].latency / levels[0].latency;
  /* Nothing larger than the first cache was gone through. */
  if (ratio < LEAST_RATIO)
    return;
  es_experiment_mean (run, run->is_cpu
                      ? _("An access that misses every cache costs as much as %.0f that hit the first: tiles of cubes "
                          "are cut so that what a thread works on stays in its caches.")
                      : _("An access to the memory costs as much as %.0f to the first cache: kernels keep thousands of "
                          "loads under way and bring tiles to shared memory once."), ratio);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint64 most = largest (run);
  g_autoptr (GArray) footprints = es_experiment_footprints (LEAST_BYTES, most);

  es_findings_open (run->findings, &by_footprint);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    for (guint i = 0; i < footprints->len; i++)
      {
        const guint64 bytes = g_array_index (footprints, guint64, i);
        const EskProbe probe = { .kind = ESK_PROBE_CHASE, .space = spaces[s].space, .bytes = bytes,
                                 .memory = spaces[s].memory };
        gboolean has;

        /* Pages are the processor's: a card has its own, which nobody chooses. */
        if ((spaces[s].most > 0 && bytes > spaces[s].most)
            || (spaces[s].memory == ESK_MEMORY_LARGE_PAGES && !run->is_cpu))
          break;
        if (bytes < spaces[s].least)
          continue;
        if (!es_experiment_probe (run, &probe, spaces[s].name, bytes, 1, NULL, &has, error))
          return FALSE;
      }
  judge (run);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return is_cpu ? 56 : 120;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_latency, measure, probes_of)

const EsOperation es_operation_lab_latency = {
  .id = "lab-latency",
  .title = N_("Latency of memories"),
  .short_title = N_("Latency of memories"),
  .summary = N_("How long an access takes that has to wait for the one before it, in each memory and by how much of it "
                "is gone through: a staircase with a step where a cache ends."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_CHASE, .space = ESK_SPACE_GLOBAL, .bytes = 1 << 20 };

const EsExperiment es_experiment_latency = {
  .operation = &es_operation_lab_latency,
  .group = ES_EXPERIMENTS_MEMORY,
  .question = N_("How long does an access take, and where do the caches end?"),
  .how = N_("One thread follows pointers that lead once through all of the memory in random order, so that no access "
            "can begin before the one before it has ended and nothing can guess the next. The clock is read before and "
            "after many of them. As the footprint grows it leaves one cache after the other, and the latency climbs to "
            "the next step. A line of local memory holds the same word of a warp's 32 lanes: what one thread has of "
            "it fills the caches 32 times as fast, and where a part of it misses, repeats differ. Constants are "
            "followed in the same way, one load after the other with nothing in between; loads from places that are "
            "known when a kernel is compiled do not wait for each other, and cost less."),
  .predict = N_("How many steps will the staircase have, and at which footprints? How many times slower is the last "
                "one than the first?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&by_footprint),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
