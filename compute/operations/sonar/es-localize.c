/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Localisation by steered response power, of any array (sonar.md 2 and 4): the power of a beam towards each of many
 * directions, or at each of many points, and where it is largest. The grid is coarse; its peaks are then looked at ever
 * more closely.
 */

#include "es-localize-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "beam/es-beam-params-internal.h"
#include "beam/es-beam-settings.h"
#include "base/es-error.h"
#include "ranks/es-ranks-internal.h"

/* Of a peak and its surroundings: three places on each axis. */
#define NEIGHBOURS 27
/* Peaks of the grid that are looked at for each that is asked for: some turn out to be the same. */
#define CANDIDATES 4

static const EsParamChoice whitening_choices[] = {
  { .id = "none", .label = N_("None") },
  { .id = "elements", .label = N_("Elements alike") },
  { .id = "phase", .label = N_("Phase transform") },
  { .id = NULL }
};

static const EsParamSpec localize_params[] = {
  { .key = "band", .label = N_("Frequency band"),
    .help = N_("The frequencies that are listened to, LOW:HIGH. Automatic: from a hundredth to nine tenths of half "
               "the sampling rate."),
    .type = ES_PARAM_TEXT, .unit = N_("Hz"), .zero_label = N_("Automatic"), .check = es_beam_check_band },
  { .key = "azimuth", .label = N_("Azimuths"),
    .help = N_("Directions that are searched, FROM:TO:STEP: from the x axis towards the y axis."),
    .type = ES_PARAM_TEXT, .unit = N_("°"), .default_text = "-180:178:2", .check = es_localize_check_axis },
  { .key = "elevation", .label = N_("Elevations"),
    .help = N_("Directions that are searched, FROM:TO:STEP: from the x-y plane towards the z axis."),
    .type = ES_PARAM_TEXT, .unit = N_("°"), .default_text = "-90:90:2", .check = es_localize_check_axis },
  { .key = "x", .label = N_("x"),
    .help = N_("Points that are searched instead of directions, FROM:TO:STEP, in the frame of the array's positions."),
    .type = ES_PARAM_TEXT, .unit = N_("m"), .zero_label = N_("Directions"), .check = es_localize_check_axis },
  { .key = "y", .label = N_("y"),
    .help = N_("Points that are searched instead of directions, FROM:TO:STEP, in the frame of the array's positions."),
    .type = ES_PARAM_TEXT, .unit = N_("m"), .zero_label = N_("Directions"), .check = es_localize_check_axis },
  { .key = "z", .label = N_("z"),
    .help = N_("Points that are searched instead of directions, FROM:TO:STEP, in the frame of the array's positions."),
    .type = ES_PARAM_TEXT, .unit = N_("m"), .zero_label = N_("Directions"), .check = es_localize_check_axis },
  ES_BEAM_PARAMS_PART (FALSE),
  ES_BEAM_PARAM_SOUND_SPEED,
  { .key = "block", .label = N_("Block"),
    .help = N_("How much signal is transformed at once: seconds (1s), milliseconds (500ms) or samples (8192); what is "
               "listened to may be shorter."),
    .type = ES_PARAM_TEXT, .default_text = "1s", .check = es_beam_check_block, .advanced = TRUE },
  { .key = "window", .label = N_("Window function"),
    .help = N_("How samples are weighted before a transform: a rectangle as published, or fading at both ends, which "
               "keeps strong tones out of other frequencies."),
    .type = ES_PARAM_CHOICE, .choices = es_beam_window_choices, .default_value = ES_WINDOW_HANN, .advanced = TRUE },
  { .key = "overlap", .label = N_("Overlap"),
    .help = N_("How much of a block the next one repeats."),
    .type = ES_PARAM_FLOAT, .unit = "%", .maximum = 0.95, .step = 0.05, .default_value = 0.5, .advanced = TRUE },
  { .key = "whitening", .label = N_("Whitening"),
    .help = N_("What is made alike before beams are formed: nothing; the power of all elements, so that those near "
               "the source do not outweigh the others; or that of every frequency, so that only phases count."),
    .type = ES_PARAM_CHOICE, .choices = whitening_choices },
  ES_BEAM_PARAM_DIAGONAL,
  { .key = "refine", .label = N_("Refinements"),
    .help = N_("How often the surroundings of each peak are searched again with half the step."),
    .type = ES_PARAM_INT, .maximum = 12, .default_value = 4 },
  { .key = "peaks", .label = N_("Peaks"),
    .help = N_("How many peaks are listed at most, strongest first."),
    .type = ES_PARAM_INT, .group = ES_PARAM_GROUP_THRESHOLDS, .minimum = 1, .maximum = 1000, .default_value = 5 },
  { .key = "peak-range", .label = N_("Peak range"),
    .help = N_("Peaks that are weaker than the strongest by more than this are not listed."),
    .type = ES_PARAM_FLOAT, .unit = N_("dB"), .group = ES_PARAM_GROUP_THRESHOLDS,
    .maximum = 200, .step = 1, .digits = 1, .default_value = 10 },
  { .type = ES_PARAM_END }
};

