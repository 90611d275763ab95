/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many components are kept, and the result: layers, values, warnings, the model. */

#include "es-mnf-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Bands that a warning names. */
#define NAMED_BANDS 8

struct _EsMnfDescription
{
  GThread  *thread;                        /* NULL: it is done */
  EsCube   *cube;
  EsParams *params;
  EsMnf    *mnf;
  guint     m;
  gboolean  none;

  EsResult *result;
  EsCurve  *scree, *loadings, *noise, *snr, *mean;
};

char *
es_mnf_dup_title (guint i)
{
  return g_strdup_printf (_("MNF %u"), i + 1);
}

static double
excess (double value)
{
  return fmax (value - 1, 0);
}

double
es_mnf_signal (EsMnf *self)
{
  double sum = 0;

  for (guint k = 0; k < self->n; k++)
    sum += excess (self->values[k]);
  return sum;
}

static guint
reach_share (EsMnf *self, double threshold)
{
  const double total = es_mnf_signal (self);
  g_autofree double *sums = g_new (double, self->n);
  double sum = 0;

  for (guint k = 0; k < self->n; k++)
    sums[k] = sum += excess (self->values[k]);
  return total > 0 ? es_curve_count_reaching (sums, self->n, threshold * total) : 0;
}

guint
es_mnf_select (EsMnf *self, EsParams *params, gboolean *none)
{
  const double snr = es_params_get_float (params, "snr"), coherence = es_params_get_float (params, "coherence");
  guint m = 0;

  switch (es_params_get_choice (params, "keep"))
    {
    case ES_MNF_BY_EIGENVALUE:
      while (m < self->n && self->values[m] - 1 >= snr)
        m++;
      break;
    case ES_MNF_BY_SHARE:
      m = reach_share (self, es_params_get_float (params, "threshold"));
      break;
    case ES_MNF_BY_COHERENCE:
      while (m < self->n && self->coherence[m] >= coherence)
        m++;
      break;
    default:
      m = MIN (es_params_get_int (params, "components"), self->n);
    }
  *none = m == 0;
  return MAX (m, 1);
}

/* ---- layers ---- */

static EsCurve *
make_scree (EsMnf *self, EsParams *params, guint m)
{
  const gboolean by_share = es_params_get_choice (params, "keep") == ES_MNF_BY_SHARE;
  const double total = es_mnf_signal (self);
  g_autofree double *x = g_new (double, self->n), *value = g_new (double, self->n);
  g_autofree double *cumulative = g_new (double, self->n);
  double sum = 0;
  EsCurve *curve;

  for (guint k = 0; k < self->n; k++)
    {
      sum += excess (self->values[k]);
      x[k] = k + 1;
      value[k] = self->values[k] > 0 ? self->values[k] : NAN;
      cumulative[k] = total > 0 ? 100 * sum / total : NAN;
    }
  curve = es_curve_new ("eigenvalues", _("Eigenvalues"), "scree", self->n, x, _("Component"), NULL);
  es_curve_add_series (curve, _("Eigenvalue (SNR + 1)"), NULL, ES_CURVE_BARS, FALSE, value);
  es_curve_add_series (curve, _("Cumulative share"), "%", ES_CURVE_LINE, TRUE, cumulative);
  es_curve_set_log_y (curve, TRUE);
  /* Dragged, the line switches to this way of choosing. */
  es_curve_set_threshold (curve, "threshold", by_share ? es_params_get_float (params, "threshold")
                                              : total > 0 ? es_curve_get_kept_share (curve, m) : 1);
  return curve;
}

static double *
noise_deviations (EsMnf *self)
{
  const gsize n = self->noise->n;
  double *deviation = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    deviation[i] = sqrt (self->noise->covariance[i * (n + 1)]);
  return deviation;
}

