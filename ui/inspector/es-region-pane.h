/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "image/es-region-control.h"

G_BEGIN_DECLS

/*
 * What is selected, to be named as a class, and the list of classes: swatch, name, pixels; renamed, coloured, selected
 * again, removed; saved and opened, written as classification and as mean spectra.
 * Signals: "noise-region" (const char *text): the pixels of a region are to be the noise (es_region_format ());
 * "use-region" (const char *key, const char *text): the pixels are to be the value of a parameter that was set by
 * es_region_pane_set_uses (); "open-classes" (EsRegionSet *classes, GFile *file): those of the file are to be added.
 * Actions: region.keep (of the entry's name), region.clear, region.noise, region.use (key), region.open,
 * region.save, region.write-classification, region.write-spectra; and of the class at a place: region.class-select,
 * -noise, -remove, and -use (place and key).
 */
#define ES_TYPE_REGION_PANE (es_region_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsRegionPane, es_region_pane, ES, REGION_PANE, GtkWidget)

GtkWidget *es_region_pane_new      (EsRegionControl *control);
/* "3 classes"; NULL: none. Transfer full. */
char      *es_region_pane_describe (EsRegionPane *self);
/* The parameters that ask for pixels now, besides the noise: their keys, and beside each what using a region as it is
 * called ("Use as “Region” of UMAP", translated). As many of both; NULL: none. */
void       es_region_pane_set_uses (EsRegionPane *self, const char *const *keys, const char *const *labels);

G_END_DECLS
