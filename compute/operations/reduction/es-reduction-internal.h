/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-internal.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "result/es-operation.h"
#include "result/es-result-internal.h"
#include "es-reduction-operations-internal.h"

G_BEGIN_DECLS

/*
 * What linear reductions of a cube have in common (PCA, FastICA, MNF): the bands used, sums for the covariance, the
 * eigenproblem, the projection, the layers that describe them. Each is a stage of the job or several.
 */

/* Bands x bands matrices in float64 that are there at once: covariance, eigenvectors, and what LAPACK works on. */
#define ES_REDUCTION_MATRICES 7

/* Choices of the parameters "quantise" and "eigensolver": index 1 is 8 bit, and Jacobi. */
extern const EsParamChoice es_reduction_quantise_choices[];
extern const EsParamChoice es_reduction_eigensolver_choices[];

/* What the first stages found: kept with the result, so that a moved threshold repeats only the last. Counted; not
 * changed any more once it is shared. */
typedef struct
{
  gatomicrefcount  references;
  guint            n;                       /* bands used */
  guint32         *bands;                   /* n, of the cube */
  double          *no_data;                 /* n; NAN where a band has none */
  double          *zero;                    /* n: the stored values that mean 0, -offset/scale; NULL: 0 everywhere */
  double          *minimum, *maximum;       /* n: quantised to 8 bits from there to there; else NULL */
  gint64           count;                   /* valid pixels */
  double          *mean, *covariance;       /* n, n x n, of the values summed; unbiased */
  double          *scale;                   /* n: what the values were multiplied by in the eigenproblem */
  double          *values, *vectors;        /* n descending, >= 0; row k = eigenvector k, largest loading positive */
  guint            n_vectors;               /* of them are there, the first ones: es_reduction_has_vectors () */
  double           total;                   /* sum of the values */
  guint            constant_bands;
  guint            sweeps;                  /* Jacobi; 0: another solver */
  double           off_norm;
} EsReduction;

/* The good bands of the cube, everything else zero. `what`: what needs at least two bands ("a principal component
 * analysis"), translated. ES_DATA_ERROR_EMPTY, ES_COMPUTE_ERROR_MEMORY. */
EsReduction  *es_reduction_new            (EsCube *cube, const EsLimits *limits, const char *what, GError **error);
/* Of the bands given (ascending, n of them), for MNF without dead ones. */
EsReduction  *es_reduction_new_for_bands  (EsCube *cube, const EsLimits *limits, const guint32 *bands, guint n,
                                           GError **error);
EsReduction  *es_reduction_ref            (EsReduction *self);
void          es_reduction_unref          (EsReduction *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsReduction, es_reduction_unref)
/* Mean, covariance, count and ranges of another, for another eigenproblem over them. Same bands. */
void          es_reduction_take_sums      (EsReduction *self, EsReduction *other);
EskSelection  es_reduction_selection      (EsReduction *self);
/* What is subtracted from the values summed before they are projected, n of them: the mean, or where it stays in, the
 * zero of the physical scale (values quantised to 8 bits have their own). NULL: nothing. */
const double *es_reduction_origin         (EsReduction *self, gboolean center);
/* Sets ES_COMPUTE_ERROR_MEMORY: the host has no room for `what`. Returns NULL. */
gpointer      es_reduction_out_of_memory  (const char *what, GError **error);

/* ---- sums: es-reduction-sums.c ---- */

/* Integer totals of these values have room in 64 bits for every pixel of the cube. */
gboolean      es_reduction_sums_are_exact (EsCube *cube, EsReduction *self);
/* Ranges of the bands first where quantise; then mean, covariance, count. Stages "quantise", "covariance". */
gboolean      es_reduction_find_sums      (EsJob *job, EsCube *cube, EsReduction *self, gboolean quantise,
                                           double weight_ranges, double weight_covariance, GError **error);
/* The parts of it, for an operation with sums of its own beside them (MNF). */
gboolean      es_reduction_find_ranges    (EsJob *job, EsCube *cube, EsReduction *self, const EsTiling *tiling,
                                           double weight, GError **error);
