/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sonar-view.h"
#include "workspace/es-workspace.h"

G_BEGIN_DECLS

/*
 * The sonar workspace: what a window shows while a recording, or a result of one, is selected. The displays in the
 * middle (or the way to an array, which they need), their inspector and what a result lists on the right, the array in
 * the left column, the transport below.
 */
#define ES_TYPE_SONAR_WORKSPACE (es_sonar_workspace_get_type ())
G_DECLARE_FINAL_TYPE (EsSonarWorkspace, es_sonar_workspace, ES, SONAR_WORKSPACE, EsWorkspace)

/* NULL until a recording has been shown. */
EsSonarView *es_sonar_workspace_get_view   (EsSonarWorkspace *self);
EsPlayer    *es_sonar_workspace_get_player (EsSonarWorkspace *self);   /* of the recording that is shown; nullable */
/* The beam of the whole recording, or of a stretch of it (s), as WAV. */
void         es_sonar_workspace_save_beam  (EsSonarWorkspace *self, EsBeamAim aim, GFile *target);
void         es_sonar_workspace_save_stretch (EsSonarWorkspace *self, EsBeamAim aim, double begin, double end,
                                              GFile *target);

G_END_DECLS
