/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The window and GPUs: two fake cards, which fail when they are told to. A card that is lost stays so: those tests come
 * last. */

#include <string.h>

#include "analyse/es-analyse-panel.h"
#include "window/es-banner.h"
#include "window/es-data-tree.h"
#include "analyse/es-device-chooser.h"
#include "analyse/es-gpu-settings.h"
#include "window/es-preferences-window.h"
#include "widgets/es-settings.h"
#include "simulate/es-simulate.h"
#include "es-test-shell.h"

static EsDeviceChooser *
chooser_of (EsWindow *window)
{
  return ES_DEVICE_CHOOSER (es_test_find (GTK_WIDGET (window), ES_TYPE_DEVICE_CHOOSER, NULL));
}

static EsDeviceChoice *
wish_of (EsWindow *window)
{
  return es_session_get_device_choice (es_window_get_session (window));
}

static GtkDropDown *
choice_of (EsWindow *window)
{
  return GTK_DROP_DOWN (es_test_find (GTK_WIDGET (chooser_of (window)), GTK_TYPE_DROP_DOWN, NULL));
}

static gboolean
are_known (gpointer data)
{
  return g_list_model_get_n_items (es_devices_get ()) == 4;
}

/* A plan is there, and is of the device that is chosen now. */
static gboolean
has_outlook (gpointer window)
{
  const EsOutlook *outlook = es_device_chooser_get_outlook (chooser_of (window));

  return outlook != NULL && outlook->has_plan && !es_device_chooser_is_busy (chooser_of (window));
}

static EsDevice *
device_of (const char *id)
{
  g_autoptr (GError) error = NULL;
  EsDevice *device = es_device_find (id, &error);

  g_assert_no_error (error);
  return device;
}

static EsResult *
run_on (EsWindow *window, const char *id)
{
  es_device_choice_want (wish_of (window), id);
  es_test_activate (window, "run");
  ES_TEST_WAIT (es_test_is_idle, window);
  return es_viewer_get_result (es_test_viewer (window));
}

/* ---- tests ---- */

static void
test_list (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  GListModel *choices = gtk_drop_down_get_model (choice_of (window));
  const EsOutlook *outlook;
  g_autofree char *setting = NULL;

  /* Automatic, two cards, both, the CPU. */
  g_assert_cmpuint (g_list_model_get_n_items (choices), ==, 5);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice_of (window)), ==, 0);
  g_assert_null (es_device_choice_get_device (wish_of (window)));

  gtk_drop_down_set_selected (choice_of (window), 1);
  g_assert_true (es_device_choice_get_device (wish_of (window)) == device_of ("cuda:0"));
  setting = g_settings_get_string (es_settings_get (), "device");
  g_assert_cmpstr (setting, ==, "cuda:0");
  ES_TEST_WAIT (has_outlook, window);
  outlook = es_device_chooser_get_outlook (chooser_of (window));
  g_assert_true (outlook->device == device_of ("cuda:0"));
  g_assert_false (outlook->automatic);
  g_assert_cmpuint (outlook->plan.device_memory, >, 0);
  g_assert_nonnull (strstr (es_device_chooser_get_detail (chooser_of (window)), "Compute capability"));
  g_assert_nonnull (strstr (es_device_chooser_get_detail (chooser_of (window)), " free"));

  gtk_drop_down_set_selected (choice_of (window), 3);
  g_assert_true (es_device_choice_get_device (wish_of (window)) == device_of ("cuda:all"));
  gtk_drop_down_set_selected (choice_of (window), 4);
  g_assert_true (es_device_choice_get_device (wish_of (window)) == device_of ("cpu"));
  es_test_close (window);

  /* Another window takes what was chosen last; what is not here is as good as automatic. */
  window = es_test_window_with (file);
  g_assert_true (es_device_choice_get_device (wish_of (window)) == device_of ("cpu"));
  es_device_choice_want (wish_of (window), "cuda:7");
  g_assert_null (es_device_choice_find_device (wish_of (window)));
  g_settings_reset (es_settings_get (), "device");
  es_test_close (window);
}

static void
test_automatic (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  const EsOutlook *outlook;
  EsResult *result;

  ES_TEST_WAIT (has_outlook, window);
  outlook = es_device_chooser_get_outlook (chooser_of (window));
  g_assert_true (outlook->automatic);
  g_assert_nonnull (outlook->device);
  g_assert_nonnull (strstr (es_device_chooser_get_detail (chooser_of (window)), outlook->reason));
  result = run_on (window, "auto");
  g_assert_true (es_result_is_device_automatic (result));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "chosen automatically: "));
  es_test_close (window);
}

