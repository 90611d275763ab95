/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * The threads of a processor's stream, for what is no hot spot: one call's work shared out between them. Only of
 * streams of esk_cpu_hotspots ().
 */

#include <stddef.h>

#include "es-hotspots-stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does one item. worker < the number of threads: for memory that two threads must not share. */
typedef void (*EskTeamWork) (void *data, size_t item, unsigned worker);

/* Threads that a call on this stream may use, the caller's among them. */
unsigned esk_team_size (EskStream *stream);
/* Does the items 0 .. n - 1, in any order; done when it returns. Results must not depend on which thread does which. */
void     esk_team_run  (EskStream *stream, size_t n, EskTeamWork work, void *data);

#ifdef __cplusplus
}
#endif
