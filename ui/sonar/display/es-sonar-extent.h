/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-source.h"

G_BEGIN_DECLS

/*
 * Which rows of a source are in view: top (the newest) .. top - span, and whether the one that is heard is kept there,
 * page by page. Signal: "changed" (EsSonarChange: ES_SONAR_CHANGE_SCROLL).
 */
#define ES_SONAR_SHORTEST_SPAN 8       /* rows that are in view at least */

#define ES_TYPE_SONAR_EXTENT (es_sonar_extent_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarExtent, es_sonar_extent, ES, SONAR_EXTENT, GObject)

EsSonarExtent *es_sonar_extent_new        (EsSonarSource *source);
void           es_sonar_extent_get_rows   (EsSonarExtent *self, double *top, double *span);
/* Scrolling away from what is heard ends following, and back to it begins it. */
void           es_sonar_extent_set_rows   (EsSonarExtent *self, double top, double span);
/* Set by es_sonar_display_set_follow (), as the cursor follows, too. */
gboolean       es_sonar_extent_get_follow (EsSonarExtent *self);

G_END_DECLS
