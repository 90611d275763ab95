/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The threads of a stream: one call's work shared out between them. */

#include "es-cpu-internal.h"

#define ESK_MOST_THREADS 256

/* Does one item. worker < the number of threads: for memory that two threads must not share. */
typedef void (*EskTeamWork) (void *data, size_t item, unsigned worker);

/* Threads that a call on this stream may use, the caller's among them. */
unsigned esk_team_size (EskStream *stream);
/* Does the items 0 .. n - 1, in any order; done when it returns. Results must not depend on which thread does which. */
void     esk_team_run  (EskStream *stream, size_t n, EskTeamWork work, void *data);
/* As esk_team_run (), but once the stream's flag is set no item is begun any more. ESK_OK or ESK_ERROR_CANCELLED. */
int      esk_team_try  (EskStream *stream, size_t n, EskTeamWork work, void *data);

int      esk_cpu_set_threads (EskStream *stream, int threads);
void     esk_team_free       (EskTeam *team);
