/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-analyse-panel.h"
#include "es-device-chooser.h"
#include "params/es-param-panel.h"

G_BEGIN_DECLS

struct _EsAnalysePanel
{
  GtkBox             parent_instance;

  /* Template widgets. */
  EsParamPanel      *param_panel;
  GtkLabel          *part;           /* what takes part, where not everything does */
  GtkLabel          *cost;
  GtkStack          *run_stack;
  GtkWidget         *run;
  GtkWidget         *cancel;
  GtkLabel          *heading;
  GtkStack          *own_stack;      /* the way back to one's own parameters, or nothing */
  GtkWidget         *own;

  /* Made here and placed in the parameter panel. */
  GtkDropDown       *operation_choice;
  EsDeviceChooser   *device_chooser;

  EsDataset         *dataset;
  EsResult          *result;
  const EsOperation *operation;
  GPtrArray         *operations;     /* those that take the data set */
  GHashTable        *params;         /* id -> EsParams */
  EsParams          *made;           /* a copy of what the shown result was made with; NULL: one's own are shown */
  const EsOperation *own_operation;  /* meanwhile */
  EsParams          *ran;            /* a copy of what was run last, until its result is shown */
  GSignalGroup      *params_signals, *dataset_signals;
  gboolean           filling;
  gboolean           storing;
  guint              store_source;
};

/* What was last set for it, or its defaults. */
EsParams *_es_analyse_panel_ensure_params  (EsAnalysePanel *self, const EsOperation *operation);
/* With one's own parameters, or those of the result where they are shown. */
void      _es_analyse_panel_show_operation (EsAnalysePanel *self, const EsOperation *operation);

/* es-analyse-panel-made.c: another result is shown, or none */
void      _es_analyse_panel_show_made      (EsAnalysePanel *self);

G_END_DECLS