/* ---- settings ---- */

static gboolean
read_stretch (EsParams *params, EsRecording *recording, EsLocalizeSettings *settings, GError **error)
{
  const guint64 frames = es_recording_get_frames (recording);
  const double seconds = (double) frames / es_recording_get_rate (recording);
  const double from = es_params_get_float (params, "from");
  const double to = es_params_get_float (params, "to"), end = to > 0 ? MIN (to, seconds) : seconds;
  const guint64 first = (guint64) floor (MIN (from, seconds) * settings->rate + 0.5);
  const guint64 last = MIN ((guint64) floor (end * settings->rate + 0.5), frames);
  guint block;

  if (last < first + 2)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("There is nothing to listen to from %.6g to %.6g s: the recording has %.6g s."), from, end,
                   seconds);
      return FALSE;
    }
  if (!es_parse_block (es_params_get_text (params, "block"), settings->rate, &block, error))
    return FALSE;
  settings->first = first;
  settings->n = last - first;
  settings->window_length = (guint) MIN (MAX (block, 2), settings->n);
  const double kept = 1 - es_params_get_float (params, "overlap");
  settings->hop = MAX ((guint) floor (settings->window_length * kept + 0.5), 1);
  settings->snapshots = (settings->n - settings->window_length) / settings->hop + 1;
  settings->length = 2;
  while (settings->length < settings->window_length)
    settings->length *= 2;
  return TRUE;
}

static gboolean
read_band (EsParams *params, EsLocalizeSettings *settings, GError **error)
{
  const char *text = es_params_get_text (params, "band");
  const double nyquist = settings->rate / 2, spacing = settings->rate / settings->length;

  settings->low = 0.01 * nyquist;
  settings->high = 0.9 * nyquist;
  if (*text != '\0' && !es_parse_band (text, &settings->low, &settings->high, error))
    return FALSE;
  if (settings->high > nyquist * (1 + 1e-9))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("The band ends at %.6g Hz, but a recording of %.6g Hz has nothing above %.6g Hz."), settings->high,
                   settings->rate, nyquist);
      return FALSE;
    }
  const double first = fmax (ceil (settings->low / spacing - 1e-9), 1), last = floor (settings->high / spacing + 1e-9);
  if (last < first)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("No frequency of a transform lies between %.6g and %.6g Hz: they are %.6g Hz apart; choose a "
                     "longer block or a wider band."), settings->low, settings->high, spacing);
      return FALSE;
    }
  settings->first_bin = (guint) first;
  settings->bins = (guint) (last - first) + 1;
  return TRUE;
}

gboolean
es_localize_settings_read (EsParams *params, EsRecording *recording, EsArray *array, EsLocalizeSettings *settings,
                           GError **error)
{
  const double speed = es_params_get_float (params, "sound-speed");

  if (array == NULL)
    {
      es_beam_settings_refuse_missing_array (recording, error);
      return FALSE;
    }
  const EsElement *elements = es_array_get_elements (array);
  for (guint i = 0; i < es_array_get_n_elements (array); i++)
    if (!elements[i].dead && elements[i].channel >= es_recording_get_n_channels (recording))
      {
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("The array hears channel %u, but “%s” has %u channels."), elements[i].channel + 1,
                     es_dataset_get_name (ES_DATASET (recording)), es_recording_get_n_channels (recording));
        return FALSE;
      }
  if (es_array_get_n_alive (array) < 2)
    {
      g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                           _("Two elements or more have to be alive to tell where a sound comes from."));
      return FALSE;
    }

  *settings = (EsLocalizeSettings) {
    .rate = es_recording_get_rate (recording),
    .sound_speed = speed > 0 ? speed : es_array_get_sound_speed (array),
    .window = es_params_get_choice (params, "window"),
    .whitening = es_params_get_choice (params, "whitening"),
    .remove_diagonal = es_params_get_choice (params, "diagonal") == 1,
  };
  return read_stretch (params, recording, settings, error) && read_band (params, settings, error);
}

