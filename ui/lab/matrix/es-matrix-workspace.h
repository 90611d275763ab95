/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-matrix-page.h"
#include "workspace/es-workspace.h"

G_BEGIN_DECLS

/* The workspace of sparse matrices, in the laboratory. */
#define ES_TYPE_MATRIX_WORKSPACE (es_matrix_workspace_get_type ())
G_DECLARE_FINAL_TYPE (EsMatrixWorkspace, es_matrix_workspace, ES, MATRIX_WORKSPACE, EsWorkspace)

/* Borrowed; NULL until a matrix has been shown. */
EsMatrixPage *es_matrix_workspace_get_page (EsMatrixWorkspace *self);

G_END_DECLS
