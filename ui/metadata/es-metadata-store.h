/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-metadata.h"
#include "workspace/es-shell.h"

G_BEGIN_DECLS

/*
 * What a cube is told is told at once: another cube takes its place in the session, with its results, classes, looks
 * and what takes part of it; it is kept beside the file, and what was told before can be taken up again. All of these
 * know a cube by whatever it was told meanwhile. Main context only.
 */

/* Who wants to know how it went; error: what is wrong with it, borrowed, or NULL. */
typedef void (*EsMetadataTold) (const GError *error, gpointer data);

/* metadata nullable: nothing. told (nullable) is called while data, an object, lives. Of several that are told one
 * after the other the last one holds. */
void        es_metadata_store_tell     (EsShell *shell, EsCube *cube, EsMetadata *metadata, EsMetadataTold told,
                                        gpointer data);
/* What it is told by now, or is about to be. Borrowed, nullable. */
EsMetadata *es_metadata_store_get_told (EsCube *cube);
/* What was told before the last change is told again. */
void        es_metadata_store_undo     (EsShell *shell, EsCube *cube);
gboolean    es_metadata_store_can_undo (EsCube *cube);

G_END_DECLS