/* ---- what it costs ---- */

#define CPU_EFFICIENCY 0.3
#define GPU_EFFICIENCY 0.3
#define SETUP_SECONDS 0.05

/* Focus, sum and power of each point, and the fields that are made of the powers. */
static guint64
grid_bytes (const EsLocalizeGrid *grid)
{
  const guint64 n = es_localize_grid_count (grid);
  const guint64 planes = (guint64) grid->n[0] * grid->n[1] + (guint64) grid->n[0] * grid->n[2]
                         + (guint64) grid->n[1] * grid->n[2];

  return n * (sizeof (EskFocus) + sizeof (double) + sizeof (float)) + MIN (planes, 3 * n) * sizeof (float);
}

static EsPlan
localize_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsRecording *recording = ES_RECORDING (dataset);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const gboolean on_cpu = es_device_is_cpu (device);
  EsLocalizeSettings settings;
  EsLocalizeGrid grid;
  EsPlan plan = { .passes = 1 };

  /* What is wrong is said when it runs. */
  if (!es_localize_settings_read (params, recording, array, &settings, NULL)
      || !es_localize_grid_parse (params, &grid, NULL))
    return plan;
  const double points = (double) es_localize_grid_count (&grid), alive = es_array_get_n_alive (array);
  const double share = on_cpu && limits != NULL && limits->threads > 0
                       ? MIN ((double) limits->threads / es_device_get_lanes (device), 1) : 1;

  plan.tiles = settings.snapshots;
  plan.tile_width = settings.window_length;
  plan.tile_height = es_recording_get_n_channels (recording);
  plan.read_bytes = settings.n * plan.tile_height * esk_type_size (es_recording_get_type_code (recording));
  plan.flops = 8 * points * alive * settings.bins * settings.snapshots
               + settings.snapshots * alive * 2.5 * settings.length * log2 (settings.length);
  plan.memory = es_localizer_estimate (recording, array, &settings, limits) + grid_bytes (&grid);
  plan.device_memory = on_cpu ? 0 : es_localizer_estimate (recording, array, &settings, limits);
  plan.written_bytes = (guint64) points * sizeof (float);
  plan.seconds = plan.flops / (es_device_get_flops (device) * share * (on_cpu ? CPU_EFFICIENCY : GPU_EFFICIENCY))
                 + (on_cpu ? 0 : SETUP_SECONDS);
  es_localize_grid_clear (&grid);
  return plan;
}

/* ---- refinement ---- */

/* Azimuths stay within half a turn either way, elevations on the sphere. */
static void
settle (const EsLocalizeGrid *grid, double place[3])
{
  if (grid->points)
    return;
  place[1] = CLAMP (place[1], -90, 90);
  place[0] = place[0] - 360 * floor ((place[0] + 180) / 360);
}

/* ---- powers of points ---- */

static void
on_progress (double fraction, gpointer job)
{
  es_job_set_fraction (job, fraction);
}

/* What makes the powers of some points of the grid. */
typedef struct
{
  EsLocalizer    *localizer;
  const EskFocus *foci;
  float          *powers;
  EsJob          *job;         /* whose progress it is; nullable */
  GCancellable   *cancellable;
} Points;

static gboolean
make_powers (guint64 first, guint64 n, gpointer out, gpointer data, GError **error)
{
  Points *points = data;

  return es_localizer_run (points->localizer, points->foci + first, n, out, points->job != NULL ? on_progress : NULL,
                           points->job, points->cancellable, error);
}

static gboolean
take_powers (guint64 first, guint64 n, gconstpointer in, gpointer data, GError **error)
{
  memcpy (((Points *) data)->powers + first, in, n * sizeof (float));
  return TRUE;
}

/* Several processes share the points; of fewer than there are processes each looks at all. */
static gboolean
find_powers (EsLocalizer *localizer, const EskFocus *foci, guint64 n, float *powers, EsJob *job,
             GCancellable *cancellable, GError **error)
{
  const guint size = es_ranks_get_size ();
  Points points = { localizer, foci, powers, job, cancellable };

  if (size == 1 || n < size || n > G_MAXINT32)
    return make_powers (0, n, powers, &points, error);
  return es_ranks_in_shares (n, sizeof (float), make_powers, take_powers, &points, error);
}

/* ---- peaks ---- */

