/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-compare-view.h"

G_BEGIN_DECLS

struct _EsCompareView
{
  GtkWidget      parent_instance;

  /* children; the captions are for a swipe, which would cut those of the views */
  EsImageView   *views[ES_N_COMPARE_PICTURES];
  GtkWidget     *divider;
  GtkWidget     *labels[2];

  EsCompareMode  mode;
  char          *captions[ES_N_COMPARE_PICTURES];

  gboolean       placed[ES_N_COMPARE_PICTURES];   /* its picture lies where the left one does */
  gboolean       linking;
  gboolean       hovering;
  EsComparePicture hovered;      /* under the pointer */

  guint          interval;
  gboolean       paused;
  gboolean       blink_right;
  guint          blink_source;
};

/* es-compare-view-link.c: one place, one selection and one pixel under the pointer for all pictures */
void _es_compare_view_link           (EsCompareView *self, EsImageView *view, EsPicture *picture);
/* A view goes where another one is. */
void _es_compare_view_place_as       (EsCompareView *self, EsImageView *view, EsImageView *from);

/* es-compare-view-draw.c: where the views lie, and what is drawn of them */
void _es_compare_view_install_layout (GtkWidgetClass *klass);

G_END_DECLS
