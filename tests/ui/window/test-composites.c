/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Composites of planes of several results of one cube, in the window and without one. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "analyse/es-analyse-panel.h"
#include "es-test-kept.h"
#include "bar/es-band-chooser.h"
#include "bar/es-display-bar.h"
#include "keeping/es-session-keeper.h"
#include "profile/es-profile-pane.h"
#include "simulate/es-simulate.h"
#include "viewer/es-viewer-private.h"
#include "widgets/es-settings.h"
#include "widgets/es-wheel.h"

#define SIDE 20                 /* of pixels that are looked at */

static EsResult *
run (EsWindow *window, const char *operation)
{
  EsAnalysePanel *panel = ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));

  g_assert_true (es_analyse_panel_set_operation (panel, operation));
  if (g_str_equal (operation, "pca"))
    g_assert_true (es_params_parse (es_analyse_panel_get_params (panel), "components", "4", NULL));
  return es_test_run_and_wait (window);
}

static EsImageStack *
components_of (EsResult *result)
{
  return ES_IMAGE_STACK (es_result_find_layer (result, "components"));
}

static void
show (EsWindow *window, EsResult *result)
{
  EsViewer *viewer = es_test_viewer (window);

  es_shown_set (es_workspace_get_shown (es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE)),
                es_viewer_get_dataset (viewer), result, NULL);
  ES_TEST_WAIT (es_test_is_idle, window);
}

static EsPlaneGroup *
group_of (EsViewer *viewer, gpointer data)
{
  EsPlaneGroup *group = es_plane_groups_find (es_display_get_others (viewer->left.display), data);

  g_assert_nonnull (group);
  return group;
}

/* NAN where the stack has none. */
static void
check_channel (EsViewer *viewer, guint channel, EsImageStack *stack, EsCube *cube, guint plane)
{
  EsPicture *picture = viewer->left.picture;
  g_autofree float *band = NULL;

  if (cube != NULL)
    {
      band = g_new (float, es_cube_get_width (cube) * es_cube_get_height (cube));
      g_assert_true (es_cube_read_band_means (cube, plane, 1, band, NULL, NULL));
    }
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 3);
  for (guint y = 0; y < SIDE; y++)
    for (guint x = 0; x < SIDE; x++)
      {
        const guint width = es_picture_get_width (picture);
        const float wanted = cube != NULL ? band[y * width + x] : es_image_stack_peek (stack, plane)[y * width + x];
        const float shown = es_picture_get_sample (picture, channel, x + 0.5, y + 0.5);

        g_assert_true (shown == wanted || (isnan (shown) && isnan (wanted)));
      }
}

static GtkWidget *
find_letter (GtkWidget *widget, const char *tooltip)
{
  GtkWidget *found = NULL;

  if (GTK_IS_TOGGLE_BUTTON (widget) && (g_strcmp0 (es_get_tooltip (widget), tooltip) == 0
                                        || g_strcmp0 (gtk_widget_get_tooltip_text (widget), tooltip) == 0))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_letter (child, tooltip);
  return found;
}

static void
press_letter (EsViewer *viewer, const char *tooltip)
{
  GtkWidget *letter = find_letter (GTK_WIDGET (viewer->strip), tooltip);

  g_assert_nonnull (letter);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (letter), TRUE);
}

static void
on_text (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);
}

static gboolean
is_there (gpointer text)
{
  return *(char **) text != NULL;
}

/* Transfer full. */
static char *
copy_command (EsWindow *window)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (window));
  char *text = NULL;

  gdk_clipboard_set_text (clipboard, "nothing");
  es_test_activate (window, "copy-picture-command");
  for (guint i = 0; i < 1000 && (text == NULL || g_str_equal (text, "nothing")); i++)
    {
      g_clear_pointer (&text, g_free);
      gdk_clipboard_read_text_async (clipboard, NULL, on_text, &text);
      ES_TEST_WAIT (is_there, &text);
    }
  return text;
}

