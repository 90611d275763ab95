/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-linear-model.h"
#include "es-reduction-internal.h"

G_BEGIN_DECLS

/* The result whose components are taken. Start from { NULL }. es-reconstruct-source.c. */
typedef struct
{
  EsLinearModel *model;
  char          *operation, *title, *path;   /* path: nullable */
} EsReconstructionSource;

/* The job's source, or the result.json that the parameter names; FALSE where it is of another cube or has no model. */
gboolean      es_reconstruction_source_init  (EsJob *job, EsDataset *dataset, EsParams *params,
                                              EsReconstructionSource *source, GError **error);
void          es_reconstruction_source_clear (EsReconstructionSource *self);
/* text: "1-5, 8". kept: m of them. */
gboolean      es_reconstruction_parse_components (const char *text, guint m, gboolean *kept, GError **error);

/* What a reconstruction with some of a model's components needs: of the n bands of the model. */
typedef struct
{
  const EsLinearModel *model;
  EskSelection         selection;
  double              *no_data;            /* n; NAN where a band has none */
  double              *scale, *offset;     /* n: a value summed times scale plus offset is in the cube's unit */
  float               *forward, *backward; /* rows x n, n x rows */
  guint                rows;               /* of forward, at least one: no component at all is one of zeros */
} EsReconstruction;

/* kept: of the model's components. The model has to live as long. */
void          es_reconstruction_init    (EsReconstruction *self, EsCube *cube, const EsLinearModel *model,
                                         const gboolean *kept);
void          es_reconstruction_clear   (EsReconstruction *self);
/* n x n, row-major: what takes x - mean to estimate - mean, in the unit of the values summed. Transfer full. */
double       *es_reconstruction_make_matrix (const EsReconstruction *self);

/*
 * One pass, of several processes (es-ranks.h) shared between them: the sums of the errors (zeroed and n bands long),
 * and the map of RMSE and angle where error_map is given.
 * No component kept: sum of square is that of the deviations from the mean.
 */
gboolean      es_reconstruction_measure (EsJob *job, EsCube *cube, const EsReconstruction *self,
                                         EsImageStack *error_map, EskErrorSums *sums, GError **error);

/* "residual": computed when it is looked at. Transfer full. */
EsImageStack *es_reconstruction_make_residual (EsCube *cube, const EsLinearModel *model, const gboolean *kept,
                                               GError **error);
/* The same, computed now, of several processes by all: of a run that writes it. Transfer full. */
EsImageStack *es_reconstruction_compute_residual (EsJob *job, EsCube *cube, const EsReconstruction *self,
                                                  double weight, GError **error);
/* As many planes as the model has bands, each a projection of the samples about the mean: the projection's name, title,
 * basis, offset, sign and weight. Transfer full. */
EsImageStack *es_reconstruction_project (EsJob *job, EsCube *cube, const EsReconstruction *self,
                                         const EsProjection *projection, GError **error);
/* "reconstruction". Transfer full. */
EsImageStack *es_reconstruction_make_cube (EsJob *job, EsCube *cube, const EsReconstruction *self, double weight,
                                           GError **error);

G_END_DECLS
