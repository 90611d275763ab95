/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * What is shown: one item of a session, which everything that shows a part of it observes (the pictures, the row in the
 * tree, the panel, the title). Whoever wants something else to be shown says it here. Main context only.
 *
 * Properties, read only but "plane": "dataset" (EsDataset), "result" (EsResult of it), "layer" (EsLayer of that), all
 * nullable; "plane" (guint: of a stack or cube; whoever draws it says here what it draws).
 * Signal "changed" (EsResult *replaced): data set, result or layer are others, all of them by now; after the
 * properties' notifications, once each time. replaced (nullable): what was shown, in whose place the new result has
 * come: the view keeps its place.
 */
#define ES_TYPE_SHOWN (es_shown_get_type ())
G_DECLARE_FINAL_TYPE (EsShown, es_shown, ES, SHOWN, GObject)

EsShown   *es_shown_new         (void);
/* A layer goes with its result, a result with its data set; NULL, NULL, NULL: nothing. */
void       es_shown_set         (EsShown *self, EsDataset *dataset, EsResult *result, EsLayer *layer);
/* The result comes in the place of the one that is shown; the layer of the same name stays in view, if there is one. */
void       es_shown_replace     (EsShown *self, EsResult *result);
void       es_shown_set_plane   (EsShown *self, guint plane);

/* Borrowed, nullable. */
EsDataset *es_shown_get_dataset (EsShown *self);
EsResult  *es_shown_get_result  (EsShown *self);
EsLayer   *es_shown_get_layer   (EsShown *self);
guint      es_shown_get_plane   (EsShown *self);
/* What was chosen: the layer, else the result, else the data set. Borrowed, nullable. */
GObject   *es_shown_get_item    (EsShown *self);
/* What of it is in view: of a result without a layer its first picture. Borrowed, nullable. */
GObject   *es_shown_get_in_view (EsShown *self);

G_END_DECLS
