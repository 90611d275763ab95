/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Principal component analysis (hyperspectral.md 2.1 and 2.2).
 *
 * Pass 0  8-bit quantising: the range of every band; otherwise, for float: a first estimate of the mean from a few rows
 * Pass 1  covariance sums
 *         eigenproblem in float64, selection
 * Pass 2  projection
 *
 * Sums are taken over the values as stored; where bands have different scales the covariance is scaled afterwards,
 * in float64, and the scale is folded into the projection.
 */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-eigen.h"
#include "es-error.h"
#include "es-job-private.h"
#include "es-layer-private.h"
#include "es-operation-private.h"
#include "es-pca-private.h"
#include "es-result-private.h"

enum { STAGE_SUMS, STAGE_EIGEN, STAGE_SELECT };

/* How long the stages take, for the progress. */
#define WEIGHT_RANGES 0.2
#define WEIGHT_COVARIANCE 0.55
#define WEIGHT_EIGENPROBLEM 0.05
#define WEIGHT_TRANSFORM 0.2

static const EsParamChoice scaling_choices[] = {
  { "covariance", N_("Covariance") },
  { "correlation", N_("Correlation") },
  { NULL }
};
static const EsParamChoice quantise_choices[] = {
  { "none", N_("None") },
  { "8bit", N_("8 bit, each band 0 to 255") },
  { NULL }
};
static const EsParamChoice eigensolver_choices[] = {
  { "lapack", N_("LAPACK") },
  { "jacobi", N_("Jacobi rotations") },
  { NULL }
};

static const EsParamSpec pca_params[] = {
  { "scaling", N_("Scaling"),
    N_("Whether bands keep their variances (covariance) or count alike (correlation)."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0, scaling_choices, NULL, NULL, STAGE_EIGEN },
  { "center", N_("Remove the mean"),
    N_("Subtracts the mean spectrum before the projection; without it every component is shifted by a constant."), NULL,
    ES_PARAM_BOOL, ES_PARAM_GROUP_ALGORITHM, 0, 1, 1, 1, 0, NULL, NULL, NULL, STAGE_SELECT },
  { "quantise", N_("Quantise"),
    N_("Stretches each band from its minimum to its maximum over 0 to 255 first, as in the published programs."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0, quantise_choices, NULL, NULL, STAGE_SUMS },
  { "eigensolver", N_("Eigensolver"),
    N_("How the band by band eigenproblem is solved: LAPACK, or the published cyclic Jacobi rotations."), NULL,
    ES_PARAM_CHOICE, ES_PARAM_GROUP_ALGORITHM, 0, 1, 0, 1, 0, eigensolver_choices, NULL, NULL, STAGE_EIGEN },
  { "threshold", N_("Variance kept"),
    N_("The components kept are the fewest whose share of the total variance reaches this."), "%",
    ES_PARAM_FLOAT, ES_PARAM_GROUP_THRESHOLDS, 0.5, 1, 0.99, 0.001, 2, NULL, "components=0", NULL, STAGE_SELECT },
  { "components", N_("Components"),
    N_("How many components are kept; 0 leaves it to the variance kept."), NULL,
    ES_PARAM_INT, ES_PARAM_GROUP_THRESHOLDS, 0, 65535, 0, 1, 0, NULL, NULL, N_("By variance"), STAGE_SELECT },
  { .type = ES_PARAM_END }
};

/* What the first stages found: kept with the result, so that a moved threshold repeats only the projection. */
typedef struct
{
  gatomicrefcount  references;
  guint            n;                       /* bands used */
  guint32         *bands;
  double          *no_data, *minimum, *maximum;
  gint64           count;                   /* valid pixels */
  double          *mean, *covariance;       /* of the values summed */
  double          *scale;                   /* a band: what the values were multiplied by in the eigenproblem */
  double          *values, *vectors;        /* row k = eigenvector k */
  double           total;                   /* variance */
  guint            constant_bands;
  guint            sweeps;
  double           off_norm;
} PcaState;

static PcaState *
pca_state_ref (PcaState *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

static void
pca_state_unref (gpointer data)
{
  PcaState *self = data;

  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->bands);
  g_free (self->no_data);
  g_free (self->minimum);
  g_free (self->maximum);
  g_free (self->mean);
  g_free (self->covariance);
  g_free (self->scale);
  g_free (self->values);
  g_free (self->vectors);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PcaState, pca_state_unref)

static PcaState *
pca_state_new (EsCube *cube, const EsLimits *limits, GError **error)
{
  g_autoptr (PcaState) self = g_new0 (PcaState, 1);
  const gboolean *good = es_cube_get_good_bands (cube);
  guint all = es_cube_get_bands (cube);
  gsize n = es_cube_get_n_good_bands (cube), bytes;

  g_atomic_ref_count_init (&self->references);
  if (n < 2)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   g_dngettext (GETTEXT_PACKAGE,
                                "“%s” has %u good band of %u: a principal component analysis needs at least two.",
                                "“%s” has %u good bands of %u: a principal component analysis needs at least two.", n),
                   es_dataset_get_name (ES_DATASET (cube)), (guint) n, all);
      return NULL;
    }

  self->n = n;
  self->bands = g_new (guint32, n);
  self->no_data = g_new (double, n);
  self->mean = g_new0 (double, n);
  self->scale = g_new0 (double, n);
  self->values = g_new0 (double, n);
  /* Linux promises more than it has, and ends the process that believes it. */
  if (!g_size_checked_mul (&bytes, n * n, sizeof (double))
      || bytes > (limits->memory > 0 ? limits->memory : es_device_get_memory (es_device_get_cpu ())) / ES_PCA_MATRICES
      || (self->covariance = g_try_malloc0 (bytes)) == NULL || (self->vectors = g_try_malloc0 (bytes)) == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for a covariance matrix of %u bands."), (guint) n);
      return NULL;
    }

  for (guint band = 0, i = 0; band < all; band++)
    if (good[band])
      {
        self->bands[i] = band;
        if (!es_cube_get_no_data (cube, band, &self->no_data[i]))
          self->no_data[i] = NAN;
        i++;
      }
  return g_steal_pointer (&self);
}

