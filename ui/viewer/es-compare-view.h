/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "image/es-image-view.h"

G_BEGIN_DECLS

/*
 * The viewer's picture, and a second one beside, behind or in turn with it, or the difference of the two. All views
 * show the same place at the same zoom; what is hovered or selected in one is so in the left one, whose signals speak
 * for all. Space pauses a blink.
 * Properties: "mode", "paused" (of a blink), "interval" (ms, from one picture to the other).
 */
typedef enum
{
  ES_COMPARE_OFF,              /* the left picture alone */
  ES_COMPARE_SIDE,
  ES_COMPARE_SWIPE,            /* left of the divider the left picture, right of it the right one */
  ES_COMPARE_BLINK,
  ES_COMPARE_DIFFERENCE,
} EsCompareMode;

typedef enum { ES_COMPARE_LEFT, ES_COMPARE_RIGHT, ES_COMPARE_BOTH, ES_N_COMPARE_PICTURES } EsComparePicture;

#define ES_TYPE_COMPARE_VIEW (es_compare_view_get_type ())
G_DECLARE_FINAL_TYPE (EsCompareView, es_compare_view, ES, COMPARE_VIEW, GtkWidget)

/* A view of each picture is made; BOTH: the difference. */
GtkWidget    *es_compare_view_new         (EsPicture *left, EsPicture *right, EsPicture *difference);
EsImageView  *es_compare_view_get_view    (EsCompareView *self, EsComparePicture which);
void          es_compare_view_set_mode    (EsCompareView *self, EsCompareMode mode);
EsCompareMode es_compare_view_get_mode    (EsCompareView *self);
/* What each picture says it shows, wherever there is room for it. */
void          es_compare_view_set_caption (EsCompareView *self, EsComparePicture which, const char *caption);
const char   *es_compare_view_get_caption (EsCompareView *self, EsComparePicture which);
/* 0..1: where a swipe's divider is. */
void          es_compare_view_set_divider (EsCompareView *self, double position);
double        es_compare_view_get_divider (EsCompareView *self);
void          es_compare_view_set_interval (EsCompareView *self, guint milliseconds);
guint         es_compare_view_get_interval (EsCompareView *self);
void          es_compare_view_set_paused  (EsCompareView *self, gboolean paused);
gboolean      es_compare_view_get_paused  (EsCompareView *self);
/* Which one a blink shows just now. */
EsComparePicture es_compare_view_get_shown (EsCompareView *self);

G_END_DECLS
