/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-table.h"

G_BEGIN_DECLS

/* Parts of a page that needs nothing beside it, black on white, made to be printed too. */

/* Appends text with everything that HTML would take for itself replaced; what is not UTF-8 becomes U+FFFD. */
void es_markup_append_text    (GString *page, const char *text);
/* "<tag>text</tag>"; attributes may be NULL and are not escaped. */
void es_markup_append_element (GString *page, const char *tag, const char *attributes, const char *text);
/* A row of two cells; changed: set off from the others. */
void es_markup_append_fact    (GString *page, const char *title, const char *value, gboolean changed);
/* At most 200 rows, and it says so. */
void es_markup_append_table   (GString *page, EsTable *table);
/* The part before the first section, with the style. */
void es_markup_begin_page     (GString *page, const char *title);
/* The title of a section. */
void es_markup_begin_section  (GString *page, const char *title);

G_END_DECLS
