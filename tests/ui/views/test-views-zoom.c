/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The views of a cube: zoom and keys, stretch, folding, bad input, real data, and screens to be looked at. */

#include "es-test-views.h"

#include <adwaita.h>
#include <math.h>
#include <unistd.h>

#include "histogram/es-histogram-view.h"
#include "viewer/es-viewer-private.h"
#include "inspector/es-inspector.h"
#include "readers/es-open.h"
#include "widgets/es-settings.h"

/* ---- zoom, pan, select ---- */

static void
test_zoom (Fixture *fixture, gconstpointer data)
{
  EsImageView *image;
  EsViewport viewport;
  double x, y, before;
  guint pixel_x, pixel_y;
  int scale;

  es_views_show_cube (fixture);
  image = es_views_image_of (fixture);
  scale = gtk_widget_get_scale_factor (GTK_WIDGET (image));
  g_assert_true (es_image_view_get_fit (image));
  before = es_image_view_get_zoom (image);
  g_assert_cmpfloat (before, >, 1);

  es_views_activate (fixture, "view.zoom-one");
  es_views_settle (fixture);
  g_assert_false (es_image_view_get_fit (image));
  g_assert_cmpfloat (es_image_view_get_zoom (image), ==, 1);
  es_image_view_get_viewport (image, &viewport);
  g_assert_cmpfloat (viewport.left, ==, round (viewport.left));
  g_assert_cmpfloat (viewport.top, ==, round (viewport.top));
  es_views_screenshot (fixture->window, "zoom-one");

  for (guint i = 0; i < 40; i++)
    es_views_activate (fixture, "view.zoom-in");
  g_assert_cmpfloat (es_image_view_get_zoom (image), ==, 64);
  es_views_settle (fixture);
  es_image_view_get_viewport (image, &viewport);
  g_assert_true (es_image_view_pick (image, 100, 90, &x, &y));
  g_assert_cmpfloat_with_epsilon (x, viewport.left + 100 * scale / 64., 1e-9);
  g_assert_cmpfloat_with_epsilon (y, viewport.top + 90 * scale / 64., 1e-9);

  /* What is selected comes into view. */
  es_viewer_select_pixel (fixture->viewer, 95, 79);
  es_views_settle (fixture);
  es_image_view_get_viewport (image, &viewport);
  g_assert_cmpfloat (95, >=, viewport.left);
  g_assert_cmpfloat (79, >=, viewport.top);
  g_assert_true (es_image_view_get_selected (image, &pixel_x, &pixel_y));
  g_assert_cmpuint (pixel_x, ==, 95);
  es_views_screenshot (fixture->window, "zoom-64");
  es_viewer_select_pixel (fixture->viewer, 96, 0);
  g_assert_true (es_image_view_get_selected (image, &pixel_x, &pixel_y));
  g_assert_cmpuint (pixel_x, ==, 95);

  for (guint i = 0; i < 40; i++)
    es_views_activate (fixture, "view.zoom-out");
  g_assert_cmpfloat (es_image_view_get_zoom (image), ==, 1 / 64.);
  es_views_activate (fixture, "view.zoom-fit");
  g_assert_cmpfloat (es_image_view_get_zoom (image), ==, before);
}

/* What keys do, through the widget's own bindings. */
static void
press (GtkWidget *widget, guint key, GdkModifierType state)
{
  GListModel *controllers = gtk_widget_observe_controllers (widget);
  gboolean found = FALSE;

  for (guint i = 0; !found && i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
        continue;
      for (guint k = 0; !found && k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (GTK_IS_KEYVAL_TRIGGER (trigger)
              && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key
              && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == state)
            found = gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                                  gtk_shortcut_get_arguments (shortcut));
        }
    }
  g_object_unref (controllers);
  g_assert_true (found);
}

