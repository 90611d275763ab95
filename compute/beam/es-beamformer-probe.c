/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A closer look at one bearing and bin of a block: eigenvalues, and how the weights of that bearing hear others. On the
 * host, of what the device has heard of the bin. */

#include "es-beamformer-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "es-beam-settings-private.h"

/* More elements or a larger equation would take longer than a block. */
#define MOST_ELEMENTS 4096
#define MOST_EQUATIONS 1024
#define MOST_EIGENVALUES 256
/* Angles of a pattern, and directions times elements of all of them. */
#define LEAST_ANGLES 181
#define MOST_ANGLES 1441
#define MOST_STEERING 4000000

void
es_beamformer_set_probe (EsBeamformer *self, double bearing, double frequency)
{
  self->probe_bearing = bearing;
  self->probe_frequency = frequency;
}

/* What has been heard of one bin. */
typedef struct
{
  float  *columns;             /* NULL where the matrix is kept */
  double *weights, *matrix;
  gsize   used;
} State;

static void
clear_state (State *state)
{
  g_free (state->columns);
  g_free (state->weights);
  g_free (state->matrix);
}

static int
read_state (EsBeamformer *self, EsBeamMember *member, guint bin, State *state)
{
  const gsize n = self->geometry->n, columns = es_adaptive_settings_get_columns (self->settings, self->geometry->n);

  if (columns > 0)
    {
      state->columns = g_try_new (float, columns * 2 * n);
      state->weights = g_try_new (double, columns);
      if (state->columns == NULL || state->weights == NULL)
        return ESK_ERROR_MEMORY;
    }
  else if ((state->matrix = g_try_new (double, n * n * 2)) == NULL)
    return ESK_ERROR_MEMORY;
  return member->hotspots->adaptive->adaptive_state (member->stream, member->adaptive, bin, state->columns,
                                                     state->weights, state->matrix, &state->used);
}

static double
hear (const double *weights, const double *steering, gsize n)
{
  double real = 0, imaginary = 0;

  for (gsize k = 0; k < 2 * n; k += 2)
    {
      real += weights[k] * steering[k] + weights[k + 1] * steering[k + 1];
      imaginary += weights[k] * steering[k + 1] - weights[k + 1] * steering[k];
    }
  return real * real + imaginary * imaginary;
}

/* Evenly over the span of the settings' angles, which are among them where they are even. */
static guint
choose_n_angles (const EsBeamSettings *settings, guint n)
{
  const guint steps = MAX (settings->n_angles, 2) - 1, most = CLAMP (MOST_STEERING / n, LEAST_ANGLES, MOST_ANGLES);
  const guint finer = MIN (4, (most - 1) / steps);

  return finer > 0 ? MAX (finer * steps + 1, MIN (LEAST_ANGLES, most)) : most;
}

