/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-params.h"
#include "cube/es-cube-internal.h"
#include "graph/es-neighbours.h"
#include "job/es-job-internal.h"
#include "layer/es-layer-internal.h"
#include "result/es-operation.h"
#include "result/es-result-internal.h"

G_BEGIN_DECLS

/*
 * Reductions of a cube along a curved manifold: a subset of its pixels is embedded by a method, and every other pixel
 * is placed by those of the subset that it lies next to. What all methods share is in es-manifold-*.c; a method is the
 * table below, in a file of its own.
 */

/* The subset: n spectra of `bands` good bands, prepared as the parameters say (values times scale, each band of unit
 * variance, whitened, or of unit length), row-major float32. Distances are the same wherever 0 lies; where that means
 * something, prepared spectra are origin + spectra, in float64. */
typedef struct
{
  gsize          n;
  guint          bands;
  float         *spectra;
  guint64       *pixels;       /* n: row * width + column in the cube, ascending */
  const double  *origin;       /* bands, borrowed; NULL: zeros, or it means nothing */
} EsManifoldSamples;

/* An embedding of the subset: n x m, row-major, the first column the most important one. A sample in a part of the
 * graph that was left out is NAN in every column. */
typedef struct _EsEmbedding EsEmbedding;
typedef struct _EsManifoldMethod EsManifoldMethod;

struct _EsEmbedding
{
  const EsManifoldMethod *method;
  gsize      n;
  guint      m;
  double    *coordinates;
  double    *values;           /* m: eigenvalues or what stands for them; NULL: the method has none */
  gsize      n_held;           /* of methods without a graph: what extend () holds a pixel against, in float64 */
  gpointer   state;            /* the method's own, for extend () and describe () */
  GDestroyNotify free_state;
};

void es_embedding_free (EsEmbedding *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsEmbedding, es_embedding_free)

/* What embed () works with. graph: of the samples; NULL where the method needs none (kernel PCA). */
typedef struct
{
  EsJob        *job;           /* progress of the stage under way, cancellation, memory, warnings; device and threads */
  EsDevice     *device;
  guint         threads;
  const EsManifoldSamples *samples;
  EsNeighbours *graph;
  EsParams     *params;
  guint         m;             /* dimensions wanted */
  guint64       seed;
} EsManifoldInput;

/* Queries of one tile that are to be placed: spectra q x bands prepared as the samples are; their k nearest samples
 * (index, distance; q x k), of those in the embedding alone; k 0 where the method needs none. out: q x m. Several
 * threads at once. */
typedef struct
{
  gsize         q;
  guint         bands, k;
  const float  *spectra;
  const gint32 *index;
  const float  *distance;
} EsManifoldQueries;

struct _EsManifoldMethod
{
  gboolean      needs_graph;
  /* Whether parts of a graph that is not connected are each embedded by themselves (UMAP), or the largest alone. */
  gboolean      takes_parts;
  /* Of methods that weigh links by a kernel: its width where one is told, else 0. NULL: none does. */
  double       (*told_width) (EsParams *params);
  /* Where one is told: the neighbours, the point itself in the place of those whose links weigh nothing. */
  EsNeighbours *(*find_links) (const EsManifoldInput *input, GError **error);
  EsEmbedding *(*embed)  (const EsManifoldInput *input, GError **error);
  gboolean     (*extend) (const EsEmbedding *self, const EsManifoldSamples *samples, const EsManifoldQueries *queries,
                          float *out, GError **error);
  /* Seconds on this device and bytes of the host's memory of embed (); pure arithmetic. */
  double       (*cost)   (EsParams *params, EsDevice *device, guint threads, gsize n, guint bands, guint k, guint m,
                          guint64 *memory);
};

/* Where a method draws at random, it draws by number: the same for any number of threads (splitmix64, Steele and others
 * 2014). */
