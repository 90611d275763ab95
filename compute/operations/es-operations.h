/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* The registry. NULL-terminated, in the order to be shown. */
const EsOperation * const *es_operations_get (void);
/* ES_COMPUTE_ERROR_OPERATION, with the ids there are. */
const EsOperation *es_operation_find (const char *id, GError **error);

G_END_DECLS
