/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The instruments that judge a reduction: regions, scatter plot, components, reconstruction. */

#include "es-test-views.h"

#include <math.h>

#include "inspector/es-components-pane.h"
#include "image/es-image-view-private.h"
#include "inspector/es-inspector-private.h"
#include "image/es-region-marks.h"
#include "inspector/es-scatter-canvas.h"
#include "session/es-judgement.h"

#define WIDTH  96
#define HEIGHT 80

static EsInspector *
inspector_of (Fixture *fixture)
{
  return ES_INSPECTOR (fixture->inspector);
}

static void
unfold (Fixture *fixture, const char *id)
{
  es_section_set_expanded (es_views_find_section (fixture->inspector, id), TRUE);
  es_views_settle (fixture);
}

/* ---- regions over a picture ---- */

static guint32
mark_at (const guint32 *pixels, guint width, guint x, guint y)
{
  return pixels[y * width + x];
}

static guint32 *
render_marks (EsRegionMarks *marks, const EsViewport *viewport, int width, int height)
{
  g_autoptr (GdkTexture) texture = es_region_marks_render (marks, viewport, width, height, 1);
  guint32 *pixels;

  if (texture == NULL)
    return NULL;
  pixels = g_new0 (guint32, (gsize) width * height);
  gdk_texture_download (texture, (guchar *) pixels, (gsize) width * 4);
  return pixels;
}

static void
test_marks (void)
{
  EsRegionMarks *marks = es_region_marks_new ();
  g_autoptr (EsRegion) square = es_region_new_rectangle (2, 3, 4, 5);
  g_autoptr (EsRegion) dot = es_region_new_rectangle (3, 4, 1, 1);
  EsRegion *regions[] = { square, dot };
  const GdkRGBA colors[] = { { 1, 0, 0, 1 }, { 0, 0, 1, 1 } };
  GdkRGBA color;

  g_assert_true (es_region_marks_is_empty (marks));
  es_region_marks_set (marks, 2, regions, colors, 10, 12);
  g_assert_false (es_region_marks_is_empty (marks));
  g_assert_true (es_region_marks_pick (marks, 5, 7, &color));
  g_assert_true (gdk_rgba_equal (&color, &colors[0]));
  g_assert_true (es_region_marks_pick (marks, 3, 4, &color));
  g_assert_true (gdk_rgba_equal (&color, &colors[1]));
  g_assert_false (es_region_marks_pick (marks, 6, 7, &color));

  /* 1:1: the border in its full colour, the inside under a veil, nothing outside. */
  {
    g_autofree guint32 *pixels = render_marks (marks, &(EsViewport) { 0, 0, 1 }, 10, 12);

    g_assert_nonnull (pixels);
    for (guint y = 0; y < 12; y++)
      for (guint x = 0; x < 10; x++)
        {
          gboolean in = x >= 2 && x < 6 && y >= 3 && y < 8, edge = x == 2 || x == 5 || y == 3 || y == 7;
          guint32 pixel = mark_at (pixels, 10, x, y);

          if (x == 3 && y == 4)
            g_assert_cmphex (pixel, ==, 0xff0000ff);
          else if (!in)
            g_assert_cmphex (pixel, ==, 0);
          else if (edge)
            g_assert_cmphex (pixel, ==, 0xffff0000);
          else
            g_assert_cmphex (pixel >> 24, ==, 0x66);
        }
  }
  /* Enlarged eight times and moved: a pixel is a square of eight, its outline one device pixel. */
  {
    g_autofree guint32 *pixels = render_marks (marks, &(EsViewport) { 1, 2, 8 }, 48, 48);

    g_assert_cmphex (mark_at (pixels, 48, 7, 28), ==, 0);
    g_assert_cmphex (mark_at (pixels, 48, 8, 28), ==, 0xffff0000);
    g_assert_cmphex (mark_at (pixels, 48, 9, 28), ==, 0x66660000);
    g_assert_cmphex (mark_at (pixels, 48, 39, 28), ==, 0xffff0000);
    g_assert_cmphex (mark_at (pixels, 48, 40, 28), ==, 0);
    g_assert_cmphex (mark_at (pixels, 48, 16, 16), ==, 0xff0000ff);
    g_assert_cmphex (mark_at (pixels, 48, 19, 19) >> 24, >, 0x66);
  }
  /* Out of view there is nothing to draw; decimated, what there is stays. */
  g_assert_null (render_marks (marks, &(EsViewport) { 100, 100, 1 }, 10, 10));
  {
    g_autofree guint32 *pixels = render_marks (marks, &(EsViewport) { 0, 0, 0.5 }, 5, 6);

    g_assert_cmphex (mark_at (pixels, 5, 2, 2), !=, 0);
    g_assert_cmphex (mark_at (pixels, 5, 4, 5), ==, 0);
  }
  es_region_marks_set (marks, 0, NULL, NULL, 10, 12);
  g_assert_true (es_region_marks_is_empty (marks));
  es_region_marks_free (marks);
}

