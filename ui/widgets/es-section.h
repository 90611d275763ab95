/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * A part of the inspector that folds: a heading that is a button, and a child, or one line that says what to
 * do while there is nothing to show. Properties "expanded", "detail" (readable).
 *
 * What it has can be taken to another place (ui/places), once es_section_set_movable () says so: then its heading has
 * a button and a menu for that, and a double click on it does the same. Signal "place" (const char *where): it is asked
 * to go "large", into a "window", back into the "column"; or within the column "up", "down", "across".
 */
/* Of scrollers around what a section has, where it is large: plots zoom by the wheel there (charts/es-plot-zoom.h). */
#define ES_SECTION_LARGE_CLASS "es-large"

#define ES_TYPE_SECTION (es_section_get_type ())
G_DECLARE_FINAL_TYPE (EsSection, es_section, ES, SECTION, GtkWidget)

/* widget is part of what is large. */
gboolean    es_section_is_large_around (GtkWidget *widget);

/* id: how folding is remembered; title is translated. */
GtkWidget  *es_section_new             (const char *id, const char *title, GtkWidget *child);
const char *es_section_get_id          (EsSection *self);
/* Right of the heading, dimmed: "x 88  y 120"; nullable. */
void        es_section_set_detail      (EsSection *self, const char *detail);
/* Shown instead of the child; NULL: the child. */
void        es_section_set_placeholder (EsSection *self, const char *sentence);
void        es_section_set_expanded    (EsSection *self, gboolean expanded);
gboolean    es_section_get_expanded    (EsSection *self);
const char *es_section_get_title       (EsSection *self);
const char *es_section_get_detail      (EsSection *self);

/* Of the heading. The menu may have the actions section.large, section.window and so on, as the places are named. */
void        es_section_set_movable     (EsSection *self, GMenuModel *menu);
/* Whether "across" leads anywhere. */
void        es_section_set_across      (EsSection *self, gboolean possible);
/* What it shows, to be put elsewhere; the sentence stands in its place. Transfer full; NULL: it is elsewhere by now. */
GtkWidget  *es_section_take_body       (EsSection *self, const char *sentence);
void        es_section_return_body     (EsSection *self);
/* What it shows is on the screen, here or elsewhere. */
gboolean    es_section_is_seen         (EsSection *self);
/* Where "place" would lead from here: the button says so. */
gboolean    es_section_is_away         (EsSection *self);

G_END_DECLS
