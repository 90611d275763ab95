/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-image-view.h"
#include "cube/es-region-set.h"

G_BEGIN_DECLS

/*
 * What is selected of a data set, and its classes: the one place that the image, the scatter plot and the list of
 * classes follow. Draws both over the picture. Main context only.
 * Signal "changed": another selection, other classes, or another name or colour of one.
 */
#define ES_TYPE_REGION_CONTROL (es_region_control_get_type ())
G_DECLARE_FINAL_TYPE (EsRegionControl, es_region_control, ES, REGION_CONTROL, GObject)

/* What is selected, wherever it is drawn. */
extern const GdkRGBA es_region_selection_color;

EsRegionControl *es_region_control_new           (void);
/* Where regions are drawn by hand, and shown. */
void             es_region_control_set_image     (EsRegionControl *self, EsImageView *image);
/* Nothing is selected of another data set. NULL, or no cube: no classes. */
void             es_region_control_set_dataset   (EsRegionControl *self, EsDataset *dataset);
EsCube          *es_region_control_get_cube      (EsRegionControl *self);            /* nullable */
/* Of the data set; nullable. */
EsRegionSet     *es_region_control_get_classes   (EsRegionControl *self);
void             es_region_control_set_selection (EsRegionControl *self, EsRegion *region);       /* nullable */
EsRegion        *es_region_control_get_selection (EsRegionControl *self);            /* nullable, borrowed */
/* Pixels selected. */
guint64          es_region_control_get_count     (EsRegionControl *self);
/* A class of what is selected, which is selected no more; name NULL: "Class 3". Borrowed. */
EsNamedRegion   *es_region_control_keep          (EsRegionControl *self, const char *name);
/* Of a class; 0xRRGGBB. */
GdkRGBA          es_region_control_rgba          (guint32 colour);

G_END_DECLS