static inline guint64
es_manifold_hash (guint64 seed, guint64 number)
{
  guint64 z = seed + (number + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* ---- threads: es-manifold-threads.c ---- */

/* Runs work (part, data) for every part of 0 .. parts - 1, several at a time, the caller's thread among them; parts
 * write places of their own. Returns when all are done. */
void     es_manifold_run_parts (guint threads, gsize parts, void (*work) (gsize part, gpointer data), gpointer data);

/* ---- what is read of the cube: es-manifold-read.c ---- */

/* The good bands of a cube, and how their stored values become those of the physical scale, less a reference spectrum:
 * float32 then has digits for what spectra vary by, however far from 0 they lie. */
typedef struct
{
  EsCube   *cube;              /* borrowed */
  guint     n;
  guint32  *bands;
  double   *no_data;           /* n; NAN where a band has none */
  double   *scale, *offset;    /* n */
  double   *reference;         /* n, physical; zeros at first */
  guint64   pixels;            /* width * height */
} EsManifoldBands;

/* ES_DATA_ERROR_EMPTY: no good band. */
gboolean es_manifold_bands_init  (EsManifoldBands *self, EsCube *cube, GError **error);
void     es_manifold_bands_clear (EsManifoldBands *self);
/* A set of pixels, 32 in a word. */
gboolean es_manifold_has_pixel   (const guint32 *set, guint64 pixel);
/* The pixels that count: those that take part and hold data in every good band; region (nullable): of them alone.
 * *n: how many. Weight: of the stage under way. Transfer full. */
guint32 *es_manifold_find_valid  (EsJob *job, const EsManifoldBands *bands, EsRegion *region, guint64 *n,
                                  GError **error);
/* Their values as stored: n x bands->n of n pixels, ascending. Transfer full. */
double  *es_manifold_gather      (EsJob *job, const EsManifoldBands *bands, const guint64 *pixels, gsize n,
                                  GError **error);
/* A tile's pixels as rows of bands->n values, physical less the reference; all of width * height of it, NAN where there
 * is no data. values has room for them and one plane more. */
void     es_manifold_convert     (const EsManifoldBands *bands, const EskTile *tile, float *values);

/* ---- from float64 to float32: es-manifold-reference.c ---- */

/* What is subtracted of numbers before they become float32: their median where they lie farther from 0 than 16 times
 * the range that 98 % of them have, so that none of these is rounded more coarsely for it; else 0. Puts them in
 * order. */
double   es_manifold_choose_reference (double *values, gsize n);
/* At most so many samples are looked at for it. */
#define ES_MANIFOLD_LOOKED_AT 2048
/* Of each band, by n spectra as stored (n x bands->n): reference[bands->n], physical. */
void     es_manifold_find_reference (const EsManifoldBands *bands, const double *stored, gsize n, double *reference);
/* n spectra as stored become physical ones less the reference, subtracted in float64, rounded once. Takes `stored`
 * (nullable) and returns the same memory. Transfer full. */
float   *es_manifold_narrow      (const EsManifoldBands *bands, double *stored, gsize n, const double *reference);

/* ---- the subset: es-manifold-subset.c ---- */

enum { ES_MANIFOLD_RANDOM, ES_MANIFOLD_SUPERPIXELS, ES_MANIFOLD_REGION };

typedef struct
{
  gsize     n;
  guint64  *pixels;            /* n, ascending */
  guint64   valid;             /* of the cube: how many there were to choose from */
} EsManifoldSubset;

void     es_manifold_subset_clear (EsManifoldSubset *self);
gboolean es_manifold_choose      (EsJob *job, const EsManifoldBands *bands, EsParams *params, guint32 **valid,
                                  EsManifoldSubset *out, GError **error);
/* Of the pixels of a set the `wanted` that a seed draws (0: all). Transfer full, ascending. */
guint64 *es_manifold_draw        (const guint32 *set, guint64 pixels, gsize wanted, guint64 seed, gsize *n);

/* ---- superpixels: es-manifold-superpixels.c ---- */

/*
 * Simple linear iterative clustering (Achanta and others 2012) of an image of `planes` planes (interleaved, width x
 * height x planes; what is not in `valid` is left out): compact groups of pixels that are alike, `wanted` or somewhat
 * less.
 * compactness: how much a step of the grid weighs against a difference of one unit of the values. label: the group of
 * each pixel, -1: none. Returns how many there are, counted from 0; -1: cancelled.
 */
gssize   es_manifold_superpixels (const float *values, const guint32 *valid, guint64 width, guint64 height,
                                  guint planes, gsize wanted, double compactness, guint threads,
                                  GCancellable *cancellable, gint32 *label);

/* ---- preparation: es-manifold-prepare.c ---- */

enum { ES_MANIFOLD_STORED, ES_MANIFOLD_VARIANCE, ES_MANIFOLD_WHITENED, ES_MANIFOLD_ANGLE };

/* How spectra (physical less a reference) become those that distances are taken of. */
typedef struct
{
  guint     scaling;
  guint     bands, n;          /* of a spectrum before and after */
  const double *reference;     /* bands, borrowed */
  double   *unit;              /* bands: what is subtracted of spectra of unit length; NULL: they are not */
  float    *mean;              /* bands */
  float    *matrix;            /* n x bands; NULL: factors are */
  float    *factor;            /* bands */
} EsManifoldPreparation;

/* Learns from n spectra. */
gboolean es_manifold_preparation_init  (EsManifoldPreparation *self, EsJob *job, guint scaling, const float *spectra,
                                        const double *reference, gsize n, guint bands, GError **error);
void     es_manifold_preparation_clear (EsManifoldPreparation *self);
void     es_manifold_prepare     (const EsManifoldPreparation *self, const float *spectra, gsize n, float *out);
/* What prepared spectra lack: see EsManifoldSamples. Borrowed. */
const double *es_manifold_preparation_get_origin (const EsManifoldPreparation *self);
/* In float64 throughout, of n physical spectra (n x bands): n x self->n. Differences between them are those of prepared
 * spectra; where 0 lies means nothing. */
void     es_manifold_prepare_exactly (const EsManifoldPreparation *self, const double *physical, gsize n, double *out);

/* ---- linear algebra of samples: es-manifold-linear.c ---- */

/* Mean (bands) and covariance (bands x bands, divided by n - 1) of n rows. */
gboolean es_manifold_covariance  (EsJob *job, const float *rows, gsize n, guint bands, double *mean,
                                  double *covariance, GError **error);
/* All eigenpairs of a symmetric matrix, descending, the largest entry of each vector positive; cancelled with the
 * job. The matrix is kept. */
gboolean es_manifold_eigen       (EsJob *job, gsize n, const double *matrix, double *values, double *vectors,
                                  GError **error);
/* Principal components, and minimum noise fractions where `beside` (n x bands, NAN where a sample has none) is its
 * lower right neighbour, of the samples: n x m. */
gboolean es_manifold_pca         (EsJob *job, const float *rows, gsize n, guint bands, guint m, double *out,
                                  GError **error);
gboolean es_manifold_mnf         (EsJob *job, const float *rows, const float *beside, gsize n, guint bands, guint m,
                                  double *out, gboolean *possible, GError **error);

/* ---- the whole run: es-manifold.c, -graph.c, -extend.c, -quality.c, -describe.c, -plan.c ---- */

typedef struct
{
  const EsOperation      *operation;
  const EsManifoldMethod *method;
  const char             *plane;   /* N_("LE"): planes are "LE 1", "LE 2" ... */
} EsManifoldKind;

extern const EsManifoldKind *const es_manifold_kinds[];      /* closed by NULL */

/* What a run has found, step by step. */
typedef struct
{
  EsJob                 *job;
  EsCube                *cube;
  EsParams              *params;
  const EsManifoldKind  *kind;
  guint                  threads, m, k;
  EsManifoldBands        bands;
  EsManifoldSubset       subset;
  guint32               *valid;        /* the pixels that count */
  float                 *spectra;      /* of the subset: n x bands.n, physical less the reference */
  float                 *beside;       /* of their lower right neighbours, NAN where there is none; NULL: nobody
                                        * asked */
  EsManifoldPreparation  preparation;
  EsManifoldSamples      samples;      /* of the subset */
  gboolean               rounded;      /* float32 has lost what tells some of them apart, which is told */
  EsNeighbours          *graph;        /* of them; NULL */
  guint                  n_parts;
  gsize                 *part_sizes;
  guint                  joining;      /* the fewest neighbours that leave one part; 0: not known, or more than may
                                        * be */
  char                  *joining_told; /* that, or why links weigh nothing, a sentence; NULL: it is one part */
  gsize                  n_embedded;
  gsize                 *embedded;     /* which of the samples are: indices, ascending */
  EsManifoldSamples      inner;        /* those; the same arrays where all are */
  EsNeighbours          *inner_graph;
  EsEmbedding           *embedding;    /* of inner */
  EsTable               *quality;      /* nullable */
  JsonObject            *quality_values;
  GPtrArray             *warnings;     /* of char * */
} EsManifoldRun;

EsResult *es_manifold_run        (EsJob *job, EsDataset *dataset, EsParams *params, GError **error);
void      es_manifold_warn       (EsManifoldRun *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Neighbours and parts; which samples are embedded. */
gboolean  es_manifold_find_graph (EsManifoldRun *self, GError **error);
/* The stack "components" of the whole cube. Transfer full. */
EsImageStack *es_manifold_extend (EsManifoldRun *self, GError **error);
gboolean  es_manifold_judge      (EsManifoldRun *self, GError **error);
/* Of how many of n samples the quality is measured: all of up to 5,000, else 2,048 or as many as cost as much, but
 * 1,024 at least; and from how many of these paths along the graph are followed. */
#define ES_MANIFOLD_PATHS 256
/* As many as may be asked for. */
#define ES_MANIFOLD_MOST_NEIGHBOURS 1000
gsize     es_manifold_count_anchors (gsize n);
/* "LE 1" of the component 0, translated. Transfer full. */
char     *es_manifold_dup_title  (const EsManifoldKind *kind, guint i);
EsResult *es_manifold_describe   (EsManifoldRun *self, EsImageStack *stack);
EsPlan    es_manifold_plan       (const EsManifoldMethod *method, EsDataset *dataset, EsParams *params,
                                  EsDevice *device, const EsLimits *limits);
/* EsOperation.list_planes of all of them. */
char    **es_manifold_list_planes (EsDataset *dataset, EsParams *params);
/* How many samples there will be at most, of so many pixels. */
gsize     es_manifold_count_samples (EsParams *params, guint64 pixels);

extern const EsManifoldMethod es_manifold_laplacian, es_manifold_lle, es_manifold_diffusion, es_manifold_isomap,
                              es_manifold_kernel_pca, es_manifold_umap;

G_END_DECLS
