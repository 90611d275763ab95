/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Pieces of a recording into powers and cross-spectra of neighbours, each piece read once. They are summed in groups,
 * and those in their order, so that the totals are the same bytes for any number of processes.
 */

#include "es-health-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"
#include "es-element-health-private.h"
#include "ranks/es-ranks-internal.h"
#include "signal/es-taper.h"

/* So many equal samples in a row are a converter that stands still. */
#define HELD 32
/* Frames of all channels that stay in the processor's cache while each channel is gone through. */
#define CHUNK 64
#define MOST_GROUPS 64u
/* Sums of groups that processes tell each other at once; of what a run may take, a share. */
#define ROUND_BYTES ((guint64) 64 << 20)
#define ROUND_SHARE 8

/* The sample before, and how many in a row it is. */
typedef struct
{
  float last;
  guint length;
} Held;

typedef struct
{
  EsHealth          *health;
  EsJob             *job;
  EsDevice          *cpu;
  const EskHotspots *hotspots;
  EskStream         *stream;
  EskDft            *dft;
  EsBuffer          *spectra;
  float             *samples;
  Held              *held;     /* one an element */
  guint              groups;
  guint              heard;    /* pieces, by this process */
} Ear;

/* Of a group of pieces, and of all. */
typedef struct
{
  double        *powers, *cross;
  EsHealthCount *counts;
} Sums;

static gsize
sums_bytes (const EsHealth *self)
{
  return ((gsize) self->settings.n + 2 * (gsize) self->n_pairs) * self->settings.bins * sizeof (double)
         + self->settings.n * sizeof (EsHealthCount);
}

/* One after the other. */
static Sums
sums_at (const EsHealth *self, gpointer memory)
{
  double *powers = memory, *cross = powers + (gsize) self->settings.n * self->settings.bins;

  return (Sums) { powers, cross, (EsHealthCount *) (cross + 2 * (gsize) self->n_pairs * self->settings.bins) };
}

static void
count_samples (EsHealthCount *self, Held *held, const float *samples, gsize n, gsize step)
{
  for (gsize i = 0; i < n; i++)
    {
      const float value = samples[i * step];

      held->length = value == held->last ? held->length + 1 : 0;
      self->held += held->length == HELD ? HELD : held->length > HELD;
      held->last = value;
      self->zero += value == 0;
      self->sum += isfinite (value) ? value : 0;
    }
}

static void
count (EsHealth *self, Held *held, EsHealthCount *counts, const float *samples)
{
  const EsHealthSettings *settings = &self->settings;
  const guint n_channels = es_recording_get_n_channels (self->recording);

  for (guint i = 0; i < settings->n; i++)
    held[i] = (Held) { NAN, 0 };
  for (gsize frame = 0; frame < settings->length; frame += CHUNK)
    for (guint i = 0; i < settings->n; i++)
      {
        const gsize n = MIN (CHUNK, settings->length - frame);
        const float *from = samples + frame * n_channels + self->channels[i];

        if (self->channels[i] >= n_channels)
          continue;
        es_element_health_add (&counts[i].health, self->recording, from, n, n_channels);
        count_samples (&counts[i], &held[i], from, n, n_channels);
      }
}

static void
add_spectra (EsHealth *self, const Sums *sums, const EskSpectra *spectra)
{
  const guint bins = self->settings.bins;

  for (guint b = 0; b < bins; b++)
    {
      const float *real = spectra->values + (gsize) b * 2 * spectra->stride, *imaginary = real + spectra->stride;

      for (guint i = 0; i < self->settings.n; i++)
        sums->powers[(gsize) i * bins + b] += (double) real[i] * real[i] + (double) imaginary[i] * imaginary[i];
      for (guint p = 0; p < self->n_pairs; p++)
        {
          const guint a = self->pairs[p].a, c = self->pairs[p].b;
          double *sum = sums->cross + 2 * ((gsize) p * bins + b);

          sum[0] += (double) real[a] * real[c] + (double) imaginary[a] * imaginary[c];
          sum[1] += (double) real[a] * imaginary[c] - (double) imaginary[a] * real[c];
        }
    }
}

