/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * A scene that is larger than a texture, in the real window: small at first, in full where one looks at it, whatever is
 * done meanwhile. With ES_TEST_LARGE=FILE: how long that file takes to its first picture, and the frames of a pan.
 */

#include <math.h>
#include <string.h>
#include <time.h>

#include "es-test-shell.h"
#include "image/es-image-view.h"
#include "pyramid/es-kept-levels.h"
#include "tiles/es-level-keeper.h"
#include "tiles/es-tile-cache.h"
#include "viewer/es-compare-view.h"

#define WIDTH  40000
#define HEIGHT 600
#define BANDS  3
#define STEP   8               /* of the picture of the whole */

/* No two neighbours alike, and nothing that a power of two would repeat. */
static guint8
value_of (guint band, guint64 x, guint64 y)
{
  return (guint8) (x * 7 + y * 13 + band * 29 + (x * y >> 5) + x / 251);
}

static GFile *
make_scene (const char *name)
{
  static const char header[] = "ENVI\nsamples = 40000\nlines = 600\nbands = 3\nheader offset = 0\ndata type = 1\n"
                               "interleave = bsq\nbyte order = 0\n";
  g_autofree char *path = g_build_filename (es_test_folder (), name, NULL);
  g_autofree char *header_path = g_strconcat (path, ".hdr", NULL);
  g_autofree guint8 *samples = g_malloc ((gsize) WIDTH * HEIGHT * BANDS);

  for (guint band = 0; band < BANDS; band++)
    for (guint y = 0; y < HEIGHT; y++)
      for (guint x = 0; x < WIDTH; x++)
        samples[((gsize) band * HEIGHT + y) * WIDTH + x] = value_of (band, x, y);
  g_assert_true (g_file_set_contents (path, (const char *) samples, (gssize) WIDTH * HEIGHT * BANDS, NULL));
  g_assert_true (g_file_set_contents (header_path, header, -1, NULL));
  return g_file_new_for_path (path);
}

static EsImageView *
view_of (EsWindow *window)
{
  return ES_IMAGE_VIEW (es_test_find (GTK_WIDGET (window), ES_TYPE_IMAGE_VIEW, NULL));
}

/* How many pixels a side the samples are means of that the view shows. */
static guint
shown_step (EsWindow *window)
{
  EsImageView *view = view_of (window);
  EsViewport viewport;

  es_image_view_get_viewport (view, &viewport);
  return es_picture_get_shown_step (es_image_view_get_picture (view), gtk_widget_get_width (GTK_WIDGET (view)),
                                    gtk_widget_get_height (GTK_WIDGET (view)), &viewport);
}

/* The second picture of two is in full, too. */
static gboolean
is_right_full (gpointer window)
{
  GtkWidget *compare = es_test_find (GTK_WIDGET (window), ES_TYPE_COMPARE_VIEW, NULL);
  EsImageView *view = es_compare_view_get_view (ES_COMPARE_VIEW (compare), ES_COMPARE_RIGHT);
  EsViewport viewport;

  if (es_picture_is_empty (es_image_view_get_picture (view)))
    return FALSE;
  es_image_view_get_viewport (view, &viewport);
  return es_picture_get_shown_step (es_image_view_get_picture (view), gtk_widget_get_width (GTK_WIDGET (view)),
                                    gtk_widget_get_height (GTK_WIDGET (view)), &viewport) == 1;
}

static gboolean is_full (gpointer window) { return shown_step (window) == 1; }
static gboolean is_half (gpointer window) { return shown_step (window) == 2; }
static gboolean is_whole (gpointer window) { return shown_step (window) == STEP; }
static gboolean is_kept (gpointer unused) { return !es_level_keeper_is_busy (es_level_keeper_get ()); }

static double
mean_of (guint band, guint64 x, guint64 y, guint step)
{
  double sum = 0;

  x -= x % step;
  y -= y % step;
  for (guint row = 0; row < step; row++)
    for (guint column = 0; column < step; column++)
      sum += value_of (band, x + column, y + row);
  return (double) (float) (sum / (step * step));
}

