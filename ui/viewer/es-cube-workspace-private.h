/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube-workspace.h"
#include "session/es-judge.h"
#include "session/es-live-run.h"

G_BEGIN_DECLS

struct _EsCubeWorkspace
{
  EsWorkspace  parent_instance;

  EsViewer    *viewer;           /* a reference */
  GMenuModel  *save_menu;
  gboolean     shown;
  GtkWidget   *faces;            /* a window, the cube in three dimensions; a weak pointer */

  /* NULL while the window goes. */
  EsLiveRun   *threshold;        /* that is being dragged */
  EsJudge     *judge;            /* reconstructions */

  EsJob       *preview_job;      /* whose unfinished stack may be shown; nullable */
  guint        preview_source;
};

/* es-cube-workspace-actions.c */
void      _es_cube_workspace_install_actions (EsWorkspaceClass *class);

/* es-cube-panes.c: the focus goes to the next pane, or the one before */
void      _es_cube_workspace_go_round (EsCubeWorkspace *self, gboolean backward);

/* es-cube-panes.c, too: the cube in three dimensions, in a window; of what is shown from now on */
void      _es_cube_workspace_show_faces   (EsCubeWorkspace *self);
void      _es_cube_workspace_update_faces (EsCubeWorkspace *self);

/* es-cube-preview.c: what a run has made so far */
void      _es_cube_preview_begin (EsCubeWorkspace *self, EsJob *job);
/* Also where something else is shown: the job's stack is not any more. */
void      _es_cube_preview_end   (EsCubeWorkspace *self);

/* es-cube-quality.c: results that follow the inspector */
void      _es_cube_quality_init  (EsCubeWorkspace *self);
void      _es_cube_quality_close (EsCubeWorkspace *self);

/* es-cube-noise.c: the noise statistics among the shown result's values; borrowed, nullable. */
JsonNode *_es_cube_noise_get     (EsCubeWorkspace *self);
void      _es_cube_noise_choose  (EsCubeWorkspace *self);

G_END_DECLS
