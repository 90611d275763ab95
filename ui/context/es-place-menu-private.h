/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-place-menu.h"

G_BEGIN_DECLS

typedef struct
{
  EsImageView *image;            /* borrowed: it owns this */
  EsImageView *tools;            /* a weak pointer */
  EsDisplay   *display;
  EsInspector *inspector;        /* a weak pointer */
  GSimpleActionGroup *actions;
  GtkWidget   *popover;          /* NULL: not asked for yet */
  guint        n_reading;
} EsPlaceMenu;

/* es-place-actions.c */
void           _es_place_menu_add_actions    (EsPlaceMenu *self);
/* Which of them make sense for the place that is selected. */
void           _es_place_menu_update_actions (EsPlaceMenu *self);
/* The class that the selected pixel is in, the one that is drawn on top; NULL: none. Transfer full. */
EsNamedRegion *_es_place_menu_find_class     (EsPlaceMenu *self);

G_END_DECLS