static double *
copy_doubles (const double *values, gsize n)
{
  return g_memdup2 (values, n * sizeof (double));
}

/* The sums of another state, for another eigenproblem over them. */
static void
pca_state_take_sums (PcaState *self, PcaState *other)
{
  memcpy (self->mean, other->mean, self->n * sizeof (double));
  memcpy (self->covariance, other->covariance, (gsize) self->n * self->n * sizeof (double));
  self->minimum = copy_doubles (other->minimum, self->n);
  self->maximum = copy_doubles (other->maximum, self->n);
  self->count = other->count;
}

static EskSelection
pca_selection (PcaState *state)
{
  return (EskSelection) { state->bands, state->n, state->no_data, state->minimum, state->maximum };
}

/* ---- what every pass does with a tile first: which pixels count ---- */

typedef struct
{
  EsJob              *job;
  PcaState           *state;
  EskSelection        selection;
  const EskHotspots  *hotspots;
  EskCovariance      *total;               /* pass 1 */
  double             *sum;                 /* mean estimate */
  gint64              count;
  EskMatrix           basis;               /* pass 2 */
  const double       *mean;
  EsImageStack       *stack;
  gint64              write_us;
} PcaPass;

typedef struct
{
  PcaPass       *pass;
  guint8        *valid;
  gsize          n_valid, pixels;
  EskCovariance  sums;
  double        *minimum, *maximum, *sum;
  gint64         count;
  float         *projected;
  gint64         write_us;
} PcaLane;

static void
pca_lane_free (gpointer data)
{
  PcaLane *lane = data;

  g_free (lane->valid);
  esk_covariance_clear (&lane->sums);
  g_free (lane->minimum);
  g_free (lane->maximum);
  g_free (lane->sum);
  g_free (lane->projected);
  g_free (lane);
}

static gpointer
out_of_memory (EsJob *job, const char *what, GError **error)
{
  es_device_check (es_job_get_device (job), NULL, ESK_ERROR_MEMORY, what, error);
  return NULL;
}

