/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The views of a cube, in a real window. */

#include "es-test-views.h"

#include <adwaita.h>
#include <math.h>
#include <unistd.h>

#include "image/es-band-chooser.h"
#include "image/es-display-bar.h"
#include "image/es-histogram-view.h"
#include "inspector/es-inspector.h"
#include "charts/es-plot-view.h"
#include "readers/es-open.h"
#include "widgets/es-settings.h"
#include "inspector/es-spectrum-pane.h"

/* ---- cubes ---- */

static void
test_cube (Fixture *fixture, gconstpointer data)
{
  g_autofree char *empty = es_views_get_status (fixture);
  g_autofree char *status = NULL;
  EsPicture *picture;

  g_assert_cmpstr (empty, ==, "");
  es_views_show_cube (fixture);
  g_assert_true (es_viewer_get_dataset (fixture->viewer) == ES_DATASET (fixture->test->cube));
  picture = es_image_view_get_picture (es_views_image_of (fixture));
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 3);
  g_assert_cmpuint (es_picture_get_width (picture), ==, 96);
  g_assert_cmpuint (es_picture_get_height (picture), ==, 80);
  g_assert_true (es_views_section_visible (fixture, "spectrum"));
  g_assert_true (es_views_section_visible (fixture, "histogram"));
  g_assert_false (es_views_section_visible (fixture, "eigenvalues"));
  g_assert_false (es_views_section_visible (fixture, "loadings"));
  g_assert_false (es_views_section_visible (fixture, "values"));
  g_assert_false (es_views_section_visible (fixture, "steps"));
  es_views_screenshot (fixture->window, "cube");

  es_viewer_select_pixel (fixture->viewer, 40, 30);
  es_views_settle (fixture);
  status = es_views_get_status (fixture);
  g_test_message ("%s", status);
  g_assert_true (g_str_has_prefix (status, "x 40  y 30   "));
  g_assert_nonnull (strstr (status, "° N"));
  g_assert_nonnull (strstr (status, "R "));
  g_assert_nonnull (strstr (status, "zoom "));
  es_views_screenshot (fixture->window, "cube-selected");

  {
    g_autofree char *nothing = NULL;
    guint x = 0, y = 0;

    /* A pixel without data says so, once. */
    for (guint i = 0; i < 96 * 80; i++)
      {
        x = i % 96;
        y = i / 96;
        if (isnan (es_picture_get_sample (picture, 0, x + 0.5, y + 0.5)))
          break;
      }
    es_viewer_select_pixel (fixture->viewer, x, y);
    es_views_settle (fixture);
    nothing = es_views_get_status (fixture);
    g_assert_nonnull (strstr (nothing, "   no data   "));
    g_assert_null (strstr (nothing, "R "));
  }

  es_viewer_show_dataset (fixture->viewer, NULL);
  es_views_settle (fixture);
  g_assert_true (es_picture_is_empty (picture));
  g_assert_false (es_views_section_visible (fixture, "spectrum"));
}

