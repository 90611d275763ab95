/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many bytes a second go to and from a card by the size of a copy, and formulas for it: gpu-lab.md, section 13;
 * system 13. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-selection-model-internal.h"
#include "lab/es-shown-unit.h"

static const EsParamSpec params[] = {
  { .key = "largest", .label = N_("Largest size"),
    .help = N_("The largest copy."),
    .type = ES_PARAM_FLOAT, .unit = "MiB", .minimum = 4, .maximum = 4096, .default_value = 256, .step = 1 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

#define GIGABYTE 1073741824.0   /* of the published formulas */
/* What the pieces are asked to meet. */
#define MOST_ERROR 0.05
#define N_WAYS 3

static const EskLabMemory memories[] = { ESK_MEMORY_PAGEABLE, ESK_MEMORY_REGISTERED, ESK_MEMORY_PINNED };

/* What moves instead of being copied: by pages, in doublings. */
static const EskLabMemory moving[] = { ESK_MEMORY_MANAGED, ESK_MEMORY_MANAGED_AHEAD };
#define LEAST_MOVED ((guint64) 4096)
/* Each has many moves, and what is larger takes as long a byte. */
#define TURNS_REPEATS 3
#define MOST_TURNED ((guint64) 16 << 20)

static const char *const titles[N_WAYS] = { N_("To the card"), N_("From the card"), N_("Both at once") };

static const EsFindingsGroup groups[N_WAYS] = {
  { "to", N_("To the card, by size"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE },
  { "from", N_("From the card, by size"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE },
  { "both", N_("Both at once, by size"), N_("Size"), "B", N_("Bandwidth, of both together"), "B/s", TRUE },
};

static EsTable *
make_table (void)
{
  EsTable *table = es_table_new ("fit", _("Formulas: gigabytes (2^30) a second by S bytes"));

  es_table_add_column (table, _("Curve"), NULL, -1);
  es_table_add_column (table, _("From"), "B", 0);
  es_table_add_column (table, _("To"), "B", 0);
  es_table_add_column (table, _("Family"), NULL, -1);
  es_table_add_column (table, _("Formula"), NULL, -1);
  es_table_add_column (table, _("Mean error"), "%", 2);
  es_table_add_column (table, _("Worst error"), "%", 2);
  return table;
}

static void
add_rows (EsTable *table, const char *title, const EsSegmentedFit *fit)
{
  for (guint i = 0; i < fit->n; i++)
    {
      const EsFitPiece *piece = &fit->pieces[i];
      g_autofree char *formula = es_fit_piece_formula (piece);
      const double mean = 100 * piece->mean_error, worst = 100 * piece->worst_error;

      es_table_add_row (table, (gconstpointer[]) { title, &piece->from, &piece->to, es_fit_family_name (piece->family),
                                                   formula, &mean, &worst });
    }
}

static void
judge_curve (EsExperimentRun *run, EsTable *table, guint way, const char *name)
{
  g_autofree double *x = NULL, *rates = NULL;
  const guint n = es_findings_get_series (run->findings, groups[way].name, name, &x, &rates);
  g_autofree char *title = g_strdup_printf (_("%s, %s"), g_dgettext (GETTEXT_PACKAGE, titles[way]),
                                            g_dgettext (GETTEXT_PACKAGE, name));
  g_autofree char *worst_at = NULL;
  EsSegmentedFit fit;

  for (guint i = 0; i < n; i++)
    rates[i] /= GIGABYTE;
  if (!es_segmented_fit (x, rates, n, &fit))
    return;
  add_rows (table, title, &fit);
  worst_at = es_shown_bytes (fit.worst_at);
  es_experiment_say (run, fit.mean_error < MOST_ERROR ? ES_VERDICT_YES : ES_VERDICT_NO,
                     /* xgettext:no-c-format */
                     _("Formulas that meet what was measured within 5 % on average may stand for it."),
                     g_dngettext (GETTEXT_PACKAGE, "%s: %u formula, wrong by %.1f %% on average and by %.1f %% at "
                                  "worst (%s).", "%s: %u formulas, wrong by %.1f %% on average and by %.1f %% at "
                                  "worst (%s).", fit.n),
                     title, fit.n, 100 * fit.mean_error, 100 * fit.worst_error, worst_at);
  es_verdict_add_number (run->verdict, _("Largest size"), rates[n - 1] * GIGABYTE, "B/s");
  es_verdict_add_number (run->verdict, _("Mean error"), 100 * fit.mean_error, "%");
  es_verdict_add_number (run->verdict, _("Worst error"), 100 * fit.worst_error, "%");
}

static double
last_of (EsExperimentRun *run, guint way, EskLabMemory memory)
{
  g_autofree double *x = NULL, *rates = NULL;
  const guint n = es_findings_get_series (run->findings, groups[way].name, es_lab_memory_name (memory), &x, &rates);

  return n > 0 ? rates[n - 1] : NAN;
}

/* The size from which on half of what the largest one reaches is reached, and that; NAN: it was not measured. */
static double
find_half (EsExperimentRun *run, guint way, EskLabMemory memory, double *rate)
{
  g_autofree double *x = NULL, *rates = NULL;
  const guint n = es_findings_get_series (run->findings, groups[way].name, es_lab_memory_name (memory), &x, &rates);
  guint at = n;

  *rate = n > 0 ? rates[n - 1] : NAN;
  while (at > 0 && rates[at - 1] >= 0.5 * *rate)
    at--;
  return at < n ? x[at] : NAN;
}

static void
tell_rates (EsExperimentRun *run, guint way)
{
  double locked, pageable;
  const double locked_from = find_half (run, way, ESK_MEMORY_PINNED, &locked);
  const double pageable_from = find_half (run, way, ESK_MEMORY_PAGEABLE, &pageable);
  const char *title = g_dgettext (GETTEXT_PACKAGE, titles[way]);

  if (isnan (locked_from) || isnan (pageable_from))
    return;
  g_autofree char *one = es_shown_bytes (locked_from), *other = es_shown_bytes (pageable_from);
  es_experiment_say (run, ES_VERDICT_TELLS, _("The full bandwidth is that of the largest size; half of it is reached "
                                              "where no larger size is below half."),
                     _("%s: %.1f GB/s from page-locked memory, half of it from %s on; %.1f GB/s from pageable memory, "
                       "half of it from %s on."), title, locked * 1e-9, one, pageable * 1e-9, other);
  es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, es_lab_memory_name (ESK_MEMORY_PINNED)), locked,
                         "B/s");
  es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, es_lab_memory_name (ESK_MEMORY_PAGEABLE)), pageable,
                         "B/s");
}

