/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* The descriptors of this room, each beside its code; for the registry. */
extern const EsOperation es_operation_fastica;
extern const EsOperation es_operation_mnf;
extern const EsOperation es_operation_pca;
extern const EsOperation es_operation_reconstruct;

G_END_DECLS
