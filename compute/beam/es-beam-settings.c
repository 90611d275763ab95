/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-params-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-beam-grid-internal.h"
#include "es-beam-settings-private.h"

/* The automatic band, as shares of the frequency at which neighbours are half a wavelength apart: 320 to 480 Hz at
 * 1.5 m and 1,500 m/s, as published. */
#define AUTOMATIC_LOW 0.64
#define AUTOMATIC_HIGH 0.96
#define LEAST_SOUND_SPEED 10.0
#define MOST_TRANSFORM (1 << 26)

const EsParamChoice es_beam_range_kind_choices[] = {
  { .id = "perpendicular", .label = N_("Perpendicular distance") },
  { .id = "slant", .label = N_("Slant range") },
  { .id = NULL }
};

const EsParamChoice es_beam_window_choices[] = {
  { .id = "rectangular", .label = N_("Rectangular") },
  { .id = "hann", .label = N_("Hann") },
  { .id = "hamming", .label = N_("Hamming") },
  { .id = "blackman", .label = N_("Blackman") },
  { .id = NULL }
};

const EsParamChoice es_beam_shading_choices[] = {
  { .id = "none", .label = N_("None") },
  { .id = "hann", .label = N_("Hann") },
  { .id = "hamming", .label = N_("Hamming") },
  { .id = "chebyshev", .label = N_("Chebyshev (−40 dB)") },
  { .id = NULL }
};

const EsParamChoice es_beam_diagonal_choices[] = {
  { .id = "keep", .label = N_("Kept") },
  { .id = "remove", .label = N_("Removed") },
  { .id = NULL }
};

const EsParamChoice es_beam_library_choices[] = {
  { .id = "auto", .label = N_("Automatic") },
  { .id = "single", .label = N_("One at a time") },
  { .id = "many", .label = N_("Many at a time") },
  { .id = NULL }
};

const EsParamSpec es_beam_params[] = {
  ES_BEAM_PARAMS,
  { .type = ES_PARAM_END }
};

const EsParamSpec es_adaptive_params[] = {
  ES_ADAPTIVE_PARAMS,
  { .type = ES_PARAM_END }
};

static gboolean
refuse (GError **error, char *message)
{
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, message);
  g_free (message);
  return FALSE;
}

/* Tables have what they need of the rows. */
static gboolean
has_row (EsParams *params, const char *key)
{
  return es_param_specs_find (es_params_get_specs (params), key) != NULL;
}

/* ---- time ---- */

static guint
next_power_of_two (guint n)
{
  guint power = 2;

  while (power < n)
    power *= 2;
  return power;
}

static gboolean
set_block (EsBeamSettings *self, EsParams *params, guint64 frames, GError **error)
{
  const guint transform = es_params_get_int (params, "transform");
  const double stride = 1 - es_params_get_float (params, "overlap");

  if (!es_parse_block (es_params_get_text (params, "block"), self->rate, &self->block, error))
    return FALSE;
  if (self->block > frames)
    return refuse (error, g_strdup_printf (_("A block of %.6g s (%u samples) is longer than the recording, which has "
                                             "%.6g s (%llu samples)."),
                                           self->block / self->rate, self->block, frames / self->rate,
                                           (unsigned long long) frames));

  self->snapshots = es_params_get_int (params, "snapshots");
  self->window_length = (guint) (self->block / (1 + (self->snapshots - 1) * stride));
  self->hop = MAX ((guint) (self->window_length * stride), 1);
  if (self->snapshots > 1)
    {
      /* Rounded up, the hop may lead past the block. */
      self->hop = MIN (self->hop, MAX ((self->block - self->window_length) / (self->snapshots - 1), 1));
      if (self->block - self->window_length < self->snapshots - 1)
        self->window_length = self->block > self->snapshots ? self->block - (self->snapshots - 1) : 0;
    }
  if (self->window_length < 2)
    return refuse (error, g_strdup_printf (_("A block of %u samples cannot be divided into %u snapshots: at most %u "
                                             "are possible."), self->block, self->snapshots, self->block / 2));

  self->length = transform != 0 ? transform : next_power_of_two (self->window_length);
  if (self->length < self->window_length || self->length % 2 != 0 || self->length > MOST_TRANSFORM)
    return refuse (error, g_strdup_printf (_("A transform of %u samples does not fit: expected an even number of at "
                                             "least %u, the samples of a snapshot."), self->length,
                                             self->window_length));
  return TRUE;
}

/* ---- frequency ---- */

typedef struct
{
  double low, high;
} Band;