static void
judge_ways (EsExperimentRun *run)
{
  const double to = last_of (run, 0, ESK_MEMORY_PINNED), from = last_of (run, 1, ESK_MEMORY_PINNED);
  const double both = last_of (run, 2, ESK_MEMORY_PINNED), pageable = last_of (run, 0, ESK_MEMORY_PAGEABLE);

  if (both > 0 && to > 0 && from > 0)
    {
      es_experiment_say (run, both > 1.5 * MAX (to, from) ? ES_VERDICT_YES : ES_VERDICT_NO,
                         _("More than one and a half times as much both ways at once as one way: the link works both "
                           "ways."), _("Both ways at once bring %.2f times as much as the better one alone."),
                         both / MAX (to, from));
      es_verdict_add_number (run->verdict, _("To the card"), to, "B/s");
      es_verdict_add_number (run->verdict, _("From the card"), from, "B/s");
      es_verdict_add_number (run->verdict, _("Both at once"), both, "B/s");
    }
  if (to > 0 && pageable > 0)
    es_experiment_mean (run, _("A cube goes to the card from two page-locked buffers that files are read into: %.1f "
                               "GB/s, where pageable memory would give %.1f GB/s."), to * 1e-9, pageable * 1e-9);
}

static const EsFindingsGroup turns = {
  "turns", N_("To and fro, by size"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE,
};

/* way 2: to and fro. */
static gboolean
measure_moving (EsExperimentRun *run, guint way, guint64 most, GError **error)
{
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 bytes = LEAST_MOVED; bytes <= most; bytes *= 2)
    g_array_append_val (sizes, bytes);
  for (guint m = 0; m < G_N_ELEMENTS (moving); m++)
    {
      const EskProbe once = { .kind = ESK_PROBE_LINK, .memory = moving[m], .variant = way };
      const EskProbe to_and_fro = { .kind = ESK_PROBE_PLAN, .memory = moving[m], .ways = ES_SELECTION_TURNS,
                                    .threads = ES_SELECTION_TURNS, .repeats = TURNS_REPEATS };

      if (!es_experiment_sweep_rate (run, way < 2 ? &once : &to_and_fro, es_lab_memory_name (moving[m]),
                                     way < 2 ? 1 : 2 * ES_SELECTION_TURNS, (guint64 *) sizes->data, sizes->len, error))
        return FALSE;
    }
  return TRUE;
}

