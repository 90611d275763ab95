/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "beam/es-beamformer.h"

G_BEGIN_DECLS

/*
 * The array of a recording, in the left column: drawn to scale (seen from above, or from the side), elements coloured
 * and marked by state (dead, clipped, the reference), what es_array_check () says, and the button that edits it (a
 * dialog: a line by numbers, or a file; channel, gain and dead for each element; sound speed; saved beside the
 * recording; the window's actions "describe-array" and "open-positions").
 */
#define ES_TYPE_ARRAY_PANE (es_array_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsArrayPane, es_array_pane, ES, ARRAY_PANE, GtkWidget)

GtkWidget *es_array_pane_new           (void);
void       es_array_pane_set_recording (EsArrayPane *self, EsRecording *recording);
/* For the checks: the highest frequency (Hz), the ranges (n_ranges, m; INFINITY: far), how long a block is, the speed
 * of sound that beams are formed with (m/s; 0: the array's). */
void       es_array_pane_set_band      (EsArrayPane *self, double high, const double *ranges, guint n_ranges,
                                        double block_seconds, double sound_speed);
/* A sentence about the settings besides; NULL: none. */
void       es_array_pane_set_remark    (EsArrayPane *self, const char *sentence);
/* What was heard of the elements so far; n 0: nothing. Copied. */
void       es_array_pane_set_health    (EsArrayPane *self, const EsElementHealth *health, guint n);
/* What the checks say now, one sentence a line. Transfer full. */
char      *es_array_pane_get_sentences (EsArrayPane *self);
gboolean   es_array_pane_says          (EsArrayPane *self, const char *sentence);     /* one of them */

G_END_DECLS
