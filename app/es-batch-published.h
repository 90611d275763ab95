/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-batch.h"

G_BEGIN_DECLS

/* A published table with where it comes from and what its marks say. table: its figures, with ours or without; what:
 * which those of ours are, nullable. */
void es_batch_print_published (guint i, EsTable *table, const char *what);
/* Says on stderr what of the published tables cannot be read, if anything. */
void es_batch_warn_published  (void);

G_END_DECLS
