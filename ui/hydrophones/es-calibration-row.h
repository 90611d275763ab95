/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "recording/es-recording.h"

G_BEGIN_DECLS

/* One line: what full scale of a recording is and who told it, or that levels are relative to it; and the way to the
 * form (the window's action "calibrate"). */
#define ES_TYPE_CALIBRATION_ROW (es_calibration_row_get_type ())
G_DECLARE_FINAL_TYPE (EsCalibrationRow, es_calibration_row, ES, CALIBRATION_ROW, GtkWidget)

GtkWidget  *es_calibration_row_new           (void);
void        es_calibration_row_set_recording (EsCalibrationRow *self, EsRecording *recording);   /* nullable */
const char *es_calibration_row_get_text      (EsCalibrationRow *self);

G_END_DECLS
