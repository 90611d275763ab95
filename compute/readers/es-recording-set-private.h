/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-reader-private.h"

G_BEGIN_DECLS

/* n recordings of one channel each as the channels of one; ends that are missing are 0. Where types or scales differ,
 * the samples are float32 fractions of full scale. References are taken. */
EsFrameSource *es_recording_set_source_new (EsRecording **recordings, guint n);
gboolean       es_recording_set_source_is_mixed (EsFrameSource *source);

/*
 * Which of some text files describes the array of a recording: loads each; what lists events, or does not fit the
 * channels, is none of it. What was left out, and why, becomes notes of the recording. Transfer full; nullable.
 */
EsArray       *es_recording_choose_array (EsRecording *recording, GFile **texts, guint n);
/* A CSV whose columns tell of events ("event", "t0_s") lists detections, not elements. */
gboolean       es_recording_is_event_list (GFile *file);

/* Puts what may be a recording into sounds and texts into texts, both by the numbers of their names; leaves the rest.
 * Borrowed. es-recording-group.c. */
void           es_recording_files_sort (GFile **files, guint n, GPtrArray *sounds, GPtrArray *texts);

G_END_DECLS
