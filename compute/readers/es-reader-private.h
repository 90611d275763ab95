/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-internal.h"
#include "raw/es-raw-internal.h"
#include "input/es-reader-input-internal.h"
#include "libraries/es-library-internal.h"
#include "recording/es-recording-internal.h"

G_BEGIN_DECLS

/*
 * One format. recognises () looks at the content only (and, for ENVI, at what lies beside it). open ()
 * returns NULL without an error where the content turned out not to be the reader's after all: the next one
 * is asked.
 */
typedef struct
{
  gboolean   (*recognises) (EsReaderInput *input);
  EsDataset *(*open)       (EsReaderInput *input, GError **error);
  EsLibrary   *library;        /* without which it cannot; NULL: it reads by itself */
} EsReader;

extern const EsReader es_reader_samples;       /* raw: only where a person told the channels */
extern const EsReader es_reader_cube_samples;  /* raw: only where a person told the bands */
extern const EsReader es_reader_envi;
extern const EsReader es_reader_sndfile;
extern const EsReader es_reader_sio;
extern const EsReader es_reader_mat;
extern const EsReader es_reader_hdf_recording;
extern const EsReader es_reader_mdim;
extern const EsReader es_reader_gdal;
extern const EsReader es_reader_envi_beside;   /* where a weak signature led nowhere: the header after all */

/* Leaves a note where a file was read as its signature says and an ENVI header beside it would fit as well. */
void     es_reader_note_envi_header (EsReaderInput *input);

/* How samples lie in a file: interleaved, or in records of `record_frames` samples of one channel each, the channels'
 * records one after the other (a channel after the other: one record each). */
typedef struct
{
  guint64  offset;             /* bytes before the first sample */
  guint64  record_frames;      /* 0: interleaved */
  guint64  record_bytes;       /* of a record, what fills it up included */
  guint    channels, bytes;    /* bytes of a sample: 2, 3, 4, 8 */
  EskType  type;               /* 3 bytes: ESK_I32, to which they are widened */
  gboolean byte_swapped;
} EsSampleLayout;

/* Samples of a recording by pread, any frames. Takes over the descriptor. Cannot fail. */
EsFrameSource  *es_frame_file_source_new (int fd, const char *name, const EsSampleLayout *layout);

/* The array that is described beside a recording just opened (es_array_sidecar_of ()), if there is one; what is wrong
 * with it becomes a note. */
void            es_reader_take_sidecar   (EsRecording *recording);
/* The same of its calibration; and of a recording whose channels are `parts` (EsRecording). What cannot be taken is a
 * note. */
void            es_reader_take_calibration (EsRecording *recording);
void            es_reader_combine_calibrations (EsRecording *recording, GPtrArray *parts);
/* The same of when it began and where its array points. */
void            es_reader_take_navigation (EsRecording *recording);
/* It, if there is one. Transfer full. */
GFile          *es_reader_find_sidecar   (EsRecording *recording);
/* TRUE where the file is a text. */
gboolean        es_reader_is_text        (const EsReaderInput *input);
/* TRUE where the file is a text that describes an array. */
gboolean        es_reader_is_array       (const EsReaderInput *input);

G_END_DECLS
