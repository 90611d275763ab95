/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "recording/es-recording.h"

G_BEGIN_DECLS

/* One line: something that a recording is told beside its samples, or that it is not; and the way to its form. */
#define ES_TYPE_TOLD_ROW (es_told_row_get_type ())
G_DECLARE_FINAL_TYPE (EsToldRow, es_told_row, ES, TOLD_ROW, GtkWidget)

/* What full scale of a recording is and who told it, or that levels are relative to it (action "win.calibrate"). */
GtkWidget  *es_told_row_new_calibration (void);
/* When it began and where its array points (action "win.navigation"). */
GtkWidget  *es_told_row_new_navigation  (void);
void        es_told_row_set_recording   (EsToldRow *self, EsRecording *recording);   /* nullable */
const char *es_told_row_get_text        (EsToldRow *self);

G_END_DECLS
