/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beam-form-internal.h"
#include "es-beam-archive-private.h"
#include "es-beam-history.h"
#include "layer/es-field.h"
#include "layer/es-table.h"

G_BEGIN_DECLS

/* Rows of the bearing-time record that are allocated, and forgotten, together. */
#define ES_BEAM_HISTORY_CHUNK 1024

struct _EsBeamHistory
{
  GObject       parent_instance;

  guint64       memory_limit, file_limit, rows_limit;  /* bytes */
  guint64       frames;        /* of the recording; 0: not known */
  EsBeamForm   *form;          /* NULL until there is one */
  EsBeamBlock  *newest;        /* that was heard last; NULL: none, or of a result */
  EsBeamBlock  *closer;        /* that somebody looks closer at; NULL: none, or it is on its way */
  guint         now;           /* its row; G_MAXUINT: none */

  /* Rows by time */
  guint         n_rows;
  GArray       *times;         /* of a result: n_rows of double */
  GArray       *adaptive_times;        /* of adaptive beams; NULL: there are none; NAN, shorter: not known */
  double        adaptive_lag;  /* s: of the newest ones, behind the middle of their block */
  GByteArray   *row_kinds;     /* bits (1 << EsBeamKind); empty for a result */
  GArray       *generations;   /* guint: of what the row is; 0: it has not come */
  guint         generation;    /* another one where adaptive settings change */
  guint         n_known, n_current;
  guint         n_of[ES_N_BEAM_KINDS];         /* rows that have it */
  GArray       *fills;         /* of guint: the last ones */
  guint         first_fill;    /* number of the first of them */
  guint         n_new;         /* rows that nobody was told of yet */
  gboolean      is_news;
  GArray       *row_peaks;     /* es-beam-history-peaks.c; NULL until a row has adaptive beams */
  GArray       *row_lifts;     /* es-beam-history-lifts.c; the same, or of a result whose rows are lifted */
  float        *lifted;        /* n_angles; for reading; NULL until it is needed */
  /* Of CHUNK x n_angles floats, as many entries for each kind; NULL entries: none there, or not read from the result
   * yet. */
  GPtrArray    *chunks[ES_N_BEAM_KINDS];
  gsize         chunk_bytes;   /* of all of them */

  EsBeamArchive *archive;      /* of spectra and fields; NULL until there is a form */
  guint16      *levels;        /* n_angles x n_bins; for reading; NULL until it is needed */
  float        *field;         /* n_ranges x n_angles; the same */

  /* Peaks linked over time: from the first row on; of what is heard beyond that; or those of a result */
  EsTracker    *tracker, *heard;       /* NULL until there is a row */
  guint         tracked;       /* rows that the first one has seen */
  guint         heard_row;     /* that the second one has seen last */
  GPtrArray    *own_tracks;    /* of EsTrack */
  guint         tracks_serial; /* besides the trackers' own */
  EsPeakThresholds thresholds;

  /* Of a result; what it lacks is NULL */
  EsResult     *result;
  EsField      *btr[ES_N_BEAM_KINDS], *lofar;
  EsTable      *detections;
  guint         lofar_angle;
  float        *fraz[ES_N_BEAM_KINDS], *fields[ES_N_BEAM_KINDS];      /* over all of its time */
  float        *mean[ES_N_BEAM_KINDS];         /* the far row of that, as it is shown */
  double       *eigenvalues;   /* n_bins x n_eigenvalues */
  guint         n_eigenvalues;
  EsBeamProbe  *probe;         /* that it kept */
  guint         used;
  gboolean      has_loose_tones;       /* some row has, of the settings there are */
  gboolean      is_formable;   /* the form is what the result was computed with */
  char         *refusal;       /* why nothing is formed again; NULL: nobody has asked, or it is */
};

/* Takes a block, and tells nobody yet. archive: where its spectra are already; NULL: they go to the history's own.
 * replaces: in the place of what is there; heard: it is the newest that was heard, else one that was computed ahead. */
