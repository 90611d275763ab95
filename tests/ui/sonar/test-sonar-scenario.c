/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Six hours of ten sources, as somebody goes through them: opened, looked through while they play, read off at any
 * hour, computed into a result, saved and opened again. What was heard is computed here, element by element.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/es-analyse-panel.h"
#include "es-spectra.h"
#include "es-test-shell.h"
#include "es-test-sonar-shell.h"
#include "sonar/es-sonar-view-private.h"
#include "sonar/panes/es-peak-list.h"
#include "writers/es-writer.h"

#define HOURS 6
#define SECONDS (3600 * HOURS)
#define RATE 400
#define ELEMENTS 12
#define SPACING 3.75
#define SPEED 1500.0

/* Tones (to 0) and bands of noise at whole hertz, dB of the mean square against full scale. Bearings go evenly from one
 * end of the recording to the other, levels too. */
typedef struct
{
  const char *name;
  guint  from, to;             /* Hz; to 0: a tone */
  double begin_bearing, end_bearing, range;
  double begin_level, end_level;
} Source;

/* Tones stand in the middle of a bin of the default settings, so that a LOFARgram reads their power. */
static const Source sources[] = {
  { "a loud ship", 54, 72, 40, 40, INFINITY, -18, -18 },
  { "one that crosses", 130, 146, 60, 120, INFINITY, -20, -20 },
  { "the one it meets", 104, 121, 125, 65, INFINITY, -20, -20 },
  { "first line", 50, 0, 75, 75, INFINITY, -26, -26 },
  { "second line", 75, 0, 100, 100, INFINITY, -30, -30 },
  { "third line", 100, 0, 125, 125, INFINITY, -28, -28 },
  { "fourth line", 125, 0, 145, 145, INFINITY, -24, -24 },
  { "near", 150, 0, 60, 60, 60, -24, -24 },
  { "nearer", 175, 0, 115, 115, 40, -26, -26 },
  { "one that fades", 25, 0, 110, 110, INFINITY, -20, -40 },
};

static double
mix (double begin, double end, double seconds)
{
  return begin + (end - begin) * seconds / SECONDS;
}

/* ---- what was heard ---- */

static double
gaussian (GRand *chance)
{
  return sqrt (-2 * log (g_rand_double_range (chance, 1e-12, 1))) * cos (2 * G_PI * g_rand_double (chance));
}

/* One second of one source: its bins, at every element. */
static void
add_source (const Source *source, double seconds, GRand *chance, float (*bins)[2 * (RATE / 2 + 1)])
{
  const double bearing = mix (source->begin_bearing, source->end_bearing, seconds) * G_PI / 180;
  const double power = pow (10, mix (source->begin_level, source->end_level, seconds) / 10);
  const guint to = source->to > 0 ? source->to : source->from;

  for (guint f = source->from; f <= to; f++)
    {
      const double scale = source->to > 0 ? sqrt (power / (to - source->from + 1)) : sqrt (2 * power);
      const double re = source->to > 0 ? scale * gaussian (chance) : scale;
      const double im = source->to > 0 ? scale * gaussian (chance) : 0;

      for (guint k = 0; k < ELEMENTS; k++)
        {
          const double x = (k - (ELEMENTS - 1) / 2.) * SPACING;
          const double distance = hypot (source->range * cos (bearing) - x, source->range * sin (bearing));
          const double delay = isinf (source->range) ? -x * cos (bearing) / SPEED : (distance - source->range) / SPEED;
          const double loss = isinf (source->range) ? 1 : source->range / distance, phase = -2 * G_PI * f * delay;

          bins[k][2 * f] += (float) (0.5 * loss * (re * cos (phase) - im * sin (phase)));
          bins[k][2 * f + 1] += (float) (0.5 * loss * (re * sin (phase) + im * cos (phase)));
        }
    }
}

