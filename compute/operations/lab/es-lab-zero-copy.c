/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Whether data that are read once are better left where they are: gpu-lab.md, section 15, (1); system 16. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "lab/es-lab-rules-internal.h"

static const EsParamSpec params[] = {
  { .key = "largest", .label = N_("Largest size"),
    .help = N_("Of both vectors together. 8 MiB is what was published."),
    .type = ES_PARAM_FLOAT, .unit = "MiB", .minimum = 0.125, .maximum = 1024, .default_value = 8, .step = 1,
    .digits = 3 },
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

static const char *const variants[] = {
  N_("Copied from pageable memory"), N_("Copied from page-locked memory"), N_("Read in place"),
};

static const EsFindingsGroup dot = {
  "dot", N_("Dot product by size"), N_("Size of both vectors"), "B", N_("Transfer and computing"), "s", TRUE,
};

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  const guint64 most = (guint64) (es_params_get_float (run->params, "largest") * 1048576);
  g_autoptr (GArray) sizes = g_array_new (FALSE, FALSE, sizeof (guint64));
  double seconds[G_N_ELEMENTS (variants)];

  for (guint64 bytes = (guint64) 1 << 16; bytes < most; bytes *= 2)
    g_array_append_val (sizes, bytes);
  g_array_append_val (sizes, most);
  es_findings_open (run->findings, &dot);
  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    {
      if (!es_experiment_sweep (run, &(EskProbe) { .kind = ESK_PROBE_DOT, .variant = v }, variants[v], ES_SWEEP_BYTES,
                                (guint64 *) sizes->data, sizes->len, error))
        return FALSE;
      seconds[v] = es_findings_get (run->findings, "dot", variants[v], (double) most);
    }
  if (isnan (seconds[2]) || isnan (seconds[1]))
    {
      if (!isnan (seconds[0]))
        es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("The dot product takes %.3f ms, %.1f GB/s."),
                           seconds[0] * 1e3, (double) most / seconds[0] * 1e-9);
      return TRUE;
    }
  es_experiment_say (run, seconds[2] < seconds[1] ? ES_VERDICT_YES : ES_VERDICT_NO,
                     _("Reading in place is quicker than copying from page-locked memory and computing: for data that "
                       "are read once it is of use."),
                     _("Read in place it takes %.3f ms, copied %.3f ms; in place the link gives %.1f GB/s."),
                     seconds[2] * 1e3, seconds[1] * 1e3, (double) most / seconds[2] * 1e-9);
  for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
    if (!isnan (seconds[v]))
      es_verdict_add_number (run->verdict, g_dgettext (GETTEXT_PACKAGE, variants[v]), seconds[v], "s");
  es_experiment_mean (run, _("A cube is read once by each pass, and passes are several: it is copied to the card, in "
                             "tiles that overlap with the work, and stays there where there is room."));
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return is_cpu ? 8 : 3 * 8;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_zero_copy, measure, probes_of)

const EsOperation es_operation_lab_zero_copy = {
  .id = "lab-zero-copy",
  .title = N_("Zero copy: a dot product"),
  .short_title = N_("Zero copy"),
  .summary = N_("Whether two vectors that are read once are better copied to the card or read by it where they are."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_DOT, .variant = 2, .bytes = 8 << 20 };

const EsExperiment es_experiment_zero_copy = {
  .operation = &es_operation_lab_zero_copy,
  .group = ES_EXPERIMENTS_LINK,
  .question = N_("Should data that are read once be copied at all?"),
  .how = N_("The product of two vectors in host memory is computed by the card: after copying them from pageable and "
            "from page-locked memory, and by a kernel that reads them over the link where they are. The result is "
            "checked against the host’s."),
  .predict = N_("Which will be quicker, and by how much? What bounds the quickest one?"),
  .cpu_question = N_("How long does a dot product take that reads its vectors once?"),
  .cpu_predict = N_("What bounds it, the additions or the memory? From which size on is it slower for each byte?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&dot),
  .kinds = ES_EXPERIMENT_ON_CPU | ES_EXPERIMENT_ON_GPU,
};