/* Each time the best of a peak and its neighbours at half the step; all peaks at once. */
static gboolean
refine (EsLocalization *self, EsLocalizer *localizer, EsLocalizePeak *peaks, guint n, GCancellable *cancellable,
        GError **error)
{
  const EsLocalizeGrid *grid = &self->grid;
  g_autofree EskFocus *foci = g_new (EskFocus, (gsize) n * NEIGHBOURS);
  g_autofree double *places = g_new (double, (gsize) n * NEIGHBOURS * 3);
  g_autofree float *powers = g_new (float, (gsize) n * NEIGHBOURS);

  for (guint level = 1; level <= self->levels; level++)
    {
      for (guint i = 0; i < n * NEIGHBOURS; i++)
        {
          double *place = places + 3 * (gsize) i;
          /* The peak itself first: what is no better does not move it. */
          const guint k = (i + NEIGHBOURS / 2) % NEIGHBOURS;
          const int offsets[3] = { (int) (k % 3) - 1, (int) (k / 3 % 3) - 1, (int) (k / 9) - 1 };

          for (guint axis = 0; axis < 3; axis++)
            place[axis] = peaks[i / NEIGHBOURS].place[axis] + offsets[axis] * ldexp (grid->step[axis], -(int) level);
          settle (grid, place);
          foci[i] = es_localize_focus (grid, self->array, place);
        }
      if (!find_powers (localizer, foci, (gsize) n * NEIGHBOURS, powers, NULL, cancellable, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          guint best = i * NEIGHBOURS;

          for (guint k = 1; k < NEIGHBOURS; k++)
            if (powers[i * NEIGHBOURS + k] > powers[best])
              best = i * NEIGHBOURS + k;
          memcpy (peaks[i].place, places + 3 * (gsize) best, sizeof peaks[i].place);
          peaks[i].power = powers[best];
        }
    }
  return TRUE;
}

static int
compare_peaks (const void *a, const void *b)
{
  const EsLocalizePeak *p = a, *q = b;

  return p->power != q->power ? (p->power < q->power) - (p->power > q->power)
                              : (p->index > q->index) - (p->index < q->index);
}

/* Within a step of the grid of each other. */
static gboolean
are_same (const EsLocalizeGrid *grid, const double p[3], const double q[3])
{
  if (!grid->points)
    {
      const EskFocus u = es_beam_focus_far (p[0], p[1]), v = es_beam_focus_far (q[0], q[1]);
      const double chord = sqrt ((u.x - v.x) * (u.x - v.x) + (u.y - v.y) * (u.y - v.y) + (u.z - v.z) * (u.z - v.z));

      return chord * 180 / G_PI <= MAX (grid->step[0], grid->step[1]) * (1 + 1e-9);
    }
  for (guint axis = 0; axis < 3; axis++)
    if (fabs (p[axis] - q[axis]) > grid->step[axis] * (1 + 1e-9))
      return FALSE;
  return TRUE;
}

static gboolean
find_peaks (EsLocalization *self, EsLocalizer *localizer, GCancellable *cancellable, GError **error)
{
  const guint most = (guint) es_params_get_int (self->params, "peaks");
  const double range = es_params_get_float (self->params, "peak-range");
  /* One more, for the margin of the last. */
  EsLocalizePeak *peaks = g_new (EsLocalizePeak, ((gsize) most + 1) * CANDIDATES);
  const guint found = es_localize_find_peaks (&self->grid, self->powers, (most + 1) * CANDIDATES, peaks);
  guint n = 0;

  self->peaks = peaks;
  if (found > 0 && !refine (self, localizer, peaks, found, cancellable, error))
    return FALSE;
  qsort (peaks, found, sizeof *peaks, compare_peaks);
  for (guint i = 0; i < found; i++)
    {
      gboolean same = FALSE;

      for (guint k = 0; k < n && !same; k++)
        same = are_same (&self->grid, peaks[k].place, peaks[i].place);
      if (!same)
        peaks[n++] = peaks[i];
    }
  for (guint i = 0; i + 1 < n; i++)
    peaks[i].margin = 10 * log10 (peaks[i].power / peaks[i + 1].power);
  n = MIN (n, most);
  while (n > 1 && 10 * log10 (peaks[0].power / peaks[n - 1].power) > range)
    n--;
  self->n_peaks = n;
  return TRUE;
}

/* ---- the operation ---- */

/* As find_powers () shares them out. */
static guint64
count_own (guint64 points)
{
  guint64 first = 0, end = points;

  if (points >= es_ranks_get_size () && points <= G_MAXINT32)
    es_ranks_share (points, &first, &end);
  return end - first;
}

/* Of the search: of this process's points, by every element at every bin. */
static void
tell_work (EsLocalization *self, EsJob *job, guint64 points)
{
  const EsLocalizeSettings *settings = &self->settings;
  const double alive = es_array_get_n_alive (self->array), snapshots = (double) settings->snapshots;
  const double spectra = alive * settings->bins * snapshots * 2 * sizeof (float);
  const double bytes = (double) settings->n * es_recording_get_n_channels (self->recording)
                       * esk_type_size (es_recording_get_type_code (self->recording));
  const EsStageWork transform = {
    .file_bytes = bytes, .operations = snapshots * alive * 2.5 * settings->length * log2 (settings->length),
    .less = N_("Less overlap of the transforms helps."),
  };
  const EsStageWork beams = {
    .memory_bytes = spectra, .operations = 8 * (double) points * alive * settings->bins * snapshots,
    .less = N_("Fewer points help, fewer bins, or a shorter stretch."),
  };

  es_job_add_work (job, "transform", &transform);
  es_job_add_work (job, NULL, &beams);
}

static gboolean
search (EsLocalization *self, EsJob *job, GError **error)
{
  const guint64 n = es_localize_grid_count (&self->grid);
  const EsLimits *limits = es_job_get_limits (job);
  const guint64 needed = grid_bytes (&self->grid)
                         + es_localizer_estimate (self->recording, self->array, &self->settings, limits);
  g_autofree EskFocus *foci = NULL;
  GCancellable *cancellable = es_job_get_cancellable (job);
  g_autoptr (EsLocalizer) localizer = NULL;

  if (!es_limits_check_host_memory (limits, (EsMemoryShare) { .of_limit = 1, .of_machine = 1 }, needed,
                                    _("A grid of this size, with samples and spectra of one block,"), error))
    return FALSE;
  foci = g_try_new (EskFocus, n);
  self->powers = g_try_new (float, n);
  if (foci == NULL || self->powers == NULL)
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                           _("There is not enough memory for a grid of this size; choose a larger step."));
      return FALSE;
    }
  for (guint64 i = 0; i < n; i++)
    {
      double place[3];

      es_localize_grid_place (&self->grid, i, place);
      foci[i] = es_localize_focus (&self->grid, self->array, place);
    }
  localizer = es_localizer_new (self->recording, self->array, &self->settings, es_job_get_device (job),
                                es_job_get_limits (job), error);
  if (localizer == NULL)
    return FALSE;
  es_job_begin_stage (job, "search", _("Search"), 0.95);
  if (!find_powers (localizer, foci, n, self->powers, job, cancellable, error))
    return FALSE;
  const double searched = es_localizer_get_transform_seconds (localizer);
  es_job_add_stage_ms (job, "transform", _("Transforms"), 1e3 * searched);
  tell_work (self, job, count_own (n));
  es_job_begin_stage (job, "refinement", _("Refinement"), 0.05);
  if (!find_peaks (self, localizer, cancellable, error))
    return FALSE;
  self->health = es_localizer_dup_health (localizer);
  es_job_add_stage_ms (job, "transform", _("Transforms"),
                       1e3 * (es_localizer_get_transform_seconds (localizer) - searched));
  return TRUE;
}

