/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-viewer.h"
#include "workspace/es-workspace.h"

G_BEGIN_DECLS

/*
 * The cube workspace: what a window shows while a cube, or a result of one, is selected, and while there is nothing.
 * The viewer in the middle, its inspector on the right; results that follow what the person does in them.
 */
#define ES_TYPE_CUBE_WORKSPACE (es_cube_workspace_get_type ())
G_DECLARE_FINAL_TYPE (EsCubeWorkspace, es_cube_workspace, ES, CUBE_WORKSPACE, EsWorkspace)

EsViewer *es_cube_workspace_get_viewer (EsCubeWorkspace *self);

G_END_DECLS