static void
test_by_hand (void)
{
  static const char * const ids[] = { "cuda:0", "cuda:1", "cuda:all", "cpu" };
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  g_autofree char *setting = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      EsResult *result = run_on (window, ids[i]);

      g_assert_cmpstr (es_result_get_device_id (result), ==, ids[i]);
      g_assert_false (es_result_is_device_automatic (result));
      g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "chosen by hand"));
    }
  setting = g_settings_get_string (es_settings_get (), "device");
  g_assert_cmpstr (setting, ==, "auto");
  es_test_close (window);
}

static gboolean
has_kept_cubes (gpointer preferences)
{
  return es_test_find (preferences, GTK_TYPE_LABEL, "kept for the next run") != NULL;
}

static gboolean
has_no_cubes (gpointer preferences)
{
  return es_test_find (preferences, GTK_TYPE_LABEL, "None is kept") != NULL;
}

static void
test_preferences (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  GtkWidget *preferences, *free;
  GSettings *settings = es_settings_get ();
  const guint64 first = es_device_get_budget (device_of ("cuda:0"));

  run_on (window, "cuda:0");
  preferences = es_preferences_window_new (GTK_WINDOW (window));
  gtk_window_present (GTK_WINDOW (preferences));
  g_assert_nonnull (es_test_find (preferences, GTK_TYPE_LABEL, "GPU 1 – Fake card 1"));
  g_assert_nonnull (es_test_find (preferences, GTK_TYPE_LABEL, "When a GPU Fails"));
  ES_TEST_WAIT (has_kept_cubes, preferences);
  free = gtk_widget_get_ancestor (es_test_find (preferences, GTK_TYPE_LABEL, "_Free"), GTK_TYPE_BUTTON);
  g_assert_true (gtk_widget_get_sensitive (free));
  g_signal_emit_by_name (free, "clicked");
  ES_TEST_WAIT (has_no_cubes, preferences);
  g_assert_false (gtk_widget_get_sensitive (free));
  gtk_window_close (GTK_WINDOW (preferences));

  g_settings_set_double (settings, "gpu-memory", 0.1);
  g_assert_cmpuint (es_device_get_budget (device_of ("cuda:0")), ==, 100000000);
  g_settings_reset (settings, "gpu-memory");
  g_assert_cmpuint (es_device_get_budget (device_of ("cuda:0")), ==, first);
  es_test_close (window);
}

/* Large enough for several tiles of a card that may use ten megabytes. */
static GFile *
large_cube (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "large.img", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsParams) params = es_params_new (es_simulate_cube_params);
  g_autoptr (GError) error = NULL;

  if (g_file_query_exists (file, NULL))
    return g_steal_pointer (&file);
  es_params_set_value (params, "width", 400);
  es_params_set_value (params, "height", 400);
  es_params_set_value (params, "bands", 60);
  es_simulate_cube (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&file);
}

static gboolean
is_previewing (gpointer window)
{
  return es_viewer_is_previewing (es_test_viewer (window));
}

static gboolean
previews_or_ends (gpointer window)
{
  return is_previewing (window) || es_session_get_n_active (es_window_get_session (window)) == 0;
}

static void
test_preview (void)
{
  g_autoptr (GFile) file = large_cube ();
  EsWindow *window = es_test_window_with (file);
  EsViewer *viewer = es_test_viewer (window);
  EsDataset *dataset = es_viewer_get_dataset (viewer);

  g_settings_set_double (es_settings_get (), "gpu-memory", 0.01);
  g_setenv ("ES_FAKE_DELAY_US", "100000", TRUE);
  es_device_choice_want (wish_of (window), "cuda:0");
  es_test_activate (window, "run");
  while (!previews_or_ends (window))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (is_previewing (window));
  g_assert_null (es_viewer_get_result (viewer));
  g_setenv ("ES_FAKE_DELAY_US", "0", TRUE);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_false (is_previewing (window));
  g_assert_nonnull (es_viewer_get_result (viewer));

  /* Cancelled: what was shown comes back; something else selected: that is shown. */
  g_setenv ("ES_FAKE_DELAY_US", "100000", TRUE);
  for (guint i = 0; i < 2; i++)
    {
      EsResult *shown = es_viewer_get_result (viewer);

      es_test_activate (window, "run");
      while (!previews_or_ends (window))
        g_main_context_iteration (NULL, TRUE);
      g_assert_true (is_previewing (window));
      g_assert_true (es_viewer_get_result (viewer) == shown);
      if (i == 1)
        {
          es_data_tree_select (ES_DATA_TREE (es_test_find (GTK_WIDGET (window), ES_TYPE_DATA_TREE, NULL)),
                               G_OBJECT (dataset));
          g_assert_false (is_previewing (window));
        }
      es_test_activate (window, "cancel");
      ES_TEST_WAIT (es_test_is_idle, window);
      g_assert_false (is_previewing (window));
      g_assert_true (es_viewer_get_result (viewer) == (i == 0 ? shown : NULL));
    }
  g_unsetenv ("ES_FAKE_DELAY_US");
  g_settings_reset (es_settings_get (), "gpu-memory");
  es_test_close (window);
}

