/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-demon-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "beam/es-beam-demon.h"
#include "signal/es-tone.h"
#include "widgets/es-latest.h"
#include "charts/es-plot-view.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-extent.h"
#include "sonar/display/es-sonar-source.h"

#define SECONDS        16.0     /* of signal: lines 1/16 Hz apart */
#define HIGHEST        50.0     /* Hz of the envelope */
#define MOST_SEGMENTS  128      /* of a long stretch: over a quarter of an hour without a gap */
#define MOST_VALUES    (400u << 20)     /* samples of all channels in one segment: longer arrays get less time */
#define PAUSE          2        /* times what it took, before it begins anew */
#define SHORTEST_PAUSE 1000     /* ms */
#define PATIENCE       300      /* ms: what takes longer is given up for what is asked for then */
#define PROGRESS       200      /* ms */

typedef struct
{
  EsBeamDemon demon;
  double      begin, end;        /* s */
  int        *share;             /* per mille that are done; atomic, counted */
} Request;

typedef struct
{
  guint  n, n_segments;
  double step;
  float *powers;
} Answer;

struct _EsDemonPane
{
  EsSonarPane  parent_instance;

  EsPlot      *plot;
  GtkWidget   *plot_view, *stack, *placeholder;
  EsLatest    *latest;
  gint64       begun;
  guint        timeout;          /* of the pause */
  guint        ticker;           /* while it takes long */
  gboolean     stale;            /* something has changed since the last one began */
  EsBeamDemon  asked;            /* the last one: compared, and never looked into */
  int         *share;            /* of it; NULL: none yet */
  char        *what;             /* "60.0°, 100–480 Hz, 0:10 to 0:42" */
};

G_DEFINE_FINAL_TYPE (EsDemonPane, es_demon_pane, ES_TYPE_SONAR_PANE)

static void submit (EsDemonPane *self, gboolean anew);

/* ---- on the worker ---- */

static void
free_request (gpointer data)
{
  Request *request = data;

  g_object_unref (request->demon.recording);
  es_array_unref (request->demon.array);
  g_atomic_rc_box_release (request->share);
  g_free (request);
}

static void
free_answer (gpointer data)
{
  Answer *answer = data;

  g_free (answer->powers);
  g_free (answer);
}

static void
tell_share (double share, gpointer data)
{
  g_atomic_int_set ((int *) data, (int) (1000 * share));
}

static gpointer
compute (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;
  Answer *answer = g_new0 (Answer, 1);

  if (es_beam_demon (&request->demon, tell_share, request->share, &answer->powers, &answer->n, &answer->step,
                     &answer->n_segments, cancellable, error))
    return answer;
  free_answer (answer);
  return NULL;
}

/* ---- on the UI thread ---- */

static void
show_sentence (EsDemonPane *self, const char *sentence)
{
  g_autofree char *shown = es_text_show_lines (sentence);

  gtk_label_set_text (GTK_LABEL (self->placeholder), shown);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->placeholder);
}

static gboolean
on_pause_over (gpointer data)
{
  EsDemonPane *self = ES_DEMON_PANE (data);

  self->timeout = 0;
  if (self->stale && gtk_widget_get_mapped (GTK_WIDGET (self)))
    submit (self, FALSE);
  return G_SOURCE_REMOVE;
}

/* How far it is, where it takes long. */
static gboolean
on_tick (gpointer data)
{
  EsDemonPane *self = ES_DEMON_PANE (data);
  g_autofree char *detail = NULL;

  if (!es_latest_is_busy (self->latest) || self->share == NULL)
    {
      self->ticker = 0;
      return G_SOURCE_REMOVE;
    }
  /* TRANSLATORS: the first is “60.0°, 100–480 Hz, 00:00:10 to 00:00:42” */
  detail = g_strdup_printf (_("%s: %.0f %% computed"), self->what, g_atomic_int_get (self->share) / 10.0);
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), detail);
  return G_SOURCE_CONTINUE;
}

static char *
describe (EsDemonPane *self, Request *request)
{
  EsSonarDisplay *display = es_sonar_pane_get_display (ES_SONAR_PANE (self));
  const EsBeamAim *aim = &request->demon.aim;
  /* A true bearing is followed while the array turns. */
  g_autofree char *bearing = isnan (aim->true_bearing)
                             ? es_sonar_name_bearing (self, aim->bearing)
                             : es_bearing_scale_format (es_bearing_scale_of (self), aim->true_bearing);
  g_autofree char *begin = es_sonar_display_format_time (display, request->begin, 0.1);
  g_autofree char *end = es_sonar_display_format_time (display, request->end, 0.1);

  /* TRANSLATORS: bearing, band, from when to when */
  return g_strdup_printf (_("%s, %.0f–%.0f Hz, %s to %s"), bearing, request->demon.low, request->demon.high, begin,
                          end);
}

