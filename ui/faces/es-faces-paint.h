/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-faces-box.h"
#include "faces/es-cube-face.h"
#include "image/es-plane-source.h"
#include "plane/es-colormap.h"
#include "plane/es-stretch.h"

G_BEGIN_DECLS

/* What is left of the cube: from the first to before the last pixel and band (of the order). */
typedef struct
{
  guint64 x[2], y[2];
  guint   band[2];
} EsFacesCut;

/* The picture as it is shown on top: planes and how they are stretched. */
typedef struct
{
  EsPlaneSource    *source;      /* nullable: the first band is on top */
  guint             n, planes[3];
  double            low[3], high[3];
  EsStretch         curve;
  EsColormap        colormap;
  EsPlaneStatistics *statistics[3];      /* of what the curve counts; nullable */
} EsFacesTop;

/* What has been read is kept from one picture to the next, where it is still wanted. */
typedef struct
{
  EsCubeFace *sides[4];          /* by EsFace, LEFT to FRONT; nullable */
  GBytes     *ends[2][3];        /* the planes of TOP and BOTTOM; nullable */
  EsPlaneSource *end_of[2];      /* that they are of, */
  guint       end_n[2], end_planes[2][3];
} EsFacesRead;

typedef struct
{
  EsCube      *cube;
  EsBandOrder *order;
  EsFacesCut   cut;
  gboolean     wanted[ES_N_FACES];
  EsColormap   colormap;         /* of the sides */
  gboolean     each;             /* every band is stretched by itself; else all of them together */
  EsFacesTop   top;
  EsFacesRead  read;             /* that was read last */
} EsFacesRequest;

typedef struct
{
  GdkTexture *faces[ES_N_FACES]; /* nullable: not wanted */
  guint       step[ES_N_FACES];  /* every so manieth pixel, or means of as many */
  EsFacesCut  cut;               /* that they are of */
  EsFacesRead read;
} EsFacesAnswer;

void     es_faces_request_free (gpointer request);
void     es_faces_answer_free  (gpointer answer);
void     es_faces_read_clear   (EsFacesRead *read);
void     es_faces_read_copy    (EsFacesRead *to, const EsFacesRead *from);
/* On a worker (EsLatestWork): reads what is not there yet, and makes textures of about ES_FACES_SIDE pixels a side. A
 * pixel of a small cube is a square of many. */
gpointer es_faces_paint        (gpointer request, GCancellable *cancellable, GError **error);
#define ES_FACES_SIDE 1024

G_END_DECLS
