/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beam-form-internal.h"
#include "es-beam-history.h"
#include "layer/es-field.h"
#include "layer/es-table.h"

G_BEGIN_DECLS

/* Rows of the bearing-time record that are allocated, and forgotten, together. */
#define ES_BEAM_HISTORY_CHUNK 1024

/* The spectra of a block as they are kept. */
typedef struct
{
  guint16 *of[ES_N_BEAM_KINDS];        /* n_angles x n_bins; NULL: none */
} EsBeamLevels;

/* What is kept of the newest blocks only. */
typedef struct
{
  guint    kinds;              /* bit (1 << EsBeamKind) of those that are there */
  guint16 *levels[ES_N_BEAM_KINDS];    /* n_angles x n_bins; NULL where there is no far row */
  float   *fields[ES_N_BEAM_KINDS];    /* n_ranges x n_angles */
} EsBeamMoment;

struct _EsBeamHistory
{
  GObject       parent_instance;

  guint64       spectra_limit, rows_limit;     /* bytes */
  EsBeamForm   *form;          /* of the newest block; NULL until there is one */
  EsBeamBlock  *newest;        /* NULL: none, or of a result */

  /* Rows in the order of their coming */
  guint         n_rows;
  GArray       *times;         /* n_rows of double */
  GArray       *adaptive_times;        /* the same of adaptive beams; NULL: there are none; shorter: like the rest */
  GByteArray   *row_kinds;     /* n_rows, as those of a moment; empty for a result */
  guint         n_of[ES_N_BEAM_KINDS];         /* rows that have it */
  GArray       *row_peaks;     /* es-beam-history-peaks.c; NULL until a row has adaptive beams */
  /* Of CHUNK x n_angles floats, as many entries for each kind; NULL entries: none there, or not read from the result
   * yet. */
  GPtrArray    *chunks[ES_N_BEAM_KINDS];
  gsize         chunk_bytes;   /* of all of them */

  /* A ring: the moment of the newest row is at (next - 1) modulo capacity */
  EsBeamMoment *ring;
  guint         capacity, next, n_moments;
  guint64       moment_bytes;  /* of all of them */

  /* Peaks linked over time: a tracker's, or those of a result */
  EsTracker    *tracker;       /* NULL until there is a row */
  GPtrArray    *own_tracks;    /* of EsTrack */
  guint         tracks_serial; /* besides the tracker's own */

  /* Of a result; what it lacks is NULL */
  EsResult     *result;
  EsField      *btr[ES_N_BEAM_KINDS], *lofar;
  guint         lofar_angle;
  float        *fraz[ES_N_BEAM_KINDS], *fields[ES_N_BEAM_KINDS];      /* over all of its time */
  double       *eigenvalues;   /* n_bins x n_eigenvalues */
  guint         n_eigenvalues;
  EsBeamProbe  *probe;
  guint         used;
};

/* As es_beam_history_append () and _replace (); takes the levels of the block, which are then NULL: so a worker can
 * make them while the main context draws. */
void     _es_beam_history_take        (EsBeamHistory *self, EsBeamBlock *block, EsBeamLevels *levels,
                                       gboolean replaces);

/* es-beam-history-result.c */
void     _es_beam_history_take_result (EsBeamHistory *self, EsResult *result);
void     _es_beam_history_drop_result (EsBeamHistory *self);
gboolean _es_beam_history_read_chunk  (EsBeamHistory *self, EsBeamKind kind, guint chunk);

/* es-beam-history-peaks.c: of the newest row, which is the block's */
void     _es_beam_history_keep_peaks  (EsBeamHistory *self, EsBeamBlock *block);
/* Of the oldest rows. */
void     _es_beam_history_forget_peaks (EsBeamHistory *self, guint n_rows);
gsize    _es_beam_history_get_peak_bytes (EsBeamHistory *self);

/* es-beam-history-tracks.c */
void     _es_beam_history_track       (EsBeamHistory *self, EsBeamBlock *block);
void     _es_beam_history_take_tracks (EsBeamHistory *self, EsTable *table);
void     _es_beam_history_drop_tracks (EsBeamHistory *self);

/* es-beam-history-levels.c: powers as 16 bits, hundredths of a decibel. Any thread. */
void     _es_beam_levels_encode  (const float *powers, guint16 *levels, gsize n);
/* What there is memory for. */
void     _es_beam_levels_make    (EsBeamLevels *self, EsBeamBlock *block);
void     _es_beam_levels_clear   (EsBeamLevels *self);
/* Every `step`th; n of them. */
void     _es_beam_levels_decode  (const guint16 *levels, gsize step, float *powers, gsize n);

G_END_DECLS