static void
show (EsDemonPane *self, Request *request, Answer *answer)
{
  g_autofree double *x = g_new (double, answer->n), *y = g_new (double, answer->n);
  g_autofree char *detail = describe (self, request);
  const double highest = request->demon.highest;
  /* Lines read their power, as in the operation's: the window of es_demon_spectrum () spreads it over bins. */
  const double line = es_window_get_noise_bandwidth (ES_WINDOW_HANN);

  for (guint i = 0; i < answer->n; i++)
    {
      x[i] = i * answer->step;
      y[i] = answer->powers[i] > 0 ? 10 * log10 (line * answer->powers[i]) : answer->powers[i] == 0 ? -INFINITY : NAN;
    }
  es_plot_clear (self->plot);
  es_plot_set_x_axis (self->plot, _("Frequency of the envelope"), _("Hz"));
  es_plot_set_y_axis (self->plot, _("Modulation"), _("dB re mean envelope²"), FALSE);
  es_plot_set_x_range (self->plot, 0, highest);
  /* The first ones are what is left of the mean. */
  if (answer->n > 3)
    es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, answer->n - 2, x + 2, y + 2);
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), detail);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->plot_view);
}

static void
done (gpointer data, gpointer result, const GError *error, gpointer user_data)
{
  EsDemonPane *self = ES_DEMON_PANE (user_data);
  gint64 took = (g_get_monotonic_time () - self->begun) / 1000;

  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add ((guint) CLAMP (PAUSE * took, SHORTEST_PAUSE, 60000), on_pause_over, self);
  if (result != NULL)
    {
      show (self, data, result);
      return;
    }
  es_plot_clear (self->plot);
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), NULL);
  show_sentence (self, error->message);
}

/* Of the record, s: what was selected; else, of a result where nobody points at a moment, what is in view; else what
 * ends with the row that is heard, or so many seconds with the one that is pointed at. */
static gboolean
find_stretch (EsDemonPane *self, double duration, double *begin, double *end)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  const gboolean pointed = !isnan (es_sonar_cursor_get_time (cursor));
  double top, span;
  guint64 row;

  if (es_sonar_cursor_get_stretch (cursor, begin, end))
    return TRUE;
  if (!es_sonar_cursor_get_row (cursor, &row))
    return FALSE;
  if (es_sonar_source_get_result (source) != NULL && !pointed)
    {
      const double last = es_sonar_source_get_end (source) - 1.;

      es_sonar_extent_get_rows (es_sonar_extent_of (self), &top, &span);
      *begin = es_sonar_source_get_row_begin (source, (guint64) CLAMP (floor (top - span), 0, last));
      *end = es_sonar_source_get_row_end (source, (guint64) CLAMP (ceil (top) - 1, 0, last));
      return TRUE;
    }
  *end = es_sonar_source_get_row_end (source, row);
  if (pointed)
    *end = MAX (*end, MIN (SECONDS, duration));
  *begin = MAX (*end - SECONDS, 0);
  return TRUE;
}

/* NULL: there is nothing to be computed. */
static Request *
make_request (EsDemonPane *self)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsRecording *recording = es_sonar_source_get_recording (source);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  g_autoptr (EsArray) array = es_sonar_source_get_array (source);
  const int angle = es_sonar_cursor_get_angle (es_sonar_cursor_of (self));
  double begin, end;
  Request *request;

  if (recording == NULL || settings == NULL || array == NULL || angle < 0
      || !find_stretch (self, es_recording_get_seconds (recording), &begin, &end))
    return NULL;
  const double rate = es_recording_get_rate (recording), frames = (double) es_recording_get_frames (recording);
  const double low = es_beam_settings_get_frequency (settings, settings->cbf_first);
  const double high = es_beam_settings_get_frequency (settings, settings->cbf_first + MAX (settings->cbf_bins, 1) - 1);
  const double first = CLAMP (floor (begin * rate + 0.5), 0, frames);
  const double segment = MIN (SECONDS * rate, MOST_VALUES / es_recording_get_n_channels (recording));

  request = g_new0 (Request, 1);
  request->begin = begin;
  request->end = end;
  request->share = g_atomic_rc_box_new0 (int);
  request->demon = (EsBeamDemon) {
    .recording = g_object_ref (recording), .array = g_steal_pointer (&array), .shading = settings->shading,
    .aim = { .bearing = settings->angles[angle],
             .true_bearing = es_sonar_cursor_get_held (es_sonar_cursor_of (self)) },
    .first = (guint64) first,
    .n = (guint64) CLAMP (floor (end * rate + 0.5) - first, 0, frames - first), .segment = (guint) segment,
    .most_segments = MOST_SEGMENTS, .low = low, .high = high, .highest = MIN (HIGHEST, high - low),
  };
  return request;
}

static gboolean
is_asked (EsDemonPane *self, const EsBeamDemon *demon)
{
  const EsBeamDemon *asked = &self->asked;

  return asked->recording == demon->recording && es_beam_aim_equal (&asked->aim, &demon->aim)
         && asked->first == demon->first && asked->n == demon->n && asked->low == demon->low
         && asked->high == demon->high;
}

