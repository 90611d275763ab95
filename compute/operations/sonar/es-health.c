/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Every hydrophone beside its neighbours: dead, reversed, late, noisy, hot and quiet ones by name. */

#include "es-health-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "beam/es-beam-params-internal.h"
#include "es-sonar-operations-internal.h"

static const EsParamSpec health_params[] = {
  { .key = "band", .label = N_("Frequency band"),
    .help = N_("The frequencies in which elements are compared, LOW:HIGH. Automatic: up to where neighbouring elements "
               "are a quarter of a wavelength apart, from a twelfth of that, for there the sign of a hydrophone shows "
               "whatever the sound's directions are."),
    .type = ES_PARAM_TEXT, .unit = N_("Hz"), .zero_label = N_("Automatic"), .check = es_beam_check_band },
  ES_BEAM_PARAM_SOUND_SPEED,
  ES_BEAM_PARAMS_PART (TRUE),
  { .key = "snapshots", .label = N_("Snapshots"),
    .help = N_("How many pieces are listened to at most, spread evenly: more tell smaller faults. Automatic: up to "
               "1,024, fewer of long transforms of many channels, 64 at least."),
    .type = ES_PARAM_INT, .maximum = 1000000, .zero_label = N_("Automatic"), .advanced = TRUE },
  { .type = ES_PARAM_END }
};

#define MOST_LENGTH (1u << 18)
#define LEAST_LENGTH 64u
#define MOST_SNAPSHOTS 1024
#define FEWEST_SNAPSHOTS 64
/* Less than these say nothing. */
#define TOO_FEW 8
#define ENOUGH 32
/* Samples of all channels that are gone through at most, where more than the fewest snapshots are wanted. */
#define MOST_SAMPLES 5e8
/* Bins of the band: enough that a delay shows, few enough that all cross-spectra stay small. */
#define BINS 64
#define FEWEST_BINS 12
#define SPECTRA_BYTES 64e6
/* The automatic band begins at its end divided by this; without a place to lean on it is shares of half the rate. */
#define BAND_RATIO 12
#define LOW_SHARE 0.02
#define HIGH_SHARE 0.9
#define MOST_NEIGHBOURS 4

/* ---- settings ---- */

static gboolean
read_stretch (EsParams *params, EsRecording *recording, EsHealthSettings *settings, GError **error)
{
  /* It may be growing: of one length. */
  const guint64 all = es_recording_get_frames (recording);
  const double seconds = (double) all / es_recording_get_rate (recording), from = es_params_get_float (params, "from");
  const double to = es_params_get_float (params, "to"), end = to > 0 ? MIN (to, seconds) : seconds;
  const guint64 last = MIN ((guint64) floor (end * settings->rate + 0.5), all);

  settings->first = (guint64) floor (MIN (from, seconds) * settings->rate + 0.5);
  if (last <= settings->first)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("There is nothing to listen to from %.6g to %.6g s: the recording has %.6g s."), from, end,
                   seconds);
      return FALSE;
    }
  settings->frames = last - settings->first;
  if (settings->frames / (TOO_FEW / 2) < LEAST_LENGTH)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("%.6g s are too short to judge hydrophones: expected %.6g s at least."),
                   settings->frames / settings->rate, LEAST_LENGTH * TOO_FEW / 2 / settings->rate);
      return FALSE;
    }
  return TRUE;
}

/* The power of two that has `bins` bins in the band, as far as enough of them fit into the stretch. */
static void
choose_length (EsHealthSettings *settings, double width, guint bins)
{
  const guint64 longest = MIN (settings->frames / (TOO_FEW / 2), MOST_LENGTH);

  /* A short stretch has as many pieces as it takes first, then as many bins. */
  settings->length = LEAST_LENGTH;
  while (settings->length < bins * settings->rate / width && settings->length * 2 <= longest
         && (settings->length * 2 <= settings->frames / ENOUGH
             || settings->length < FEWEST_BINS * settings->rate / width))
    settings->length *= 2;
}

