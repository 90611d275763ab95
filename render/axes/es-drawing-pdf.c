/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Drawings by cairo: a page each. Nothing of the pages' library is called, so that this may lie in a module. */

#include <cairo-pdf.h>
#include <math.h>

#include "es-drawing-pdf.h"
#include "es-plot-internal.h"

#define MARGIN 36.0

static cairo_status_t
append (void *data, const unsigned char *bytes, unsigned int length)
{
  g_byte_array_append (data, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

static void
draw_text (cairo_t *cr, const EsDrawn *item)
{
  PangoLayout *text = es_plot_text_new (cr, item->size, item->bold, item->text);

  es_plot_draw_text (cr, text, item->x, item->y - (double) pango_layout_get_baseline (text) / PANGO_SCALE,
                     item->align);
  g_object_unref (text);
}

static void
draw_item (cairo_t *cr, const EsDrawn *item)
{
  static const double dashes[] = { 5, 4 };

  cairo_set_source_rgb (cr, (item->color >> 16 & 0xff) / 255.0, (item->color >> 8 & 0xff) / 255.0,
                        (item->color & 0xff) / 255.0);
  switch (item->kind)
    {
    case ES_DRAWN_BOX:
      cairo_rectangle (cr, item->x, item->y, item->x2, item->y2);
      cairo_fill (cr);
      break;
    case ES_DRAWN_LINE:
      cairo_set_dash (cr, dashes, item->dashed ? G_N_ELEMENTS (dashes) : 0, 0);
      cairo_set_line_width (cr, item->size);
      cairo_move_to (cr, item->x, item->y);
      cairo_line_to (cr, item->x2, item->y2);
      cairo_stroke (cr);
      break;
    case ES_DRAWN_DOT:
      cairo_arc (cr, item->x, item->y, item->size, 0, 2 * G_PI);
      cairo_fill (cr);
      break;
    case ES_DRAWN_TEXT:
    default:
      draw_text (cr, item);
    }
}

gboolean
es_drawing_print_pdf (EsDrawing * const *pages, guint n, GByteArray *contents)
{
  cairo_surface_t *surface;
  cairo_status_t status;
  cairo_t *cr;

  if (n == 0)
    return TRUE;
  surface = cairo_pdf_surface_create_for_stream (append, contents, 1, 1);
  /* By which a later page knows that it is one of the program's. */
  cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATOR, "Eigenscope " ES_VERSION);
  cr = cairo_create (surface);
  for (guint i = 0; i < n; i++)
    {
      cairo_pdf_surface_set_size (surface, pages[i]->width + 2 * MARGIN, pages[i]->height + 2 * MARGIN);
      cairo_save (cr);
      cairo_translate (cr, MARGIN, MARGIN);
      for (guint k = 0; k < pages[i]->items->len; k++)
        draw_item (cr, &g_array_index (pages[i]->items, EsDrawn, k));
      cairo_restore (cr);
      cairo_show_page (cr);
    }
  status = cairo_status (cr);
  cairo_destroy (cr);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status == CAIRO_STATUS_SUCCESS;
}
