/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-step-bars.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "plane/es-render-file-internal.h"

#define PNG_SCALE 2

static cairo_status_t
append (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

gboolean
es_step_bars_save (EsComparison *comparison, EsStepBarsStyle style, GFile *target, EsPlotFormat format, int width,
                   int height, GError **error)
{
  g_autoptr (GByteArray) contents = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  g_return_val_if_fail (ES_IS_COMPARISON (comparison), FALSE);

  if (format == ES_PLOT_PDF)
    surface = cairo_pdf_surface_create_for_stream (append, contents, width, height);
  else if (format == ES_PLOT_SVG)
    surface = cairo_svg_surface_create_for_stream (append, contents, width, height);
  else
    {
      surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width * PNG_SCALE, height * PNG_SCALE);
      cairo_surface_set_device_scale (surface, PNG_SCALE, PNG_SCALE);
    }
  cr = cairo_create (surface);
  es_step_bars_draw (comparison, style, cr, width, height, &es_plot_colors_print);
  cairo_show_page (cr);
  status = cairo_status (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == ES_PLOT_PNG)
    status = cairo_surface_write_to_png_stream (surface, append, contents);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return es_render_file_fail (target, cairo_status_to_string (status), error);
  bytes = g_bytes_new (contents->data, contents->len);
  return es_render_file_replace (target, bytes, error);
}
