/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-adaptive-compare.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-order.h"
#include "es-beam-params-internal.h"
#include "es-beam-settings-private.h"
#include "es-beamformer-private.h"
#include "device/es-device-internal.h"
#include "base/es-error.h"

#define REPEATS 3
/* What takes longer is not measured again, seconds. */
#define LONG 1.0
/* Of the speed at covariances in single precision, what methods reach in float64: products, and rotations. */
#define EFFICIENCY 0.2
#define JACOBI_EFFICIENCY 0.05

const char *
es_adaptive_method_get_id (EsAdaptiveMethod method)
{
  g_return_val_if_fail (method < ES_N_ADAPTIVE_METHODS, NULL);
  return es_adaptive_method_choices[method].id;
}

const char *
es_adaptive_method_get_name (EsAdaptiveMethod method)
{
  g_return_val_if_fail (method < ES_N_ADAPTIVE_METHODS, NULL);
  return _(es_adaptive_method_choices[method].label);
}

void
es_adaptive_routes_free (EsAdaptiveRoute *routes)
{
  for (guint i = 0; routes != NULL && i < ES_N_ADAPTIVE_METHODS - 1; i++)
    g_free (routes[i].refusal);
  g_free (routes);
}

typedef struct
{
  EsBeamformer *beamformer;
  EsBeamMember *member;
  double        loading;
  gsize         n_by_bin, n_field;
  float        *by_bin, *field;            /* of the method at hand; by_bin is NULL without a far row */
  float        *first_by_bin, *first_field;        /* of the first that could be used */
  gboolean      has_first;
} Comparison;

static void
clear_comparison (Comparison *self)
{
  g_clear_pointer (&self->beamformer, es_beamformer_free);
  g_free (self->by_bin);
  g_free (self->field);
  g_free (self->first_by_bin);
  g_free (self->first_field);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Comparison, clear_comparison)

/* Why a method cannot be used, as far as that is known before; NULL: it can. */
static char *
foresee (const Comparison *self, EsAdaptiveMethod method, double most_seconds)
{
  const EsBeamSettings *settings = self->beamformer->settings;
  const guint n = self->beamformer->geometry->n;
  const double flops = es_adaptive_settings_get_flops (settings, method, n);
  const double speed = es_device_get_flops (self->member->device)
                       * (method == ES_ADAPTIVE_JACOBI ? JACOBI_EFFICIENCY : EFFICIENCY);
  const double seconds = speed > 0 ? flops / speed : 0;

  if (method == ES_ADAPTIVE_WOODBURY && es_adaptive_settings_get_columns (settings, n) == 0)
    return g_strdup (_("It needs the snapshots themselves, of which forgetting leaves too many to keep."));
  if (method == ES_ADAPTIVE_WOODBURY && self->loading == 0)
    return g_strdup (_("It needs a loading above 0."));
  if (most_seconds > 0 && seconds > most_seconds)
    return g_strdup_printf (_("It would take about %.3g s a block (%.2g operations), more than the %.3g s allowed."),
                            seconds, flops, most_seconds);
  return _es_beamformer_foresee_memory (self->beamformer, method);
}

static double
median (double *values, guint n)
{
  qsort (values, n, sizeof *values, es_compare_doubles);
  return values[n / 2];
}

static double
largest_difference (const float *values, const float *first, gsize n)
{
  double largest = 0;

  for (gsize i = 0; i < n; i++)
    if (values[i] != first[i])
      largest = MAX (largest, first[i] != 0 ? fabs ((double) values[i] - first[i]) / fabs (first[i]) : INFINITY);
  return largest;
}

