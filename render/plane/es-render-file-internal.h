/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* As es_durable_write (): a failed save leaves the old file as it was. ES_DATA_ERROR_WRITE. */
gboolean es_render_file_replace (GFile *target, GBytes *contents, GError **error);
/* Sets that error with a reason of one's own ("there is no picture"); returns FALSE. */
gboolean es_render_file_fail    (GFile *target, const char *reason, GError **error);

G_END_DECLS
