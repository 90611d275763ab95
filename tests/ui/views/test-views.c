/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The views of a cube in a real window: bands and spectra. */

#include "es-test-views.h"

#include <adwaita.h>
#include <math.h>

#include "bar/es-band-chooser.h"
#include "bar/es-display-bar.h"
#include "widgets/es-fit-layout.h"
#include "inspector/es-inspector.h"
#include "charts/es-plot-view.h"
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
    GtkWidget *single = gtk_widget_get_last_child (gtk_widget_get_parent (composite));
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

/* In a narrow column some controls are left out, and none is cut off; the row stays as high as it is. */
static void
test_narrow_controls (Fixture *fixture, gconstpointer data)
{
  GtkWidget *bar = es_views_find (GTK_WIDGET (fixture->viewer), ES_TYPE_DISPLAY_BAR);
  GtkWidget *row = gtk_widget_get_first_child (bar);

  es_views_show_cube (fixture);
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *composite = es_views_find (bar, GTK_TYPE_TOGGLE_BUTTON);
      int least, wide, narrow, n = 0;

      if (i == 1)
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (gtk_widget_get_last_child (gtk_widget_get_parent (composite))),
                                      TRUE);
      es_views_settle (fixture);
      gtk_widget_measure (bar, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      g_assert_cmpint (least, <=, 240);
      gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 1000, &wide, NULL, NULL, NULL);
      gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, 240, &narrow, NULL, NULL, NULL);
      g_assert_cmpint (narrow, ==, wide);
      gtk_widget_size_allocate (bar, &(GtkAllocation) { 0, 0, 240, narrow }, -1);
      for (GtkWidget *child = gtk_widget_get_first_child (row); child != NULL;
           child = gtk_widget_get_next_sibling (child))
        {
          graphene_rect_t place;

          if (!es_fit_layout_has_room (child))
            continue;
          n++;
          g_assert_true (gtk_widget_compute_bounds (child, bar, &place));
          g_assert_cmpfloat (place.origin.x + place.size.width, <=, 240);
          g_assert_cmpfloat (place.origin.y + place.size.height, <=, narrow);
        }
      g_assert_cmpint (n, >=, 3);
      g_assert_true (es_fit_layout_has_room (gtk_widget_get_last_child (row)));
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

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);

  ADD ("/views/cube/shown", test_cube);
  ADD ("/views/cube/bands", test_bands);
  ADD ("/views/cube/narrow-controls", test_narrow_controls);
  ADD ("/views/cube/band-chooser", test_band_chooser);
  ADD ("/views/cube/spectrum", test_spectrum);
  return g_test_run ();
}