static gboolean
read_band (EsParams *params, const char *key, double nyquist, Band *band, GError **error)
{
  if (!es_parse_band (es_params_get_text (params, key), &band->low, &band->high, error))
    return FALSE;
  if (band->high <= nyquist)
    return TRUE;
  return refuse (error, g_strdup_printf (_("The band from %.6g to %.6g Hz reaches above %.6g Hz, half of the "
                                           "sampling rate: expected one from 0 to %.6g Hz."), band->low, band->high,
                                           nyquist, nyquist));
}

/* The bins whose neighbourhood the band touches: 327 to 492 for 320 to 480 Hz at 8,000 Hz and 8,192 samples. */
static void
bins_of_band (const EsBeamSettings *self, Band band, guint *first, guint *n)
{
  const double spacing = self->rate / self->length;
  const guint highest = self->length / 2;
  /* A frequency of a bin is that bin, whatever the rounding. */
  const guint low = MIN ((guint) floor (band.low / spacing + 1e-9), highest);
  const guint high = MIN ((guint) ceil (band.high / spacing - 1e-9), highest);

  *first = low;
  *n = MAX (high, low) - low + 1;
}

static Band
automatic_band (EsArray *array, double sound_speed, double nyquist)
{
  const double spacing = es_array_get_spacing (array);
  const double design = spacing > 0 ? MIN (sound_speed / (2 * spacing), nyquist) : nyquist;

  return (Band) { AUTOMATIC_LOW * design, AUTOMATIC_HIGH * design };
}

static gboolean
set_bands (EsBeamSettings *self, EsParams *params, EsArray *array, GError **error)
{
  const double nyquist = self->rate / 2;
  Band cbf, lofar;

  if (*es_params_get_text (params, "band") == '\0')
    cbf = automatic_band (array, self->sound_speed, nyquist);
  else if (!read_band (params, "band", nyquist, &cbf, error))
    return FALSE;
  bins_of_band (self, cbf, &self->cbf_first, &self->cbf_bins);

  if (!has_row (params, "lofar-band"))
    {
      self->lofar_first = self->cbf_first;
      self->lofar_bins = self->cbf_bins;
    }
  else if (*es_params_get_text (params, "lofar-band") != '\0')
    {
      if (!read_band (params, "lofar-band", nyquist, &lofar, error))
        return FALSE;
      bins_of_band (self, lofar, &self->lofar_first, &self->lofar_bins);
    }
  else
    {
      /* All that is kept of a beam: lines below the beams' band, and those in it. */
      bins_of_band (self, (Band) { cbf.low / 10, cbf.high }, &self->lofar_first, &self->lofar_bins);
      if (self->lofar_first == 0 && self->cbf_first > 0)
        {
          self->lofar_first = 1;
          self->lofar_bins--;
        }
    }

  self->first_bin = MIN (self->cbf_first, self->lofar_first);
  self->n_bins = MAX (self->cbf_first + self->cbf_bins, self->lofar_first + self->lofar_bins) - self->first_bin;
  return TRUE;
}

/* ---- space ---- */

static gboolean
set_directions (EsBeamSettings *self, EsParams *params, EsArray *array, GError **error)
{
  const gboolean line = es_array_is_line (array);
  const char *angles = es_params_get_text (params, "angles");

  self->line = line;
  if (*angles == '\0')
    self->angles = es_beam_grid_new (array, es_beam_settings_get_highest (self), self->sound_speed,
                                     has_row (params, "loading"), &self->n_angles);
  else if (!es_parse_angles (angles, &self->angles, &self->n_angles, error))
    return FALSE;
  if (!es_parse_ranges (es_params_get_text (params, "ranges"), &self->ranges, &self->n_ranges, error))
    return FALSE;

  self->range_kind = line ? (EsRangeKind) es_params_get_choice (params, "range-kind") : ES_RANGE_SLANT;
  for (guint i = 0; line && i < self->n_angles; i++)
    {
      const double angle = self->angles[i];
      if (angle < 0 || angle > 180)
        return refuse (error, g_strdup_printf (_("A line of elements cannot look at %g°: its angles are counted from "
                                                 "its axis, from 0 to 180°."), angle));
    }
  return TRUE;
}

