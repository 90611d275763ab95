/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-field.h"
#include "saving/es-output-internal.h"
#include "es-writer.h"

G_BEGIN_DECLS

/* Write everything but the last step, the renaming, which outputs does for several layers at once. */
gboolean es_write_field_text    (EsField *field, const EsOutput *output, GCancellable *cancellable, GError **error);
gboolean es_write_field_picture (EsField *field, EsOutputs *outputs, const char *path, GCancellable *cancellable,
                                 GError **error);
gboolean es_write_field_store   (EsField *field, EsOutputs *outputs, const char *path, GCancellable *cancellable,
                                 GError **error);

G_END_DECLS
