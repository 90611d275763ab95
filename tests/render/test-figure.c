/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Fields on axes: where ticks stand, what is drawn of missing and odd values, and the files. */

#include <gdal.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "axes/es-figure-draw.h"
#include "layer/es-layer-internal.h"
#include "writers/es-writer.h"

#define WHITE 0xffffffu
#define MISSING 0xd0d0d0u
#define VIOLET 0x440154u       /* viridis' ends */
#define YELLOW 0xfde725u

static guint32
pixel (const EsFigureImage *image, guint x, guint y)
{
  g_assert_cmpuint (x, <, image->width);
  g_assert_cmpuint (y, <, image->height);
  return image->pixels[(gsize) y * image->width + x] & 0xffffff;
}

/* Ten values upwards, twenty to the right, the first cell missing, the last one the loudest. */
static EsFigure
make_figure (void)
{
  static double xs[20], ys[10];
  static float cells[200];

  for (guint i = 0; i < 20; i++)
    xs[i] = 100 + 10. * i;
  for (guint i = 0; i < 10; i++)
    ys[i] = i;
  for (guint i = 0; i < 200; i++)
    cells[i] = i == 0 ? NAN : i == 199 ? 1 : 0;
  return (EsFigure) { .abi = ES_FIGURE_ABI, .title = "Field", .caption = "sea.wav", .scale = "dB re 1 µPa²",
                      .x = { "Frequency", "Hz", 20, xs, 1, 40, FALSE }, .y = { "Time", "s", 10, ys, 1, 40, TRUE },
                      .columns = 20, .rows = 10, .cells = cells, .low = 20, .high = 60 };
}

/* The plot is what is missing (below, left), violet or yellow: where its lower left corner is. */
static void
find_corner (const EsFigureImage *image, guint *left, guint *bottom)
{
  for (guint y = image->height; y-- > 8;)
    for (guint x = 0; x + 8 < image->width; x++)
      /* Letters may have that grey, too. */
      if (pixel (image, x, y) == MISSING && pixel (image, x + 8, y) == MISSING
          && pixel (image, x + 8, y - 8) == MISSING)
        {
          *left = x;
          *bottom = y;
          return;
        }
  g_assert_not_reached ();
}

static gboolean
is_dark (const EsFigureImage *image, guint x, guint y)
{
  return (pixel (image, x, y) & 0xff) < 0x90;
}

static void
test_ticks (void)
{
  EsFigure figure = make_figure ();
  EsFigureImage image;
  guint left, bottom;

  g_assert_true (es_figure_draw_axes (&figure, &image));
  g_assert_cmpuint (pixel (&image, 0, 0), ==, WHITE);
  g_assert_cmpuint (pixel (&image, image.width - 1, image.height - 1), ==, WHITE);
  find_corner (&image, &left, &bottom);
  g_assert_cmpuint (pixel (&image, left + 39, bottom - 39), ==, MISSING);
  g_assert_cmpuint (pixel (&image, left + 40, bottom), ==, VIOLET);
  g_assert_cmpuint (pixel (&image, left + 799, bottom - 399), ==, YELLOW);

  /* Of time: each second stands in the middle of its row, and nothing between them. */
  for (guint value = 0; value < 10; value++)
    {
      const guint y = bottom + 1 - (40 * value + 20);

      g_assert_true (is_dark (&image, left - 3, y));
      g_assert_false (is_dark (&image, left - 3, y - 20));
    }
  /* Of frequency: 100 Hz in the middle of the first column, 200 in that of the eleventh. */
  g_assert_true (is_dark (&image, left + 20, bottom + 3));
  g_assert_true (is_dark (&image, left + 10 * 40 + 20, bottom + 3));
  g_assert_false (is_dark (&image, left + 20 + 17, bottom + 3));
  g_free (image.pixels);
}

