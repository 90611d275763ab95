/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube-internal.h"

G_BEGIN_DECLS

/* Bands without any data become FALSE in good (one for each band), with a note. Reads little where bands have data. */
void es_cube_leave_out_empty_bands (EsCube *self, gboolean *good);

G_END_DECLS
