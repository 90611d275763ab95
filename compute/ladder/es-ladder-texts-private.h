/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-ladders.h"

G_BEGIN_DECLS

/* By ladder, each closed by one without an id. */
extern const EsRungText *const es_ladder_texts_cuda[ES_N_LADDERS];
extern const EsRungText *const es_ladder_texts_cpu[ES_N_LADDERS];

G_END_DECLS
