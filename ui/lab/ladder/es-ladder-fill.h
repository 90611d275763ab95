/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-ladder-sheet.h"
#include "ladder/es-ladder-climb.h"

G_BEGIN_DECLS

/* What a climb found, or, where nothing of it was measured, what its rungs change. Transfer full. */
EsLadderSheet *es_ladder_sheet_new_from      (const EsLadderClimb *climb);
/* The times that were published of its rungs, as a ladder of the machine of their day. NULL: there are fewer than two.
 * Transfer full. */
EsLadderSheet *es_ladder_sheet_new_published (const EsLadderClimb *climb);

G_END_DECLS
