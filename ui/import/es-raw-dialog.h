/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * How the bytes of a file that says nothing about itself are to be taken as a recording: channels, rate, type, byte
 * order, layout, offset. The waveforms and levels of what this makes of the file are shown at once, and a wrong choice
 * is told where it can be recognised (noise at full scale, numbers that are no sound).
 *
 * Signal "import": the person wants it so.
 */
#define ES_TYPE_RAW_DIALOG (es_raw_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsRawDialog, es_raw_dialog, ES, RAW_DIALOG, AdwWindow)

GtkWidget    *es_raw_dialog_new         (GtkWindow *parent, GFile *file);
GFile        *es_raw_dialog_get_file    (EsRawDialog *self);
EsRawSamples  es_raw_dialog_get_samples (EsRawDialog *self);
void          es_raw_dialog_set_samples (EsRawDialog *self, const EsRawSamples *samples);
/* What is said below the picture: how long it is, or what is wrong. */
const char   *es_raw_dialog_get_verdict (EsRawDialog *self);
/* It can be imported as it is now. */
gboolean      es_raw_dialog_is_good     (EsRawDialog *self);
/* The preview of what was chosen last is being made. */
gboolean      es_raw_dialog_is_busy     (EsRawDialog *self);
void          es_raw_dialog_import      (EsRawDialog *self);

G_END_DECLS