/* What the view shows are means of step x step pixels of the bands. */
static void
assert_shows (EsWindow *window, guint n, const guint *bands, guint step)
{
  EsImageView *view = view_of (window);
  EsPicture *picture = es_image_view_get_picture (view);
  EsViewport viewport;

  es_image_view_get_viewport (view, &viewport);
  g_assert_cmpuint (es_picture_get_n_planes (picture), ==, n);
  for (int j = 3; j < gtk_widget_get_height (GTK_WIDGET (view)); j += 7)
    for (int i = 5; i < gtk_widget_get_width (GTK_WIDGET (view)); i += 11)
      {
        const double x = floor (viewport.left + (i + 0.5) / viewport.zoom);
        const double y = floor (viewport.top + (j + 0.5) / viewport.zoom);

        if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT)
          continue;
        for (guint p = 0; p < n; p++)
          if (es_picture_get_sample (picture, p, x, y) != mean_of (bands[p], (guint64) x, (guint64) y, step))
            g_error ("band %u at %g, %g: %g, which is no mean of %u × %u", bands[p], x, y,
                     es_picture_get_sample (picture, p, x, y), step, step);
      }
}

typedef struct
{
  EsWindow   *window;
  const char *text;
} Status;

static char *
dup_status (EsWindow *window)
{
  char *status = NULL;

  g_object_get (es_test_viewer (window), "status", &status, NULL);
  return status;
}

static gboolean
says (gpointer data)
{
  const Status *status = data;
  g_autofree char *said = dup_status (status->window);

  return said != NULL && strstr (said, status->text) != NULL;
}

static void
test_detail (void)
{
  g_autoptr (GFile) file = make_scene ("large.img");
  EsWindow *window = es_test_window_with (file);
  EsViewer *viewer = es_test_viewer (window);
  EsImageView *view = view_of (window);
  EsPicture *picture = es_image_view_get_picture (view);
  g_autofree char *values = NULL;
  double low, high, low_now, high_now;
  guint rgb[3];

  es_cube_pick_rgb (ES_CUBE (es_viewer_get_dataset (viewer)), rgb);
  g_autofree char *red = es_cube_get_band_label (ES_CUBE (es_viewer_get_dataset (viewer)), rgb[0]);
  g_autofree char *green = es_cube_get_band_label (ES_CUBE (es_viewer_get_dataset (viewer)), rgb[1]);
  g_autofree char *blue = es_cube_get_band_label (ES_CUBE (es_viewer_get_dataset (viewer)), rgb[2]);
  values = g_strdup_printf ("R %s: %u.00  G %s: %u.00  B %s: %u.00 ", red, value_of (rgb[0], 31007, 301), green,
                            value_of (rgb[1], 31007, 301), blue, value_of (rgb[2], 31007, 301));
  g_assert_cmpuint (es_picture_get_step (picture), ==, STEP);
  g_assert_cmpuint (shown_step (window), ==, STEP);
  es_picture_get_stretch (picture, 0, &low, &high);

  /* In full, and the stretch is that of the whole. */
  es_image_view_set_place (view, 1, 31007, 301);
  ES_TEST_WAIT (is_full, window);
  assert_shows (window, 3, rgb, 1);
  es_picture_get_stretch (picture, 0, &low_now, &high_now);
  g_assert_cmpfloat (low, ==, low_now);
  g_assert_cmpfloat (high, ==, high_now);
  es_image_view_set_place (view, 13, 17, 580);
  ES_TEST_WAIT (is_full, window);
  assert_shows (window, 3, rgb, 1);

  /* A level in between, and back to the whole. */
  es_image_view_set_place (view, 0.4, 20000, 300);
  ES_TEST_WAIT (is_half, window);
  assert_shows (window, 3, rgb, 2);
  es_image_view_fit (view);
  ES_TEST_WAIT (is_whole, window);

  /* The pixel itself is read out, wherever the view is. */
  es_viewer_select_pixel (viewer, 31007, 301);
  ES_TEST_WAIT (says, &((Status) { window, values }));
  g_assert_false (says (&(Status) { window, "mean" }));

  /* The newest of many. */
  for (guint i = 0; i < 200; i++)
    {
      es_image_view_set_place (view, i % 3 == 0 ? 0.2 : 1, 500 + 190. * i, 300);
      g_main_context_iteration (NULL, FALSE);
    }
  es_image_view_set_place (view, 1, 39800, 500);
  ES_TEST_WAIT (is_full, window);
  assert_shows (window, 3, rgb, 1);
  g_assert_cmpuint (es_tile_cache_get_size (), <=, 256 * 1024 * 1024);

  /* Another band of it, there. */
  es_viewer_show_plane (viewer, 1);
  ES_TEST_WAIT (es_test_is_idle, window);
  ES_TEST_WAIT (is_full, window);
  assert_shows (window, 1, &rgb[1], 1);
  es_test_close (window);
}

