/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The operations: what each method is called, its parameters, its plan. */

#include "es-manifold-params-private.h"

#include "es-manifold-operations-internal.h"

const EsParamChoice es_manifold_subset_choices[] = {
  { .id = "random", .label = N_("At random") },
  { .id = "superpixels", .label = N_("Superpixels") },
  { .id = "region", .label = N_("Of a region") },
  { .id = NULL }
};
const EsParamChoice es_manifold_scaling_choices[] = {
  { .id = "stored", .label = N_("As they are") },
  { .id = "variance", .label = N_("Unit variance") },
  { .id = "whitened", .label = N_("Whitened") },
  { .id = "angle", .label = N_("Spectral angle") },
  { .id = NULL }
};
const EsParamChoice es_manifold_search_choices[] = {
  { .id = "automatic", .label = N_("Automatic") },
  { .id = "exact", .label = N_("Exact") },
  { .id = "approximate", .label = N_("Approximate") },
  { .id = NULL }
};

/* ---- kernel PCA ---- */

static const EsParamChoice kernel_choices[] = {
  { .id = "gaussian", .label = N_("Gaussian") },
  { .id = "polynomial", .label = N_("Polynomial") },
  { .id = NULL }
};

static const EsParamSpec kernel_pca_params[] = {
  ES_MANIFOLD_ROWS_SAMPLES (5000),
  { .key = "landmarks", .label = N_("Landmarks"),
    .help = N_("Samples that the kernel is taken with, drawn at random: the eigenproblem is of their number squared. "
               "0 takes all samples."),
    .type = ES_PARAM_INT, .maximum = 20000, .step = 100, .default_value = 1000, .zero_label = N_("All samples") },
  { .key = "kernel", .label = N_("Kernel"),
    .help = N_("How alike two spectra are: exp(-d²/2σ²) of their distance, or a power of their scalar product."),
    .type = ES_PARAM_CHOICE, .choices = kernel_choices },
  { .key = "kernel-width", .label = N_("Kernel width"),
    .help = N_("Distance σ of the Gaussian kernel, in units of the prepared spectra; 0 takes the median distance "
               "between samples."),
    .type = ES_PARAM_FLOAT, .maximum = 1e9, .digits = 4, .zero_label = N_("By the data"),
    .visible_if = "kernel=gaussian", .advanced = TRUE },
  { .key = "degree", .label = N_("Degree"),
    .help = N_("Power of (x·y/s + 1), where s is the mean square length of the samples."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 10, .default_value = 3, .visible_if = "kernel=polynomial" },
  ES_MANIFOLD_ROWS_DIMENSIONS,
  ES_MANIFOLD_ROWS_END
};

ES_MANIFOLD_PLAN (kernel_pca)

const EsOperation es_operation_kernel_pca = {
  .id = "kernel-pca",
  .title = N_("Kernel principal components"),
  .short_title = N_("Kernel PCA"),
  .summary = N_("Finds the principal components of the spectra in a space that a kernel bends, so that what is curved "
                "becomes straight."),
  ES_MANIFOLD_OPERATION (kernel_pca),
};

static const EsManifoldKind kernel_pca = { &es_operation_kernel_pca, &es_manifold_kernel_pca, N_("KPC") };

/* ---- UMAP ---- */

static const EsParamSpec umap_params[] = {
  ES_MANIFOLD_ROWS_SAMPLES (5000),
  ES_MANIFOLD_ROWS_GRAPH (15),
  ES_MANIFOLD_ROWS_DIMENSIONS,
  { .key = "min-distance", .label = N_("Least distance"),
    .help = N_("How close points that are alike may come: little makes tight clusters, more spreads them."),
    .type = ES_PARAM_FLOAT, .maximum = 1, .step = 0.05, .digits = 2, .default_value = 0.1 },
  { .key = "epochs", .label = N_("Epochs"),
    .help = N_("How often every edge of the graph pulls; 0: 500 of up to 10,000 samples, 200 of more."),
    .type = ES_PARAM_INT, .maximum = 10000, .step = 50, .zero_label = N_("By the samples"), .advanced = TRUE },
  { .key = "negative-samples", .label = N_("Negative samples"),
    .help = N_("How many points, drawn at random, push back for each edge that pulls."),
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 50, .default_value = 5, .advanced = TRUE },
  ES_MANIFOLD_ROWS_END
};

ES_MANIFOLD_PLAN (umap)

const EsOperation es_operation_umap = {
  .id = "umap",
  .title = N_("UMAP"),
  .short_title = N_("UMAP"),
  .summary = N_("Lays the spectra out so that those that are alike lie together: clusters and the ways between them "
                "show, distances between clusters mean little."),
  ES_MANIFOLD_OPERATION (umap),
};

static const EsManifoldKind umap = { &es_operation_umap, &es_manifold_umap, N_("UMAP") };

/* ---- all of them ---- */

const EsManifoldKind *const es_manifold_kinds[] = {
  &es_manifold_kind_laplacian, &es_manifold_kind_lle, &es_manifold_kind_isomap, &es_manifold_kind_diffusion,
  &kernel_pca, &umap, NULL
};
