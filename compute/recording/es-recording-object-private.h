/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-recording-internal.h"

G_BEGIN_DECLS

struct _EsRecording
{
  EsDataset        parent_instance;

  /* owned, fixed once made */
  EsRecordingInfo  info;

  GMutex           mutex;            /* of what follows */
  EsArray         *array;            /* nullable */
  gboolean         array_unsaved;    /* described by a person, and in no file */
  char            *array_problem;    /* nullable */
  EsCalibration   *calibration;      /* nullable */
  EsNavigation    *navigation;       /* nullable */
  GPtrArray       *idle;             /* handles of the source */
};

G_END_DECLS
