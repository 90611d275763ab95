/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-region-set.h"
#include "workspace/es-shell.h"

G_BEGIN_DECLS

/*
 * The classes of a cube are there again when it is opened again: they are kept in the person's data folder, one file
 * for the content of a cube, whatever its name. Main context only.
 */

/*
 * Reads what is kept of this data set, once and as an activity of the window, and keeps what becomes of it. A file that
 * cannot be read is put aside and told. Nothing for what is not a cube.
 */
void es_region_store_attach (EsDataset *dataset, EsShell *shell);
/* Adds the classes of a file that a person chose, as an activity of the window; what is wrong with it is told. The
 * file lists classes as JSON, or is a classification. */
void es_region_store_open   (EsShell *shell, EsRegionSet *set, GFile *file);
/* The same of a classification that is open. */
void es_region_store_add    (EsShell *shell, EsRegionSet *set, EsCube *classification);
/* Writes at once what would be written in a moment. What cannot be written is told, once, and stays unsaved
 * (es_region_set_is_saved ()). */
void es_region_store_write  (void);
/* The same of classes whose file is still being read, which it waits for: before the program ends. */
void es_region_store_flush  (void);

G_END_DECLS
