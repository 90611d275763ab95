/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a display is of, in words: above the numbers and the pictures that are saved. */

#include "es-sonar-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-kind-chooser.h"
#include "sonar/display/es-sonar-cursor.h"

/* "dB re full scale; band 100 to 480 Hz; bearings from the array, in degrees". */
static void
append_settings (GString *text, EsSonarPane *self, gboolean as_data)
{
  EsSonarPaneClass *klass = ES_SONAR_PANE_GET_CLASS (self);
  EsSonarSource *source = es_sonar_source_of (self);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  const gboolean of_array = as_data ? klass->is_of_array : klass->shows_array != NULL && klass->shows_array (self);
  const EsBearings kind = of_array ? ES_BEARINGS_ARRAY
                          : es_bearing_scale_get_kind (es_bearing_scale_of (self));
  g_autoptr (EsArray) array = es_sonar_source_get_array (source);
  g_autofree char *origin = array != NULL ? es_array_describe_origin (array) : NULL;
  g_autofree char *subject = klass->name_subject != NULL ? klass->name_subject (self) : NULL;

  g_string_append (text, subject != NULL ? subject : es_sonar_source_get_unit (source));
  if (klass->has_no_bearings)
    return;
  if (subject == NULL && settings != NULL && settings->cbf_bins > 0)
    g_string_append_printf (text, _("; band %.6g to %.6g Hz"),
                            es_beam_settings_get_frequency (settings, settings->cbf_first),
                            es_beam_settings_get_frequency (settings, settings->cbf_first + settings->cbf_bins - 1));
  g_string_append (text, kind == ES_BEARINGS_TRUE ? _("; bearings clockwise from true north, in degrees")
                         : kind == ES_BEARINGS_ROUND ? _("; bearings from the array, 0 to 360 degrees")
                         : _("; bearings from the array, in degrees"));
  if (origin != NULL)
    g_string_append_printf (text, _("; from %s"), origin);
}

/* A picture that is seen by itself says its beams also where there is no choice of them. Transfer full. */
static char *
name_beams (EsSonarPane *self, const char *title)
{
  const gboolean is_of_beams = es_sonar_pane_get_chooser (self) != NULL || ES_SONAR_PANE_GET_CLASS (self)->is_of_array;

  if (!is_of_beams || es_sonar_source_get_kinds (es_sonar_source_of (self)) != 1u << ES_BEAM_CBF)
    return g_strdup (title);
  /* Translators: a display and the beams it is of: “Bearing-time record (MVDR)”. */
  return g_strdup_printf (_("%s (%s)"), title, es_beam_kind_name (ES_BEAM_CBF));
}

/* By the clock that the displays show, or in UTC where that is the time elapsed. Transfer full; NULL: nobody knows. */
static char *
tell_start (EsSonarPane *self)
{
  EsSonarDisplay *display = es_sonar_pane_get_display (self);
  EsRecording *recording = es_sonar_source_get_recording (es_sonar_source_of (self));
  g_autoptr (GDateTime) start = NULL, utc = NULL;

  if (es_sonar_display_get_start (display) != NULL)
    return es_sonar_display_format_time (display, 0, 1);
  start = recording != NULL ? es_recording_dup_start (recording) : NULL;
  utc = start != NULL ? g_date_time_to_utc (start) : NULL;
  return utc != NULL ? g_date_time_format (utc, "%Y-%m-%d %H:%M:%S UTC") : NULL;
}

/* "sea.wav: Bearing-time record (MVDR)". */
static char *
make_heading (EsSonarPane *self, const char *name)
{
  EsRecording *recording = es_sonar_source_get_recording (es_sonar_source_of (self));

  return recording != NULL ? g_strdup_printf ("%s: %s", es_dataset_get_name (ES_DATASET (recording)), name)
                           : g_strdup (name);
}

static char *
describe (EsSonarPane *self, gboolean as_data, char **heading)
{
  EsSonarDisplay *display = es_sonar_pane_get_display (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  const char *detail = es_sonar_pane_get_detail (self);
  const double bearing = es_sonar_cursor_get_bearing (cursor);
  /* The detail says which beam it is of, or it is of none. */
  const gboolean has_own = ES_SONAR_PANE_GET_CLASS (self)->name_subject != NULL;
  g_autofree char *plain = es_sonar_pane_make_name (self), *name = name_beams (self, plain), *began = tell_start (self);
  GString *text = g_string_new (NULL);
  guint64 row;

  *heading = make_heading (self, name);
  append_settings (text, self, as_data);
  if (detail != NULL)
    g_string_append_printf (text, "; %s", detail);
  /* Translators: when the recording began, with its time zone: "; began 2026-05-01 12:00:00 UTC". */
  if (began != NULL)
    g_string_append_printf (text, _("; began %s"), began);
  if (es_sonar_cursor_get_row (cursor, &row))
    {
      g_autofree char *time = es_sonar_display_format_time (display,
                                                            es_sonar_source_get_row_time (es_sonar_source_of (self),
                                                                                          row), 0.1);
      g_autofree char *beam = isnan (bearing) || has_own ? NULL : es_sonar_name_bearing (self, bearing);

      /* Translators: where the cursor is: "; cursor at 2026-05-01 12:31:20.2 UTC, 48.0°". */
      if (beam != NULL)
        g_string_append_printf (text, _("; cursor at %s, %s"), time, beam);
      else
        g_string_append_printf (text, _("; cursor at %s"), time);
    }
  return g_string_free (text, FALSE);
}

char *
es_sonar_pane_describe_picture (EsSonarPane *self, char **heading)
{
  return describe (self, FALSE, heading);
}

char *
es_sonar_pane_describe_data (EsSonarPane *self)
{
  g_autofree char *heading = NULL, *words = describe (self, TRUE, &heading);

  return g_strdup_printf ("# %s; %s\n", heading, words);
}

static void
on_plot_saved (EsSonarPane *self, EsPlot *plot)
{
  g_autofree char *heading = NULL, *words = es_sonar_pane_describe_picture (self, &heading);
  g_autofree char *name = name_beams (self, es_plot_get_title (plot)), *own = make_heading (self, name);

  es_plot_set_caption (plot, own, words);
}

void
es_sonar_pane_describe_plot (EsSonarPane *self, EsPlot *plot)
{
  g_signal_connect_object (plot, "saved", G_CALLBACK (on_plot_saved), self, G_CONNECT_SWAPPED);
}
