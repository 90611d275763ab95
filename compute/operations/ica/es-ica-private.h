/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-ica-host.h"
#include "es-ica-operations-internal.h"
#include "operations/reduction/es-reduction-internal.h"
#include "job/es-sample-store-internal.h"

G_BEGIN_DECLS

enum { ES_ICA_DEFLATION, ES_ICA_SYMMETRIC };
enum { ES_ICA_START_RANDOM, ES_ICA_START_IDENTITY, ES_ICA_START_PCA };
enum { ES_ICA_BY_KURTOSIS, ES_ICA_BY_NEGENTROPY, ES_ICA_BY_VARIANCE };
enum { ES_ICA_MOMENTS_AUTO, ES_ICA_MOMENTS_ALWAYS, ES_ICA_MOMENTS_NEVER };

/* How long the stages take, for the progress. */
#define ES_ICA_WEIGHT_RANGES 0.1
#define ES_ICA_WEIGHT_COVARIANCE 0.25
#define ES_ICA_WEIGHT_EIGENPROBLEM 0.03
#define ES_ICA_WEIGHT_WHITENING 0.15
#define ES_ICA_WEIGHT_ITERATION 0.4
#define ES_ICA_WEIGHT_TRANSFORM 0.17

/* Steps that a plan counts with. */
#define ES_ICA_EXPECTED_STEPS 30

/* What an iteration works on: the whitened samples z = whitening (x - mean), or their moments. Counted; not changed any
 * more once it is shared. */
typedef struct
{
  gatomicrefcount references;
  guint           n, m;
  guint           rank;              /* eigenvalues that are not nothing */
  double          fraction;          /* of the pixels, 0..1 */
  guint64         seed;              /* which ones, where not all */
  gint64          count;             /* samples */
  double         *whitening;         /* m x n, of the values summed: scale folded in */
  double         *deviations;        /* m: square roots of the eigenvalues */
  EsSampleStore  *store;             /* nullable */
  EsDevice       *device;            /* whose memory the store is in; NULL: the host's */
  EskMomentTable *moments;           /* nullable */

  /* Every preview_step-th pixel of every preview_step-th row, m planes; NULL: there is no preview. */
  guint64         preview_step, preview_width, preview_height;
  float          *preview;
  EsCubeWindow    place;             /* of the cube in its whole, which is as large as the next two */
  guint64         whole_width, whole_height;
} EsIcaSamples;

EsIcaSamples *es_ica_samples_ref   (EsIcaSamples *self);
void          es_ica_samples_unref (EsIcaSamples *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsIcaSamples, es_ica_samples_unref)

/* What it found. Counted, likewise. */
typedef struct
{
  gatomicrefcount references;
  guint           m;
  double         *w;                 /* m x m, orthonormal rows */
  guint          *steps;             /* m */
  gboolean       *converged;         /* m */
  GArray        **history;           /* m of double: abs (1 - |w_new'w_old|) after every step */
  EskIcaMoments  *moments;           /* m, means; of y = w'z */
  double          contrast_of_normal;
  gboolean        by_moments;
} EsIcaRotation;

EsIcaRotation *es_ica_rotation_new   (guint m);
EsIcaRotation *es_ica_rotation_ref   (EsIcaRotation *self);
void           es_ica_rotation_unref (EsIcaRotation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsIcaRotation, es_ica_rotation_unref)

/* A component as it is shown. */
typedef struct
{
  guint  row;                        /* of the rotation */
  double sign;
  double kurtosis, skewness, negentropy, variance;
} EsIcaComponent;

EskContrast    es_ica_contrast   (EsParams *params);

/* Stage "whitening": the samples or, by_moments, their moments (and the samples where GPUs hold them all the same);
 * fills count and the rest. es-ica-whiten.c. */
gboolean       es_ica_whiten     (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples,
                                  gboolean by_moments, GError **error);
/* Stage "iteration". Transfer full. es-ica-iterate.c. */
EsIcaRotation *es_ica_iterate    (EsJob *job, EsReduction *reduction, EsIcaSamples *samples, gboolean by_moments,
                                  EsParams *params, GError **error);

/* Where it stands: the row that is under way, 0 of all at once. es-ica-keep.c. */
#define ES_ICA_FINISHED G_MAXUINT
GByteArray    *es_ica_rotation_save (EsIcaRotation *self, guint row);
/* FALSE: it is not what an iteration of as many rows saves. */
gboolean       es_ica_rotation_load (EsIcaRotation *self, guint most_steps, guint *row, GBytes *bytes);

/* The picture of a component while it is being estimated; at most four a second, and never more than a fiftieth of the
 * time. es-ica-preview.c. */
typedef struct _EsIcaPreview EsIcaPreview;
EsIcaPreview  *es_ica_preview_new  (EsJob *job, EsIcaSamples *samples);
/* w: m. Nothing where it is too early for another picture. */
void           es_ica_preview_show (EsIcaPreview *self, const double *w, guint component, guint step);
void           es_ica_preview_free (EsIcaPreview *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsIcaPreview, es_ica_preview_free)