static GFile *
make_recording (void)
{
  g_autoptr (GFile) file = es_test_file_in ("scenario", "watch.wav"), sidecar = es_array_sidecar_of (file);
  g_autoptr (EsArray) array = es_array_new_line (ELEMENTS, SPACING, 0, NULL);
  g_autoptr (GRand) chance = g_rand_new_with_seed (15);
  g_autoptr (GError) error = NULL;
  static float bins[ELEMENTS][2 * (RATE / 2 + 1)], out[ELEMENTS][RATE];
  static gint16 samples[RATE * ELEMENTS];
  const guint32 data = SECONDS * (guint32) sizeof samples;
  struct { char riff[4]; guint32 size; char wave[8]; guint32 sixteen; guint16 pcm, channels; guint32 rate, per_second;
           guint16 block, bits; char tag[4]; guint32 data; } header = {
    "RIFF", GUINT32_TO_LE (36 + data), "WAVEfmt ", GUINT32_TO_LE (16), GUINT16_TO_LE (1), GUINT16_TO_LE (ELEMENTS),
    GUINT32_TO_LE (RATE), GUINT32_TO_LE (RATE * ELEMENTS * 2), GUINT16_TO_LE (ELEMENTS * 2), GUINT16_TO_LE (16),
    "data", GUINT32_TO_LE (data),
  };
  EskFft *fft = esk_fft_new (RATE);
  FILE *stream = fopen (g_file_peek_path (file), "wb");

  g_assert_nonnull (stream);
  g_assert_cmpuint (fwrite (&header, sizeof header, 1, stream), ==, 1);
  for (guint second = 0; second < SECONDS; second++)
    {
      memset (bins, 0, sizeof bins);
      for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
        add_source (&sources[i], second + 0.5, chance, bins);
      for (guint k = 0; k < ELEMENTS; k++)
        esk_fft_backward (fft, bins[k], out[k]);
      for (guint i = 0; i < RATE; i++)
        for (guint k = 0; k < ELEMENTS; k++)
          samples[i * ELEMENTS + k] = (gint16) GINT16_TO_LE ((gint16) CLAMP (
            rint (32768 * (out[k][i] + 1e-3 * (g_rand_double (chance) - 0.5))), -32768, 32767));
      g_assert_cmpuint (fwrite (samples, sizeof samples, 1, stream), ==, 1);
    }
  g_assert_cmpint (fclose (stream), ==, 0);
  esk_fft_free (fft);
  g_assert_true (es_array_save (array, sidecar, &error));
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

/* ---- reading off ---- */

typedef struct
{
  EsWindow      *window;
  EsPlayer      *player;
  EsBeamHistory *history;
  EsSonarView   *view;
  EsParams      *params;
} Watch;

static void
wait_until (gboolean (*is_so) (Watch *watch, gpointer data), Watch *watch, gpointer data)
{
  const gint64 end = g_get_monotonic_time () + 600 * G_USEC_PER_SEC;

  while (!is_so (watch, data) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (es_player_get_failure (watch->player), ==, NULL);
  g_assert_true (is_so (watch, data));
}

static gboolean
has_first_lines (Watch *watch, gpointer unused)
{
  return es_beam_history_get_n_current (watch->history) >= 60;
}

static gboolean
is_complete (Watch *watch, gpointer unused)
{
  return es_player_get_progress (watch->player) == 1;
}

static gboolean
has_stopped (Watch *watch, gpointer unused)
{
  return !es_player_is_playing (watch->player);
}

static gboolean
has_result (Watch *watch, gpointer unused)
{
  return es_sonar_view_get_result (watch->view) != NULL && es_test_is_idle (watch->window);
}

/* Frames pass: what has changed is seen. */
static void
settle (Watch *watch)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (watch->view));

  for (guint i = 0; i < 6 || watch->view->tick != 0; i++)
    {
      const gint64 counter = gdk_frame_clock_get_frame_counter (clock);

      gtk_widget_queue_draw (GTK_WIDGET (watch->view));
      while (gdk_frame_clock_get_frame_counter (clock) == counter)
        g_main_context_iteration (NULL, TRUE);
    }
}

