/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-colormap.h"
#include "es-plane.h"

G_BEGIN_DECLS

/*
 * One plane of a picture: the samples as given and a pyramid of halved copies, so
 * that a zoomed-out view neither flickers nor reads every sample. A sample of level k is the mean of the valid ones of
 * the 2 x 2 below it, NAN where there is none. All uploaders read these same bytes: they cannot differ.
 *
 * A plane of the host has all its levels from the beginning. One of a GPU has level 0 there; the others are made there
 * when they are wanted, and any of them comes to the host when it is wanted here. What exists once stays as it is.
 */
#define ES_PLANE_MAX_LEVELS 32

typedef struct
{
  guint width, height;
  const float *values;         /* row-major, width a row; NULL: not on the host (yet) */
} EsPlaneLevel;

/* The part of a plane that a GPU keeps; NULL in a plane of the host. */
typedef struct _EsPlaneDevice EsPlaneDevice;

struct _EsPlane
{
  gatomicrefcount ref_count;
  guint64 serial;              /* never used twice: what an uploader remembers a copy by */
  GBytes *bytes;               /* NULL: of a GPU */
  EsPlaneDevice *device;
  guint n_levels;
  EsPlaneLevel levels[ES_PLANE_MAX_LEVELS];      /* sizes from the beginning */
  EsPlaneStatistics *statistics;
};

/* How many levels there can be: the last is 1 x 1. */
guint               es_plane_count_levels   (guint width, guint height);
/* The level on the host, never NULL, as long as the plane. What a GPU could not give is NAN throughout. Any thread. */
const EsPlaneLevel *es_plane_get_level      (EsPlane *self, guint level);
/* The level on the plane's own GPU, as long as the plane; NULL with an error where it is a plane of the host or the
 * GPU failed. Any thread. */
EsDevicePlane      *es_plane_get_device_level (EsPlane *self, guint level, GError **error);

G_END_DECLS
