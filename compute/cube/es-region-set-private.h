/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-region-set.h"
#include "es-saved-region-internal.h"

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


G_END_DECLS
