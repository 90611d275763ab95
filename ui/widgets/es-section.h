/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * A part of the inspector that folds: a heading that is a button, and a child, or one line that says what to
 * do while there is nothing to show. Property "expanded".
 */
#define ES_TYPE_SECTION (es_section_get_type ())
G_DECLARE_FINAL_TYPE (EsSection, es_section, ES, SECTION, GtkWidget)

/* id: how folding is remembered; title is translated. */
GtkWidget  *es_section_new             (const char *id, const char *title, GtkWidget *child);
const char *es_section_get_id          (EsSection *self);
/* Right of the heading, dimmed: "x 88  y 120"; nullable. */
void        es_section_set_detail      (EsSection *self, const char *detail);
/* Shown instead of the child; NULL: the child. */
void        es_section_set_placeholder (EsSection *self, const char *sentence);
void        es_section_set_expanded    (EsSection *self, gboolean expanded);
gboolean    es_section_get_expanded    (EsSection *self);

G_END_DECLS
