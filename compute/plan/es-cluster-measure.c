/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * How fast this machine is at each kind of work: small analyses of made data, of two sizes at least for each kind, are
 * run by one thread, and their step tables held against what the same plan counts for them. Speeds are those by which
 * all these times are met best: the sum of (planned / measured - 1)² is made least over costs none of which is
 * negative, by going from one to the next (coordinate descent, which ends in the only minimum of such a sum).
 */

#include "es-cluster.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-cluster-made-private.h"
#include "es-cluster-work.h"
#include "job/es-job.h"
#include "operations/ica/es-ica-operations-internal.h"
#include "operations/reduction/es-reduction-operations-internal.h"
#include "operations/sonar/es-sonar-operations-internal.h"

#define REPEATS 3
#define BEHIND_CACHES ((gsize) 64 << 20)   /* bytes that no cache of a thread's keeps beside the samples */
#define SWEEPS 20000
#define SETTLED 1e-9
#define LEAST_COST 1e-15       /* seconds; what is less is nothing */
/* Steps that take less than this, in milliseconds, are not measured. */
#define LEAST_MS 0.02
#define AMOUNTS 3              /* operations, samples, values */
#define N_COSTS (ES_N_CLUSTER_KINDS * AMOUNTS)

/* What a step of a run did, an amount a cost, and the seconds that it took. */
typedef struct
{
  double amounts[N_COSTS];
  double seconds;
} Observation;

typedef struct
{
  const EsCluster *base;       /* nothing is known of it */
  guint8 *scratch;             /* BEHIND_CACHES */
  GArray *observations;        /* of Observation */
} Measuring;

/* What is run. type ESK_N_TYPES: the last data set again. */
static const struct
{
  EskType type;
  guint width, height, bands;  /* of a cube; channels, frames, 0: a recording */
  const EsOperation *operation;
  const char *parameters;
} trials[] = {
  { ESK_I16, 256, 160, 160, &es_operation_pca, "components=2" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_pca, "components=40" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_mnf, "noise=shift-difference keep=count components=10" },
  { ESK_I16, 64, 64, 400, &es_operation_pca, "components=2" },
  { ESK_I16, 1280, 480, 40, &es_operation_pca, "components=20" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_mnf, "noise=shift-difference keep=count components=5" },
  { ESK_U8, 256, 160, 160, &es_operation_pca, "components=2" },
  { ESK_U8, 1280, 640, 40, &es_operation_pca, "components=2" },
  { ESK_F32, 256, 128, 160, &es_operation_pca, "components=2" },
  /* Of pixels that cannot be missing: their components are turned in memory. */
  { ESK_N_TYPES, 0, 0, 0, &es_operation_fastica, "components=10 g=tanh iterations=5" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_fastica, "components=16 g=cubic moments=always iterations=3" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_mnf, "noise=shift-difference keep=count components=10" },
  { ESK_F32, 640, 400, 40, &es_operation_pca, "components=2" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_mnf, "noise=shift-difference keep=count components=5" },
  { ESK_I16, 24, 60000, 0, &es_operation_mvdr, "angles=0:179:1 snapshots=8 blocks=4 band=100:400 eigenvalues=no" },
  { ESK_I16, 64, 80000, 0, &es_operation_mvdr, "angles=0:179:1 snapshots=8 blocks=4 band=100:400 eigenvalues=no" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_mvdr, "angles=0:179:1 snapshots=8 blocks=10 band=100:300 eigenvalues=no" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_mvdr, "angles=0:179:4 snapshots=8 blocks=10 band=100:200 eigenvalues=yes" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_lofar, "" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_lofar, "transform=512" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_lofar, "bearing=60" },
  { ESK_N_TYPES, 0, 0, 0, &es_operation_demon, "" },
  { ESK_I16, 512, 24000, 0, &es_operation_mvdr, "angles=0:179:1 snapshots=8 blocks=2 band=100:300 eigenvalues=no" },
  { ESK_F32, 128, 32000, 0, &es_operation_cbf, "angles=0:179:1 band=200:450" },
};
#define RATE 8000.0

/* ---- what a run did ---- */

/* The least that a step took of some runs, and what else passed of it where others ran beside it. */
typedef struct
{
  const char *name;            /* static */
  double ms, beside_ms;
} Step;

static const Step *
find_step (GArray *steps, const char *name)
{
  for (guint i = 0; i < steps->len; i++)
    if (strcmp (g_array_index (steps, Step, i).name, name) == 0)
      return &g_array_index (steps, Step, i);
  return NULL;
}

