/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "es-ladder-sheet.h"
#include "ladder/es-ladders.h"
#include "lab/es-machine.h"

G_BEGIN_DECLS

/*
 * What there is of a ladder beside what was climbed: what a machine could climb, what has been measured on others and
 * comes with the program, and what was published. Modules are loaded and files are read on a worker.
 */

/* own: what the machine could climb is wanted, too, and what was published of it; else no module is loaded. */
void       es_ladder_shelf_read_async  (const EsLadder *ladder, EsMachine *machine, gboolean own,
                                        GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data);
/* Sheets of others, of EsLadderSheet. *own: unmeasured; NULL: it was not wanted, or its module cannot be used, *why
 * being a sentence then (both transfer full). NULL: cancelled. Transfer full. */
GPtrArray *es_ladder_shelf_read_finish (GAsyncResult *result, EsLadderSheet **own, char **why);

G_END_DECLS
