/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-bearing-scale.h"
#include "es-sonar-change.h"
#include "es-sonar-cursor.h"
#include "es-sonar-extent.h"

G_BEGIN_DECLS

/* What a display does with its cursor and its rows in view, and nobody else. */

/* After the source has changed in that way. */
void _es_sonar_cursor_follow_source (EsSonarCursor *self, EsSonarChange change);
void _es_sonar_extent_follow_source (EsSonarExtent *self, EsSonarChange change);
/* How bearings are written from now on; nullable, borrowed until it is replaced. */
void _es_sonar_cursor_set_scale     (EsSonarCursor *self, EsBearingScale *scale);
/* Of another recording: no moment, bearing and frequency, and a bearing may be proposed again. */
void _es_sonar_cursor_forget        (EsSonarCursor *self);
/* Of another source: nothing is zoomed, and what plays is followed. */
void _es_sonar_extent_reset         (EsSonarExtent *self);
/* That row comes into view. */
void _es_sonar_extent_reveal        (EsSonarExtent *self, guint64 row);
void _es_sonar_extent_set_follow    (EsSonarExtent *self, gboolean follow);

G_END_DECLS
