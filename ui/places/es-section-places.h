/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-large-split.h"
#include "es-section-columns.h"

G_BEGIN_DECLS

/* Settings that say where the sections of cubes stand; all of them go back to what they were at first together. */
#define ES_SECTION_PLACES_SETTINGS \
  "cube-sections", "cube-large", "cube-large-fills", "cube-large-share", "cube-windows", "inspector-columns"

/*
 * Where each section of some columns stands: in its column, large in the middle (one of them at most), or in a window
 * of its own. It is kept in the settings at once, and follows them; windows come once the columns are on the screen and
 * what they show has to do with what is shown, and go with the columns' own window.
 *
 * Signal "changed": one of them stands elsewhere. "large" is told of one that comes into the middle, before it does:
 * what stands below the picture otherwise makes room.
 */
#define ES_TYPE_SECTION_PLACES (es_section_places_get_type ())
G_DECLARE_FINAL_TYPE (EsSectionPlaces, es_section_places, ES, SECTION_PLACES, GObject)

typedef enum { ES_SECTION_IN_COLUMN, ES_SECTION_LARGE, ES_SECTION_IN_WINDOW } EsSectionPlace;

/* columns: borrowed; disposes of this before them. */
EsSectionPlaces *es_section_places_new       (EsSectionColumns *columns);
/* Once, before anything is large. Borrowed, while it lives. */
void             es_section_places_set_split (EsSectionPlaces *self, EsLargeSplit *split);
void             es_section_places_add       (EsSectionPlaces *self, EsSection *section);
/* All of them have been added: they go where they stood last. */
void             es_section_places_restore   (EsSectionPlaces *self);
void             es_section_places_put       (EsSectionPlaces *self, EsSection *section, EsSectionPlace place);
EsSectionPlace   es_section_places_get       (EsSectionPlaces *self, EsSection *section);
/* NULL: none. */
EsSection       *es_section_places_get_large (EsSectionPlaces *self);
/* The one that widget (nullable) is part of, wherever it stands; NULL: none. */
EsSection       *es_section_places_find      (EsSectionPlaces *self, GtkWidget *widget);

G_END_DECLS
