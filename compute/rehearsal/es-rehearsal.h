/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a program and its helper for rehearsals say to each other, for app/rehearse.c. Arguments of the helper: its
 * version, the process that waits for it, seconds of processor time, bytes of address space above its own and what
 * es_rehearse () takes. Answers go to descriptor ES_REHEARSAL_DESCRIPTOR: first ES_REHEARSAL_READY, then, when it has
 * tried, ES_REHEARSAL_DONE, or DOMAIN, CODE and MESSAGE of an error, a line each. */
#define ES_REHEARSAL_DESCRIPTOR 3
#define ES_REHEARSAL_READY      "ready " ES_VERSION "\n"
#define ES_REHEARSAL_DONE       "done\n"
/* Exit statuses of the helper beside 0: it cannot be used that way; more memory was asked for than it may have. */
#define ES_REHEARSAL_EXIT_USAGE  2
#define ES_REHEARSAL_EXIT_MEMORY 3

/* In the helper: nothing is tried in yet another process. */
void es_rehearsal_be_helper (void);

G_END_DECLS
