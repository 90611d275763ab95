/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-ladder-drawings.h"
#include "es-markup.h"

G_BEGIN_DECLS

/* A section a rung: strategies, numbers, what they say, and the lines that are new. */
void es_ladder_page_append_rungs (GString *page, const EsLadderClimb *climb);

G_END_DECLS
