/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The cube in three dimensions: where its sides lie on the screen, what is painted on them, and what is cut away. */

#include <math.h>

#include "es-test-shell.h"
#include "faces/es-faces-window.h"
#include "viewer/es-viewer-private.h"
#include "widgets/es-capture.h"
#include "widgets/es-export.h"

/* ---- the box ---- */

static void
test_box (void)
{
  const EsFacesBox box = { { -3, -2, -1 }, { 3, 2, 1 } };
  const EsFacesLook above = { 0, 90, 10, 100, 100 }, front = { 0, 0, 10, 100, 100 }, corner = { 30, 35, 10, 100, 100 };
  graphene_point_t points[3], moved;
  EsPoint3 corners[3];

  /* From above it is the picture, from the front the bands hang down. */
  for (EsFace face = 0; face < ES_N_FACES; face++)
    {
      g_assert_cmpint (es_faces_is_visible (&above, face), ==, face == ES_FACE_TOP);
      g_assert_cmpint (es_faces_is_visible (&front, face), ==, face == ES_FACE_FRONT);
      g_assert_cmpint (es_faces_is_visible (&corner, face), ==,
                       face == ES_FACE_TOP || face == ES_FACE_FRONT || face == ES_FACE_RIGHT);
    }
  es_faces_corners (&box, ES_FACE_TOP, corners);
  for (guint i = 0; i < 3; i++)
    points[i] = es_faces_project (&above, corners[i]);
  g_assert_cmpfloat_with_epsilon (points[0].x, 70, 1e-3);
  g_assert_cmpfloat_with_epsilon (points[0].y, 80, 1e-3);
  g_assert_cmpfloat_with_epsilon (points[1].x, 130, 1e-3);
  g_assert_cmpfloat_with_epsilon (points[2].y, 120, 1e-3);
  g_assert_cmpfloat_with_epsilon (es_faces_project (&front, (EsPoint3) { 0, 0, 1 }).y, 110, 1e-3);

  /* Corners of textures come to where corners of sides are. */
  for (EsFace face = 0; face < ES_N_FACES; face++)
    {
      g_autoptr (GskTransform) transform = NULL;
      const graphene_point_t from[3] = { { 0, 0 }, { 40, 0 }, { 0, 25 } };

      es_faces_corners (&box, face, corners);
      for (guint i = 0; i < 3; i++)
        points[i] = es_faces_project (&corner, corners[i]);
      transform = es_faces_transform (points, 40, 25);
      g_assert_nonnull (transform);
      g_assert_cmpint (gsk_transform_get_category (transform), >=, GSK_TRANSFORM_CATEGORY_2D);
      for (guint i = 0; i < 3; i++)
        {
          gsk_transform_transform_point (transform, &from[i], &moved);
          g_assert_cmpfloat_with_epsilon (moved.x, points[i].x, 0.01);
          g_assert_cmpfloat_with_epsilon (moved.y, points[i].y, 0.01);
        }
    }
  points[1] = points[0];
  g_assert_null (es_faces_transform (points, 40, 25));

  /* What is pointed at, and how far it goes. */
  g_assert_cmpint (es_faces_pick (&above, &box, 75, 85), ==, ES_FACE_TOP);
  g_assert_cmpint (es_faces_pick (&above, &box, 65, 85), ==, ES_N_FACES);
  g_assert_cmpint (es_faces_pick (&front, &box, 100, 105), ==, ES_FACE_FRONT);
  g_assert_cmpfloat_with_epsilon (es_faces_push (&front, ES_FACE_RIGHT, 30, 0), 3, 1e-6);
  g_assert_cmpfloat_with_epsilon (es_faces_push (&front, ES_FACE_LEFT, 30, 7), 3, 1e-6);
  g_assert_cmpfloat_with_epsilon (es_faces_push (&front, ES_FACE_BOTTOM, 30, 20), 2, 1e-6);
  const EsFacesLook small = { 0, 0, 0.01, 100, 100 };
  g_assert_cmpfloat_with_epsilon (es_faces_push (&small, ES_FACE_RIGHT, 3, 0), 300, 1e-3);
  g_assert_cmpfloat (es_faces_push (&small, ES_FACE_FRONT, 3, 9), ==, 0);
}

/* ---- the window ---- */

static gboolean
has_picture (gpointer window)
{
  EsViewer *viewer = es_test_viewer (window);

  return !es_picture_is_empty (viewer->left.picture) && es_test_is_idle (window);
}

static gboolean
is_painted (gpointer view)
{
  return !es_faces_view_is_busy (view) && es_faces_view_get_texture (view, ES_FACE_TOP) != NULL
         && !g_main_context_pending (NULL);
}

static gboolean
is_quiet (gpointer view)
{
  return !es_faces_view_is_busy (view) && !g_main_context_pending (NULL);
}

