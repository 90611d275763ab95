/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-display.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define SHORTEST_SPAN 8
#define USUAL_SPAN    300
#define FEWEST_USUAL  60

struct _EsSonarDisplay
{
  GObject          parent_instance;

  EsBeamHistory   *history;
  EsRecording     *recording;
  EsResult        *result;
  guint64          end;          /* rows so far, those that are gone too */

  double           time, bearing, frequency;
  guint64          row;          /* of the time */
  gboolean         cleared;      /* by a person: no bearing is proposed */

  gboolean         follow;
  double           top, span, usual_span;

  EsNormaliserKind normaliser;
  EsColormap       colormap;
  double           range;
  gboolean         auto_top, plan, harmonics;
};

enum { CHANGED, SEEK, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsSonarDisplay, es_sonar_display, G_TYPE_OBJECT)

static void
changed (EsSonarDisplay *self, EsSonarChange change)
{
  g_signal_emit (self, signals[CHANGED], 0, (guint) change);
}

/* ---- source ---- */

/* Before a person has pointed anywhere, the loudest beam is the one to look at. */
static gboolean
propose_bearing (EsSonarDisplay *self)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);
  const float *powers = settings != NULL && self->end > 0 ? es_beam_history_get_row (self->history, 0) : NULL;
  guint best = 0;
  gboolean any = FALSE;

  if (!isnan (self->bearing) || self->cleared || powers == NULL)
    return FALSE;
  for (guint i = 0; i < settings->n_angles; i++)
    if (!isnan (powers[i]) && (!any || powers[i] > powers[best]))
      {
        best = i;
        any = TRUE;
      }
  if (any)
    self->bearing = settings->angles[best];
  return any;
}

static void
on_appended (EsSonarDisplay *self, guint n)
{
  EsSonarChange change = ES_SONAR_APPENDED;

  self->end += n;
  if (self->follow)
    {
      self->top = self->end;
      change |= ES_SONAR_SCROLL;
    }
  if (isnan (self->time))
    change |= ES_SONAR_MOMENT;
  if (propose_bearing (self))
    change |= ES_SONAR_BEARING;
  changed (self, change);
}

/* A result is looked at as a whole, a short recording too once it has been heard, a long one in part. */
static double
find_usual_span (EsSonarDisplay *self)
{
  const EsBeamSettings *settings = self->history != NULL ? es_beam_history_get_settings (self->history) : NULL;

  if (self->result != NULL)
    return MAX (self->end, SHORTEST_SPAN);
  if (self->recording == NULL || settings == NULL || settings->block == 0)
    return USUAL_SPAN;
  return CLAMP ((double) (es_recording_get_frames (self->recording) / settings->block), FEWEST_USUAL, USUAL_SPAN);
}

static void
begin_anew (EsSonarDisplay *self)
{
  gboolean usual = self->span == self->usual_span;

  self->end = self->history != NULL ? es_beam_history_get_n_rows (self->history) : 0;
  self->time = NAN;
  self->top = self->end;
  /* Who has zoomed keeps it when the settings change. */
  self->usual_span = find_usual_span (self);
  if (usual)
    self->span = self->usual_span;
  propose_bearing (self);
}

static void
on_reset (EsSonarDisplay *self)
{
  begin_anew (self);
  changed (self, ES_SONAR_ALL);
}

static void
disconnect (EsSonarDisplay *self)
{
  if (self->history != NULL)
    g_signal_handlers_disconnect_by_data (self->history, self);
  g_clear_object (&self->history);
  g_clear_object (&self->recording);
  g_clear_object (&self->result);
}

void
es_sonar_display_set_source (EsSonarDisplay *self, EsBeamHistory *history, EsRecording *recording, EsResult *result)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (history == self->history && recording == self->recording && result == self->result)
    return;
  if (history != NULL)
    g_object_ref (history);
  if (recording != NULL)
    g_object_ref (recording);
  if (result != NULL)
    g_object_ref (result);
  if (recording != self->recording)
    {
      self->bearing = self->frequency = NAN;
      self->cleared = FALSE;
    }
  disconnect (self);
  self->history = history;
  self->recording = recording;
  self->result = result;
  if (history != NULL)
    {
      g_signal_connect_object (history, "appended", G_CALLBACK (on_appended), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (history, "reset", G_CALLBACK (on_reset), self, G_CONNECT_SWAPPED);
    }
  self->follow = result == NULL;
  begin_anew (self);
  self->span = self->usual_span;
  changed (self, ES_SONAR_ALL);
}

