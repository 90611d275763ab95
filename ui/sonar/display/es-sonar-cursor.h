/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-source.h"

G_BEGIN_DECLS

/*
 * The one cursor of the displays: moment, bearing and frequency that are looked at, in a source. Signals: "changed"
 * (EsSonarChange: ES_SONAR_CHANGE_MOMENT, _BEARING, _TURNED, _FREQUENCY, _STRETCH, _HEARD), once for what changes
 * together; "seek" (double seconds).
 */
#define ES_TYPE_SONAR_CURSOR (es_sonar_cursor_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarCursor, es_sonar_cursor, ES, SONAR_CURSOR, GObject)

EsSonarCursor *es_sonar_cursor_new            (EsSonarSource *source);
/* s; NAN: now. What was chosen stays chosen in every source of the same recording that has it. */
double         es_sonar_cursor_get_time       (EsSonarCursor *self);
void           es_sonar_cursor_set_time       (EsSonarCursor *self, double time);
/* The row of that time; the one that is heard where there is none. FALSE: there are no rows, or none was heard. */
gboolean       es_sonar_cursor_get_row        (EsSonarCursor *self, guint64 *row);
/* The row whose spectra and field are looked at; G_MAXUINT: all of a result's time, where nobody points at a moment of
 * it. FALSE: as above. */
gboolean       es_sonar_cursor_get_spectra_row (EsSonarCursor *self, guint *row);
void           es_sonar_cursor_set_row        (EsSonarCursor *self, guint64 row);
double         es_sonar_cursor_get_bearing    (EsSonarCursor *self);      /* degrees; NAN: none */
void           es_sonar_cursor_set_bearing    (EsSonarCursor *self, double bearing);
/* The nearest of the angles there are. */
void           es_sonar_cursor_set_bearing_at (EsSonarCursor *self, double bearing);
/* At a place of the axis that bearings are written on, of a row (EsBearingScale): the nearest angle, and that side.
 * Where the array turns, the true bearing stays, and its beam is another one at every moment
 * (ES_SONAR_CHANGE_TURNED). */
void           es_sonar_cursor_point          (EsSonarCursor *self, double shown, guint64 row);
/* The same at the moment that is looked at. */
void           es_sonar_cursor_point_now      (EsSonarCursor *self, double shown);
/* Which of two places of the axis was pointed at: 0, or 1 for the mirror image. */
guint          es_sonar_cursor_get_side       (EsSonarCursor *self);
/* The angle nearest to it; -1: none. At a row: other than at the moment where the array turns. */
int            es_sonar_cursor_get_angle      (EsSonarCursor *self);
int            es_sonar_cursor_get_angle_at   (EsSonarCursor *self, guint64 row);
/* The true bearing that is kept while the array turns; NAN: none. */
double         es_sonar_cursor_get_held       (EsSonarCursor *self);
double         es_sonar_cursor_get_frequency  (EsSonarCursor *self);      /* Hz; NAN: none */
void           es_sonar_cursor_set_frequency  (EsSonarCursor *self, double frequency);
/* What is looked at closer, by frequency: at the cursor, or in the middle of the band. Hz (NAN: there are no bins), and
 * the nearest of the kept bins. */
double         es_sonar_cursor_get_probe_frequency (EsSonarCursor *self);
guint          es_sonar_cursor_find_bin       (EsSonarCursor *self);
/* The row whose powers are looked at; G_MAXUINT: their mean over all of a result's time, where nobody points at a
 * moment of it. FALSE: none. */
gboolean       es_sonar_cursor_get_powers_row (EsSonarCursor *self, guint *row);
/* Those powers, of the far row; NULL: there are none. Borrowed as from the history. */
const float   *es_sonar_cursor_get_powers     (EsSonarCursor *self, EsBeamKind kind);

/* The stretch of time that was selected last, by a rectangle between two rows: whole rows of it, s. FALSE: none. */
gboolean       es_sonar_cursor_get_stretch    (EsSonarCursor *self, double *begin, double *end);
/* Whether somebody else has drawn it. */
gboolean       es_sonar_cursor_is_selected_by_other (EsSonarCursor *self, gconstpointer owner);
/* owner: who has drawn the rectangle; bottom NAN: his is gone. */
void           es_sonar_cursor_select_rows    (EsSonarCursor *self, gconstpointer owner, double bottom, double top);

/* Where a beam is heard while nothing plays, s; NAN: nowhere. */
void           es_sonar_cursor_set_heard      (EsSonarCursor *self, double seconds);
/* What is heard among the rows, where that is another place than the one looked at: r + 0.5 in the middle of row r;
 * NAN: nothing. */
double         es_sonar_cursor_get_heard_place (EsSonarCursor *self);

/* The person asks to go there. */
void           es_sonar_cursor_seek           (EsSonarCursor *self, double seconds);
/* None, and no bearing is proposed any more. */
void           es_sonar_cursor_clear          (EsSonarCursor *self);
/* By keys: so many beams to the right, so many rows down (older). */
void           es_sonar_cursor_step           (EsSonarCursor *self, int beams, int rows);

G_END_DECLS