static PcaLane *
pca_lane_new (const EsTiling *tiling, PcaPass *pass, GError **error)
{
  PcaLane *lane = g_new0 (PcaLane, 1);

  lane->pass = pass;
  lane->pixels = tiling->tile_width * tiling->tile_height;
  lane->valid = g_try_malloc (lane->pixels);
  if (lane->valid == NULL)
    {
      g_free (lane);
      return out_of_memory (pass->job, _("a tile"), error);
    }
  return lane;
}

static gboolean
find_valid (PcaLane *lane, EskStream *stream, const EskTile *tile, GError **error)
{
  PcaPass *pass = lane->pass;

  memset (lane->valid, 1, tile->width * tile->height);
  return es_device_check (es_job_get_device (pass->job), stream,
                          pass->hotspots->valid_pixels (stream, tile, &pass->selection, lane->valid, &lane->n_valid),
                          _("the valid pixels"), error);
}

/* ---- pass 0: ranges of the bands, or sums for a first estimate of the mean ---- */

static gpointer
ranges_lane_new (EskStream *stream, const EsTiling *tiling, gpointer data, GError **error)
{
  PcaPass *pass = data;
  PcaLane *lane = pca_lane_new (tiling, pass, error);

  if (lane == NULL)
    return NULL;
  lane->minimum = g_new (double, pass->state->n);
  lane->maximum = g_new (double, pass->state->n);
  for (guint i = 0; i < pass->state->n; i++)
    {
      lane->minimum[i] = INFINITY;
      lane->maximum[i] = -INFINITY;
    }
  return lane;
}

static gboolean
ranges_tile (gpointer data, EskStream *stream, const EsWindow *window, const EskTile *tile, gpointer pass_data,
             GError **error)
{
  PcaLane *lane = data;
  PcaPass *pass = pass_data;

  return find_valid (lane, stream, tile, error)
         && es_device_check (es_job_get_device (pass->job), stream,
                             pass->hotspots->band_ranges (stream, tile, &pass->selection, lane->valid,
                                                          lane->minimum, lane->maximum),
                             _("the ranges of the bands"), error);
}

static gboolean
ranges_lane_done (gpointer data, gpointer pass_data, GError **error)
{
  PcaLane *lane = data;
  PcaState *state = ((PcaPass *) pass_data)->state;

  for (guint i = 0; i < state->n; i++)
    {
      state->minimum[i] = fmin (state->minimum[i], lane->minimum[i]);
      state->maximum[i] = fmax (state->maximum[i], lane->maximum[i]);
    }
  return TRUE;
}

static gboolean
find_ranges (EsJob *job, EsCube *cube, PcaState *state, const EsTiling *tiling, GError **error)
{
  static const EsPass pass = { ranges_lane_new, pca_lane_free, ranges_tile, NULL, ranges_lane_done };
  PcaPass data = { .job = job, .state = state, .selection = pca_selection (state),
                   .hotspots = es_device_get_hotspots (es_job_get_device (job)) };

  state->minimum = g_new (double, state->n);
  state->maximum = g_new (double, state->n);
  for (guint i = 0; i < state->n; i++)
    {
      state->minimum[i] = INFINITY;
      state->maximum[i] = -INFINITY;
    }
  es_job_begin_stage (job, "quantise", _("Ranges of the bands"), WEIGHT_RANGES);
  data.selection.minimum = data.selection.maximum = NULL;
  if (!es_pass_run (job, cube, tiling, &pass, &data, error))
    return FALSE;

  /* Nothing valid at all: the next pass says so. Quantising needs finite limits. */
  for (guint i = 0; i < state->n; i++)
    if (!isfinite (state->minimum[i]))
      state->minimum[i] = state->maximum[i] = 0;
  return TRUE;
}

static gpointer
sums_lane_new (EskStream *stream, const EsTiling *tiling, gpointer data, GError **error)
{
  PcaPass *pass = data;
  PcaLane *lane = pca_lane_new (tiling, pass, error);

  if (lane != NULL)
    lane->sum = g_new0 (double, pass->state->n);
  return lane;
}

static gboolean
sums_tile (gpointer data, EskStream *stream, const EsWindow *window, const EskTile *tile, gpointer pass_data,
           GError **error)
{
  PcaLane *lane = data;
  PcaPass *pass = pass_data;

  memset (lane->sum, 0, sizeof (double) * pass->state->n);
  lane->count = 0;
  return find_valid (lane, stream, tile, error)
         && es_device_check (es_job_get_device (pass->job), stream,
                             pass->hotspots->band_sums (stream, tile, &pass->selection, lane->valid,
                                                        lane->sum, &lane->count),
                             _("the sums of the bands"), error);
}