static EsResult *
localize_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  EsRecording *recording = ES_RECORDING (dataset);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  EsLocalization self = { .recording = recording, .array = array, .params = params,
                          .levels = (guint) es_params_get_int (params, "refine") };
  g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (recording);
  g_autoptr (EsNavigation) navigation = es_recording_dup_navigation (recording);
  EsResult *result = NULL;

  es_job_add_stage_ms (job, "transform", _("Transforms"), 0);
  if (!es_localize_settings_read (params, recording, array, &self.settings, error)
      || !es_localize_grid_parse (params, &self.grid, error))
    return NULL;
  self.settings.calibration = calibration;
  self.settings.navigation = navigation;
  if (search (&self, job, error))
    result = es_localize_describe (&self, error);
  es_localize_grid_clear (&self.grid);
  g_free (self.powers);
  g_free (self.peaks);
  g_free (self.health);
  return result;
}

const EsOperation es_operation_localize = {
  .id = "localize",
  .title = N_("Localisation"),
  .short_title = N_("Localisation"),
  .summary = N_("Searches all directions, or a volume, for the places where sound comes from, with an array of any "
                "shape."),
  .version = 1,
  .takes = ES_DATASET_RECORDING,
  .by_ranks = TRUE,
  .params = localize_params,
  .plan = localize_plan,
  .run = localize_run,
};
