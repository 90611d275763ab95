/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-beams.h"
#include "player/es-beam-history-private.h"

EsBeamForm  *es_test_history_form       (guint n_angles, guint n_bins);
EsBeamBlock *es_test_history_block      (EsBeamForm *form, guint64 index);
void         es_test_history_count_rows (EsBeamHistory *history, guint n, gpointer data);
void         es_test_history_count      (gpointer data);
/* Two sources and noise, 8 elements at 2 kHz; what forms their beams in blocks of half a second. */
EsTestSonar *es_test_history_scene      (double seconds);
EsParams    *es_test_history_params     (const char *operation);
/* Every row is what it would be if it were formed alone. */
void         es_test_history_check_rows (EsRecording *recording, EsParams *params, EsBeamHistory *history);
