/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset-internal.h"
#include "es-hotspots.h"
#include "es-recording.h"

G_BEGIN_DECLS

/* Where frames come from: one of each reader's own, behind a recording. `read` is called from several threads, each
 * with a handle of its own. */
typedef struct _EsFrameSource EsFrameSource;
struct _EsFrameSource
{
  gpointer (*handle_new)  (EsFrameSource *self, GError **error);
  void     (*handle_free) (EsFrameSource *self, gpointer handle);
  /* n frames from `first` on, all inside the recording, every channel: fills buffer (n x channels samples of `type`, in
   * whichever order `frames` is made to say; frames past the end of a channel are 0) and describes it. */
  gboolean (*read)        (EsFrameSource *self, gpointer handle, guint64 first, guint64 n, void *buffer,
                           EskFrames *frames, GError **error);
  /* The same of channels first_channel .. + n_channels - 1 only (buffer: n x n_channels samples), where that reads less
   * than all of them: for a look at one element of thousands. Nullable. */
  gboolean (*read_channels) (EsFrameSource *self, gpointer handle, guint64 first, guint64 n, guint first_channel,
                             guint n_channels, void *buffer, EskFrames *frames, GError **error);
  void     (*free)        (EsFrameSource *self);
  /* read () leaves buffer alone and describes page-locked memory that lives as long as the source. */
  gboolean page_locked;
  /* Reading any frames costs what their bytes do, on whichever thread, and gives them interleaved. */
  gboolean by_bytes;
};

/* A reader fills one and calls es_recording_new (), which checks every product and takes what it points to. */
typedef struct
{
  guint          channels;
  double         rate;
  guint64        frames;
  guint64       *channel_frames;       /* channels entries; NULL: all have `frames` */
  EskType        type;                 /* of the source's samples: ESK_I16, ESK_I32, ESK_F32, ESK_F64 */
  double         scale;                /* times a sample of the source: a fraction of full scale (2^-15, 2^-31, 1) */
  char          *type_name, *format_name;
  char         **channel_names;        /* channels entries or NULL */
  double         calibration;          /* µPa of full scale, as the file tells it; NAN */
  GDateTime     *start;
  GFile        **files;                /* NULL-terminated; NULL: the one file */
  EsArray       *array;                /* nullable */
  char          *identity;             /* of all the files; NULL: is found out */
  EsFrameSource *source;
} EsRecordingInfo;

/* ES_DATA_ERROR_SIZE (no channel, no frame, a rate that is not positive, over 65,536 channels). Frees what info points
 * to on error too. Transfer full. */
EsRecording *es_recording_new        (GFile *file, EsRecordingInfo *info, GError **error);
/* Frees what info points to. */
void         es_recording_info_clear (EsRecordingInfo *info);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsRecordingInfo, es_recording_info_clear)
/* Notes that a description of the array was not taken, and why. */
void         _es_recording_refuse_array (EsRecording *self, const char *sentence);
/* Of EsDatasetClass: es-recording-input.c. */
void         _es_recording_add_input    (EsDataset *dataset, JsonBuilder *builder, JsonObject *values);
void         _es_recording_append_input (EsDataset *dataset, GString *line, JsonObject *values);

/* A handle of a source, and what it reaches. A used one where there is one; given back it waits for the next. A
 * recording that has grown since is read farther by another handle. Any thread. */
typedef struct
{
  EsFrameSource *source;
  gpointer       handle;
  guint64        frames;
  gpointer       extent;       /* owned; of the recording's own */
} EsFrameHandle;

gboolean     es_recording_take_handle (EsRecording *self, EsFrameHandle *handle, GError **error);
void         es_recording_give_handle (EsRecording *self, EsFrameHandle *handle);
EskType      es_recording_get_type_code (EsRecording *self);
double       es_recording_get_scale  (EsRecording *self);
/* Of samples as they are stored: full scale, and the highest there is below it; 24 bits fill the upper ones of 32. */
void         es_recording_get_range  (EsRecording *self, double *full, double *highest);
/* Of a recording that does not grow: a part of another one, or in memory. Borrowed. */
EsFrameSource *es_recording_get_source (EsRecording *self);
gboolean     es_recording_is_page_locked (EsRecording *self);
/* Several threads may each read a part of a block: EsFrameSource.by_bytes. */
gboolean     es_recording_is_by_bytes    (EsRecording *self);

/* es-recording-growth.c: `longer` is the same recording, opened again after more was written to it, and is used up:
 * from now on it is as long as that, and "frames" is notified. FALSE: it is not longer, or of another kind. Main
 * context. */
gboolean     es_recording_grow       (EsRecording *self, EsRecording *longer);
/* Notifies "growing". Main context. */
void         es_recording_set_growing (EsRecording *self, gboolean growing);
/* In memory, interleaved: for tests, the simulator and measurements; data lives as long as `owner`. page_locked: from
 * es_staging_take (). type: ESK_I16, ESK_F32. Transfer full. */
EsRecording *es_recording_new_in_memory (const void *data, EskType type, guint channels, double rate, guint64 frames,
                                         gboolean page_locked, gpointer owner, GDestroyNotify destroy,
                                         GError **error);

/* When a recording began by its name: 20190920T163858Z and the like, UTC unless a zone follows (+1000, -0500; NULL
 * where that is not understood, as EST); nullable, transfer full. rest (nullable, transfer full): the name without
 * it. */
GDateTime   *es_recording_time_of_name (const char *name, char **rest);
/* Names with their numbers by value: channel 2 before channel 10. */
int          es_recording_compare_names (const char *a, const char *b);

/* One a thread: a handle of the source. Frames of a channel that has ended, and those before 0 or past the end of the
 * recording, are 0. The buffer holds n x channels samples; frames->data is the buffer or, of a recording in memory, the
 * samples where they lie (never at its ends, where zeros have to be added). frames->frames is n. */
typedef struct _EsFrameReader EsFrameReader;
EsFrameReader *es_frame_reader_new  (EsRecording *recording, GError **error);
void           es_frame_reader_free (EsFrameReader *self);
gboolean       es_frame_reader_read (EsFrameReader *self, gint64 first, guint64 n, void *buffer, EskFrames *frames,
                                     GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsFrameReader, es_frame_reader_free)

G_END_DECLS