static void
add_step (GArray *steps, const EsStageTime *stage)
{
  const gboolean busy = stage->work.busy_ms > 0;
  const Step new = { g_intern_string (stage->name), busy ? stage->work.busy_ms : stage->ms,
                     busy ? MAX (stage->ms - stage->work.busy_ms, 0) : 0 };
  Step *known = (Step *) find_step (steps, stage->name);

  if (known == NULL)
    {
      g_array_append_val (steps, new);
      return;
    }
  /* What is read first finds buffers that nobody has used, as a run of its own does. */
  known->ms = strcmp (stage->name, "input") == 0 ? known->ms : MIN (known->ms, new.ms);
  known->beside_ms = MIN (known->beside_ms, new.beside_ms);
}

static void
add_part (Observation *of, const EsClusterPart *part)
{
  double *amounts = &of->amounts[part->kind * AMOUNTS];

  amounts[0] += part->operations;
  amounts[1] += part->samples;
  amounts[2] += part->values;
}

static void
add_parts (Observation *of, const EsClusterStep *step)
{
  for (guint i = 0; i < ES_CLUSTER_PARTS; i++)
    add_part (of, &step->parts[i]);
}

static void
take (Measuring *self, const Observation *of)
{
  gboolean any = FALSE;

  for (guint i = AMOUNTS; i < N_COSTS; i++)
    any |= of->amounts[i] > 0;
  if (any && of->seconds > LEAST_MS * 1e-3)
    g_array_append_val (self->observations, *of);
}

/* A step whose name the run does not have is part of the one before; but what blocks of beams are added up by is what
 * of the beams' time neither they nor their matrices took. Lines are read while they are transformed. */
static void
observe_steps (Measuring *self, const EsClusterWork *work, GArray *steps)
{
  const Step *input = find_step (steps, "input"), *beams = find_step (steps, "beams");
  Observation reading = { .seconds = input != NULL ? 1e-3 * input->ms : 0 }, now = { 0 };

  for (guint i = 0; i < work->n; i++)
    {
      const EsClusterStep *step = &work->steps[i];
      const Step *found = find_step (steps, step->name);
      const EsClusterPart read = { ES_CLUSTER_READING, 0, step->looked, step->file_bytes };
      const gboolean adding = beams != NULL && strcmp (step->name, "adding") == 0;

      if (found != NULL || adding)
        {
          take (self, &now);
          now = (Observation) { .seconds = 1e-3 * (adding ? beams->beside_ms : found->ms) };
        }
      add_parts (&now, step);
      add_part (input != NULL ? &reading : &now, &read);
    }
  take (self, &now);
  take (self, &reading);
}

/* ---- runs ---- */

static guint
count_iterations (EsResult *result)
{
  JsonNode *node = json_object_get_member (es_result_get_values (result), "steps");
  JsonArray *steps = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  return steps != NULL && json_array_get_length (steps) > 0 ? (guint) json_array_get_double_element (steps, 0) : 0;
}

static gboolean
set_parameters (EsParams *params, const char *text, GError **error)
{
  g_auto (GStrv) pairs = g_strsplit (text, " ", -1);

  for (guint i = 0; pairs[i] != NULL && *pairs[i] != '\0'; i++)
    {
      g_auto (GStrv) pair = g_strsplit (pairs[i], "=", 2);

      if (!es_params_parse (params, pair[0], pair[1], error))
        return FALSE;
    }
  return TRUE;
}

/* The least of some runs for each step, as others want the processor as well. */
static gboolean
run_some (Measuring *self, const EsOperation *operation, EsDataset *dataset, EsParams *params, GArray *stages,
          guint *iterations, GError **error)
{
  const EsLimits limits = { .threads = 1 };

  for (guint i = 0; i < REPEATS; i++)
    {
      /* Samples of real data come from memory, and not from the last cache. */
      memset (self->scratch, (int) i, BEHIND_CACHES);
      g_autoptr (EsJob) job = es_job_new (operation, dataset, params, es_device_get_cpu (), &limits, NULL);
      g_autoptr (EsResult) result = es_job_run (job, error);
      const EsStageTime *found;
      guint n;

      if (result == NULL)
        return FALSE;
      found = es_result_get_stages (result, &n);
      for (guint k = 0; k < n; k++)
        add_step (stages, &found[k]);
      *iterations = count_iterations (result);
    }
  return TRUE;
}

