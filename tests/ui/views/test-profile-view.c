/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Profiles of what is shown: along rows, columns and lines that are drawn, dragged, typed; both cursors; sessions. */

#include "es-test-views.h"

#include <math.h>
#include <unistd.h>

#include "image/es-image-view-private.h"
#include "inspector/es-inspector.h"
#include "profile/es-profile-pane-private.h"
#include "widgets/es-settings.h"

static EsProfilePane *
open_profile (Fixture *fixture)
{
  es_views_show_cube (fixture);
  es_section_set_expanded (es_views_find_section (fixture->inspector, "profile"), TRUE);
  es_views_settle (fixture);
  return es_inspector_get_profile (ES_INSPECTOR (fixture->inspector));
}

static float
value_of (Fixture *fixture, guint band, guint x, guint y)
{
  float value;

  g_assert_true (es_cube_read_band (fixture->test->cube, band, x, y, 1, 1, 1, &value, NULL, NULL));
  return value;
}

static void
assert_value (Fixture *fixture, const EsProfile *profile, guint plane, guint i, guint band, guint x, guint y)
{
  const float expected = value_of (fixture, band, x, y);
  const double value = profile->values[plane * profile->n + i];

  if (isnan (expected))
    g_assert_true (isnan (value));
  else
    g_assert_cmpfloat (value, ==, expected);
}

static void
test_row_and_column (Fixture *fixture, gconstpointer data)
{
  EsProfilePane *pane = open_profile (fixture);
  EsPlot *plot = es_profile_pane_get_plot (pane);
  EsImageView *image = es_views_image_of (fixture);
  const EsProfile *profile;
  guint bands[3];

  /* Nothing is selected: nothing is drawn. */
  g_assert_null (es_profile_pane_get_profile (pane));
  g_assert_null (es_profile_pane_describe (pane));
  es_viewer_select_pixel (fixture->viewer, 17, 33);
  es_views_settle (fixture);
  profile = es_profile_pane_get_profile (pane);
  g_assert_nonnull (profile);
  g_assert_cmpuint (profile->n, ==, 96);
  g_assert_cmpuint (profile->n_planes, ==, 3);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 3);
  es_cube_pick_rgb (fixture->test->cube, bands);
  for (guint i = 0; i < 96; i++)
    for (guint plane = 0; plane < 3; plane++)
      assert_value (fixture, profile, plane, i, bands[plane], i, 33);
  g_assert_cmpuint (image->line->len, ==, 2);
  g_assert_cmpint (_es_image_view_pick_corner (image, 0, 0), ==, -1);

  /* One band, along the column. */
  es_viewer_show_plane (fixture->viewer, 40);
  es_inspector_show_profile (ES_INSPECTOR (fixture->inspector), ES_PROFILE_COLUMN);
  es_views_settle (fixture);
  profile = es_profile_pane_get_profile (pane);
  g_assert_cmpuint (profile->n, ==, 80);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 1);
  for (guint i = 0; i < 80; i++)
    assert_value (fixture, profile, 0, i, 40, 17, i);
  g_autofree char *words = es_profile_pane_describe (pane);
  g_assert_nonnull (strstr (words, "17"));

  /* The pointer in the picture is the cursor of the plot, and the cursor of the plot is marked in the picture. */
  g_signal_emit_by_name (image, "hovered", TRUE, 60u, 21u);
  g_assert_cmpfloat (es_plot_get_cursor (plot), ==, 21);
  g_assert_cmpfloat (image->line_cursor[0], ==, 17.5);
  g_assert_cmpfloat (image->line_cursor[1], ==, 21.5);
  es_plot_set_cursor (plot, 44);
  g_assert_cmpfloat (image->line_cursor[1], ==, 44.5);
  es_plot_set_cursor (plot, NAN);
  g_assert_true (isnan (image->line_cursor[0]));
  es_views_screenshot (fixture->window, "profile");

  /* Without a selected pixel it follows the pointer. */
  es_views_activate (fixture, "view.crosshair-clear");
  g_signal_emit_by_name (image, "hovered", TRUE, 60u, 21u);
  es_views_settle (fixture);
  profile = es_profile_pane_get_profile (pane);
  assert_value (fixture, profile, 0, 7, 40, 60, 7);
}