static gboolean
sums_merge (gpointer data, const EsWindow *window, gpointer pass_data, GError **error)
{
  PcaLane *lane = data;
  PcaPass *pass = pass_data;

  for (guint i = 0; i < pass->state->n; i++)
    pass->sum[i] += lane->sum[i];
  pass->count += lane->count;
  return TRUE;
}

/* A first estimate of the mean: from eight rows over the height; where those hold no valid pixel, from all. Only
 * takes the cancellation out of float32 sums, so any value near the mean serves. */
static gboolean
estimate_mean (EsJob *job, EsCube *cube, PcaState *state, const EsTiling *tiling, double *mean, GError **error)
{
  static const EsPass pass = { sums_lane_new, pca_lane_free, sums_tile, sums_merge, NULL };
  PcaPass data = { .job = job, .state = state, .selection = pca_selection (state), .sum = mean,
                   .hotspots = es_device_get_hotspots (es_job_get_device (job)) };
  guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (cube, error);
  const EsTiling row = { .tile_width = MIN (width, tiling->tile_width), .tile_height = 1 };
  EskStream *stream;
  PcaLane *lane;
  gboolean done = TRUE;

  if (reader == NULL)
    return FALSE;
  stream = data.hotspots->stream_new (es_device_get_index (es_job_get_device (job)));
  if (stream == NULL)
    return out_of_memory (job, _("a stream"), error) != NULL;
  lane = sums_lane_new (stream, &row, &data, error);
  done = lane != NULL;

  for (guint i = 0; done && i < MIN (height, 8); i++)
    {
      EsWindow window = { 0, height < 8 ? i : (2 * i + 1) * height / 16, row.tile_width, 1 };
      EskTile tile;

      done = es_cube_reader_read (reader, &window, &tile, error)
             && sums_tile (lane, stream, &window, &tile, &data, error);
      if (done)
        sums_merge (lane, &window, &data, NULL);
    }
  if (lane != NULL)
    pca_lane_free (lane);
  data.hotspots->stream_free (stream);

  if (done && data.count == 0)
    done = es_pass_run (job, cube, tiling, &pass, &data, error);
  for (guint i = 0; i < state->n; i++)
    mean[i] = data.count > 0 ? mean[i] / data.count : 0;
  return done;
}

/* ---- pass 1: covariance sums ---- */

static gpointer
covariance_lane_new (EskStream *stream, const EsTiling *tiling, gpointer data, GError **error)
{
  PcaPass *pass = data;
  PcaLane *lane = pca_lane_new (tiling, pass, error);

  if (lane != NULL
      && esk_covariance_init (&lane->sums, pass->state->n, pass->total->exact, pass->total->shift) != ESK_OK)
    {
      pca_lane_free (lane);
      return out_of_memory (pass->job, _("the covariance sums"), error);
    }
  return lane;
}

static gboolean
covariance_tile (gpointer data, EskStream *stream, const EsWindow *window, const EskTile *tile, gpointer pass_data,
                 GError **error)
{
  PcaLane *lane = data;
  PcaPass *pass = pass_data;

  return find_valid (lane, stream, tile, error)
         && es_device_check (es_job_get_device (pass->job), stream,
                             pass->hotspots->covariance_sums (stream, tile, &pass->selection, lane->valid, &lane->sums),
                             _("the covariance sums"), error);
}

static gboolean
covariance_merge (gpointer data, const EsWindow *window, gpointer pass_data, GError **error)
{
  PcaLane *lane = data;
  PcaPass *pass = pass_data;
  int code = esk_covariance_merge (pass->total, &lane->sums);

  esk_covariance_reset (&lane->sums);
  return es_device_check (es_job_get_device (pass->job), NULL, code, _("the covariance sums"), error);
}

static gboolean
covariance_lane_done (gpointer data, gpointer pass_data, GError **error)
{
  return covariance_merge (data, NULL, pass_data, error);
}

