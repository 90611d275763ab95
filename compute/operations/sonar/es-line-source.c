/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* One line of samples out of a recording: a beam, or an element. */

#include "es-line-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "beam/es-beam-settings.h"
#include "beam/es-beam-sound.h"
#include "base/es-error.h"

struct _EsLineSource
{
  EsRecording *recording;
  EsBeamSound *sound;          /* NULL: an element */
  EsCalibration *calibration;  /* nullable */
  guint        channel;
  double       gain;           /* to the recording's unit: calibration, and the element's own */
  guint64      first, frames;
  char        *title;

  EsElementHealth health;      /* of an element */
  guint        number;         /* its own */
  EsElementHealth *heard;      /* of a beam's elements, by all processes; NULL: by this one */

  float       *held;           /* samples of the last call */
  guint64      held_offset;
  guint        n_held;
};

static gboolean
find_stretch (EsRecording *recording, EsParams *params, guint64 *first, guint64 *frames, GError **error)
{
  /* It may be growing: of one length. */
  const guint64 all = es_recording_get_frames (recording);
  const double rate = es_recording_get_rate (recording), seconds = (double) all / rate;
  const double from = es_params_get_float (params, "from"), to = es_params_get_float (params, "to");
  const double end = to > 0 ? MIN (to, seconds) : seconds;
  const guint64 last = MIN ((guint64) floor (end * rate + 0.5), all);

  *first = (guint64) floor (MIN (from, seconds) * rate + 0.5);
  if (last <= *first)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("There is nothing to listen to from %.6g to %.6g s: the recording has %.6g s."), from, end,
                   seconds);
      return FALSE;
    }
  *frames = last - *first;
  return TRUE;
}

static gboolean
use_beam (EsLineSource *self, EsParams *params, EsArray *array, GError **error)
{
  const double bearing = g_ascii_strtod (es_params_get_text (params, "bearing"), NULL);
  const EsBeamAim aim = { .bearing = bearing, .elevation = es_params_get_float (params, "elevation"),
                          .true_bearing = NAN };

  if (array == NULL)
    {
      es_beam_settings_refuse_missing_array (self->recording, error);
      return FALSE;
    }
  self->sound = es_beam_sound_new (self->recording, array, es_params_get_choice (params, "shading"), aim, 0,
                                   error);
  self->title = g_strdup_printf (_("Beam at %g°"), bearing);
  if (self->sound == NULL)
    return FALSE;
  /* What the sound is of, should it be another one by now. */
  g_clear_pointer (&self->calibration, es_calibration_unref);
  if (es_beam_sound_get_calibration (self->sound) != NULL)
    self->calibration = es_calibration_ref (es_beam_sound_get_calibration (self->sound));
  return TRUE;
}

static gboolean
use_element (EsLineSource *self, EsParams *params, EsArray *array, GError **error)
{
  const guint element = (guint) es_params_get_int (params, "element") - 1;
  const guint n_channels = es_recording_get_n_channels (self->recording);
  const guint n = array != NULL ? es_array_get_n_elements (array) : n_channels;

  if (element >= n)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   g_dngettext (GETTEXT_PACKAGE, "There is no element %u: “%s” has %u.",
                                "There is no element %u: “%s” has %u.", n),
                   element + 1, es_dataset_get_name (ES_DATASET (self->recording)), n);
      return FALSE;
    }
  self->channel = array != NULL ? es_array_get_elements (array)[element].channel : element;
  self->number = element + 1;
  self->gain = array != NULL ? es_array_get_elements (array)[element].gain : 1;
  if (self->channel >= n_channels)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("The array hears channel %u, but “%s” has %u channels."), self->channel + 1,
                   es_dataset_get_name (ES_DATASET (self->recording)), n_channels);
      return FALSE;
    }
  if (!es_calibration_check_channel (self->calibration, self->channel, error))
    return FALSE;
  if (self->calibration != NULL)
    self->gain *= es_calibration_get_upa (self->calibration, self->channel);
  self->title = g_strdup_printf (_("Element %u"), element + 1);
  return TRUE;
}

EsLineSource *
es_line_source_new (EsRecording *recording, EsParams *params, GError **error)
{
  g_autoptr (EsLineSource) self = g_new0 (EsLineSource, 1);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const gboolean beam = *es_params_get_text (params, "bearing") != '\0';

  self->recording = g_object_ref (recording);
  self->calibration = es_recording_dup_calibration (recording);
  self->gain = 1;
  if (!find_stretch (recording, params, &self->first, &self->frames, error)
      || !(beam ? use_beam (self, params, array, error) : use_element (self, params, array, error)))
    return NULL;
  if (self->sound != NULL && self->calibration != NULL)
    self->gain *= es_beam_sound_get_full_scale (self->sound);
  return g_steal_pointer (&self);
}

void
es_line_source_free (EsLineSource *self)
{
  g_clear_pointer (&self->sound, es_beam_sound_free);
  g_clear_pointer (&self->calibration, es_calibration_unref);
  g_object_unref (self->recording);
  g_free (self->title);
  g_free (self->heard);
  g_free (self->held);
  g_free (self);
}

guint64
es_line_source_get_first (EsLineSource *self)
{
  return self->first;
}

