/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beamformer.h"
#include "es-layer.h"

G_BEGIN_DECLS

/*
 * What has been heard so far: the model behind the displays, live (a player appends) or of a result. Main context only.
 * Rows are counted from the newest, 0. The bearing-time record keeps every row (a day of seconds is 60 MB); the far
 * spectra, which are some hundred kilobytes a row, as 16 bits of level in a ring of at most spectra_limit bytes: older
 * ones are gone (NAN). Signals: "appended" (guint n_rows), "reset" (settings changed or emptied: everything is new).
 */
#define ES_TYPE_BEAM_HISTORY (es_beam_history_get_type ())
G_DECLARE_FINAL_TYPE (EsBeamHistory, es_beam_history, ES, BEAM_HISTORY, GObject)

EsBeamHistory *es_beam_history_new        (guint64 spectra_limit);           /* bytes; 0: 256 MB */
/* One with the layers of a result ("btr", "energy-field", "fraz", "lofar"); what it lacks is not there. */
EsBeamHistory *es_beam_history_new_from_result (EsResult *result);
/* Blocks of other settings reset it first. */
void           es_beam_history_append     (EsBeamHistory *self, EsBeamBlock *block);
void           es_beam_history_clear      (EsBeamHistory *self);

/* NULL, 0 until there is a block. Borrowed. */
const EsBeamSettings *es_beam_history_get_settings (EsBeamHistory *self);
gboolean       es_beam_history_is_calibrated (EsBeamHistory *self);
guint          es_beam_history_get_n_rows (EsBeamHistory *self);
double         es_beam_history_get_time   (EsBeamHistory *self, guint row);      /* s of the recording */
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
guint64        es_beam_history_get_memory (EsBeamHistory *self);                            /* bytes */

G_END_DECLS
