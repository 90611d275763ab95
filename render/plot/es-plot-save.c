/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <glib/gi18n-lib.h>

#include "es-plot-private.h"
#include "plane/es-render-file-internal.h"

#define PNG_SCALE 2
#define FONT_SIZE 10           /* points: what a figure in print has */
#define MAXIMUM_SIDE 16000     /* cairo's image surfaces end at 32767 */

static cairo_status_t
append (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
make_surface (EsPlot *self, EsPlotFormat format, int width, int height, GByteArray *contents)
{
  cairo_surface_t *surface = NULL;

  switch (format)
    {
    case ES_PLOT_PDF:
      surface = cairo_pdf_surface_create_for_stream (append, contents, width, height);
      cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Eigenscope " ES_VERSION);
      if (es_plot_get_heading (self) != NULL)
        cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, es_plot_get_heading (self));
      if (self->words != NULL)
        cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_SUBJECT, self->words);
      break;
    case ES_PLOT_SVG:
      surface = cairo_svg_surface_create_for_stream (append, contents, width, height);
      cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PT);
      break;
    case ES_PLOT_PNG:
      surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width * PNG_SCALE, height * PNG_SCALE);
      cairo_surface_set_device_scale (surface, PNG_SCALE, PNG_SCALE);
      break;
    default:
      g_assert_not_reached ();
    }
  return surface;
}

gboolean
es_plot_save (EsPlot *self, GFile *target, EsPlotFormat format, int width, int height, GError **error)
{
  g_return_val_if_fail (ES_IS_PLOT (self), FALSE);
  g_return_val_if_fail (G_IS_FILE (target), FALSE);

  if (width < 1 || height < 1 || width > MAXIMUM_SIDE || height > MAXIMUM_SIDE)
    {
      g_autofree char *reason = g_strdup_printf (_("a size of %d × %d was asked for, 1 to %d a side is possible"),
                                                 width, height, MAXIMUM_SIDE);
      return es_render_file_fail (target, reason, error);
    }

  g_signal_emit_by_name (self, "saved");

  GByteArray *contents = g_byte_array_new ();
  EsPlotLayout *layout = es_plot_layout_new (self, width, height, FONT_SIZE, TRUE);
  cairo_surface_t *surface = make_surface (self, format, width, height, contents);
  cairo_t *cr = cairo_create (surface);

  es_plot_draw_with (self, cr, layout, &es_plot_colors_print);
  cairo_show_page (cr);

  cairo_status_t status = cairo_status (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == ES_PLOT_PNG)
    status = cairo_surface_write_to_png_stream (surface, append, contents);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  es_plot_layout_free (layout);

  g_autoptr (GBytes) bytes = g_byte_array_free_to_bytes (contents);
  if (status != CAIRO_STATUS_SUCCESS)
    return es_render_file_fail (target, cairo_status_to_string (status), error);
  return es_render_file_replace (target, bytes, error);
}

static void
append_field (GString *text, const char *title, const char *unit)
{
  for (const char *c = title != NULL ? title : ""; *c != 0; c++)
    g_string_append_c (text, *c == '\t' || *c == '\n' ? ' ' : *c);
  if (unit != NULL)
    g_string_append_printf (text, " (%s)", unit);
}

static gboolean
same_x (const EsPlotSeries *a, const EsPlotSeries *b)
{
  for (guint i = 0; i < MIN (a->n, b->n); i++)
    if (a->x[i] != b->x[i] && !(a->x[i] != a->x[i] && b->x[i] != b->x[i]))
      return FALSE;
  return a->n == b->n;
}

static void
append_number (GString *text, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  /* An empty cell is how spreadsheets write a gap. */
  if (value == value)
    g_string_append (text, g_ascii_formatd (number, sizeof number, "%.10g", value));
}

/* A point that only interrupts its line: it stands where the one before does, and has no value. */
static gboolean
is_break (const EsPlotSeries *series, guint i)
{
  return i > 0 && series->y[i] != series->y[i] && series->x[i] == series->x[i - 1];
}

static gboolean
are_breaks (GPtrArray *all, guint i)
{
  for (guint s = 0; s < all->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (all, s);

      if (i < series->n && !is_break (series, i))
        return FALSE;
    }
  return TRUE;
}

/* One x column where all series share it, else one beside each. '.' is the decimal point whatever the language. */
char *
es_plot_to_text (EsPlot *self)
{
  g_return_val_if_fail (ES_IS_PLOT (self), NULL);

  GString *text = g_string_new (NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  gboolean shared = TRUE;
  guint n_rows = 0;

  /* One without points is a place that is kept free. */
  for (guint s = 0; s < self->series->len; s++)
    if (((EsPlotSeries *) g_ptr_array_index (self->series, s))->n > 0)
      g_ptr_array_add (all, g_ptr_array_index (self->series, s));
  for (guint s = 0; s < all->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (all, s);

      shared = shared && same_x (series, g_ptr_array_index (all, 0));
      n_rows = MAX (n_rows, series->n);
    }

  for (guint s = 0; s < all->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (all, s);
      const EsPlotAxis *axis = series->right_axis && self->has_right_axis ? &self->right_axis : &self->left_axis;

      if (s > 0)
        g_string_append_c (text, '\t');
      if (s == 0 || !shared)
        {
          append_field (text, self->x_axis.title, self->x_axis.unit);
          g_string_append_c (text, '\t');
        }
      append_field (text, series->title != NULL ? series->title : axis->title, axis->unit);
    }
  if (all->len > 0)
    g_string_append_c (text, '\n');

  for (guint i = 0; i < n_rows; i++)
    {
      if (are_breaks (all, i))
        continue;
      for (guint s = 0; s < all->len; s++)
        {
          const EsPlotSeries *series = g_ptr_array_index (all, s);

          if (s > 0)
            g_string_append_c (text, '\t');
          if (s == 0 || !shared)
            {
              if (i < series->n)
                append_number (text, series->x[i]);
              g_string_append_c (text, '\t');
            }
          if (i < series->n)
            append_number (text, series->y[i]);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
