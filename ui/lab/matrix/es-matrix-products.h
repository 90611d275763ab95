/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "result/es-result.h"

G_BEGIN_DECLS

/* The products that were measured in each format as bars: how near they come to the limit of the memory, and the one
 * that was chosen by itself marked. NULL: the result has no such measurements. */
GtkWidget *es_matrix_products_new (EsResult *result);

G_END_DECLS
