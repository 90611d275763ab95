/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The list of a drop-down of operations, in the order of its model: a heading stands above the first of each group.
 * operations: of EsOperation; borrowed, of whoever has the drop-down. */
void es_operation_list_install (GtkDropDown *choice, GPtrArray *operations);

G_END_DECLS
