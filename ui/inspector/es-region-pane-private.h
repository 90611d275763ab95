/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-region-pane.h"

G_BEGIN_DECLS

struct _EsRegionPane
{
  GtkWidget        parent_instance;

  /* children */
  GtkWidget       *hint;         /* how to select, while nothing is */
  GtkWidget       *selected;     /* what is, and what can be done with it */
  GtkLabel        *count;
  GtkWidget       *entry;
  GtkWidget       *list;
  GtkWidget       *foot;
  GtkWidget       *uses;         /* a button each */

  EsRegionControl *control;
  EsRegionSet     *classes;      /* that the list shows; borrowed, only compared */
  GMenu           *use_menu;     /* the same in the menu of each class */
  GStrv            use_keys, use_labels;
};

/* es-region-pane.c: emits "open-classes". */
void _es_region_pane_open_classes  (EsRegionPane *self, EsRegionSet *classes, GFile *file);

/* es-region-pane-files.c: actions region.open, region.save, region.write-classification, region.write-spectra, and the
 * menu of them at the foot of the pane. */
void _es_region_pane_install_files (GtkWidgetClass *klass);
void _es_region_pane_make_foot     (EsRegionPane *self);

/* es-region-pane-uses.c: actions region.use, region.class-use, signal "use-region"; what stands for them under what is
 * selected. */
void _es_region_pane_install_uses  (GtkWidgetClass *klass);
void _es_region_pane_make_uses     (EsRegionPane *self);
void _es_region_pane_drop_uses     (EsRegionPane *self);

G_END_DECLS
