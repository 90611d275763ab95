/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The threads of a stream: how many they are, and work that is cancelled. */

#include "es-cpu-internal.h"
#include "es-team.h"

#define ESK_MOST_THREADS 256

/* As esk_team_run (), but once the stream's flag is set no item is begun any more. ESK_OK or ESK_ERROR_CANCELLED. */
int      esk_team_try  (EskStream *stream, size_t n, EskTeamWork work, void *data);

int      esk_cpu_set_threads (EskStream *stream, int threads);
void     esk_team_free       (EskTeam *team);
