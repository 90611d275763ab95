/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-element-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "widgets/es-latest.h"
#include "signal/es-line-spectrum.h"
#include "charts/es-plot-view.h"
#include "widgets/es-wheel.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-source.h"

#define MOST_SAMPLES 1048576u
#define MOST_POINTS  1500u      /* of the waveform: beyond that the least and the most of each stretch */
#define MOST_BINS    4096u

typedef struct
{
  EsRecording *recording;
  guint        channel;
  guint64      first;
  guint        n;
  double       gain;             /* of a sample; micropascal where calibrated */
  gboolean     calibrated;
} Request;

typedef struct
{
  guint   n_points, n_bins;
  double *times, *values, *frequencies, *levels;
} Answer;

struct _EsElementPane
{
  EsSonarPane  parent_instance;

  EsPlot      *waveform, *spectrum;
  GtkWidget   *stack, *placeholder, *content, *spin, *name;
  EsLatest    *latest;
  guint        element;
  gboolean     updating;
};

G_DEFINE_FINAL_TYPE (EsElementPane, es_element_pane, ES_TYPE_SONAR_PANE)

/* ---- on the worker ---- */

static void
free_request (gpointer data)
{
  Request *request = data;

  g_object_unref (request->recording);
  g_free (request);
}

static void
free_answer (gpointer data)
{
  Answer *answer = data;

  g_free (answer->times);
  g_free (answer->values);
  g_free (answer->frequencies);
  g_free (answer->levels);
  g_free (answer);
}

static void
make_waveform (Answer *answer, const float *samples, const Request *request)
{
  double rate = es_recording_get_rate (request->recording);
  guint stretch = (request->n + MOST_POINTS - 1) / MOST_POINTS;

  answer->times = g_new (double, 2 * ((gsize) request->n / stretch + 1));
  answer->values = g_new (double, 2 * ((gsize) request->n / stretch + 1));
  for (guint i = 0; i < request->n; i += stretch)
    {
      guint end = MIN (i + stretch, request->n), least = i, most = i;

      for (guint k = i; k < end; k++)
        {
          if (samples[k] < samples[least])
            least = k;
          if (samples[k] > samples[most])
            most = k;
        }
      for (guint pass = 0; pass < (least == most ? 1 : 2); pass++)
        {
          guint k = pass == 0 ? MIN (least, most) : MAX (least, most);

          answer->times[answer->n_points] = k / rate;
          answer->values[answer->n_points++] = samples[k] * request->gain;
        }
    }
}

static void
make_spectrum (Answer *answer, const float *samples, const Request *request)
{
  double rate = es_recording_get_rate (request->recording);
  guint length = 64;
  g_autofree float *powers = NULL;

  while (2 * length <= request->n && length < MOST_BINS)
    length *= 2;
  powers = g_new0 (float, length / 2 + 1);
  if (!es_power_spectrum (samples, request->n, length, ES_WINDOW_HANN, 0.5, powers))
    return;
  answer->n_bins = length / 2 + 1;
  answer->frequencies = g_new (double, answer->n_bins);
  answer->levels = g_new (double, answer->n_bins);
  for (guint i = 0; i < answer->n_bins; i++)
    {
      double power = powers[i] * request->gain * request->gain / (rate / length);

      answer->frequencies[i] = i * rate / length;
      answer->levels[i] = power > 0 ? 10 * log10 (power) : power == 0 ? -INFINITY : NAN;
    }
}

static gpointer
compute (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;
  g_autofree float *samples = g_try_new (float, request->n);
  Answer *answer;

  if (samples == NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                           _("There is not enough memory for the samples."));
      return NULL;
    }
  if (!es_recording_read (request->recording, request->first, request->n, request->channel, 1, samples, error))
    return NULL;
  answer = g_new0 (Answer, 1);
  make_waveform (answer, samples, request);
  make_spectrum (answer, samples, request);
  return answer;
}

/* ---- on the UI thread ---- */

static void
show_sentence (EsElementPane *self, const char *sentence)
{
  gtk_label_set_text (GTK_LABEL (self->placeholder), sentence);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->placeholder);
}