static void
test_line (Fixture *fixture, gconstpointer data)
{
  static const double drawn[6] = { 3.2, 4.9, 50.7, 4.1, 50.1, 60.99 };
  EsProfilePane *pane = open_profile (fixture);
  EsImageView *image = es_views_image_of (fixture);
  EsSection *section = es_views_find_section (fixture->inspector, "profile");
  EsProfileLine *line;
  const EsProfile *profile;
  EsViewport viewport;
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (image));

  es_section_set_expanded (section, FALSE);
  es_viewer_show_plane (fixture->viewer, 5);
  es_views_settle (fixture);
  /* Drawn by hand: unfolded, from the middle of pixels. */
  g_signal_emit_by_name (image, "line-drawn", 3u, drawn);
  g_assert_true (es_section_get_expanded (section));
  es_views_settle (fixture);
  profile = es_profile_pane_get_profile (pane);
  g_assert_nonnull (profile);
  g_assert_cmpuint (profile->n, ==, 1 + 47 + 56);
  assert_value (fixture, profile, 0, 0, 5, 3, 4);
  assert_value (fixture, profile, 0, 47, 5, 50, 4);
  assert_value (fixture, profile, 0, 103, 5, 50, 60);
  g_assert_cmpfloat (profile->distances[103], ==, 47 + 56);

  /* Its corners are there to be taken, and go where they are dragged. */
  es_image_view_get_viewport (image, &viewport);
  g_assert_cmpint (_es_image_view_pick_corner (image, (50.5 - viewport.left) * viewport.zoom / scale + 3,
                                               (60.5 - viewport.top) * viewport.zoom / scale - 2), ==, 2);
  g_signal_emit_by_name (image, "line-moved", 2u, 90.5, 79.9, TRUE);
  es_views_settle (fixture);
  g_assert_cmpfloat (es_profile_pane_get_line (pane)->places[2].x, ==, 90);
  g_assert_cmpfloat (es_profile_pane_get_line (pane)->places[2].y, ==, 79);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (pane->entry)), ==, "3,4,50,4,90,79");

  /* Typed, wrong and right; wrong ones change nothing. */
  gtk_editable_set_text (GTK_EDITABLE (pane->entry), "3,4,96,4");
  g_assert_true (gtk_widget_has_css_class (pane->entry, "error"));
  g_assert_cmpuint (es_profile_pane_get_line (pane)->n, ==, 3);
  gtk_editable_set_text (GTK_EDITABLE (pane->entry), "10,10,20,10");
  g_assert_false (gtk_widget_has_css_class (pane->entry, "error"));
  es_views_settle (fixture);
  profile = es_profile_pane_get_profile (pane);
  g_assert_cmpuint (profile->n, ==, 11);
  assert_value (fixture, profile, 0, 10, 5, 20, 10);

  /* A mean across, and in between pixels. */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (pane->width_spin), 3);
  es_views_settle (fixture);
  profile = es_profile_pane_get_profile (pane);
  g_assert_cmpfloat_with_epsilon (profile->values[4],
                                  ((double) value_of (fixture, 5, 14, 9) + value_of (fixture, 5, 14, 10)
                                   + value_of (fixture, 5, 14, 11)) / 3, 1e-9);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (pane->width_spin), 4);
  g_assert_cmpuint (pane->width, ==, 5);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (pane->sampling_choice), ES_PROFILE_BILINEAR);
  gtk_editable_set_text (GTK_EDITABLE (pane->entry), "10,10.5,20,10.5");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (pane->width_spin), 1);
  es_views_settle (fixture);
  profile = es_profile_pane_get_profile (pane);
  g_assert_cmpfloat_with_epsilon (profile->values[4],
                                  ((double) value_of (fixture, 5, 14, 10) + value_of (fixture, 5, 14, 11)) / 2, 1e-9);

  /* Dragging a corner changes nothing else. */
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (pane->width_spin), 9);
  g_signal_emit_by_name (image, "line-moved", 1u, 20.5, 11.5, TRUE);
  g_assert_cmpuint (pane->width, ==, 9);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (pane->width_spin), 1);
  gtk_editable_set_text (GTK_EDITABLE (pane->entry), "10,10.5,20,10.5");
  es_views_settle (fixture);
  profile = es_profile_pane_get_profile (pane);

  /* In metres, of 30 m pixels, where the file tells them. */
  g_assert_nonnull (profile->metres);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (pane->unit_choice), 1);
  g_signal_emit_by_name (image, "hovered", TRUE, 14u, 11u);
  g_assert_cmpfloat_with_epsilon (es_plot_get_cursor (es_profile_pane_get_plot (pane)), 4 * 30, 1e-6);
  g_signal_emit_by_name (image, "hovered", TRUE, 14u, 70u);
  g_assert_true (isnan (es_plot_get_cursor (es_profile_pane_get_plot (pane))));

  /* Told and taken. */
  g_autoptr (JsonNode) told = es_profile_pane_tell (pane);
  line = es_profile_line_copy (es_profile_pane_get_line (pane));
  gtk_editable_set_text (GTK_EDITABLE (pane->entry), "0,0,5,5");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (pane->width_spin), 7);
  es_profile_pane_set_kind (pane, ES_PROFILE_ROW);
  es_profile_pane_take (pane, told);
  es_views_settle (fixture);
  g_assert_true (es_profile_pane_get_kind (pane) == ES_PROFILE_LINE);
  g_assert_cmpuint (pane->width, ==, 1);
  g_assert_true (es_profile_line_equal (es_profile_pane_get_line (pane), line));
  es_profile_line_free (line);

  /* What nobody sees is neither drawn nor read. */
  es_section_set_expanded (section, FALSE);
  es_views_settle (fixture);
  g_assert_cmpuint (image->line->len, ==, 0);
  es_viewer_show_plane (fixture->viewer, 6);
  g_assert_false (es_profile_pane_is_loading (pane));
}

