/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-recording-internal.h"

G_BEGIN_DECLS

/* How long a recording is, and where it is read: another one when it has grown. Counted; nobody changes it. */
typedef struct
{
  EsFrameSource *source;
  guint64        frames;
  guint          channels;
  guint64       *channel_frames;       /* nullable */
} EsRecordingExtent;

/* es-recording-growth.c. Takes what the info has of it. */
EsRecordingExtent *_es_recording_extent_new   (EsRecordingInfo *info);
EsRecordingExtent *_es_recording_extent_ref   (EsRecordingExtent *self);
void               _es_recording_extent_unref (EsRecordingExtent *self);

struct _EsRecording
{
  EsDataset        parent_instance;

  /* owned, fixed once made; its source, frames and channel_frames are the extent's */
  EsRecordingInfo  info;
  gboolean         page_locked;

  GMutex           mutex;            /* of what follows */
  EsRecordingExtent *extent;
  gboolean         is_growing;
  EsArray         *array;            /* nullable */
  EsArray         *array_beside;     /* nullable */
  gboolean         array_unsaved;    /* described by a person, and in no file */
  char            *array_problem;    /* nullable */
  EsCalibration   *calibration;      /* nullable */
  EsNavigation    *navigation;       /* nullable */
  GArray          *idle;             /* of EsFrameHandle, of this extent */
};

/* The handles that wait; with the mutex held, or where nobody else has the recording. */
void               _es_recording_drop_idle    (EsRecording *self);

G_END_DECLS
