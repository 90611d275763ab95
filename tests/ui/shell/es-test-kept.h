/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-shell.h"

G_BEGIN_DECLS

/* Windows whose session is saved by itself, and what of it is found again by the next one. */

/* A window that is kept. files: some are going to be opened in it, so that nothing is restored first. */
EsWindow *es_test_kept_window      (gboolean files);
void      es_test_kept_open        (EsWindow *window, GFile *file);
/* Closing it asks about nothing, and leaves no other window of it. */
void      es_test_kept_close       (EsWindow *window);
/* Another window, which has been asked to go on with a session. */
EsWindow *es_test_kept_continue    (const char *uri);

/* Of the newest session that was left, by a program that crashed or one that ended; NULL: there is none. Transfer
 * full. */
char     *es_test_kept_find_left   (gboolean crashed);
/* All that were left. */
void      es_test_kept_forget      (void);

/* To wait for: all is written; a cube is shown. */
gboolean  es_test_is_kept          (gpointer window);
gboolean  es_test_is_restored      (gpointer window);

/* Runs this program once more as "PROGRAM ES_TEST_KEPT_CHILD PATH", and kills it once its work on that file is kept
 * (es-test-child.h). */
#define ES_TEST_KEPT_CHILD "--session-of"
void      es_test_kept_kill        (GFile *file);

G_END_DECLS
