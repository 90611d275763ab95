/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Pictures of fields, for where there is no display, too: as a plot has them, the first row below. */

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-figure.h"
#include "es-write-field-private.h"
#include "es-write-png-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define LARGEST_SIDE 4096u
/* Small fields are drawn at least about so large. */
#define USUAL_WIDTH 800u
#define USUAL_HEIGHT 400u
#define LEAST_SIDE 160u
#define RANGE_DB 40.0f
#define CHUNK_SAMPLES 1048576

/* How one axis becomes pixels: `step` values of it in one pixel, or one value in `factor` pixels. */
typedef struct
{
  guint step, factor, cells;
} Pixels;

static Pixels
plan_pixels (guint n, guint usual)
{
  Pixels pixels = { 1, 1, n };

  if (n > LARGEST_SIDE)
    {
      pixels.step = (n - 1) / LARGEST_SIDE + 1;
      pixels.cells = (n - 1) / pixels.step + 1;
    }
  else
    pixels.factor = MAX (1, usual / n);
  return pixels;
}

/*
 * M. Zucker's polynomial of the sixth degree through viridis (S. van der Walt, N. Smith 2015; both CC0): within a few
 * of 255 of the table.
 */
static void
color_of (float t, guint8 *red, guint8 *green, guint8 *blue)
{
  static const float coefficients[7][3] = {
    { 0.2777273272f, 0.0054073445f, 0.3340998053f }, { 0.1050930431f, 1.4046135299f, 1.3845901627f },
    { -0.3308618287f, 0.2148475595f, 0.0950951630f }, { -4.6342304990f, -5.7991009734f, -19.3324409563f },
    { 6.2282699363f, 14.1799333668f, 56.6905526007f }, { 4.7763849977f, -13.7451453777f, -65.3530326334f },
    { -5.4354558559f, 4.6458526122f, 26.3124352496f },
  };
  float sum[3] = { 0, 0, 0 };

  for (int i = 6; i >= 0; i--)
    for (guint k = 0; k < 3; k++)
      sum[k] = sum[k] * t + coefficients[i][k];
  *red = (guint8) (CLAMP (sum[0], 0.0f, 1.0f) * 255 + 0.5f);
  *green = (guint8) (CLAMP (sum[1], 0.0f, 1.0f) * 255 + 0.5f);
  *blue = (guint8) (CLAMP (sum[2], 0.0f, 1.0f) * 255 + 0.5f);
}

/* The largest of what falls into each cell: cells of rows x cells of columns. */
static gboolean
gather (EsField *field, const Pixels *vertical, const Pixels *horizontal, float *cells, GCancellable *cancellable,
        GError **error)
{
  const guint rows = es_field_get_rows (field)->n, columns = es_field_get_columns (field)->n;
  const guint at_a_time = MAX (1, CHUNK_SAMPLES / columns);
  g_autofree float *values = g_try_new (float, (gsize) MIN (at_a_time, MAX (rows, 1)) * columns);

  if (values == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("There is not enough memory for a picture of “%s”."), es_layer_get_title (ES_LAYER (field)));
      return FALSE;
    }
  for (gsize i = 0; i < (gsize) vertical->cells * horizontal->cells; i++)
    cells[i] = NAN;
  for (guint first = 0; first < rows; first += at_a_time)
    {
      const guint n = MIN (at_a_time, rows - first);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !es_field_read (field, first, n, values, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          float *to = cells + (gsize) ((first + i) / vertical->step) * horizontal->cells;
          const float *from = values + (gsize) i * columns;

          for (guint j = 0; j < columns; j++)
            to[j / horizontal->step] = fmaxf (to[j / horizontal->step], from[j]);
        }
    }
  return TRUE;
}

/* From the least value to the largest, but not from more than 40 dB below the loudest; 0..1. The ends, NAN: no value is
 * finite. */
