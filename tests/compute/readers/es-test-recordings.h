/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recording/es-recording-internal.h"
#include "es-test-cubes.h"

G_BEGIN_DECLS

/* The integer sample of a frame and channel that files of a test hold: 16 bits, another one everywhere in sight. */
int          es_test_sample            (guint64 frame, guint channel);
/* The same as a fraction of full scale. */
double       es_test_fraction          (guint64 frame, guint channel);

EsRecording *es_test_open_recording    (const char *path, const EsOpenOptions *options);
/* Every sample through frame readers and es_recording_read (), in windows that reach over both ends; channels end at
 * their own length. */
void         es_test_compare_recording (EsRecording *recording, double tolerance);
gboolean     es_test_recording_notes   (EsRecording *recording, const char *words);

/* A PCM WAV file, put together by hand: es_test_sample () of frames x channels; first_channel is added to the channel.
 * data_bytes: what the header claims; 0: the truth. Path, transfer full. */
char        *es_test_write_wav         (const char *folder, const char *name, guint64 frames, guint channels,
                                        guint first_channel, guint rate, guint bits, guint32 data_bytes);
/* The samples of such a file alone, in any layout. Transfer full. */
guint8      *es_test_raw_samples       (guint64 frames, guint channels, const char *type, gboolean big_endian,
                                        gboolean by_channel, gsize *length);
/* A Scripps SIO file; Nr and what follows the last sample of a channel as the format wants them. */
char        *es_test_write_sio         (const char *folder, const char *name, guint64 frames, guint channels,
                                        const char *type, gboolean big_endian, guint record_bytes);

/* Files, all of which are one recording. */
typedef struct
{
  GFile *files[200];
  guint  n;
} EsTestFiles;

/* path: transfer full. */
void         es_test_files_add   (EsTestFiles *self, char *path);
void         es_test_files_clear (EsTestFiles *self);
EsRecording *es_test_files_open  (EsTestFiles *files);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsTestFiles, es_test_files_clear)

G_END_DECLS