static double *
band_snr (EsMnf *self, EsCube *cube, const double *deviation)
{
  double *snr = g_new (double, self->noise->n);

  for (guint i = 0; i < self->noise->n; i++)
    {
      double scale, offset;

      /* Of the values in the cube's unit: an offset is part of the signal. */
      es_reduction_get_unit (cube, self->found, i, &scale, &offset);
      snr[i] = deviation[i] > 0 ? (self->found->mean[i] + offset / scale) / deviation[i] : NAN;
    }
  return snr;
}

static guint32 *
used_bands (EsMnf *self)
{
  guint32 *bands = g_new (guint32, self->n);

  for (guint i = 0; i < self->n; i++)
    bands[i] = self->found->bands[self->used[i]];
  return bands;
}

static void
make_layers (EsMnfDescription *description)
{
  EsMnf *self = description->mnf;
  EsReduction *found = self->found;
  EsCube *cube = description->cube;
  g_autofree double *deviation = noise_deviations (self), *ratio = band_snr (self, cube, deviation);
  g_autofree guint32 *bands = used_bands (self);
  g_autofree double *column = g_new (double, self->n);

  description->scree = make_scree (self, description->params, description->m);
  description->loadings = es_reduction_make_band_curve (cube, "loadings", _("Loadings"), "loadings");
  description->noise = es_reduction_make_band_curve (cube, "noise", _("Noise"), "noise");
  description->snr = es_reduction_make_band_curve (cube, "band-snr", _("SNR of the bands"), "band-snr");
  description->mean = es_reduction_make_band_curve (cube, "mean", _("Mean spectrum"), "spectrum");
  for (guint k = 0; k < description->m; k++)
    {
      g_autofree char *title = es_mnf_dup_title (k);

      for (guint i = 0; i < self->n; i++)
        {
          double scale, offset;

          es_reduction_get_unit (cube, found, self->used[i], &scale, &offset);
          column[i] = self->mixing[(gsize) k * self->n + i] * scale;
        }
      es_reduction_add_band_series (description->loadings, bands, self->n, title, es_cube_name_unit (cube), column);
    }
  es_reduction_add_spectrum (description->noise, cube, found, _("Noise deviation"), deviation, TRUE);
  es_reduction_add_band_series (description->snr, found->bands, found->n, _("Mean over noise deviation"), NULL, ratio);
  es_reduction_add_spectrum (description->mean, cube, found, _("Mean"), found->mean, FALSE);
}

/* ---- values ---- */

/* Numbers, null where there is none. */
static JsonArray *
number_array_with_gaps (const double *values, gsize n)
{
  JsonArray *array = json_array_sized_new (n);

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      json_array_add_double_element (array, values[i]);
    else
      json_array_add_null_element (array);
  return array;
}

/* Some hundred kilobytes of text. */
typedef struct
{
  GThread           *thread;               /* NULL: it is done */
  EsNoiseStatistics *noise;
  JsonObject        *object;
} NoiseTelling;

static gpointer
tell_noise (gpointer data)
{
  NoiseTelling *self = data;

  self->object = es_noise_statistics_to_json (self->noise);
  return NULL;
}