static gboolean
prepare (EsHealth *self, Ear *ear, EsJob *job, GError **error)
{
  const EsHealthSettings *settings = &self->settings;
  const EsElement *elements = self->array != NULL ? es_array_get_elements (self->array) : NULL;
  const guint n_channels = es_recording_get_n_channels (self->recording);
  const EsLimits *limits = es_job_get_limits (job);
  const guint lanes = es_device_get_lanes (ear->cpu);
  g_autofree float *window = g_new (float, settings->length), *gains = g_new (float, settings->n);
  g_autofree uint32_t *channels = g_new (uint32_t, settings->n);
  int code = ESK_OK;

  ear->stream = es_device_take_stream (ear->cpu);
  if (ear->stream == NULL)
    return es_device_check (ear->cpu, NULL, ESK_ERROR_MEMORY, _("a stream"), error);
  ear->hotspots = es_device_get_hotspots (ear->cpu);
  es_window_fill (ES_WINDOW_HANN, window, settings->length);
  for (guint i = 0; i < settings->n; i++)
    {
      /* One that is left out need not have a channel. */
      channels[i] = self->channels[i] < n_channels ? self->channels[i] : 0;
      gains[i] = self->channels[i] >= n_channels ? 0 : elements != NULL ? (float) elements[i].gain : 1;
    }
  const EskDftPlan plan = {
    .length = settings->length, .window_length = settings->length, .hop = settings->length, .snapshots = 1,
    .window = window, .first_bin = settings->first_bin, .bins = settings->bins, .elements = settings->n,
    .channels = channels, .gains = gains, .library = ESK_DFT_AUTO,
  };

  code = esk_hotspots_set_threads (ear->hotspots, ear->stream,
                                   (int) (limits->threads > 0 ? MIN (limits->threads, lanes) : lanes));
  if (code == ESK_OK)
    ear->dft = ear->hotspots->beam->dft_new (ear->stream, &plan, &code);
  if (ear->dft == NULL)
    return es_device_check (ear->cpu, ear->stream, code != ESK_OK ? code : ESK_ERROR_MEMORY, _("the transforms"),
                            error);
  ear->spectra = es_buffer_new (ear->cpu, esk_spectra_bytes (settings->n, settings->bins, 1), error);
  if (ear->spectra == NULL)
    return FALSE;
  ear->held = g_new (Held, settings->n);
  ear->samples = g_try_new (float, (gsize) settings->length * n_channels);
  return ear->samples != NULL || es_compute_error_no_memory (_("the samples"), error);
}

static gboolean
hear_piece (EsHealth *self, Ear *ear, const Sums *sums, guint64 first, GError **error)
{
  const EsHealthSettings *settings = &self->settings;
  const guint n_channels = es_recording_get_n_channels (self->recording);
  const EskFrames frames = { .data = ear->samples, .type = ESK_F32, .frames = settings->length,
                             .channels = n_channels, .frame_stride = n_channels, .channel_stride = 1 };
  const EskSpectra spectra = { .values = es_buffer_get_data (ear->spectra), .elements = settings->n,
                               .stride = esk_spectra_stride (settings->n), .bins = settings->bins, .snapshots = 1 };

  if (!es_recording_read (self->recording, first, settings->length, 0, n_channels, ear->samples, error))
    return FALSE;
  count (self, ear->held, sums->counts, ear->samples);
  if (!es_device_check (ear->cpu, ear->stream,
                        ear->hotspots->beam->real_dft (ear->stream, ear->dft, &frames, &spectra, NULL),
                        _("the transforms"), error))
    return FALSE;
  add_spectra (self, sums, &spectra);
  return TRUE;
}

static guint
first_piece (const Ear *ear, guint64 group)
{
  return (guint) ((guint64) ear->health->settings.count * group / ear->groups);
}

