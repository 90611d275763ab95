/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "workspace/es-shell.h"

G_BEGIN_DECLS

/* The settings that belong to what a person does with data: columns, folded sections, displays of recordings,
 * operations and their parameters, as the section "settings" of sessions; and where was saved to, as "save-places". */
void es_kept_settings_add  (EsShell *shell);
/* The same before anything of the session is shown, which looks them up (nullable: nothing). */
void es_kept_settings_take (EsShell *shell, JsonNode *told);

G_END_DECLS
