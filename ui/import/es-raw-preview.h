/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recording/es-recording.h"

G_BEGIN_DECLS

/* What a look into a recording shows: the first channels at one place. */
typedef struct
{
  EsDataset *recording;
  guint      n_channels;         /* shown; at most ES_RAW_PREVIEW_CHANNELS */
  guint      n_frames;
  float     *samples;            /* n_channels x n_frames, channel after channel */
  double    *peaks, *levels;     /* a channel: largest magnitude, and dB re full scale of the mean square */
  char      *doubt;              /* why the choice is probably wrong; nullable */
} EsRawPreview;

#define ES_RAW_PREVIEW_CHANNELS 8
#define ES_RAW_PREVIEW_FRAMES   2000

/* place: 0 the beginning, 1 the end of the file. Blocking; errors of es_dataset_open () and es_recording_read ().
 * Transfer full. */
EsRawPreview *es_raw_preview_new  (GFile *file, const EsRawSamples *samples, double place, GCancellable *cancellable,
                                   GError **error);
/* Of samples that are at hand (n_channels x n_frames, copied). recording is nullable. */
EsRawPreview *es_raw_preview_of   (EsDataset *recording, const float *samples, guint n_channels, guint n_frames);
void          es_raw_preview_free (EsRawPreview *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsRawPreview, es_raw_preview_free)

G_END_DECLS