static void
test_bands (Fixture *fixture, gconstpointer data)
{
  EsPicture *picture;
  float expected;

  es_views_show_cube (fixture);
  picture = es_image_view_get_picture (es_views_image_of (fixture));

  /* While a composite is shown a plane is only remembered. */
  g_object_set (fixture->viewer, "plane", 33u, NULL);
  es_views_settle (fixture);
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 3);

  {
    GtkWidget *bar = es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_DISPLAY_BAR);
    GtkWidget *composite = es_views_find (bar, GTK_TYPE_TOGGLE_BUTTON);
    GtkWidget *single = gtk_widget_get_next_sibling (composite);
    GtkWidget *slider = es_views_find (bar, GTK_TYPE_SCALE);

    gtk_test_accessible_assert_role (bar, GTK_ACCESSIBLE_ROLE_TOOLBAR);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (single), TRUE);
    es_views_settle (fixture);
    g_assert_cmpuint (es_picture_get_n_planes (picture), ==, 1);
    g_assert_true (gtk_widget_get_visible (slider));
    g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (slider)), ==, 34);
    g_assert_true (es_cube_read_band (fixture->test->cube, 33, 50, 20, 1, 1, 1, &expected, NULL, NULL));
    g_assert_cmpfloat (es_picture_get_sample (picture, 0, 50.5, 20.5), ==, expected);

    /* Faster than planes can be read: what is shown in the end is the last. */
    for (guint i = 1; i <= 41; i++)
      gtk_range_set_value (GTK_RANGE (slider), i);
    g_assert_cmpuint (es_views_get_plane (fixture), ==, 40);
    es_views_settle (fixture);
    g_assert_true (es_cube_read_band (fixture->test->cube, 40, 50, 20, 1, 1, 1, &expected, NULL, NULL));
    g_assert_cmpfloat (es_picture_get_sample (picture, 0, 50.5, 20.5), ==, expected);
    es_views_screenshot (fixture->window, "band");
  }

  es_views_activate (fixture, "view.next-plane");
  g_assert_cmpuint (es_views_get_plane (fixture), ==, 41);
  es_views_activate (fixture, "view.previous-plane");
  es_views_activate (fixture, "view.previous-plane");
  g_assert_cmpuint (es_views_get_plane (fixture), ==, 39);
  es_views_settle (fixture);
}

/* In a narrow column the controls take more rows; none is cut off. */
static void
test_narrow_controls (Fixture *fixture, gconstpointer data)
{
  GtkWidget *bar = es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_DISPLAY_BAR);
  GtkWidget *row = gtk_widget_get_first_child (bar);

  es_views_show_cube (fixture);
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *composite = es_views_find (bar, GTK_TYPE_TOGGLE_BUTTON);
      int least, wide, narrow;

      if (i == 1)
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (gtk_widget_get_next_sibling (composite)), TRUE);
      es_views_settle (fixture);
      gtk_widget_measure (bar, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      g_assert_cmpint (least, <=, 240);
      gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 1000, &wide, NULL, NULL, NULL);
      gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 240, &narrow, NULL, NULL, NULL);
      g_assert_cmpint (narrow, >, wide + 20);
      gtk_widget_size_allocate (bar, &(GtkAllocation) { 0, 0, 240, narrow }, -1);
      for (GtkWidget *child = gtk_widget_get_first_child (row); child != NULL;
           child = gtk_widget_get_next_sibling (child))
        {
          graphene_rect_t place;

          if (!gtk_widget_get_visible (child))
            continue;
          g_assert_true (gtk_widget_compute_bounds (child, bar, &place));
          g_assert_cmpfloat (place.origin.x + place.size.width, <=, 240);
          g_assert_cmpfloat (place.origin.y + place.size.height, <=, narrow);
        }
    }
}

static void
test_band_chooser (Fixture *fixture, gconstpointer data)
{
  EsCube *cube = fixture->test->cube;
  EsBandChooser *chooser;
  int band;

  es_views_show_cube (fixture);
  chooser = ES_BAND_CHOOSER (es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_BAND_CHOOSER));
  band = es_cube_find_wavelength (cube, 702);
  g_assert_cmpint (es_band_chooser_find (chooser, "702"), ==, band);
  g_assert_cmpint (es_band_chooser_find (chooser, "702 nm"), ==, band);
  g_assert_cmpint (es_band_chooser_find (chooser, "0.702 µm"), ==, band);
  g_assert_cmpint (es_band_chooser_find (chooser, "12"), ==, 11);
  g_assert_cmpint (es_band_chooser_find (chooser, "61"), ==, -1);
  g_assert_cmpint (es_band_chooser_find (chooser, "nothing like it"), ==, -1);
  g_assert_cmpint (es_band_chooser_find (chooser, ""), ==, -1);

  /* It belongs to red. */
  g_signal_emit_by_name (chooser, "chosen", (guint) band);
  es_views_settle (fixture);
  {
    EsPicture *picture = es_image_view_get_picture (es_views_image_of (fixture));
    float expected;

    g_assert_true (es_cube_read_band (cube, band, 10, 70, 1, 1, 1, &expected, NULL, NULL));
    g_assert_cmpfloat (es_picture_get_sample (picture, 0, 10.5, 70.5), ==, expected);
  }
}

