/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Spectra of a stretch of a recording, and steered response powers of them. Samples come as float32 with their mean
 * taken away: hydrophones have an offset, which would leak into the lowest bins. Spectra stay where they are computed.
 */

#include "es-localize-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "base/es-error.h"

/* Bytes of samples, or of spectra, that are worked on at once; less where the run is limited. */
#define BATCH_BYTES ((guint64) 32 << 20)
#define BATCH_SHARE ((EsMemoryShare) { .of_limit = 8, .of_machine = 8 })
/* Samples that are read or gone through before it is asked whether they are still wanted: some milliseconds. */
#define PIECE_SAMPLES ((gsize) 1 << 19)
/* What the back ends keep of a beam at most, for each element; and of all beams at once. */
#define BEAM_BYTES 24
#define BEAMS_BYTES ((guint64) 64 << 20)
#define BEAMS_SHARE ((EsMemoryShare) { .of_limit = 8, .of_machine = 8 })
#define MOST_FOCI 16384u
#define FEWEST_FOCI 128
/* Elements x bins x snapshots x foci of one call. */
#define CPU_STEPS 3e8
#define GPU_STEPS 1e11
/* Of the largest bin of an element: what is below is not whitened up. */
#define WHITENING_FLOOR 1e-9f

struct _EsLocalizer
{
  EsRecording    *recording;
  EsArray        *array;
  EsLocalizeSettings settings;
  EsDevice       *device;
  const EskHotspots *hotspots;
  gboolean        on_cpu;
  EskStream      *stream;
  EsBeamGeometry *geometry;
  float          *window;

  guint           batch;               /* snapshots at once */
  guint           foci_at_once;
  float          *samples;             /* host: of a batch */
  gsize           samples_bytes, spectra_bytes;
  EsBuffer       *samples_on_device, *spectra_on_device, *powers_on_device;
  float          *spectra_on_host;     /* for whitening on a GPU */
  float          *band;                /* host */
  EskDft         *dft;
  guint           dft_snapshots;
  EsElementHealth *health;             /* of every channel */
  guint64         judged_to;           /* snapshots before it are in the health */
  guint64         held_from;           /* the first snapshot of the spectra that are there; G_MAXUINT64: none are */
  double          transform_seconds;
};

static guint
snapshots_at_once (guint n_channels, guint n_elements, const EsLocalizeSettings *settings, const EsLimits *limits)
{
  const guint64 bytes = MIN (BATCH_BYTES, es_limits_get_host_memory (limits, BATCH_SHARE));
  const guint64 samples = (guint64) settings->hop * n_channels * sizeof (float);
  const guint64 spectra = esk_spectra_bytes (n_elements, settings->bins, 1);
  const guint64 most = bytes / MAX (MAX (samples, spectra), 1);

  return (guint) CLAMP (most, 1, MIN (settings->snapshots, 65536));
}

static guint64
get_beams_bytes (const EsLimits *limits)
{
  return MIN (BEAMS_BYTES, es_limits_get_host_memory (limits, BEAMS_SHARE));
}

guint64
es_localizer_estimate (EsRecording *recording, EsArray *array, const EsLocalizeSettings *settings,
                       const EsLimits *limits)
{
  const guint n_channels = es_recording_get_n_channels (recording), alive = es_array_get_n_alive (array);
  const guint64 batch = snapshots_at_once (n_channels, alive, settings, limits);

  return ((batch - 1) * settings->hop + settings->window_length) * n_channels * sizeof (float)
         + batch * esk_spectra_bytes (alive, settings->bins, 1)
         + MIN (get_beams_bytes (limits), (guint64) MOST_FOCI * alive * BEAM_BYTES);
}

static gboolean
check (EsLocalizer *self, int code, const char *what, GError **error)
{
  if (code == ESK_OK)
    code = esk_hotspots_wait (self->hotspots, self->stream);
  return es_device_check (self->device, self->stream, code, what, error);
}

static gboolean
refuse_memory (guint64 bytes, GError **error)
{
  g_autofree char *size = g_format_size (bytes);

  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
               _("There is no memory for %s of samples or spectra; choose a shorter block or a narrower band."), size);
  return FALSE;
}

