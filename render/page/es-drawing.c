/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-drawing.h"

#include <math.h>

#include "es-markup.h"

static EsDrawingPrint printer;

void
es_drawing_set_print (EsDrawingPrint print)
{
  printer = print;
}

gboolean
es_drawing_print (EsDrawing * const *pages, guint n, GByteArray *contents)
{
  return printer != NULL && printer (pages, n, contents);
}

static void
clear_item (gpointer data)
{
  g_free (((EsDrawn *) data)->text);
}

EsDrawing *
es_drawing_new (double width, double height)
{
  EsDrawing *self = g_new0 (EsDrawing, 1);

  self->width = width;
  self->height = height;
  self->items = g_array_new (FALSE, TRUE, sizeof (EsDrawn));
  g_array_set_clear_func (self->items, clear_item);
  return self;
}

void
es_drawing_free (EsDrawing *self)
{
  g_array_unref (self->items);
  g_free (self);
}

static void
add (EsDrawing *self, const EsDrawn *item)
{
  g_array_append_vals (self->items, item, 1);
}

void
es_drawing_add_box (EsDrawing *self, double x, double y, double width, double height, guint32 color)
{
  add (self, &(EsDrawn) { .kind = ES_DRAWN_BOX, .x = x, .y = y, .x2 = width, .y2 = height, .color = color });
}

void
es_drawing_add_line (EsDrawing *self, double x, double y, double x2, double y2, double width, guint32 color,
                     gboolean dashed)
{
  add (self, &(EsDrawn) { .kind = ES_DRAWN_LINE, .x = x, .y = y, .x2 = x2, .y2 = y2, .size = width, .color = color,
                          .dashed = dashed });
}

void
es_drawing_add_dot (EsDrawing *self, double x, double y, double radius, guint32 color)
{
  add (self, &(EsDrawn) { .kind = ES_DRAWN_DOT, .x = x, .y = y, .size = radius, .color = color });
}

void
es_drawing_add_text (EsDrawing *self, double x, double y, double size, double align, guint32 color, gboolean bold,
                     const char *text)
{
  add (self, &(EsDrawn) { .kind = ES_DRAWN_TEXT, .x = x, .y = y, .size = size, .align = align, .color = color,
                          .bold = bold, .text = g_strdup (text) });
}

void
es_drawing_add_drawing (EsDrawing *self, const EsDrawing *other, double down)
{
  for (guint i = 0; i < other->items->len; i++)
    {
      EsDrawn item = g_array_index (other->items, EsDrawn, i);

      item.y += down;
      if (item.kind == ES_DRAWN_LINE)
        item.y2 += down;
      item.text = g_strdup (item.text);
      add (self, &item);
    }
}

/* ---- as SVG: numbers with a point, whatever the language is ---- */

static void
append_number (GString *page, const char *name, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (page, " %s=\"%s\"", name, g_ascii_formatd (buffer, sizeof buffer, "%.2f", value));
}

static void
append_color (GString *page, const char *name, guint32 color)
{
  g_string_append_printf (page, " %s=\"#%06x\"", name, color & 0xffffff);
}

static void
append_text (GString *page, const EsDrawn *item)
{
  g_string_append (page, "<text");
  append_number (page, "x", item->x);
  append_number (page, "y", item->y);
  append_number (page, "font-size", item->size);
  append_color (page, "fill", item->color);
  if (item->align > 0)
    g_string_append_printf (page, " text-anchor=\"%s\"", item->align < 1 ? "middle" : "end");
  if (item->bold)
    g_string_append (page, " font-weight=\"bold\"");
  g_string_append (page, ">");
  es_markup_append_text (page, item->text);
  g_string_append (page, "</text>\n");
}

static void
append_item (GString *page, const EsDrawn *item)
{
  switch (item->kind)
    {
    case ES_DRAWN_BOX:
      g_string_append (page, "<rect");
      append_number (page, "x", item->x);
      append_number (page, "y", item->y);
      append_number (page, "width", item->x2);
      append_number (page, "height", item->y2);
      append_color (page, "fill", item->color);
      break;
    case ES_DRAWN_LINE:
      g_string_append (page, "<line");
      append_number (page, "x1", item->x);
      append_number (page, "y1", item->y);
      append_number (page, "x2", item->x2);
      append_number (page, "y2", item->y2);
      append_number (page, "stroke-width", item->size);
      append_color (page, "stroke", item->color);
      if (item->dashed)
        g_string_append (page, " stroke-dasharray=\"5 4\"");
      break;
    case ES_DRAWN_DOT:
      g_string_append (page, "<circle");
      append_number (page, "cx", item->x);
      append_number (page, "cy", item->y);
      append_number (page, "r", item->size);
      append_color (page, "fill", item->color);
      break;
    case ES_DRAWN_TEXT:
    default:
      append_text (page, item);
      return;
    }
  g_string_append (page, "/>\n");
}

void
es_drawing_append_svg (const EsDrawing *self, const char *title, GString *page)
{
  g_string_append_printf (page, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 %.0f %.0f\" "
                          "width=\"%.0f\" height=\"%.0f\" font-family=\"system-ui,'Noto Sans','Noto Sans CJK SC',"
                          "sans-serif\">\n", self->width, self->height, self->width, self->height);
  es_markup_append_element (page, "title", NULL, title);
  for (guint i = 0; i < self->items->len; i++)
    append_item (page, &g_array_index (self->items, EsDrawn, i));
  g_string_append (page, "</svg>\n");
}