static void
stretch (float *cells, gsize n, gboolean levels, double *lowest, double *highest)
{
  float low = INFINITY, high = -INFINITY;

  for (gsize i = 0; i < n; i++)
    {
      if (levels && cells[i] >= 0)
        cells[i] = 10 * log10f (cells[i]);
      if (isfinite (cells[i]))
        {
          low = fminf (low, cells[i]);
          high = fmaxf (high, cells[i]);
        }
    }
  if (levels)
    low = fmaxf (low, high - RANGE_DB);
  for (gsize i = 0; i < n; i++)
    if (!isnan (cells[i]))
      cells[i] = high > low ? CLAMP ((cells[i] - low) / (high - low), 0.0f, 1.0f) : 0.5f;

  /* A single value is in the middle of a scale. */
  const double room = high == low ? MAX (0.5, fabs (high) / 1000) : 0;
  *lowest = isfinite (high) ? low - room : NAN;
  *highest = isfinite (high) ? high + room : NAN;
}

static char *
describe_axis (const EsAxis *axis)
{
  char first[G_ASCII_DTOSTR_BUF_SIZE], last[G_ASCII_DTOSTR_BUF_SIZE];

  if (axis->n == 0)
    return g_strdup (axis->title);
  g_ascii_formatd (first, sizeof first, "%.10g", axis->values[0]);
  g_ascii_formatd (last, sizeof last, "%.10g", axis->values[axis->n - 1]);
  return g_strdup_printf ("%s %s..%s %s (%u)", axis->title, first, last, axis->unit != NULL ? axis->unit : "", axis->n);
}

/* One line of the picture at a time would do, but GDAL's PNG driver only copies. */
static GDALDatasetH
new_picture (guint width, guint height, guint bands)
{
  GDALDriverH memory = GDALGetDriverByName ("MEM");

  return memory != NULL ? GDALCreate (memory, "", width, height, bands, GDT_Byte, NULL) : NULL;
}

static gboolean
put_line (GDALDatasetH picture, guint y, guint8 *line, guint width, guint bands)
{
  return GDALDatasetRasterIOEx (picture, GF_Write, 0, y, width, 1, line, width, 1, GDT_Byte, bands, NULL, bands,
                                (GSpacing) width * bands, 1, NULL) == CE_None;
}

/* Where nothing draws axes: the cells alone. */
static GDALDatasetH
make_bare (const float *cells, const Pixels *vertical, const Pixels *horizontal)
{
  const guint width = horizontal->cells * horizontal->factor, height = vertical->cells * vertical->factor;
  GDALDatasetH picture = new_picture (width, height, 4);
  g_autofree guint8 *line = g_malloc ((gsize) width * 4);
  gboolean done = picture != NULL;

  for (guint y = 0; done && y < height; y++)
    {
      const float *from = cells + (gsize) ((height - 1 - y) / vertical->factor) * horizontal->cells;

      for (guint x = 0; x < width; x++)
        {
          const float t = from[x / horizontal->factor];
          guint8 *pixel = line + (gsize) x * 4;

          memset (pixel, 0, 4);
          if (isnan (t))
            continue;
          color_of (t, &pixel[0], &pixel[1], &pixel[2]);
          pixel[3] = 255;
        }
      done = put_line (picture, y, line, width, 4);
    }
  if (!done)
    {
      g_clear_pointer (&picture, GDALClose);
      return NULL;
    }
  GDALSetRasterColorInterpretation (GDALGetRasterBand (picture, 4), GCI_AlphaBand);
  return picture;
}

static GDALDatasetH
copy_image (const EsFigureImage *image)
{
  GDALDatasetH picture = new_picture (image->width, image->height, 3);
  g_autofree guint8 *line = g_malloc ((gsize) image->width * 3);
  gboolean done = picture != NULL;

  for (guint y = 0; done && y < image->height; y++)
    {
      const guint32 *from = image->pixels + (gsize) y * image->width;

      for (guint x = 0; x < image->width; x++)
        for (guint k = 0; k < 3; k++)
          line[3 * (gsize) x + k] = (guint8) (from[x] >> (16 - 8 * k));
      done = put_line (picture, y, line, image->width, 3);
    }
  if (!done)
    g_clear_pointer (&picture, GDALClose);
  return picture;
}

static EsFigureAxis
describe_side (const EsAxis *axis, const Pixels *pixels, gboolean is_time)
{
  return (EsFigureAxis) { axis->title, axis->unit, axis->n, axis->values, pixels->step, pixels->factor, is_time };
}

static gboolean
has_missing (const float *cells, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (isnan (cells[i]))
      return TRUE;
  return FALSE;
}

