/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-rehearsal-internal.h"

G_BEGIN_DECLS

/* How a rehearsal ended. */
typedef enum
{
  ES_REHEARSAL_UNUSABLE,       /* there is no helper, or it does not start */
  ES_REHEARSAL_PASSED,
  ES_REHEARSAL_REFUSED,        /* an ordinary error: answer */
  ES_REHEARSAL_CRASHED,
  ES_REHEARSAL_ENDLESS,        /* out of time */
  ES_REHEARSAL_GREEDY,         /* out of memory */
  ES_REHEARSAL_CANCELLED,
} EsRehearsalEnd;

/* Runs the helper. size: of the file, which its bounds depend on; arguments: NULL-terminated. *answer: what it said
 * behind ES_REHEARSAL_READY, or why it is unusable; transfer full. */
EsRehearsalEnd es_rehearsal_process (const char * const *arguments, guint64 size, GCancellable *cancellable,
                                     char **answer);

/* What is known of a file as it is, tried with these arguments: TRUE and how it ended. Any thread. */
gboolean es_rehearsal_known    (const struct stat *status, const char * const *arguments, EsRehearsalEnd *end);
void     es_rehearsal_remember (const struct stat *status, const char * const *arguments, EsRehearsalEnd end);
/* The same file, and nobody has written to it. */
gboolean es_rehearsal_equal    (const struct stat *one, const struct stat *other);

G_END_DECLS