EsBeamHistory *
es_sonar_display_get_history (EsSonarDisplay *self)
{
  return self->history;
}

EsRecording *
es_sonar_display_get_recording (EsSonarDisplay *self)
{
  return self->recording;
}

EsResult *
es_sonar_display_get_result (EsSonarDisplay *self)
{
  return self->result;
}

const EsBeamSettings *
es_sonar_display_get_settings (EsSonarDisplay *self)
{
  return self->history != NULL ? es_beam_history_get_settings (self->history) : NULL;
}

EsArray *
es_sonar_display_get_array (EsSonarDisplay *self)
{
  return self->recording != NULL ? es_recording_get_array (self->recording) : NULL;
}

gboolean
es_sonar_display_is_line (EsSonarDisplay *self)
{
  g_autoptr (EsArray) array = es_sonar_display_get_array (self);
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);

  if (array != NULL)
    return es_array_is_line (array);
  /* A result without its recording: only a line has no bearing beyond 0..180. */
  for (guint i = 0; settings != NULL && i < settings->n_angles; i++)
    if (settings->angles[i] < 0 || settings->angles[i] > 180)
      return FALSE;
  return TRUE;
}

const char *
es_sonar_display_get_unit (EsSonarDisplay *self)
{
  return self->history != NULL && es_beam_history_is_calibrated (self->history) ? _("dB re 1 µPa²")
                                                                                : _("dB re full scale");
}

/* ---- rows ---- */

guint64
es_sonar_display_get_first (EsSonarDisplay *self)
{
  guint n = self->history != NULL ? es_beam_history_get_n_rows (self->history) : 0;

  return self->end - MIN (n, self->end);
}

guint64
es_sonar_display_get_end (EsSonarDisplay *self)
{
  return self->end;
}

guint
es_sonar_display_to_history (EsSonarDisplay *self, guint64 row)
{
  return row < self->end ? (guint) (self->end - 1 - row) : 0;
}

double
es_sonar_display_get_row_time (EsSonarDisplay *self, guint64 row)
{
  if (self->history == NULL || row < es_sonar_display_get_first (self) || row >= self->end)
    return NAN;
  return es_beam_history_get_time (self->history, es_sonar_display_to_history (self, row));
}

/* ---- the cursor ---- */

double
es_sonar_display_get_time (EsSonarDisplay *self)
{
  return self->time;
}

gboolean
es_sonar_display_get_row (EsSonarDisplay *self, guint64 *row)
{
  guint64 first = es_sonar_display_get_first (self);

  if (first >= self->end)
    return FALSE;
  *row = isnan (self->time) ? self->end - 1 : CLAMP (self->row, first, self->end - 1);
  return TRUE;
}

/* Keeps the row of the cursor in view. */
static EsSonarChange
reveal (EsSonarDisplay *self, guint64 row)
{
  double top = self->top;

  if (row + 1 > top)
    top = row + 1;
  else if (row < top - self->span)
    top = row + self->span;
  if (top == self->top)
    return 0;
  self->top = top;
  self->follow = FALSE;
  return ES_SONAR_SCROLL;
}

void
es_sonar_display_set_row (EsSonarDisplay *self, guint64 row)
{
  double time;

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  time = es_sonar_display_get_row_time (self, row);
  if (isnan (time) || (time == self->time && row == self->row))
    return;
  self->time = time;
  self->row = row;
  changed (self, ES_SONAR_MOMENT | reveal (self, row));
}

void
es_sonar_display_set_time (EsSonarDisplay *self, double time)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (isnan (time))
    {
      if (!isnan (self->time))
        {
          self->time = NAN;
          changed (self, ES_SONAR_MOMENT);
        }
      return;
    }
  if (self->history != NULL && es_beam_history_get_n_rows (self->history) > 0)
    es_sonar_display_set_row (self, self->end - 1 - es_beam_history_find_row (self->history, time));
}