static EsFacesView *
open_faces (EsWindow **window)
{
  g_autoptr (GFile) file = es_test_cube ("faces.img", 5);
  EsFacesWindow *faces;

  *window = es_test_window_with (file);
  ES_TEST_WAIT (has_picture, *window);
  es_test_activate (*window, "cube-faces");
  faces = ES_FACES_WINDOW (es_test_find_toplevel (ES_TYPE_FACES_WINDOW));
  g_assert_nonnull (faces);
  ES_TEST_WAIT (is_painted, es_faces_window_get_view (faces));
  return es_faces_window_get_view (faces);
}

/* The colour of a place of a side, of columns x rows. */
static guint32
color_at (GdkTexture *texture, guint columns, guint rows, guint x, guint y)
{
  const guint width = (guint) gdk_texture_get_width (texture), height = (guint) gdk_texture_get_height (texture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);

  g_assert_cmpuint (width % columns, ==, 0);
  g_assert_cmpuint (height % rows, ==, 0);
  gdk_texture_download (texture, (guchar *) pixels, (gsize) width * 4);
  return pixels[(gsize) (y * (height / rows)) * width + x * (width / columns)];
}

static guint32
map_color (EsColormap map, double value, double low, double high)
{
  const double shade = CLAMP ((value - low) / (high - low) * 255 + 0.5, 0, 255);
  const guint8 *entry = es_colormap_entries (map) + 4 * (guint) shade;

  return 0xff000000u | (guint32) entry[0] << 16 | (guint32) entry[1] << 8 | entry[2];
}

static guint
distance (guint32 a, guint32 b)
{
  guint most = 0;

  for (guint shift = 0; shift < 24; shift += 8)
    most = MAX (most, (guint) ABS ((int) (a >> shift & 255) - (int) (b >> shift & 255)));
  return most;
}

/* What is on the front and on the right is what the cube has there, in colours from 2 to 98 % of a band on both. */
static void
check_sides (EsFacesView *view, EsCube *cube, EsColormap map)
{
  const EsFacesCut cut = es_faces_view_get_cut (view);
  const EsBandOrder *order = es_faces_view_get_order (view);
  const guint columns = (guint) (cut.x[1] - cut.x[0]), rows = (guint) (cut.y[1] - cut.y[0]);
  g_autofree float *values = g_new (float, columns + rows);
  g_autofree EsPlaneStatistics *statistics = g_new (EsPlaneStatistics, 1);

  for (guint i = cut.band[0]; i < cut.band[1]; i += 5)
    {
      const guint band = order->bands[i], n = cut.band[1] - cut.band[0];

      g_assert_true (es_cube_read_band (cube, band, cut.x[1] - 1, cut.y[0], 1, rows, 1, values, NULL, NULL));
      g_assert_true (es_cube_read_band (cube, band, cut.x[0], cut.y[1] - 1, columns, 1, 1, values + rows, NULL, NULL));
      es_plane_statistics_compute (statistics, values, columns + rows);
      const double low = es_plane_statistics_quantile (statistics, 0.02);
      const double high = es_plane_statistics_quantile (statistics, 0.98);
      for (guint k = 0; k < columns + rows; k += 3)
        {
          const gboolean right = k < rows;
          GdkTexture *texture = es_faces_view_get_texture (view, right ? ES_FACE_RIGHT : ES_FACE_FRONT);

          if (!isnan (values[k]))
            g_assert_cmpuint (distance (color_at (texture, right ? rows : columns, n, right ? k : k - rows,
                                                  i - cut.band[0]), map_color (map, values[k], low, high)), <=, 2);
        }
    }
}

