/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * The files that this process reads from, which nothing it writes may replace: every data set holds its own, with
 * headers and what else lies beside, while it is there. Compared are device and inode (so that links are of no avail)
 * and paths. For any thread.
 */
typedef struct _EsInputs EsInputs;

EsInputs *es_inputs_hold    (GFile * const *files);
void      es_inputs_release (EsInputs *self);

/* FALSE: ES_DATA_ERROR_WRITE, one sentence that names the file. path: to be written, replaced or removed. */
gboolean  es_inputs_check   (const char *path, GError **error);

G_END_DECLS
