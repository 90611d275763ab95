/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Whether 32 lanes have to ask in order, or for neighbours: gpu-lab.md, section 6; system 7. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-order-private.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  { .key = "threads", .label = N_("Threads of a block"),
    .help = N_("How many threads a block has where the number of blocks grows."),
    .type = ES_PARAM_INT, .minimum = 32, .maximum = 1024, .step = 32, .default_value = 256 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

#define N_PATTERNS 3
/* Of a row of 32 words, what each pattern touches: sectors of 32 bytes. */
#define SECTORS_IN_ROW 4
#define SECTORS_APART 32
#define ROW_BYTES 128

typedef struct
{
  EskLabSpace space;
  const char *title;
  const char *names[N_PATTERNS];
  guint64     bytes;
} Space;

const char *const es_lab_order_patterns[] = {
  N_("Global memory, in order"), N_("Global memory, lanes shuffled"), N_("Global memory, rows apart"),
};

static const Space spaces[] = {
  { ESK_SPACE_GLOBAL, N_("Global memory"),
    { N_("Global memory, in order"), N_("Global memory, lanes shuffled"), N_("Global memory, rows apart") },
    ES_LAB_ORDER_BYTES },
  { ESK_SPACE_TEXTURE, N_("Texture"),
    { N_("Texture, in order"), N_("Texture, lanes shuffled"), N_("Texture, rows apart") }, 1 << 20 },
  { ESK_SPACE_SHARED, N_("Shared memory"),
    { N_("Shared memory, in order"), N_("Shared memory, lanes shuffled"), N_("Shared memory, rows apart") }, 32768 },
};

static const guint64 offsets[] = { 0, 4, 8, 16, 32, 48, 64, 96, 124 };
static const guint64 block_counts[] = { 1, 2, 4, 8, 16, 32, 64, 96, 128, 192, 256 };

static const EsFindingsGroup patterns = {
  "patterns", N_("Latency by pattern, one warp"), NULL, NULL, N_("Latency"), "clocks", FALSE,
};
static const EsFindingsGroup by_blocks = {
  "blocks", N_("Latency by blocks, global memory"), N_("Blocks"), "blocks", N_("Latency"), "clocks", FALSE,
};
static const EsFindingsGroup by_offset = {
  "offset", N_("Latency by offset of the row"), N_("Offset"), "B", N_("Latency"), "clocks", FALSE,
};

static void
judge (EsExperimentRun *run, const Space *space)
{
  const char *title = g_dgettext (GETTEXT_PACKAGE, space->title);
  double clocks[N_PATTERNS];

  for (guint p = 0; p < N_PATTERNS; p++)
    clocks[p] = es_findings_get (run->findings, "patterns", space->names[p], NAN);
  if (!isnan (clocks[0]) && !isnan (clocks[1]))
    {
      const gboolean matters = es_rule_is_slower (clocks[0], clocks[1]);

      es_experiment_say (run, matters ? ES_VERDICT_NO : ES_VERDICT_YES,
                         _("Lanes shuffled within their row no more than a tenth slower than in order: their order is "
                           "irrelevant."),
                         matters ? _("%s: the order of lanes matters.") : _("%s: the order of lanes is irrelevant."),
                         title);
      es_verdict_add_number (run->verdict, _("In order"), clocks[0], "clocks");
      es_verdict_add_number (run->verdict, _("Lanes shuffled"), clocks[1], "clocks");
    }
  if (isnan (clocks[0]) || isnan (clocks[2]))
    return;
  const gboolean slower = es_rule_is_slower (clocks[0], clocks[2]);
  es_experiment_say (run, slower ? ES_VERDICT_NO : ES_VERDICT_YES,
                     _("Rows apart more than a tenth slower than one row: what a warp reads has to be contiguous."),
                     slower ? _("%s: what is not contiguous takes %.2f times as long.")
                            : _("%s: contiguity is irrelevant, %.2f times as long."), title, clocks[2] / clocks[0]);
  es_verdict_add_number (run->verdict, _("One row"), clocks[0], "clocks");
  es_verdict_add_number (run->verdict, _("Rows apart"), clocks[2], "clocks");
  if (space->space != ESK_SPACE_SHARED)
    {
      es_verdict_add_number (run->verdict, _("Sectors of one row"), SECTORS_IN_ROW, NULL);
      es_verdict_add_number (run->verdict, _("Sectors of rows apart"), SECTORS_APART, NULL);
    }
}

static void
judge_load (EsExperimentRun *run)
{
  g_autofree double *x = NULL, *apart = NULL, *x_ordered = NULL, *ordered = NULL;
  const guint n = es_findings_get_series (run->findings, "blocks", spaces[0].names[2], &x, &apart);
  const guint n_ordered = es_findings_get_series (run->findings, "blocks", spaces[0].names[0], &x_ordered, &ordered);

  if (n < 2 || n != n_ordered)
    return;
  es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("With %.0f blocks at once, rows apart take %.1f times as long as "
                                                    "rows in order."), x[n - 1], apart[n - 1] / ordered[n - 1]);
  es_experiment_mean (run, _("Cubes are kept as planes, band after band, so that a warp reads neighbouring pixels of "
                             "one band; a pixel's spectrum read across the planes would take %.1f times as long here."),
                      apart[n - 1] / ordered[n - 1]);
}

