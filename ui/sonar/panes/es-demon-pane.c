/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-demon-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "beam/es-beam-sound.h"
#include "widgets/es-latest.h"
#include "signal/es-line-spectrum.h"
#include "charts/es-plot-view.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-source.h"

#define SECONDS        16.0     /* of signal: lines 1/16 Hz apart */
#define HIGHEST        50.0     /* Hz of the envelope */
#define MOST_VALUES    (400u << 20)     /* samples of all channels in one piece: longer arrays get less time */
#define PAUSE          2        /* times what it took, before it begins anew */
#define SHORTEST_PAUSE 1000     /* ms */

typedef struct
{
  EsRecording *recording;
  EsArray     *array;
  EsShading    shading;
  double       bearing, end, seconds, low, high;
} Request;

typedef struct
{
  guint  n;
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
  gboolean     stale;            /* something has changed since the last one began */
};

G_DEFINE_FINAL_TYPE (EsDemonPane, es_demon_pane, ES_TYPE_SONAR_PANE)

static void submit (EsDemonPane *self);

/* ---- on the worker ---- */

static void
free_request (gpointer data)
{
  Request *request = data;

  g_object_unref (request->recording);
  es_array_unref (request->array);
  g_free (request);
}

static void
free_answer (gpointer data)
{
  Answer *answer = data;

  g_free (answer->powers);
  g_free (answer);
}

static gpointer
compute (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;
  double rate = es_recording_get_rate (request->recording), begin = MAX (request->end - request->seconds, 0);
  guint64 first = (guint64) (begin * rate), frames = es_recording_get_frames (request->recording);
  guint n = (guint) MIN ((request->end - begin) * rate, (double) (frames - MIN (first, frames)));
  g_autoptr (EsBeamSound) sound = NULL;
  g_autofree float *samples = NULL;
  Answer *answer;

  n &= ~1u;
  sound = es_beam_sound_new (request->recording, request->array, request->shading, request->bearing, 0, 0, error);
  if (sound == NULL)
    return NULL;
  samples = g_try_new (float, MAX (n, 1));
  if (samples == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                           _("There is not enough memory for the beam's sound."));
      return NULL;
    }
  /* Piece by piece, so that closing the display does not wait. */
  for (guint done = 0; done < n; done += 8192)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !es_beam_sound_read (sound, first + done, MIN (8192, n - done), samples + done, error))
      return NULL;
  answer = g_new0 (Answer, 1);
  if (!es_demon_spectrum (samples, n, rate, request->low, request->high, MIN (HIGHEST, request->high - request->low),
                          &answer->powers, &answer->n, &answer->step, cancellable,
                          error))
    {
      free_answer (answer);
      return NULL;
    }
  return answer;
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
    submit (self);
  return G_SOURCE_REMOVE;
}

static void
done (gpointer data, gpointer result, const GError *error, gpointer user_data)
{
  EsDemonPane *self = ES_DEMON_PANE (user_data);
  Request *request = data;
  Answer *answer = result;
  gint64 took = (g_get_monotonic_time () - self->begun) / 1000;

  self->timeout = g_timeout_add ((guint) CLAMP (PAUSE * took, SHORTEST_PAUSE, 60000), on_pause_over, self);
  if (answer == NULL)
    {
      es_plot_clear (self->plot);
      es_sonar_pane_set_detail (ES_SONAR_PANE (self), NULL);
      show_sentence (self, error->message);
      return;
    }
  {
    g_autofree double *x = g_new (double, answer->n), *y = g_new (double, answer->n);
    g_autofree char *bearing = es_sonar_name_bearing (self, request->bearing);
    g_autofree char *detail = g_strdup_printf (_("%s, %.0f–%.0f Hz"), bearing, request->low, request->high);

    for (guint i = 0; i < answer->n; i++)
      {
        x[i] = i * answer->step;
        y[i] = answer->powers[i] > 0 ? 10 * log10 (answer->powers[i]) : answer->powers[i] == 0 ? -INFINITY : NAN;
      }
    es_plot_clear (self->plot);
    es_plot_set_x_axis (self->plot, _("Frequency of the envelope"), _("Hz"));
    es_plot_set_y_axis (self->plot, _("Modulation"), _("dB re mean"), FALSE);
    es_plot_set_x_range (self->plot, 0, MIN (HIGHEST, request->high - request->low));
    /* The first ones are what is left of the mean. */
    if (answer->n > 3)
      es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, answer->n - 2, x + 2, y + 2);
    es_sonar_pane_set_detail (ES_SONAR_PANE (self), detail);
    gtk_stack_set_visible_child (GTK_STACK (self->stack), self->plot_view);
  }
}

static void
submit (EsDemonPane *self)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  EsRecording *recording = es_sonar_source_get_recording (source);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  g_autoptr (EsArray) array = es_sonar_source_get_array (source);
  int angle = es_sonar_cursor_get_angle (cursor);
  Request *request;
  guint64 row;

  self->stale = FALSE;
  if (recording == NULL || settings == NULL || array == NULL || angle < 0 || !es_sonar_cursor_get_row (cursor, &row))
    {
      es_plot_clear (self->plot);
      es_sonar_pane_set_detail (ES_SONAR_PANE (self), NULL);
      show_sentence (self, recording == NULL && es_sonar_source_get_result (source) != NULL
                     ? _("The recording of this result is not open.")
                     : _("The modulation of the beam under the cursor appears here: shafts and propellers."));
      return;
    }
  request = g_new0 (Request, 1);
  request->recording = g_object_ref (recording);
  request->array = es_array_ref (array);
  request->shading = settings->shading;
  request->bearing = settings->angles[angle];
  request->end = es_sonar_source_get_row_begin (source, row) + settings->block / settings->rate;
  request->seconds = MIN (SECONDS, MOST_VALUES / (settings->rate * es_recording_get_n_channels (recording)));
  request->low = es_beam_settings_get_frequency (settings, settings->cbf_first);
  request->high = es_beam_settings_get_frequency (settings, settings->cbf_first + MAX (settings->cbf_bins, 1) - 1);
  self->begun = g_get_monotonic_time ();
  es_latest_submit (self->latest, request);
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

  if (!(change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_BEARING)))
    return;
  self->stale = TRUE;
  if (es_latest_is_busy (self->latest))
    return;
  /* Another beam is asked for by a person, who does not wait for a pause. */
  if (self->timeout != 0 && !(change & (ES_SONAR_CHANGE_BEARING | ES_SONAR_CHANGE_HISTORY)))
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  submit (self);
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

static void
es_demon_pane_dispose (GObject *object)
{
  EsDemonPane *self = ES_DEMON_PANE (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
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
  return ES_SONAR_PANE (self);
}
