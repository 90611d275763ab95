/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "beam/es-beamformer.h"
#include "layer/es-layer.h"
#include "layer/es-table.h"
#include "result/es-result.h"
#include "signal/es-beam-peaks.h"
#include "signal/es-tracker.h"

G_BEGIN_DECLS

/*
 * The beams of a recording over its time: the model behind the displays, of what a player computes or of a result. Main
 * context only. A row is a block of the recording, counted from its beginning (0), whether it has come already or not:
 * blocks may come in any order, and one that comes again takes its own place. The bearing-time record keeps every row
 * (a day of seconds is 60 MB); the far spectra, which are some hundred kilobytes a row, as 16 bits of level, in memory
 * and then in a file as far as their budgets go (NAN where they are gone).
 *
 * Signals: "filled" (guint n: by how many rows the record has grown): rows have come or are others than before
 * (es_beam_history_get_fill ()), or the one heard last is another; "reset" (settings changed or emptied: everything is
 * new).
 */
#define ES_TYPE_BEAM_HISTORY (es_beam_history_get_type ())
G_DECLARE_FINAL_TYPE (EsBeamHistory, es_beam_history, ES, BEAM_HISTORY, GObject)

/* memory_limit: of spectra, in bytes, without a file; 0: 256 MB, and a file after it. */
EsBeamHistory *es_beam_history_new        (guint64 memory_limit);
/* One with the layers of a result ("btr", "energy-field", "fraz", each also with "-mvdr" and "-music"; "lofar",
 * "eigenvalues", "beam-pattern", "tracks"); what it lacks is not there. */
EsBeamHistory *es_beam_history_new_from_result (EsResult *result);
/* How long the recording is: from the first block on there are as many rows as it has whole blocks; more come when it
 * has grown. */
void           es_beam_history_set_frames (EsBeamHistory *self, guint64 frames);
/* To the row of its time; blocks of other settings reset the history first. One that is there already is heard again,
 * and nothing else. */
void           es_beam_history_append     (EsBeamHistory *self, EsBeamBlock *block);
/* The same, in the place of the row that is there. */
void           es_beam_history_replace    (EsBeamHistory *self, EsBeamBlock *block);
void           es_beam_history_clear      (EsBeamHistory *self);

/* NULL, 0 until there is a block. Borrowed. */
const EsBeamSettings *es_beam_history_get_settings (EsBeamHistory *self);
gboolean       es_beam_history_is_calibrated (EsBeamHistory *self);
guint          es_beam_history_get_n_rows (EsBeamHistory *self);
/* Whether the row has come; of the settings there are now (others: adaptive ones that have changed since). */
gboolean       es_beam_history_is_known   (EsBeamHistory *self, guint row);
gboolean       es_beam_history_is_current (EsBeamHistory *self, guint row);
guint          es_beam_history_get_n_known (EsBeamHistory *self);
guint          es_beam_history_get_n_current (EsBeamHistory *self);
/* Another number whenever rows that were current are not any more. */
guint          es_beam_history_get_generation (EsBeamHistory *self);
/* The row that was heard last; of a result its last one. FALSE: none. */
gboolean       es_beam_history_get_now    (EsBeamHistory *self, guint *row);
/* Which rows have come, one after the other since the last reset: entries first .. n - 1. Where there would be many
 * more than rows, those of rows that have come again since are left out, and what is left moves up to the end: who has
 * seen n of them misses nothing by going on with the larger of n and first. */