static gboolean
set_up (EsLocalizer *self, const EsLimits *limits, GError **error)
{
  const EsLocalizeSettings *settings = &self->settings;
  const guint n_channels = es_recording_get_n_channels (self->recording);
  const guint lanes = es_device_get_lanes (es_device_get_cpu ());

  self->geometry = es_beam_geometry_new_calibrated (self->array, ES_SHADING_NONE, 1, settings->calibration, error);
  if (self->geometry == NULL)
    return FALSE;
  self->batch = snapshots_at_once (n_channels, self->geometry->n, settings, limits);
  self->samples_bytes = (((gsize) self->batch - 1) * settings->hop + settings->window_length) * n_channels
                        * sizeof (float);
  self->spectra_bytes = esk_spectra_bytes (self->geometry->n, settings->bins, self->batch);
  self->foci_at_once = (guint) CLAMP (get_beams_bytes (limits) / ((guint64) self->geometry->n * BEAM_BYTES), 1,
                                      MOST_FOCI);
  /* What is cancelled ends, and what is computed moves on, about ten times a second. */
  self->foci_at_once = (guint) MIN (self->foci_at_once,
                                    MAX ((self->on_cpu ? CPU_STEPS : GPU_STEPS)
                                         / ((double) self->geometry->n * settings->bins * self->batch), FEWEST_FOCI));
  self->health = g_new0 (EsElementHealth, n_channels);
  self->samples = self->spectra_bytes > 0 ? g_try_malloc (self->samples_bytes) : NULL;
  self->band = g_new (float, self->foci_at_once);
  if (self->samples == NULL)
    return refuse_memory (self->samples_bytes + self->spectra_bytes, error);
  if (settings->window != ES_WINDOW_RECTANGULAR)
    {
      self->window = g_new (float, settings->window_length);
      es_window_fill (settings->window, self->window, settings->window_length);
    }

  self->stream = es_device_take_stream (self->device);
  if (self->stream == NULL)
    return es_device_check (self->device, NULL, es_device_is_lost (self->device) ? ESK_ERROR_LOST : ESK_ERROR_MEMORY,
                            _("a stream"), error);
  if (!self->on_cpu && (!ESK_HAS (self->hotspots, beam, dft_new) || !ESK_HAS (self->hotspots, beam, beams_new)))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("%s cannot form beams; choose the CPU."),
                   es_device_get_name (self->device));
      return FALSE;
    }
  if (self->on_cpu
      && !check (self, esk_hotspots_set_threads (self->hotspots, self->stream,
                                                 (int) (limits != NULL && limits->threads > 0
                                                        ? MIN (limits->threads, lanes) : lanes)),
                 _("threads"), error))
    return FALSE;

  self->spectra_on_device = es_buffer_new (self->device, self->spectra_bytes, error);
  if (self->spectra_on_device == NULL || self->on_cpu)
    return self->spectra_on_device != NULL;
  self->samples_on_device = es_buffer_new (self->device, self->samples_bytes, error);
  if (self->samples_on_device == NULL)
    return FALSE;
  self->powers_on_device = es_buffer_new (self->device, self->foci_at_once * sizeof (float), error);
  if (self->powers_on_device == NULL)
    return FALSE;
  if (settings->whitening == ES_WHITENING_NONE)
    return TRUE;
  self->spectra_on_host = g_try_malloc (self->spectra_bytes);
  return self->spectra_on_host != NULL || refuse_memory (self->spectra_bytes, error);
}

EsLocalizer *
es_localizer_new (EsRecording *recording, EsArray *array, const EsLocalizeSettings *settings, EsDevice *device,
                  const EsLimits *limits, GError **error)
{
  g_autoptr (EsLocalizer) self = g_new0 (EsLocalizer, 1);

  self->recording = g_object_ref (recording);
  self->array = es_array_ref (array);
  self->settings = *settings;
  /* Of several GPUs one does: what has to be divided is small. */
  self->device = es_device_get_member (device, 0);
  self->on_cpu = es_device_is_cpu (self->device);
  self->hotspots = es_device_get_hotspots (self->device);
  self->held_from = G_MAXUINT64;
  return set_up (self, limits, error) ? g_steal_pointer (&self) : NULL;
}

