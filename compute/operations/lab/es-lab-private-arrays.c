/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Up to which size a thread keeps an array of its own in registers: gpu-lab.md, section 8; system 8. Nothing is timed:
 * the compiler decided it, and the driver tells. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"

static const EsParamSpec params[] = {
  ES_LAB_PARAM_REPEATS,
  { .type = ES_PARAM_END }
};

/* Every size that may be compiled is asked for. */
#define MOST_ELEMENTS 512

static const char *const kernels[] = { N_("Vector addition"), N_("Product of matrices"), N_("Sorting") };

static const EsFindingsGroup largest = {
  "largest", N_("Largest array in registers"), NULL, NULL, N_("Elements, of matrices a side"), "1", FALSE,
};
static const EsFindingsGroup local = {
  "local", N_("Local memory by size of the array"), N_("Elements, of matrices a side"), "1", N_("Local memory"), "B",
  FALSE,
};

/* The largest of those compiled up to which every one is in registers; *next: the first that is not, 0: none. */
static guint
threshold (EsExperimentRun *run, const char *name, guint *next)
{
  g_autofree double *x = NULL, *bytes = NULL;
  const guint n = es_findings_get_series (run->findings, "local", name, &x, &bytes);
  guint found = 0;

  *next = 0;
  for (guint i = 0; i < n; i++)
    {
      if (bytes[i] > 0)
        {
          *next = (guint) x[i];
          break;
        }
      found = (guint) x[i];
    }
  return found;
}

static void
judge (EsExperimentRun *run, guint kernel, gboolean *any)
{
  g_autofree double *x = NULL, *bytes = NULL;
  const char *name = kernels[kernel], *title = g_dgettext (GETTEXT_PACKAGE, name);
  guint next;
  const guint found = threshold (run, name, &next);

  if (es_findings_get_series (run->findings, "local", name, &x, &bytes) == 0)
    return;
  *any = TRUE;
  es_findings_add (run->findings, name, NAN, &(EsMeasured) { found, found, found, 0, 1, 0, -1 }, 1);
  if (next == 0)
    es_experiment_say (run, ES_VERDICT_YES, NULL, _("%s: in registers at every size that was compiled, up to %u."),
                       title, found);
  else if (found == 0)
    es_experiment_say (run, ES_VERDICT_NO, NULL, _("%s: in local memory from %u on."), title, next);
  else
    es_experiment_say (run, ES_VERDICT_TELLS, NULL, _("%s: in registers up to %u, in local memory from %u on."), title,
                       found, next);
  if (next > 0)
    es_verdict_add_number (run->verdict, _("Local memory then"), es_findings_get (run->findings, "local", name, next),
                           "B");
}

static gboolean
measure (EsExperimentRun *run, GError **error)
{
  gboolean has, any = FALSE;

  es_findings_open (run->findings, &local);
  for (guint kernel = 0; kernel < G_N_ELEMENTS (kernels); kernel++)
    for (guint elements = 1; elements <= MOST_ELEMENTS; elements++)
      {
        const EskProbe probe = { .kind = ESK_PROBE_PRIVATE_ARRAY, .variant = kernel, .ways = elements };

        if (!es_experiment_probe (run, &probe, kernels[kernel], elements, 1, NULL, &has, error))
          return FALSE;
      }
  es_findings_open (run->findings, &largest);
  for (guint kernel = 0; kernel < G_N_ELEMENTS (kernels); kernel++)
    judge (run, kernel, &any);
  if (any)
    es_experiment_mean (run, _("What a thread keeps of its own is indexed by what is known when a kernel is compiled: "
                               "bands and rows are taken in steps of a fixed size, so that sums stay in registers."));
  return TRUE;
}

static guint
probes_of (gboolean is_cpu, EsParams *values)
{
  return 60;
}

ES_LAB_DEFINE_OPERATION (es_operation_lab_private_arrays, measure, probes_of)

const EsOperation es_operation_lab_private_arrays = {
  .id = "lab-private",
  .title = N_("Arrays of a thread: registers or memory"),
  .short_title = N_("Arrays of a thread"),
  .summary = N_("Up to which size the compiler keeps an array of a thread in registers, for three kinds of loops."),
  .version = 1,
  .takes = ES_DATASET_DEVICE,
  .params = params,
  .plan = plan,
  .run = run,
};

static const EskProbe example = { .kind = ESK_PROBE_PRIVATE_ARRAY, .ways = 16 };

const EsExperiment es_experiment_private_arrays = {
  .operation = &es_operation_lab_private_arrays,
  .group = ES_EXPERIMENTS_ARITHMETIC,
  .question = N_("Up to which size does an array of a thread stay in registers?"),
  .how = N_("Three kernels with an array of each thread (vector addition, a product of small matrices, sorting) are "
            "compiled with many sizes. The driver tells of each how much local memory a thread of it has: nothing "
            "means that all of the array is in registers."),
  .predict = N_("An array is added up, is a small matrix that is multiplied, or is sorted: which use leaves the "
                "registers first?"),
  .example = &example,
  .in_profile = TRUE,
  .groups = ES_LAB_GROUPS (&largest, &local),
  .kinds = ES_EXPERIMENT_ON_GPU,
};