static void
test_keys (Fixture *fixture, gconstpointer data)
{
  GtkWidget *image;
  guint x, y;
  double zoom;
  EsViewport before, after;

  es_views_show_cube (fixture);
  image = GTK_WIDGET (es_views_image_of (fixture));
  g_assert_true (gtk_widget_get_focusable (image));

  press (image, GDK_KEY_Return, 0);
  g_assert_true (es_image_view_get_selected (ES_IMAGE_VIEW (image), &x, &y));
  g_assert_cmpuint (x, ==, 48);
  g_assert_cmpuint (y, ==, 40);
  press (image, GDK_KEY_Left, 0);
  press (image, GDK_KEY_Down, GDK_SHIFT_MASK);
  g_assert_true (es_image_view_get_selected (ES_IMAGE_VIEW (image), &x, &y));
  g_assert_cmpuint (x, ==, 47);
  g_assert_cmpuint (y, ==, 50);
  for (guint i = 0; i < 8; i++)
    press (image, GDK_KEY_Right, GDK_SHIFT_MASK);
  g_assert_true (es_image_view_get_selected (ES_IMAGE_VIEW (image), &x, &y));
  g_assert_cmpuint (x, ==, 95);

  zoom = es_image_view_get_zoom (ES_IMAGE_VIEW (image));
  press (image, GDK_KEY_plus, 0);
  g_assert_cmpfloat_with_epsilon (es_image_view_get_zoom (ES_IMAGE_VIEW (image)), 1.5 * zoom, 1e-9);
  press (image, GDK_KEY_1, 0);
  g_assert_cmpfloat (es_image_view_get_zoom (ES_IMAGE_VIEW (image)), ==, 1);
  es_image_view_set_zoom (ES_IMAGE_VIEW (image), 32);
  es_image_view_get_viewport (ES_IMAGE_VIEW (image), &before);
  press (image, GDK_KEY_Left, GDK_CONTROL_MASK);
  es_image_view_get_viewport (ES_IMAGE_VIEW (image), &after);
  g_assert_cmpfloat (after.left, <, before.left);
  g_assert_cmpfloat (after.top, ==, before.top);
  press (image, GDK_KEY_0, 0);
  g_assert_true (es_image_view_get_fit (ES_IMAGE_VIEW (image)));
  es_views_settle (fixture);
}

/* ---- stretch ---- */

static void
test_stretch (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.999, NULL);
  EsPicture *picture;
  EsHistogramView *histogram;
  GtkWidget *spin;
  double low, high, low_before, high_before;

  es_views_show_cube (fixture);
  picture = es_image_view_get_picture (es_views_image_of (fixture));
  histogram = ES_HISTOGRAM_VIEW (es_views_find (fixture->inspector, ES_TYPE_HISTOGRAM_VIEW));
  es_picture_get_stretch (picture, 1, &low_before, &high_before);
  es_histogram_view_set_stretch (histogram, 1, low_before - 1, high_before + 2);
  es_picture_get_stretch (picture, 1, &low, &high);
  g_assert_cmpfloat (low, ==, low_before - 1);
  g_assert_cmpfloat (high, ==, high_before + 2);
  es_views_assert_caption_says (fixture, "stretched by hand");

  /* It is still there when one comes back to this data set. */
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  es_views_assert_caption_says (fixture, "PC 1");
  es_viewer_show_dataset (fixture->viewer, ES_DATASET (fixture->test->cube));
  es_views_settle (fixture);
  es_views_assert_caption_says (fixture, "stretched by hand");
  es_picture_get_stretch (picture, 1, &low, &high);
  g_assert_cmpfloat (low, ==, low_before - 1);
  g_assert_cmpfloat (high, ==, high_before + 2);

  es_views_activate (fixture, "view.stretch-reset");
  es_views_assert_caption_says (fixture, "cut 2 %");
  es_picture_get_stretch (picture, 1, &low, &high);
  g_assert_cmpfloat (low, ==, low_before);
  g_assert_cmpfloat (high, ==, high_before);

  /* Whoever goes through the numbers by Tab leaves each of them, which rounds it, and has set none of them. */
  es_picture_get_stretch (picture, 0, &low_before, &high_before);
  spin = es_views_find (GTK_WIDGET (histogram), GTK_TYPE_SPIN_BUTTON);
  g_assert_nonnull (spin);
  g_assert_cmpfloat (low_before, !=, g_ascii_strtod (gtk_editable_get_text (GTK_EDITABLE (spin)), NULL));
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  es_views_settle (fixture);
  es_views_assert_caption_says (fixture, "cut 2 %");
  es_picture_get_stretch (picture, 0, &low, &high);
  g_assert_cmpfloat (low, ==, low_before);
  g_assert_cmpfloat (high, ==, high_before);
  /* What is typed there leaves the other one as it was. */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 0);
  es_picture_get_stretch (picture, 0, &low, &high);
  g_assert_cmpfloat (low, ==, 0);
  g_assert_cmpfloat (high, ==, high_before);
}