static GDALDatasetH
make_picture (EsField *field, const float *cells, const Pixels *vertical, const Pixels *horizontal, double low,
              double high)
{
  const EsAxis *rows = es_field_get_rows (field);
  const gboolean is_time = es_layer_get_kind (ES_LAYER (field)) == ES_LAYER_WATERFALL
                           && g_strcmp0 (rows->unit, "s") == 0;
  g_autoptr (GDateTime) start = es_field_dup_start (field);
  g_autofree char *caption = es_field_caption (field, has_missing (cells, (gsize) vertical->cells * horizontal->cells));
  g_autofree char *scale = es_field_describe_values (field);
  const EsFigure figure = {
    .abi = ES_FIGURE_ABI, .title = es_layer_get_title (ES_LAYER (field)), .caption = caption, .scale = scale,
    .start = start, .x = describe_side (es_field_get_columns (field), horizontal, FALSE),
    .y = describe_side (rows, vertical, is_time), .columns = horizontal->cells, .rows = vertical->cells,
    .cells = cells, .low = low, .high = high,
  };
  EsFigureImage image;
  GDALDatasetH picture;

  if (!es_figure_draw (&figure, &image))
    return make_bare (cells, vertical, horizontal);
  picture = copy_image (&image);
  g_free (image.pixels);
  return picture;
}

static gboolean
write_png (EsField *field, GDALDatasetH picture, const EsOutput *output, GError **error)
{
  g_autofree char *rows = describe_axis (es_field_get_rows (field));
  g_autofree char *columns = describe_axis (es_field_get_columns (field));
  g_autofree char *title = g_strdup_printf ("TITLE=%s", es_layer_get_title (ES_LAYER (field)));
  g_autofree char *text = g_strdup_printf ("DESCRIPTION=x: %s; y: %s, upwards; %s %s", columns, rows,
                                           es_field_get_reference (field) != NULL ? "levels re" : "",
                                           es_field_get_reference (field) ?: es_field_get_unit (field) ?: "");
  char *options[] = { (char *) "WORLDFILE=NO", title, text, (char *) "SOFTWARE=Eigenscope", NULL };

  return es_write_png (picture, options, output, error);
}

gboolean
es_write_field_picture (EsField *field, EsOutputs *outputs, const char *path, GCancellable *cancellable,
                        GError **error)
{
  const EsAxis *rows = es_field_get_rows (field), *columns = es_field_get_columns (field);
  Pixels horizontal = plan_pixels (columns->n, USUAL_WIDTH), vertical = plan_pixels (MAX (rows->n, 1), USUAL_HEIGHT);
  const EsOutput *output;
  double low, high;
  gboolean written;

  /* A map: metres are as long in both directions. */
  if (es_layer_get_kind (ES_LAYER (field)) == ES_LAYER_FIELD && rows->unit != NULL
      && g_strcmp0 (rows->unit, columns->unit) == 0)
    {
      guint factor = MIN (horizontal.factor, vertical.factor);

      /* A narrow one has room for its labels all the same. */
      while (MIN (horizontal.cells, vertical.cells) * factor < LEAST_SIDE
             && MAX (horizontal.cells, vertical.cells) * (factor + 1) <= LARGEST_SIDE)
        factor++;
      horizontal.factor = vertical.factor = factor;
    }

  const gsize n = (gsize) vertical.cells * horizontal.cells;
  g_autofree float *cells = g_new (float, n);
  if (!gather (field, &vertical, &horizontal, cells, cancellable, error))
    return FALSE;
  stretch (cells, n, es_field_get_reference (field) != NULL, &low, &high);

  if (!es_gdal_prepare (NULL, error))
    return FALSE;
  output = es_outputs_add (outputs, path, FALSE, error);
  if (output == NULL)
    return FALSE;
  CPLPushErrorHandler (CPLQuietErrorHandler);
  GDALDatasetH picture = make_picture (field, cells, &vertical, &horizontal, low, high);
  CPLPopErrorHandler ();
  written = write_png (field, picture, output, error);
  if (picture != NULL)
    GDALClose (picture);
  return written && !g_cancellable_set_error_if_cancelled (cancellable, error);
}

gboolean
es_write_field_png (EsField *field, GFile *target, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);

  return path != NULL && es_write_field_picture (field, outputs, path, cancellable, error)
         && es_outputs_commit (outputs, error);
}