static gboolean
take_route (Comparison *self, EsAdaptiveRoute *route, double most_seconds, GCancellable *cancellable, GError **error)
{
  const EsBeamSettings *settings = self->beamformer->settings;
  double matrix[REPEATS], factor[REPEATS], spectrum[REPEATS], total[REPEATS];
  guint n = 0, strongest = 0;
  g_autoptr (GError) local_error = NULL;
  EskAdaptiveReport report;

  route->refusal = foresee (self, route->method, most_seconds);
  if (route->refusal != NULL)
    return TRUE;
  do
    {
      const gint64 start = g_get_monotonic_time ();
      int code;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      code = _es_beamformer_run_adaptive (self->beamformer, self->member, route->method, self->loading, 0, NULL,
                                          &report);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (code == ESK_ERROR_SINGULAR)
        {
          route->refusal = _es_beamformer_describe_singular (self->beamformer, &report, self->loading);
          return TRUE;
        }
      if (!es_device_check (self->member->device, self->member->stream, code, _("the adaptive beams"), &local_error))
        {
          /* Another method may do with less. */
          if (code == ESK_ERROR_MEMORY || code == ESK_ERROR_NO_CONVERGENCE)
            {
              route->refusal = g_strdup (local_error->message);
              return TRUE;
            }
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
      matrix[n] = 1e3 * report.matrix;
      factor[n] = 1e3 * report.factor;
      spectrum[n] = 1e3 * report.spectrum;
      total[n] = 1e-3 * (g_get_monotonic_time () - start);
    }
  while (++n < REPEATS && total[0] < 1e3 * LONG);

  route->matrix_ms = median (matrix, n);
  route->factor_ms = median (factor, n);
  route->spectrum_ms = median (spectrum, n);
  route->total_ms = median (total, n);
  route->sweeps = (guint) report.sweeps;
  route->rotations = report.rotations;
  if (!_es_beamformer_copy_adaptive (self->beamformer, self->member, ES_BEAM_MVDR, self->by_bin, self->field, error))
    return FALSE;
  for (gsize i = 1; i < self->n_field; i++)
    if (self->field[i] > self->field[strongest])
      strongest = (guint) i;
  route->bearing = settings->angles[strongest % settings->n_angles];
  if (!self->has_first)
    {
      memcpy (self->first_field, self->field, self->n_field * sizeof (float));
      if (self->by_bin != NULL)
        memcpy (self->first_by_bin, self->by_bin, self->n_by_bin * sizeof (float));
      self->has_first = TRUE;
      return TRUE;
    }
  route->difference = largest_difference (self->field, self->first_field, self->n_field);
  if (self->by_bin != NULL)
    route->difference = MAX (route->difference,
                             largest_difference (self->by_bin, self->first_by_bin, self->n_by_bin));
  return TRUE;
}

static gboolean
prepare (Comparison *self, EsRecording *recording, EsArray *array, const EsBeamSettings *settings, EsDevice *device,
         guint64 frame, GError **error)
{
  self->beamformer = es_beamformer_new (recording, array, settings, device, NULL, error);
  if (self->beamformer == NULL)
    return FALSE;
  self->member = &self->beamformer->members[0];
  self->n_field = (gsize) settings->n_ranges * settings->n_angles;
  self->field = g_try_new (float, self->n_field);
  self->first_field = g_try_new (float, self->n_field);
  if (es_beam_settings_find_far (settings) < settings->n_ranges)
    {
      self->n_by_bin = (gsize) settings->n_angles * settings->n_bins;
      self->by_bin = g_try_new (float, self->n_by_bin);
      self->first_by_bin = g_try_new (float, self->n_by_bin);
    }
  if (self->field == NULL || self->first_field == NULL
      || (self->n_by_bin > 0 && (self->by_bin == NULL || self->first_by_bin == NULL)))
    return es_compute_error_no_memory (_("the adaptive beams"), error);
  /* The block itself like those before it: nothing but heard. */
  if (!_es_beamformer_hear (self->beamformer, &self->beamformer->slots[0], frame + settings->block,
                            _es_beamformer_count_before (self->beamformer, frame) + 1, TRUE, error))
    return FALSE;
  self->loading = _es_beamformer_get_loading (self->beamformer, self->member);
  return TRUE;
}

static void
give_up (GCancellable *cancellable, gpointer data)
{
  EsBeamformer *beamformer = data;

  g_atomic_int_set (&beamformer->cancelled, 1);
}

EsAdaptiveRoute *
es_adaptive_compare (EsRecording *recording, EsArray *array, const EsBeamSettings *settings, EsDevice *device,
                     guint64 frame, double most_seconds, GCancellable *cancellable, GError **error)
{
  g_auto (Comparison) self = { 0 };
  /* What one method cannot do is a refusal of that one. */
  g_autoptr (EsBeamSettings) any = es_beam_settings_copy (settings);
  EsAdaptiveRoute *routes;
  gulong handler = 0;
  gboolean done = TRUE;

  g_return_val_if_fail (settings->adaptive.on, NULL);

  any->adaptive.method = ES_ADAPTIVE_AUTO;
  any->adaptive.sources = 0;
  any->adaptive.eigenvalues = FALSE;
  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || !prepare (&self, recording, array, any, device, frame, error))
    return NULL;
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (give_up), self.beamformer, NULL);
  routes = g_new0 (EsAdaptiveRoute, ES_N_ADAPTIVE_METHODS - 1);
  for (guint i = 0; i < ES_N_ADAPTIVE_METHODS - 1 && done; i++)
    {
      routes[i].method = i + 1;
      done = take_route (&self, &routes[i], most_seconds, cancellable, error);
    }
  g_cancellable_disconnect (cancellable, handler);
  if (!done)
    g_clear_pointer (&routes, es_adaptive_routes_free);
  return routes;
}