void
es_localizer_free (EsLocalizer *self)
{
  /* Nothing is freed that a card may still work on. */
  if (self->stream != NULL)
    esk_hotspots_wait (self->hotspots, self->stream);
  if (self->dft != NULL)
    self->hotspots->beam->dft_free (self->dft);
  g_clear_pointer (&self->samples_on_device, es_buffer_unref);
  g_clear_pointer (&self->spectra_on_device, es_buffer_unref);
  g_clear_pointer (&self->powers_on_device, es_buffer_unref);
  if (self->stream != NULL && self->on_cpu)
    /* Pooled streams have one thread. */
    esk_hotspots_set_threads (self->hotspots, self->stream, 1);
  es_device_give_stream (self->device, self->stream);
  g_clear_pointer (&self->geometry, es_beam_geometry_free);
  g_free (self->samples);
  g_free (self->health);
  g_free (self->spectra_on_host);
  g_free (self->band);
  g_free (self->window);
  es_array_unref (self->array);
  g_object_unref (self->recording);
  g_free (self);
}

/* ---- spectra ---- */

/* In pieces, between which it may be cancelled. */
static gboolean
read_samples (EsLocalizer *self, guint64 first, gsize frames, GCancellable *cancellable, GError **error)
{
  const guint n_channels = es_recording_get_n_channels (self->recording);
  const gsize most = MAX (PIECE_SAMPLES / n_channels, 1);

  for (gsize from = 0; from < frames; from += most)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !es_recording_read (self->recording, first + from, MIN (most, frames - from), 0, n_channels,
                               self->samples + from * n_channels, error))
      return FALSE;

  return TRUE;
}

static gboolean
judge_elements (EsLocalizer *self, gsize frames, GCancellable *cancellable, GError **error)
{
  const guint n_channels = es_recording_get_n_channels (self->recording);

  for (guint k = 0; k < n_channels; k++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      es_element_health_add (&self->health[k], self->recording, self->samples + k, frames, n_channels);
    }

  return TRUE;
}

/* A channel's samples that are no numbers are left to the transform, which counts them as 0. Channels lie side by side,
 * so all of them are gone through at once. */