/* ---- drawing by hand ---- */

typedef struct
{
  guint     n;
  EsRegion *region;
} Drawn;

static void
on_drawn (EsImageView *image, EsRegion *region, Drawn *drawn)
{
  drawn->n++;
  g_clear_pointer (&drawn->region, es_region_unref);
  drawn->region = es_region_ref (region);
}

/* The middle of a picture pixel in the widget. */
static void
widget_point (EsImageView *image, double x, double y, double *px, double *py)
{
  EsViewport viewport;

  es_image_view_get_viewport (image, &viewport);
  *px = (x + 0.5 - viewport.left) * viewport.zoom;
  *py = (y + 0.5 - viewport.top) * viewport.zoom;
}

static void
drag_rectangle (EsImageView *image, double x0, double y0, double x1, double y1)
{
  double x, y;

  widget_point (image, x0, y0, &x, &y);
  g_assert_true (_es_image_view_tool_begin (image, x, y));
  widget_point (image, (x0 + x1) / 2, (y0 + y1) / 2, &x, &y);
  _es_image_view_tool_drag (image, x, y);
  widget_point (image, x1, y1, &x, &y);
  _es_image_view_tool_drag (image, x, y);
  _es_image_view_tool_end (image);
}

static void
click (EsImageView *image, double x, double y, guint n_press)
{
  double px, py;

  widget_point (image, x, y, &px, &py);
  _es_image_view_tool_click (image, px, py, n_press);
}

static void
test_tools (Fixture *fixture, gconstpointer data)
{
  EsImageView *image;
  Drawn drawn = { 0 };
  guint64 x, y, width, height;
  double px, py;

  es_views_show_cube (fixture);
  image = es_views_image_of (fixture);
  g_signal_connect (image, "region-drawn", G_CALLBACK (on_drawn), &drawn);
  g_assert_cmpint (es_image_view_get_tool (image), ==, ES_IMAGE_TOOL_PAN);
  g_assert_false (_es_image_view_tool_begin (image, 10, 10));

  /* A rectangle holds the pixels of both corners, whichever is dragged to. */
  es_image_view_set_tool (image, ES_IMAGE_TOOL_RECTANGLE);
  drag_rectangle (image, 30, 20, 11, 9);
  g_assert_cmpuint (drawn.n, ==, 1);
  g_assert_true (es_region_get_bounds (drawn.region, WIDTH, HEIGHT, &x, &y, &width, &height));
  g_assert_cmpuint (x, ==, 11);
  g_assert_cmpuint (y, ==, 9);
  g_assert_cmpuint (width, ==, 20);
  g_assert_cmpuint (height, ==, 12);
  g_assert_cmpuint (es_region_count (drawn.region, WIDTH, HEIGHT), ==, 20 * 12);
  /* Dragged over the edge it ends there. */
  drag_rectangle (image, 90, 70, 400, 300);
  g_assert_cmpuint (es_region_count (drawn.region, WIDTH, HEIGHT), ==, 6 * 10);
  /* Esc while dragging. */
  widget_point (image, 5, 5, &px, &py);
  _es_image_view_tool_begin (image, px, py);
  g_assert_true (_es_image_view_tool_cancel (image));
  _es_image_view_tool_end (image);
  g_assert_cmpuint (drawn.n, ==, 2);

  /* A polygon by clicks, closed by Return, by a double click, by its first corner. */
  es_image_view_set_tool (image, ES_IMAGE_TOOL_POLYGON);
  click (image, 10, 10, 1);
  click (image, 40, 10, 1);
  g_assert_false (_es_image_view_tool_close (image));
  click (image, 40, 40, 1);
  g_assert_true (_es_image_view_tool_close (image));
  g_assert_cmpuint (drawn.n, ==, 3);
  g_assert_cmpuint (es_region_count (drawn.region, WIDTH, HEIGHT), >, 400);
  g_assert_cmpuint (es_region_count (drawn.region, WIDTH, HEIGHT), <, 500);
  click (image, 10, 10, 1);
  click (image, 40, 10, 1);
  click (image, 40, 40, 1);
  click (image, 40, 40, 2);
  g_assert_cmpuint (drawn.n, ==, 4);
  click (image, 10, 10, 1);
  click (image, 40, 10, 1);
  click (image, 40, 40, 1);
  click (image, 10, 10, 1);
  g_assert_cmpuint (drawn.n, ==, 5);
  /* Another tool drops what was begun. */
  click (image, 10, 10, 1);
  es_image_view_set_tool (image, ES_IMAGE_TOOL_PAN);
  g_assert_false (_es_image_view_tool_cancel (image));
  g_clear_pointer (&drawn.region, es_region_unref);
}