/* Both pictures of two side by side, and what is closed while it is read. */
static void
test_beside (void)
{
  g_autoptr (GFile) file = make_scene ("beside.img");
  EsWindow *window = es_test_window_with (file);
  EsImageView *view = view_of (window);

  es_image_view_set_place (view, 1, 12345, 111);
  g_object_set (es_test_viewer (window), "compare-mode", "side", NULL);
  g_assert_true (es_viewer_show_beside (es_test_viewer (window),
                                        G_OBJECT (es_viewer_get_dataset (es_test_viewer (window))), 1));
  ES_TEST_WAIT (es_test_is_idle, window);
  ES_TEST_WAIT (is_full, window);
  ES_TEST_WAIT (is_right_full, window);
  es_image_view_set_place (view, 2, 33333, 222);
  es_test_close (window);
}

/* Components of it are shown in full like its bands. */
static void
test_components (void)
{
  g_autoptr (GFile) file = make_scene ("components.img");
  EsWindow *window = es_test_window_with (file);
  EsImageView *view = view_of (window);
  EsResult *result = es_test_run_and_wait (window);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  const guint planes[2] = { 0, es_image_stack_get_planes (stack) - 1 };

  for (guint i = 0; i < 2; i++)
    {
      es_viewer_show_plane (es_test_viewer (window), planes[i]);
      es_image_view_set_place (view, 2, 7000 + 9000 * i, 300);
      ES_TEST_WAIT (es_test_is_idle, window);
      ES_TEST_WAIT (is_full, window);
      for (guint x = 6950 + 9000 * i; x < 7050 + 9000 * i; x++)
        {
          float value;

          g_assert_true (es_image_stack_read (stack, planes[i], x, 280 + x % 40, 1, 1, 1, &value, NULL));
          g_assert_cmpfloat (es_picture_get_sample (es_image_view_get_picture (view), 0, x, 280 + x % 40), ==, value);
        }
    }
  es_test_close (window);
}

