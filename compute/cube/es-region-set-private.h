/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-region-set.h"

G_BEGIN_DECLS

/* Mean, deviation and extremes of every band of a cube. */
typedef struct
{
  double *mean, *deviation, *lowest, *highest;
} EsRegionSpectra;

void             es_region_spectra_free       (EsRegionSpectra *self);
/* Reads the region's rows once. Blocking, any thread. */
EsRegionSpectra *es_region_spectra_compute    (EsCube *cube, EsRegion *region, GCancellable *cancellable,
                                               GError **error);

/* count: its pixels inside the cube. */
EsNamedRegion   *es_named_region_new          (const char *name, guint32 colour, EsRegion *region, guint64 count,
                                               EsCube *cube);
/* Takes both, of which one is NULL; "ready" from now on. */
void             es_named_region_take_spectra (EsNamedRegion *self, EsRegionSpectra *spectra, GError *error);

/* A region as a file lists it. */
typedef struct
{
  char     *name;              /* nullable */
  guint32   colour;            /* 0: none told */
  EsRegion *region;
  guint64   count;             /* of its pixels inside the cube */
} EsSavedRegion;

/* All of a file, of EsSavedRegion; nothing where one is damaged. Any thread; transfer full. */
GPtrArray       *es_region_file_read          (GFile *file, EsCube *cube, GCancellable *cancellable, GError **error);
void             es_region_set_add_saved      (EsRegionSet *self, GPtrArray *regions);

G_END_DECLS
