/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-workspaces.h"

#include "lab/es-lab-workspace.h"
#include "lab/matrix/es-matrix-workspace.h"
#include "sonar/es-sonar-workspace.h"
#include "viewer/es-cube-workspace.h"

const GType *
es_workspaces_get (guint *n)
{
  static GType types[4];

  types[0] = ES_TYPE_CUBE_WORKSPACE;
  types[1] = ES_TYPE_SONAR_WORKSPACE;
  types[2] = ES_TYPE_LAB_WORKSPACE;
  types[3] = ES_TYPE_MATRIX_WORKSPACE;
  *n = G_N_ELEMENTS (types);
  return types;
}
