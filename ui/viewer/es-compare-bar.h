/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-compare-sources.h"
#include "es-compare-view.h"

G_BEGIN_DECLS

/*
 * The row above two compared pictures: what the second one shows, how the two are shown, and what belongs to that way
 * (a blink's interval, a difference's standardising). Ways are changed by the action view.compare-mode.
 * Property "standardise". Signal: "chosen" (EsCompareItem *).
 */
#define ES_TYPE_COMPARE_BAR (es_compare_bar_get_type ())
G_DECLARE_FINAL_TYPE (EsCompareBar, es_compare_bar, ES, COMPARE_BAR, GtkWidget)

GtkWidget *es_compare_bar_new          (EsCompareView *view);
void       es_compare_bar_set_sources  (EsCompareBar *self, EsCompareSources *sources);
/* What is shown; nullable. */
void       es_compare_bar_set_item     (EsCompareBar *self, EsCompareItem *item);
gboolean   es_compare_bar_get_standardise (EsCompareBar *self);

G_END_DECLS