static void
done (gpointer data, gpointer result, const GError *error, gpointer user_data)
{
  EsElementPane *self = ES_ELEMENT_PANE (user_data);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  Answer *answer = result;
  gboolean calibrated = ((Request *) data)->calibrated;

  es_plot_clear (self->waveform);
  es_plot_clear (self->spectrum);
  if (answer == NULL)
    {
      show_sentence (self, error->message);
      return;
    }
  es_plot_set_x_axis (self->waveform, _("Time"), "s");
  es_plot_set_y_axis (self->waveform, calibrated ? _("Pressure") : _("Sample"), calibrated ? "µPa" : NULL, FALSE);
  es_plot_add_series (self->waveform, NULL, ES_PLOT_LINE, FALSE, answer->n_points, answer->times, answer->values);
  es_plot_set_x_axis (self->spectrum, _("Frequency"), _("Hz"));
  es_plot_set_y_axis (self->spectrum, _("Level"), calibrated ? _("dB re 1 µPa²/Hz") : _("dB re full scale²/Hz"),
                      FALSE);
  if (answer->n_bins > 0)
    {
      es_plot_set_x_range (self->spectrum, 0, answer->frequencies[answer->n_bins - 1]);
      es_plot_add_series (self->spectrum, NULL, ES_PLOT_LINE, FALSE, answer->n_bins, answer->frequencies,
                          answer->levels);
    }
  if (!isnan (es_sonar_cursor_get_frequency (cursor)))
    es_plot_add_marker (self->spectrum, FALSE, es_sonar_cursor_get_frequency (cursor), NULL, FALSE);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->content);
}

/* The elements are the array's; without one, the channels. */
static guint
count_elements (EsElementPane *self)
{
  EsRecording *recording = es_sonar_source_get_recording (es_sonar_source_of (self));
  g_autoptr (EsArray) array = es_sonar_source_get_array (es_sonar_source_of (self));

  return array != NULL ? es_array_get_n_elements (array)
         : recording != NULL ? es_recording_get_n_channels (recording) : 0;
}

static void
describe_element (EsElementPane *self, const EsElement *element, guint channel)
{
  g_autofree char *number = g_strdup_printf (_("channel %u"), channel + 1);
  g_autofree char *name = element != NULL ? es_text_show (element->name) : NULL;
  g_autofree char *words = name != NULL ? g_strdup_printf ("%s, %s", name, number) : g_steal_pointer (&number);
  g_autofree char *all = element != NULL && element->dead ? g_strdup_printf (_("%s, left out"), words)
                                                          : g_steal_pointer (&words);

  gtk_label_set_text (GTK_LABEL (self->name), all);
}

static void
submit (EsElementPane *self)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  EsRecording *recording = es_sonar_source_get_recording (source);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  g_autoptr (EsArray) array = es_sonar_source_get_array (source);
  const EsElement *element = NULL;
  guint n = count_elements (self), channel = self->element;
  Request *request;
  guint64 row;
  double rate;

  if (recording == NULL || n == 0)
    {
      show_sentence (self, es_sonar_source_get_result (source) != NULL
                     ? _("The recording of this result is not open.") : _("No recording"));
      return;
    }
  if (self->element >= n)
    self->element = n - 1;
  if (array != NULL)
    {
      element = &es_array_get_elements (array)[self->element];
      channel = element->channel;
    }
  if (channel >= es_recording_get_n_channels (recording))
    {
      show_sentence (self, _("The recording lacks the channel of this element."));
      return;
    }
  describe_element (self, element, channel);
  rate = es_recording_get_rate (recording);
  request = g_new0 (Request, 1);
  request->recording = g_object_ref (recording);
  request->channel = channel;
  request->n = (guint) CLAMP (settings != NULL && settings->block > 2 ? settings->block : rate, 2, MOST_SAMPLES);
  if (es_sonar_cursor_get_row (cursor, &row))
    request->first = (guint64) MAX (es_sonar_source_get_row_begin (source, row) * rate + 0.5, 0);
  request->gain = element != NULL ? element->gain : 1;
  const double upa = es_recording_get_calibration_of (recording, channel);
  request->calibrated = !isnan (upa);
  request->gain *= request->calibrated ? upa : 1;
  es_latest_submit (self->latest, request);
}

static void
update_spin (EsElementPane *self)
{
  self->updating = TRUE;
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->spin), 1, MAX (count_elements (self), 1));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->spin), self->element + 1);
  self->updating = FALSE;
}

void
es_element_pane_set_element (EsElementPane *self, guint element)
{
  g_return_if_fail (ES_IS_ELEMENT_PANE (self));

  if (self->element == element)
    return;
  self->element = element;
  update_spin (self);
  submit (self);
}

guint
es_element_pane_get_element (EsElementPane *self)
{
  g_return_val_if_fail (ES_IS_ELEMENT_PANE (self), 0);
  return self->element;
}

EsPlot *
es_element_pane_get_spectrum (EsElementPane *self)
{
  g_return_val_if_fail (ES_IS_ELEMENT_PANE (self), NULL);
  return self->spectrum;
}