typedef struct
{
  double first, last;          /* Hz: of the band as it is asked for */
  guint  row;
} Asked;

static gboolean
has_row (Watch *watch, gpointer data)
{
  const Asked *asked = data;
  const EsBeamSettings *settings = es_beam_history_get_settings (watch->history);

  return settings != NULL && settings->cbf_bins > 0
         && fabs (es_beam_settings_get_frequency (settings, settings->cbf_first) - asked->first) < 0.8
         && fabs (es_beam_settings_get_frequency (settings, settings->cbf_first + settings->cbf_bins - 1)
                  - asked->last) < 0.8
         && es_beam_history_is_current (watch->history, asked->row);
}

static EsSonarPane *
pane (Watch *watch, const char *id)
{
  return es_pane_frame_get_pane (_es_sonar_view_find_frame (watch->view, id));
}

static double
read_number (const char *text)
{
  g_autofree char *plain = g_strdup (text);

  if (g_str_has_prefix (plain, "−"))
    return -g_ascii_strtod (plain + strlen ("−"), NULL);
  return g_ascii_strtod (plain, NULL);
}

/* The first line of the list of peaks, as it is written. */
static void
read_peak (Watch *watch, double *bearing, double *level)
{
  GtkGrid *list = GTK_GRID (es_test_find (GTK_WIDGET (pane (watch, "azimuth")), ES_TYPE_PEAK_LIST, NULL));

  g_assert_nonnull (list);
  *bearing = read_number (gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (list, 0, 1))));
  *level = read_number (gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (list, 2, 1))));
}

/* Looks at a source at a moment, its own band alone. */
static void
look_at (Watch *watch, const Source *source, guint second)
{
  Asked asked = { source->from - 1, (source->to > 0 ? source->to : source->from) + 1, second };
  g_autofree char *band = g_strdup_printf ("%g:%g", asked.first, asked.last);

  es_params_set_text (watch->params, "band", band);
  /* What is in view comes first. */
  es_sonar_extent_set_rows (watch->view->extent, second + 10, 20);
  wait_until (has_row, watch, &asked);
  g_object_set (watch->view, "time", second + 0.5, NULL);
  settle (watch);
}

/* ---- the watch ---- */

static void
check_source (Watch *watch, const Source *source, double hour)
{
  const guint second = (guint) (3600 * hour);
  const double truth = mix (source->begin_bearing, source->end_bearing, second + 0.5);
  const double loudness = mix (source->begin_level, source->end_level, second + 0.5);
  const guint n_bins = source->to > 0 ? source->to - source->from + 1 : 1;
  double bearing, level;

  look_at (watch, source, second);
  if (isfinite (source->range))
    {
      /* "60 m, 60.1°, margin 1.2 dB": the row of the energy field where it is sharp. */
      const char *detail = es_sonar_pane_get_detail (pane (watch, "energy"));

      g_test_message ("%s at %g h: %s", source->name, hour, detail);
      g_assert_nonnull (detail);
      g_assert_cmpfloat (read_number (detail), ==, source->range);
      g_assert_cmpfloat_with_epsilon (read_number (strstr (detail, ", ") + 2), truth, 1);
      return;
    }
  read_peak (watch, &bearing, &level);
  g_test_message ("%s at %g h: %.1f degrees (%.2f), %.1f dB (%.2f)", source->name, hour, bearing, truth, level,
                  loudness);
  g_assert_cmpfloat_with_epsilon (bearing, truth, source->to > 0 ? 0.5 : 0.3);
  /* Of noise a second knows the level to so many deviations; as written, to a tenth. */
  g_assert_cmpfloat_with_epsilon (level, loudness, source->to > 0 ? 4 * 4.34 / sqrt (n_bins) : 0.35);
}