double
es_sonar_display_get_bearing (EsSonarDisplay *self)
{
  return self->bearing;
}

void
es_sonar_display_set_bearing (EsSonarDisplay *self, double bearing)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->bearing == bearing || (isnan (bearing) && isnan (self->bearing)))
    return;
  self->bearing = bearing;
  changed (self, ES_SONAR_BEARING);
}

int
es_sonar_display_get_angle (EsSonarDisplay *self)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);
  int best = -1;

  if (settings == NULL || isnan (self->bearing))
    return -1;
  for (guint i = 0; i < settings->n_angles; i++)
    if (best < 0 || fabs (settings->angles[i] - self->bearing) < fabs (settings->angles[best] - self->bearing))
      best = (int) i;
  return best;
}

double
es_sonar_display_get_frequency (EsSonarDisplay *self)
{
  return self->frequency;
}

void
es_sonar_display_set_frequency (EsSonarDisplay *self, double frequency)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->frequency == frequency || (isnan (frequency) && isnan (self->frequency)))
    return;
  self->frequency = frequency;
  changed (self, ES_SONAR_FREQUENCY);
}

void
es_sonar_display_seek (EsSonarDisplay *self, double seconds)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (isfinite (seconds))
    g_signal_emit (self, signals[SEEK], 0, seconds);
}

void
es_sonar_display_clear_cursor (EsSonarDisplay *self)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  self->cleared = TRUE;
  self->time = self->bearing = self->frequency = NAN;
  changed (self, ES_SONAR_MOMENT | ES_SONAR_BEARING | ES_SONAR_FREQUENCY);
}

void
es_sonar_display_step (EsSonarDisplay *self, int beams, int rows)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);
  int angle = es_sonar_display_get_angle (self);
  guint64 row;

  if (settings != NULL && beams != 0 && settings->n_angles > 0)
    {
      angle = angle < 0 ? (int) settings->n_angles / 2 : CLAMP (angle + beams, 0, (int) settings->n_angles - 1);
      es_sonar_display_set_bearing (self, settings->angles[angle]);
    }
  if (rows != 0 && es_sonar_display_get_row (self, &row))
    {
      gint64 first = (gint64) es_sonar_display_get_first (self), last = (gint64) self->end - 1;

      es_sonar_display_set_row (self, (guint64) CLAMP ((gint64) row - rows, first, last));
    }
}

/* ---- the view ---- */

gboolean
es_sonar_display_get_follow (EsSonarDisplay *self)
{
  return self->follow;
}

void
es_sonar_display_set_follow (EsSonarDisplay *self, gboolean follow)
{
  EsSonarChange change = ES_SONAR_SCROLL;

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  follow = !!follow;
  if (self->follow == follow && (!follow || isnan (self->time)))
    return;
  self->follow = follow;
  if (follow)
    {
      self->top = self->end;
      if (!isnan (self->time))
        change |= ES_SONAR_MOMENT;
      self->time = NAN;
    }
  changed (self, change);
}

void
es_sonar_display_get_view (EsSonarDisplay *self, double *top, double *span)
{
  *top = self->top;
  *span = self->span;
}

void
es_sonar_display_set_view (EsSonarDisplay *self, double top, double span)
{
  double first = es_sonar_display_get_first (self), end = self->end, longest = MAX (end - first, USUAL_SPAN);

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  span = CLAMP (span, SHORTEST_SPAN, MAX (longest, SHORTEST_SPAN));
  top = CLAMP (top, MIN (first + span, end), end);
  if (top == self->top && span == self->span)
    return;
  self->top = top;
  self->span = span;
  self->follow = top >= end && self->result == NULL;
  changed (self, ES_SONAR_SCROLL);
}

/* ---- the look ---- */

EsNormaliserKind
es_sonar_display_get_normaliser (EsSonarDisplay *self)
{
  return self->normaliser;
}

void
es_sonar_display_set_normaliser (EsSonarDisplay *self, EsNormaliserKind kind)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));
  g_return_if_fail (kind < ES_N_NORMALISERS);

  if (self->normaliser == kind)
    return;
  self->normaliser = kind;
  changed (self, ES_SONAR_NORMALISER | ES_SONAR_LOOK);
}

