/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab-profiles.h"
#include "es-lab-series.h"
#include "workspace/es-workspace.h"

G_BEGIN_DECLS

/* The workspace of machines: the laboratory. */
#define ES_TYPE_LAB_WORKSPACE (es_lab_workspace_get_type ())
G_DECLARE_FINAL_TYPE (EsLabWorkspace, es_lab_workspace, ES, LAB_WORKSPACE, EsWorkspace)

/* Both are borrowed; the series is NULL until a machine has been shown. */
EsLabSeries   *es_lab_workspace_get_series   (EsLabWorkspace *self);
EsLabProfiles *es_lab_workspace_get_profiles (EsLabWorkspace *self);
/* What is shown of a ladder, by the ending of the file's name: a page, numbers or pictures. Says when it is done. */
void           es_lab_workspace_save_ladder  (EsLabWorkspace *self, GFile *file);
/* The plan for a cluster that is shown, by the ending of the file's name; or the cluster's own file. Nothing where
 * there is none. Says when it is done. */
void           es_lab_workspace_save_plan   (EsLabWorkspace *self, GFile *file, gboolean cluster);
/* A file, drawn as a page of its own, whatever else is shown; what cannot be read is said. */
void           es_lab_workspace_show_profile (EsLabWorkspace *self, GFile *file);

G_END_DECLS
