/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "array/es-array.h"
#include "calibration/es-calibration.h"
#include "navigation/es-navigation.h"
#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * A recording of a hydrophone array: channels sampled together. Immutable but for its array, its calibration and its
 * navigation, which a person may tell later ("array", "calibration", "navigation", notified in the main context), and
 * for its length while it is still written ("frames"; "growing"): what was there stays as it was. Hours do not fit in
 * memory: samples are read by block.
 */
#define ES_TYPE_RECORDING (es_recording_get_type ())
G_DECLARE_FINAL_TYPE (EsRecording, es_recording, ES, RECORDING, EsDataset)

guint        es_recording_get_n_channels  (EsRecording *self);
double       es_recording_get_rate        (EsRecording *self);       /* Hz */
guint64      es_recording_get_frames      (EsRecording *self);       /* of the longest channel; any thread */
double       es_recording_get_seconds     (EsRecording *self);
/* Whether more of it came lately (EsRecordingWatch). */
gboolean     es_recording_is_growing      (EsRecording *self);
/* As far as no channel has ended: at least 1. */
guint64      es_recording_get_common_frames (EsRecording *self);
/* Mono files of unequal length: a channel is 0 from here on. */
guint64      es_recording_get_channel_frames (EsRecording *self, guint channel);
const char  *es_recording_get_channel_name (EsRecording *self, guint channel);   /* nullable */
const char  *es_recording_get_type_name   (EsRecording *self);       /* "int16", "int24", "float32": as stored */
const char  *es_recording_get_format_name (EsRecording *self);       /* "WAV", "Scripps SIO", "6 files (WAV)" */
/* What one unit of es_recording_read () is in micropascal (es_calibration_get_reference ()); NAN: not calibrated,
 * levels are relative to full scale. Channels may differ. Any thread, as what follows. */
double       es_recording_get_calibration (EsRecording *self);
/* The same of one channel; NAN where that is not calibrated, though others may be. */
double       es_recording_get_calibration_of (EsRecording *self, guint channel);
/* All of it: told by the file, by one beside it or named for it, or by a person. Nullable, transfer full. What computes
 * takes it once, so that all it says is of one calibration. */
EsCalibration *es_recording_dup_calibration (EsRecording *self);
/* NULL: from now on it is not calibrated. Checked before (es_calibration_check ()). */
void         es_recording_set_calibration (EsRecording *self, EsCalibration *calibration);
/* What its own file tells; nullable, transfer full. */
EsCalibration *es_recording_dup_own_calibration (EsRecording *self);
/* When it began and where its array points: told by the file, by one beside it or named for it, or by a person
 * ("navigation", notified as the array is). Nullable, transfer full; any thread. */
EsNavigation *es_recording_dup_navigation (EsRecording *self);
void         es_recording_set_navigation  (EsRecording *self, EsNavigation *navigation);
/* What its own file tells (a header, or a name such as 20190920T163858Z); nullable, transfer full. */
EsNavigation *es_recording_dup_own_navigation (EsRecording *self);
/* When it began, UTC; nullable, transfer full. */
GDateTime   *es_recording_dup_start       (EsRecording *self);
/* The files it consists of, one or one a channel; NULL-terminated, borrowed. */
GFile      * const *es_recording_get_files (EsRecording *self);

/* Told by a file (AIAA HDF5), a sidecar beside it, or a person; nullable. Transfer full; any thread. */
EsArray     *es_recording_get_array       (EsRecording *self);
void         es_recording_set_array       (EsRecording *self, EsArray *array);
/* The same by a person's hand: where it is another one than before, no file tells it. */
void         es_recording_describe_array  (EsRecording *self, EsArray *array);
/* FALSE: the array is one that a person has described, and is in no file yet. Any thread. */
gboolean     es_recording_is_array_saved  (EsRecording *self);
/* An array was written, or could not be. Nothing where the recording has another one by now. */
void         es_recording_set_array_saved (EsRecording *self, EsArray *array, gboolean saved);
/* What the file beside it is known to say, as it was read or written last; nullable, transfer full. Any thread. */
EsArray     *es_recording_dup_array_beside (EsRecording *self);
void         es_recording_set_array_beside (EsRecording *self, EsArray *array);
/* Why what was told with the files was not taken for its array, while there is none; one of its notes. Nullable,
 * transfer full. */
char        *es_recording_tell_missing_array (EsRecording *self);

/*
 * n frames from `first` on of channels first_channel .. + n_channels - 1 to out[frame * n_channels + channel], as
 * fractions of full scale (integers / 2^15, 2^23 or 2^31; floats as they are). Past the end of a channel: 0. Any
 * thread; blocking. ES_DATA_ERROR_TRUNCATED, _OPEN.
 */
gboolean     es_recording_read            (EsRecording *self, guint64 first, guint64 n, guint first_channel,
                                           guint n_channels, float *out, GError **error);

G_END_DECLS
