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

  EsRegionControl *control;
  EsRegionSet     *classes;      /* that the list shows; borrowed, only compared */
};

/* es-region-pane.c: emits "open-classes". */
void _es_region_pane_open_classes  (EsRegionPane *self, EsRegionSet *classes, GFile *file);

/* es-region-pane-files.c: actions region.open, region.save, region.write-classification, region.write-spectra, and the
 * menu of them at the foot of the pane. */
void _es_region_pane_install_files (GtkWidgetClass *klass);
void _es_region_pane_make_foot     (EsRegionPane *self);

G_END_DECLS
