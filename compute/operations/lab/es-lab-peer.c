/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many bytes a second go from a card to another one. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  { .key = "largest", .label = N_("Largest size"),
    .help = N_("The largest copy."),
    .type = ES_PARAM_FLOAT, .unit = "MiB", .minimum = 4, .maximum = 4096, .default_value = 256, .step = 1 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

#define LEAST_BYTES 4096
#define MOST_CARDS 16

static const EsFindingsGroup rate = {
  "rate", N_("Bandwidth to another card"), N_("Size"), "B", N_("Bandwidth"), "B/s", TRUE,
};

static void
judge (EsExperimentRun *run, guint card, const char *driver, const char *peers)
{
  g_autofree double *x = NULL, *plain = NULL, *x_peers = NULL, *direct = NULL;
  const guint n = es_findings_get_series (run->findings, "rate", driver, &x, &plain);
  const guint n_peers = es_findings_get_series (run->findings, "rate", peers, &x_peers, &direct);

  if (n > 0 && n_peers > 0)
    {
      es_experiment_say (run, es_rule_is_slower (plain[n - 1], direct[n_peers - 1]) ? ES_VERDICT_YES : ES_VERDICT_NO,
                         _("As peers more than a tenth faster than as the driver does it: peer access is worth asking "
                           "for."), _("To cuda:%u: %.1f GB/s as the driver does it, %.1f GB/s as peers."), card,
                         plain[n - 1] * 1e-9, direct[n_peers - 1] * 1e-9);
      es_verdict_add_number (run->verdict, _("As the driver does it"), plain[n - 1], "B/s");
      es_verdict_add_number (run->verdict, _("As peers"), direct[n_peers - 1], "B/s");
    }
  else if (n > 0)
    es_experiment_say (run, ES_VERDICT_NO, NULL, _("To cuda:%u: %.1f GB/s; the two cannot be peers."), card,
                       plain[n - 1] * 1e-9);
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint64 most = (guint64) (es_params_get_float (run->params, "largest") * 1048576);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 bytes = LEAST_BYTES; bytes <= most; bytes *= 4)
    g_array_append_val (sizes, bytes);
  es_findings_open (run->findings, &rate);
  for (guint card = 0; card < MOST_CARDS; card++)
    {
      g_autofree char *driver = g_strdup_printf ("cuda:%u driver", card);
      g_autofree char *peers = g_strdup_printf ("cuda:%u peers", card);

      for (guint v = 0; v < 2; v++)
        if (!es_experiment_sweep_rate (run, &(EskProbe) { .kind = ESK_PROBE_PEER, .ways = card, .variant = v },
                                       v == 0 ? driver : peers, 1, (guint64 *) sizes->data, sizes->len, error))
          return FALSE;
      judge (run, card, driver, peers);
    }
  if (es_findings_get_n (run->findings) > 0)
    es_experiment_mean (run, _("All cards share the rows of a pass, and only sums of some hundred kilobytes are "
                               "brought together, over the host: the link between cards hardly matters to it."));
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 18;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_peer, measure, probes_of)

const EsOperation es_operation_lab_peer = {
  .id = "lab-peer",
  .title = N_("From card to card"),
  .short_title = N_("Card to card"),
  .summary = N_("How many bytes a second go to another card, as the driver does it and as peers."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_PEER, .bytes = 1 << 20, .ways = 1 };

const EsExperiment es_experiment_peer = {
  .operation = &es_operation_lab_peer,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("How quickly do two cards exchange data?"),
  .how = N_("Copies of growing size are made to every other card: as the driver does it, which may go through the "
            "host, and as peers, one reading the memory of the other."),
  .predict = N_("Will peers be faster than the link to the host?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&rate),
  .kinds = ES_EXPERIMENT_ON_GPU,
};