/* ---- scatter plot and classes ---- */

static void
test_scatter (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.9999, NULL);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  const float *a = es_image_stack_peek (stack, 0), *b = es_image_stack_peek (stack, 1);
  EsInspector *inspector = inspector_of (fixture);
  EsImageView *image;
  EsScatterView *scatter = inspector->scatter;
  g_autofree guint8 *mask = g_new0 (guint8, WIDTH * HEIGHT);
  double lasso[8], x = 0, y = 0;
  guint expected = 0, plane_x, plane_y;
  EsRegion *selection;

  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  image = es_views_image_of (fixture);
  g_assert_true (es_views_section_visible (fixture, "scatter"));
  g_assert_true (es_views_section_visible (fixture, "classes"));
  /* Folded, nothing has been read. */
  g_assert_null (es_scatter_view_get_detail (scatter));
  unfold (fixture, "scatter");
  es_scatter_view_get_planes (scatter, &plane_x, &plane_y);
  g_assert_cmpuint (plane_x, ==, 0);
  g_assert_cmpuint (plane_y, ==, 1);
  g_assert_nonnull (strstr (es_scatter_view_get_detail (scatter), "7"));
  es_views_screenshot (fixture->window, "scatter");

  /* A box round the mean of the plot: the pixels inside of it, and no others, are lit. */
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    {
      x += isfinite (a[i]) ? fabs (a[i]) / (WIDTH * HEIGHT) : 0;
      y += isfinite (b[i]) ? fabs (b[i]) / (WIDTH * HEIGHT) : 0;
    }
  lasso[0] = lasso[6] = -x;
  lasso[2] = lasso[4] = x;
  lasso[1] = lasso[3] = -y;
  lasso[5] = lasso[7] = y;
  es_scatter_view_lasso (scatter, lasso, 4);
  es_views_settle (fixture);
  selection = es_region_control_get_selection (inspector->control);
  g_assert_nonnull (selection);
  es_region_fill_mask (selection, 0, 0, WIDTH, HEIGHT, mask);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    {
      gboolean inside = fabs (a[i]) < x && fabs (b[i]) < y;

      expected += inside;
      g_assert_cmpint (mask[i] != 0, ==, inside);
    }
  g_assert_cmpuint (es_region_control_get_count (inspector->control), ==, expected);
  g_assert_false (es_region_marks_is_empty (image->marks));
  g_assert_true (es_section_get_expanded (es_views_find_section (fixture->inspector, "classes")));
  es_views_screenshot (fixture->window, "scatter-lasso");

  /* The other way round, and kept as a class with a name. */
  es_image_view_set_tool (image, ES_IMAGE_TOOL_RECTANGLE);
  drag_rectangle (image, 10, 10, 29, 24);
  es_views_settle (fixture);
  g_assert_cmpuint (es_region_control_get_count (inspector->control), ==, 300);
  g_assert_false (es_scatter_canvas_has_lasso (ES_SCATTER_CANVAS (es_views_find (GTK_WIDGET (scatter),
                                                                                  ES_TYPE_SCATTER_CANVAS))));
  gtk_editable_set_text (GTK_EDITABLE (es_views_find (GTK_WIDGET (inspector->classes), GTK_TYPE_ENTRY)), "Meadow");
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (inspector->classes), "region.keep", NULL));
  es_views_settle (fixture);
  g_assert_null (es_region_control_get_selection (inspector->control));
  {
    EsRegionSet *classes = es_region_control_get_classes (inspector->control);
    g_autoptr (EsNamedRegion) meadow = g_list_model_get_item (G_LIST_MODEL (classes), 0);
    gboolean ready = FALSE;
    guint series;

    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (classes)), ==, 1);
    g_assert_cmpstr (es_named_region_get_name (meadow), ==, "Meadow");
    g_assert_cmpuint (es_named_region_get_count (meadow), ==, 300);
    for (g_object_get (meadow, "ready", &ready, NULL); !ready; g_object_get (meadow, "ready", &ready, NULL))
      g_main_context_iteration (NULL, TRUE);
    es_views_settle (fixture);
    series = es_plot_get_n_series (es_spectrum_pane_get_plot (inspector->spectrum));
    g_assert_cmpuint (series, ==, 1);
    es_views_screenshot (fixture->window, "classes");

    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (inspector->classes), "region.class-select", "u", 0u));
    g_assert_true (es_region_control_get_selection (inspector->control) == es_named_region_get_region (meadow));
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (inspector->classes), "region.clear", NULL));
    g_assert_null (es_region_control_get_selection (inspector->control));
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (inspector->classes), "region.class-remove", "u", 0u));
    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (classes)), ==, 0);
    g_assert_cmpuint (es_plot_get_n_series (es_spectrum_pane_get_plot (inspector->spectrum)), ==, 0);
    g_assert_true (es_region_marks_is_empty (image->marks));
  }

  /* In a window of its own, and back. */
  g_signal_emit_by_name (inspector->sections[SECTION_SCATTER], "place", "window");
  g_assert_true (GTK_IS_WINDOW (gtk_widget_get_root (GTK_WIDGET (scatter))));
  g_assert_true (gtk_widget_get_root (GTK_WIDGET (scatter)) != GTK_ROOT (fixture->window));
  gtk_window_close (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (scatter))));
  g_assert_true (gtk_widget_get_root (GTK_WIDGET (scatter)) == GTK_ROOT (fixture->window));
}

