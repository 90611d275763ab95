/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-sonar.h"

EsRecording    *es_test_silence         (guint channels, double rate, gsize frames);
EsBeamSettings *es_test_settings_of     (EsParams *params, const char *array_text, double rate, gsize frames);
/* Keys and values by turns, closed by NULL. Transfer full. */
EsParams       *es_test_settings_params (const char *first, ...);