/* Integer totals have 64 bits: enough for 2,000 million pixels of 16 bits, and float64 totals beyond. */
static gboolean
totals_are_exact (EsCube *cube, PcaState *state)
{
  const gboolean quantised = state->minimum != NULL;
  const EskType type = quantised ? ESK_U8 : es_cube_get_type_code (cube);
  const guint64 largest = esk_type_size (type) == 1 ? 255 : 65535;

  return esk_type_is_exact (type)
         && es_cube_get_width (cube) * es_cube_get_height (cube) <= G_MAXINT64 / (largest * largest);
}

static gboolean
find_covariance (EsJob *job, EsCube *cube, PcaState *state, const EsTiling *tiling, GError **error)
{
  /* Integer totals are exact in any order and are gathered once a lane; float64 totals tile by tile, in order. */
  static const EsPass exact_pass = { covariance_lane_new, pca_lane_free, covariance_tile, NULL, covariance_lane_done };
  static const EsPass float_pass = { covariance_lane_new, pca_lane_free, covariance_tile, covariance_merge, NULL };
  gboolean exact = totals_are_exact (cube, state);
  g_autofree double *shift = g_new0 (double, state->n);
  EskCovariance total = { 0 };
  PcaPass data = { .job = job, .state = state, .selection = pca_selection (state), .total = &total,
                   .hotspots = es_device_get_hotspots (es_job_get_device (job)) };
  gboolean done;

  /* The estimate may take a pass of its own, which would move the progress twice. */
  es_job_begin_stage (job, "covariance", _("Covariance"), 0);
  if (!exact && !estimate_mean (job, cube, state, tiling, shift, error))
    return FALSE;
  es_job_begin_stage (job, "covariance", _("Covariance"), WEIGHT_COVARIANCE);
  if (esk_covariance_init (&total, state->n, exact, exact ? NULL : shift) != ESK_OK)
    return out_of_memory (job, _("the covariance sums"), error) != NULL;

  done = es_pass_run (job, cube, tiling, exact ? &exact_pass : &float_pass, &data, error);
  state->count = total.count;
  if (done && total.count < 2)
    {
      const char *name = es_dataset_get_name (ES_DATASET (cube));
      if (total.count == 0)
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                     _("“%s” has no valid pixel: every one is no-data or not a number in at least one of its %u good "
                       "bands."), name, state->n);
      else
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                     _("“%s” has one valid pixel: a covariance needs at least two."), name);
      done = FALSE;
    }
  if (done)
    esk_covariance_finish (&total, state->mean, state->covariance);
  esk_covariance_clear (&total);
  return done;
}

static gboolean
find_sums (EsJob *job, EsCube *cube, PcaState *state, EsParams *params, GError **error)
{
  EsTiling tiling = es_tiling_plan (cube, es_job_get_device (job), es_job_get_limits (job), 1,
                                    (gsize) state->n * state->n * sizeof (double));

  if (es_params_get_choice (params, "quantise") == 1 && !find_ranges (job, cube, state, &tiling, error))
    return FALSE;
  return find_covariance (job, cube, state, &tiling, error);
}

/* ---- eigenproblem and selection ---- */