/* The LOFARgram of a bearing, as text: the strongest bin beside a frequency at a second. */
static void
check_line (Watch *watch, const Source *source, guint second)
{
  EsSonarPane *lofar = pane (watch, "lofar");
  g_autofree char *text = NULL, *start = NULL;
  g_auto (GStrv) lines = NULL, heads = NULL, cells = NULL;
  const double loudness = mix (source->begin_level, source->end_level, second + 0.5);
  double best = -INFINITY, frequency = NAN;

  g_object_set (watch->view, "bearing", source->begin_bearing, NULL);
  es_sonar_extent_set_rows (watch->view->extent, second + 10, 20);
  settle (watch);
  text = es_sonar_pane_to_text (lofar, ',');
  g_assert_nonnull (text);
  lines = g_strsplit (text, "\n", -1);
  heads = g_strsplit (lines[0], ",", -1);
  start = g_strdup_printf ("%u.500000,", second);
  for (guint i = 1; lines[i] != NULL && cells == NULL; i++)
    if (g_str_has_prefix (lines[i], start))
      cells = g_strsplit (lines[i], ",", -1);
  g_assert_nonnull (cells);
  g_assert_cmpuint (g_strv_length (cells), ==, g_strv_length (heads));
  for (guint c = 1; heads[c] != NULL; c++)
    if (fabs (g_ascii_strtod (heads[c], NULL) - source->from) < 2 && *cells[c] != '\0'
        && g_ascii_strtod (cells[c], NULL) > best)
      {
        best = g_ascii_strtod (cells[c], NULL);
        frequency = g_ascii_strtod (heads[c], NULL);
      }
  g_test_message ("%s at %g h: %.2f Hz, %.2f dB (%.2f)", source->name, second / 3600., frequency, best, loudness);
  g_assert_cmpfloat_with_epsilon (frequency, source->from, 0.5);
  g_assert_cmpfloat_with_epsilon (best, loudness, 0.7);
}

/* The headless tool by the result's own command: the same tables, to the last digit. */
static void
check_batch (EsResult *result, GFile *folder)
{
  static const char *const names[] = { "detections.csv", "tracks.csv", "peaks.csv", "band-energy.csv" };
  const char *batch = g_getenv ("ES_TEST_BATCH");
  g_autofree char *command = es_result_to_command (result), *standard_error = NULL, *own = NULL;
  g_autoptr (GFile) other = es_test_file_in ("scenario", "batch");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  int n = 0, status = 0;

  if (batch == NULL)
    return;
  g_test_message ("%s", command);
  g_assert_true (g_shell_parse_argv (command, &n, &words, &error));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_strv_builder_add (builder, batch);
  for (int i = 1; i < n; i++)
    if (!g_str_has_prefix (words[i], "-o") && !g_str_has_prefix (words[i - 1], "-o"))
      g_strv_builder_add (builder, words[i]);
  own = g_file_get_path (other);
  g_strv_builder_add_many (builder, "-o", own, NULL);
  g_auto (GStrv) arguments = g_strv_builder_end (builder);
  g_assert_true (g_spawn_sync (NULL, arguments, NULL, 0, NULL, NULL, NULL, &standard_error, &status, &error));
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s", standard_error);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) a = g_file_get_child (folder, names[i]), b = g_file_get_child (other, names[i]);
      g_autofree char *text_a = NULL, *text_b = NULL;

      g_assert_true (g_file_load_contents (a, NULL, &text_a, NULL, NULL, &error));
      g_assert_true (g_file_load_contents (b, NULL, &text_b, NULL, NULL, &error));
      g_assert_cmpstr (text_a, ==, text_b);
    }
}

