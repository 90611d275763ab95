/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>

#include "cube/es-region-param.h"

G_BEGIN_DECLS

/* es-manifold-operations-graph.c */
extern const EsManifoldKind es_manifold_kind_laplacian, es_manifold_kind_lle, es_manifold_kind_isomap,
                            es_manifold_kind_diffusion;

/* Rows that the tables of all methods share; each has its own between them. */

extern const EsParamChoice es_manifold_subset_choices[], es_manifold_scaling_choices[], es_manifold_search_choices[];

#define ES_MANIFOLD_ROWS_SAMPLES(standard) \
  { .key = "samples", .label = N_("Samples"), \
    .help = N_("How many pixels are embedded; all others are placed by those that they are most alike. 0 takes " \
               "every pixel."), \
    .type = ES_PARAM_INT, .maximum = 1000000, .step = 500, .default_value = standard, \
    .zero_label = N_("All pixels") }, \
  { .key = "subset", .label = N_("Drawn"), \
    .help = N_("Which pixels these are: drawn at random, one of each of as many compact groups of pixels that are " \
               "alike (superpixels), or of a region alone."), \
    .type = ES_PARAM_CHOICE, .choices = es_manifold_subset_choices }, \
  { .key = "region", .label = N_("Region"), \
    .help = N_("The area that the samples are drawn from; every pixel of the cube is placed among them all the " \
               "same."), \
    .type = ES_PARAM_REGION, .check = es_region_check, .describe = es_region_describe, \
    .visible_if = "subset=region" }, \
  { .key = "scaling", .label = N_("Scaling"), \
    .help = N_("What distances between spectra are taken of: the values as they are, each band of unit variance, " \
               "whitened principal components (0.999 of the variance), or spectra of unit length, which are as far " \
               "apart as the angle between them."), \
    .type = ES_PARAM_CHOICE, .choices = es_manifold_scaling_choices, .default_value = ES_MANIFOLD_VARIANCE }

#define ES_MANIFOLD_ROWS_GRAPH(standard) \
  { .key = "neighbours", .label = N_("Nearest neighbours"), \
    .help = N_("Of each sample, by which the manifold is followed: few keep details, many keep it in one piece."), \
    .type = ES_PARAM_INT, .minimum = 2, .maximum = ES_MANIFOLD_MOST_NEIGHBOURS, .default_value = standard }, \
  { .key = "search", .label = N_("Search"), \
    .help = N_("How neighbours are found: exactly, or approximately, which is much faster of many samples and misses " \
               "a few of a hundred."), \
    .type = ES_PARAM_CHOICE, .choices = es_manifold_search_choices, .advanced = TRUE }

#define ES_MANIFOLD_ROWS_DIMENSIONS \
  { .key = "dimensions", .label = N_("Dimensions"), \
    .help = N_("How many components there are: three make a colour picture."), \
    .type = ES_PARAM_INT, .minimum = 1, .maximum = 30, .default_value = 3 }

#define ES_MANIFOLD_ROWS_END \
  { .key = "compare", .label = N_("Beside PCA and MNF"), \
    .help = N_("Measures how well the embedding keeps the neighbours of the samples, and a PCA and an MNF of the " \
               "same samples with as many components."), \
    .type = ES_PARAM_BOOL, .default_value = TRUE }, \
  { .key = "classes", .label = N_("Classes"), \
    .help = N_("A classification of the cube's size: how often neighbours in the embedding are of the same class is " \
               "measured, too."), \
    .type = ES_PARAM_FILE, .visible_if = "compare=yes" }, \
  { .key = "seed", .label = N_("Seed"), \
    .help = N_("Of what is drawn at random: the same seed draws the same."), \
    .type = ES_PARAM_INT, .maximum = 1000000, .default_value = 1, .advanced = TRUE }, \
  { .type = ES_PARAM_END }

/* What all methods are alike in as operations: id, title, short_title and summary are told beside it. The table of
 * parameters is `name`_params, the method es_manifold_`name`; first comes ES_MANIFOLD_PLAN (name). */

#define ES_MANIFOLD_PLAN(name) \
  static EsPlan \
  name##_plan (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits) \
  { \
    return es_manifold_plan (&es_manifold_##name, dataset, params, device, limits); \
  }

#define ES_MANIFOLD_OPERATION(name) \
  .group = N_("Along a manifold"), .version = 1, .takes = ES_DATASET_CUBE, .params = name##_params, \
  .plan = name##_plan, .list_planes = es_manifold_list_planes, .run = es_manifold_run

G_END_DECLS
