/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a description of GDAL's (VRT) names: files as absolute paths, anything else (addresses, subdatasets) as it is
 * written, each once; of descriptions among them also what those name. Nothing but descriptions is opened for it.
 * NULL-terminated, transfer full. NULL without an error: the file at path is none. */
char **es_vrt_list_sources (const char *path, GCancellable *cancellable, GError **error);

G_END_DECLS
