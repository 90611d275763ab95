/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-save.h"
#include "workspace/es-shell.h"

G_BEGIN_DECLS

/* Asks where the shown result, or a layer of it, is to be saved, and saves it there. layer: its name; NULL: the one
 * that is shown, where it is of that kind, else the first. Nothing where no result is shown. */
void     es_saver_choose (EsShell *shell, EsSaveKind kind, const char *layer);
/* Once the target is chosen. FALSE: no result is shown. */
gboolean es_saver_save   (EsShell *shell, EsSaveKind kind, GFile *target);
/* Into a folder of its own inside parent, as es_save_into_async () does. FALSE: no result is shown. */
gboolean es_saver_save_into (EsShell *shell, EsSaveKind kind, GFile *parent);

/* Results (of EsResult, kept), each whole and into a folder of its own inside parent, and what was made by hand
 * (es-made.h), each in a file of its own there, one after the other; the first that cannot be saved ends it. activity:
 * reports progress and carries the cancellable. */
void     es_saver_save_all_async (GPtrArray *things, GFile *parent, EsActivity *activity,
                                  GAsyncReadyCallback callback, gpointer user_data);
gboolean es_saver_save_all_finish (GAsyncResult *result, GError **error);

G_END_DECLS
