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

G_END_DECLS