static void
test_sides (void)
{
  EsWindow *window;
  EsFacesView *view = open_faces (&window);
  EsCube *cube = ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
  const EsBandOrder *order = es_faces_view_get_order (view);
  EsFacesCut cut = es_faces_view_get_cut (view);

  g_assert_true (es_faces_view_get_cube (view) == cube);
  g_assert_cmpuint (order->n, ==, es_cube_get_n_good_bands (cube));
  g_assert_cmpuint (cut.x[1], ==, es_cube_get_width (cube));
  check_sides (view, cube, ES_COLORMAP_VIRIDIS);
  g_assert_null (es_faces_view_get_texture (view, ES_FACE_LEFT));

  /* On top is the picture as it is shown. */
  EsPicture *picture = es_test_viewer (window)->left.picture;
  guint32 color = color_at (es_faces_view_get_texture (view, ES_FACE_TOP), (guint) cut.x[1], (guint) cut.y[1], 12, 9);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (color >> (16 - 8 * i) & 255, ==,
                      es_picture_get_shade (picture, i, es_picture_get_sample (picture, i, 12.5, 9.5)));

  /* And once it is another one, that. */
  es_viewer_show_plane (es_test_viewer (window), 4);
  ES_TEST_WAIT (has_picture, window);
  ES_TEST_WAIT (is_quiet, view);
  color = color_at (es_faces_view_get_texture (view, ES_FACE_TOP), (guint) cut.x[1], (guint) cut.y[1], 12, 9);
  const guint8 *gray = es_colormap_entries (ES_COLORMAP_GRAY)
                       + 4 * es_picture_get_shade (picture, 0, es_picture_get_sample (picture, 0, 12.5, 9.5));
  g_assert_cmpuint (color & 255, ==, gray[0]);
  g_assert_cmpuint (color >> 16 & 255, ==, gray[0]);

  /* Cut away: the sides are of what lies within, and a band is on top. */
  cut = (EsFacesCut) { { 4, 30 }, { 2, 21 }, { 3, order->n - 2 } };
  es_faces_view_set_cut (view, &cut);
  es_faces_view_set_colormap (view, ES_COLORMAP_MAGMA);
  ES_TEST_WAIT (is_quiet, view);
  check_sides (view, cube, ES_COLORMAP_MAGMA);
  g_autofree float *plane = g_new (float, es_cube_get_width (cube) * es_cube_get_height (cube));
  g_autofree EsPlaneStatistics *statistics = g_new (EsPlaneStatistics, 1);
  g_assert_true (es_cube_read_band (cube, order->bands[3], 0, 0, es_cube_get_width (cube), es_cube_get_height (cube), 1,
                                    plane, NULL, NULL));
  es_plane_statistics_compute (statistics, plane, es_cube_get_width (cube) * es_cube_get_height (cube));
  color = color_at (es_faces_view_get_texture (view, ES_FACE_TOP), 26, 19, 5, 6);
  g_assert_cmpuint (distance (color, map_color (ES_COLORMAP_MAGMA, plane[8 * es_cube_get_width (cube) + 9],
                                                es_plane_statistics_quantile (statistics, 0.02),
                                                es_plane_statistics_quantile (statistics, 0.98))), <=, 6);

  /* Nothing is cut to nothing, and ends stay in the cube. */
  cut.x[0] = 35;
  es_faces_view_set_cut (view, &cut);
  g_assert_cmpuint (es_faces_view_get_cut (view).x[0], ==, 29);
  cut.y[1] = 10000;
  es_faces_view_set_cut (view, &cut);
  g_assert_cmpuint (es_faces_view_get_cut (view).y[1], ==, es_cube_get_height (cube));
  es_faces_view_show_all (view);

  /* From the other side, and from below. */
  es_faces_view_set_look (view, 200, -30, 2);
  ES_TEST_WAIT (is_quiet, view);
  g_assert_nonnull (es_faces_view_get_texture (view, ES_FACE_LEFT));
  g_assert_nonnull (es_faces_view_get_texture (view, ES_FACE_BACK));
  g_assert_nonnull (es_faces_view_get_texture (view, ES_FACE_BOTTOM));
  double turn, above, zoom;
  es_faces_view_turn_back (view);
  es_faces_view_get_look (view, &turn, &above, &zoom);
  g_assert_cmpfloat (zoom, ==, 1);

  /* With gaps it has all bands. */
  es_faces_view_set_gaps (view, TRUE);
  ES_TEST_WAIT (is_painted, view);
  g_assert_cmpuint (es_faces_view_get_order (view)->n, ==, es_cube_get_bands (cube));
  es_test_close (window);
  g_assert_null (es_test_find_toplevel (ES_TYPE_FACES_WINDOW));
}

static gboolean
is_there (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Saved as it is seen; of another data set, or none, it shows that. */
static void
test_window (void)
{
  EsWindow *window;
  EsFacesView *view = open_faces (&window);
  g_autofree char *path = g_build_filename (es_test_folder (), "faces.png", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path), other = es_test_cube ("other.img", 9);
  g_autoptr (GError) error = NULL;

  g_autoptr (GdkTexture) texture = es_capture_render (GTK_WIDGET (view), 1);
  g_assert_nonnull (texture);
  es_export_save_texture_async (texture, target, NULL, NULL, NULL);
  ES_TEST_WAIT (is_there, path);
  g_autoptr (GdkTexture) again = gdk_texture_new_from_file (target, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (again), ==, gtk_widget_get_width (GTK_WIDGET (view)));

  /* In its middle the cube is, whose colours are not the canvas. */
  const guint width = (guint) gdk_texture_get_width (again), height = (guint) gdk_texture_get_height (again);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);
  guint n = 0;
  gdk_texture_download (again, (guchar *) pixels, (gsize) width * 4);
  for (gsize i = 0; i < (gsize) width * height; i++)
    n += (pixels[i] & 0xffffff) != 0x2e2e2e;
  g_assert_cmpuint (n, >, width * height / 8);

  es_window_open (window, &other, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (has_picture, window);
  ES_TEST_WAIT (is_painted, view);
  g_assert_true (es_faces_view_get_cube (view) == ES_CUBE (es_viewer_get_dataset (es_test_viewer (window))));
  gtk_window_close (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (view))));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_null (es_test_find_toplevel (ES_TYPE_FACES_WINDOW));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/faces/box", test_box);
  g_test_add_func ("/faces/sides", test_sides);
  g_test_add_func ("/faces/window", test_window);
  return g_test_run ();
}