/* All bands along a row: each pixel of the picture is in the colour of the value there, gaps are clear. */
static void
test_bands (Fixture *fixture, gconstpointer data)
{
  EsProfilePane *pane = open_profile (fixture);
  EsCube *cube = fixture->test->cube;
  const double *nm = es_cube_get_wavelengths (cube);
  const guint8 *map = es_colormap_entries (ES_COLORMAP_VIRIDIS);
  g_autofree double *spectrum = g_new (double, es_cube_get_bands (cube));
  guint n = 0;

  es_viewer_select_pixel (fixture->viewer, 17, 33);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pane->all_toggle), TRUE);
  es_views_settle (fixture);
  g_assert_nonnull (pane->bands);
  g_assert_cmpuint (es_profile_pane_get_profile (pane)->n_planes, ==, es_cube_get_n_good_bands (cube));
  g_assert_cmpint (cairo_image_surface_get_width (pane->bands->image), ==, 96);
  const int rows = cairo_image_surface_get_height (pane->bands->image);
  const int stride = cairo_image_surface_get_stride (pane->bands->image);
  const guint8 *pixels = cairo_image_surface_get_data (pane->bands->image);
  g_assert_true (es_cube_read_spectrum (cube, 40, 33, spectrum, NULL));
  for (guint band = 0; band < es_cube_get_bands (cube); band++)
    {
      const double place = (pane->bands->to - nm[band]) / (pane->bands->to - pane->bands->from) * rows;
      const guint row = (guint) CLAMP (place, 0, rows - 1);
      const guint32 pixel = ((const guint32 *) (gconstpointer) (pixels + (gsize) stride * row))[40];
      const double share = (spectrum[band] - pane->bands->low) / (pane->bands->high - pane->bands->low);
      const guint8 *entry = map + 4 * (guint) CLAMP (share * 255 + 0.5, 0, 255);

      if (!es_cube_get_good_bands (cube)[band] || isnan (spectrum[band]))
        continue;
      g_assert_cmphex (pixel >> 24, ==, 0xff);
      g_assert_cmpint (ABS ((int) (pixel >> 8 & 255) - entry[1]), <=, 3);
      n++;
    }
  g_assert_cmpuint (n, >, 40);
  /* The cursor goes along as well. */
  g_signal_emit_by_name (es_views_image_of (fixture), "hovered", TRUE, 60u, 21u);
  g_assert_cmpfloat (es_plot_get_cursor (es_profile_pane_get_plot (pane)), ==, 60);
  g_assert_cmpfloat (es_views_image_of (fixture)->line_cursor[0], ==, 60.5);
  es_views_screenshot (fixture->window, "profile-bands");

  /* As a command, which tests of eigenscope-batch run the like of. */
  const guint some[3] = { 4, 2, 3 };
  g_autofree char *command = es_profile_to_command (pane->of, cube, 3, some);
  g_autofree char *whole = es_profile_to_command (pane->of, cube, 0, NULL);
  g_assert_true (g_str_has_prefix (command, "eigenscope-batch profile "));
  g_assert_nonnull (strstr (command, "scene.img"));
  g_assert_nonnull (strstr (command, " line=0,33,95,33 bands=3-5 -o profile.csv"));
  g_assert_null (strstr (whole, "bands="));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (pane), "profile.copy-command", NULL));

  /* As a file: distance in pixels and in metres, x, y, and the bands that take part. */
  g_autofree char *path = g_build_filename (fixture->test->folder, "profile.csv", NULL), *text = NULL;
  g_autoptr (GFile) target = g_file_new_for_path (path);
  es_profile_pane_save_csv (pane, target);
  while (!g_file_get_contents (path, &text, NULL, NULL))
    g_main_context_iteration (NULL, FALSE);
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 96 + 1);
  g_auto (GStrv) cells = g_strsplit (lines[41], ",", -1);
  g_assert_cmpuint (g_strv_length (cells), ==, 4 + es_cube_get_n_good_bands (cube));
  g_assert_cmpstr (cells[0], ==, "40");
  g_assert_cmpstr (cells[3], ==, "33");
  g_assert_cmpfloat (g_ascii_strtod (cells[4], NULL), ==, es_profile_pane_get_profile (pane)->values[40]);

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (pane->all_toggle), FALSE);
  es_views_settle (fixture);
  g_assert_null (pane->bands);
  g_assert_cmpuint (es_plot_get_n_series (es_profile_pane_get_plot (pane)), ==, 3);
}

