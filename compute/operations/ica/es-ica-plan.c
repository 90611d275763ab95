/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ica-private.h"

/* A step does 4 m^2 multiplications and additions a sample, and m times g and g'; how many of the covariance's
 * multiplications and additions those are worth, and what share of the covariance's rate a step reaches: measured. */
#define CONTRAST_FLOPS 24
#define STEP_SHARE 0.5
#define MOMENTS_SHARE 0.8
/* The same of a GPU. There a step of few components takes as long as its samples take to be read, and longer where it
 * is of all rows; reading goes at so many bytes a second for each of the covariance's multiplications and additions. */
#define DEVICE_STEP_SHARE 2.0
#define DEVICE_MOMENTS_SHARE 5.0
/* Up to so many components a GPU makes the monomials where it sums them. */
#define DEVICE_FUSED_COMPONENTS 48
#define DEVICE_BYTES_A_FLOP 0.14
#define DEVICE_ROW_READS 1.2
#define DEVICE_ROWS_READS 1.7
/* What the host does in a step: sums that come from the card, and rows of m that become orthonormal, for m^3. */
#define STEP_SECONDS 2e-5
#define ROWS_SECONDS 1e-9
/* Tables of moments are read from memory once for all rows, or for each of them. */
#define SINGLE_CONTRACTION 2

static double
rate_of (EsDevice *device, const EsLimits *limits)
{
  const guint lanes = es_device_get_lanes (device);
  double rate = es_device_get_flops (device);

  if (es_device_is_cpu (device) && limits != NULL && limits->threads > 0)
    rate *= MIN (limits->threads, lanes) / (double) lanes;
  return rate;
}

/* Seconds that a GPU takes to read so many float32. */
static double
reading_seconds (EsDevice *device, double values)
{
  return values * sizeof (float) / (es_device_get_flops (device) * DEVICE_BYTES_A_FLOP);
}

static double
step_flops (double samples, guint m, gboolean cubic)
{
  return samples * m * (4.0 * m + (cubic ? 4 : CONTRAST_FLOPS));
}

static double
moments_flops (double samples, guint m)
{
  const double n = esk_n_monomials (m);

  return samples * n * (n + 1);
}

/* Seconds of the expected steps over all samples. A row at a time reads them as often as there are rows. */
static double
steps_seconds (EsDevice *device, const EsLimits *limits, double samples, guint m, gboolean symmetric, gboolean cubic)
{
  const double ideal = step_flops (samples, m, cubic) / rate_of (device, limits);
  const double host = symmetric ? STEP_SECONDS + ROWS_SECONDS * m * m * m : STEP_SECONDS * m;
  double seconds = ideal / STEP_SHARE;

  if (!es_device_is_cpu (device))
    seconds = MAX (ideal / DEVICE_STEP_SHARE,
                   (symmetric ? DEVICE_ROWS_READS : DEVICE_ROW_READS * m) * reading_seconds (device, samples * m));
  return ES_ICA_EXPECTED_STEPS * (seconds + host);
}

/* Of the pass's sums; a GPU writes and reads the monomials of many components. */
static double
moments_seconds (EsDevice *device, const EsLimits *limits, double samples, guint m)
{
  const double ideal = moments_flops (samples, m) / rate_of (device, limits);

  if (es_device_is_cpu (device))
    return ideal / MOMENTS_SHARE;
  if (m <= DEVICE_FUSED_COMPONENTS)
    return ideal / DEVICE_MOMENTS_SHARE + 4 * reading_seconds (device, samples * m);
  return ideal + 2 * reading_seconds (device, samples * esk_n_monomials (m));
}

/* The fourth moments, each once, contracted for every row in every step by one thread of the host in float64, which is
 * half as fast: two multiplications and additions for each of them. */
static double
contraction_seconds (guint m, gboolean symmetric)
{
  const double moments = m * (m + 1.0) * (m + 2.0) * (m + 3.0) / 24;
  EsDevice *cpu = es_device_get_cpu ();
  const double ideal = 4 * moments * m / (es_device_get_flops (cpu) / es_device_get_lanes (cpu) / 2);

  return ES_ICA_EXPECTED_STEPS * (symmetric ? ideal + ROWS_SECONDS * m * m * m : ideal * SINGLE_CONTRACTION);
}

gboolean
es_ica_prefers_moments (EsDevice *device, const EsLimits *limits, double samples, guint m, gboolean symmetric)
{
  return moments_seconds (device, limits, samples, m) + contraction_seconds (m, symmetric)
         < steps_seconds (device, limits, samples, m, symmetric, TRUE);
}

/* Every lane has sums of its own; the tables and what they are made from are two more. */
gboolean
es_ica_moments_fit (const EsLimits *limits, guint lanes, guint m)
{
  const double n = esk_n_monomials (m);

  return n < G_MAXINT32 && (lanes + 3.0) * n * n * sizeof (double) <= es_reduction_largest_stack (limits);
}

EsPlan
es_ica_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsCube *cube = ES_CUBE (dataset);
  const guint n = MAX (es_cube_get_n_good_bands (cube), 1);
  const double pixels = (double) es_cube_get_width (cube) * es_cube_get_height (cube);
  const double samples = pixels * es_params_get_float (params, "sample");
  const gint64 wanted = es_params_get_int (params, "components");
  const guint m = wanted > 0 ? MIN (wanted, n) : MIN (n, 27);        /* an estimate: see hyperspectral.md 1.1 */
  const gboolean symmetric = es_params_get_choice (params, "approach") == ES_ICA_SYMMETRIC;
  const gboolean cubic = es_ica_contrast (params).kind == ESK_CONTRAST_CUBIC;
  const gboolean jacobi = es_params_get_choice (params, "eigensolver") == 1;
  const gboolean on_cpu = es_device_is_cpu (device);
  const guint choice = es_params_get_choice (params, "moments");
  const gboolean by_moments = cubic && choice != ES_ICA_MOMENTS_NEVER
                              && es_ica_moments_fit (limits, es_device_get_lanes (device), m)
                              && (choice == ES_ICA_MOMENTS_ALWAYS
                                  || es_ica_prefers_moments (device, limits, samples, m, symmetric));
  EsReductionCost cost = { .passes = 3, .n = n, .m = m };

  if (es_params_get_choice (params, "quantise") == 1)
    cost.passes++;
  cost.flops = pixels * n * (n + 1.0) + 4 * pixels * n * m;
  cost.host_seconds = (jacobi ? 1.3e-8 : on_cpu ? 3e-10 : 3e-11) * n * n * n;
  if (by_moments)
    cost.host_seconds += moments_seconds (device, limits, samples, m) + contraction_seconds (m, symmetric);
  else
    {
      cost.host_seconds += steps_seconds (device, limits, samples, m, symmetric, cubic);
      cost.scratch = samples * m * sizeof (float);
      if (on_cpu && cost.scratch > es_reduction_largest_stack (limits))
        cost.scratch = 0;          /* in a file */
    }
  EsPlan plan = es_reduction_plan (cube, device, limits, &cost);
  /* The program cannot know how soon it converges; the limit it knows. */
  if (es_params_get_int (params, "iterations") > ES_ICA_EXPECTED_STEPS)
    plan.guessed = ES_ICA_EXPECTED_STEPS;
  plan.flops += by_moments ? moments_flops (samples, m) : ES_ICA_EXPECTED_STEPS * step_flops (samples, m, cubic);
  return plan;
}

char **
es_ica_list_planes (EsDataset *dataset, EsParams *params)
{
  return es_reduction_list_planes (ES_CUBE (dataset), es_params_get_int (params, "components"), es_ica_dup_title);
}