void     _es_beam_history_take        (EsBeamHistory *self, EsBeamBlock *block, EsBeamArchive *archive,
                                       gboolean replaces, gboolean heard);
/* What came of frames from `frame` on is not known any more. */
void     _es_beam_history_forget_from (EsBeamHistory *self, guint64 frame);
/* Of what has been taken since the last time. */
void     _es_beam_history_tell        (EsBeamHistory *self);

/* es-beam-history-fills.c: a row has come. */
void     _es_beam_history_note_fill   (EsBeamHistory *self, guint row);
/* It was there, and its spectra are again; nobody is told yet. */
void     _es_beam_history_refill      (EsBeamHistory *self, guint row);

/* es-beam-history-result.c */
void     _es_beam_history_take_result (EsBeamHistory *self, EsResult *result);
void     _es_beam_history_drop_result (EsBeamHistory *self);
gboolean _es_beam_history_read_chunk  (EsBeamHistory *self, EsBeamKind kind, guint chunk);

/* es-beam-history-recall.c: a result's blocks that are formed again. The form they have, an archive for them, and where
 * the first one begins; NULL: they cannot be, and the history says why. Transfer full. */
EsBeamForm *_es_beam_history_begin_recall (EsBeamHistory *self, guint64 *origin);
/* FALSE: it is not of what the result is of, and nothing of it is shown any more. */
gboolean _es_beam_history_recall      (EsBeamHistory *self, guint row, EsBeamBlock *block);
/* A block that somebody looks closer at, of a result or not; FALSE as above. */
gboolean _es_beam_history_take_closer (EsBeamHistory *self, guint row, EsBeamBlock *block);
/* Nobody does any more: what is newest, or what the result kept. */
void     _es_beam_history_drop_closer (EsBeamHistory *self);
/* es-beam-history.c: formed with the same of what a beamformer can change as it goes. */
gboolean _es_beam_history_is_adapted_alike (EsBeamForm *a, EsBeamForm *b);
/* Where a beam is loudest, by the rule that the operation has for the probe it keeps. */
guint    _es_beam_history_find_loudest (EsBeamHistory *self, guint angle);
/* Nothing is formed again; refusal: a sentence, why. */
void     _es_beam_history_end_recall  (EsBeamHistory *self, const char *refusal);
void     _es_beam_history_tell_reset  (EsBeamHistory *self);

/* es-beam-history-peaks.c: of the row, which is the block's */
void     _es_beam_history_keep_peaks  (EsBeamHistory *self, guint row, EsBeamBlock *block);
gsize    _es_beam_history_get_peak_bytes (EsBeamHistory *self);

/* es-beam-history-lifts.c */
void     _es_beam_history_keep_lifts  (EsBeamHistory *self, guint row, const EsBeamLift *lifts, guint n);
gsize    _es_beam_history_get_lift_bytes (EsBeamHistory *self);
/* Of a result, once its times are there: from its table "lifts"; nullable. */
void     _es_beam_history_take_lifts  (EsBeamHistory *self, EsTable *table);
/* Rows as the result has them, n from `first` on: back to what the adaptive beams themselves are. */
void     _es_beam_history_lower       (EsBeamHistory *self, guint first, guint n, float *rows);

/* es-beam-history-tracks.c: a row that was heard */
void     _es_beam_history_track_heard (EsBeamHistory *self, guint row);
/* Goes on from the first row; TRUE: there is more to do. */
gboolean _es_beam_history_track       (EsBeamHistory *self, guint most_rows);
/* Begins anew, but for what is heard. */
void     _es_beam_history_retrack     (EsBeamHistory *self);
void     _es_beam_history_take_tracks (EsBeamHistory *self, EsTable *table);
void     _es_beam_history_drop_tracks (EsBeamHistory *self);

/* es-beam-history-levels.c: powers as 16 bits, hundredths of a decibel. Any thread. */
void     _es_beam_levels_encode  (const float *powers, guint16 *levels, gsize n);
/* Every `step`th; n of them. */
void     _es_beam_levels_decode  (const guint16 *levels, gsize step, float *powers, gsize n);

G_END_DECLS
