/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What stands over the sonar displays: read-outs, numbers of tracks, and the table of arrivals below. */

#include "es-test-sonar-view.h"
#include "es-test-views.h"

#include <math.h>
#include <string.h>

#include "charts/es-map-view-private.h"
#include "sonar/panes/es-btr-tracks.h"
#include "sonar/panes/es-peak-list.h"

static gboolean
reads_out (EsMapView *view)
{
  graphene_rect_t area, box;
  g_autoptr (PangoLayout) words = NULL;

  g_assert_true (es_map_view_get_area (view, &area));
  words = _es_map_view_make_read_out (view, &area, &box);
  return words != NULL;
}

static void
point_at_middle (EsMapView *view, graphene_rect_t *area)
{
  g_assert_true (es_map_view_get_area (view, area));
  view->has_pointer = TRUE;
  _es_map_view_set_pointer (view, area->origin.x + area->size.width / 2, area->origin.y + area->size.height / 2);
}

/* In a narrow display the words at the pointer take several lines, and none of them is cut off. */
static void
test_narrow (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "btr");
  graphene_rect_t area, wide;
  int height = 0;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 30);
  es_test_sonar_settle (fixture);
  point_at_middle (view, &area);
  for (float width = area.size.width; width >= 90; width -= 7)
    for (float share = 0.1f; share < 1; share += 0.2f)
      {
        const graphene_rect_t narrow = GRAPHENE_RECT_INIT ((float) view->pointer_x - share * width, area.origin.y,
                                                           width, area.size.height);
        g_autoptr (PangoLayout) words = _es_map_view_make_read_out (view, &narrow, &wide);

        g_assert_nonnull (words);
        g_assert_cmpfloat (wide.origin.x, >=, narrow.origin.x);
        g_assert_cmpfloat (wide.origin.x + wide.size.width, <=, narrow.origin.x + width);
        height = MAX (height, pango_layout_get_line_count (words));
        /* No number without its unit. */
        if (width > 120)
          for (GSList *line = pango_layout_get_lines_readonly (words); line != NULL; line = line->next)
            {
              const PangoLayoutLine *part = line->data;

              g_assert_false (g_str_has_prefix (pango_layout_get_text (words) + part->start_index, "dB"));
            }
      }
  g_assert_cmpint (height, >, 1);
}

/* Where the moment moves on, nothing is said any more of where the pointer rests, until it moves. */
static void
test_rests (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "btr");
  graphene_rect_t area;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 30);
  es_test_sonar_settle (fixture);
  point_at_middle (view, &area);
  g_assert_true (reads_out (view));
  es_map_view_set_now (view, 3.5);
  g_assert_true (reads_out (view));
  view->pointer_moved -= 3 * G_USEC_PER_SEC;
  /* As long as nothing moves, it is to be read. */
  g_assert_true (reads_out (view));
  es_map_view_set_cursor (view, 3.5, view->cursor_row);
  g_assert_true (reads_out (view));
  es_map_view_set_now (view, 4.5);
  g_assert_false (reads_out (view));
  _es_map_view_set_pointer (view, view->pointer_x, view->pointer_y);
  g_assert_false (reads_out (view));
  _es_map_view_set_pointer (view, view->pointer_x + 1, view->pointer_y);
  g_assert_true (reads_out (view));
  view->pointer_moved -= 3 * G_USEC_PER_SEC;
  es_map_view_set_cursor (view, 3.5, 7.5);
  g_assert_false (reads_out (view));
}

/* The part of a display that lies under a rectangle's words, as it is drawn. */
static guchar *
draw_words (EsMapView *view, gsize *length)
{
  const graphene_rect_t *at = &view->measured;
  const int width = gtk_widget_get_width (GTK_WIDGET (view)), height = gtk_widget_get_height (GTK_WIDGET (view));
  const int columns = (int) at->size.width - 2, rows = (int) at->size.height - 2;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_t *cr = cairo_create (surface);
  guchar *pixels;

  GTK_WIDGET_GET_CLASS (view)->snapshot (GTK_WIDGET (view), snapshot);
  GskRenderNode *node = gtk_snapshot_free_to_node (snapshot);
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  *length = (gsize) columns * 4 * rows;
  pixels = g_malloc (*length);
  for (int row = 0; row < rows; row++)
    memcpy (pixels + (gsize) row * columns * 4,
            cairo_image_surface_get_data (surface) + (gsize) ((int) at->origin.y + 1 + row)
                                                     * cairo_image_surface_get_stride (surface)
            + 4 * ((int) at->origin.x + 1), (gsize) columns * 4);
  cairo_surface_destroy (surface);
  return pixels;
}

