/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "raw/es-raw-glimpse.h"

G_BEGIN_DECLS

/* A band as a grey picture and the spectrum of the middle pixel, which a cross marks. */
#define ES_TYPE_GLIMPSE_VIEW (es_glimpse_view_get_type ())
G_DECLARE_FINAL_TYPE (EsGlimpseView, es_glimpse_view, ES, GLIMPSE_VIEW, GtkBox)

GtkWidget *es_glimpse_view_new (void);
/* NULL: nothing is shown. Not kept. */
void       es_glimpse_view_set (EsGlimpseView *self, const EsRawGlimpse *glimpse);

G_END_DECLS
