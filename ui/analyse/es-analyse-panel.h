/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "result/es-operation.h"
#include "result/es-result.h"
#include "session/es-device-choice.h"
#include "session/es-shown.h"

G_BEGIN_DECLS

/*
 * What can be done: the operation, its parameters, the device, what the run will cost, and the button that starts or
 * cancels it (actions "win.run", "win.cancel"). The values chosen are
 * remembered in the settings, for each operation. Signal "changed": the operation, its parameters or the device.
 */
#define ES_TYPE_ANALYSE_PANEL (es_analyse_panel_get_type ())
G_DECLARE_FINAL_TYPE (EsAnalysePanel, es_analyse_panel, ES, ANALYSE_PANEL, GtkBox)

/* Whose data set it would run on, and of whose result it says how many components the thresholds keep. Once. */
void               es_analyse_panel_set_shown     (EsAnalysePanel *self, EsShown *shown);
/* Where the device that is chosen here is said, and read by whoever runs something. Once. */
void               es_analyse_panel_set_device_choice (EsAnalysePanel *self, EsDeviceChoice *choice);
/* While running the button cancels. */
void               es_analyse_panel_set_running   (EsAnalysePanel *self, gboolean running);

/* Borrowed; NULL where nothing can be done with the data set. */
const EsOperation *es_analyse_panel_get_operation (EsAnalysePanel *self);
EsParams          *es_analyse_panel_get_params    (EsAnalysePanel *self);
/* The parameters of another operation, as they would be shown; NULL: there is none. Borrowed. */
EsParams          *es_analyse_panel_get_params_of (EsAnalysePanel *self, const char *id);
/* FALSE: there is no such operation for this data set. */
gboolean           es_analyse_panel_set_operation (EsAnalysePanel *self, const char *id);
/* The operation and the parameters are those that the shown result was made with, and not one's own: these come back
 * with another data set, the live view, a choice of an operation, or es_analyse_panel_show_own (). Thresholds act on
 * what is shown. They become one's own where they are run. */
gboolean           es_analyse_panel_shows_result  (EsAnalysePanel *self);
void               es_analyse_panel_show_own      (EsAnalysePanel *self);
/* They are about to be run. */
void               es_analyse_panel_make_own      (EsAnalysePanel *self);
/* The cost line: "0.4 s, 120 MB". */
const char        *es_analyse_panel_get_cost      (EsAnalysePanel *self);

G_END_DECLS
