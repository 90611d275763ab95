/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-lab-profiles.h"

G_BEGIN_DECLS

/* A button "Compare with" whose popover has a box to check for each profile of other machines, and a way to open one
 * from a file (action "win.lab-open-profile"). */
#define ES_TYPE_LAB_COMPARE (es_lab_compare_get_type ())
G_DECLARE_FINAL_TYPE (EsLabCompare, es_lab_compare, ES, LAB_COMPARE, GtkWidget)

GtkWidget *es_lab_compare_new (EsLabProfiles *profiles);

G_END_DECLS
