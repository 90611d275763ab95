/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-operation.h"

G_BEGIN_DECLS

/* The descriptor of this room, beside its code in es-ica.c; for the registry. */
extern const EsOperation es_operation_fastica;

G_END_DECLS