/* Angles that lie evenly in their cosine crowd at both ends: each tick has a label of its own beside the next one's. */
static void
test_crowded (void)
{
  enum { N = 181 };
  EsFigure figure = make_figure ();
  EsFigureImage image;
  g_autofree double *angles = g_new (double, N);
  g_autofree float *cells = g_new0 (float, N * 10);
  guint left, bottom;

  for (guint i = 0; i < N; i++)
    angles[i] = acos (1 - 2. * i / (N - 1)) * 180 / G_PI;
  cells[0] = NAN;
  for (guint factor = 2; factor <= 8; factor++)
    {
      guint ticks = 0, labels = 0, white = 100;

      figure.x = (EsFigureAxis) { "Bearing", "°", N, angles, 1, factor, FALSE };
      figure.y.factor = 40;
      figure.columns = N;
      figure.cells = cells;
      g_assert_true (es_figure_draw_axes (&figure, &image));
      /* The missing cell may be narrower than find_corner () asks for. */
      for (left = 0, bottom = image.height; bottom-- > 0 && left == 0;)
        for (guint x = 0; x < image.width && left == 0; x++)
          if (pixel (&image, x, bottom) == VIOLET)
            left = x - factor;
      for (guint x = left; x < left + N * factor; x++)
        ticks += is_dark (&image, x, bottom + 4) && !is_dark (&image, x - 1, bottom + 4);
      for (guint x = left - 40; x < MIN (left + N * factor + 40, image.width); x++)
        {
          gboolean dark = FALSE;

          for (guint y = bottom + 12; y < bottom + 22; y++)
            dark = dark || is_dark (&image, x, y);
          labels += dark && white >= 5;
          white = dark ? 0 : white + 1;
        }
      g_assert_cmpuint (ticks, >=, 3);
      g_assert_cmpuint (labels, ==, ticks);
      g_free (image.pixels);
    }
}

static gboolean
differs (const EsFigure *one, const EsFigure *other)
{
  EsFigureImage a, b;
  gboolean differ;

  g_assert_true (es_figure_draw_axes (one, &a));
  g_assert_true (es_figure_draw_axes (other, &b));
  differ = a.width != b.width || a.height != b.height
           || memcmp (a.pixels, b.pixels, 4 * (gsize) a.width * a.height) != 0;
  g_free (a.pixels);
  g_free (b.pixels);
  return differ;
}

/* Everything that is told is in the picture, and twice the same is the same. */
static void
test_words (void)
{
  const EsFigure figure = make_figure ();
  g_autoptr (GDateTime) start = g_date_time_new_utc (2026, 5, 1, 23, 59, 55);
  g_autoptr (GDateTime) later = g_date_time_new_utc (2026, 5, 2, 23, 59, 55);
  EsFigure other;

  g_assert_false (differs (&figure, &figure));
  other = figure;
  other.title = "Feld";
  g_assert_true (differs (&figure, &other));
  other = figure;
  other.caption = "other.wav";
  g_assert_true (differs (&figure, &other));
  other = figure;
  other.scale = "dB re full scale²";
  g_assert_true (differs (&figure, &other));
  other = figure;
  other.x.unit = "kHz";
  g_assert_true (differs (&figure, &other));
  other = figure;
  other.y.title = "Range";
  g_assert_true (differs (&figure, &other));
  other = figure;
  other.low = 10;
  g_assert_true (differs (&figure, &other));
  other = figure;
  other.start = start;
  g_assert_true (differs (&figure, &other));

  /* Midnight is in it: the tick there has the day. */
  EsFigure tomorrow = other;
  tomorrow.start = later;
  g_assert_true (differs (&other, &tomorrow));

  other = figure;
  other.abi++;
  EsFigureImage image;
  g_assert_false (es_figure_draw_axes (&other, &image));
}

