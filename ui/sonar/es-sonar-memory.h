/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-view.h"

G_BEGIN_DECLS

/*
 * What a person has set of the look of a view, kept in the settings ("sonar-...") from one start to the next: which
 * displays stand in the middle, which are folded, where the divider is, which beams they are of, colours, normaliser,
 * what is drawn over the maps. What changes is written a moment later, and when this is freed.
 */
typedef struct _EsSonarMemory EsSonarMemory;

/* The view takes what the settings have. Freed before the view. */
EsSonarMemory *_es_sonar_memory_new  (EsSonarView *view, GSettings *settings);
void           _es_sonar_memory_free (EsSonarMemory *self);

G_END_DECLS
