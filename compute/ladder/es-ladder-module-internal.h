/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "es-ladder.h"

G_BEGIN_DECLS

/* The table of a machine's back end ("cpu", "cuda:0"), loaded once: NULL, with why (ES_COMPUTE_ERROR_DEVICE). Borrowed,
 * stays. */
const EskLadderTable *es_ladder_load (const char *id, GError **error);

G_END_DECLS
