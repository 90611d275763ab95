/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "charts/es-table-view.h"
#include "report/es-step-bars.h"
#include "es-comparison-dialog.h"

G_BEGIN_DECLS

struct _EsComparisonDialog
{
  AdwWindow           parent_instance;

  /* children */
  GtkWidget          *toasts;
  GtkWidget          *contestants;   /* a list, one row a contestant */
  GPtrArray          *checks, *states;   /* borrowed widgets of the rows */
  GtkWidget          *repeats;
  GtkWidget          *run;
  GtkWidget          *status;
  GtkWidget          *progress;
  GtkWidget          *outcome;       /* everything below the list: once there is something */
  GtkWidget          *bars;
  GtkWidget          *stacked;
  EsTableView        *table;

  EsComparison       *comparison;
  GCancellable       *cancellable;   /* while it runs */
};

EsStepBarsStyle _es_comparison_dialog_style_of         (EsComparisonDialog *self);

/* es-comparison-dialog-save.c: copying and saving, and the menu of both */
void            _es_comparison_dialog_install_saving   (GtkWidgetClass *klass);
GtkWidget      *_es_comparison_dialog_make_menu_button (void);

G_END_DECLS
