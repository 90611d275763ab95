/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Pictures of a report. Everything is made with cairo on the thread at hand: no GL, no main loop. */

#include <cairo-svg.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "plane/es-colormap.h"
#include "cube/es-cube.h"
#include "base/es-error.h"
#include "plot/es-plot.h"
#include "es-report-private.h"

/* Pixels of the longer side at most; small pictures are enlarged so that a pixel stays a square. */
#define LARGEST_PLANE 360
#define LARGEST_SCENE 900
#define SMALLEST 240
#define MISSING 0xffd9d9d9u
#define MOST_SERIES 12
#define PLOT_WIDTH 450
#define PLOT_HEIGHT 260

static cairo_status_t
append_bytes (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
append_image (GString *page, const char *type, const GByteArray *bytes, const char *description)
{
  g_autofree char *encoded = g_base64_encode (bytes->data, bytes->len);

  g_string_append_printf (page, "<img src=\"data:%s;base64,%s\" alt=\"", type, encoded);
  es_markup_append_text (page, description);
  g_string_append (page, "\">");
}

static gboolean
fail (cairo_status_t status, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("A picture of the report could not be drawn: %s."),
               cairo_status_to_string (status));
  return FALSE;
}

/* The surface as PNG, each pixel enlarged to a square of whole pixels where it is small. Takes the surface. */
static gboolean
append_surface (GString *page, cairo_surface_t *surface, const char *description, GError **error)
{
  const int width = cairo_image_surface_get_width (surface), height = cairo_image_surface_get_height (surface);
  const int times = MAX (1, SMALLEST / MAX (MAX (width, height), 1));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  cairo_surface_t *shown = surface;
  cairo_status_t status;

  if (times > 1)
    {
      shown = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width * times, height * times);
      cairo_t *cr = cairo_create (shown);
      cairo_scale (cr, times, times);
      cairo_set_source_surface (cr, surface, 0, 0);
      cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
      cairo_paint (cr);
      cairo_destroy (cr);
    }
  status = cairo_surface_write_to_png_stream (shown, append_bytes, bytes);
  if (shown != surface)
    cairo_surface_destroy (shown);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return fail (status, error);
  append_image (page, "image/png", bytes, description);
  return TRUE;
}

typedef struct
{
  double low, high;
} Stretch;

static guint
level_of (float value, const Stretch *stretch)
{
  double t = (value - stretch->low) / (stretch->high - stretch->low);

  return (guint) (CLAMP (t, 0.0, 1.0) * 255 + 0.5);
}

static Stretch
make_stretch (const EsPlaneStatistics *statistics, gboolean symmetric, gboolean from_zero)
{
  Stretch stretch = { es_plane_statistics_quantile (statistics, 0.02),
                      es_plane_statistics_quantile (statistics, 0.98) };

  if (symmetric)
    {
      stretch.high = MAX (fabs (stretch.low), fabs (stretch.high));
      stretch.low = -stretch.high;
    }
  else if (from_zero)
    stretch.low = 0;
  if (!(stretch.high > stretch.low))
    stretch.high = stretch.low + 1;
  return stretch;
}

static guint
step_for (guint64 width, guint64 height, guint largest)
{
  return MAX (1, (MAX (width, height) + largest - 1) / largest);
}

gboolean
es_report_append_plane (GString *page, EsImageStack *stack, guint plane, const char *caption,
                        GCancellable *cancellable, GError **error)
{
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  const guint step = step_for (width, height, LARGEST_PLANE);
  const gsize columns = (width + step - 1) / step, rows = (height + step - 1) / step;
  const EsImageHint hint = es_image_stack_get_hint (stack);
  const EsColormap map = hint == ES_IMAGE_HINT_DIVERGING ? ES_COLORMAP_DIVERGING
                         : hint == ES_IMAGE_HINT_SEQUENTIAL ? ES_COLORMAP_VIRIDIS : ES_COLORMAP_GRAY;
  const guint8 *entries = es_colormap_entries (map);
  g_autofree float *samples = g_new (float, columns * rows);
  g_autofree EsPlaneStatistics *statistics = g_new0 (EsPlaneStatistics, 1);

  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || !es_image_stack_read_means (stack, plane, step, samples, cancellable, error))
    return FALSE;
  es_plane_statistics_compute (statistics, samples, columns * rows);
  Stretch stretch = make_stretch (statistics, hint == ES_IMAGE_HINT_DIVERGING
                                  || (hint == ES_IMAGE_HINT_NONE && es_image_stack_get_signed (stack)),
                                  hint == ES_IMAGE_HINT_SEQUENTIAL);

  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, columns, rows);
  const int stride = cairo_image_surface_get_stride (surface);
  guint8 *data = cairo_image_surface_get_data (surface);
  if (data == NULL)
    {
      cairo_surface_destroy (surface);
      return fail (CAIRO_STATUS_NO_MEMORY, error);
    }
  cairo_surface_flush (surface);
  for (gsize j = 0; j < rows; j++)
    for (gsize i = 0; i < columns; i++)
      {
        const float value = samples[j * columns + i];
        const guint8 *entry = isfinite (value) ? entries + 4 * level_of (value, &stretch) : NULL;

        ((guint32 *) (data + j * stride))[i] =
          entry != NULL ? 0xff000000u | entry[0] << 16 | entry[1] << 8 | entry[2] : MISSING;
      }
  cairo_surface_mark_dirty (surface);

  g_string_append (page, "<figure>");
  if (!append_surface (page, surface, caption, error))
    return FALSE;
  es_markup_append_element (page, "figcaption", NULL, caption);
  g_string_append (page, "</figure>\n");
  return TRUE;
}

