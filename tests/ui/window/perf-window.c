/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How long the window keeps somebody waiting while he works: perf-window FILE [SECONDS]. What a person does in ten
 * minutes is done by a script, again and again, and each turn of the main loop is measured: how many take longer than
 * a frame, without and with what is drawn, and how much memory there is at the beginning and at the end. On a machine
 * that does other things as well it is the processor's time that tells. To be run by tests/run-graphical.sh, so that it
 * is on a display of its own. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "analyse/es-analyse-panel.h"
#include "es-test-shell.h"
#include "viewer/es-viewer-private.h"

#define FRAME_US  16000
#define STEP_MS   40            /* somebody who is quick */
#define ROUND     250           /* steps after which the script begins again */

typedef struct
{
  EsWindow   *window;
  GRand      *random;
  GArray     *turns;            /* µs of each turn of the main loop, what is drawn left out (float) */
  GArray     *whole;            /* with it */
  GArray     *busy;             /* of the first, what this thread had of a processor */
  GPollFunc   poll;
  gint64      began, painting, painted;
  gint64      busy_began, busy_painting, busy_painted;
  gint64      end;
  guint       step;
  const char *what;             /* the last step */
} Perf;

static Perf perf;

/* ---- turns of the main loop ---- */

/* µs of a processor that this thread has had. */
static gint64
get_busy (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static int
measured_poll (GPollFD *descriptors, guint n, int timeout)
{
  const gint64 now = g_get_monotonic_time (), now_busy = get_busy ();
  int result;

  if (perf.began != 0)
    {
      const float whole = (float) (now - perf.began), turn = whole - (float) perf.painted;
      const float busy = (float) (now_busy - perf.busy_began - perf.busy_painted);

      g_array_append_val (perf.turns, turn);
      g_array_append_val (perf.whole, whole);
      g_array_append_val (perf.busy, busy);
      if (busy > FRAME_US)
        g_printerr ("%.1f ms, after: %s, step %u\n", busy * 1e-3, perf.what, (perf.step + ROUND - 1) % ROUND);
    }
  result = perf.poll (descriptors, n, timeout);
  perf.began = g_get_monotonic_time ();
  perf.painted = 0;
  perf.busy_began = get_busy ();
  perf.busy_painted = 0;
  return result;
}

static void
before_paint (void)
{
  perf.painting = g_get_monotonic_time ();
  perf.busy_painting = get_busy ();
}

static void
after_paint (void)
{
  perf.painted += g_get_monotonic_time () - perf.painting;
  perf.busy_painted += get_busy () - perf.busy_painting;
}

static int
compare_floats (gconstpointer a, gconstpointer b)
{
  const float p = *(const float *) a, q = *(const float *) b;

  return (p > q) - (p < q);
}

static void
print_turns (const char *what, GArray *turns)
{
  guint longer = 0;

  g_array_sort (turns, compare_floats);
  for (guint i = 0; i < turns->len; i++)
    longer += g_array_index (turns, float, i) > FRAME_US;
  g_print ("%-24s %8u turns, %5u over %d ms (%.2f of 1,000); median %.2f, 99.9 %% %.1f, longest %.1f ms\n", what,
           turns->len, longer, FRAME_US / 1000, 1000.0 * longer / turns->len,
           g_array_index (turns, float, turns->len / 2) * 1e-3,
           g_array_index (turns, float, turns->len - 1 - turns->len / 1000) * 1e-3,
           g_array_index (turns, float, turns->len - 1) * 1e-3);
}

/* Megabytes that are resident. */
static double
find_memory (void)
{
  g_autofree char *text = NULL;
  long pages = 0;

  if (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL))
    sscanf (text, "%*d %ld", &pages);
  return (double) pages * (double) sysconf (_SC_PAGESIZE) / 1e6;
}

/* ---- the script ---- */

static EsCube *
get_cube (void)
{
  return ES_CUBE (es_viewer_get_dataset (es_test_viewer (perf.window)));
}

static EsResult *
get_result (guint i)
{
  GListModel *results = es_session_get_results (es_window_get_session (perf.window), ES_DATASET (get_cube ()));
  EsResult *result = g_list_model_get_item (results, i);

  /* The session holds it. */
  if (result != NULL)
    g_object_unref (result);
  return result;
}

static void
show (EsResult *result)
{
  es_shown_set (es_workspace_get_shown (es_window_get_workspace (perf.window, ES_TYPE_CUBE_WORKSPACE)),
                ES_DATASET (get_cube ()), result, NULL);
}

static void
run (const char *operation)
{
  EsAnalysePanel *panel = ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (perf.window), ES_TYPE_ANALYSE_PANEL, NULL));

  es_analyse_panel_set_operation (panel, operation);
  if (es_test_enabled (perf.window, "run"))
    es_test_activate (perf.window, "run");
}

static void
forget_results (void)
{
  GListModel *results = es_session_get_results (es_window_get_session (perf.window), ES_DATASET (get_cube ()));

  show (NULL);
  while (g_list_model_get_n_items (results) > 0)
    es_session_remove_result (es_window_get_session (perf.window), get_result (0));
}