static gboolean
read_band (EsParams *params, EsArray *array, EsHealthSettings *settings, GError **error)
{
  const char *text = es_params_get_text (params, "band");
  const double nyquist = settings->rate / 2;
  const double bytes = settings->n * (MOST_NEIGHBOURS * 2.0 + 1) * sizeof (double);
  const guint bins = (guint) CLAMP (SPECTRA_BYTES / bytes / 2, FEWEST_BINS, BINS);
  double low = LOW_SHARE * nyquist, high = HIGH_SHARE * nyquist;

  if (*text != '\0')
    {
      if (!es_parse_band (text, &low, &high, error))
        return FALSE;
      if (high > nyquist * (1 + 1e-9))
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                       _("The band ends at %.6g Hz, but a recording of %.6g Hz has nothing above %.6g Hz."), high,
                       settings->rate, nyquist);
          return FALSE;
        }
      choose_length (settings, high - low, bins);
    }
  else
    {
      const double spacing = array != NULL && settings->n > 1 ? es_array_get_spacing (array) : 0;
      const double quarter = spacing > 0 ? MIN (settings->sound_speed / (4 * spacing), high) : high;

      choose_length (settings, quarter * (1 - 1.0 / BAND_RATIO), bins);
      /* Elements that are too far apart have no such band in what can be told apart here. */
      if (quarter * (1 - 1.0 / BAND_RATIO) * settings->length / settings->rate >= FEWEST_BINS)
        {
          high = quarter;
          low = quarter / BAND_RATIO;
        }
      else
        choose_length (settings, high - low, bins);
    }

  const double spacing = settings->rate / settings->length;
  /* What lies next to the offset is the offset's. */
  const double first = fmax (ceil (low / spacing - 1e-9), 2), last = floor (high / spacing + 1e-9);
  if (last < first + 1)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("Between %.6g and %.6g Hz there are fewer than two frequencies, which are %.6g Hz apart in so "
                     "short a stretch; choose a longer one or a wider band."), low, high, spacing);
      return FALSE;
    }
  settings->first_bin = (guint) first;
  settings->bins = (guint) (last - first) + 1;
  return TRUE;
}

gboolean
es_health_settings_read (EsParams *params, EsRecording *recording, EsArray *array, EsHealthSettings *settings,
                         GError **error)
{
  const double speed = es_params_get_float (params, "sound-speed");
  const guint n_channels = es_recording_get_n_channels (recording);

  *settings = (EsHealthSettings) {
    .rate = es_recording_get_rate (recording),
    .sound_speed = speed > 0 ? speed : array != NULL ? es_array_get_sound_speed (array) : 1500,
    .n = array != NULL ? es_array_get_n_elements (array) : n_channels,
  };
  const EsElement *elements = array != NULL ? es_array_get_elements (array) : NULL;
  for (guint i = 0; elements != NULL && i < settings->n; i++)
    if (!elements[i].dead && elements[i].channel >= n_channels)
      {
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("The array hears channel %u, but “%s” has %u channels."), elements[i].channel + 1,
                     es_dataset_get_name (ES_DATASET (recording)), n_channels);
        return FALSE;
      }
  if (!read_stretch (params, recording, settings, error) || !read_band (params, array, settings, error))
    return FALSE;

  const guint64 told = (guint64) es_params_get_int (params, "snapshots");
  const guint64 fit = (settings->frames - settings->length) / (settings->length / 2) + 1;
  const guint64 most = told > 0 ? told
                       : (guint64) CLAMP (MOST_SAMPLES / ((double) settings->length * n_channels), FEWEST_SNAPSHOTS,
                                          MOST_SNAPSHOTS);
  settings->count = (guint) MIN (fit, most);
  settings->spread = (guint64) settings->count * settings->length < settings->frames;
  return TRUE;
}

/* ---- what it costs ---- */

static guint64
spectra_bytes (const EsHealthSettings *settings, guint n_channels)
{
  /* All sums, and those of a group of pieces. */
  return 2 * (guint64) settings->n * settings->bins * (MOST_NEIGHBOURS * 2 + 1) * sizeof (double)
         + esk_spectra_bytes (settings->n, settings->bins, 1)
         + (guint64) settings->length * n_channels * sizeof (float);
}

static EsPlan
health_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsRecording *recording = ES_RECORDING (dataset);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const guint n_channels = es_recording_get_n_channels (recording);
  EsPlan plan = { .passes = 1 };
  EsHealthSettings settings;
  const double cpu_flops = 2e9, gpu_start_seconds = 0.5;

  /* What is wrong is said when it runs. */
  if (!es_health_settings_read (params, recording, array, &settings, NULL))
    return plan;
  plan.tiles = settings.count;
  plan.tile_width = settings.length;
  plan.tile_height = n_channels;
  plan.read_bytes = (guint64) settings.count * settings.length * n_channels
                    * esk_type_size (es_recording_get_type_code (recording));
  plan.flops = (double) settings.count
               * (settings.n * (2.5 * settings.length * log2 (settings.length) + 10.0 * settings.length)
                  + 8.0 * MOST_NEIGHBOURS * settings.n * settings.bins);
  plan.memory = spectra_bytes (&settings, n_channels);
  plan.written_bytes = (guint64) settings.n * 200;
  /* The processor does it, whatever else there is: reading takes longer than the rest. */
  plan.seconds = plan.flops / cpu_flops + (es_device_is_cpu (device) ? 0 : gpu_start_seconds);
  return plan;
}