static gboolean
solve (EsJob *job, EsCube *cube, PcaState *state, EsParams *params, GError **error)
{
  const gboolean correlation = es_params_get_choice (params, "scaling") == 1;
  const gboolean jacobi = es_params_get_choice (params, "eigensolver") == 1;
  gsize n = state->n;
  g_autofree double *matrix = g_try_malloc (n * n * sizeof (double));
  int code;

  es_job_begin_stage (job, "eigenproblem", _("Eigenproblem"), WEIGHT_EIGENPROBLEM);
  if (matrix == NULL)
    return out_of_memory (job, _("the eigenproblem"), error) != NULL;

  state->constant_bands = 0;
  for (gsize i = 0; i < n; i++)
    {
      double variance = state->covariance[i * n + i], mean = state->mean[i];
      /* Of float64 samples rounding leaves a trace even where all are equal. */
      gboolean constant = !(variance > 1e-36 * mean * mean);

      if (!isfinite (variance) || !isfinite (mean))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                       _("“%s” holds values in band %u that are too large to be squared; a no-data value that is "
                         "not declared may be the reason."),
                       es_dataset_get_name (ES_DATASET (cube)), state->bands[i] + 1);
          return FALSE;
        }
      state->constant_bands += constant;
      state->scale[i] = correlation ? (constant ? 0 : 1 / sqrt (variance))
                                    : es_pca_relative_scale (cube, state->bands[0], state->bands[i]);
      if (correlation == FALSE && state->minimum != NULL)
        state->scale[i] = 1;
    }
  if (state->constant_bands == n)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   _("“%s” is constant: none of its %u good bands varies over the %lld valid pixels."),
                   es_dataset_get_name (ES_DATASET (cube)), state->n, (long long) state->count);
      return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      matrix[i * n + j] = state->covariance[i * n + j] * state->scale[i] * state->scale[j];

  state->sweeps = 0;
  state->off_norm = 0;
  code = jacobi ? esk_eigen_jacobi (n, matrix, state->values, state->vectors, 50, &state->sweeps, &state->off_norm)
                : esk_eigen_lapack (n, matrix, state->values, state->vectors);
  if (!es_device_check (es_job_get_device (job), NULL, code,
                        code == ESK_ERROR_NO_CONVERGENCE ? _("The eigenproblem") : _("the eigenproblem"), error))
    return FALSE;

  /* A covariance is positive semi-definite: what is below zero is rounding. */
  state->total = 0;
  for (gsize i = 0; i < n; i++)
    {
      state->values[i] = fmax (state->values[i], 0);
      state->total += state->values[i];
    }
  return !es_job_is_cancelled (job, error);
}

/* The smallest m whose cumulative share reaches the threshold (hyperspectral.md 2.1, step 3). */
static guint
select_components (PcaState *state, EsParams *params)
{
  gint64 wanted = es_params_get_int (params, "components");
  double threshold = es_params_get_float (params, "threshold"), sum = 0;

  if (wanted > 0)
    return MIN (wanted, state->n);
  for (guint i = 0; i < state->n; i++)
    {
      sum += state->values[i];
      if (sum >= threshold * state->total)
        return i + 1;
    }
  return state->n;
}

/* ---- pass 2: projection ---- */

static gpointer
project_lane_new (EskStream *stream, const EsTiling *tiling, gpointer data, GError **error)
{
  PcaPass *pass = data;
  PcaLane *lane = pca_lane_new (tiling, pass, error);
  gsize samples;

  if (lane != NULL
      && (!g_size_checked_mul (&samples, lane->pixels, pass->basis.rows)
          || (lane->projected = g_try_malloc_n (samples, sizeof (float))) == NULL))
    {
      pca_lane_free (lane);
      return out_of_memory (pass->job, _("the components of a tile"), error);
    }
  return lane;
}

static gboolean
project_tile (gpointer data, EskStream *stream, const EsWindow *window, const EskTile *tile, gpointer pass_data,
              GError **error)
{
  PcaLane *lane = data;
  PcaPass *pass = pass_data;

  if (!find_valid (lane, stream, tile, error)
      || !es_device_check (es_job_get_device (pass->job), stream,
                           pass->hotspots->project (stream, tile, &pass->selection, lane->valid, &pass->basis,
                                                    pass->mean, lane->projected, lane->pixels),
                           _("the projection"), error))
    return FALSE;

  gint64 start = g_get_monotonic_time ();
  gboolean written = es_image_stack_write (pass->stack, window->x, window->y, window->width, window->height,
                                           lane->projected, lane->pixels, error);
  lane->write_us += g_get_monotonic_time () - start;
  return written;
}

static gboolean
project_lane_done (gpointer data, gpointer pass_data, GError **error)
{
  ((PcaPass *) pass_data)->write_us += ((PcaLane *) data)->write_us;
  return TRUE;
}

