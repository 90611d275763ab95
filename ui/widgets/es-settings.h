/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "base/es-params.h"

G_BEGIN_DECLS

/*
 * The settings of the program, schema "org.eigenscope.Eigenscope". Where the schema is not installed (a run from the
 * build folder) the copy inside the program is used; that needs one folder
 * to write to. NULL where there is none: main () says so and leaves. Borrowed; UI thread only.
 */
GSettings *es_settings_get            (void);

/* The values of one operation that are not at their defaults are remembered under its id. Values that do not fit the
 * table any more are passed over. */
void       es_settings_restore_params (EsParams *params, const char *operation_id);
void       es_settings_store_params   (EsParams *params, const char *operation_id);

G_END_DECLS