guint          es_beam_history_get_n_fills (EsBeamHistory *self);
guint          es_beam_history_get_first_fill (EsBeamHistory *self);
guint          es_beam_history_get_fill   (EsBeamHistory *self, guint i);
/* s of the recording: the middle of the row's block, of adaptive beams of all that they remember. */
double         es_beam_history_get_time   (EsBeamHistory *self, guint row);
double         es_beam_history_get_time_of (EsBeamHistory *self, EsBeamKind kind, guint row);
/* Where its block begins, s. */
double         es_beam_history_get_begin  (EsBeamHistory *self, guint row);
/* The row whose time is nearest. */
guint          es_beam_history_find_row   (EsBeamHistory *self, double time);
/* Where a time is among the rows: r + 0.5 at the time of row r. */
double         es_beam_history_find_place (EsBeamHistory *self, EsBeamKind kind, double time);
/* n_angles powers of the far row; borrowed until the next append. NULL: it has not come, or there is none. */
const float   *es_beam_history_get_row    (EsBeamHistory *self, guint row);
/* n_ranges x n_angles; kept as long as the spectra; NULL: gone. Of a result: of all of its time where row is G_MAXUINT,
 * or nothing is formed again. Borrowed until the next call or append. */
const float   *es_beam_history_get_field  (EsBeamHistory *self, guint row);
/* Whether spectra of any row are there; bytes that they take in memory and in a file, and whether some had no room. */
gboolean       es_beam_history_has_spectra (EsBeamHistory *self);
gboolean       es_beam_history_has_spectra_of (EsBeamHistory *self, EsBeamKind kind, guint row);
void           es_beam_history_get_spectra_use (EsBeamHistory *self, guint64 *memory, guint64 *file, gboolean *full);
/* Of how many rows spectra are there, and of how many they can be at a time; 0 and 0: not of single rows. */
void           es_beam_history_count_spectra (EsBeamHistory *self, guint64 *rows, guint64 *most);
/* n_bins powers of one beam, or n_angles of one bin; NAN where gone. FALSE: gone. */
gboolean       es_beam_history_copy_beam  (EsBeamHistory *self, guint row, guint angle, float *out);
/* n_bins x n_angles; of a result as its field. */
gboolean       es_beam_history_copy_fraz  (EsBeamHistory *self, guint row, float *out);

/* ---- of a result: what it kept, and what is formed again (EsBeamRecall) ---- */
/* The angle of the one beam whose spectra over time the result kept; G_MAXUINT: none, or it is no result. */
guint          es_beam_history_get_own_angle (EsBeamHistory *self);
/* The same where there are no others; G_MAXUINT: of every angle. */
guint          es_beam_history_get_only_angle (EsBeamHistory *self);
/* Whether spectra and fields of its rows are formed again; if not, why not: a sentence. NULL: nobody has asked. */
gboolean       es_beam_history_is_recalled (EsBeamHistory *self);
const char    *es_beam_history_get_refusal (EsBeamHistory *self);

/* ---- adaptive beams beside the conventional ones ---- */
/* Whether there are any of that kind (ES_BEAM_CBF: always once there is a block). */
gboolean       es_beam_history_has         (EsBeamHistory *self, EsBeamKind kind);
/* As the functions above, which are those of ES_BEAM_CBF. NULL, FALSE: none of that kind, or gone. Of a result, row
 * G_MAXUINT is the mean over all of its time; its arrivals are those of its table. */
const float   *es_beam_history_get_row_of   (EsBeamHistory *self, EsBeamKind kind, guint row);
const float   *es_beam_history_get_field_of (EsBeamHistory *self, EsBeamKind kind, guint row);
gboolean       es_beam_history_copy_fraz_of (EsBeamHistory *self, EsBeamKind kind, guint row, float *out);
/* A result's "lofar" is one record, of the kind that its operation is for: it is there for both. */
gboolean       es_beam_history_copy_beam_of (EsBeamHistory *self, EsBeamKind kind, guint row, guint angle, float *out);
/* A row as displays and files have it: adaptive beams are narrower than they are apart, and a beam's cell holds the
 * highest of the curve nearest to it, so that what is drawn passes through the peaks that are listed. Other kinds: as
 * es_beam_history_get_row_of (), which is what peaks are found in. Borrowed until the next call or append. */
