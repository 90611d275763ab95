/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workspace/es-shell.h"

G_BEGIN_DECLS

/* What is thought to be there: what was read or written here, the same as what is to be saved, or somebody else's. */
typedef enum { ES_SAVE_BESIDE_OURS, ES_SAVE_BESIDE_SAME, ES_SAVE_BESIDE_FOREIGN } EsSaveBesideThere;

/* Writes `what` to a file; any thread. */
typedef gboolean (*EsSaveBesideWrite) (gpointer what, GFile *file, GError **error);
/* Whether the file, which is there, is what this program has read or written; any thread. */
typedef gboolean (*EsSaveBesideKnow)  (GFile *file, gpointer data);
/* In the main thread, when that is done. */
typedef void     (*EsSaveBesideDone)  (gpointer what, gboolean saved, gpointer data);

/*
 * Saves what a person has told of a data set beside it, in the background; closing the window waits for it, and what
 * goes wrong is told there. what: taken, freed by free_what; NULL: the file there goes into the trash, or gets another
 * name, as it does before another takes its place where it is foreign, or where `know` (nullable) does not know it:
 * somebody else has changed it meanwhile, and that is said. The same, if `know` knows it, stays as it is. done:
 * nullable; data is freed by free_data.
 */
void _es_save_beside (EsShell *shell, GFile *target, EsSaveBesideThere there, gpointer what, GDestroyNotify free_what,
                      EsSaveBesideWrite write, EsSaveBesideKnow know, EsSaveBesideDone done,
                      gpointer data, GDestroyNotify free_data);

G_END_DECLS