gboolean      es_reduction_estimate_mean  (EsJob *job, EsCube *cube, EsReduction *self, const EsTiling *tiling,
                                           double *mean, GError **error);
/* Fewer than two pixels: ES_DATA_ERROR_EMPTY, in one sentence. */
gboolean      es_reduction_check_count    (EsCube *cube, EsReduction *self, gint64 count, GError **error);

/* ---- eigenproblems: es-reduction-solve.c ---- */

/* How many components are kept: es_reduction_select (). */
typedef struct
{
  double threshold;
  gint64 wanted;
} EsReductionChoice;

/* covariance -> scale, values, vectors of at least the components kept, total; stage "eigenproblem". */
gboolean      es_reduction_solve          (EsJob *job, EsCube *cube, EsReduction *self, gboolean correlation,
                                           gboolean jacobi, const EsReductionChoice *kept, double weight,
                                           GError **error);
/* FALSE: more components are kept now than vectors were found; es_reduction_solve () anew. */
gboolean      es_reduction_has_vectors    (EsReduction *self, const EsReductionChoice *kept);
/* Two matrices made diagonal together by the hot spot eigen_pair () of the job's device (its first member), where that
 * has it. Takes both matrices. Waits; frees the task. too_large: for that device; nothing was found then. */
gboolean      es_eigen_pair_is_on_gpu     (EsJob *job);
EsEigenTask  *es_eigen_pair_start         (EsJob *job, gsize n, double *noise, double *data, double least);
gboolean      es_eigen_pair_finish        (EsEigenTask *self, EsJob *job, double *values, double *transform,
                                           double *mixing, guint *raised, gboolean *too_large, GError **error);

/* ---- the projection: es-reduction-project.c ---- */

/* One stack of m planes: plane k is basis row k times (x - mean). */
typedef struct
{
  const char        *name, *title;          /* "components", translated */
  guint              m;
  const double      *basis;                 /* m x n, of the values summed: scale folded in */
  const double      *mean;                  /* n; NULL: not removed */
  const char *const *plane_titles;          /* m, translated: "PC 1" */
  const double      *shares;                /* m, 0..1; NULL: none */
  const double      *offset;                /* m: added to each plane, which is then kept by the host; NULL: nothing */
  gboolean           is_signed;
  gboolean           show;                  /* as the job's preview while it fills */
  double             weight;
} EsProjection;

/* Without samples: on the cards where they are tried and have room for it. Transfer full. */
EsImageStack *es_reduction_make_stack     (EsJob *job, EsCube *cube, EsReduction *self, const EsProjection *projection,
                                           gboolean try_device, gboolean *on_device, GError **error);
/* Stages "transform", "output". Transfer full. */
EsImageStack *es_reduction_project        (EsJob *job, EsCube *cube, EsReduction *self, const EsProjection *projection,
                                           GError **error);
/* Whether m planes stay on the GPUs, where they are made: all planes fit beside the cube or what passes by of it,
 * nobody wants a file, the cube is no window of another, and the tiles are whole rows. */
gboolean      es_reduction_keeps_on_device (EsCube *cube, EsDevice *device, const EsLimits *limits, guint n, guint m);

/* ---- what it costs: es-reduction-plan.c ---- */

typedef struct
{
  guint    passes;             /* over the cube */
  guint    n, m;               /* bands, planes of the result */
  double   flops;
  double   host_seconds;       /* eigenproblems and what else the host does */
  guint64  scratch;            /* bytes more, of the host or of the device that computes */
} EsReductionCost;

EsPlan        es_reduction_plan           (EsCube *cube, EsDevice *device, const EsLimits *limits,
                                           const EsReductionCost *cost);
/* EsOperation.list_planes of a reduction that keeps so many components (0: as many as the data ask for). */
char        **es_reduction_list_planes    (EsCube *cube, gint64 wanted, char *(*dup_title) (guint i));
/* The weight of what the host does, where all passes of the plan weigh so much together: by what both are to cost. The
 * plan is one of an operation. */
double        es_reduction_host_weight    (EsJob *job, EsPlan (*make_plan) (EsDataset *dataset, EsParams *params,
                                                                            EsDevice *device, const EsLimits *limits),
                                           EsCube *cube, EsParams *params, double passes);

