/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "widgets/es-section.h"

G_BEGIN_DECLS

/*
 * Sections one above the other, in a column that scrolls, or in two of them beside each other: as the setting
 * "inspector-columns" says, automatically two where the window is wide. Each has its column and its place in the order,
 * which it keeps; those that nobody has moved alternate. Headings can be dragged to other places.
 *
 * Property "n-columns" (guint, read-only). Signal "moved": the order, or a column, is another one.
 */
#define ES_TYPE_SECTION_COLUMNS (es_section_columns_get_type ())
G_DECLARE_FINAL_TYPE (EsSectionColumns, es_section_columns, ES, SECTION_COLUMNS, GtkWidget)

GtkWidget *es_section_columns_new   (void);
void       es_section_columns_add   (EsSectionColumns *self, EsSection *section);
guint      es_section_columns_get_n (EsSectionColumns *self);
/* where: "up", "down" (past the next one that is visible there), "across". */
void       es_section_columns_move  (EsSectionColumns *self, EsSection *section, const char *where);

/* What is remembered: names in order, "NAME:0" or "NAME:1" those that were given a column. Empty: as they were added.
 * Names that nobody has are passed over, sections without a name in it stand where they stood. Transfer full. */
char     **es_section_columns_tell  (EsSectionColumns *self);
void       es_section_columns_take  (EsSectionColumns *self, const char *const *told);

G_END_DECLS
