/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the views lean on and needs no display: formats, newest-wins work, planes, what is shown. */

#include <gio/gio.h>
#include <math.h>

#include "charts/es-curve-plot.h"
#include "image/es-display.h"
#include "layer/es-layer-internal.h"
#include "widgets/es-format.h"
#include "image/es-image-overlay.h"
#include "widgets/es-latest.h"
#include "image/es-plane-loader.h"
#include "es-test-cube.h"

/* ---- formats ---- */

static void
assert_number (double value, double range, const char *expected)
{
  g_autofree char *text = es_format_number (value, range);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_numbers (void)
{
  assert_number (0.12345, 1, "0.123");
  assert_number (1234.5, 10000, "1234");
  assert_number (-0.00001, 1, "0.000");
  assert_number (-2.5, 10, "−2.50");
  assert_number (0, 0, "0");
  assert_number (123.456, 0, "123.46");
  assert_number (3.2e12, 1e13, "3.200e+12");
  assert_number (INFINITY, 1, "∞");
  assert_number (-INFINITY, 1, "−∞");
  assert_number (NAN, 1, "no data");
}

static void
test_zoom (void)
{
  static const struct { double zoom; const char *text; } cases[] = {
    { 1, "1:1" }, { 2, "2:1" }, { 64, "64:1" }, { 1.5, "1.5:1" }, { 0.25, "1:4" }, { 1 / 64., "1:64" },
    { 0.4, "1:2.5" }, { 12.34, "12:1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = es_format_zoom (cases[i].zoom);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
assert_share (double share, guint decimals, const char *expected)
{
  g_autofree char *text = es_share_format (share, decimals);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_share (void)
{
  g_autofree char *large = es_format_share (0.6414), *small = es_format_share (0.0004),
  *none = es_format_share (0);

  g_assert_cmpstr (large, ==, "64.1 %");
  g_assert_cmpstr (small, ==, "< 0.1 %");
  g_assert_cmpstr (none, ==, "0.0 %");
  g_assert_null (es_format_share (NAN));
  assert_share (0.99849, 2, "99.85 %");
  assert_share (0.99849, 0, "99 %");
  assert_share (0.999999, 1, "99.9 %");
  assert_share (1, 1, "100.0 %");
  assert_share (0.996, 0, "99 %");
  assert_share (1e-9, 2, "< 0.01 %");
  assert_share (0, 0, "0 %");
}

static void
test_geographic (void)
{
  g_autofree char *north_east = es_format_geographic (52.39049, 13.06451);
  g_autofree char *south_west = es_format_geographic (-33.5, -70.25);

  g_assert_cmpstr (north_east, ==, "52.3905° N 13.0645° E");
  g_assert_cmpstr (south_west, ==, "33.5000° S 70.2500° W");
}

static void
test_parse (void)
{
  double value;

  g_assert_true (es_format_parse ("640", &value));
  g_assert_cmpfloat (value, ==, 640);
  g_assert_true (es_format_parse (" 640,5 nm", &value));
  g_assert_cmpfloat (value, ==, 640.5);
  g_assert_true (es_format_parse ("−2.5", &value));
  g_assert_cmpfloat (value, ==, -2.5);
  g_assert_false (es_format_parse ("red", &value));
  g_assert_false (es_format_parse ("", &value));
  g_assert_false (es_format_parse ("1e999", &value));
}

static void
test_round_length (void)
{
  static const struct { double most, metres; const char *text; } cases[] = {
    { 130, 100, "100 m" }, { 499, 200, "200 m" }, { 500.5, 500, "500 m" }, { 3900, 2000, "2 km" },
    { 0.3, 0.2, "20 cm" }, { 1.2, 1, "1 m" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double metres;
      g_autofree char *text = es_image_overlay_round_length (cases[i].most, &metres);

      g_assert_cmpfloat_with_epsilon (metres, cases[i].metres, 1e-9);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

/* ---- newest wins ---- */

typedef struct
{
  GMutex    mutex;
  GCond     cond;
  gboolean  open;                /* the worker may go on */
  GArray   *worked;              /* on the worker */
  GArray   *answered;            /* in the main context */
} Latest;

static Latest latest_state;

static gpointer
work (gpointer request, GCancellable *cancellable, GError **error)
{
  int number = GPOINTER_TO_INT (request);

  g_mutex_lock (&latest_state.mutex);
  while (!latest_state.open)
    g_cond_wait (&latest_state.cond, &latest_state.mutex);
  g_array_append_val (latest_state.worked, number);
  g_mutex_unlock (&latest_state.mutex);
  if (number < 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "no");
      return NULL;
    }
  return request;
}

static void
answered (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  int number = GPOINTER_TO_INT (request);

  g_assert_true (answer == (error != NULL ? NULL : request));
  g_array_append_val (latest_state.answered, number);
}

static void
latest_begin (void)
{
  latest_state.worked = g_array_new (FALSE, FALSE, sizeof (int));
  latest_state.answered = g_array_new (FALSE, FALSE, sizeof (int));
  latest_state.open = FALSE;
}

static void
latest_open (void)
{
  g_mutex_lock (&latest_state.mutex);
  latest_state.open = TRUE;
  g_cond_broadcast (&latest_state.cond);
  g_mutex_unlock (&latest_state.mutex);
}

static void
latest_end (void)
{
  g_array_unref (latest_state.worked);
  g_array_unref (latest_state.answered);
}

static void
test_latest (void)
{
  g_autoptr (EsLatest) latest = es_latest_new (work, NULL, NULL, answered, NULL);

  latest_begin ();
  for (int i = 1; i <= 5; i++)
    es_latest_submit (latest, GINT_TO_POINTER (i));
  g_assert_true (es_latest_is_busy (latest));
  latest_open ();
  while (es_latest_is_busy (latest))
    g_main_context_iteration (NULL, TRUE);

  /* The first was under way, the last one waited; those between were never looked at. */
  g_assert_cmpuint (latest_state.worked->len, ==, 2);
  g_assert_cmpint (g_array_index (latest_state.worked, int, 0), ==, 1);
  g_assert_cmpint (g_array_index (latest_state.worked, int, 1), ==, 5);
  g_assert_cmpuint (latest_state.answered->len, ==, 2);
  g_assert_cmpint (g_array_index (latest_state.answered, int, 1), ==, 5);

  es_latest_submit (latest, GINT_TO_POINTER (-1));
  while (es_latest_is_busy (latest))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (latest_state.answered->len, ==, 3);
  latest_end ();
}

static void
test_latest_cancel (void)
{
  g_autoptr (EsLatest) latest = es_latest_new (work, NULL, NULL, answered, NULL);

  latest_begin ();
  es_latest_submit (latest, GINT_TO_POINTER (1));
  es_latest_submit (latest, GINT_TO_POINTER (2));
  es_latest_cancel (latest);
  g_assert_false (es_latest_is_busy (latest));
  es_latest_submit (latest, GINT_TO_POINTER (3));
  latest_open ();
  while (es_latest_is_busy (latest))
    g_main_context_iteration (NULL, TRUE);
  /* The cancelled one may have been worked on, but nobody hears of it. */
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_assert_cmpuint (latest_state.answered->len, ==, 1);
  g_assert_cmpint (g_array_index (latest_state.answered, int, 0), ==, 3);

  /* Until the cancelled worker has gone too. */
  for (;;)
    {
      guint worked;

      g_mutex_lock (&latest_state.mutex);
      worked = latest_state.worked->len;
      g_mutex_unlock (&latest_state.mutex);
      if (worked == 2)
        break;
      g_usleep (1000);
    }
  latest_end ();
}

/* ---- planes ---- */

static void
test_plane_source (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_cube (test->cube);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) whole = NULL, thinned = NULL;
  const float *every, *some;

  g_assert_cmpuint (es_plane_source_get_width (source), ==, 96);
  g_assert_cmpuint (es_plane_source_get_height (source), ==, 80);
  g_assert_cmpuint (es_plane_source_get_n_planes (source), ==, 60);
  g_assert_cmpuint (es_plane_source_get_step (source), ==, 1);
  g_assert_cmpuint (es_plane_source_get_step_for (source, 96), ==, 1);
  g_assert_cmpuint (es_plane_source_get_step_for (source, 95), ==, 2);
  g_assert_null (es_plane_source_peek (source, 0, 1));

  whole = es_plane_source_read (source, 20, 1, NULL, &error);
  g_assert_no_error (error);
  thinned = es_plane_source_read (source, 20, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (whole), ==, 96 * 80 * sizeof (float));
  g_assert_cmpuint (g_bytes_get_size (thinned), ==, 32 * 27 * sizeof (float));
  every = g_bytes_get_data (whole, NULL);
  some = g_bytes_get_data (thinned, NULL);
  for (guint y = 0; y < 27; y++)
    for (guint x = 0; x < 32; x++)
      {
        double sum = 0;
        guint n = 0;

        /* Means of what is valid. */
        for (guint j = 3 * y; j < MIN (3 * y + 3, 80); j++)
          for (guint i = 3 * x; i < 3 * x + 3; i++)
            if (!isnan (every[j * 96 + i]))
              {
                sum += every[j * 96 + i];
                n++;
              }
        g_assert_true (n > 0 ? fabs (some[y * 32 + x] - sum / n) <= 1e-5 * fabs (sum / n) : isnan (some[y * 32 + x]));
      }
}

static void
test_plane_source_stack (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  g_autoptr (EsResult) result = es_test_cube_pca (test, 0.99, NULL);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_stack (stack);
  g_autoptr (GBytes) plane = es_plane_source_peek (source, 0, 1);
  g_autofree char *title = es_plane_source_get_plane_title (source, 0);

  g_assert_cmpuint (es_plane_source_get_n_planes (source), ==, es_image_stack_get_planes (stack));
  g_assert_true (es_plane_source_get_signed (source));
  g_assert_cmpstr (title, ==, "PC 1");
  g_assert_cmpfloat (es_plane_source_get_plane_share (source, 0), >, 0);
  /* Uncopied. */
  g_assert_true (g_bytes_get_data (plane, NULL) == es_image_stack_peek (stack, 0));
}

typedef struct
{
  guint  n;
  guint  planes[3];
  guint  n_planes;
  float  first;
} Loaded;

static void
on_loaded (EsPlaneLoader *loader, const EsPlaneSet *set, Loaded *loaded)
{
  loaded->n++;
  loaded->n_planes = set->n_planes;
  for (guint i = 0; i < set->n_planes; i++)
    {
      g_assert_nonnull (set->ready[i]);
      loaded->planes[i] = set->planes[i];
    }
  loaded->first = es_plane_get_sample (set->ready[0], 17, 41);
}

static void
test_plane_loader (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_cube (test->cube);
  g_autoptr (EsPlaneLoader) loader = es_plane_loader_new ();
  const guint rgb[3] = { 30, 20, 30 }, single[1] = { 30 };
  Loaded loaded = { 0 };
  float expected;

  g_signal_connect (loader, "loaded", G_CALLBACK (on_loaded), &loaded);
  es_plane_loader_load (loader, source, 3, rgb);
  g_assert_true (es_plane_loader_is_busy (loader));
  g_assert_cmpuint (loaded.n, ==, 0);
  while (es_plane_loader_is_busy (loader))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (loaded.n, ==, 1);
  g_assert_cmpuint (loaded.n_planes, ==, 3);
  g_assert_cmpuint (loaded.planes[1], ==, 20);
  g_assert_true (es_cube_read_band (test->cube, 30, 17, 41, 1, 1, 1, &expected, NULL, NULL));
  g_assert_true (loaded.first == expected || (isnan (expected) && isnan (loaded.first)));

  /* What has been seen is there at once. */
  es_plane_loader_load (loader, source, 1, single);
  g_assert_false (es_plane_loader_is_busy (loader));
  g_assert_cmpuint (loaded.n, ==, 2);
  g_assert_cmpuint (loaded.n_planes, ==, 1);
}

/* ---- what is shown ---- */

static void
count (EsDisplay *display, guint *n)
{
  (*n)++;
}

/* Fewer components for a moment, as while a threshold is dragged, do not change which three are wanted. */
static void
test_fewer_planes (void)
{
  g_autoptr (EsDisplay) display = es_display_new ();
  guint planes[3];
  GObject *before = NULL;

  for (guint round = 0; round < 3; round++)
    {
      const guint n = round == 1 ? 2 : 5;
      g_autoptr (EsImageStack) stack = es_image_stack_new ("stack", "Stack", 4, 4, n, G_MAXUINT64, NULL, NULL);
      g_autoptr (EsPlaneSource) source = es_plane_source_new_for_stack (stack);

      es_display_set_source (display, source, before);
      if (round == 0)
        {
          g_assert_cmpuint (es_display_get_planes (display, planes), ==, 1);
          es_display_show_rgb (display, (const guint[]) { 3, 0, 4 });
        }
      g_assert_cmpuint (es_display_get_planes (display, planes), ==, 3);
      g_assert_cmpuint (planes[0], ==, round == 1 ? 1 : 3);
      g_assert_cmpuint (planes[1], ==, 0);
      g_assert_cmpuint (planes[2], ==, round == 1 ? 1 : 4);
      /* What is not there is not shown. */
      es_display_show_rgb (display, (const guint[]) { 0, 1, 5 });
      g_assert_cmpuint (es_display_get_rgb (display, 1), ==, 0);
      before = g_object_ref (es_plane_source_get_data (source));
      g_object_set_data_full (G_OBJECT (display), round == 0 ? "first" : round == 1 ? "second" : "third", before,
                              g_object_unref);
    }
}

/* Coordinates that belong together are first shown so; what a person chooses instead stays, also in a session. */
static void
test_together (void)
{
  static const struct { EsImageHint hint; guint planes, shown; } looks[] = {
    { ES_IMAGE_HINT_TOGETHER, 3, 3 }, { ES_IMAGE_HINT_TOGETHER, 5, 3 }, { ES_IMAGE_HINT_TOGETHER, 2, 1 },
    { ES_IMAGE_HINT_NONE, 5, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_autoptr (EsImageStack) stack = es_image_stack_new ("stack", "Stack", 4, 4, looks[i].planes, G_MAXUINT64, NULL,
                                                           NULL);
      g_autoptr (EsImageStack) later = es_image_stack_new ("stack", "Stack", 4, 4, looks[i].planes, G_MAXUINT64, NULL,
                                                           NULL);
      g_autoptr (EsPlaneSource) source = NULL, restored = NULL;
      g_autoptr (EsDisplay) display = es_display_new ();
      g_autoptr (JsonNode) told = NULL;
      guint planes[3];

      es_image_stack_set_hint (stack, looks[i].hint);
      es_image_stack_set_hint (later, looks[i].hint);
      source = es_plane_source_new_for_stack (stack);
      restored = es_plane_source_new_for_stack (later);
      es_display_set_source (display, source, NULL);
      g_assert_cmpuint (es_display_get_planes (display, planes), ==, looks[i].shown);
      for (guint k = 0; k < looks[i].shown; k++)
        g_assert_cmpuint (planes[k], ==, k);
      if (looks[i].shown == 3)
        es_display_show_plane (display, 1);
      else
        es_display_show_rgb (display, (const guint[]) { 1, 0, 1 });
      told = es_display_tell (G_OBJECT (stack));
      es_display_take (G_OBJECT (later), told);
      es_display_set_source (display, restored, NULL);
      g_assert_cmpuint (es_display_get_planes (display, planes), ==, looks[i].shown == 3 ? 1 : 3);
      g_assert_cmpuint (planes[0], ==, 1);
    }
}

static void
test_display (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_cube (test->cube);
  g_autoptr (EsDisplay) display = es_display_new ();
  g_autofree char *composite = NULL, *single = NULL, *by_hand = NULL;
  guint planes[3], picked[3], changes = 0;
  double low, high;

  g_assert_cmpuint (es_display_get_planes (display, planes), ==, 0);
  es_display_set_source (display, source, NULL);
  g_assert_true (es_display_can_composite (display));
  g_assert_true (es_display_get_composite (display));
  es_cube_pick_rgb (test->cube, picked);
  g_assert_cmpuint (es_display_get_planes (display, planes), ==, 3);
  g_assert_cmpmem (planes, sizeof planes, picked, sizeof picked);
  composite = es_display_make_caption (display, 1);
  g_assert_true (g_str_has_prefix (composite, "R "));
  g_assert_nonnull (strstr (composite, "cut 2 %"));

  g_signal_connect (display, "planes-changed", G_CALLBACK (count), &changes);
  es_display_set_plane (display, 11);
  g_assert_cmpuint (changes, ==, 0);
  es_display_set_composite (display, FALSE);
  g_assert_cmpuint (changes, ==, 1);
  g_assert_cmpuint (es_display_get_planes (display, planes), ==, 1);
  g_assert_cmpuint (planes[0], ==, 11);
  es_display_set_plane (display, 60);
  g_assert_cmpuint (es_display_get_plane (display), ==, 11);
  single = es_display_make_caption (display, 1);
  g_assert_null (strstr (single, "R "));

  /* A stretch set by hand belongs to its plane, and goes with a new cut. */
  es_display_set_stretch (display, 11, 3, 9);
  by_hand = es_display_make_caption (display, 1);
  g_assert_nonnull (strstr (by_hand, "by hand"));
  g_assert_false (es_display_get_stretch (display, 12, &low, &high));
  g_assert_true (es_display_get_stretch (display, 11, &low, &high));
  g_assert_cmpfloat (low, ==, 3);
  g_assert_cmpfloat (high, ==, 9);
  es_display_set_cut (display, 0.05);
  g_assert_false (es_display_get_stretch (display, 11, &low, &high));
}

/* Deviations, curves, one stretch for three colours, and the way back. */
static void
test_display_stretches (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_cube (test->cube);
  g_autoptr (EsDisplay) display = es_display_new ();
  g_autoptr (EsPicture) picture = es_picture_new ();
  const guint width = es_plane_source_get_width (source), height = es_plane_source_get_height (source);
  GBytes *planes[3];
  double low, high, ends[2], lowest = INFINITY, highest = -INFINITY;
  g_autofree char *caption = NULL, *back = NULL;
  guint shown[3];

  es_display_set_source (display, source, NULL);
  g_assert_false (es_display_can_undo (display));
  g_assert_cmpuint (es_display_get_planes (display, shown), ==, 3);
  for (guint i = 0; i < 3; i++)
    planes[i] = es_plane_source_read (source, shown[i], 1, NULL, NULL);
  es_picture_set_planes (picture, 3, planes, width, height, 1, width, height);
  for (guint i = 0; i < 3; i++)
    g_bytes_unref (planes[i]);

  es_display_set_deviations (display, 2);
  es_display_apply_look (display, picture);
  for (guint i = 0; i < 3; i++)
    {
      const EsPlaneStatistics *statistics = es_picture_get_statistics (picture, i);

      es_picture_get_stretch (picture, i, &low, &high);
      g_assert_cmpfloat_with_epsilon (low, statistics->mean - 2 * statistics->deviation, 1e-9);
      g_assert_cmpfloat_with_epsilon (high, statistics->mean + 2 * statistics->deviation, 1e-9);
      lowest = MIN (lowest, low);
      highest = MAX (highest, high);
    }
  es_display_set_linked (display, TRUE);
  es_display_set_curve (display, ES_STRETCH_SQUARE_ROOT);
  es_display_apply_look (display, picture);
  for (guint i = 0; i < 3; i++)
    {
      es_picture_get_stretch (picture, i, &low, &high);
      g_assert_cmpfloat (low, ==, lowest);
      g_assert_cmpfloat (high, ==, highest);
    }
  g_assert_cmpint (es_picture_get_curve (picture), ==, ES_STRETCH_SQUARE_ROOT);
  g_assert_cmpuint (es_picture_get_shade (picture, 1, low + 0.25 * (high - low)), ==, 128);
  caption = es_display_make_caption (display, 1);
  g_assert_nonnull (strstr (caption, "mean ± 2 σ, square root"));

  /* Dragging is one change, however many steps it takes, and of all three where they are linked. */
  for (guint i = 0; i < 20; i++)
    es_display_set_stretch (display, shown[1], i, 100 + i);
  for (guint i = 0; i < 3; i++)
    g_assert_true (es_display_get_stretch (display, shown[i], &low, &high) && low == 19 && high == 119);
  es_display_undo (display);
  g_assert_false (es_display_is_stretched_by_hand (display));
  es_display_apply_look (display, picture);
  es_picture_get_stretch (picture, 2, &ends[0], &ends[1]);
  g_assert_cmpfloat (ends[0], ==, lowest);
  es_display_undo (display);
  g_assert_cmpint (es_display_get_curve (display), ==, ES_STRETCH_LINEAR);
  es_display_undo (display);
  g_assert_false (es_display_get_linked (display));
  es_display_undo (display);
  g_assert_cmpfloat (es_display_get_deviations (display), ==, 0);
  g_assert_false (es_display_can_undo (display));
  back = es_display_make_caption (display, 1);
  g_assert_nonnull (strstr (back, "cut 2 %"));

  /* It outlives the program; what is not understood is left out. */
  es_display_set_deviations (display, 3);
  es_display_set_curve (display, ES_STRETCH_EQUALISE);
  es_display_set_basis (display, ES_STRETCH_OF_VIEW);
  g_autoptr (JsonNode) told = es_display_tell_now (display);
  es_display_set_cut (display, 0.01);
  es_display_set_curve (display, ES_STRETCH_LINEAR);
  es_display_set_basis (display, ES_STRETCH_OF_IMAGE);
  es_display_take_now (display, told);
  g_assert_cmpfloat (es_display_get_deviations (display), ==, 3);
  g_assert_cmpint (es_display_get_curve (display), ==, ES_STRETCH_EQUALISE);
  g_assert_cmpint (es_display_get_basis (display), ==, ES_STRETCH_OF_VIEW);
  g_autoptr (JsonNode) odd = json_from_string ("{\"curve\": \"cubic\", \"basis\": 7, \"deviations\": -1}", NULL);
  es_display_take_now (display, odd);
  g_assert_cmpint (es_display_get_curve (display), ==, ES_STRETCH_EQUALISE);
  g_assert_cmpint (es_display_get_basis (display), ==, ES_STRETCH_OF_VIEW);
}

static void
test_display_remembers (void)
{
  g_autoptr (EsTestCube) test = es_test_cube_new ();
  g_autoptr (EsResult) result = es_test_cube_pca (test, 0.999, NULL);
  g_autoptr (EsResult) fewer = es_test_cube_pca (test, 0.9, result);
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  EsImageStack *fewer_stack = ES_IMAGE_STACK (es_result_find_layer (fewer, "components"));
  g_autoptr (EsPlaneSource) cube_source = es_plane_source_new_for_cube (test->cube);
  g_autoptr (EsPlaneSource) stack_source = es_plane_source_new_for_stack (stack);
  g_autoptr (EsPlaneSource) fewer_source = es_plane_source_new_for_stack (fewer_stack);
  g_autoptr (EsPlaneSource) again = es_plane_source_new_for_cube (test->cube);
  g_autoptr (EsDisplay) display = es_display_new ();
  guint last = es_image_stack_get_planes (stack) - 1;

  es_display_set_source (display, cube_source, NULL);
  es_display_set_composite (display, FALSE);
  es_display_set_plane (display, 23);

  es_display_set_source (display, stack_source, NULL);
  g_assert_false (es_display_get_composite (display));
  g_assert_true (es_display_get_symmetric (display));
  g_assert_cmpuint (es_display_get_plane (display), ==, 0);
  es_display_set_plane (display, last);
  es_display_set_colormap (display, ES_COLORMAP_DIVERGING);

  /* The result that takes its place is shown alike, as far as it reaches. */
  es_display_set_source (display, fewer_source, G_OBJECT (stack));
  g_assert_cmpuint (es_display_get_plane (display), ==, es_image_stack_get_planes (fewer_stack) - 1);
  g_assert_cmpint (es_display_get_colormap (display), ==, ES_COLORMAP_DIVERGING);

  es_display_set_source (display, again, NULL);
  g_assert_false (es_display_get_composite (display));
  g_assert_cmpuint (es_display_get_plane (display), ==, 23);
  g_assert_cmpint (es_display_get_colormap (display), ==, ES_COLORMAP_GRAY);
}

/* ---- curves ---- */

/* Whether the middle between two points with one that is missing in between is drawn. */
static gboolean
is_joined (const char *role)
{
  const double x[] = { 1, 2, 3, 4, 5 }, y[] = { 1, NAN, 3, NAN, 5 };
  g_autoptr (EsCurve) curve = es_curve_new ("curve", "Curve", role, G_N_ELEMENTS (x), x, "Size", NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 400, 300);
  cairo_t *cr = cairo_create (surface);
  guint colored = 0;
  double px = 0, py = 0;

  es_curve_add_series (curve, "Series", NULL, ES_CURVE_LINE, FALSE, y);
  g_autoptr (EsPlot) plot = es_curve_plot_new (curve);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 1);
  es_plot_draw (plot, cr, 400, 300, &es_plot_colors_light);
  g_assert_true (es_plot_point_of (plot, 2.3, 2.3, 400, 300, &px, &py));
  cairo_surface_flush (surface);
  for (int at = (int) py - 2; at <= (int) py + 2; at++)
    {
      const guint32 *row = (const guint32 *) (cairo_image_surface_get_data (surface)
                                              + at * cairo_image_surface_get_stride (surface));
      const guint red = row[(int) px] >> 16 & 0xff, blue = row[(int) px] & 0xff;

      /* The first colour is a blue; grids are grey. */
      colored += blue > red + 60;
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return colored > 0;
}

/* What an experiment did not ask is no gap; a band that does not take part is one. */
static void
test_gaps (void)
{
  g_assert_true (is_joined ("experiment"));
  g_assert_false (is_joined ("loadings"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/views/format/numbers", test_numbers);
  g_test_add_func ("/views/format/zoom", test_zoom);
  g_test_add_func ("/views/format/share", test_share);
  g_test_add_func ("/views/format/geographic", test_geographic);
  g_test_add_func ("/views/format/parse", test_parse);
  g_test_add_func ("/views/format/round-length", test_round_length);
  g_test_add_func ("/views/latest/newest-wins", test_latest);
  g_test_add_func ("/views/latest/cancel", test_latest_cancel);
  g_test_add_func ("/views/planes/cube", test_plane_source);
  g_test_add_func ("/views/planes/stack", test_plane_source_stack);
  g_test_add_func ("/views/planes/loader", test_plane_loader);
  g_test_add_func ("/views/display/state", test_display);
  g_test_add_func ("/views/display/fewer-planes", test_fewer_planes);
  g_test_add_func ("/views/display/together", test_together);
  g_test_add_func ("/views/display/remembers", test_display_remembers);
  g_test_add_func ("/views/display/stretches", test_display_stretches);
  g_test_add_func ("/views/curves/gaps", test_gaps);
  return g_test_run ();
}