static gboolean
try (Measuring *self, const EsOperation *operation, EsDataset *dataset, const char *parameters, GError **error)
{
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (Step));
  g_autoptr (EsClusterWork) work = NULL;
  guint iterations = 0;

  if (!set_parameters (params, parameters, error)
      || !run_some (self, operation, dataset, params, steps, &iterations, error))
    return FALSE;
  work = es_cluster_work_new (operation->id, dataset, params, self->base, iterations, error);
  if (work != NULL)
    observe_steps (self, work, steps);
  return work != NULL;
}

static gboolean
try_all (Measuring *self, GError **error)
{
  g_autoptr (EsDataset) dataset = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (trials); i++)
    {
      const guint size = (guint) esk_type_size (trials[i].type);
      const double samples = (double) trials[i].width * trials[i].height * MAX (trials[i].bands, 1);
      Observation writing = { .amounts[ES_CLUSTER_WRITING * AMOUNTS + 2] = size * samples };

      if (trials[i].type != ESK_N_TYPES)
        {
          g_clear_object (&dataset);
          dataset = trials[i].bands > 0
                    ? _es_cluster_make_cube (trials[i].type, trials[i].width, trials[i].height, trials[i].bands,
                                             &writing.seconds, error)
                    : _es_cluster_make_recording (trials[i].type, trials[i].width, trials[i].height, RATE,
                                                  &writing.seconds, error);
          if (dataset == NULL)
            return FALSE;
          take (self, &writing);
        }
      if (!try (self, trials[i].operation, dataset, trials[i].parameters, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- speeds ---- */

/* costs: seconds a unit of each amount, 0 where there is none. */
static void
solve (GArray *observations, double *costs)
{
  g_autofree double *rests = g_new (double, MAX (observations->len, 1));
  double change = 1;

  for (guint i = 0; i < observations->len; i++)
    rests[i] = -1;
  for (guint sweep = 0; sweep < SWEEPS && change > SETTLED; sweep++)
    {
      change = 0;
      for (guint c = AMOUNTS; c < N_COSTS; c++)
        {
          double slope = 0, square = 0, step;

          for (guint i = 0; i < observations->len; i++)
            {
              const Observation *of = &g_array_index (observations, Observation, i);
              const double share = of->amounts[c] / of->seconds;

              slope += share * rests[i];
              square += share * share;
            }
          if (square == 0)
            continue;
          step = MAX (costs[c] - slope / square, 0) - costs[c];
          if (step == 0)
            continue;
          costs[c] += step;
          change = MAX (change, fabs (step) / costs[c] * (costs[c] > 0));
          for (guint i = 0; i < observations->len; i++)
            rests[i] += step * g_array_index (observations, Observation, i).amounts[c]
                        / g_array_index (observations, Observation, i).seconds;
        }
    }
}

static double
speed_of (double cost)
{
  return cost > LEAST_COST ? 1 / cost : 0;
}

static gboolean
measure (EsClusterSpeed *speeds, GError **error)
{
  g_autoptr (EsCluster) base = es_cluster_new_here (1, 1);
  g_autoptr (GArray) observations = g_array_new (FALSE, TRUE, sizeof (Observation));
  g_autofree guint8 *scratch = g_malloc (BEHIND_CACHES);
  Measuring self = { base, scratch, observations };
  double costs[N_COSTS] = { 0 };

  if (!try_all (&self, error))
    return FALSE;
  solve (observations, costs);
  for (guint kind = 0; kind < ES_N_CLUSTER_KINDS; kind++)
    speeds[kind] = (EsClusterSpeed) { speed_of (costs[kind * AMOUNTS]), speed_of (costs[kind * AMOUNTS + 1]),
                                      speed_of (costs[kind * AMOUNTS + 2]) };
  return TRUE;
}

gboolean
es_cluster_measure_speeds (EsCluster *self, GError **error)
{
  static GMutex lock;
  static gboolean known;
  static EsClusterSpeed speeds[ES_N_CLUSTER_KINDS];
  g_autoptr (GError) why = NULL;
  EsClusterRates one = { 0 };

  g_mutex_lock (&lock);
  known = known || measure (speeds, &why);
  memcpy (one.speeds, speeds, sizeof one.speeds);
  g_mutex_unlock (&lock);
  if (why != NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("How fast this machine analyses could not be measured: %s"), why->message);
      return FALSE;
    }
  es_cluster_rates_multiply (&one, self->threads);
  memcpy (self->host.speeds, one.speeds, sizeof one.speeds);
  g_free (self->name);
  /* TRANSLATORS: the name of a cluster: the processor of this machine, and where its figures come from */
  self->name = g_strdup_printf (_("This machine: %s, speeds of its steps just measured"), self->processor);
  return TRUE;
}
