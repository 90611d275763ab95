/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-companion.h"

G_BEGIN_DECLS

gboolean es_companion_is_agreed (GFile *target);
/*
 * Before anything is written: whether a companion of a file may be replaced. FALSE where it is there without that file,
 * or is a header and another file of data beside it may be its own, but for `replaced` (nullable), which goes:
 * ES_DATA_ERROR_WRITE, one sentence.
 */
gboolean es_companion_check     (const char *file, const char *companion, const char *replaced, GError **error);

G_END_DECLS