/* What was computed for the window, a result, that result in another session and the headless tool's are the same. */
static void
check_result (Watch *watch)
{
  g_autoptr (GFile) folder = es_test_file_in ("scenario", "watch-beams");
  g_autoptr (GFile) json = g_file_get_child (folder, "result.json");
  g_autoptr (GError) error = NULL;
  g_autofree float *live = NULL;
  const EsBeamSettings *settings = es_beam_history_get_settings (watch->history);
  const guint n = settings->n_angles;
  EsResult *result;
  EsBeamHistory *history;

  es_test_activate (watch->window, "run");
  wait_until (has_result, watch, NULL);
  result = es_sonar_view_get_result (watch->view);
  es_write_result (result, folder, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  check_batch (result, folder);
  live = g_new (float, (gsize) SECONDS * n);
  for (guint row = 0; row < SECONDS; row++)
    memcpy (live + (gsize) row * n, es_beam_history_get_row (watch->history, row), n * sizeof *live);
  es_test_close (watch->window);

  watch->window = es_test_window_of (&json, 1);
  history = es_sonar_view_get_history (es_test_sonar_view (watch->window));
  g_assert_nonnull (history);
  g_assert_cmpuint (es_beam_history_get_n_rows (history), ==, SECONDS);
  for (guint row = 0; row < SECONDS; row++)
    g_assert_cmpmem (es_beam_history_get_row (history, row), n * sizeof *live, live + (gsize) row * n,
                     n * sizeof *live);
  es_test_close (watch->window);
}

static void
test_watch (void)
{
  g_autoptr (GFile) file = make_recording ();
  const gint64 begin = g_get_monotonic_time ();
  Watch watch = { es_test_window_of (&file, 1) };
  guint fills;

  watch.player = es_test_player (watch.window);
  watch.history = es_player_get_history (watch.player);
  watch.view = es_test_sonar_view (watch.window);
  watch.params = es_analyse_panel_get_params_of (
    ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (watch.window), ES_TYPE_ANALYSE_PANEL, NULL)), "cbf");
  wait_until (has_first_lines, &watch, NULL);
  g_test_message ("lines all over it after %.1f s", (g_get_monotonic_time () - begin) * 1e-6);
  g_assert_cmpuint (es_beam_history_get_n_rows (watch.history), ==, SECONDS);
  wait_until (is_complete, &watch, NULL);
  g_test_message ("complete after %.1f s", (g_get_monotonic_time () - begin) * 1e-6);

  /* Every line in the LOFARgram of its beam, from the first hour to the last. */
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (sources[i].to == 0 && isinf (sources[i].range))
      for (guint hour = 0; hour < HOURS; hour += 2)
        check_line (&watch, &sources[i], 3600 * hour + 1234);

  /* From end to end while it plays: it is the same record. */
  fills = es_beam_history_get_n_fills (watch.history);
  es_player_set_speed (watch.player, ES_PLAYER_FASTEST);
  es_player_seek (watch.player, 0);
  es_test_activate (watch.window, "sonar-play");
  wait_until (has_stopped, &watch, NULL);
  g_assert_cmpuint (es_beam_history_get_n_rows (watch.history), ==, SECONDS);
  g_assert_cmpuint (es_beam_history_get_n_fills (watch.history), <=, fills + 2);
  check_result (&watch);

  /* Bearings, levels and ranges of ten sources. */
  watch.window = es_test_window_of (&file, 1);
  watch.player = es_test_player (watch.window);
  watch.history = es_player_get_history (watch.player);
  watch.view = es_test_sonar_view (watch.window);
  watch.params = es_analyse_panel_get_params_of (
    ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (watch.window), ES_TYPE_ANALYSE_PANEL, NULL)), "cbf");
  es_params_set_text (watch.params, "ranges", "far,40,60,80,100,150");
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    for (guint k = 0; k < 3; k++)
      check_source (&watch, &sources[i], k == 0 ? 0.4 : k == 1 ? 1.9 : 5.6);
  es_test_close (watch.window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-scenario/watch", test_watch);
  return g_test_run ();
}