static void
test_scatter_of_bands (Fixture *fixture, gconstpointer data)
{
  EsInspector *inspector = inspector_of (fixture);
  guint x, y;

  es_views_show_cube (fixture);
  unfold (fixture, "scatter");
  es_scatter_view_get_planes (inspector->scatter, &x, &y);
  g_assert_cmpuint (x, !=, y);
  g_assert_nonnull (es_scatter_view_get_detail (inspector->scatter));
  es_views_screenshot (fixture->window, "scatter-bands");
  es_scatter_view_set_planes (inspector->scatter, 1000, 0);
  {
    guint same_x, same_y;

    es_scatter_view_get_planes (inspector->scatter, &same_x, &same_y);
    g_assert_cmpuint (same_x, ==, x);
    g_assert_cmpuint (same_y, ==, y);
  }
}

/* ---- components ---- */

typedef struct
{
  guint     n;
  EsResult *result;
  char     *components;
} Asked;

static void
on_reconstruct (EsInspector *inspector, EsResult *result, const char *components, Asked *asked)
{
  asked->n++;
  asked->result = result;
  g_free (asked->components);
  asked->components = g_strdup (components);
}

static void
test_components (Fixture *fixture, gconstpointer data)
{
  g_autoptr (EsResult) result = es_test_cube_pca (fixture->test, 0.99999, NULL);
  g_autoptr (EsResult) other = es_test_cube_pca (fixture->test, 0.9, NULL);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  EsInspector *inspector = inspector_of (fixture);
  EsComponentsPane *pane = inspector->components;
  guint n = es_image_stack_get_planes (stack);
  Asked asked = { 0 };

  g_assert_cmpuint (n, >=, 3);
  g_signal_connect (inspector, "reconstruct", G_CALLBACK (on_reconstruct), &asked);
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  es_views_settle (fixture);
  g_assert_true (es_views_section_visible (fixture, "components"));
  g_assert_true (es_views_section_visible (fixture, "reconstruction"));
  g_assert_false (es_views_section_visible (fixture, "convergence"));
  g_assert_cmpuint (es_components_pane_get_n (pane), ==, n);
  {
    g_autofree char *text = es_components_pane_to_text (pane);
    g_auto (GStrv) lines = g_strsplit (g_strchomp (text), "\n", -1);

    g_assert_cmpuint (g_strv_length (lines), ==, n + 1);
    g_assert_true (g_str_has_prefix (lines[1], "PC 1\t"));
    /* Every number of every plane has come. */
    g_assert_null (strstr (text, "…"));
  }
  {
    GtkWidget *box = es_views_find (GTK_WIDGET (pane), GTK_TYPE_CHECK_BUTTON);
    GtkWidget *check = gtk_widget_get_first_child (box), *cell = gtk_widget_get_parent (box);
    graphene_rect_t bounds;

    /* All of the switch is in its column. */
    g_assert_true (gtk_widget_compute_bounds (check, cell, &bounds));
    g_assert_cmpfloat (bounds.size.width, >, 8);
    g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (cell));
  }
  es_views_screenshot (fixture->window, "components");

  es_components_pane_set_kept (pane, 1, FALSE);
  g_assert_cmpuint (asked.n, ==, 1);
  g_assert_true (asked.result == result);
  {
    g_autofree char *expected = n == 3 ? g_strdup ("1, 3") : g_strdup_printf ("1, 3-%u", n);

    g_assert_cmpstr (asked.components, ==, expected);
  }
  es_components_pane_set_kept (pane, 1, FALSE);
  g_assert_cmpuint (asked.n, ==, 1);
  /* One stays. */
  for (guint i = 0; i < n; i++)
    es_components_pane_set_kept (pane, i, FALSE);
  g_assert_true (es_components_pane_get_kept (pane, n - 1));

  /* Remembered with the result, and with what takes its place. */
  es_viewer_show_result (fixture->viewer, other, NULL, NULL);
  g_assert_true (es_components_pane_get_kept (pane, 0));
  es_viewer_show_result (fixture->viewer, result, NULL, NULL);
  g_assert_false (es_components_pane_get_kept (pane, 0));
  g_signal_emit_by_name (gtk_widget_get_last_child (GTK_WIDGET (pane)), "clicked");
  g_assert_cmpstr (asked.components, ==, "");
  es_components_pane_set_kept (pane, 2, FALSE);
  {
    g_autoptr (EsResult) again = es_test_cube_pca (fixture->test, 0.99999, result);

    es_judgement_inherit (es_judgement_of (again), result);
    es_viewer_show_result (fixture->viewer, again, NULL, result);
    g_assert_false (es_components_pane_get_kept (pane, 2));
    g_assert_true (es_components_pane_get_kept (pane, 1));
  }
  es_views_settle (fixture);
  g_free (asked.components);
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);

  g_test_add_func ("/quality/marks", test_marks);
  ADD ("/quality/tools", test_tools);
  ADD ("/quality/scatter", test_scatter);
  ADD ("/quality/scatter-of-bands", test_scatter_of_bands);
  ADD ("/quality/components", test_components);
  return g_test_run ();
}