gboolean
es_report_append_scene (GString *page, EsCube *cube, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  const guint step = step_for (width, height, LARGEST_SCENE);
  const gsize columns = (width + step - 1) / step, rows = (height + step - 1) / step;
  g_autofree float *samples = g_new (float, columns * rows);
  g_autofree EsPlaneStatistics *statistics = g_new0 (EsPlaneStatistics, 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, columns, rows);
  const int stride = cairo_image_surface_get_stride (surface);
  guint8 *data = cairo_image_surface_get_data (surface);
  guint bands[3];

  es_cube_pick_rgb (cube, bands);
  if (data == NULL)
    {
      cairo_surface_destroy (surface);
      return fail (CAIRO_STATUS_NO_MEMORY, error);
    }
  cairo_surface_flush (surface);
  for (guint b = 0; b < 3; b++)
    {
      if (!es_cube_read_band_means (cube, bands[b], step, samples, cancellable, error))
        {
          cairo_surface_destroy (surface);
          return FALSE;
        }
      es_plane_statistics_compute (statistics, samples, columns * rows);
      Stretch stretch = make_stretch (statistics, FALSE, FALSE);
      for (gsize j = 0; j < rows; j++)
        for (gsize i = 0; i < columns; i++)
          {
            guint32 *pixel = &((guint32 *) (data + j * stride))[i];
            const float value = samples[j * columns + i];

            /* Missing in any band is missing: later bands leave the mark alone. */
            if (!isfinite (value))
              *pixel = MISSING;
            else if (b == 0)
              *pixel = level_of (value, &stretch) << 16;
            else if (*pixel != MISSING)
              *pixel |= level_of (value, &stretch) << (b == 1 ? 8 : 0);
          }
    }
  cairo_surface_mark_dirty (surface);

  g_autofree char *red = es_cube_get_band_label (cube, bands[0]);
  g_autofree char *green = es_cube_get_band_label (cube, bands[1]);
  g_autofree char *blue = es_cube_get_band_label (cube, bands[2]);
  g_autofree char *caption = g_strdup_printf (_("Red %s, green %s, blue %s"), red, green, blue);
  g_string_append (page, "<figure class=\"scene\">");
  if (!append_surface (page, surface, caption, error))
    return FALSE;
  es_markup_append_element (page, "figcaption", NULL, caption);
  g_string_append (page, "</figure>\n");
  return TRUE;
}

/* ---- plots ---- */