/* ---- the run ---- */

static void
place_elements (EsHealth *self)
{
  const EsElement *elements = self->array != NULL ? es_array_get_elements (self->array) : NULL;
  const guint n = self->settings.n;

  self->positions = g_new0 (double, 3 * (gsize) n);
  self->usable = g_new (guint8, n);
  self->channels = g_new (guint, n);
  self->findings = g_new0 (EsElementFinding, n);
  self->counts = g_new0 (EsHealthCount, n);
  for (guint i = 0; i < n; i++)
    {
      /* Channels without places are in a row, for levels to be compared; there are no pairs of them. */
      self->positions[3 * (gsize) i] = elements != NULL ? elements[i].x : i;
      self->positions[3 * (gsize) i + 1] = elements != NULL ? elements[i].y : 0;
      self->positions[3 * (gsize) i + 2] = elements != NULL ? elements[i].z : 0;
      self->usable[i] = elements == NULL || !elements[i].dead;
      self->channels[i] = elements != NULL ? elements[i].channel : i;
      if (!self->usable[i])
        self->findings[i].flags = ES_FINDING_LEFT_OUT;
    }
  if (self->array != NULL)
    self->pairs = es_element_pairs_find (self->positions, self->usable, n, &self->n_pairs);
}

#define MOSTLY 0.9

/* What samples alone say, before anybody is compared. */
static void
judge_samples (EsHealth *self)
{
  for (guint i = 0; i < self->settings.n; i++)
    {
      const EsHealthCount *count = &self->counts[i];
      const double samples = count->health.samples;

      if (!self->usable[i])
        continue;
      if (es_element_health_is_clipped (&count->health))
        self->findings[i].flags |= ES_FINDING_CLIPPED;
      if (count->zero >= MOSTLY * samples || count->held >= MOSTLY * samples
          || count->health.not_finite >= MOSTLY * samples)
        {
          self->findings[i].flags = ES_FINDING_DEAD;
          self->usable[i] = FALSE;
        }
    }
}

static void
clear (EsHealth *self)
{
  g_free (self->positions);
  g_free (self->usable);
  g_free (self->channels);
  g_free (self->pairs);
  g_free (self->counts);
  g_free (self->powers);
  g_free (self->cross);
  g_free (self->findings);
}

static EsResult *
health_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsRecording *recording = ES_RECORDING (dataset);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  EsHealth self = { .recording = recording, .array = array, .params = params };
  EsResult *result = NULL;

  if (!es_health_settings_read (params, recording, array, &self.settings, error)
      || !es_limits_check_host_memory (es_job_get_limits (job), (EsMemoryShare) { .of_limit = 1, .of_machine = 2 },
                                       spectra_bytes (&self.settings, es_recording_get_n_channels (recording)),
                                       _("The spectra of all hydrophones"), error))
    return NULL;
  const EsHealthSettings *settings = &self.settings;
  place_elements (&self);
  self.powers = g_try_new0 (double, (gsize) settings->n * settings->bins);
  self.cross = g_try_new0 (double, 2 * ((gsize) self.n_pairs * settings->bins + 1));
  if (self.powers == NULL || self.cross == NULL)
    es_compute_error_no_memory (_("the spectra of all hydrophones"), error);
  else if (es_health_listen (&self, job, error))
    {
      es_job_begin_stage (job, "judge", _("Judging"), 0.05);
      judge_samples (&self);
      const EsElementSpectra spectra = {
        .n = settings->n, .positions = self.positions, .usable = self.usable, .sound_speed = settings->sound_speed,
        .bins = settings->bins, .first_frequency = settings->first_bin * settings->rate / settings->length,
        .bin_spacing = settings->rate / settings->length,
        /* Half of each piece is the next one's, too, where they touch: Hann's window leaves as much as is new. */
        .snapshots = fmax (settings->count * (settings->spread ? 1 : 0.75), 2),
        .longest = settings->length / settings->rate / 16,
        .powers = self.powers, .n_pairs = self.n_pairs, .pairs = self.pairs, .cross = self.cross,
      };
      self.outcome = es_element_check (&spectra, self.findings);
      if (!es_job_is_cancelled (job, error))
        result = es_health_publish (&self, &es_operation_health);
    }
  clear (&self);
  return result;
}

const EsOperation es_operation_health = {
  .id = "health",
  .title = N_("Array health"),
  .short_title = N_("Array health"),
  .summary = N_("Compares every hydrophone with its neighbours and names those that are dead, reversed, late, noisy, "
                "hot or quiet."),
  .version = 1,
  .takes = ES_DATASET_RECORDING,
  .by_ranks = TRUE,
  .on_host = TRUE,
  .params = health_params,
  .plan = health_plan,
  .run = health_run,
};
