/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* The descriptors of this room; for the registry. */
extern const EsOperation es_operation_diffusion_map;
extern const EsOperation es_operation_isomap;
extern const EsOperation es_operation_kernel_pca;
extern const EsOperation es_operation_laplacian_eigenmaps;
extern const EsOperation es_operation_lle;
extern const EsOperation es_operation_umap;

G_END_DECLS