/* Goes somewhere, looks at bands, stretches, runs, looks at components, marks, collects, compares, and back. */
static gboolean
step (gpointer data)
{
  EsViewer *viewer = es_test_viewer (perf.window);
  EsDisplay *display = viewer->left.display;
  EsImageView *view = viewer->left.view;
  EsCube *cube = get_cube ();
  const guint width = (guint) es_cube_get_width (cube), height = (guint) es_cube_get_height (cube);
  const guint bands = es_cube_get_bands (cube), at = perf.step++ % ROUND;
  const guint x = (guint) g_rand_int_range (perf.random, 0, (gint32) width);
  const guint y = (guint) g_rand_int_range (perf.random, 0, (gint32) height);
  const guint rgb[] = { (at * 7) % bands, (at * 5) % bands, (at * 3) % bands };

  if (g_get_monotonic_time () > perf.end)
    return G_SOURCE_REMOVE;
  perf.what = at < 30 ? "a pixel" : at < 60 ? "a band" : at < 70 ? "a composite" : at < 90 ? "a stretch"
              : at < 110 ? "zoom" : at < 130 ? "PCA" : at < 150 ? "a threshold" : at < 170 ? "a component"
              : at < 190 ? "classes" : at < 210 ? "spectra" : at < 230 ? "MNF" : at < 240 ? "side by side" : "the end";
  if (at < 30)
    es_viewer_select_pixel (viewer, x, y);
  else if (at < 60)
    es_display_show_plane (display, (at * 11) % bands);
  else if (at < 70)
    es_display_show_rgb (display, rgb);
  else if (at < 90)
    es_display_set_cut (display, 0.001 * (at - 69));
  else if (at < 110)
    es_image_view_set_place (view, 1 + (at % 7), x, y);
  else if (at == 110)
    run ("pca");
  else if (at >= 130 && at < 150 && get_result (0) != NULL)
    g_signal_emit_by_name (viewer, "threshold-moved", get_result (0), "threshold", 0.9 + 0.005 * (at - 130), at == 149);
  else if (at == 150)
    show (get_result (0));
  else if (at > 150 && at < 170 && viewer->result != NULL)
    es_viewer_show_plane (viewer, at % 3);
  else if (at == 170)
    show (NULL);
  else if (at > 170 && at < 190)
    {
      g_autofree char *text = g_strdup_printf ("rectangle %u %u %u %u", x / 2, y / 2, width / 4, height / 4);
      g_autoptr (EsRegion) region = es_region_parse (text, NULL);

      g_signal_emit_by_name (view, "region-drawn", region);
      if (at == 189)
        es_region_control_set_selection (es_inspector_get_control (viewer->inspector), NULL);
    }
  else if (at == 190)
    g_object_set (viewer, "spectra", TRUE, NULL);
  else if (at > 190 && at < 209)
    g_signal_emit_by_name (view, "kept", x, y, 1 + 2 * (at % 2));
  else if (at == 209)
    {
      es_spectrum_collection_clear (es_viewer_get_collection (viewer));
      g_object_set (viewer, "spectra", FALSE, NULL);
    }
  else if (at == 210)
    run ("mnf");
  else if (at == 230 && get_result (0) != NULL)
    es_viewer_show_beside (viewer, G_OBJECT (cube), 0);
  else if (at > 230 && at < 240)
    es_viewer_select_pixel (viewer, x, y);
  else if (at == 240)
    gtk_widget_activate_action (GTK_WIDGET (viewer), "view.compare", NULL);
  else if (at == 245)
    forget_results ();
  return G_SOURCE_CONTINUE;
}

static gboolean
has_ended (gpointer window)
{
  return es_test_is_idle (window);
}

int
main (int argc, char **argv)
{
  const double seconds = argc > 2 ? atof (argv[2]) : 600;
  g_autoptr (GFile) file = NULL;
  GdkFrameClock *clock;
  double memory[3];

  if (argc < 2 || !(seconds >= 10))
    {
      g_printerr ("perf-window FILE [SECONDS]: ten of them at least\n");
      return 2;
    }
  argc = 1;
  gtk_test_init (&argc, &argv, NULL);
  file = g_file_new_for_commandline_arg (argv[1]);
  perf.window = es_test_window_with (file);
  perf.random = g_rand_new_with_seed (1);
  perf.turns = g_array_new (FALSE, FALSE, sizeof (float));
  perf.whole = g_array_new (FALSE, FALSE, sizeof (float));
  perf.busy = g_array_new (FALSE, FALSE, sizeof (float));
  perf.what = "opening";
  gtk_window_set_default_size (GTK_WINDOW (perf.window), 1280, 900);
  ES_TEST_WAIT (es_test_is_idle, perf.window);
  perf.poll = g_main_context_get_poll_func (NULL);
  clock = gtk_widget_get_frame_clock (GTK_WIDGET (perf.window));
  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint), NULL);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint), NULL);
  memory[0] = find_memory ();
  for (guint third = 1; third < 3; third++)
    {
      perf.end = g_get_monotonic_time () + (gint64) (seconds * (third == 1 ? 0.25 : 0.75) * 1e6);
      g_timeout_add (STEP_MS, step, NULL);
      g_main_context_set_poll_func (NULL, measured_poll);
      while (g_get_monotonic_time () < perf.end)
        g_main_context_iteration (NULL, TRUE);
      g_main_context_set_poll_func (NULL, perf.poll);
      perf.began = 0;
      forget_results ();
      es_test_wait (has_ended, perf.window, "the end");
      memory[third] = find_memory ();
    }
  print_turns ("without what is drawn", perf.turns);
  print_turns ("with it", perf.whole);
  print_turns ("without, of a processor", perf.busy);
  g_print ("memory: %.0f MB when opened, %.0f after a quarter, %.0f at the end; %u steps\n", memory[0], memory[1],
           memory[2], perf.step);
  es_test_close (perf.window);
  return 0;
}