static gboolean
remove_means (EsLocalizer *self, gsize frames, GCancellable *cancellable, GError **error)
{
  const guint n_channels = es_recording_get_n_channels (self->recording);
  const gsize most = MAX (PIECE_SAMPLES / n_channels, 1);
  g_autofree double *sums = g_new0 (double, n_channels);
  g_autofree gsize *counts = g_new0 (gsize, n_channels);
  g_autofree float *means = g_new (float, n_channels);

  for (gsize i = 0; i < frames; i++)
    {
      const float *samples = self->samples + i * n_channels;

      if (i % most == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint k = 0; k < n_channels; k++)
        if (isfinite (samples[k]))
          {
            sums[k] += samples[k];
            counts[k]++;
          }
    }
  for (guint k = 0; k < n_channels; k++)
    means[k] = counts[k] > 0 ? (float) (sums[k] / counts[k]) : 0;
  for (gsize i = 0; i < frames; i++)
    {
      float *samples = self->samples + i * n_channels;

      if (i % most == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (guint k = 0; k < n_channels; k++)
        samples[k] -= means[k];
    }

  return TRUE;
}

/* Every element's snapshot gets the same power as the mean of all has, or every bin of it the same as each other. */
static void
whiten (EsLocalizer *self, float *values, guint snapshots)
{
  const gsize n = self->geometry->n, stride = esk_spectra_stride (n), bins = self->settings.bins;
  g_autofree double *powers = g_new (double, n);
  g_autofree float *largest = g_new (float, n);

  for (guint s = 0; s < snapshots; s++)
    {
      double mean = 0;

      memset (powers, 0, n * sizeof *powers);
      memset (largest, 0, n * sizeof *largest);
      for (gsize b = 0; b < bins; b++)
        for (gsize k = 0; k < n; k++)
          {
            const float *real = values + (b * snapshots + s) * 2 * stride + k, *imaginary = real + stride;
            const float power = *real * *real + *imaginary * *imaginary;

            powers[k] += power;
            largest[k] = fmaxf (largest[k], power);
          }
      for (gsize k = 0; k < n; k++)
        mean += powers[k] / n;
      for (gsize b = 0; b < bins; b++)
        for (gsize k = 0; k < n; k++)
          {
            float *real = values + (b * snapshots + s) * 2 * stride + k, *imaginary = real + stride;
            const float power = *real * *real + *imaginary * *imaginary;
            const double from = self->settings.whitening == ES_WHITENING_PHASE ? power * (double) bins : powers[k];
            const float factor = from > 0 && power >= WHITENING_FLOOR * largest[k] ? (float) sqrt (mean / from) : 0;

            *real *= factor;
            *imaginary *= factor;
          }
    }
}

static gboolean
prepare_transform (EsLocalizer *self, guint snapshots, GError **error)
{
  const EsLocalizeSettings *settings = &self->settings;
  int code = ESK_OK;
  const EskDftPlan plan = {
    .length = settings->length, .window_length = settings->window_length, .hop = settings->hop,
    .snapshots = snapshots, .window = self->window, .first_bin = settings->first_bin, .bins = settings->bins,
    .elements = self->geometry->n, .channels = self->geometry->channels, .gains = self->geometry->gains,
    .library = ESK_DFT_AUTO,
  };

  if (self->dft != NULL && self->dft_snapshots == snapshots)
    return TRUE;
  if (self->dft != NULL)
    self->hotspots->beam->dft_free (g_steal_pointer (&self->dft));
  self->dft = self->hotspots->beam->dft_new (self->stream, &plan, &code);
  self->dft_snapshots = snapshots;
  return self->dft != NULL || es_device_check (self->device, self->stream, code != ESK_OK ? code : ESK_ERROR_MEMORY,
                                               _("the transforms"), error);
}

/* Snapshots from .. + n as spectra on the device. */
static gboolean
transform (EsLocalizer *self, guint64 from, guint n, EskSpectra *spectra, GCancellable *cancellable, GError **error)
{
  const EsLocalizeSettings *settings = &self->settings;
  const guint n_channels = es_recording_get_n_channels (self->recording);
  const gsize count = ((gsize) n - 1) * settings->hop + settings->window_length;
  const gint64 start = g_get_monotonic_time ();
  EskFrames frames = { .data = self->samples, .type = ESK_F32, .frames = count, .channels = n_channels,
                       .frame_stride = n_channels, .channel_stride = 1 };

  *spectra = (EskSpectra) { .values = es_buffer_get_data (self->spectra_on_device), .elements = self->geometry->n,
                            .stride = esk_spectra_stride (self->geometry->n), .bins = settings->bins,
                            .snapshots = n };
  /* Foci after foci are given the same spectra. */
  if (self->held_from == from)
    return TRUE;
  self->held_from = G_MAXUINT64;
  if (!read_samples (self, settings->first + from * settings->hop, count, cancellable, error)
      || !prepare_transform (self, n, error)
      || (from >= self->judged_to && !judge_elements (self, count, cancellable, error))
      || !remove_means (self, count, cancellable, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  self->judged_to = MAX (self->judged_to, from + n);
  if (!self->on_cpu)
    {
      frames.data = es_buffer_get_data (self->samples_on_device);
      if (!check (self, self->hotspots->device->upload (self->stream, es_buffer_get_data (self->samples_on_device),
                                                        self->samples, count * n_channels * sizeof (float)),
                  _("copying samples"), error))
        return FALSE;
    }
  if (!check (self, self->hotspots->beam->real_dft (self->stream, self->dft, &frames, spectra, NULL),
              _("the transforms"), error))
    return FALSE;
  if (settings->whitening != ES_WHITENING_NONE)
    {
      const gsize bytes = esk_spectra_bytes (self->geometry->n, settings->bins, n);

      if (!self->on_cpu && !check (self, self->hotspots->device->download (self->stream, self->spectra_on_host, bytes,
                                                                           spectra->values, bytes, bytes, 1),
                                   _("copying spectra"), error))
        return FALSE;
      whiten (self, self->on_cpu ? spectra->values : self->spectra_on_host, n);
      if (!self->on_cpu && !check (self, self->hotspots->device->upload (self->stream, spectra->values,
                                                                         self->spectra_on_host,
                                                                         bytes), _("copying spectra"), error))
        return FALSE;
    }
  self->held_from = from;
  self->transform_seconds += (g_get_monotonic_time () - start) * 1e-6;
  return TRUE;
}

/* ---- beams ---- */

static gboolean
form_beams (EsLocalizer *self, const EskSpectra *spectra, const EskFocus *foci, gsize n, GError **error)
{
  const EsLocalizeSettings *settings = &self->settings;
  const EsBeamGeometry *geometry = self->geometry;
  const double squared = geometry->sum * geometry->sum;
  const double bin_spacing = settings->rate / settings->length;
  const EskBeamPlan plan = {
    .elements = geometry->n, .positions = geometry->positions, .n_foci = n, .foci = foci,
    .sound_speed = settings->sound_speed, .first_frequency = settings->first_bin * bin_spacing,
    .bin_spacing = bin_spacing, .bins = settings->bins,
    .normalisation = 1 / (settings->remove_diagonal ? squared - geometry->sum_of_squares : squared),
    .amplitude = 1 / geometry->sum, .remove_diagonal = settings->remove_diagonal,
  };
  int code = ESK_OK;
  EskBeams *beams = self->hotspots->beam->beams_new (self->stream, &plan, &code);
  gboolean done;

  if (beams == NULL)
    return es_device_check (self->device, self->stream, code != ESK_OK ? code : ESK_ERROR_MEMORY,
                            _("the beams"), error);
  float *band = self->on_cpu ? self->band : es_buffer_get_data (self->powers_on_device);
  done = check (self, self->hotspots->beam->beam_power (self->stream, beams, spectra, 0, NULL, band), _("the beams"),
                error)
         && (self->on_cpu || check (self, self->hotspots->device->download (self->stream, self->band,
                                                                            n * sizeof (float), band,
                                                                            n * sizeof (float), n * sizeof (float), 1),
                                    _("copying powers"), error));
  self->hotspots->beam->beams_free (beams);
  return done;
}

gboolean
es_localizer_run (EsLocalizer *self, const EskFocus *foci, gsize n, float *powers,
                  void (*progress) (double fraction, gpointer data), gpointer data, GCancellable *cancellable,
                  GError **error)
{
  const guint64 snapshots = self->settings.snapshots, batches = (snapshots - 1) / self->batch + 1;
  g_autofree double *sums = g_try_new0 (double, MAX (n, 1));

  if (sums == NULL)
    return refuse_memory (n * sizeof (double), error);
  for (guint64 i = 0; i < batches; i++)
    {
      const guint64 from = i * self->batch;
      const guint count = (guint) MIN (self->batch, snapshots - from);
      EskSpectra spectra;

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !transform (self, from, count, &spectra, cancellable, error))
        return FALSE;
      for (gsize first = 0; first < n; first += self->foci_at_once)
        {
          const gsize m = MIN (self->foci_at_once, n - first);

          if (g_cancellable_set_error_if_cancelled (cancellable, error)
              || !form_beams (self, &spectra, foci + first, m, error))
            return FALSE;
          for (gsize k = 0; k < m; k++)
            sums[first + k] += (double) self->band[k] * count;
          if (progress != NULL)
            progress ((i + (double) (first + m) / n) / batches, data);
        }
    }
  for (gsize k = 0; k < n; k++)
    powers[k] = (float) (sums[k] / snapshots);
  return TRUE;
}

EsElementHealth *
es_localizer_dup_health (EsLocalizer *self)
{
  const EsElement *elements = es_array_get_elements (self->array);
  const guint n = es_array_get_n_elements (self->array), n_channels = es_recording_get_n_channels (self->recording);
  EsElementHealth *health = g_new0 (EsElementHealth, n);

  for (guint i = 0; i < n; i++)
    if (elements[i].channel < n_channels)
      health[i] = self->health[elements[i].channel];
  return health;
}

double
es_localizer_get_transform_seconds (EsLocalizer *self)
{
  return self->transform_seconds;
}
