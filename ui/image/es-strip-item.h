/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-display.h"

#include <gdk/gdk.h>

G_BEGIN_DECLS

/* One plane of a strip: properties "title", "share" (text), "paintable" (nullable until its samples are
 * there). */
#define ES_TYPE_STRIP_ITEM (es_strip_item_get_type ())
G_DECLARE_FINAL_TYPE (EsStripItem, es_strip_item, ES, STRIP_ITEM, GObject)

EsStripItem *es_strip_item_new         (EsPlaneSource *source, guint plane);
guint        es_strip_item_get_plane   (EsStripItem *self);
gboolean     es_strip_item_is_loaded   (EsStripItem *self);
/* The decimated plane, read with es_plane_source_read (source, plane, step). Drawn by the next render (). */
void         es_strip_item_set_samples (EsStripItem *self, GBytes *samples, guint step);
/* Draws the thumbnail in the display's look where that has changed. size: in device pixels. */
void         es_strip_item_render      (EsStripItem *self, EsDisplay *display, int size);

G_END_DECLS
