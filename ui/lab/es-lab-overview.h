/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-lab-profiles.h"
#include "es-lab-series.h"

G_BEGIN_DECLS

/* A machine before anything of it is chosen: what it says of itself, and all experiments that suit it, by group, with
 * what each has found. What can be done are actions "win.lab-...". */
#define ES_TYPE_LAB_OVERVIEW (es_lab_overview_get_type ())
G_DECLARE_FINAL_TYPE (EsLabOverview, es_lab_overview, ES, LAB_OVERVIEW, GtkWidget)

GtkWidget *es_lab_overview_new         (EsSession *session, EsLabSeries *series, EsLabProfiles *profiles);
/* Nullable. Of the same machine, too, all of it is as it is at once. */
void       es_lab_overview_set_machine (EsLabOverview *self, EsMachine *machine);
/* Something of it is otherwise: a moment later all of it is as it is. */
void       es_lab_overview_update      (EsLabOverview *self);

G_END_DECLS
