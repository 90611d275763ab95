/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-image-view.h"
#include "image/es-plane-loader.h"

G_BEGIN_DECLS

/*
 * Where a picture was made smaller to be shown, what is in view of it in full: as the view moves, tiles of the level
 * that fits the zoom are read in the background, put together with what is there by now, and become the picture's
 * detail (es_picture_set_detail ()). The newest view wins; neighbours are read ahead. Nothing is done for pictures that
 * are whole, nor for a view that is not on the screen. Main context only.
 * Signals: "changed": a detail has come, or is all there now (es_detail_is_busy ()); "failed" (GError *): a tile cannot
 * be read, told once for each set of planes.
 */
#define ES_TYPE_DETAIL (es_detail_get_type ())
G_DECLARE_FINAL_TYPE (EsDetail, es_detail, ES, DETAIL, GObject)

/* Of the view's picture. */
EsDetail *es_detail_new        (EsImageView *view);
/* The planes that the picture shows by now; NULL: others, of which there is no detail. */
void      es_detail_set_planes (EsDetail *self, const EsPlaneSet *set);
/* Whether tiles of what is in view are missing. */
gboolean  es_detail_is_busy    (EsDetail *self);

G_END_DECLS
