/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-beams.h"

static const char *const es_test_mvdr_devices[] = { "cpu", "cuda:0", "cuda:all" };

#define ES_TEST_MVDR_RATE 2000

EsArray     *es_test_mvdr_make_line   (guint n);
/* Two sources of noise, 2.5 degrees apart, 20 dB over the noise of elements. */
EsRecording *es_test_mvdr_make_pair   (guint seconds);
EsResult    *es_test_mvdr_run         (EsRecording *recording, const char *device, EsParams *params);
EsField     *es_test_mvdr_field_of    (EsResult *result, const char *name);
EsTable     *es_test_mvdr_table_of    (EsResult *result, const char *name);
guint        es_test_mvdr_count_peaks (EsResult *result, const char *list);
gboolean     es_test_mvdr_has_warning (EsResult *result, const char *text);
/* One case for each device that is there. */
void         es_test_mvdr_add         (const char *name, void (*function) (gconstpointer));
