/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recording/es-recording.h"

G_BEGIN_DECLS

/* What a person has told of a recording, and no file has: its calibration, or its start and heading, as it was when
 * this was made. */
#define ES_TYPE_MADE_TOLD (es_made_told_get_type ())
G_DECLARE_FINAL_TYPE (EsMadeTold, es_made_told, ES, MADE_TOLD, GObject)

/* Adds those there are to a list of objects. */
void         es_made_told_list          (EsRecording *recording, GPtrArray *list);
EsRecording *es_made_told_get_recording (EsMadeTold *self);      /* borrowed */
/* "Calibration of sea.wav". Transfer full. */
char        *es_made_told_describe      (EsMadeTold *self);
/* ".calibration.json": of its file beside the recording. */
const char  *es_made_told_get_ending    (EsMadeTold *self);
/* Any thread. */
gboolean     es_made_told_save          (EsMadeTold *self, GFile *file, GError **error);
/* It was written: the recording says so, unless it is told something else by now. */
void         es_made_told_was_saved     (EsMadeTold *self, GFile *file);

G_END_DECLS
