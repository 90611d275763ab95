/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "player/es-beam-history.h"
#include "picture/es-heatmap.h"
#include "signal/es-normalise.h"
#include "player/es-player.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * What the displays of the sonar workspace have in common: the history they show, the one cursor (time, bearing,
 * frequency), what of the record is in view, and the look. Rows here are counted from the first one of the history (0),
 * so that they stay what they are while it grows. Signals: "changed" (EsSonarChange); "seek" (double seconds).
 */
#define ES_TYPE_SONAR_DISPLAY (es_sonar_display_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarDisplay, es_sonar_display, ES, SONAR_DISPLAY, GObject)

typedef enum
{
  ES_SONAR_HISTORY = 1 << 0,   /* another one, or begun anew: everything is to be shown afresh */
  ES_SONAR_APPENDED = 1 << 1,
  ES_SONAR_MOMENT = 1 << 2,    /* another row is the one that is looked at */
  ES_SONAR_BEARING = 1 << 3,
  ES_SONAR_FREQUENCY = 1 << 4,
  ES_SONAR_LOOK = 1 << 5,      /* colours and their range */
  ES_SONAR_NORMALISER = 1 << 6,
  ES_SONAR_SCROLL = 1 << 7,    /* other rows are in view */
  ES_SONAR_REPLACED = 1 << 8,  /* the newest row is another one */
  ES_SONAR_MARKS = 1 << 9,     /* what is drawn over the maps; whether pairs of them stand side by side */
  ES_SONAR_ALL = 0x3ff,
} EsSonarChange;

EsSonarDisplay *es_sonar_display_new           (void);
/* What is shown: recording and result are nullable; history NULL: nothing. */
void            es_sonar_display_set_source    (EsSonarDisplay *self, EsBeamHistory *history, EsRecording *recording,
                                                EsResult *result);
EsBeamHistory  *es_sonar_display_get_history   (EsSonarDisplay *self);     /* nullable */
EsRecording    *es_sonar_display_get_recording (EsSonarDisplay *self);     /* nullable */
EsResult       *es_sonar_display_get_result    (EsSonarDisplay *self);     /* nullable */
const EsBeamSettings *es_sonar_display_get_settings (EsSonarDisplay *self);      /* nullable */
/* NULL where the recording has none; transfer full. */
EsArray        *es_sonar_display_get_array     (EsSonarDisplay *self);
gboolean        es_sonar_display_is_line       (EsSonarDisplay *self);
/* "dB re 1 µPa²", "dB re full scale". */
const char     *es_sonar_display_get_unit      (EsSonarDisplay *self);
/* The same of a kind of beams: MUSIC's are no powers. */
const char     *es_sonar_display_get_unit_of   (EsSonarDisplay *self, EsBeamKind kind);
/* Which kinds of beams there are: bits. */
guint           es_sonar_display_get_kinds     (EsSonarDisplay *self);
/* Elements that take part in beams; 0: not known. */
guint           es_sonar_display_count_elements (EsSonarDisplay *self);

/* Rows: first .. end - 1 are there. */
guint64         es_sonar_display_get_first     (EsSonarDisplay *self);
guint64         es_sonar_display_get_end       (EsSonarDisplay *self);
double          es_sonar_display_get_row_time  (EsSonarDisplay *self, guint64 row);
/* The same, as the history counts: from the newest. */
guint           es_sonar_display_to_history    (EsSonarDisplay *self, guint64 row);

/* Powers of the far row at the moment that is looked at; NULL: there are none. Borrowed as from the history. */
const float    *es_sonar_display_get_powers    (EsSonarDisplay *self, EsBeamKind kind);
/* The row of a track's first point. FALSE: not known. */
gboolean        es_sonar_display_find_track    (EsSonarDisplay *self, guint id, gint64 *row);

