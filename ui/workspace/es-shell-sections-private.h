/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-shell.h"

G_BEGIN_DECLS

/* The parts of what sessions keep of a window. */
typedef struct _EsShellSections EsShellSections;

EsShellSections *_es_shell_sections_new  (void);
void             _es_shell_sections_free (EsShellSections *self);
void             _es_shell_sections_add  (EsShellSections *self, const EsShellSection *section, GObject *owner);
gboolean         _es_shell_sections_has_work (EsShellSections *self);
JsonNode        *_es_shell_sections_tell (EsShellSections *self);
void             _es_shell_sections_take (EsShellSections *self, JsonObject *told);

G_END_DECLS