static void
test_spectrum (Fixture *fixture, gconstpointer data)
{
  EsCube *cube = fixture->test->cube;
  guint n = es_cube_get_bands (cube);
  const gboolean *good = es_cube_get_good_bands (cube);
  g_autofree double *expected = g_new (double, n);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  EsSpectrumPane *pane;
  EsPlot *plot;
  guint gaps = 0;

  es_views_show_cube (fixture);
  pane = ES_SPECTRUM_PANE (es_views_find (fixture->inspector, ES_TYPE_SPECTRUM_PANE));
  plot = es_spectrum_pane_get_plot (pane);
  g_assert_true (es_spectrum_pane_is_empty (pane));
  es_viewer_select_pixel (fixture->viewer, 12, 34);
  es_views_settle (fixture);
  g_assert_false (es_spectrum_pane_is_empty (pane));
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 1);
  g_assert_true (es_cube_read_spectrum (cube, 12, 34, expected, NULL));

  text = es_plot_to_text (plot);
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, n + 1);
  for (guint i = 0; i < n; i++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[i + 1], "\t", -1);

      g_assert_cmpuint (g_strv_length (cells), ==, 2);
      if (good[i] && isfinite (expected[i]))
        g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[1], NULL), expected[i],
                                        1e-3 * fabs (expected[i]) + 1e-6);
      else
        gaps++;
    }
  g_assert_cmpuint (gaps, ==, n - es_cube_get_n_good_bands (cube));
  g_assert_cmpuint (gaps, >, 0);

  /* The pixel under the pointer is a second one, as long as the pointer is there. */
  g_signal_emit_by_name (es_views_image_of (fixture), "hovered", TRUE, 60u, 61u);
  es_views_settle (fixture);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 2);
  es_views_screenshot (fixture->window, "hovered");
  /* The selected one is not drawn twice. */
  g_signal_emit_by_name (es_views_image_of (fixture), "hovered", TRUE, 12u, 34u);
  es_views_settle (fixture);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 1);
  g_signal_emit_by_name (es_views_image_of (fixture), "hovered", FALSE, 0u, 0u);
  es_views_settle (fixture);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 1);

  /* The bands of the composite stand in it, and dragging one shows another. */
  g_assert_cmpuint (es_plot_get_n_markers (plot), ==, 3);
  {
    GtkWidget *view = es_views_find (GTK_WIDGET (pane), ES_TYPE_PLOT_VIEW);
    int band = es_cube_find_wavelength (cube, 800);

    g_signal_emit_by_name (view, "marker-moved", 1, 800., TRUE);
    es_views_settle (fixture);
    g_assert_cmpfloat (es_plot_get_marker (plot, 1), ==, es_cube_get_wavelengths (cube)[band]);
  }
  es_views_activate (fixture, "view.crosshair-clear");
  g_assert_true (es_spectrum_pane_is_empty (pane));
}

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
  g_signal_emit_by_name (gtk_widget_get_first_child (GTK_WIDGET (histogram)), "clicked");
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

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);

  ADD ("/views/cube/shown", test_cube);
  ADD ("/views/cube/bands", test_bands);
  ADD ("/views/cube/narrow-controls", test_narrow_controls);
  ADD ("/views/cube/band-chooser", test_band_chooser);
  ADD ("/views/cube/spectrum", test_spectrum);
  ADD ("/views/cube/zoom", test_zoom);
  ADD ("/views/cube/keys", test_keys);
  ADD ("/views/cube/stretch", test_stretch);
  ADD ("/views/cube/folding", test_folding);
  ADD ("/views/cube/shrunk-file", test_shrunk_file);
  ADD ("/views/cube/real-data", test_real);
  return g_test_run ();
}
