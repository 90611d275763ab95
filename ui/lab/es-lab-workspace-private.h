/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab-overview.h"
#include "es-lab-page.h"
#include "es-lab-workspace.h"
#include "lab/plan/es-cluster-view.h"

G_BEGIN_DECLS

struct _EsLabWorkspace
{
  EsWorkspace    parent_instance;

  EsMachine          *machine;       /* that is shown; NULL: none is */
  const EsExperiment *asked;         /* whose page is shown before it has run; NULL: none */

  EsLabSeries    *series;            /* NULL until a machine has been shown, and so are the widgets */
  EsLabProfiles  *profiles;
  GtkStack       *middle;
  EsLabOverview  *overview;          /* in it */
  EsLabPage      *page;              /* in it */
  EsClusterView  *cluster;           /* in it; NULL until it was asked for */
  gboolean        planning;          /* it is what is shown */
  JsonNode       *plan_told;         /* what a session kept of it, until it is there; nullable */
  GMenuModel     *save_menu;
};

/* es-lab-workspace.c: the page of an experiment that has not run; NULL: the machine. */
void _es_lab_workspace_ask             (EsLabWorkspace *self, const EsExperiment *experiment);
/* The plan for a cluster, or what is there otherwise. */
void _es_lab_workspace_plan            (EsLabWorkspace *self, gboolean planning);
/* es-lab-workspace-actions.c */
void _es_lab_workspace_install_actions (EsWorkspaceClass *class);
/* What is in the middle as a picture; NULL: not now. Transfer full. */
GdkTexture *_es_lab_workspace_render   (EsLabWorkspace *self);

G_END_DECLS
