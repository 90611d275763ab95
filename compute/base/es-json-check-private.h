/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Whether a text of `length` bytes with a NUL behind them is JSON within the limits of es-json.h; *members is how many
 * members its objects have together. Names that stand twice are looked for only where `names` is set, since that takes
 * as long as all the rest. One sentence that names `name` and the line where it is not.
 */
gboolean es_json_check (const char *text, gsize length, const char *name, gboolean names, guint64 *members,
                        GError **error);

G_END_DECLS