static gboolean
check_channels (EsRecording *recording, EsArray *array, GError **error)
{
  const EsElement *elements = es_array_get_elements (array);
  const guint channels = es_recording_get_n_channels (recording);

  if (es_array_get_n_alive (array) == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("Every element of the array is marked dead: expected at least one that can be heard."));
      return FALSE;
    }
  for (guint k = 0; k < es_array_get_n_elements (array); k++)
    if (!elements[k].dead && elements[k].channel >= channels)
      {
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     ngettext ("Element %u of the array has channel %u, but the recording has only %u channel, counted "
                               "from 0.",
                               "Element %u of the array has channel %u, but the recording has only %u channels, "
                               "counted from 0.", channels),
                     k + 1, elements[k].channel, channels);
        return FALSE;
      }
  return TRUE;
}

void
es_beam_settings_refuse_missing_array (EsRecording *recording, GError **error)
{
  g_autofree char *problem = es_recording_tell_missing_array (recording);

  if (problem != NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("The array is not described, which beams need. %s"), problem);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("Nothing is known of the array: beams need the places of its elements, as in “line:%u,1.5”."),
                 es_recording_get_n_channels (recording));
}

EsBeamSettings *
es_beam_settings_new (EsParams *params, EsRecording *recording, EsArray *array, GError **error)
{
  g_autoptr (EsBeamSettings) self = g_new0 (EsBeamSettings, 1);
  const double told = es_params_get_float (params, "sound-speed");

  if (array == NULL)
    {
      es_beam_settings_refuse_missing_array (recording, error);
      return NULL;
    }
  if (!check_channels (recording, array, error))
    return NULL;
  if (told != 0 && told < LEAST_SOUND_SPEED)
    {
      refuse (error, g_strdup_printf (_("The parameter “%s” cannot be “%g”: expected %s."), "sound-speed", told,
                                      _("metres a second, about 1500 in water")));
      return NULL;
    }

  self->rate = es_recording_get_rate (recording);
  self->sound_speed = told != 0 ? told : es_array_get_sound_speed (array);
  self->window = es_params_get_choice (params, "window");
  if (has_row (params, "shading"))
    self->shading = es_params_get_choice (params, "shading");
  if (has_row (params, "diagonal"))
    self->remove_diagonal = es_params_get_choice (params, "diagonal") == 1;
  self->library = es_params_get_choice (params, "library");
  if (!set_block (self, params, es_recording_get_frames (recording), error)
      || !set_bands (self, params, array, error)
      || !set_directions (self, params, array, error))
    return NULL;
  if (has_row (params, "loading")
      && !es_adaptive_settings_read (self, params, es_array_get_n_alive (array), error))
    return NULL;
  es_beam_grid_judge (self, array);
  return g_steal_pointer (&self);
}

EsBeamSettings *
es_beam_settings_copy (const EsBeamSettings *self)
{
  EsBeamSettings *copy = g_memdup2 (self, sizeof *self);

  copy->angles = g_memdup2 (self->angles, sizeof (double) * self->n_angles);
  copy->ranges = g_memdup2 (self->ranges, sizeof (double) * self->n_ranges);
  return copy;
}

void
es_beam_settings_free (EsBeamSettings *self)
{
  g_free (self->angles);
  g_free (self->ranges);
  g_free (self);
}

double
es_beam_settings_get_frequency (const EsBeamSettings *self, guint bin)
{
  return bin * self->rate / self->length;
}

double
es_beam_settings_get_highest (const EsBeamSettings *self)
{
  return es_beam_settings_get_frequency (self, self->first_bin + MAX (self->n_bins, 1) - 1);
}

guint
es_beam_settings_find_far (const EsBeamSettings *self)
{
  for (guint i = 0; i < self->n_ranges; i++)
    if (isinf (self->ranges[i]))
      return i;
  return self->n_ranges;
}

char *
es_beam_settings_name_range (const EsBeamSettings *self, guint row)
{
  g_return_val_if_fail (row < self->n_ranges, NULL);

  if (isinf (self->ranges[row]))
    return g_strdup (_("far"));
  if (self->range_kind == ES_RANGE_SLANT)
    return g_strdup_printf (_("slant range %.6g m"), self->ranges[row]);
  return g_strdup_printf (_("perpendicular distance %.6g m"), self->ranges[row]);
}

EsBeamCurve
es_beam_settings_get_curve (const EsBeamSettings *self, EsBeamKind kind, const float *powers, const float *spectra)
{
  return (EsBeamCurve) {
    .angles = self->angles, .powers = powers, .n = self->n_angles, .line = self->line, .fine = self->angles_fine,
    .reciprocal = kind != ES_BEAM_CBF,
    .spectra = kind == ES_BEAM_MVDR && spectra != NULL ? spectra + (self->cbf_first - self->first_bin) : NULL,
    .n_bins = self->cbf_bins, .stride = self->n_bins, .row = es_beam_settings_find_far (self),
  };
}
