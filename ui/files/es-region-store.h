/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * The classes of a cube are there again when it is opened again: they are kept in the person's data folder, one file
 * for the content of a cube, whatever its name. Main context only.
 */

/* Reads what is kept of this data set, once, and keeps what becomes of it. Nothing for one that is not a cube. */
void es_region_store_attach (EsDataset *dataset);
/* Writes at once what would be written in a moment: before the program ends. */
void es_region_store_flush  (void);

G_END_DECLS