guint64
es_line_source_get_frames (EsLineSource *self)
{
  return self->frames;
}

const char *
es_line_source_get_title (EsLineSource *self)
{
  return self->title;
}

void
es_line_source_warn (EsLineSource *self, EsResult *result)
{
  g_autoptr (EsArray) array = self->sound != NULL ? es_recording_get_array (self->recording) : NULL;
  g_autofree char *problem = es_recording_tell_missing_array (self->recording);
  const char *doubt = array != NULL ? es_array_get_doubt (array, es_recording_get_n_channels (self->recording)) : NULL;

  if (self->sound == NULL)
    es_element_health_warn (result, NULL, &self->health, 1, self->number);
  else
    es_element_health_warn (result, es_beam_sound_get_array (self->sound),
                            self->heard != NULL ? self->heard : es_beam_sound_get_health (self->sound),
                            es_array_get_n_elements (es_beam_sound_get_array (self->sound)), 1);
  g_autofree char *speed = array != NULL && self->sound != NULL ? es_array_warn_of_sound_speed (array) : NULL;

  if (doubt != NULL)
    es_result_add_warning (result, "%s", doubt);
  if (speed != NULL)
    es_result_add_warning (result, "%s", speed);
  if (problem != NULL)
    es_result_add_warning (result, "%s", problem);
  es_result_warn_of_growth (result, self->recording, es_result_get_params (result),
                            (double) (self->first + self->frames) / es_recording_get_rate (self->recording));
}

gboolean
es_line_source_share_health (EsLineSource *self, GError **error)
{
  if (self->sound == NULL)
    return es_element_health_share (&self->health, 1, error);
  const guint n = es_array_get_n_elements (es_beam_sound_get_array (self->sound));

  g_free (self->heard);
  self->heard = g_memdup2 (es_beam_sound_get_health (self->sound), n * sizeof *self->heard);
  return es_element_health_share (self->heard, n, error);
}

EsCalibration *
es_line_source_get_calibration (EsLineSource *self)
{
  return self->calibration;
}

const char *
es_line_source_get_reference (EsLineSource *self)
{
  return self->calibration == NULL ? _("full scale²") : "1 µPa²";
}

const char *
es_line_source_get_unit (EsLineSource *self)
{
  return self->calibration == NULL ? _("full scale") : "1 µPa";
}

static gboolean
read_new (EsLineSource *self, guint64 offset, guint n, float *out, GError **error)
{
  if (n == 0)
    return TRUE;
  /* The sound of a beam has the elements' gains in it; both are fractions of full scale. */
  if (self->sound != NULL)
    {
      if (!es_beam_sound_read (self->sound, self->first + offset, n, out, error))
        return FALSE;
    }
  else
    {
      if (!es_recording_read (self->recording, self->first + offset, n, self->channel, 1, out, error))
        return FALSE;
      es_element_health_add (&self->health, self->recording, out, n, 1);
    }
  for (guint i = 0; i < n; i++)
    out[i] = (float) (out[i] * self->gain);
  return TRUE;
}

gboolean
es_line_source_read (EsLineSource *self, guint64 offset, guint n, float *out, GError **error)
{
  guint known = 0;

  if (self->held != NULL && offset >= self->held_offset && offset < self->held_offset + self->n_held)
    {
      const guint skip = (guint) (offset - self->held_offset);

      known = MIN (self->n_held - skip, n);
      memcpy (out, self->held + skip, known * sizeof *out);
    }
  if (!read_new (self, offset + known, n - known, out + known, error))
    return FALSE;
  if (n > self->n_held)
    {
      g_free (self->held);
      self->held = g_try_new (float, n);
    }
  self->n_held = self->held != NULL ? n : 0;
  self->held_offset = offset;
  if (self->held != NULL)
    memcpy (self->held, out, n * sizeof *out);
  return TRUE;
}

double
es_line_plan_seconds (double flops, EsDevice *device)
{
  const double cpu_flops = 2e9, gpu_start_seconds = 0.5;

  return flops / cpu_flops + (es_device_is_cpu (device) ? 0 : gpu_start_seconds);
}

gboolean
es_line_source_estimate (EsRecording *recording, EsParams *params, double *frames, guint64 *bytes, double *flops)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const gboolean beam = *es_params_get_text (params, "bearing") != '\0';
  guint64 first, n;

  if (!find_stretch (recording, params, &first, &n, NULL) || (beam && array == NULL))
    return FALSE;
  *frames = (double) n;
  *bytes = n * es_recording_get_n_channels (recording) * esk_type_size (es_recording_get_type_code (recording));
  /* Every channel is transformed, turned and half of that overlaps. */
  *flops = beam ? (double) n * es_array_get_n_alive (array) * 2 * (2.5 * 13 + 8) : 0;
  return TRUE;
}

void
es_line_source_tell_work (EsLineSource *self, EsJob *job, EsParams *params, double operations, double share,
                          const char *less)
{
  double frames, flops;
  guint64 bytes;

  if (!es_line_source_estimate (self->recording, params, &frames, &bytes, &flops))
    return;
  es_job_add_work (job, NULL, &(EsStageWork) { .file_bytes = (double) bytes * share,
                                               .operations = (flops + operations) * share,
                                               .threads = 1, .on_host = TRUE, .less = less });
}