static void
tell_moving (EsExperimentRun *run)
{
  const double to = last_of (run, 0, ESK_MEMORY_MANAGED), from = last_of (run, 1, ESK_MEMORY_MANAGED);
  const double to_ahead = last_of (run, 0, ESK_MEMORY_MANAGED_AHEAD);
  const double from_ahead = last_of (run, 1, ESK_MEMORY_MANAGED_AHEAD);
  const char *rule = _("The largest size that moved, until a kernel has read all of it, and until the processor has "
                       "touched every page.");

  if (!(to > 0) || !(from > 0))
    return;
  if (to_ahead > 0 && from_ahead > 0)
    es_experiment_say (run, ES_VERDICT_TELLS, rule,
                       _("Managed memory moves to the card at %.1f GB/s when it is touched and at %.1f GB/s when it "
                         "was asked for beforehand; back at %.1f and %.1f GB/s."), to * 1e-9, to_ahead * 1e-9,
                       from * 1e-9, from_ahead * 1e-9);
  else
    es_experiment_say (run, ES_VERDICT_TELLS, rule,
                       _("Managed memory moves to the card at %.1f GB/s and back at %.1f GB/s; it cannot be asked for "
                         "beforehand."), to * 1e-9, from * 1e-9);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint64 most = (guint64) (es_params_get_float (run->params, "largest") * 1048576), one = 1;
  g_autoptr (GArray) sizes = es_experiment_footprints (2, most);
  EsTable *table = make_table ();

  g_array_prepend_val (sizes, one);
  for (guint way = 0; way < N_WAYS; way++)
    {
      es_findings_open (run->findings, &groups[way]);
      for (guint m = 0; m < G_N_ELEMENTS (memories); m++)
        if (!es_experiment_sweep_rate (run, &(EskProbe) { .kind = ESK_PROBE_LINK, .memory = memories[m],
                                                          .variant = way }, es_lab_memory_name (memories[m]),
                                       way == 2 ? 2 : 1, (guint64 *) sizes->data, sizes->len, error))
          {
            g_object_unref (table);
            return FALSE;
          }
      if (way < 2 && !measure_moving (run, way, most, error))
        {
          g_object_unref (table);
          return FALSE;
        }
    }
  es_findings_open (run->findings, &turns);
  if (!measure_moving (run, 2, MIN (most, MOST_TURNED), error))
    {
      g_object_unref (table);
      return FALSE;
    }
  for (guint way = 0; way < 2; way++)
    tell_rates (run, way);
  for (guint way = 0; way < N_WAYS; way++)
    for (guint m = 0; m < G_N_ELEMENTS (memories); m++)
      judge_curve (run, table, way, es_lab_memory_name (memories[m]));
  judge_ways (run);
  tell_moving (run);
  if (es_table_get_n_rows (table) > 0)
    es_result_add_layer (run->result, ES_LAYER (table));
  else
    g_object_unref (table);
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 9 * 56 + 4 * 17 + 2 * 13;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_link, measure, probes_of)

const EsOperation es_operation_lab_link = {
  .id = "lab-link",
  .title = N_("The link between host and card"),
  .short_title = N_("Link"),
  .summary = N_("How many bytes a second go to the card, from it and both ways at once by the size of a copy, from "
                "pageable, registered and page-locked memory; and formulas for it, piece by piece."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_LINK, .memory = ESK_MEMORY_PINNED, .bytes = 1 << 20 };

const EsExperiment es_experiment_link = {
  .operation = &es_operation_lab_link,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("How many bytes a second go to the card and back, by the size of a copy?"),
  .how = N_("Copies of 1 byte to hundreds of megabytes are made one at a time, from the call until their end. Then "
            "the curve is cut into pieces, each of a straight line, a logarithm, a polynomial or exp (a + b / S), "
            "such that relative errors and the number of coefficients together are least."),
  .predict = N_("From which size on is half of the full bandwidth reached? How much does page-locked memory bring?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&groups[0], &groups[1], &groups[2], &turns),
  .kinds = ES_EXPERIMENT_ON_GPU,
};