static gboolean
hear_groups (guint64 first, guint64 n, gpointer out, gpointer data, GError **error)
{
  Ear *ear = data;
  EsHealth *self = ear->health;
  const EsHealthSettings *settings = &self->settings;
  const guint64 span = settings->frames - settings->length;

  memset (out, 0, n * sums_bytes (self));
  for (guint64 g = 0; g < n; g++)
    {
      const Sums sums = sums_at (self, (char *) out + g * sums_bytes (self));

      for (guint i = first_piece (ear, first + g); i < first_piece (ear, first + g + 1); i++)
        {
          /* In float64, for hours of frames times pieces may be more than an integer holds. */
          const guint64 offset = settings->count > 1 ? (guint64) floor ((double) span * i / (settings->count - 1)) : 0;

          if (es_job_is_cancelled (ear->job, error)
              || !hear_piece (self, ear, &sums, settings->first + offset, error))
            return FALSE;
          ear->heard++;
          es_job_set_fraction (ear->job, (double) ear->heard * es_ranks_get_size () / settings->count);
        }
    }
  return TRUE;
}

static void
add_count (EsHealthCount *self, const EsHealthCount *other)
{
  self->health.samples += other->health.samples;
  self->health.not_finite += other->health.not_finite;
  self->health.clipped += other->health.clipped;
  self->health.peak = MAX (self->health.peak, other->health.peak);
  self->zero += other->zero;
  self->held += other->held;
  self->sum += other->sum;
}

static gboolean
take_groups (guint64 first, guint64 n, gconstpointer in, gpointer data, GError **error)
{
  EsHealth *self = ((Ear *) data)->health;
  const EsHealthSettings *settings = &self->settings;

  for (guint64 g = 0; g < n; g++)
    {
      const Sums sums = sums_at (self, (char *) in + g * sums_bytes (self));

      for (gsize i = 0; i < (gsize) settings->n * settings->bins; i++)
        self->powers[i] += sums.powers[i];
      for (gsize i = 0; i < 2 * (gsize) self->n_pairs * settings->bins; i++)
        self->cross[i] += sums.cross[i];
      for (guint i = 0; i < settings->n; i++)
        add_count (&self->counts[i], &sums.counts[i]);
    }
  return TRUE;
}

/* What the first process has summed. */
static gboolean
tell_all (EsHealth *self, GError **error)
{
  const gsize n = self->settings.n, bins = self->settings.bins;

  return es_ranks_broadcast (self->powers, n * bins * sizeof (double), error)
         && es_ranks_broadcast (self->cross, 2 * (gsize) self->n_pairs * bins * sizeof (double), error)
         && es_ranks_broadcast (self->counts, n * sizeof *self->counts, error);
}

gboolean
es_health_listen (EsHealth *self, EsJob *job, GError **error)
{
  const EsHealthSettings *settings = &self->settings;
  const guint64 memory = es_job_get_limits (job)->memory;
  const guint64 round_bytes = memory > 0 ? MIN (ROUND_BYTES, memory / ROUND_SHARE) : ROUND_BYTES;
  Ear ear = { .health = self, .job = job, .cpu = es_device_get_cpu (),
              .groups = MIN (settings->count, MOST_GROUPS) };
  gboolean done;

  es_job_begin_stage (job, "listen", _("Listening"), 0.95);
  done = es_ranks_agree (prepare (self, &ear, job, error), error)
         && es_ranks_collect (ear.groups, sums_bytes (self),
                              es_ranks_choose_chunk (ear.groups, sums_bytes (self), round_bytes), hear_groups,
                              take_groups, &ear, error)
         && tell_all (self, error);
  if (ear.dft != NULL)
    ear.hotspots->beam->dft_free (ear.dft);
  g_clear_pointer (&ear.spectra, es_buffer_unref);
  g_free (ear.samples);
  g_free (ear.held);
  if (ear.stream != NULL)
    {
      /* Pooled streams have one thread. */
      esk_hotspots_set_threads (ear.hotspots, ear.stream, 1);
      es_device_give_stream (ear.cpu, ear.stream);
    }
  for (gsize i = 0; i < (gsize) settings->n * settings->bins; i++)
    self->powers[i] /= settings->count;
  for (gsize i = 0; i < 2 * (gsize) self->n_pairs * settings->bins; i++)
    self->cross[i] /= settings->count;
  return done;
}