/* Takes the loadings and the noise. */
static void
add_values (EsResult *result, EsCube *cube, EsMnf *self, guint m, EsNumberRows *loadings, NoiseTelling *noise)
{
  JsonObject *values = json_object_new ();
  JsonArray *bands = json_array_new (), *left_out = json_array_new (), *snr = json_array_new ();
  JsonArray *cumulative = json_array_new (), *explained = json_array_new ();
  const double total = es_mnf_signal (self);
  g_autofree double *deviation = noise_deviations (self), *ratio = band_snr (self, cube, deviation);
  double sum = 0;

  for (guint i = 0, k = 0; i < self->found->n; i++)
    if (k < self->n && self->used[k] == i)
      {
        json_array_add_int_element (bands, self->found->bands[i] + 1);
        k++;
      }
    else
      json_array_add_int_element (left_out, self->found->bands[i] + 1);
  for (guint k = 0; k < self->n; k++)
    {
      sum += excess (self->values[k]);
      json_array_add_double_element (snr, self->values[k] - 1);
      json_array_add_double_element (explained, total > 0 ? excess (self->values[k]) / total : 0);
      json_array_add_double_element (cumulative, total > 0 ? sum / total : 0);
    }

  json_object_set_int_member (values, "components", m);
  json_object_set_int_member (values, "valid_pixels", self->found->count);
  json_object_set_string_member (values, "noise", self->noise->kind);
  json_object_set_int_member (values, "noise_count", self->noise->count);
  json_object_set_int_member (values, "bands_used", self->n);
  json_object_set_array_member (values, "bands", bands);
  json_object_set_array_member (values, "bands_left_out", left_out);
  json_object_set_array_member (values, "eigenvalues", es_reduction_number_array (self->values, self->n, 1));
  json_object_set_array_member (values, "snr", snr);
  json_object_set_double_member (values, "total_snr", total);
  json_object_set_array_member (values, "explained", explained);
  json_object_set_array_member (values, "cumulative", cumulative);
  if (self->coherence != NULL)
    json_object_set_array_member (values, "coherence", es_reduction_number_array (self->coherence, self->n, 1));
  json_object_set_array_member (values, "noise_deviation", es_reduction_number_array (deviation, self->noise->n, 1));
  json_object_set_array_member (values, "band_snr", number_array_with_gaps (ratio, self->noise->n));
  json_object_set_array_member (values, "mean", es_reduction_number_array (self->found->mean, self->found->n, 1));
  json_object_set_array_member (values, "loadings", es_reduction_finish_rows (loadings));
  if (self->sweeps > 0)
    {
      json_object_set_int_member (values, "jacobi_sweeps", self->sweeps);
      json_object_set_int_member (values, "noise_jacobi_sweeps", self->noise_sweeps);
    }
  if (noise->thread != NULL)
    g_thread_join (noise->thread);
  json_object_set_object_member (values, "noise_statistics", noise->object);
  es_result_set_values (result, values);
}

static void
warn_of_left_out (EsResult *result, EsMnf *self)
{
  const guint n = self->found->n - self->n;
  g_autoptr (GString) names = g_string_new (NULL);
  guint named = 0;

  for (guint i = 0, k = 0; i < self->found->n; i++)
    if (k < self->n && self->used[k] == i)
      k++;
    else if (named++ < NAMED_BANDS)
      g_string_append_printf (names, "%s%u", named > 1 ? ", " : "", self->found->bands[i] + 1);
  if (named > NAMED_BANDS)
    g_string_append (names, " …");
  if (n > 0)
    es_result_add_warning (result,
                           g_dngettext (GETTEXT_PACKAGE, "%u good band has no noise and is left out: %s.",
                                        "%u good bands have no noise and are left out: %s.", n), n, names->str);
}

static void
add_warnings (EsResult *result, EsParams *params, EsMnf *self, gboolean none)
{
  const gint64 wanted = es_params_get_int (params, "components");
  const double total = es_mnf_signal (self);

  warn_of_left_out (result, self);
  if (self->floored > 0)
    es_result_add_warning (result,
                           g_dngettext (GETTEXT_PACKAGE,
                                        "The noise covariance is singular: %u of its %u directions holds no noise, and "
                                        "is taken to hold the least that can be computed with.",
                                        "The noise covariance is singular: %u of its %u directions hold no noise, and "
                                        "are taken to hold the least that can be computed with.", self->floored),
                           self->floored, self->n);
  if (self->found->count <= self->n)
    es_result_add_warning (result,
                           _("%lld valid pixels for %u bands: the covariance has rank %lld at most, and components "
                             "beyond that are not determined by the data."),
                           (long long) self->found->count, self->n, (long long) self->found->count - 1);
  if (!(total > 0))
    es_result_add_warning (result, _("No component has more signal than noise."));
  else if (none)
    es_result_add_warning (result, _("No component reaches the threshold; the first is kept."));
  if (es_params_get_choice (params, "keep") == ES_MNF_BY_COUNT && wanted > self->n)
    es_result_add_warning (result, _("%lld components were asked for; there are %u."), (long long) wanted, self->n);
}