static void
test_any_planes (void)
{
  EsWindow *window = es_test_window_with (es_test_cube ("scene", 5));
  EsViewer *viewer = es_test_viewer (window);
  EsDisplay *display = viewer->left.display;
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  EsResult *pca = run (window, "pca"), *mnf = run (window, "mnf");
  guint usual[3], planes[3];
  double low, high;
  g_autofree char *caption = NULL, *status = NULL, *command = NULL;

  ES_TEST_WAIT (es_test_is_idle, window);
  es_cube_pick_rgb (cube, usual);

  /* The cube's own was the last: a letter of a result's strip puts a component into it. */
  show (window, NULL);
  g_assert_true (es_display_get_composite (display));
  show (window, mnf);
  g_assert_false (es_display_get_composite (display));
  press_letter (viewer, "MNF 1 as red");
  ES_TEST_WAIT (es_test_is_idle, window);
  check_channel (viewer, 0, components_of (mnf), NULL, 0);
  check_channel (viewer, 1, NULL, cube, usual[1]);
  check_channel (viewer, 2, NULL, cube, usual[2]);

  /* From the strip of another one the rest of it stays. */
  show (window, pca);
  g_assert_false (es_display_get_composite (display));
  press_letter (viewer, "PC 3 as green");
  ES_TEST_WAIT (es_test_is_idle, window);
  check_channel (viewer, 0, components_of (mnf), NULL, 0);
  check_channel (viewer, 1, components_of (pca), NULL, 2);
  check_channel (viewer, 2, NULL, cube, usual[2]);

  /* Said by name, with what it is of; so is the pixel. */
  caption = es_display_make_caption (display, 1);
  g_assert_nonnull (strstr (caption, "R MNF 1 (MNF"));
  g_assert_nonnull (strstr (caption, "G PC 3,"));
  es_viewer_select_pixel (viewer, 3, 4);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_object_get (viewer, "status", &status, NULL);
  g_assert_nonnull (strstr (status, "R MNF 1: "));
  g_assert_nonnull (strstr (status, "G PC 3: "));

  /* As a line of commands: both results are run, and the picture is made of what they wrote. */
  command = copy_command (window);
  g_assert_nonnull (strstr (command, "eigenscope-batch run mnf "));
  g_assert_nonnull (strstr (command, " && eigenscope-batch run pca "));
  g_assert_nonnull (strstr (command, "&& eigenscope-batch composite '"));
  {
    g_autofree char *rgb = g_strdup_printf ("rgb=2/components:1,3/components:3,1:%u cut=0.02", usual[2] + 1);

    g_assert_nonnull (strstr (command, rgb));
  }

  /* A handle is of the plane that is shown, not of what the channel shows next. */
  g_assert_cmpuint (es_display_get_planes (display, planes), ==, 3);
  es_display_set_stretch (display, planes[0], -1.5, 2.5);
  es_display_apply_look (display, viewer->left.picture);
  es_picture_get_stretch (viewer->left.picture, 0, &low, &high);
  g_assert_true (low == -1.5 && high == 2.5);
  es_display_set_other (display, 0, group_of (viewer, components_of (mnf)), 1);
  ES_TEST_WAIT (es_test_is_idle, window);
  check_channel (viewer, 0, components_of (mnf), NULL, 1);
  g_assert_false (es_display_get_stretch (display, planes[0], &low, &high));

  /* Held, it stays while another source is chosen; let go, each shows its own. */
  es_display_set_held (display, TRUE);
  show (window, NULL);
  check_channel (viewer, 0, components_of (mnf), NULL, 1);
  check_channel (viewer, 1, components_of (pca), NULL, 2);
  check_channel (viewer, 2, NULL, cube, usual[2]);
  es_display_show_rgb (display, usual);
  ES_TEST_WAIT (es_test_is_idle, window);
  check_channel (viewer, 0, NULL, cube, usual[0]);
  es_display_set_held (display, FALSE);

  /* The second picture has channels of its own. */
  g_assert_true (es_viewer_show_beside (viewer, G_OBJECT (components_of (pca)), G_MAXUINT));
  es_display_set_composite (viewer->right.display, TRUE);
  es_display_set_other (viewer->right.display, 2,
                        es_plane_groups_find (es_display_get_others (viewer->right.display), G_OBJECT (cube)), 5);
  ES_TEST_WAIT (es_test_is_idle, window);
  {
    g_autofree float *band = g_new (float, es_cube_get_width (cube) * es_cube_get_height (cube));
    const guint at = 4 * es_cube_get_width (cube) + 3;

    g_assert_true (es_cube_read_band_means (cube, 5, 1, band, NULL, NULL));
    g_assert_cmpuint (es_picture_get_n_planes (viewer->right.picture), ==, 3);
    g_assert_cmpfloat (es_picture_get_sample (viewer->right.picture, 2, 3.5, 4.5), ==, band[at]);
    g_assert_cmpfloat (es_picture_get_sample (viewer->right.picture, 0, 3.5, 4.5), ==,
                       es_image_stack_peek (components_of (pca), 0)[at]);
  }
  check_channel (viewer, 2, NULL, cube, usual[2]);
  g_object_set (viewer, "comparing", FALSE, NULL);
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_close (window);
}

