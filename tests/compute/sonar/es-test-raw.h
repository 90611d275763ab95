/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recording/es-recording-internal.h"

/* Writes raw samples, bytes of which no two neighbours are alike, and opens them: 1,000 Hz. type: as options name it,
 * of so many bytes. Transfer full. */
EsRecording *es_test_raw_write (const char *path, const char *type, guint bytes, gboolean big_endian, guint channels,
                                guint64 frames);