/* anew: also what was asked for last. */
static void
submit (EsDemonPane *self, gboolean anew)
{
  EsSonarSource *source = es_sonar_source_of (self);
  Request *request = make_request (self);

  self->stale = FALSE;
  if (request == NULL)
    {
      es_latest_cancel (self->latest);
      self->asked = (EsBeamDemon) { 0 };
      es_plot_clear (self->plot);
      es_sonar_pane_set_detail (ES_SONAR_PANE (self), NULL);
      show_sentence (self, es_sonar_source_get_recording (source) == NULL && es_sonar_source_get_result (source) != NULL
                     ? _("The recording of this result is not open.")
                     : _("The modulation of the beam under the cursor appears here: shafts and propellers."));
      return;
    }
  if (!anew && is_asked (self, &request->demon))
    {
      free_request (request);
      return;
    }
  self->asked = request->demon;
  g_clear_pointer (&self->share, g_atomic_rc_box_release);
  self->share = g_atomic_rc_box_acquire (request->share);
  g_free (self->what);
  self->what = describe (self, request);
  /* Nobody waits for a long one any more. */
  if (es_latest_is_busy (self->latest) && g_get_monotonic_time () - self->begun > PATIENCE * 1000)
    es_latest_cancel (self->latest);
  if (!es_latest_is_busy (self->latest))
    self->begun = g_get_monotonic_time ();
  es_latest_submit (self->latest, request);
  if (self->ticker == 0)
    self->ticker = g_timeout_add (PROGRESS, on_tick, self);
}

gboolean
es_demon_pane_is_busy (EsDemonPane *self)
{
  g_return_val_if_fail (ES_IS_DEMON_PANE (self), FALSE);
  return es_latest_is_busy (self->latest) || self->stale;
}

static void
es_demon_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsDemonPane *self = ES_DEMON_PANE (pane);
  const gboolean pointed = !isnan (es_sonar_cursor_get_time (es_sonar_cursor_of (self)));
  EsSonarChange asked = ES_SONAR_CHANGE_BEARING | ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_STRETCH
                         | ES_SONAR_CHANGE_WRITING;

  if (pointed)
    asked |= ES_SONAR_CHANGE_MOMENT;
  if (es_sonar_source_get_result (es_sonar_source_of (self)) != NULL)
    asked |= ES_SONAR_CHANGE_SCROLL | ES_SONAR_CHANGE_MOMENT;
  if (!(change & (asked | ES_SONAR_CHANGE_MOMENT)))
    return;
  self->stale = TRUE;
  /* What is heard goes on by itself, and waits; a person who asks for something else does not. */
  if (!(change & asked) && (es_latest_is_busy (self->latest) || self->timeout != 0))
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  submit (self, (change & ES_SONAR_CHANGE_HISTORY) != 0);
}

static char *
es_demon_pane_to_text (EsSonarPane *pane, char separator)
{
  EsDemonPane *self = ES_DEMON_PANE (pane);
  char *text;

  if (es_plot_get_n_series (self->plot) == 0)
    return NULL;
  text = es_plot_to_text (self->plot);
  g_strdelimit (text, "\t", separator);
  return text;
}

/* The detail tells the beam and the band. */
static char *
es_demon_pane_name_subject (EsSonarPane *pane)
{
  return g_strdup (_("dB re mean envelope²"));
}

static void
es_demon_pane_dispose (GObject *object)
{
  EsDemonPane *self = ES_DEMON_PANE (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_handle_id (&self->ticker, g_source_remove);
  g_clear_pointer (&self->share, g_atomic_rc_box_release);
  g_clear_pointer (&self->what, g_free);
  if (self->latest != NULL)
    es_latest_cancel (self->latest);
  g_clear_object (&self->latest);
  g_clear_object (&self->plot);
  G_OBJECT_CLASS (es_demon_pane_parent_class)->dispose (object);
}

static void
es_demon_pane_class_init (EsDemonPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_demon_pane_dispose;
  ES_SONAR_PANE_CLASS (klass)->update = es_demon_pane_update;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_demon_pane_to_text;
  ES_SONAR_PANE_CLASS (klass)->name_subject = es_demon_pane_name_subject;
  ES_SONAR_PANE_CLASS (klass)->has_no_bearings = TRUE;
}

static void
es_demon_pane_init (EsDemonPane *self)
{
  self->latest = es_latest_new (compute, free_request, free_answer, done, self);
}

EsSonarPane *
es_demon_pane_new (EsSonarDisplay *display)
{
  EsDemonPane *self = g_object_new (ES_TYPE_DEMON_PANE, NULL);

  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("DEMON"));
  self->plot_view = es_plot_view_new (self->plot, 180);
  es_plot_view_set_name (ES_PLOT_VIEW (self->plot_view), es_sonar_name_frequency);
  self->placeholder = es_sonar_placeholder_new (NULL);
  self->stack = gtk_stack_new ();
  gtk_stack_add_child (GTK_STACK (self->stack), self->placeholder);
  gtk_stack_add_child (GTK_STACK (self->stack), self->plot_view);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, "demon", _("DEMON"), self->stack);
  es_sonar_pane_describe_plot (ES_SONAR_PANE (self), self->plot);
  return ES_SONAR_PANE (self);
}