/* Ranges that end in infinity, one value, none; no level at all. */
static void
test_odd (void)
{
  double ranges[10] = { INFINITY, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800 };
  const double alone = 7;
  float cell = NAN;
  EsFigure figure = make_figure ();
  EsFigureImage image;

  figure.y = (EsFigureAxis) { "Range", "m", 10, ranges, 1, 40, FALSE };
  g_assert_true (es_figure_draw_axes (&figure, &image));
  g_free (image.pixels);

  figure.y = (EsFigureAxis) { NULL, NULL, 1, &alone, 1, 400, FALSE };
  figure.x = (EsFigureAxis) { NULL, NULL, 0, NULL, 1, 800, TRUE };
  figure.columns = figure.rows = 1;
  figure.cells = &cell;
  figure.low = figure.high = NAN;
  g_assert_true (es_figure_draw_axes (&figure, &image));
  g_assert_cmpuint (pixel (&image, image.width / 2, image.height / 2), ==, MISSING);
  g_free (image.pixels);
}

/* ---- files ---- */

static EsField *
make_field (guint n_rows, guint n_columns, float value)
{
  g_autofree double *ys = g_new (double, n_rows), *xs = g_new (double, n_columns);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n_rows; i++)
    ys[i] = i;
  for (guint i = 0; i < n_columns; i++)
    xs[i] = i;
  const EsAxis rows = { (char *) "Frequency", (char *) "Hz", n_rows, ys };
  const EsAxis columns = { (char *) "Bearing", (char *) "°", n_columns, xs };
  EsField *field = es_field_new ("fraz", "FRAZ", ES_LAYER_FIELD, "fraz", &rows, &columns, 0, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < (gsize) n_rows * n_columns; i++)
    es_field_get_writable (field)[i] = value;
  es_field_set_reference (field, "1 µPa²", NULL);
  es_field_add_metadata (field, "recording", "sea.wav");
  es_field_add_metadata (field, "start", "2026-05-01T12:00:00Z");
  return field;
}

static char *
write_field (EsField *field, const char *folder, const char *name, gsize *length, int *width, int *height)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  char *bytes;

  g_assert_true (es_write_field_png (field, target, NULL, &error));
  g_assert_no_error (error);
  GDALDatasetH picture = GDALOpen (path, GA_ReadOnly);
  g_assert_nonnull (picture);
  g_assert_cmpint (GDALGetRasterCount (picture), ==, 3);
  *width = GDALGetRasterXSize (picture);
  *height = GDALGetRasterYSize (picture);
  g_assert_nonnull (strstr (GDALGetMetadataItem (picture, "DESCRIPTION", NULL), "Bearing 0.."));
  GDALClose (picture);
  g_assert_true (g_file_get_contents (path, &bytes, length, NULL));
  g_assert_true (g_file_delete (target, NULL, NULL));
  return bytes;
}

static void
test_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("es-figure-XXXXXX", NULL);
  g_autoptr (EsField) constant = make_field (30, 40, 1), missing = make_field (30, 40, NAN);
  g_autoptr (EsField) silent = make_field (3, 4, 0), huge = make_field (4500, 4100, 2);
  int width, height;
  gsize n, n_again;

  es_figure_set_draw (es_figure_draw_axes);
  g_autofree char *first = write_field (constant, folder, "a.png", &n, &width, &height);
  g_autofree char *again = write_field (constant, folder, "b.png", &n_again, &width, &height);
  g_assert_cmpmem (first, n, again, n_again);
  g_assert_cmpint (width, >, 800);
  g_assert_cmpint (height, >, 390);
  g_free (write_field (missing, folder, "c.png", &n_again, &width, &height));
  g_free (write_field (silent, folder, "d.png", &n_again, &width, &height));
  g_free (write_field (huge, folder, "e.png", &n_again, &width, &height));
  g_assert_cmpint (width, >, 2050);
  g_assert_cmpint (width, <, 4600);
  g_assert_cmpint (height, >, 2250);
  g_assert_cmpint (height, <, 4600);
  es_figure_set_draw (NULL);
  g_assert_cmpint (g_remove (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  GDALAllRegister ();
  g_test_add_func ("/figure/ticks", test_ticks);
  g_test_add_func ("/figure/crowded", test_crowded);
  g_test_add_func ("/figure/words", test_words);
  g_test_add_func ("/figure/odd", test_odd);
  g_test_add_func ("/figure/files", test_files);
  return g_test_run ();
}
