/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Children side by side at their natural width, in as many rows as the width asks for. A child that expands takes what
 * its row has left; one without a size of its own that expands pushes what follows to the end of the row.
 */
#define ES_TYPE_WRAP_LAYOUT (es_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (EsWrapLayout, es_wrap_layout, ES, WRAP_LAYOUT, GtkLayoutManager)

GtkLayoutManager *es_wrap_layout_new (int spacing, int row_spacing);     /* in pixels */

G_END_DECLS
