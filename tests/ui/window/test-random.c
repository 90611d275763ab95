/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Whatever somebody does to a window, in whatever order: random actions, the same at every run. A critical ends it. */

#include "es-test-sonar-shell.h"

#define WINDOWS 3
#define ACTIONS 70              /* a window */

/* Choosers of files and folders, which are the desktop's, and comparisons that take minutes. */
static const char * const left_out[] = {
  "open", "open-recent", "open-positions", "import", "import-as", "import-cube", "import-raw",
  "compare-devices", "compare-methods", "simulate-recording",
  "simulate-scene", "simulate", "show-saved", "show-in-folder", "save", "save-picture", "save-plots", "save-tables",
  "save-all", "save-report", "save-noise", "save-components-envi", "save-components-geotiff", "save-field",
  "save-display", "save-beam", "lab-open-profile", "lab-save-profile", "show-help-overlay", NULL
};
static const char * const of_view[] = {
  "view.zoom-in", "view.zoom-out", "view.zoom-fit", "view.zoom-one", "view.next-plane", "view.previous-plane",
  "view.copy", "view.stretch-reset", "view.crosshair-clear", "view.compare", "view.correlate",
};
static const char * const targets[] = {
  "pca", "mnf", "fastica", "cbf", "mvdr", "lofar", "demon", "on", "off", "adaptive", "", "no such thing",
};

static void
spin (GRand *random)
{
  for (int i = g_rand_int_range (random, 0, 12); i > 0; i--)
    g_main_context_iteration (NULL, FALSE);
}

/* Dialogs that came are answered, and other windows closed, sooner or later; the window itself stays. */
static void
answer (EsWindow *window, GRand *random)
{
  AdwMessageDialog *dialog = (AdwMessageDialog *) es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);
  GListModel *toplevels = gtk_window_get_toplevels ();

  if (dialog != NULL && adw_message_dialog_has_response (dialog, "discard"))
    {
      gboolean removes = g_str_has_prefix (adw_message_dialog_get_heading (dialog), "Remove");

      es_test_respond (GTK_WIDGET (dialog), removes && g_rand_boolean (random) ? "discard" : "cancel");
    }
  else if (dialog != NULL)
    {
      gtk_window_close (GTK_WINDOW (dialog));
    }
  for (guint i = 0; i < g_list_model_get_n_items (toplevels); i++)
    {
      g_autoptr (GtkWindow) toplevel = g_list_model_get_item (toplevels, i);

      if (toplevel == GTK_WINDOW (window) || g_rand_int_range (random, 0, 3) != 0)
        continue;
      gtk_window_close (toplevel);
      i = 0;
    }
}

/* Nobody copies a picture that no frame has shown. */
static void
wait_for_frame (EsWindow *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  const gint64 end = g_get_monotonic_time () + G_USEC_PER_SEC;

  for (guint i = 0; clock != NULL && i < 2; i++)
    {
      const gint64 counter = gdk_frame_clock_get_frame_counter (clock);

      gtk_widget_queue_draw (GTK_WIDGET (window));
      while (gdk_frame_clock_get_frame_counter (clock) == counter && g_get_monotonic_time () < end)
        g_main_context_iteration (NULL, FALSE);
    }
}

static void
activate (EsWindow *window, GRand *random)
{
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (window));
  const char *name = names[g_rand_int_range (random, 0, g_strv_length (names))];
  const GVariantType *type = g_action_group_get_action_parameter_type (G_ACTION_GROUP (window), name);
  const char *target = targets[g_rand_int_range (random, 0, G_N_ELEMENTS (targets))];

  if (g_strv_contains (left_out, name) || !g_action_group_get_action_enabled (G_ACTION_GROUP (window), name))
    return;
  g_autoptr (GObject) held = g_object_ref (G_OBJECT (window));
  if (g_str_equal (name, "copy-picture"))
    wait_for_frame (window);
  if (!gtk_widget_get_realized (GTK_WIDGET (window)))
    return;
  g_test_message ("%s %s", name, type != NULL ? target : "");
  if (type == NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), name, NULL);
  else if (g_variant_type_equal (type, G_VARIANT_TYPE_STRING))
    g_action_group_activate_action (G_ACTION_GROUP (window), name, g_variant_new_string (target));
}

/* Something else is shown: a data set, or one of its results. */
static void
show (EsWindow *window, GRand *random)
{
  EsSession *session = es_window_get_session (window);
  EsShown *shown = es_workspace_get_shown (es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE));
  GListModel *datasets = es_session_get_datasets (session), *results;
  guint n = g_list_model_get_n_items (datasets);
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (EsResult) result = NULL;

  if (n == 0)
    return;
  dataset = g_list_model_get_item (datasets, g_rand_int_range (random, 0, n));
  results = es_session_get_results (session, dataset);
  if (g_list_model_get_n_items (results) > 0 && g_rand_boolean (random))
    result = g_list_model_get_item (results, g_rand_int_range (random, 0, g_list_model_get_n_items (results)));
  g_test_message ("show %s%s", es_dataset_get_name (dataset), result != NULL ? ", result" : "");
  es_shown_set (shown, dataset, result, NULL);
}

static void
step (EsWindow *window, GRand *random)
{
  EsViewer *viewer = es_test_viewer (window);

  switch (g_rand_int_range (random, 0, 10))
    {
    case 0:
    case 1:
      show (window, random);
      break;
    case 2:
    case 3:
      {
        const char *name = of_view[g_rand_int_range (random, 0, G_N_ELEMENTS (of_view))];

        if (g_str_equal (name, "view.copy"))
          wait_for_frame (window);
        gtk_widget_activate_action (GTK_WIDGET (viewer), name, NULL);
      }
      break;
    case 4:
      es_viewer_select_pixel (viewer, g_rand_int_range (random, 0, 50), g_rand_int_range (random, 0, 50));
      break;
    case 5:
      if (es_viewer_get_result (viewer) != NULL)
        g_signal_emit_by_name (viewer, "threshold-moved", es_viewer_get_result (viewer), "threshold",
                               g_rand_double_range (random, 0.5, 1), g_rand_boolean (random));
      break;
    case 6:
      gtk_window_set_default_size (GTK_WINDOW (window), g_rand_int_range (random, 600, 1800),
                                   g_rand_int_range (random, 400, 1100));
      break;
    default:
      activate (window, random);
    }
}

static void
test_random (gconstpointer data)
{
  g_autoptr (GFile) cube = es_test_cube ("random.img", 3), recording = es_test_recording ("random.wav", 2);
  GFile *files[] = { cube, recording };
  EsWindow *window = es_test_window_of (files, G_N_ELEMENTS (files));
  g_autoptr (GRand) random = g_rand_new_with_seed (GPOINTER_TO_UINT (data));
  gpointer weak = window;

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  for (guint i = 0; i < ACTIONS; i++)
    {
      step (window, random);
      spin (random);
      /* Closed, where there was nothing to be lost. */
      if (weak == NULL)
        {
          weak = window = es_test_window_of (files, G_N_ELEMENTS (files));
          g_object_add_weak_pointer (G_OBJECT (window), &weak);
        }
      answer (window, random);
      /* What was removed comes again. */
      if (es_test_n_datasets (window) < 2 && g_rand_int_range (random, 0, 8) == 0)
        es_window_open (window, files, G_N_ELEMENTS (files), ES_OPEN_GIVEN);
    }
  g_object_remove_weak_pointer (G_OBJECT (window), &weak);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  for (guint i = 0; i < WINDOWS; i++)
    {
      g_autofree char *path = g_strdup_printf ("/random/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (14 + i), test_random);
    }
  return g_test_run ();
}
