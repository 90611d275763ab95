/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * This test program once more, as another process that works in a window of its own and is killed in the middle of it.
 * The child calls es_test_wait_to_be_killed () once what it did is kept; what else it says is shown.
 */

/* Runs it with these arguments (NULL-terminated) and kills it (SIGKILL) once it says that it is kept. Fails the test,
 * naming `what`, where it ends before. */
void es_test_kill_once_kept    (const char *const *arguments, const char *what);
/* Says so, and goes on for ever. Returns only where nobody listens: an exit status. */
int  es_test_wait_to_be_killed (void);

G_END_DECLS