static void
judge_offset (EsExperimentRun *run, guint boundary)
{
  g_autofree double *x = NULL, *clocks = NULL;
  const guint n = es_findings_get_series (run->findings, "offset", spaces[0].title, &x, &clocks);
  double worst = 0;

  for (guint i = 0; i < n; i++)
    worst = MAX (worst, clocks[i]);
  if (n < 2)
    return;
  es_experiment_say (run, es_rule_is_slower (clocks[0], worst) ? ES_VERDICT_NO : ES_VERDICT_YES,
                     _("A row that begins elsewhere no more than a tenth slower: its alignment is irrelevant."),
                     es_rule_is_slower (clocks[0], worst)
                     ? _("Rows that do not begin on a boundary of %2$u bytes take up to %1$.2f times as long.")
                     : _("Where a row begins is irrelevant: %.2f times as long at worst."), worst / clocks[0],
                     boundary);
  es_verdict_add_number (run->verdict, _("On a boundary"), clocks[0], "clocks");
  es_verdict_add_number (run->verdict, _("At worst"), worst, "clocks");
}

gboolean
es_lab_order_measure_offsets (EsExperimentRun *run, guint boundary, GError **error)
{
  const EskProbe probe = { .kind = ESK_PROBE_ORDER, .space = ESK_SPACE_GLOBAL, .bytes = ES_LAB_ORDER_BYTES,
                           .variant = 4, .threads = 32, .blocks = 1 };

  es_findings_open (run->findings, &by_offset);
  if (!es_experiment_sweep (run, &probe, spaces[0].title, ES_SWEEP_STRIDE, offsets, G_N_ELEMENTS (offsets), error))
    return FALSE;
  judge_offset (run, boundary);
  return TRUE;
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  EskProbe probe = { .kind = ESK_PROBE_ORDER, .threads = 32, .blocks = 1 };
  gboolean has;

  if (run->is_cpu)
    return es_lab_order_measure_vectors (run, error);
  es_findings_open (run->findings, &patterns);
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    for (guint p = 0; p < N_PATTERNS; p++)
      {
        probe.space = spaces[s].space;
        probe.bytes = spaces[s].bytes;
        probe.variant = p + 1;
        if (!es_experiment_probe (run, &probe, spaces[s].names[p], NAN, 1, NULL, &has, error))
          return FALSE;
      }
  probe.space = ESK_SPACE_GLOBAL;
  probe.bytes = spaces[0].bytes;
  probe.threads = (guint32) es_params_get_int (run->params, "threads");
  es_findings_open (run->findings, &by_blocks);
  for (guint p = 0; p < N_PATTERNS; p += 2)
    {
      probe.variant = p + 1;
      if (!es_experiment_sweep (run, &probe, spaces[0].names[p], ES_SWEEP_BLOCKS, block_counts,
                                G_N_ELEMENTS (block_counts), error))
        return FALSE;
    }
  for (guint s = 0; s < G_N_ELEMENTS (spaces); s++)
    judge (run, &spaces[s]);
  if (!es_lab_order_measure_offsets (run, ROW_BYTES, error))
    return FALSE;
  judge_load (run);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return is_cpu ? ES_LAB_ORDER_VECTOR_PROBES
         : G_N_ELEMENTS (spaces) * N_PATTERNS + 2 * G_N_ELEMENTS (block_counts) + G_N_ELEMENTS (offsets);
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_order, measure, probes_of)

const EsOperation es_operation_lab_order = {
  .id = "lab-order",
  .title = N_("Order and contiguity of accesses"),
  .short_title = N_("Order and contiguity"),
  .summary = N_("Whether the lanes of a warp, or of a vector, have to ask in order, for neighbours, and from a "
                "boundary on."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_ORDER, .space = ESK_SPACE_GLOBAL, .variant = 3, .bytes = 1 << 20,
                                  .threads = 32, .blocks = 1 };

const EsExperiment es_experiment_order = {
  .operation = &es_operation_lab_order,
  .group = ES_EXPERIMENTS_MEMORY,
  .question = N_("Do the lanes of a warp have to ask in order, and for neighbours?"),
  .how = N_("Memory is seen as rows of 32 words. A warp follows one cycle through the rows three times: each lane "
            "its own column, in order; the lanes shuffled within each row; and each lane in its column, but every "
            "lane in another row. The footprint and the length of the cycle are the same, so that nothing but the "
            "pattern differs. A fourth one begins its rows some bytes late. On a processor a vector that is gathered "
            "takes the place of the warp, its length that of the row, and caches that of the memories."),
  .predict = N_("Which will cost more: lanes that are shuffled within a row, or lanes in 32 different rows? How many "
                "times?"),
  .cpu_question = N_("Do the lanes of a vector have to be gathered in order, and from neighbours?"),
  .cpu_predict = N_("Which will cost more: a vector gathered from shuffled places of a row, or from as many rows? From "
                    "which size of the memory on?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&patterns, &by_blocks, &by_offset, &es_lab_order_by_footprint),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
