/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "workspace/es-shell.h"

G_BEGIN_DECLS

/*
 * What takes part of a cube is kept beside it as soon as a person tells it otherwise, and what was told before can be
 * taken up again. Main context only.
 */

/* From now on, of a cube that has been opened; once. */
void     es_selection_store_attach     (EsDataset *dataset, EsShell *shell);
/* What took part before the last change does again. */
void     es_selection_store_undo       (EsCube *cube);
gboolean es_selection_store_can_undo   (EsCube *cube);
/* Another cube over the same file takes the place of one that is attached, with what can be undone. */
void     es_selection_store_pass       (EsCube *from, EsCube *to);
/* What a person has told and what could not be written; nullable, transfer full. */
EsSelection *es_selection_store_dup_unsaved (EsCube *cube);
/* It has been written elsewhere. */
void     es_selection_store_was_saved  (EsCube *cube, EsSelection *selection);

G_END_DECLS
