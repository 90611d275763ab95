/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* For the registry. */
extern const EsOperation es_operation_sparse_products;
extern const EsOperation es_operation_sparse_eigen;
extern const EsOperation es_operation_sparse_solve;

G_END_DECLS
