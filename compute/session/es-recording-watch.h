/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * Looks from time to time whether more has been written to the files of a recording, on a thread; then the recording is
 * as long as they are ("frames"), and "growing" until nothing has come for a while. What was there has to be there
 * still: where its beginning, or what was its end, is not what it was, the recording stays as it is and "problem" says
 * so in a sentence (nullable; notified). So it does while a file is not where it was. Main context only; it looks as
 * long as it lives.
 */
#define ES_TYPE_RECORDING_WATCH (es_recording_watch_get_type ())
G_DECLARE_FINAL_TYPE (EsRecordingWatch, es_recording_watch, ES, RECORDING_WATCH, GObject)

EsRecordingWatch *es_recording_watch_new         (EsRecording *recording);
/* It looks no more, and nothing grows. */
void              es_recording_watch_stop        (EsRecordingWatch *self);
EsRecording      *es_recording_watch_get_recording (EsRecordingWatch *self);
const char       *es_recording_watch_get_problem (EsRecordingWatch *self);

G_END_DECLS