/* ---- folding, bad input, accessibility ---- */

static void
test_folding (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) folded = NULL;
  EsSection *histogram;

  es_views_show_cube (fixture);
  histogram = es_views_find_section (fixture->inspector, "histogram");
  g_assert_true (es_section_get_expanded (histogram));
  g_signal_emit_by_name (es_views_find (GTK_WIDGET (histogram), GTK_TYPE_BUTTON), "clicked");
  g_assert_false (es_section_get_expanded (histogram));
  folded = g_settings_get_strv (es_settings_get (), "folded-sections");
  g_assert_true (g_strv_contains ((const char *const *) folded, "histogram"));
  g_assert_false (g_strv_contains ((const char *const *) folded, "spectrum"));

  /* Another window begins with it folded. */
  {
    g_autoptr (EsViewer) other = g_object_ref_sink (ES_VIEWER (es_viewer_new ()));

    g_assert_false (es_section_get_expanded (es_views_find_section (es_viewer_get_inspector (other),
                                                                    "histogram")));
    g_assert_true (es_section_get_expanded (es_views_find_section (es_viewer_get_inspector (other),
                                                                   "spectrum")));
  }
  g_settings_reset (es_settings_get (), "folded-sections");
  g_assert_true (es_section_get_expanded (histogram));
}

/* A file that shrinks under the views: a sentence in the picture's place, and no harm. */
static void
test_shrunk_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->test->folder, "scene.img", NULL);
  g_autofree char *message = NULL;
  EsPicture *picture = es_image_view_get_picture (es_views_image_of (fixture));

  g_assert_cmpint (truncate (path, 100), ==, 0);
  es_views_show_cube (fixture);
  g_assert_true (es_picture_is_empty (picture));
  message = gtk_test_accessible_check_property (GTK_ACCESSIBLE (es_views_image_of (fixture)),
                                                GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");
  g_assert_nonnull (message);
  g_test_message ("%s", message);
  g_assert_nonnull (strstr (message, "scene"));
  es_views_screenshot (fixture->window, "shrunk-file");

  /* Nothing to be selected, zoomed or copied. */
  es_viewer_select_pixel (fixture->viewer, 1, 1);
  es_views_settle (fixture);
  es_views_activate (fixture, "view.copy");
  es_views_activate (fixture, "view.zoom-in");
  g_assert_true (es_picture_is_empty (picture));
}

/* ---- real data, and screens to be looked at ---- */

static void
test_real (Fixture *fixture, gconstpointer data)
{
  const char *folder = g_getenv ("ES_TEST_DATA");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "enmap", "enmap_potsdam_mosaic.img",
                                                             NULL) : NULL;
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = NULL;
  g_autofree char *status = NULL;

  if (file == NULL || !g_file_query_exists (file, NULL))
    {
      g_test_skip ("ES_TEST_DATA does not hold the EnMAP mosaic");
      return;
    }
  dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  es_viewer_show_dataset (fixture->viewer, dataset);
  es_viewer_select_pixel (fixture->viewer, 88, 120);
  es_views_settle (fixture);
  status = es_views_get_status (fixture);
  g_test_message ("%s", status);
  g_assert_nonnull (strstr (status, "52.3"));
  g_assert_nonnull (strstr (status, "13.0"));
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  es_views_screenshot (fixture->window, "enmap-dark");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  es_views_screenshot (fixture->window, "enmap-light");
  es_viewer_show_dataset (fixture->viewer, NULL);
  es_views_settle (fixture);
}

/* ---- a stretch of some pixels ---- */

