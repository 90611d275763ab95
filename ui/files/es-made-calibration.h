/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recording/es-recording.h"

G_BEGIN_DECLS

/* What a person has told of full scale of a recording, and no file has: as it was when this was made. */
#define ES_TYPE_MADE_CALIBRATION (es_made_calibration_get_type ())
G_DECLARE_FINAL_TYPE (EsMadeCalibration, es_made_calibration, ES, MADE_CALIBRATION, GObject)

/* NULL: there is none, or a file has it. Transfer full. */
EsMadeCalibration *es_made_calibration_find          (EsRecording *recording);
EsRecording       *es_made_calibration_get_recording (EsMadeCalibration *self);      /* borrowed */
EsCalibration     *es_made_calibration_get           (EsMadeCalibration *self);      /* borrowed */
/* It was written: the recording says so, unless it has another one by now. */
void               es_made_calibration_was_saved     (EsMadeCalibration *self, GFile *file);

G_END_DECLS
