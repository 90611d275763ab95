/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-noise-statistics-private.h"
#include "es-reduction-operations-internal.h"
#include "es-reduction-internal.h"

G_BEGIN_DECLS

/* The choices of the parameters, in the order of their tables. */
enum { ES_MNF_MEAN, ES_MNF_MEDIAN, ES_MNF_SHIFT, ES_MNF_REGION, ES_MNF_FILE };
enum { ES_MNF_RIGHT, ES_MNF_LOWER, ES_MNF_LOWER_RIGHT, ES_MNF_AVERAGE };
enum { ES_MNF_BY_EIGENVALUE, ES_MNF_BY_SHARE, ES_MNF_BY_COHERENCE, ES_MNF_BY_COUNT };

/* How long the stages take, for the progress. */
#define ES_MNF_WEIGHT_RANGES 0.15
#define ES_MNF_WEIGHT_NOISE 0.4
#define ES_MNF_WEIGHT_COVARIANCE 0.3
#define ES_MNF_WEIGHT_TRANSFORM 0.2

/* ---- sums over the cube: es-mnf-pass.c, and of the noise es-mnf-residuals.c ---- */

/* The differences of one noise kind: where they are summed. Integers in one part, or in three where that overflowed. */
typedef struct
{
  EskNoiseKind  kind;
  gboolean      split;
  int           overflow;                  /* atomic */
  EskCovariance sums[3];                   /* whole; or high, low, high + low */
} EsNoiseTerm;

/* n_terms of them (at most 3) and, with_data, mean, covariance and count of the reduction: in one pass over the cube,
 * and another where integers overflowed. Stages are the caller's; where the CPU does both, the time that the noise took
 * is accounted to stage "noise". fraction: nullable. */
gboolean es_mnf_sum          (EsJob *job, EsCube *cube, EsReduction *reduction, gboolean with_data, EsNoiseTerm *terms,
                              guint n_terms, GError **error);
/* The unbiased covariance of the noise (n x n), by the kind's divisor; returns the number of pairs or windows. Fewer
 * than two: the covariance is not touched. */
gint64   es_noise_term_finish (const EsNoiseTerm *term, gboolean integer, double *covariance);
void     es_noise_term_clear (EsNoiseTerm *term);
/* Whether passes with a margin and those without are cheaper apart: the cube stays on the GPUs. */
gboolean es_mnf_is_resident  (EsJob *job, EsCube *cube, guint n);

/* ---- the noise: es-mnf-noise.c ---- */

/* What the noise is taken from, looked at before anything is computed. */
typedef struct
{
  guint              noise, direction;     /* choices */
  const char        *kind;                 /* for statistics and values: "lower-right" */
  EsCube            *dark;                 /* of ES_MNF_FILE: one of the two */
  EsNoiseStatistics *statistics;
  char              *name;                 /* of the file, for people */
  gpointer           region;               /* EsRegion */
} EsMnfSource;

gboolean es_mnf_source_init  (EsMnfSource *self, EsCube *cube, EsParams *params, GError **error);
void     es_mnf_source_clear (EsMnfSource *self);

/* What the first stages found, kept with the result. Counted; not changed any more once it is shared. */
typedef struct
{
  gatomicrefcount    references;
  EsReduction       *found;                /* mean, covariance, count of all good bands */
  EsNoiseStatistics *noise;                /* over the same bands */
  double            *delta;                /* covariance of neighbours' differences / 2, as big; NULL: not asked for */

  guint              n;                    /* bands that take part: with noise, and not constant */
  guint             *used;                 /* n, of found's bands */
  double            *values;               /* n, descending: signal to noise ratio + 1 */
  double            *transform;            /* n x n: row k is t_k */
  double            *mixing;               /* n x n: row k is what one unit of component k adds to the spectrum */
  double            *coherence;            /* n; NULL where delta is */
  guint              floored;              /* directions without noise of their own */
  guint              noise_sweeps, sweeps; /* Jacobi; 0: another solver */
} EsMnf;

EsMnf   *es_mnf_new          (void);
EsMnf   *es_mnf_ref          (EsMnf *self);
void     es_mnf_unref        (EsMnf *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsMnf, es_mnf_unref)

/* The noise's covariance, and the data's where with_data: self->noise, ->found, ->delta. Where the noise is there first
 * its eigenproblem is started beside the data's sums (overlap) and left in *task. */
typedef struct _EsMnfNoiseTask EsMnfNoiseTask;
gboolean es_mnf_find_sums    (EsJob *job, EsCube *cube, EsMnf *self, EsMnfSource *source, EsParams *params,
                              gboolean with_data, gboolean with_delta, EsMnfNoiseTask **task, GError **error);

/* ---- eigenproblems: es-mnf-solve.c ---- */

/* The noise eigenproblem of the bands that have noise. Never NULL; what is wrong is said by es_mnf_solve (). */
EsMnfNoiseTask *es_mnf_noise_task_start (EsJob *job, EsMnf *self, gboolean jacobi, gboolean on_host);
void            es_mnf_noise_task_drop  (EsMnfNoiseTask *task, EsJob *job);
/* Whether the job's GPU solves both eigenproblems at once. */
gboolean        es_mnf_solves_together  (EsJob *job, gboolean jacobi);
/* Takes the task (NULL: starts it): values, transform, mixing, coherence. Stages "noise-eigenproblem",
 * "eigenproblem", each of this weight. */
gboolean        es_mnf_solve            (EsJob *job, EsCube *cube, EsMnf *self, gboolean jacobi, double weight,
                                         EsMnfNoiseTask *task, GError **error);

/* ---- the result: es-mnf-describe.c ---- */

/* How many components are kept; *none: not even the first deserves it, and is kept all the same. */
guint     es_mnf_select   (EsMnf *self, EsParams *params, gboolean *none);
/* Sum of the values less one, of those above one. */
double    es_mnf_signal   (EsMnf *self);
/* "MNF 1" of the component 0, translated. Transfer full. */
char     *es_mnf_dup_title (guint i);
/* Layers, values, warnings, the model, told while the pixels are projected: what is given stays as it is until the
 * end. */
typedef struct _EsMnfDescription EsMnfDescription;
EsMnfDescription *es_mnf_describe_start  (EsCube *cube, EsParams *params, EsMnf *self, guint m, gboolean none);
/* Waits; frees it. Transfer full. denoised nullable; stack: NULL where there is none, and then there is no result. */
EsResult         *es_mnf_describe_finish (EsMnfDescription *self, EsImageStack *stack, EsImageStack *denoised);

G_END_DECLS
