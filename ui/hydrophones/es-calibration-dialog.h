/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * What full scale of a recording is: sensitivity, gain and ADC range, or micropascals at once, and a table of the
 * channels that differ. What it comes to, or what is wrong, stands below, and only what is right can be applied.
 *
 * Signal "applied" (EsCalibration *calibration, gboolean save): the person is done; NULL: back to what the recording
 * itself tells; save: beside the recording, too.
 */
#define ES_TYPE_CALIBRATION_DIALOG (es_calibration_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsCalibrationDialog, es_calibration_dialog, ES, CALIBRATION_DIALOG, AdwWindow)

/* Begins with the recording's calibration; nothing is filled in that nobody has told. */
GtkWidget     *es_calibration_dialog_new         (GtkWindow *parent, EsRecording *recording);
/* As typing does; texts are nullable (as they are). table: comma-separated values. */
void           es_calibration_dialog_type        (EsCalibrationDialog *self, const char *sensitivity, const char *gain,
                                                  const char *volts, const char *upa, const char *table);
/* A file of a calibration, in the background. */
void           es_calibration_dialog_load        (EsCalibrationDialog *self, GFile *file);
gboolean       es_calibration_dialog_is_reading  (EsCalibrationDialog *self);
/* As it would be applied; NULL: it cannot be, why says the verdict. Transfer full. */
EsCalibration *es_calibration_dialog_get         (EsCalibrationDialog *self);
const char    *es_calibration_dialog_get_verdict (EsCalibrationDialog *self);
void           es_calibration_dialog_apply       (EsCalibrationDialog *self);
void           es_calibration_dialog_remove      (EsCalibrationDialog *self);

G_END_DECLS
