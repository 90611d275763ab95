/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A drawing of a few lines, boxes and words that does not know yet what it will be drawn with: it becomes SVG as text,
 * or goes to whoever draws by cairo. In points, from the top left corner down.
 */
typedef enum { ES_DRAWN_BOX, ES_DRAWN_LINE, ES_DRAWN_DOT, ES_DRAWN_TEXT } EsDrawnKind;

typedef struct
{
  EsDrawnKind kind;
  double      x, y;            /* a text: of its beginning, middle or end, on its base line */
  double      x2, y2;          /* a box: width and height; a line: its end */
  double      size;            /* a line: its width; a dot: its radius; a text: of its letters */
  double      align;           /* a text: 0 begins at x, 0.5 has its middle there, 1 ends there */
  guint32     color;           /* 0xRRGGBB */
  gboolean    dashed, bold;
  char       *text;
} EsDrawn;

typedef struct
{
  double  width, height;
  GArray *items;               /* of EsDrawn, each over those before it */
} EsDrawing;

EsDrawing *es_drawing_new  (double width, double height);
void       es_drawing_free (EsDrawing *self);
void       es_drawing_add_box  (EsDrawing *self, double x, double y, double width, double height, guint32 color);
void       es_drawing_add_line (EsDrawing *self, double x, double y, double x2, double y2, double width, guint32 color,
                                gboolean dashed);
void       es_drawing_add_dot  (EsDrawing *self, double x, double y, double radius, guint32 color);
void       es_drawing_add_text (EsDrawing *self, double x, double y, double size, double align, guint32 color,
                                gboolean bold, const char *text);
/* All of another one, so much lower. */
void       es_drawing_add_drawing (EsDrawing *self, const EsDrawing *other, double down);
/* "<svg ...>...</svg>", appended; title: for who cannot see it. */
void       es_drawing_append_svg (const EsDrawing *self, const char *title, GString *page);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsDrawing, es_drawing_free)

/* What draws by cairo may lie in a module: each drawing as a page of a PDF, appended. FALSE: it cannot. */
#define ES_DRAWING_PRINT_ENTRY "es_drawing_print_pdf"
typedef gboolean (*EsDrawingPrint) (EsDrawing * const *pages, guint n, GByteArray *contents);

/* Before the first PDF; NULL: there are none. Of no pages it says whether it can. */
void     es_drawing_set_print (EsDrawingPrint print);
gboolean es_drawing_print     (EsDrawing * const *pages, guint n, GByteArray *contents);

G_END_DECLS
