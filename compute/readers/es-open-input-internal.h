/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/* Opens what _es_dataset_add_input () has written down for a result ("path" or "made" has to be there). What takes part
 * of a cube as the file beside it tells it goes before what was written down, which may be older, and a note of the
 * data set says so where they differ. Transfer full. */
EsDataset *_es_dataset_open_input (JsonObject *input, GCancellable *cancellable, GError **error);
/* The same of a session; own: one that was saved by itself, so that a driver that it tells was named by this person.
 * Any other may come from anybody, and leads to no file but those that it lists. */
EsDataset *_es_dataset_open_kept  (JsonObject *input, gboolean own, GCancellable *cancellable, GError **error);

G_END_DECLS
