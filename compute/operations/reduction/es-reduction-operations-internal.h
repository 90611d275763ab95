/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "job/es-job-internal.h"
#include "result/es-operation.h"

G_BEGIN_DECLS

/* The descriptors of this room, each beside its code; for the registry. */
extern const EsOperation es_operation_mnf;
extern const EsOperation es_operation_pca;
extern const EsOperation es_operation_reconstruct;

/* What other reductions of a cube use of the linear ones': dense eigenproblems, and where the components lie. */

/* An eigenproblem on the job's device or the host beside whatever the job does meanwhile; cancelled with it. Takes the
 * matrix. values (n, descending) and vectors (n x n, a row each, signs as they come) are the caller's. */
typedef struct _EsEigenTask EsEigenTask;
EsEigenTask  *es_eigen_task_start         (EsJob *job, gboolean jacobi, gboolean on_host, gsize n, double *matrix);
/* Waits; frees the task. sweeps, off_norm nullable. */
gboolean      es_eigen_task_finish        (EsEigenTask *self, EsJob *job, double *values, double *vectors,
                                           guint *sweeps, double *off_norm, GError **error);
/* Of every row the entry of the largest magnitude becomes positive. */
void          es_reduction_fix_signs      (gsize rows, gsize n, double *vectors);

/* Stacks that take more bytes are kept in a file. */
guint64       es_reduction_largest_stack  (const EsLimits *limits);
/* Where a layer of that name is made at once; NULL: nowhere. Transfer full. */
char         *es_reduction_stack_path     (EsCube *cube, const EsLimits *limits, const char *name);
/* Of a cube that is a part of another the stack, just made, becomes a window of the whole: no-data round it. */
void          es_reduction_frame_stack    (EsImageStack *stack, EsCube *cube);

G_END_DECLS
