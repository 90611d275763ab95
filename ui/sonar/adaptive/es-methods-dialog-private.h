/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "charts/es-table-view.h"
#include "es-methods-dialog.h"

G_BEGIN_DECLS

struct _EsMethodsDialog
{
  AdwWindow        parent_instance;

  GtkWidget       *what, *most, *run, *spinner, *outcome, *bars, *stacked, *notes;
  EsTableView     *table;

  EsRecording     *recording;
  EsArray         *array;
  EsBeamSettings  *settings;
  EsDevice        *device;
  guint64          frame;
  EsAdaptiveRoute *routes;
  GCancellable    *cancellable;   /* while it runs */
};

/* Everything below the button, by what has come out. */
void _es_methods_dialog_update (EsMethodsDialog *self);

G_END_DECLS