gboolean
es_element_pane_is_busy (EsElementPane *self)
{
  g_return_val_if_fail (ES_IS_ELEMENT_PANE (self), FALSE);
  return es_latest_is_busy (self->latest);
}

static void
on_spin (EsElementPane *self)
{
  if (!self->updating)
    es_element_pane_set_element (self, (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->spin)) - 1);
}

static void
es_element_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsElementPane *self = ES_ELEMENT_PANE (pane);

  if (change & ES_SONAR_CHANGE_HISTORY)
    update_spin (self);
  if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_FREQUENCY))
    submit (self);
}

static char *
es_element_pane_to_text (EsSonarPane *pane, char separator)
{
  EsElementPane *self = ES_ELEMENT_PANE (pane);
  g_autofree char *waveform = NULL, *spectrum = NULL;
  char *text;

  if (es_plot_get_n_series (self->spectrum) == 0)
    return NULL;
  waveform = es_plot_to_text (self->waveform);
  spectrum = es_plot_to_text (self->spectrum);
  text = g_strdup_printf ("%s\n%s", spectrum, waveform);
  g_strdelimit (text, "\t", separator);
  return text;
}

static char *
es_element_pane_name_subject (EsSonarPane *pane)
{
  return g_strdup (gtk_label_get_text (GTK_LABEL (ES_ELEMENT_PANE (pane)->name)));
}

static void
es_element_pane_dispose (GObject *object)
{
  EsElementPane *self = ES_ELEMENT_PANE (object);

  if (self->latest != NULL)
    es_latest_cancel (self->latest);
  g_clear_object (&self->latest);
  g_clear_object (&self->waveform);
  g_clear_object (&self->spectrum);
  G_OBJECT_CLASS (es_element_pane_parent_class)->dispose (object);
}

static void
es_element_pane_class_init (EsElementPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_element_pane_dispose;
  ES_SONAR_PANE_CLASS (klass)->update = es_element_pane_update;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_element_pane_to_text;
  ES_SONAR_PANE_CLASS (klass)->name_subject = es_element_pane_name_subject;
  ES_SONAR_PANE_CLASS (klass)->has_no_bearings = TRUE;
}

static void
es_element_pane_init (EsElementPane *self)
{
  self->latest = es_latest_new (compute, free_request, free_answer, done, self);
}

EsSonarPane *
es_element_pane_new (EsSonarDisplay *display)
{
  EsElementPane *self = g_object_new (ES_TYPE_ELEMENT_PANE, NULL);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new (_("Element"));
  GtkWidget *plot;

  self->waveform = es_plot_new ();
  self->spectrum = es_plot_new ();
  es_plot_set_title (self->waveform, _("Waveform of an element"));
  es_plot_set_title (self->spectrum, _("Spectrum of an element"));
  self->spin = gtk_spin_button_new_with_range (1, 2, 1);
  es_ignore_wheel (self->spin);
  gtk_widget_add_css_class (self->spin, "compact-spin");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->spin), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Element"), -1);
  g_signal_connect_object (self->spin, "value-changed", G_CALLBACK (on_spin), self, G_CONNECT_SWAPPED);
  self->name = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->name), 0);
  gtk_widget_set_hexpand (self->name, TRUE);
  gtk_widget_add_css_class (self->name, "dim-label");
  gtk_widget_add_css_class (row, "peak-list");
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->spin);
  gtk_box_append (GTK_BOX (row), self->name);

  self->content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->content), row);
  plot = es_plot_view_new (self->waveform, 120);
  gtk_widget_set_vexpand (plot, TRUE);
  gtk_box_append (GTK_BOX (self->content), plot);
  plot = es_plot_view_new (self->spectrum, 150);
  es_plot_view_set_name (ES_PLOT_VIEW (plot), es_sonar_name_frequency);
  gtk_widget_set_vexpand (plot, TRUE);
  gtk_box_append (GTK_BOX (self->content), plot);
  self->placeholder = es_sonar_placeholder_new (NULL);
  self->stack = gtk_stack_new ();
  gtk_stack_add_child (GTK_STACK (self->stack), self->placeholder);
  gtk_stack_add_child (GTK_STACK (self->stack), self->content);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, "element", _("Element"), self->stack);
  es_sonar_pane_describe_plot (ES_SONAR_PANE (self), self->waveform);
  es_sonar_pane_describe_plot (ES_SONAR_PANE (self), self->spectrum);
  return ES_SONAR_PANE (self);
}