/* An iteration under way, for es-ica-iterate.c and es-ica-step.c. */
typedef struct
{
  EsJob         *job;
  EsIcaSamples  *samples;
  EskContrast    contrast;
  double         tolerance;
  guint          most_steps;
  EsIcaRotation *rotation;
  EsIcaPreview  *preview;          /* nullable */
  EsSampleLanes *lanes;            /* NULL: by moments */
  gboolean       on_host;          /* the processor computes, on samples that it has */
  double        *sums;             /* m x m, m */
  EsCheckpoint  *checkpoint;       /* nullable */
  char          *piece;            /* its name there */
  guint          row;              /* under way; ES_ICA_FINISHED: none is any more */
  gboolean       loaded;           /* that row has been begun before */

  /* Of several processes */
  EsRanksSteps  *steps;            /* NULL: there is one */
  gint64         next;             /* EsCheckpointNext, as all have told it in the step before */
  gboolean       follow;           /* their processors round differently: all take what the first has come to */
} EsIcaIteration;

/* Before the first step and after the last one: with several processes each step is one message. es-ica-step.c. */
gboolean es_ica_steps_begin  (EsIcaIteration *self, guint rows, GError **error);
/* done: the steps went well, in this process. */
gboolean es_ica_steps_end    (EsIcaIteration *self, gboolean done, GError **error);
/* rows of w, which begin with row `first` of the rotation, become E z g (w'z) - E g' (w'z) w. Looks before whether the
 * run is to be stopped. */
gboolean es_ica_update       (EsIcaIteration *self, guint first, guint rows, double *w, GError **error);
/* What the rows that were updated have become, n numbers, and the code of what made them so: what goes wrong, of all
 * processes; ESK_ERROR_NO_CONVERGENCE does not. */
gboolean es_ica_settle       (EsIcaIteration *self, double *next, gsize n, int *code, GError **error);
/* After all steps. */
gboolean es_ica_find_moments (EsIcaIteration *self, GError **error);
/* What is kept of it in the checkpoint. */
void     es_ica_save         (EsIcaIteration *self);

/* In the order to be shown, but for the signs. Transfer full. es-ica-components.c, as the next two. */
EsIcaComponent *es_ica_sort_components (EsIcaSamples *samples, EsIcaRotation *rotation, guint order);
/* basis (m x n) = rotation times whitening, mixing (n x m) = S^-1 V D^(1/2) rotation'; both of the values summed. Gives
 * the components their signs. */
void           es_ica_make_matrices (EsReduction *reduction, EsIcaSamples *samples, EsIcaRotation *rotation,
                                     EsIcaComponent *components, double *basis, double *mixing);
/* Stages "transform", "output": the planes of m components. Transfer full. */
EsImageStack  *es_ica_project    (EsJob *job, EsCube *cube, EsReduction *reduction, EsParams *params,
                                  EsIcaSamples *samples, EsIcaRotation *rotation, const EsIcaComponent *components,
                                  const double *basis, GError **error);
/* The same from whitened samples of every pixel, where *may says that they are there: es-ica-turn.c. FALSE: another
 * process has failed. */
gboolean       es_ica_may_turn_samples (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples,
                                  const EsProjection *projection, gboolean *may, GError **error);
EsImageStack  *es_ica_turn_samples (EsJob *job, EsCube *cube, EsReduction *reduction, EsIcaSamples *samples,
                                  const EsIcaRotation *rotation, const EsIcaComponent *components,
                                  const EsProjection *projection, GError **error);

/* What it costs: es-ica-plan.c. */
EsPlan         es_ica_plan       (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits);
char         **es_ica_list_planes (EsDataset *dataset, EsParams *params);
/* Whether moments are the cheaper way for so many samples of m. */
gboolean       es_ica_prefers_moments (EsDevice *device, const EsLimits *limits, double samples, guint m,
                                  gboolean symmetric);
/* Whether tables of fourth moments have room. */
gboolean       es_ica_moments_fit (const EsLimits *limits, guint lanes, guint m);

/* "IC 1" of the component 0, translated. Transfer full. */
char          *es_ica_dup_title  (guint i);
/* Layers, values, warnings, told while the pixels are projected: what is given stays as it is until the end.
 * components: m in the order to be shown. basis (m x n) and mixing (n x m): of the values summed. es-ica-describe.c. */
typedef struct _EsIcaDescription EsIcaDescription;
EsIcaDescription *es_ica_describe_start (EsCube *cube, EsParams *params, EsReduction *reduction,
                                         EsIcaSamples *samples, EsIcaRotation *rotation,
                                         const EsIcaComponent *components, const double *basis,
                                         const double *mixing);
/* Waits; frees it. Transfer full. stack: NULL where there is none, and then there is no result. */
EsResult      *es_ica_describe_finish (EsIcaDescription *self, EsImageStack *stack);
/* What the kurtosis of `count` independent normal samples of m variables, in any direction, stays below by chance. */
double         es_ica_chance_kurtosis (gint64 count, guint m);

G_END_DECLS