const float   *es_beam_history_get_shown_row (EsBeamHistory *self, EsBeamKind kind, guint row);
/* Where that differs, and what stands between the beams there; *n: how many. Borrowed until the next append; NULL:
 * nowhere. */
const EsBeamLift *es_beam_history_get_lifts (EsBeamHistory *self, EsBeamKind kind, guint row, guint *n);
/* Peaks of the far row of a kind, as es_find_peaks () finds them; 0: there are none of that kind. */
guint          es_beam_history_find_peaks  (EsBeamHistory *self, EsBeamKind kind, guint row, guint count,
                                            double range_db, double distance, EsBeamPeak *peaks);
/* What counts as a peak, for tracks and for whoever lists peaks: at most so many (0: each as it likes), not weaker than
 * the strongest by more than range dB, distance degrees apart or more. Tracks are linked anew at once, of a result too,
 * from the rows that are kept; a result's own are its table's as long as these are the values it was made with. */
typedef struct
{
  guint  count;
  double range, distance;
} EsPeakThresholds;
void           es_beam_history_set_thresholds (EsBeamHistory *self, const EsPeakThresholds *thresholds);
EsPeakThresholds es_beam_history_get_thresholds (EsBeamHistory *self);
/* Peaks as above, by these thresholds where there are any, at most `most`; a display's own otherwise. */
guint          es_beam_history_list_peaks  (EsBeamHistory *self, EsBeamKind kind, guint row, guint most,
                                            double range_db, double distance, EsBeamPeak *peaks);
/* What a display lists as arrivals of a row: as above, and of adaptive beams none that are mere noise. */
guint          es_beam_history_list_arrivals (EsBeamHistory *self, EsBeamKind kind, guint row, guint most,
                                            EsBeamPeak *peaks);
/* The arrivals of a row of a result, in the columns of its table "peaks", which is of the mean over all of its time.
 * heading: where the array points then (NAN: not known), for columns of true bearings. Transfer full; NULL: the result
 * has no such table, or that row no beams. */
EsTable       *es_beam_history_make_peaks  (EsBeamHistory *self, guint row, double heading);
/*
 * What follows is of the row that somebody looks closer at (es_player_look_closer (), es_beam_recall_look_closer ())
 * once that has been formed, else of the newest block, or what a result kept. Borrowed until the next change.
 */
gboolean       es_beam_history_is_looked_closer_at (EsBeamHistory *self);
/* n_bins x *n; of a result the mean over its blocks. NULL: none. */
const double  *es_beam_history_get_eigenvalues (EsBeamHistory *self, guint *n);
/* NULL: none. Of a result: of the strongest arrival. */
const EsBeamProbe *es_beam_history_get_probe (EsBeamHistory *self);
/* NULL: no adaptive beams (a result kept none). */
const EsAdaptiveReport *es_beam_history_get_report (EsBeamHistory *self);
/* K, as es_beam_block_get_used (). */
guint          es_beam_history_get_used    (EsBeamHistory *self);
/* Whether adaptive beams of some row smear a tone between two bins (es_beam_block_has_loose_tones ()). */
gboolean       es_beam_history_has_loose_tones (EsBeamHistory *self);
/* The kind whose peaks are linked. */
EsBeamKind     es_beam_history_get_tracked (EsBeamHistory *self);
/* The peaks of the far row (MVDR where there is, else CBF) linked over time, from the first row on as far as there are
 * all; of what is heard beyond that, those of the rows heard one after the other; of a result: its table "tracks".
 * Borrowed; never NULL. Serial changes whenever they do. */
GPtrArray     *es_beam_history_get_tracks  (EsBeamHistory *self);
/* FALSE: what came before them is not known yet, and they are counted otherwise once it is. */
gboolean       es_beam_history_has_track_numbers (EsBeamHistory *self);
guint          es_beam_history_get_tracks_serial (EsBeamHistory *self);
guint64        es_beam_history_get_memory (EsBeamHistory *self);                            /* bytes */

G_END_DECLS