static EsPlot *
make_plot (EsCurve *curve, guint n_series)
{
  static const EsPlotStyle styles[] = {
    [ES_CURVE_LINE] = ES_PLOT_LINE, [ES_CURVE_BARS] = ES_PLOT_BARS, [ES_CURVE_STEM] = ES_PLOT_STEM,
  };
  EsPlot *plot = es_plot_new ();
  const EsCurveSeries *left = NULL, *right = NULL;
  guint n_left = 0;

  es_plot_set_x_axis (plot, es_curve_get_x_title (curve), es_curve_get_x_unit (curve));
  for (guint i = 0; i < n_series; i++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, i);

      if (series->style == ES_CURVE_LISTED)
        continue;
      es_plot_add_series (plot, series->title, styles[series->style], series->right_axis,
                          es_curve_get_length (curve), es_curve_get_x (curve), series->y);
      if (series->right_axis)
        right = series;
      else
        {
          left = series;
          n_left++;
        }
    }
  if (left != NULL)
    es_plot_set_y_axis (plot, es_curve_get_y_title (curve) != NULL ? es_curve_get_y_title (curve)
                              : n_left == 1 ? left->title : es_layer_get_title (ES_LAYER (curve)),
                        left->unit, es_curve_get_log_y (curve));
  if (right != NULL && g_strcmp0 (es_curve_get_role (curve), "scree") == 0)
    {
      const double full = g_strcmp0 (right->unit, "%") == 0 ? 100 : 1;

      es_plot_set_right_axis (plot, right->title, right->unit, 0, full);
      if (es_curve_get_threshold_key (curve) != NULL && isfinite (es_curve_get_threshold (curve)))
        es_plot_add_marker (plot, TRUE, es_curve_get_threshold (curve) * full, NULL, FALSE);
    }
  else if (right != NULL)
    es_plot_set_right_axis (plot, right->title, right->unit, NAN, NAN);
  return plot;
}

gboolean
es_report_append_curve (GString *page, EsCurve *curve, GError **error)
{
  const guint all = es_curve_get_n_series (curve), n = MIN (all, MOST_SERIES);
  const char *title = es_layer_get_title (ES_LAYER (curve));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (EsPlot) plot = make_plot (curve, n);
  g_autofree char *caption = n == all ? g_strdup (title)
                             /* TRANSLATORS: the title of a plot of which only the first curves are drawn */
                             : g_strdup_printf (_("%s (the first %u of %u)"), title, n, all);
  cairo_surface_t *surface = cairo_svg_surface_create_for_stream (append_bytes, bytes, PLOT_WIDTH, PLOT_HEIGHT);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  es_plot_draw (plot, cr, PLOT_WIDTH, PLOT_HEIGHT, &es_plot_colors_print);
  cairo_show_page (cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return fail (status, error);

  /* As an image of its own: the names inside of one drawing do not meet those of another. */
  g_string_append (page, "<figure>");
  append_image (page, "image/svg+xml", bytes, caption);
  es_markup_append_element (page, "figcaption", NULL, caption);
  g_string_append (page, "</figure>\n");
  return TRUE;
}

/* ---- matrices ---- */

gboolean
es_report_append_matrix (GString *page, EsMatrix *matrix, GError **error)
{
  const guint rows = es_matrix_get_n_rows (matrix), columns = es_matrix_get_n_columns (matrix);
  const double *values = es_matrix_get_values (matrix);
  const guint8 *entries = es_colormap_entries (ES_COLORMAP_DIVERGING);
  const char *title = es_layer_get_title (ES_LAYER (matrix));
  Stretch stretch;
  cairo_surface_t *surface;
  guint8 *data;

  es_matrix_get_range (matrix, &stretch.low, &stretch.high);
  if (isnan (stretch.low) || !(stretch.high > stretch.low))
    {
      double largest = 0;
      for (gsize i = 0; i < (gsize) rows * columns; i++)
        if (isfinite (values[i]))
          largest = MAX (largest, fabs (values[i]));
      stretch = (Stretch) { -MAX (largest, 1e-300), MAX (largest, 1e-300) };
    }
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, columns, rows);
  data = cairo_image_surface_get_data (surface);
  if (data == NULL)
    {
      cairo_surface_destroy (surface);
      return fail (CAIRO_STATUS_NO_MEMORY, error);
    }
  cairo_surface_flush (surface);
  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < columns; c++)
      {
        const double value = values[(gsize) r * columns + c];
        const guint8 *entry = isfinite (value) ? entries + 4 * level_of (value, &stretch) : NULL;

        ((guint32 *) (data + r * cairo_image_surface_get_stride (surface)))[c] =
          entry != NULL ? 0xff000000u | entry[0] << 16 | entry[1] << 8 | entry[2] : MISSING;
      }
  cairo_surface_mark_dirty (surface);

  g_autofree char *caption = es_matrix_get_rows_title (matrix) != NULL && es_matrix_get_columns_title (matrix) != NULL
                             ? g_strdup_printf (_("%s: %s (down), %s (across)"), title,
                                                es_matrix_get_rows_title (matrix), es_matrix_get_columns_title (matrix))
                             : g_strdup (title);
  g_string_append (page, "<figure class=\"scene\">");
  if (!append_surface (page, surface, caption, error))
    return FALSE;
  es_markup_append_element (page, "figcaption", NULL, caption);
  g_string_append (page, "</figure>\n");
  return TRUE;
}
