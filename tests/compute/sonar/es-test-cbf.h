/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-beams.h"

static const char *const es_test_cbf_devices[] = { "cpu", "cuda:0", "cuda:all" };

EsArray  *es_test_cbf_make_line (guint n, double spacing);
EsResult *es_test_cbf_run       (EsRecording *recording, const char *device, EsParams *params);
/* One case for each device that is there. */
void      es_test_cbf_add       (const char *name, void (*function) (gconstpointer));