/* A file that shrinks meanwhile: a sentence in the place of the plot, and the line stays where it was drawn. */
static void
test_shrunk (Fixture *fixture, gconstpointer data)
{
  static const double drawn[4] = { 3.5, 4.5, 50.5, 70.5 };
  EsProfilePane *pane = open_profile (fixture);
  g_autofree char *path = g_build_filename (fixture->test->folder, "scene.img", NULL);

  g_assert_cmpint (truncate (path, 100), ==, 0);
  g_signal_emit_by_name (es_views_image_of (fixture), "line-drawn", 2u, drawn);
  g_assert_cmpuint (es_views_image_of (fixture)->line->len, ==, 2);
  es_views_settle (fixture);
  g_assert_null (es_profile_pane_get_profile (pane));
  g_assert_true (gtk_widget_get_mapped (pane->hint));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (pane->hint)), "scene"));
  g_assert_cmpuint (es_views_image_of (fixture)->line->len, ==, 2);
}

/* The tool: by keys, and by what a pointer does. */
static void
test_tool (Fixture *fixture, gconstpointer data)
{
  EsProfilePane *pane = open_profile (fixture);
  EsImageView *image = es_views_image_of (fixture);
  EsViewport viewport;

  es_image_view_set_tool (image, ES_IMAGE_TOOL_LINE);
  es_image_view_get_viewport (image, &viewport);
  const double step = viewport.zoom / gtk_widget_get_scale_factor (GTK_WIDGET (image));
  const double left = -viewport.left * step, top = -viewport.top * step;
  g_assert_true (_es_image_view_tool_begin (image, left + 5.5 * step, top + 6.5 * step));
  _es_image_view_tool_drag (image, left + 15.5 * step, top + 26.5 * step);
  _es_image_view_tool_drag (image, left + 25.5 * step, top + 16.5 * step);
  _es_image_view_tool_end (image);
  g_assert_nonnull (es_profile_pane_get_line (pane));
  g_autofree char *dragged = es_profile_line_format (es_profile_pane_get_line (pane));
  g_assert_cmpstr (dragged, ==, "5,6,25,16");

  /* Corner by corner; a double click is the end. */
  g_assert_true (_es_image_view_tool_click (image, left + 1.5 * step, top + 2.5 * step, 1));
  g_assert_true (_es_image_view_tool_click (image, left + 11.5 * step, top + 2.5 * step, 1));
  g_assert_true (_es_image_view_tool_click (image, left + 11.5 * step, top + 12.5 * step, 1));
  g_assert_true (_es_image_view_tool_click (image, left + 11.5 * step, top + 12.5 * step, 2));
  g_autofree char *clicked = es_profile_line_format (es_profile_pane_get_line (pane));
  g_assert_cmpstr (clicked, ==, "1,2,11,2,11,12");
  g_assert_cmpuint (image->corners->len, ==, 0);

  /* Another cube has no such line. */
  es_viewer_show_dataset (fixture->viewer, NULL);
  g_assert_null (es_profile_pane_get_line (pane));
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  ADD ("/profile-view/row-and-column", test_row_and_column);
  ADD ("/profile-view/line", test_line);
  ADD ("/profile-view/bands", test_bands);
  ADD ("/profile-view/shrunk", test_shrunk);
  ADD ("/profile-view/tool", test_tool);
  return g_test_run ();
}
