/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "array/es-array.h"

G_BEGIN_DECLS

/*
 * The elements of an array as a table in which everything can be changed: name, position, channel, gain, dead. Bears as
 * many rows as arrays have elements. Channels are counted from 1 here, as people do. Signal "changed": by the person.
 */
#define ES_TYPE_ELEMENT_TABLE (es_element_table_get_type ())
G_DECLARE_FINAL_TYPE (EsElementTable, es_element_table, ES, ELEMENT_TABLE, GtkWidget)

GtkWidget *es_element_table_new          (void);
/* n of them, copied. */
void       es_element_table_set_elements (EsElementTable *self, const EsElement *elements, guint n);
guint      es_element_table_get_n        (EsElementTable *self);
/* n of them; the array is the caller's (g_free ()), the names are the table's until it changes. */
EsElement *es_element_table_get_elements (EsElementTable *self);
/* What typing `text` into a cell of column ("name", "x", "y", "z", "channel", "gain") and Enter do. FALSE: refused, the
 * cell is as it was. */
gboolean   es_element_table_edit         (EsElementTable *self, guint row, const char *column, const char *text);
void       es_element_table_set_dead     (EsElementTable *self, guint row, gboolean dead);

G_END_DECLS
