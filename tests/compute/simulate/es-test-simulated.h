/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-sonar.h"

extern char *es_test_simulated_folder;

/* Keys and values by turns, closed by NULL. Transfer full. */
EsParams    *es_test_scene_params   (const char *first, ...);
GFile       *es_test_simulated_file (const char *name);
EsRecording *es_test_open_recording (GFile *file, const EsOpenOptions *options);
/* Simulates to `name` and opens it. */
EsRecording *es_test_simulate       (const char *name, EsParams *params);
/* All of it, channel after channel, in units: the array's gains applied. */
double      *es_test_read_units     (EsRecording *recording, gsize *frames);
double       es_test_mean_square    (const double *values, gsize n);