static void
count_time (EsPicture *picture, gint64 *seen)
{
  if (*seen == 0 && es_picture_get_n_planes (picture) == 3)
    *seen = g_get_monotonic_time ();
}

static gboolean
is_seen (gpointer seen)
{
  return *(gint64 *) seen != 0;
}

/* Three components of 512 x 512: under 0.2 s after the click. */
static void
test_soon (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "large.img", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsParams) options = es_params_new (es_simulate_cube_params);
  EsWindow *window;
  EsViewer *viewer;
  GtkWidget *rgb;
  gint64 seen = 0, pressed;
  gulong handler;

  es_params_set_value (options, "width", 512);
  es_params_set_value (options, "height", 512);
  es_params_set_value (options, "bands", 24);
  g_assert_true (es_simulate_cube (file, options, NULL, NULL, NULL, NULL));
  window = es_test_window_with (file);
  viewer = es_test_viewer (window);
  run (window, "pca");
  ES_TEST_WAIT (es_test_is_idle, window);
  rgb = find_letter (viewer->left.bar, "Three of them as red, green and blue");
  g_assert_nonnull (rgb);
  handler = g_signal_connect (viewer->left.picture, "changed", G_CALLBACK (count_time), &seen);
  pressed = g_get_monotonic_time ();
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (rgb), TRUE);
  ES_TEST_WAIT (is_seen, &seen);
  g_signal_handler_disconnect (viewer->left.picture, handler);
  g_test_message ("an RGB of three components after %.1f ms", (seen - pressed) / 1000.);
  g_assert_cmpint (seen - pressed, <, 200000);
  es_test_close (window);
}

static void
note (EsDisplay *display, const char *sentence, char **said)
{
  g_free (*said);
  *said = g_strdup (sentence);
}

static void
test_removed (void)
{
  EsWindow *window = es_test_window_with (es_test_cube ("scene", 5));
  EsViewer *viewer = es_test_viewer (window);
  EsDisplay *display = viewer->left.display;
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  EsResult *pca = run (window, "pca");
  EsImageStack *stack = components_of (pca);
  g_autofree char *said = NULL;
  guint usual[3];

  ES_TEST_WAIT (es_test_is_idle, window);
  es_cube_pick_rgb (cube, usual);
  show (window, NULL);
  es_display_set_other (display, 1, group_of (viewer, stack), 1);
  ES_TEST_WAIT (es_test_is_idle, window);
  check_channel (viewer, 1, stack, NULL, 1);
  g_signal_connect (display, "taken-back", G_CALLBACK (note), &said);
  g_object_add_weak_pointer (G_OBJECT (stack), (gpointer *) &stack);
  es_session_remove_result (es_window_get_session (window), pca);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_nonnull (said);
  g_assert_nonnull (strstr (said, "PC 2"));
  g_assert_nonnull (strstr (said, "green"));
  check_channel (viewer, 1, NULL, cube, usual[1]);
  for (guint i = 0; i < 3; i++)
    g_assert_null (es_display_get_other (display, i, NULL));
  es_test_close (window);
  /* No look, and nothing that was shown, keeps the samples. */
  g_assert_null (stack);
}

