/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "player/es-beam-history.h"
#include "recording/es-recording.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * What the displays of the sonar workspace show: a history of beams, its recording, the result that it was made of, and
 * its rows, counted as the history counts them: from the beginning of the recording (0).
 * Signal: "changed" (EsSonarChange), with ES_SONAR_CHANGE_ALL where it is another one or begins anew.
 */
#define ES_TYPE_SONAR_SOURCE (es_sonar_source_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarSource, es_sonar_source, ES, SONAR_SOURCE, GObject)

EsSonarSource  *es_sonar_source_new            (void);
/* Recording and result are nullable; history NULL: nothing. FALSE: they are those already. */
gboolean        es_sonar_source_set            (EsSonarSource *self, EsBeamHistory *history, EsRecording *recording,
                                                EsResult *result);
EsBeamHistory  *es_sonar_source_get_history    (EsSonarSource *self);      /* nullable */
EsRecording    *es_sonar_source_get_recording  (EsSonarSource *self);      /* nullable */
EsResult       *es_sonar_source_get_result     (EsSonarSource *self);      /* nullable */
const EsBeamSettings *es_sonar_source_get_settings (EsSonarSource *self);  /* nullable */
/* NULL where the recording has none; transfer full. */
EsArray        *es_sonar_source_get_array      (EsSonarSource *self);
gboolean        es_sonar_source_is_line        (EsSonarSource *self);
/* "dB re 1 µPa²", "dB re full scale". */
const char     *es_sonar_source_get_unit       (EsSonarSource *self);
/* The same of a kind of beams: MUSIC's are no powers. */
const char     *es_sonar_source_get_unit_of    (EsSonarSource *self, EsBeamKind kind);
/* What spectra by bin are multiplied by so that a tone in the middle of one reads its power, whatever the window and
 * the zeros behind it; 1 where that is not known, or for MUSIC. And the unit of what comes of it: "dB re full scale
 * (tones)", "dB re full scale a bin". */
double          es_sonar_source_get_tone_factor (EsSonarSource *self, EsBeamKind kind);
const char     *es_sonar_source_get_line_unit  (EsSonarSource *self, EsBeamKind kind);
/* Which kinds of beams there are: bits. */
guint           es_sonar_source_get_kinds      (EsSonarSource *self);
/* Elements that take part in beams; 0: not known. */
guint           es_sonar_source_count_elements (EsSonarSource *self);

/* Rows: 0 .. end - 1, whether they have come already or not. */
guint64         es_sonar_source_get_end        (EsSonarSource *self);
/* The one that is heard now, or was last; of a result its last one. FALSE: none. */
gboolean        es_sonar_source_get_now        (EsSonarSource *self, guint64 *row);
/* Whether a row has not come yet. */
gboolean        es_sonar_source_is_awaited     (EsSonarSource *self, guint64 row);
/* s: the middle of what a row is of; of a kind of beams; and where its block begins and ends. */
double          es_sonar_source_get_row_time   (EsSonarSource *self, guint64 row);
double          es_sonar_source_get_row_time_of (EsSonarSource *self, EsBeamKind kind, guint64 row);
double          es_sonar_source_get_row_begin  (EsSonarSource *self, guint64 row);
double          es_sonar_source_get_row_end    (EsSonarSource *self, guint64 row);

G_END_DECLS
