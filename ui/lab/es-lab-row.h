/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "operations/lab/es-experiment.h"
#include "session/es-session.h"

G_BEGIN_DECLS

/* An experiment in the list of a machine's: its question, whether it has been run and what it found, and the button
 * that runs it (action "win.lab-run"); the row itself leads to its page ("win.lab-show"). */
#define ES_TYPE_LAB_ROW (es_lab_row_get_type ())
G_DECLARE_FINAL_TYPE (EsLabRow, es_lab_row, ES, LAB_ROW, AdwActionRow)

GtkWidget          *es_lab_row_new            (const EsExperiment *experiment);
const EsExperiment *es_lab_row_get_experiment (EsLabRow *self);
/* How it stands with that machine. here: it can be run. */
void                es_lab_row_update         (EsLabRow *self, EsSession *session, EsMachine *machine, gboolean here);

G_END_DECLS