static EsImageStack *
project (EsJob *job, EsCube *cube, PcaState *state, EsParams *params, guint m, GError **error)
{
  static const EsPass pass = { project_lane_new, pca_lane_free, project_tile, NULL, project_lane_done };
  const EsLimits *limits = es_job_get_limits (job);
  EsDevice *device = es_job_get_device (job);
  EsTiling tiling = es_tiling_plan (cube, device, limits, 1 + m * sizeof (float), 0);
  g_autofree float *basis = g_new (float, (gsize) m * state->n);
  g_autofree char *path =
    limits->output_dir != NULL ? g_build_filename (limits->output_dir, "components.img", NULL) : NULL;
  g_autoptr (EsImageStack) stack = NULL;

  es_job_begin_stage (job, "transform", _("Transform"), WEIGHT_TRANSFORM);
  stack = es_image_stack_new ("components", _("Components"), es_cube_get_width (cube), es_cube_get_height (cube), m,
                              es_pca_largest_stack (limits), path, error);
  if (stack == NULL)
    return NULL;
  es_image_stack_set_signed (stack, es_params_get_bool (params, "center"));
  for (guint i = 0; i < m; i++)
    {
      g_autofree char *title = g_strdup_printf (_("PC %u"), i + 1);
      es_image_stack_set_plane (stack, i, title, state->values[i] / state->total);
    }

  for (gsize i = 0; i < m; i++)
    for (gsize j = 0; j < state->n; j++)
      basis[i * state->n + j] = state->vectors[i * state->n + j] * state->scale[j];

  PcaPass data = { .job = job, .state = state, .selection = pca_selection (state),
                   .hotspots = es_device_get_hotspots (device), .basis = { m, state->n, basis },
                   .mean = es_params_get_bool (params, "center") ? state->mean : NULL, .stack = stack };
  if (!es_pass_run (job, cube, &tiling, &pass, &data, error))
    return NULL;
  es_job_add_stage_ms (job, "output", _("Output"), data.write_us * 1e-3 / tiling.lanes);
  return g_steal_pointer (&stack);
}

/* ---- the operation ---- */

static EsResult *
pca_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsCube *cube = ES_CUBE (dataset);
  EsResult *previous = es_job_get_previous (job);
  guint first = STAGE_SUMS;
  g_autoptr (PcaState) state = NULL;
  g_autoptr (EsImageStack) stack = NULL;
  EsResult *result;
  guint m;

  const gboolean quantise = es_params_get_choice (params, "quantise") == 1;
  es_job_add_stage_ms (job, "input", _("Input"), 0);
  if (previous != NULL && es_result_get_dataset (previous) == dataset
      && es_result_get_operation (previous) == &es_operation_pca && es_result_get_state (previous) != NULL)
    first = es_params_first_changed_stage (params, es_result_get_params (previous));

  es_job_set_total_weight (job, WEIGHT_TRANSFORM + (first <= STAGE_EIGEN ? WEIGHT_EIGENPROBLEM : 0)
                                + (first <= STAGE_SUMS ? WEIGHT_COVARIANCE + (quantise ? WEIGHT_RANGES : 0) : 0));

  if (first >= STAGE_SELECT)
    state = pca_state_ref (es_result_get_state (previous));
  else
    {
      state = pca_state_new (cube, es_job_get_limits (job), error);
      if (state == NULL)
        return NULL;

      if (first == STAGE_EIGEN)
        pca_state_take_sums (state, es_result_get_state (previous));
      else if (!find_sums (job, cube, state, params, error))
        return NULL;
      if (!solve (job, cube, state, params, error))
        return NULL;
    }

  es_job_begin_stage (job, "selection", _("Selection"), 0);
  m = select_components (state, params);
  stack = project (job, cube, state, params, m, error);
  if (stack == NULL)
    return NULL;

  EsPcaSummary summary = {
    .n = state->n, .bands = state->bands, .count = state->count, .mean = state->mean, .values = state->values,
    .vectors = state->vectors, .total = state->total, .constant_bands = state->constant_bands,
    .sweeps = state->sweeps, .off_norm = state->off_norm, .m = m,
  };
  result = es_pca_describe (&es_operation_pca, cube, params, stack, &summary);
  es_result_set_state (result, pca_state_ref (state), pca_state_unref);
  return result;
}

const EsOperation es_operation_pca = {
  .id = "pca",
  .title = N_("Principal components"),
  .short_title = N_("PCA"),
  .summary = N_("Finds the directions in which the spectra vary most, and shows the scene along each of them."),
  .version = 1,
  .takes = ES_DATASET_CUBE,
  .params = pca_params,
  .plan = es_pca_plan,
  .run = pca_run,
};