/* ---- all of it ---- */

static EsLinearModel *
make_model (EsMnf *self, EsParams *params, guint m)
{
  const gsize n = self->n;
  EsReduction *found = self->found;
  g_autofree guint32 *bands = used_bands (self);
  g_autofree double *mean = g_new (double, n), *minimum = g_new (double, n), *maximum = g_new (double, n);
  g_autofree double *mixing = g_new (double, n * m);
  const double *subtracted = es_reduction_origin (found, es_params_get_bool (params, "center"));
  g_autofree double *origin = g_new0 (double, n);
  const gboolean quantised = found->minimum != NULL;

  for (gsize i = 0; i < n; i++)
    {
      mean[i] = found->mean[self->used[i]];
      origin[i] = subtracted != NULL ? subtracted[self->used[i]] : 0;
      minimum[i] = quantised ? found->minimum[self->used[i]] : 0;
      maximum[i] = quantised ? found->maximum[self->used[i]] : 0;
      for (gsize k = 0; k < m; k++)
        mixing[i * m + k] = self->mixing[k * n + i];
    }
  return es_linear_model_new (m, self->n, bands, mean, self->transform, mixing, quantised ? minimum : NULL,
                              quantised ? maximum : NULL, subtracted != NULL ? origin : NULL);
}

static gpointer
describe (gpointer data)
{
  EsMnfDescription *self = data;
  const gsize n = self->mnf->n;
  EsNumberRows *loadings = es_reduction_start_rows (self->mnf->mixing, self->m, n, n, 1);
  NoiseTelling noise = { .noise = self->mnf->noise };
  g_autofree char *title = g_strdup_printf (_("MNF %u of %u"), self->m, self->mnf->n);

  noise.thread = es_reduction_tell_aside (tell_noise, &noise);
  self->result = es_result_new (&es_operation_mnf, ES_DATASET (self->cube), self->params);
  es_result_set_title (self->result, title);
  make_layers (self);
  add_values (self->result, self->cube, self->mnf, self->m, loadings, &noise);
  add_warnings (self->result, self->params, self->mnf, self->none);
  es_result_set_model (self->result, make_model (self->mnf, self->params, self->m));
  return NULL;
}

EsMnfDescription *
es_mnf_describe_start (EsCube *cube, EsParams *params, EsMnf *mnf, guint m, gboolean none)
{
  EsMnfDescription *self = g_new0 (EsMnfDescription, 1);

  *self = (EsMnfDescription) { .cube = cube, .params = params, .mnf = mnf, .m = m, .none = none };
  self->thread = es_reduction_tell_aside (describe, self);
  return self;
}

EsResult *
es_mnf_describe_finish (EsMnfDescription *self, EsImageStack *stack, EsImageStack *denoised)
{
  g_autoptr (EsResult) result = NULL;

  if (self->thread != NULL)
    g_thread_join (self->thread);
  result = self->result;
  if (stack != NULL)
    {
      es_result_add_layer (result, ES_LAYER (stack));
      es_result_add_layer (result, ES_LAYER (self->scree));
      es_result_add_layer (result, ES_LAYER (self->loadings));
      es_result_add_layer (result, ES_LAYER (self->noise));
      es_result_add_layer (result, ES_LAYER (self->snr));
      es_result_add_layer (result, ES_LAYER (self->mean));
    }
  if (stack != NULL && denoised != NULL)
    es_result_add_layer (result, ES_LAYER (denoised));
  g_object_unref (self->scree);
  g_object_unref (self->loadings);
  g_object_unref (self->noise);
  g_object_unref (self->snr);
  g_object_unref (self->mean);
  g_free (self);
  return stack != NULL ? g_steal_pointer (&result) : NULL;
}
