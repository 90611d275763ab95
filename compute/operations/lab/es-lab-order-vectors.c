/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Order and contiguity on a processor: gpu-lab.md, section 6, with the lanes of a vector for those of a warp. */

#include "es-lab-order-private.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-order.h"
#include "lab/es-lab-rules-internal.h"
#include "lab/es-machine-internal.h"

#define LINE_BYTES 64

static const guint64 footprints[] = {
  (guint64) 16 << 10, (guint64) 64 << 10, (guint64) 256 << 10, (guint64) 1 << 20, (guint64) 4 << 20,
  (guint64) 16 << 20, (guint64) 64 << 20,
};

G_STATIC_ASSERT (ES_LAB_ORDER_VECTOR_PROBES >= 3 * G_N_ELEMENTS (footprints));

const EsFindingsGroup es_lab_order_by_footprint = {
  "footprint", N_("Latency by pattern and footprint, one vector"), N_("Footprint"), "B", N_("Latency"), "clocks", TRUE,
};

/* Of each footprint how many times as long a pattern takes as the lanes in order; 0: it was not measured. */
static guint
get_ratios (EsExperimentRun *run, guint pattern, double x[G_N_ELEMENTS (footprints)],
            double ratios[G_N_ELEMENTS (footprints)])
{
  const char *group = es_lab_order_by_footprint.name;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (footprints); i++)
    {
      const double bytes = (double) footprints[i];
      const double ordered = es_findings_get (run->findings, group, es_lab_order_patterns[0], bytes);
      const double other = es_findings_get (run->findings, group, es_lab_order_patterns[pattern], bytes);

      if (!(ordered > 0) || !(other > 0))
        continue;
      x[n] = bytes;
      ratios[n++] = other / ordered;
    }
  return n;
}

/* A cache line is a cache line, in whatever cache it is: one footprint that was disturbed decides nothing. */
static void
judge_order (EsExperimentRun *run)
{
  double x[G_N_ELEMENTS (footprints)], ratios[G_N_ELEMENTS (footprints)], sorted[G_N_ELEMENTS (footprints)];
  const guint n = get_ratios (run, 1, x, ratios);

  if (n == 0)
    return;
  memcpy (sorted, ratios, n * sizeof *ratios);
  qsort (sorted, n, sizeof *sorted, es_compare_doubles);
  const double median = sorted[n / 2];
  const gboolean matters = es_rule_is_slower (1, median);
  es_experiment_say (run, matters ? ES_VERDICT_NO : ES_VERDICT_YES,
                     _("Lanes shuffled within their row no more than a tenth slower than in order, in the median of "
                       "the footprints: their order is irrelevant."),
                     matters ? _("The order of a vector’s lanes matters: %.2f times as long.")
                             : _("The order of a vector’s lanes is irrelevant: %.2f times as long."), median);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *size = g_format_size_full ((guint64) x[i], G_FORMAT_SIZE_IEC_UNITS);

      es_verdict_add_number (run->verdict, size, ratios[i], NULL);
    }
}

static void
judge_contiguity (EsExperimentRun *run)
{
  double x[G_N_ELEMENTS (footprints)], ratios[G_N_ELEMENTS (footprints)];
  const guint n = get_ratios (run, 2, x, ratios);
  g_autofree char *last = NULL;
  EskLabMachine facts;
  guint from = n;

  /* From where on it is slower for good. */
  while (from > 0 && es_rule_is_slower (1, ratios[from - 1]))
    from--;
  if (n == 0)
    return;
  last = g_format_size_full ((guint64) x[n - 1], G_FORMAT_SIZE_IEC_UNITS);
  if (from < n)
    {
      g_autofree char *first = g_format_size_full ((guint64) x[from], G_FORMAT_SIZE_IEC_UNITS);

      es_experiment_say (run, ES_VERDICT_NO,
                         _("Rows apart more than a tenth slower than one row: what a vector reads has to be "
                           "contiguous."),
                         _("What is not contiguous takes longer from %s on: %.1f times as long in %s."), first,
                         ratios[n - 1], last);
    }
  else
    es_experiment_say (run, ES_VERDICT_YES,
                       _("Rows apart no more than a tenth slower than one row: what a vector reads may lie anywhere."),
                       _("Contiguity is irrelevant here: %.2f times as long in %s."), ratios[n - 1], last);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *size = g_format_size_full ((guint64) x[i], G_FORMAT_SIZE_IEC_UNITS);

      es_verdict_add_number (run->verdict, size, ratios[i], NULL);
    }
  es_machine_get_facts (run->machine, &facts);
  if (facts.warp > 0)
    {
      es_verdict_add_number (run->verdict, _("Cache lines of one row"), MAX (facts.warp * 4 / LINE_BYTES, 1), NULL);
      es_verdict_add_number (run->verdict, _("Cache lines of rows apart"), facts.warp, NULL);
    }
  es_experiment_mean (run, _("Loops over pixels run along a band, of which neighbours lie in one cache line; the same "
                             "gathered across planes would take %.1f times as long in a cube of %s or more."),
                      ratios[n - 1], last);
}

gboolean
es_lab_order_measure_vectors (EsExperimentRun *run, GError **error)
{
  es_findings_open (run->findings, &es_lab_order_by_footprint);
  for (guint p = 0; p < 3; p++)
    if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_ORDER, .space = ESK_SPACE_GLOBAL, .variant = p + 1,
                                                 .threads = 1, .blocks = 1 }, es_lab_order_patterns[p], ES_SWEEP_BYTES,
                              footprints, G_N_ELEMENTS (footprints), error))
      return FALSE;
  judge_order (run);
  judge_contiguity (run);
  return es_lab_order_measure_offsets (run, LINE_BYTES, error);
}