/* Each plane of a composite is read along a profile where it is. */
static void
test_profile (void)
{
  EsWindow *window = es_test_window_with (es_test_cube ("profile", 9));
  EsViewer *viewer = es_test_viewer (window);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (viewer));
  EsImageStack *stack = components_of (run (window, "pca"));
  const EsProfile *profile;
  guint usual[3];

  ES_TEST_WAIT (es_test_is_idle, window);
  es_cube_pick_rgb (cube, usual);
  show (window, NULL);
  es_display_set_other (viewer->left.display, 1, group_of (viewer, stack), 1);
  es_viewer_select_pixel (viewer, 7, 5);
  es_inspector_show_profile (viewer->inspector, ES_PROFILE_ROW);
  ES_TEST_WAIT (es_test_is_idle, window);
  profile = es_profile_pane_get_profile (es_inspector_get_profile (viewer->inspector));
  g_assert_nonnull (profile);
  g_assert_cmpuint (profile->n_planes, ==, 3);
  g_assert_cmpuint (profile->n, ==, es_cube_get_width (cube));
  for (guint i = 0; i < profile->n; i++)
    for (guint channel = 0; channel < 3; channel++)
      {
        const double value = profile->values[(gsize) channel * profile->n + i];
        float wanted = es_image_stack_peek (stack, 1)[5 * profile->n + i];

        if (channel != 1)
          g_assert_true (es_cube_read_band (cube, usual[channel], i, 5, 1, 1, 1, &wanted, NULL, NULL));
        g_assert_true (value == wanted || (isnan (value) && isnan (wanted)));
      }
  es_test_close (window);
}

/* ---- sessions ---- */

static gboolean
is_closed (gpointer window)
{
  return *(EsWindow **) window == NULL;
}

static gboolean
is_restored (gpointer window)
{
  EsViewer *viewer = es_test_viewer (window);
  guint plane = 0;

  return es_test_is_idle (window) && es_viewer_get_dataset (viewer) != NULL
         && es_display_get_other (viewer->left.display, 2, &plane) != NULL;
}

static void
test_kept (void)
{
  EsWindow *window = es_test_window_with (NULL);
  GFile *file = es_test_cube ("kept", 6);
  g_autofree float *before = g_new (float, SIDE * SIDE);
  g_autofree char *uri = NULL;
  EsViewer *viewer;
  guint plane = 0;

  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  es_window_keep (window, TRUE);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  viewer = es_test_viewer (window);
  EsResult *pca = run (window, "pca");
  ES_TEST_WAIT (es_test_is_idle, window);
  show (window, NULL);
  es_display_set_other (viewer->left.display, 2, group_of (viewer, components_of (pca)), 1);
  g_object_set (viewer->player, "rate", 21, "back-and-forth", TRUE, NULL);
  ES_TEST_WAIT (es_test_is_idle, window);
  for (guint i = 0; i < SIDE * SIDE; i++)
    before[i] = es_picture_get_sample (viewer->left.picture, 2, i % SIDE + 0.5, i / SIDE + 0.5);
  ES_TEST_WAIT (es_test_is_kept, window);
  gtk_window_close (GTK_WINDOW (window));
  ES_TEST_WAIT (is_closed, &window);
  es_session_keeper_wait ();
  uri = es_test_kept_find_left (FALSE);

  window = es_test_kept_continue (uri);
  ES_TEST_WAIT (is_restored, window);
  ES_TEST_WAIT (es_test_is_idle, window);
  viewer = es_test_viewer (window);
  g_assert_nonnull (es_display_get_other (viewer->left.display, 2, &plane));
  g_assert_cmpuint (plane, ==, 1);
  for (guint i = 0; i < SIDE * SIDE; i++)
    {
      const float now = es_picture_get_sample (viewer->left.picture, 2, i % SIDE + 0.5, i / SIDE + 0.5);

      g_assert_true (now == before[i] || (isnan (now) && isnan (before[i])));
    }
  {
    guint rate = 0;
    gboolean back = FALSE;

    g_object_get (viewer->player, "rate", &rate, "back-and-forth", &back, NULL);
    g_assert_cmpuint (rate, ==, 21);
    g_assert_true (back);
  }
  es_test_close (window);
}

/* ---- without a window ---- */