static gboolean
has_dialog (gpointer data)
{
  return es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG) != NULL;
}

static EsBanner *
lost_banner (EsWindow *window)
{
  GtkWidget *label = es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "failed and is not used until");

  return label != NULL ? ES_BANNER (gtk_widget_get_ancestor (label, ES_TYPE_BANNER)) : NULL;
}

static void
lose_and_answer (EsWindow *window, const char *device, const char *call, const char *response)
{
  GtkWidget *dialog;

  g_setenv ("ES_FAKE_LOSE_AT", call, TRUE);
  es_device_choice_want (wish_of (window), device);
  es_test_activate (window, "run");
  ES_TEST_WAIT (has_dialog, window);
  dialog = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (es_test_find (dialog, GTK_TYPE_LABEL, "was not finished"));
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), response);
  gtk_window_destroy (GTK_WINDOW (dialog));
  ES_TEST_WAIT (es_test_is_idle, window);
}

static void
test_lost (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file), *second;
  EsViewer *viewer = es_test_viewer (window);
  g_autofree char *fallback = NULL;
  g_autofree char *setting = NULL;

  g_assert_null (lost_banner (window));
  g_settings_set_string (es_settings_get (), "device", "cuda:0");
  lose_and_answer (window, "cuda:0", "3", "cancel");
  g_assert_null (es_viewer_get_result (viewer));
  g_assert_null (es_device_find ("cuda:0", NULL));
  g_assert_nonnull (lost_banner (window));
  g_assert_nonnull (es_test_find (GTK_WIDGET (lost_banner (window)), GTK_TYPE_LABEL, "_Details"));
  /* Not chosen any more, nor can it be; the wish is kept for the next start. */
  g_assert_cmpuint (gtk_drop_down_get_selected (choice_of (window)), ==, 0);
  gtk_drop_down_set_selected (choice_of (window), 1);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice_of (window)), ==, 0);
  setting = g_settings_get_string (es_settings_get (), "device");
  g_assert_cmpstr (setting, ==, "cuda:0");

  /* A window made later tells of it as well. */
  second = es_test_window_with (file);
  g_assert_nonnull (lost_banner (second));
  es_test_close (second);

  /* The other card: with “Always” it is repeated now and from now on. */
  lose_and_answer (window, "cuda:1", "4", "always");
  g_assert_nonnull (es_viewer_get_result (viewer));
  g_assert_cmpstr (es_result_get_device_id (es_viewer_get_result (viewer)), ==, "cpu");
  fallback = g_settings_get_string (es_settings_get (), "gpu-fallback");
  g_assert_cmpstr (fallback, ==, "always");
  g_settings_reset (es_settings_get (), "gpu-fallback");
  g_settings_reset (es_settings_get (), "device");
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  int status;

  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  /* As the program does it. */
  es_devices_start ();
  es_gpu_settings_start ();
  ES_TEST_WAIT (are_known, NULL);

  g_test_add_func ("/devices/list", test_list);
  g_test_add_func ("/devices/automatic", test_automatic);
  g_test_add_func ("/devices/by-hand", test_by_hand);
  g_test_add_func ("/devices/preferences", test_preferences);
  g_test_add_func ("/devices/preview", test_preview);
  g_test_add_func ("/devices/lost", test_lost);
  status = g_test_run ();
  es_window_wait_for_jobs ();
  es_outlook_wait ();
  es_devices_stop ();
  return status;
}