EsNormaliser
es_sonar_display_make_normaliser (EsSonarDisplay *self, guint n)
{
  return (EsNormaliser) { self->normaliser, CLAMP (n / 10, 2, 64), n >= 40 ? 2 : 1, 2 };
}

EsColormap
es_sonar_display_get_colormap (EsSonarDisplay *self)
{
  return self->colormap;
}

void
es_sonar_display_set_colormap (EsSonarDisplay *self, EsColormap map)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));
  g_return_if_fail (map < ES_N_COLORMAPS);

  if (self->colormap == map)
    return;
  self->colormap = map;
  changed (self, ES_SONAR_LOOK);
}

double
es_sonar_display_get_range (EsSonarDisplay *self)
{
  return self->range;
}

void
es_sonar_display_set_range (EsSonarDisplay *self, double range)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  range = range > 0 ? CLAMP (range, 1, 200) : 0;
  if (self->range == range)
    return;
  self->range = range;
  changed (self, ES_SONAR_LOOK);
}

gboolean
es_sonar_display_get_auto_top (EsSonarDisplay *self)
{
  return self->auto_top;
}

void
es_sonar_display_set_auto_top (EsSonarDisplay *self, gboolean auto_top)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->auto_top == !!auto_top)
    return;
  self->auto_top = !!auto_top;
  changed (self, ES_SONAR_LOOK);
}

/* A top that follows the loudest upwards at once and downwards by 3 dB: it does not flicker. */
void
es_sonar_display_fit (EsSonarDisplay *self, EsHeatmap *map, guint64 from, guint64 to,
                      gboolean over_background, double *low, double *high)
{
  float minimum, maximum;

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  es_heatmap_set_colormap (map, self->colormap);
  if (self->auto_top || isnan (*high))
    {
      if (!es_heatmap_find_range (map, from, to, &minimum, &maximum))
        return;
      if (isnan (*high) || maximum > *high || maximum < *high - 3)
        *high = ceil (maximum);
      if (self->range == 0)
        {
          double quiet = floor (es_heatmap_find_quantile (map, from, to, 0.3));

          if (isnan (*low) || fabs (quiet - *low) >= 2)
            *low = quiet;
          *low = MIN (*low, *high - 3);
        }
    }
  if (self->range > 0)
    *low = *high - self->range;
  if (over_background)
    *low = MAX (*low, MIN (-2, *high - 6));
  es_heatmap_set_range (map, isnan (*low) ? *high - 30 : *low, *high);
}

gboolean
es_sonar_display_get_plan (EsSonarDisplay *self)
{
  return self->plan;
}

void
es_sonar_display_set_plan (EsSonarDisplay *self, gboolean plan)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->plan == !!plan)
    return;
  self->plan = !!plan;
  changed (self, ES_SONAR_LOOK);
}

gboolean
es_sonar_display_get_harmonics (EsSonarDisplay *self)
{
  return self->harmonics;
}

void
es_sonar_display_set_harmonics (EsSonarDisplay *self, gboolean harmonics)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->harmonics == !!harmonics)
    return;
  self->harmonics = !!harmonics;
  changed (self, ES_SONAR_FREQUENCY);
}

/* ---- the object ---- */

static void
es_sonar_display_dispose (GObject *object)
{
  disconnect (ES_SONAR_DISPLAY (object));
  G_OBJECT_CLASS (es_sonar_display_parent_class)->dispose (object);
}

static void
es_sonar_display_class_init (EsSonarDisplayClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_sonar_display_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SEEK] = g_signal_new ("seek", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_DOUBLE);
}

static void
es_sonar_display_init (EsSonarDisplay *self)
{
  self->time = self->bearing = self->frequency = NAN;
  self->follow = TRUE;
  self->span = self->usual_span = USUAL_SPAN;
  self->colormap = ES_COLORMAP_VIRIDIS;
  self->range = 30;
  self->auto_top = TRUE;
}

EsSonarDisplay *
es_sonar_display_new (void)
{
  return g_object_new (ES_TYPE_SONAR_DISPLAY, NULL);
}
