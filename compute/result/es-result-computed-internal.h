/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-result.h"

G_BEGIN_DECLS

/*
 * A result hangs at the data set of the session; what it was computed of may be the same file as it was told then.
 * Whatever is computed of a result is computed of that. Main context.
 */

/* Borrowed. */
EsDataset *es_result_get_computed (EsResult *self);
/* It hangs at another object of the same file from now on, and keeps what it was computed of where that is told
 * something else. */
void       es_result_move         (EsResult *self, EsDataset *dataset);
/* Of one that is read again, of a cube that may be told something else by now: what the result's values say (member
 * "metadata", null: nothing; no member: nobody knows). FALSE: the cube cannot be told that any more. Blocking. */
gboolean   es_result_settle_cube  (EsResult *self, JsonNode *metadata, GError **error);

G_END_DECLS