gboolean
_es_beamformer_probe (EsBeamformer *self, EsBeamMember *member, EsBeamBlock *block, gboolean eigenvalues,
                      GError **error)
{
  const EsBeamSettings *settings = self->settings;
  const EsBeamGeometry *geometry = self->geometry;
  const guint n = geometry->n, columns = es_adaptive_settings_get_columns (settings, n);
  const guint equations = columns > 0 ? MIN (columns, n) : n;
  const gboolean has_adaptive = member->adaptive != NULL && equations <= MOST_EQUATIONS;
  double low = INFINITY, high = -INFINITY, bearing = self->probe_bearing;
  double range = INFINITY;

  if (isnan (bearing) || isnan (self->probe_frequency) || n > MOST_ELEMENTS || block->far == NULL)
    return TRUE;

  const double nearest = rint (self->probe_frequency * settings->length / settings->rate) - settings->first_bin;
  const guint bin = (guint) CLAMP (nearest, 0, settings->n_bins - 1);
  const double frequency = es_beam_settings_get_frequency (settings, settings->first_bin + bin);
  const guint n_angles = choose_n_angles (settings, n);
  const guint n_eigenvalues = !has_adaptive || !eigenvalues ? 0 : block->eigenvalues != NULL ? block->n_eigenvalues
                              : equations <= MOST_EIGENVALUES ? equations : 0;
  g_autoptr (EsBeamProbe) probe = es_beam_probe_new (n_angles, n_eigenvalues, has_adaptive);
  g_autofree double *steering = g_try_new (double, 2 * (gsize) n);
  g_autofree double *plain = g_try_new (double, 2 * (gsize) n), *adaptive = g_try_new (double, 2 * (gsize) n);
  g_autofree EskFocus *foci = g_try_new (EskFocus, n_angles + 1);
  const EskAdaptivePlan plan = { .elements = n, .positions = geometry->positions,
                                 .sound_speed = settings->sound_speed };
  int code = ESK_OK;

  if (probe == NULL || steering == NULL || plain == NULL || adaptive == NULL || foci == NULL)
    return es_compute_error_no_memory (_("a beam pattern"), error);
  probe->bearing = bearing;
  probe->frequency = self->probe_frequency;
  probe->bin = bin;
  for (guint i = 0; i < settings->n_angles; i++)
    {
      low = MIN (low, settings->angles[i]);
      high = MAX (high, settings->angles[i]);
    }
  for (guint i = 0; i < n_angles; i++)
    probe->angles[i] = n_angles > 1 ? low + (high - low) * i / (n_angles - 1) : low;

  /* Far in the directions of the pattern, and of the bearing itself. */
  EsBeamSettings directions = *settings;
  directions.angles = probe->angles;
  directions.n_angles = n_angles;
  directions.ranges = &range;
  directions.n_ranges = 1;
  es_beam_foci_of_row (self->array, &directions, 0, foci);
  directions.angles = &bearing;
  directions.n_angles = 1;
  es_beam_foci_of_row (self->array, &directions, 0, foci + n_angles);

  esk_adaptive_steering (&plan, &foci[n_angles], frequency, steering);
  for (guint k = 0; k < 2 * n; k++)
    plain[k] = steering[k] * geometry->weights[k / 2] / geometry->sum;
  if (has_adaptive)
    {
      State state = { 0 };

      code = read_state (self, member, bin, &state);
      if (code == ESK_OK)
        code = esk_adaptive_weights (n, state.used, state.columns, state.weights, state.matrix, block->report.loading,
                                     steering, adaptive);
      if (code == ESK_OK && n_eigenvalues > 0 && block->eigenvalues == NULL)
        code = esk_adaptive_eigenvalues (n, state.used, state.columns, state.weights, state.matrix, n_eigenvalues,
                                         probe->eigenvalues);
      else if (code == ESK_OK && n_eigenvalues > 0)
        memcpy (probe->eigenvalues, block->eigenvalues + (gsize) bin * n_eigenvalues,
                n_eigenvalues * sizeof (double));
      clear_state (&state);
      /* Of silence there are no weights. */
      if (code == ESK_ERROR_SINGULAR)
        {
          g_clear_pointer (&probe->patterns[ES_BEAM_MVDR], g_free);
          probe->n_eigenvalues = 0;
        }
      else if (!es_device_check (member->device, member->stream, code, _("a beam pattern"), error))
        return FALSE;
    }
  for (guint i = 0; i < n_angles; i++)
    {
      esk_adaptive_steering (&plan, &foci[i], frequency, steering);
      probe->patterns[ES_BEAM_CBF][i] = (float) hear (plain, steering, n);
      if (probe->patterns[ES_BEAM_MVDR] != NULL)
        probe->patterns[ES_BEAM_MVDR][i] = (float) hear (adaptive, steering, n);
    }
  g_clear_pointer (&block->probe, es_beam_probe_free);
  block->probe = g_steal_pointer (&probe);
  return TRUE;
}