/* The words of a rectangle are not written over by the numbers of tracks, nor do those shine through. */
static void
test_over_numbers (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "btr");
  double columns[40], rows[40];
  guint numbers[40];
  gsize n_before, n_after;
  graphene_rect_t area;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 30);
  es_test_sonar_settle (fixture);
  es_map_view_set_tracks (view, 0, NULL, NULL, NULL);
  view->selected[0] = 20;
  view->selected[2] = 40;
  view->selected[1] = 10;
  view->selected[3] = 14;
  g_assert_true (es_map_view_get_area (view, &area));
  /* Where the words are is known once they have been drawn. */
  view->measured = GRAPHENE_RECT_INIT (0, 0, 4, 4);
  g_free (draw_words (view, &n_before));
  g_autofree guchar *before = draw_words (view, &n_before);
  const double x = view->measured.origin.x, y = view->measured.origin.y;

  g_assert_cmpfloat (view->measured.size.width, >, 50);
  /* Single points, whose numbers would stand all over the words. */
  for (guint i = 0; i < 40; i++)
    {
      const gboolean gap = i % 2 == 1;

      columns[i] = gap ? NAN : (x + (i / 2) * 12 - area.origin.x) / area.size.width
                               * es_heatmap_get_n_columns (es_map_view_get_map (view));
      rows[i] = gap ? NAN : _es_map_view_pixel_to_row (view, &area, y + 8);
      numbers[i] = gap ? 0 : i / 2 + 1;
    }
  es_map_view_set_tracks (view, 40, columns, rows, numbers);
  g_autofree guchar *after = draw_words (view, &n_after);
  g_assert_cmpmem (before, n_before, after, n_after);
}

/* Where there are more tracks than numbers can be read, the longest have one. */
static void
test_longest (void)
{
  double seconds[200];
  gboolean chosen[200];
  guint n = 0;

  for (guint i = 0; i < 200; i++)
    seconds[i] = i % 10 == 0 ? -1. : i == 57 ? 1000. : i % 7;
  es_btr_choose_longest (seconds, 200, 30, chosen);
  for (guint i = 0; i < 200; i++)
    {
      n += chosen[i];
      if (chosen[i])
        for (guint k = 0; k < 200; k++)
          g_assert_true (chosen[k] || seconds[k] < seconds[i] || (seconds[k] == seconds[i] && k < i));
      g_assert_false (chosen[i] && seconds[i] < 0);
    }
  g_assert_cmpuint (n, ==, 30);
  g_assert_true (chosen[57]);
  /* Where there is room, all have one that are in view. */
  n = 0;
  es_btr_choose_longest (seconds, 20, 30, chosen);
  for (guint i = 0; i < 20; i++)
    n += chosen[i];
  g_assert_cmpuint (n, ==, 18);
}

static int
height_of (GtkWidget *widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, 300, NULL, &natural, NULL, NULL);
  return natural;
}

/* However many arrivals there are, and whatever is said of them: what is below stays where it is. */
static void
test_list (SonarFixture *fixture, gconstpointer size)
{
  EsPeakList *list = ES_PEAK_LIST (es_views_find (fixture->window, ES_TYPE_PEAK_LIST));
  EsBearingScale *scale = es_bearing_scale_of (es_test_sonar_pane (fixture, "azimuth"));
  EsBeamPeak peaks[ES_PEAK_LIST_ROWS] = { 0 };
  int height;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 5);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < ES_PEAK_LIST_ROWS; i++)
    peaks[i] = (EsBeamPeak) { .bearing = 10 * i, .level = 90, .width = 5, .margin = 1 };
  es_peak_list_show (list, ES_PEAK_LIST_ROWS, peaks, scale, NAN);
  height = height_of (GTK_WIDGET (list));
  for (guint n = 0; n <= ES_PEAK_LIST_ROWS; n++)
    {
      es_peak_list_show (list, n, peaks, scale, NAN);
      g_assert_cmpint (height_of (GTK_WIDGET (list)), ==, height);
    }
  peaks[0].at_edge = TRUE;
  es_peak_list_show (list, 2, peaks, scale, NAN);
  g_assert_cmpint (height_of (GTK_WIDGET (list)), ==, height);
  /* What is no longer there is not read on. */
  es_peak_list_show (list, 1, peaks, scale, NAN);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (list), 0, 1))), ==, "0.0°!");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (list), 0, 2))), ==, "");
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  ES_TEST_ADD_SONAR ("/sonar-marks/narrow", NULL, test_narrow);
  ES_TEST_ADD_SONAR ("/sonar-marks/rests", NULL, test_rests);
  ES_TEST_ADD_SONAR ("/sonar-marks/over-numbers", NULL, test_over_numbers);
  g_test_add_func ("/sonar-marks/longest", test_longest);
  ES_TEST_ADD_SONAR ("/sonar-marks/list", NULL, test_list);
  return g_test_run ();
}
