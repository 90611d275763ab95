/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "page/es-drawing.h"

G_BEGIN_DECLS

/* An EsDrawingPrint; of the module it is ES_DRAWING_PRINT_ENTRY. */
gboolean es_drawing_print_pdf (EsDrawing * const *pages, guint n, GByteArray *contents);

G_END_DECLS