/* Levels are kept in the background; what is read from there is what the pixels give. */
static void
test_kept (void)
{
  g_autoptr (GFile) file = make_scene ("kept.img");
  EsWindow *window;
  EsPicture *picture;
  EsCube *cube;
  guint rgb[3];

  g_setenv ("ES_LEVELS_AFTER", "0", TRUE);
  window = es_test_window_with (file);
  cube = ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
  es_cube_pick_rgb (cube, rgb);
  ES_TEST_WAIT (is_kept, NULL);
  for (guint band = 0; band < BANDS; band++)
    g_assert_true (es_kept_levels_have (cube, band, 3));
  ES_TEST_WAIT (es_test_is_idle, window);
  picture = es_image_view_get_picture (view_of (window));
  for (guint x = 0; x < WIDTH; x += 501)
    for (guint p = 0; p < 3; p++)
      g_assert_cmpfloat (es_picture_get_sample (picture, p, x, x % HEIGHT), ==,
                         mean_of (rgb[p], x, x % HEIGHT, STEP));
  es_image_view_set_place (view_of (window), 0.2, 20000, 300);
  for (guint i = 0; i < 1000 && shown_step (window) != 4; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  assert_shows (window, 3, rgb, 4);
  es_test_close (window);
  g_setenv ("ES_LEVELS_AFTER", "100000", TRUE);
}

/* ---- measuring ---- */

typedef struct
{
  gint64  began, last;         /* us; began: of processor time of this thread */
  GArray *costs, *gaps;        /* ms */
} Frames;

/* Of this thread: a machine that others use, too, tells it all the same. */
static gint64
processor_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
on_before_paint (GdkFrameClock *clock, Frames *frames)
{
  frames->began = processor_time ();
}

static void
on_after_paint (GdkFrameClock *clock, Frames *frames)
{
  const gint64 now = g_get_monotonic_time ();
  const double cost = (double) (processor_time () - frames->began) / 1000, gap = (double) (now - frames->last) / 1000;

  g_array_append_val (frames->costs, cost);
  if (frames->last != 0)
    g_array_append_val (frames->gaps, gap);
  frames->last = now;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const double one = *(const double *) a, other = *(const double *) b;

  return (one > other) - (one < other);
}

static void
tell (const char *what, GArray *times)
{
  g_array_sort (times, compare);
  if (times->len > 0)
    g_test_message ("%s: %u frames, median %.1f ms, 99 %% %.1f ms, longest %.1f ms", what, times->len,
                    g_array_index (times, double, times->len / 2),
                    g_array_index (times, double, times->len * 99 / 100),
                    g_array_index (times, double, times->len - 1));
  g_array_set_size (times, 0);
}

static void
pan (EsWindow *window, double zoom, const char *what)
{
  EsImageView *view = view_of (window);
  EsPicture *picture = es_image_view_get_picture (view);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (view));
  Frames frames = { 0, 0, g_array_new (FALSE, FALSE, sizeof (double)), g_array_new (FALSE, FALSE, sizeof (double)) };
  gulong before = g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), &frames);
  gulong after = g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), &frames);
  double x = es_picture_get_width (picture) / 3., y = es_picture_get_height (picture) / 3.;
  const gint64 until = g_get_monotonic_time () + 8 * G_USEC_PER_SEC;
  gint64 began;
  guint coarse = 0, n = 0;

  es_image_view_set_place (view, zoom, x, y);
  began = g_get_monotonic_time ();
  while (shown_step (window) >= es_picture_get_step (picture) && g_get_monotonic_time () < began + 10 * G_USEC_PER_SEC)
    g_main_context_iteration (NULL, TRUE);
  g_test_message ("%s: in full after %.0f ms", what, (double) (g_get_monotonic_time () - began) / 1000);
  g_array_set_size (frames.costs, 0);
  g_array_set_size (frames.gaps, 0);
  frames.last = 0;
  while (g_get_monotonic_time () < until)
    {
      const guint done = frames.costs->len;

      /* 720 device pixels a second */
      x += 12 / zoom;
      y += 3 / zoom;
      es_image_view_set_place (view, zoom, x, y);
      coarse += shown_step (window) == es_picture_get_step (picture);
      n++;
      while (frames.costs->len == done)
        g_main_context_iteration (NULL, TRUE);
    }
  tell (what, frames.costs);
  g_test_message ("%s: some of the view coarse in %u of %u frames; from frame to frame:", what, coarse, n);
  tell (what, frames.gaps);
  g_signal_handler_disconnect (clock, before);
  g_signal_handler_disconnect (clock, after);
  g_array_unref (frames.costs);
  g_array_unref (frames.gaps);
}

static void
test_measure (void)
{
  const char *path = g_getenv ("ES_TEST_LARGE");
  gint64 began = g_get_monotonic_time ();
  g_autoptr (GFile) file = NULL;
  EsWindow *window;

  if (path == NULL)
    {
      g_test_skip ("ES_TEST_LARGE names no file");
      return;
    }
  file = g_file_new_for_path (path);
  window = es_test_window_with (NULL);
  g_test_message ("a window: %.0f ms", (double) (g_get_monotonic_time () - began) / 1000);
  began = g_get_monotonic_time ();
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  while (view_of (window) == NULL || es_picture_is_empty (es_image_view_get_picture (view_of (window))))
    g_main_context_iteration (NULL, TRUE);
  g_test_message ("first picture: %.0f ms", (double) (g_get_monotonic_time () - began) / 1000);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_test_message ("the picture of the whole: %.0f ms", (double) (g_get_monotonic_time () - began) / 1000);
  gtk_window_set_default_size (GTK_WINDOW (window), 1280, 800);
  pan (window, 1, "1:1");
  pan (window, 0.3, "1:3.3");
  pan (window, 4, "4:1");
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_setenv ("ES_LEVELS_AFTER", "100000", FALSE);
  g_test_add_func ("/ui/large-scene/detail", test_detail);
  g_test_add_func ("/ui/large-scene/beside", test_beside);
  g_test_add_func ("/ui/large-scene/components", test_components);
  g_test_add_func ("/ui/large-scene/kept", test_kept);
  g_test_add_func ("/ui/large-scene/measure", test_measure);
  return g_test_run ();
}