static void
run_batch (const char *path, const char *picture, const char *const *arguments)
{
  const char *batch = g_getenv ("ES_TEST_BATCH");
  g_autoptr (GPtrArray) line = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  int status;

  g_assert_nonnull (batch);
  g_ptr_array_add (line, (char *) batch);
  g_ptr_array_add (line, (char *) "composite");
  g_ptr_array_add (line, (char *) path);
  g_ptr_array_add (line, (char *) "-o");
  g_ptr_array_add (line, (char *) picture);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (line, (char *) arguments[i]);
  g_ptr_array_add (line, NULL);
  g_spawn_sync (NULL, (char **) line->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &said, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (said, ==, "");
  g_assert_cmpint (status, ==, 0);
}

/* The pixels that the window saves. */
static void
check_batch (EsViewer *viewer, const char *path, const char *const *arguments)
{
  g_autofree char *picture = g_build_filename (es_test_folder (), "composite.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (picture);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  guint width = 0, height = 0, n = 0;
  g_autoptr (GBytes) bytes = es_picture_get_pixels (viewer->left.picture, &width, &height);
  const guint8 *ours = g_bytes_get_data (bytes, NULL);

  run_batch (path, picture, arguments);
  texture = gdk_texture_new_from_file (file, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, width);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, height);
  g_autofree guint32 *theirs = g_new (guint32, (gsize) width * height);
  gdk_texture_download (texture, (guchar *) theirs, 4 * width);
  for (gsize i = 0; i < (gsize) width * height; i++)
    {
      g_assert_cmpuint (theirs[i] >> 24, ==, ours[4 * i + 3]);
      if (ours[4 * i + 3] == 0)
        continue;
      n++;
      for (guint c = 0; c < 3; c++)
        g_assert_cmpuint (theirs[i] >> (16 - 8 * c) & 0xff, ==, ours[4 * i + c]);
    }
  g_assert_cmpuint (n, >, 0);
}

static void
test_batch (void)
{
  GFile *file = es_test_cube ("scene", 5);
  g_autofree char *path = g_file_get_path (file);
  EsWindow *window = es_test_window_with (file);
  EsViewer *viewer = es_test_viewer (window);
  EsDisplay *display = viewer->left.display;
  const guint planes[3] = { 19, 4, 11 };

  check_batch (viewer, path, (const char *const[]) { NULL });
  es_display_show_rgb (display, planes);
  ES_TEST_WAIT (es_test_is_idle, window);
  check_batch (viewer, path, (const char *const[]) { "rgb=20,5,12", NULL });
  es_display_set_cut (display, 0.005);
  check_batch (viewer, path, (const char *const[]) { "rgb=20,5,12", "cut=0.005", NULL });
  es_display_set_linked (display, TRUE);
  check_batch (viewer, path, (const char *const[]) { "rgb=20,5,12", "cut=0.005", "linked=yes", NULL });
  es_display_set_linked (display, FALSE);
  es_display_set_deviations (display, 1.5);
  check_batch (viewer, path, (const char *const[]) { "rgb=20,5,12", "deviations=1.5", NULL });
  for (guint i = 0; i < ES_N_STRETCHES; i++)
    {
      g_autofree char *curve = g_strconcat ("curve=", es_stretch_id (i), NULL);

      es_display_set_cut (display, 0.02);
      es_display_set_curve (display, i);
      check_batch (viewer, path, (const char *const[]) { "rgb=20,5,12", curve, NULL });
    }
  es_display_set_curve (display, ES_STRETCH_LINEAR);
  es_display_set_stretch (display, 4, 0.05, 0.4);
  es_display_apply_look (display, viewer->left.picture);
  check_batch (viewer, path, (const char *const[]) { "rgb=20,5,12", "limits=,0.05:0.4,", NULL });
  es_test_close (window);
}

/* ---- names ---- */

/* A result that is given a name has it in the lists that offer its planes. */
static void
test_names (void)
{
  EsWindow *window = es_test_window_with (es_test_cube ("scene", 5));
  EsViewer *viewer = es_test_viewer (window);
  EsResult *result = run (window, "pca");
  GObject *stack;
  EsPlaneGroup *group;

  ES_TEST_WAIT (es_test_is_idle, window);
  stack = es_plane_source_get_data (es_display_get_own_source (viewer->left.display));
  es_result_set_name (result, "Before the flood");
  group = es_plane_groups_find (es_display_get_others (viewer->left.display), stack);
  g_assert_nonnull (group);
  g_assert_nonnull (strstr (es_plane_group_get_title (group), "Before the flood"));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/composites/any-planes", test_any_planes);
  g_test_add_func ("/composites/soon", test_soon);
  g_test_add_func ("/composites/removed", test_removed);
  g_test_add_func ("/composites/profile", test_profile);
  g_test_add_func ("/composites/kept", test_kept);
  g_test_add_func ("/composites/batch", test_batch);
  g_test_add_func ("/composites/names", test_names);
  return g_test_run ();
}
