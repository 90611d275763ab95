/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The operations whose coordinates are eigenvectors of the graph of the samples: what they are called, their
 * parameters, their plans. */

#include "es-manifold-params-private.h"

#include "es-manifold-operations-internal.h"

#define ROW_KERNEL_WIDTH(condition) \
  { .key = "kernel-width", .label = N_("Kernel width"), \
    .help = N_("Distance σ in exp(-d²/2σ²), in units of the prepared spectra; 0 takes half the distance to the " \
               "farthest neighbour kept, of each pair the larger one."), \
    .type = ES_PARAM_FLOAT, .maximum = 1e9, .digits = 4, .zero_label = N_("By the data"), .visible_if = condition, \
    .advanced = TRUE }

/* ---- Laplacian eigenmaps ---- */

static const EsParamChoice weights_choices[] = {
  { .id = "heat", .label = N_("Heat kernel") },
  { .id = "binary", .label = N_("0 or 1") },
  { .id = NULL }
};

static const EsParamSpec laplacian_params[] = {
  ES_MANIFOLD_ROWS_SAMPLES (5000),
  ES_MANIFOLD_ROWS_GRAPH (15),
  { .key = "weights", .label = N_("Weights of the graph"),
    .help = N_("What joins two neighbours: a weight that falls with their distance, or 1."),
    .type = ES_PARAM_CHOICE, .choices = weights_choices },
  ROW_KERNEL_WIDTH ("weights=heat"),
  ES_MANIFOLD_ROWS_DIMENSIONS,
  ES_MANIFOLD_ROWS_END
};

ES_MANIFOLD_PLAN (laplacian)

const EsOperation es_operation_laplacian_eigenmaps = {
  .id = "laplacian-eigenmaps",
  .title = N_("Laplacian eigenmaps"),
  .short_title = N_("Laplacian eigenmaps"),
  .summary = N_("Follows the graph of neighbouring spectra and keeps those together that are joined: the smoothest "
                "pictures of it become components."),
  ES_MANIFOLD_OPERATION (laplacian),
};

const EsManifoldKind es_manifold_kind_laplacian = { &es_operation_laplacian_eigenmaps, &es_manifold_laplacian,
                                                    N_("LE") };

/* ---- locally linear embedding ---- */

static const EsParamChoice variant_choices[] = {
  { .id = "standard", .label = N_("Standard") },
  { .id = "modified", .label = N_("Modified") },
  { .id = NULL }
};

static const EsParamSpec lle_params[] = {
  ES_MANIFOLD_ROWS_SAMPLES (5000),
  ES_MANIFOLD_ROWS_GRAPH (15),
  { .key = "variant", .label = N_("Variant"),
    .help = N_("Modified LLE uses several sets of weights for each neighbourhood and needs more neighbours than "
               "dimensions."),
    .type = ES_PARAM_CHOICE, .choices = variant_choices },
  { .key = "regularisation", .label = N_("Regularisation"),
    .help = N_("Share of the trace that is added to the diagonal of each local Gram matrix."),
    .type = ES_PARAM_FLOAT, .minimum = 1e-9, .maximum = 1, .digits = 6, .default_value = 1e-3, .advanced = TRUE },
  ES_MANIFOLD_ROWS_DIMENSIONS,
  ES_MANIFOLD_ROWS_END
};

ES_MANIFOLD_PLAN (lle)

const EsOperation es_operation_lle = {
  .id = "lle",
  .title = N_("Locally linear embedding"),
  .short_title = N_("LLE"),
  .summary = N_("Describes each spectrum by its neighbours and finds the coordinates that the same weights describe "
                "best."),
  ES_MANIFOLD_OPERATION (lle),
};

const EsManifoldKind es_manifold_kind_lle = { &es_operation_lle, &es_manifold_lle, N_("LLE") };

/* ---- Isomap ---- */

static const EsParamSpec isomap_params[] = {
  ES_MANIFOLD_ROWS_SAMPLES (3000),
  ES_MANIFOLD_ROWS_GRAPH (15),
  { .key = "landmarks", .label = N_("Landmarks"),
    .help = N_("Samples from which distances along the graph are computed; 0 takes all of up to 5,000 samples, and "
               "1,000 of more."),
    .type = ES_PARAM_INT, .maximum = 1000000, .step = 100, .zero_label = N_("By the samples"), .advanced = TRUE },
  ES_MANIFOLD_ROWS_DIMENSIONS,
  ES_MANIFOLD_ROWS_END
};

ES_MANIFOLD_PLAN (isomap)

const EsOperation es_operation_isomap = {
  .id = "isomap",
  .title = N_("Isomap"),
  .short_title = N_("Isomap"),
  .summary = N_("Measures distances along the graph of neighbouring spectra and lays the spectra out so that they keep "
                "them: what is curved is unrolled."),
  ES_MANIFOLD_OPERATION (isomap),
};

const EsManifoldKind es_manifold_kind_isomap = { &es_operation_isomap, &es_manifold_isomap, N_("Isomap") };

/* ---- diffusion maps ---- */

static const EsParamSpec diffusion_params[] = {
  ES_MANIFOLD_ROWS_SAMPLES (5000),
  ES_MANIFOLD_ROWS_GRAPH (15),
  ROW_KERNEL_WIDTH (NULL),
  { .key = "alpha", .label = N_("Density exponent α"),
    .help = N_("How much of the samples' density is divided out: 1 none of it remains, 0 all of it."),
    .type = ES_PARAM_FLOAT, .maximum = 1, .step = 0.1, .digits = 2, .default_value = 1 },
  { .key = "time", .label = N_("Diffusion time"),
    .help = N_("Steps of the random walk: coordinates are eigenvalues to this power times eigenvectors; 0 leaves them "
               "unscaled."),
    .type = ES_PARAM_FLOAT, .maximum = 1000, .digits = 2, .default_value = 1 },
  ES_MANIFOLD_ROWS_DIMENSIONS,
  ES_MANIFOLD_ROWS_END
};

ES_MANIFOLD_PLAN (diffusion)

const EsOperation es_operation_diffusion_map = {
  .id = "diffusion-map",
  .title = N_("Diffusion maps"),
  .short_title = N_("Diffusion map"),
  .summary = N_("Lets a random walk go from spectrum to spectrum: those lie together that many short ways join."),
  ES_MANIFOLD_OPERATION (diffusion),
};

const EsManifoldKind es_manifold_kind_diffusion = { &es_operation_diffusion_map, &es_manifold_diffusion, N_("DM") };
