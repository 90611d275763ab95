/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-picture.h"

G_BEGIN_DECLS

/*
 * One plane of a picture: the samples as given and a pyramid of halved copies, so
 * that a zoomed-out view neither flickers nor reads every sample. A sample of level k is the mean of the valid ones of
 * the 2 x 2 below it, NAN where there is none. Both uploaders read these same bytes: they cannot differ.
 */
#define ES_PLANE_MAX_LEVELS 32

typedef struct
{
  guint width, height;
  const float *values;         /* row-major, width a row */
} EsPlaneLevel;

struct _EsPlane
{
  gatomicrefcount ref_count;
  guint64 serial;              /* never used twice: what an uploader remembers a copy by */
  GBytes *bytes;
  guint n_levels;              /* made so far, >= 1 */
  EsPlaneLevel levels[ES_PLANE_MAX_LEVELS];
  EsPlaneStatistics *statistics;
};

/* How many levels there can be: the last is 1 x 1. */
guint               es_plane_count_levels   (guint width, guint height);
const EsPlaneLevel *es_plane_get_level      (EsPlane *self, guint level);

G_END_DECLS
