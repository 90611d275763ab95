/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-raw-preview.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "readers/es-open.h"

void
es_raw_preview_free (EsRawPreview *self)
{
  if (self == NULL)
    return;
  g_clear_object (&self->recording);
  g_free (self->samples);
  g_free (self->peaks);
  g_free (self->levels);
  g_free (self->doubt);
  g_free (self);
}

/* Neighbouring samples that have nothing in common, and loud: sound is not like that, bytes taken wrongly are. */
static gboolean
is_noise (const float *samples, guint n, double level)
{
  double mean = 0, variance = 0, steps = 0;

  if (level < -12 || n < 16)
    return FALSE;
  for (guint i = 0; i < n; i++)
    mean += samples[i];
  mean /= n;
  for (guint i = 0; i < n; i++)
    {
      variance += (samples[i] - mean) * (samples[i] - mean);
      if (i > 0)
        steps += (samples[i] - samples[i - 1]) * (samples[i] - samples[i - 1]);
    }
  /* 2 for white noise, far less for what is sampled often enough, up to 4 for what changes its sign each time. */
  return variance > 0 && steps / variance > 1.2;
}

static void
doubt (EsRawPreview *self, guint n_noise, guint n_huge, guint n_silent)
{
  if (n_huge > 0)
    self->doubt = g_strdup (_("Numbers that no sound has: the type, the byte order or the offset is probably wrong."));
  else if (2 * n_noise >= self->n_channels && n_noise > 0)
    self->doubt = g_strdup (_("This looks like noise at full scale: the type, the byte order or the offset is probably "
                              "wrong."));
  else if (n_silent == self->n_channels)
    self->doubt = g_strdup (_("There is silence at this place."));
}

EsRawPreview *
es_raw_preview_of (EsDataset *recording, const float *samples, guint n_channels, guint n_frames)
{
  EsRawPreview *self = g_new0 (EsRawPreview, 1);
  guint n_noise = 0, n_huge = 0, n_silent = 0;

  g_set_object (&self->recording, recording);
  self->n_channels = n_channels;
  self->n_frames = n_frames;
  self->samples = g_memdup2 (samples, (gsize) n_channels * n_frames * sizeof (float));
  self->peaks = g_new0 (double, MAX (n_channels, 1));
  self->levels = g_new0 (double, MAX (n_channels, 1));
  for (guint c = 0; c < n_channels; c++)
    {
      const float *channel = self->samples + (gsize) c * n_frames;
      double squares = 0;
      gboolean finite = TRUE;

      for (guint i = 0; i < n_frames; i++)
        {
          finite &= isfinite (channel[i]) != 0;
          self->peaks[c] = fmax (self->peaks[c], fabs (channel[i]));
          squares += (double) channel[i] * channel[i];
        }
      self->levels[c] = 10 * log10 (squares / MAX (n_frames, 1));
      if (!finite || self->peaks[c] > 1e9 || (self->peaks[c] > 0 && self->peaks[c] < 1e-20))
        n_huge++;
      else if (self->peaks[c] == 0)
        n_silent++;
      else if (is_noise (channel, n_frames, self->levels[c]))
        n_noise++;
    }
  doubt (self, n_noise, n_huge, n_silent);
  return self;
}

EsRawPreview *
es_raw_preview_new (GFile *file, const EsRawSamples *samples, double place, GCancellable *cancellable, GError **error)
{
  const EsOpenOptions options = { .samples = *samples };
  g_autoptr (EsDataset) dataset = es_dataset_open (file, &options, cancellable, error);
  g_autofree float *frames = NULL;
  g_autofree float *channels = NULL;
  EsRecording *recording;
  guint64 first, last;
  guint n, n_channels;

  if (dataset == NULL)
    return NULL;
  if (!ES_IS_RECORDING (dataset))
    {
      g_autofree char *name = es_error_file_name (file);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not a recording."), name);
      return NULL;
    }
  recording = ES_RECORDING (dataset);
  n = (guint) MIN (es_recording_get_frames (recording), ES_RAW_PREVIEW_FRAMES);
  n_channels = MIN (es_recording_get_n_channels (recording), ES_RAW_PREVIEW_CHANNELS);
  last = es_recording_get_frames (recording) - n;
  first = MIN ((guint64) (CLAMP (place, 0, 1) * (double) last), last);
  frames = g_new (float, (gsize) n * n_channels);
  if (!es_recording_read (recording, first, n, 0, n_channels, frames, error))
    return NULL;
  channels = g_new (float, (gsize) n * n_channels);
  for (guint i = 0; i < n; i++)
    for (guint c = 0; c < n_channels; c++)
      channels[(gsize) c * n + i] = frames[(gsize) i * n_channels + c];
  return es_raw_preview_of (dataset, channels, n_channels, n);
}
