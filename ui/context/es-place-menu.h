/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-display.h"
#include "image/es-image-view.h"
#include "inspector/es-inspector.h"

G_BEGIN_DECLS

/*
 * The menu of a picture, by the second button (which selects the pixel that it is pressed on), a long press, the menu
 * key or Shift+F10 (of the selected pixel): spectrum, values, profiles, region, what takes part, zoom, picture.
 * display: what the view shows; tools: the view that one draws in, which may be the same. Once a view, which has the
 * actions from then on:
 *   place.copy-coordinates, place.copy-values (of the planes that are shown), place.copy-spectrum: as text with a line
 *   of titles; place.zoom-here; place.profile (s: "row", "column", "line": the tool for it);
 *   place.tool (s: "rectangle", "polygon"); place.make-class, place.keep-selection, place.unselect (of the region that
 *   is selected), place.select-class (the one that the pixel is in); place.part-selected (s: "inside", "outside",
 *   "window"), place.everything: what takes part.
 */
void     es_place_menu_add   (EsImageView *image, EsDisplay *display, EsImageView *tools, EsInspector *inspector);
/* At a point of the view; where it has no picture, nothing comes. */
void     es_place_menu_popup (EsImageView *image, double x, double y);
/* What copying waits for is still being read. */
gboolean es_place_menu_is_busy (EsImageView *image);

G_END_DECLS