/* The ends of a cut of nothing are the extremes of a window, which another way finds in the file's samples. */
static gboolean
has_extremes (Fixture *fixture, guint64 x, guint64 y, guint64 width, guint64 height)
{
  EsPicture *picture = fixture->viewer->left.picture;
  g_autofree float *values = g_new (float, width * height);
  double low = INFINITY, high = -INFINITY, shown[2];
  g_autoptr (GError) error = NULL;

  es_cube_read_band (fixture->test->cube, es_display_get_plane (fixture->viewer->left.display), x, y, width, height, 1,
                     values, NULL, &error);
  g_assert_no_error (error);
  for (guint64 i = 0; i < width * height; i++)
    if (!isnan (values[i]))
      {
        low = MIN (low, values[i]);
        high = MAX (high, values[i]);
      }
  es_picture_get_stretch (picture, 0, &shown[0], &shown[1]);
  return fabs (shown[0] - low) < 1e-6 * fabs (high) && fabs (shown[1] - high) < 1e-6 * fabs (high);
}

static void
wait_for_extremes (Fixture *fixture, guint64 x, guint64 y, guint64 width, guint64 height)
{
  const gint64 limit = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;

  while (!has_extremes (fixture, x, y, width, height) && g_get_monotonic_time () < limit)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (has_extremes (fixture, x, y, width, height));
}

static void
test_basis (Fixture *fixture, gconstpointer data)
{
  EsImageView *image;
  EsDisplay *display = fixture->viewer->left.display;
  EsRegionControl *control = es_inspector_get_control (fixture->viewer->inspector);
  g_autoptr (EsRegion) region = es_region_new_rectangle (40, 30, 9, 7);
  EsViewport viewport;
  guint64 width, height;

  es_views_show_cube (fixture);
  image = es_views_image_of (fixture);
  width = es_cube_get_width (fixture->test->cube);
  height = es_cube_get_height (fixture->test->cube);
  es_display_show_plane (display, 3);
  es_display_set_symmetric (display, FALSE);
  es_display_set_cut (display, 0);
  es_views_settle (fixture);
  wait_for_extremes (fixture, 0, 0, width, height);

  es_display_set_basis (display, ES_STRETCH_OF_VIEW);
  es_views_assert_caption_says (fixture, "of what is in view");
  for (guint i = 0; i < 12; i++)
    es_views_activate (fixture, "view.zoom-in");
  es_views_settle (fixture);
  es_image_view_get_viewport (image, &viewport);
  const double scale = gtk_widget_get_scale_factor (GTK_WIDGET (image));
  const guint64 x = (guint64) MAX (floor (viewport.left), 0), y = (guint64) MAX (floor (viewport.top), 0);
  const guint64 right = (guint64) MIN (ceil (viewport.left + scale * gtk_widget_get_width (GTK_WIDGET (image))
                                                             / viewport.zoom), width);
  const guint64 bottom = (guint64) MIN (ceil (viewport.top + scale * gtk_widget_get_height (GTK_WIDGET (image))
                                                             / viewport.zoom), height);
  g_assert_cmpuint (right - x, <, width);
  wait_for_extremes (fixture, x, y, right - x, bottom - y);

  /* Another plane, and what is selected; nothing is selected: all of it. */
  es_display_set_basis (display, ES_STRETCH_OF_SELECTION);
  wait_for_extremes (fixture, 0, 0, width, height);
  es_region_control_set_selection (control, region);
  wait_for_extremes (fixture, 40, 30, 9, 7);
  es_display_show_plane (display, 7);
  wait_for_extremes (fixture, 40, 30, 9, 7);
  es_region_control_set_selection (control, NULL);
  wait_for_extremes (fixture, 0, 0, width, height);
  es_display_set_basis (display, ES_STRETCH_OF_IMAGE);
  wait_for_extremes (fixture, 0, 0, width, height);
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);

  ADD ("/views/cube/zoom", test_zoom);
  ADD ("/views/cube/keys", test_keys);
  ADD ("/views/cube/stretch", test_stretch);
  ADD ("/views/cube/basis", test_basis);
  ADD ("/views/cube/folding", test_folding);
  ADD ("/views/cube/shrunk-file", test_shrunk_file);
  ADD ("/views/cube/real-data", test_real);
  return g_test_run ();
}
