/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* The descriptors of this room, each beside its code; for the registry. */
extern const EsOperation es_operation_cbf;
extern const EsOperation es_operation_demon;
extern const EsOperation es_operation_health;
extern const EsOperation es_operation_localize;
extern const EsOperation es_operation_lofar;
extern const EsOperation es_operation_mvdr;

G_END_DECLS
