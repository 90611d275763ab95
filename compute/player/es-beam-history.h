/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beamformer.h"
#include "layer/es-layer.h"
#include "result/es-result.h"
#include "signal/es-beam-peaks.h"
#include "signal/es-tracker.h"

G_BEGIN_DECLS

/*
 * What has been heard so far: the model behind the displays, live (a player appends) or of a result. Main context only.
 * Rows are counted from the newest, 0. The bearing-time record keeps every row (a day of seconds is 60 MB); the far
 * spectra, which are some hundred kilobytes a row, as 16 bits of level in a ring of at most spectra_limit bytes: older
 * ones are gone (NAN). Signals: "appended" (guint n_rows), "replaced" (the newest row is another: the same block with
 * other adaptive beams), "reset" (settings changed or emptied: everything is new).
 */
#define ES_TYPE_BEAM_HISTORY (es_beam_history_get_type ())
G_DECLARE_FINAL_TYPE (EsBeamHistory, es_beam_history, ES, BEAM_HISTORY, GObject)

EsBeamHistory *es_beam_history_new        (guint64 spectra_limit);           /* bytes; 0: 256 MB */
/* One with the layers of a result ("btr", "energy-field", "fraz", each also with "-mvdr" and "-music"; "lofar",
 * "eigenvalues", "beam-pattern", "tracks"); what it lacks is not there. */
EsBeamHistory *es_beam_history_new_from_result (EsResult *result);
/* Blocks of other settings reset it first. */
void           es_beam_history_append     (EsBeamHistory *self, EsBeamBlock *block);
/* Of the newest row's frame and form but for what es_beam_settings_equal_but_adaptive () allows: takes its place. */
void           es_beam_history_replace    (EsBeamHistory *self, EsBeamBlock *block);
void           es_beam_history_clear      (EsBeamHistory *self);

/* NULL, 0 until there is a block. Borrowed. */
const EsBeamSettings *es_beam_history_get_settings (EsBeamHistory *self);
gboolean       es_beam_history_is_calibrated (EsBeamHistory *self);
guint          es_beam_history_get_n_rows (EsBeamHistory *self);
/* s of the recording: the middle of the row's block, of adaptive beams of all that they remember. */
double         es_beam_history_get_time   (EsBeamHistory *self, guint row);
double         es_beam_history_get_time_of (EsBeamHistory *self, EsBeamKind kind, guint row);
/* Where its block begins, s. */
double         es_beam_history_get_begin  (EsBeamHistory *self, guint row);
/* The row whose time is nearest. */
guint          es_beam_history_find_row   (EsBeamHistory *self, double time);
/* n_angles powers of the far row; borrowed until the next append. NULL: none. */
const float   *es_beam_history_get_row    (EsBeamHistory *self, guint row);
/* n_ranges x n_angles; kept for the newest rows only, as long as the spectra; NULL: gone. */
const float   *es_beam_history_get_field  (EsBeamHistory *self, guint row);
/* The newest row whose spectra are still there is 0; the oldest is this less one. */
guint          es_beam_history_get_n_spectra (EsBeamHistory *self);
/* n_bins powers of one beam, or n_angles of one bin; NAN where gone. FALSE: gone. */
gboolean       es_beam_history_copy_beam  (EsBeamHistory *self, guint row, guint angle, float *out);
/* A result's spectra over time are of one beam alone: its angle; G_MAXUINT: of every one. Its FRAZ and its field are
 * those of all of its time, whatever the row. */
guint          es_beam_history_get_only_angle (EsBeamHistory *self);
gboolean       es_beam_history_copy_fraz  (EsBeamHistory *self, guint row, float *out);     /* n_bins x n_angles */

/* ---- adaptive beams beside the conventional ones ---- */
/* Whether there are any of that kind (ES_BEAM_CBF: always once there is a block). */
gboolean       es_beam_history_has         (EsBeamHistory *self, EsBeamKind kind);
/* As the functions above, which are those of ES_BEAM_CBF. NULL, FALSE: none of that kind, or gone. */
const float   *es_beam_history_get_row_of   (EsBeamHistory *self, EsBeamKind kind, guint row);
const float   *es_beam_history_get_field_of (EsBeamHistory *self, EsBeamKind kind, guint row);
gboolean       es_beam_history_copy_fraz_of (EsBeamHistory *self, EsBeamKind kind, guint row, float *out);
/* A result's "lofar" is one record, of the kind that its operation is for: it is there for both. */
gboolean       es_beam_history_copy_beam_of (EsBeamHistory *self, EsBeamKind kind, guint row, guint angle, float *out);
/* Peaks of the far row of a kind, as es_find_peaks () finds them; 0: there are none of that kind. */
guint          es_beam_history_find_peaks  (EsBeamHistory *self, EsBeamKind kind, guint row, guint count,
                                            double range_db, double distance, EsBeamPeak *peaks);
/* n_bins x *n of the newest block, or of the result (mean over its blocks); NULL: none. Borrowed until the next
 * append. */
const double  *es_beam_history_get_eigenvalues (EsBeamHistory *self, guint *n);
/* Of the newest block; NULL: none. Borrowed until the next append. A result: its own of the strongest arrival. */
const EsBeamProbe *es_beam_history_get_probe (EsBeamHistory *self);
/* Of the newest block; NULL: no adaptive beams (a result has none). */
const EsAdaptiveReport *es_beam_history_get_report (EsBeamHistory *self);
/* K of the newest block, as es_beam_block_get_used (). */
guint          es_beam_history_get_used    (EsBeamHistory *self);
/* The kind whose peaks are linked. */
EsBeamKind     es_beam_history_get_tracked (EsBeamHistory *self);
/* The peaks of the far row (MVDR where there is, else CBF) linked over time; of a result: its table "tracks". Borrowed;
 * never NULL. Serial changes whenever they do. */
GPtrArray     *es_beam_history_get_tracks  (EsBeamHistory *self);
guint          es_beam_history_get_tracks_serial (EsBeamHistory *self);
guint64        es_beam_history_get_memory (EsBeamHistory *self);                            /* bytes */

G_END_DECLS
