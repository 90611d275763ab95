/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What rungs are held against: how fast memory is read, and what the units do, measured in the same run. */

#include <math.h>

#include "base/es-error.h"
#include "es-lab-ladder-private.h"

#define LEAST_BYTES ((guint64) 256 << 20)
#define LEAST_OF_CPU ((guint64) 64 << 20)
#define MOST_BYTES ((guint64) 1 << 30)
#define REPEATS 5

/* NAN: the machine has no such thing, or no memory for it. */
static gboolean
measure (EsProbing *probing, const EskProbe *asked, double *rate, GError **error)
{
  g_autoptr (GError) own = NULL;
  EskProbe probe = *asked;
  EsMeasured measured;

  *rate = NAN;
  probe.repeats = REPEATS;
  if (!es_probing_has (probing, &probe))
    return TRUE;
  if (es_probing_measure (probing, &probe, &measured, NULL, &own))
    {
      *rate = measured.median > 0 ? measured.median : NAN;
      return TRUE;
    }
  if (!g_error_matches (own, G_IO_ERROR, G_IO_ERROR_CANCELLED)
      && (es_probing_was_unsupported (probing) || g_error_matches (own, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&own));
  return FALSE;
}

static guint64
beyond_caches (const EskLabMachine *facts, gboolean is_cpu)
{
  guint64 most = CLAMP (4 * MAX (facts->l2, facts->l3), is_cpu ? LEAST_OF_CPU : LEAST_BYTES, MOST_BYTES);

  while (facts->memory > 0 && most > facts->memory / 4)
    most /= 2;
  return most;
}

static gboolean
measure_memory (EsProbing *probing, EsLadderClimb *climb, guint threads, GError **error)
{
  const EskLabMachine *facts = es_probing_get_facts (probing);
  const guint64 cache = MAX (facts->l2, facts->l3);
  EskProbe probe = { .kind = ESK_PROBE_READ, .threads = threads,
                     .bytes = beyond_caches (facts, g_str_equal (climb->backend, "cpu")) };

  if (!measure (probing, &probe, &climb->memory, error))
    return FALSE;
  if (cache == 0)
    return TRUE;
  climb->cache_bytes = (double) cache;
  probe.bytes = cache / 4;
  return measure (probing, &probe, &climb->cache, error);
}

static gboolean
measure_arithmetic (EsProbing *probing, EsLadderClimb *climb, double share, GError **error)
{
  static const EskLabType types[] = { ESK_TYPE_LAB_INT32, ESK_TYPE_LAB_FLOAT32, ESK_TYPE_LAB_FLOAT64 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      const EskProbe probe = { .kind = ESK_PROBE_THROUGHPUT, .type = types[i],
                               .operation = ESK_OPERATION_MULTIPLY_ADD };
      double rate;

      if (!measure (probing, &probe, &rate, error))
        return FALSE;
      if (!isnan (rate))
        es_ladder_climb_add_roof (climb, es_ladder_type_name (types[i]), FALSE, share * rate);
    }
  return TRUE;
}

/* By warps or by groups of them, whichever is more. */
static gboolean
measure_products (EsProbing *probing, EsLadderClimb *climb, double share, GError **error)
{
  static const EskLabType types[] = { ESK_TYPE_LAB_INT8, ESK_TYPE_LAB_FLOAT16, ESK_TYPE_LAB_BFLOAT16,
                                      ESK_TYPE_LAB_TF32, ESK_TYPE_LAB_FLOAT64 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      double best = NAN;

      for (guint variant = 0; variant < 2; variant++)
        {
          const EskProbe probe = { .kind = ESK_PROBE_MATRIX, .type = types[i], .variant = variant };
          double rate;

          if (!measure (probing, &probe, &rate, error))
            return FALSE;
          best = fmax (best, rate);
        }
      if (!isnan (best))
        es_ladder_climb_add_roof (climb, es_ladder_type_name (types[i]), TRUE, share * best);
    }
  return TRUE;
}

gboolean
es_lab_ladder_measure_roofs (EsProbing *probing, EsLadderClimb *climb, guint threads, GError **error)
{
  const guint all = es_probing_get_facts (probing)->threads;
  /* Rates of arithmetic are asked of all threads. */
  const double share = threads > 0 && all > 0 ? MIN ((double) threads / all, 1) : 1;

  return measure_memory (probing, climb, threads, error) && measure_arithmetic (probing, climb, share, error)
         && measure_products (probing, climb, share, error);
}
