/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* Each operation's descriptor, defined beside its code in operations/. */
extern const EsOperation es_operation_cbf;
extern const EsOperation es_operation_demon;
extern const EsOperation es_operation_fastica;
extern const EsOperation es_operation_localize;
extern const EsOperation es_operation_lofar;
extern const EsOperation es_operation_mnf;
extern const EsOperation es_operation_mvdr;
extern const EsOperation es_operation_pca;
extern const EsOperation es_operation_reconstruct;

G_END_DECLS