/* ---- what steps do: es-reduction-work.c; each of the step under way, or of the one named ---- */

/* That are this process's, by its share of the groups of tiles (es-job-internal.h): times are its own, too. */
double        es_reduction_count_pixels   (EsCube *cube);
/* Of n bands of them, as they are stored. */
double        es_reduction_count_bytes    (EsCube *cube, guint n);
/* n_sums matrices of sums of products; reads: the samples pass for them. stage: nullable. */
void          es_reduction_tell_sums      (EsJob *job, EsCube *cube, EsReduction *self, const char *stage,
                                           guint n_sums, gboolean reads);
void          es_reduction_tell_ranges    (EsJob *job, EsCube *cube, EsReduction *self);
/* m planes of n bands; to_host: a card's come back over the link. */
void          es_reduction_tell_projection (EsJob *job, EsCube *cube, guint n, guint m, gboolean to_host);
/* m planes to where they are kept; step "output". */
void          es_reduction_tell_output    (EsJob *job, EsCube *cube, guint m);
/* sweeps: of rotations; 0: by tridiagonal form. */
void          es_reduction_tell_eigenproblem (EsJob *job, gsize n, gsize n_vectors, guint sweeps, gboolean on_gpu);

/* ---- layers: es-reduction-describe.c ---- */

/* The smallest m whose cumulative share of `total` reaches the threshold, or `wanted` of them where that is not 0. */
guint         es_reduction_select         (const double *values, guint n, double total, double threshold,
                                           gint64 wanted);
/* "eigenvalues": bars and cumulative share, role "scree", with the draggable threshold where key is not NULL;
 * by_number: so many components were asked for, not a threshold (0), which then is what they keep. */
EsCurve      *es_reduction_make_scree     (const double *values, guint n, double total, const char *title,
                                           const char *value_title, const char *unit, const char *key,
                                           double threshold, guint by_number);
/* A curve over all bands of the cube, against wavelength where there is one; bands not used are gaps. */
EsCurve      *es_reduction_make_band_curve (EsCube *cube, const char *name, const char *title, const char *role);
/* used: n values of the reduction's bands. */
void          es_reduction_add_band_series (EsCurve *curve, const guint32 *bands, guint n, const char *title,
                                           const char *unit, const double *used);
/* Values as summed of the reduction's bands in the cube's unit, and beside them as stored where that is something else.
 * is_difference: deviations, loadings; an offset does not move them. */
void          es_reduction_add_spectrum    (EsCurve *curve, EsCube *cube, EsReduction *self, const char *title,
                                            const double *used, gboolean is_difference);
/* What a value of the reduction's band i that was summed (as stored, or quantised to 8 bits) is multiplied by, and what
 * is added then, to be in the cube's unit. */
void          es_reduction_get_unit        (EsCube *cube, EsReduction *self, guint i, double *scale, double *offset);
/* What eigenvalues are in: the square of the unit of the first band's values as summed; NULL where they are shares of
 * unit variances. Transfer full. */
char         *es_reduction_name_variance   (EsCube *cube, EsReduction *self, gboolean correlation);
JsonArray    *es_reduction_number_array   (const double *values, gsize n, double factor);
/* The result is told while the pixels are projected: by a thread that is to be joined, or at once, where there is none
 * to be had (NULL). */
GThread      *es_reduction_tell_aside     (GThreadFunc tell, gpointer data);
/* An array of `rows` arrays of n numbers, of which number k of row i is values[i * row_step + k * step]: thousands of
 * them, made by threads of their own, as they would take as long as the projection. values stays until the end, which
 * frees it. Transfer full. */
typedef struct _EsNumberRows EsNumberRows;
EsNumberRows *es_reduction_start_rows     (const double *values, gsize rows, gsize n, gsize row_step, gsize step);
JsonArray    *es_reduction_finish_rows    (EsNumberRows *self);
/* What a band's stored values must be multiplied by so that they are in the unit of band `first`'s stored values. */
double        es_reduction_relative_scale (EsCube *cube, guint first, guint band);

G_END_DECLS