/* ---- the cursor ---- */
double          es_sonar_display_get_time      (EsSonarDisplay *self);     /* s; NAN: now */
void            es_sonar_display_set_time      (EsSonarDisplay *self, double time);
/* The row of that time; the newest where there is none. FALSE: there are no rows. */
gboolean        es_sonar_display_get_row       (EsSonarDisplay *self, guint64 *row);
void            es_sonar_display_set_row       (EsSonarDisplay *self, guint64 row);
double          es_sonar_display_get_bearing   (EsSonarDisplay *self);     /* degrees; NAN: none */
void            es_sonar_display_set_bearing   (EsSonarDisplay *self, double bearing);
/* The nearest of the angles there are. */
void            es_sonar_display_set_bearing_at (EsSonarDisplay *self, double bearing);
/* The angle nearest to it; -1: none. */
int             es_sonar_display_get_angle     (EsSonarDisplay *self);
double          es_sonar_display_get_frequency (EsSonarDisplay *self);     /* Hz; NAN: none */
void            es_sonar_display_set_frequency (EsSonarDisplay *self, double frequency);
/* What is looked at closer, by frequency: at the cursor, or in the middle of the band. Hz (NAN: there are no bins), and
 * the nearest of the kept bins. */
double          es_sonar_display_get_probe_frequency (EsSonarDisplay *self);
guint           es_sonar_display_find_bin      (EsSonarDisplay *self);
/* The person asks to go there. */
void            es_sonar_display_seek          (EsSonarDisplay *self, double seconds);
void            es_sonar_display_clear_cursor  (EsSonarDisplay *self);
/* By keys: so many beams to the right, so many rows down (older). */
void            es_sonar_display_step          (EsSonarDisplay *self, int beams, int rows);

/* ---- what is in view: rows top (the newest) .. top - span ---- */
gboolean        es_sonar_display_get_follow    (EsSonarDisplay *self);
void            es_sonar_display_set_follow    (EsSonarDisplay *self, gboolean follow);
void            es_sonar_display_get_view      (EsSonarDisplay *self, double *top, double *span);
/* Scrolling away from the newest ends following, and back to it begins it. */
void            es_sonar_display_set_view      (EsSonarDisplay *self, double top, double span);

/* ---- the look ---- */
EsNormaliserKind es_sonar_display_get_normaliser (EsSonarDisplay *self);
void            es_sonar_display_set_normaliser (EsSonarDisplay *self, EsNormaliserKind kind);
/* As it is for a line of n values. */
EsNormaliser    es_sonar_display_make_normaliser (EsSonarDisplay *self, guint n);
EsColormap      es_sonar_display_get_colormap  (EsSonarDisplay *self);
void            es_sonar_display_set_colormap  (EsSonarDisplay *self, EsColormap map);
double          es_sonar_display_get_range     (EsSonarDisplay *self);     /* dB; 0: from what is in view */
void            es_sonar_display_set_range     (EsSonarDisplay *self, double range);
gboolean        es_sonar_display_get_auto_top  (EsSonarDisplay *self);
void            es_sonar_display_set_auto_top  (EsSonarDisplay *self, gboolean auto_top);
/* Gives a map its colours: their range from rows from .. to - 1, as the look asks for. low, high: what it was before,
 * NAN at first; kept by the caller. over_background: of what is normalised, the background is the darkest. */
void            es_sonar_display_fit           (EsSonarDisplay *self, EsHeatmap *map, guint64 from, guint64 to,
                                                gboolean over_background, double *low, double *high);
gboolean        es_sonar_display_get_plan      (EsSonarDisplay *self);
void            es_sonar_display_set_plan      (EsSonarDisplay *self, gboolean plan);
gboolean        es_sonar_display_get_harmonics (EsSonarDisplay *self);
void            es_sonar_display_set_harmonics (EsSonarDisplay *self, gboolean harmonics);
/* Tracks are drawn on the bearing-time record. */
gboolean        es_sonar_display_get_tracks    (EsSonarDisplay *self);
void            es_sonar_display_set_tracks    (EsSonarDisplay *self, gboolean tracks);
/* Displays of two kinds of beams stand side by side, where there are two. */
gboolean        es_sonar_display_get_beside    (EsSonarDisplay *self);
void            es_sonar_display_set_beside    (EsSonarDisplay *self, gboolean beside);

G_END_DECLS
