/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-plane-internal.h"
#include "es-stretch.h"

G_BEGIN_DECLS

/*
 * Everything that decides the pixels of one view, worked out once on the CPU in double precision. An uploader only
 * looks up and adds integers, and does two float32 operations that no compiler may fuse, so that a shader and a loop in
 * C give the same bytes:
 *
 *   a view pixel (i, j) mixes the samples first .. first + 2 of column entry i and of row entry j with the integer
 *   weights of both; what the weights of an axis leave over up to ES_FRAME_WEIGHT is canvas;
 *   colour = (sum of weight x colour + ES_FRAME_WEIGHT^2 / 2) / ES_FRAME_WEIGHT^2, in integers, for every channel;
 *   a sample's colour index is (int) clamp ((value - low) * scale, 0, 255), or, for a step (scale = 0), 0, 128 or 255
 *   for a value below, at or above low, or, for a curve, how many of its thresholds are at or below the value, counted
 *   from 255 downwards where it is inverted, or, for a palette, (int) (value - low) within 0 .. n_entries - 1 and
 *   n_entries for every other value; NAN in any plane is the checker of the view's 8 x 8 pixel squares.
 *
 * At 1:1 and above a view pixel takes the one sample under its centre (weight 64, 0, 0): a pixel is a square.
 */
#define ES_FRAME_WEIGHT 64
#define ES_FRAME_TAPS 3
#define ES_FRAME_CANVAS 0x2e
#define ES_FRAME_CHECKER_DARK 0x33
#define ES_FRAME_CHECKER_LIGHT 0x3d
#define ES_FRAME_CHECKER_SIZE 8
#define ES_FRAME_PALETTE 2          /* a value of EsFrame.curve */

typedef struct
{
  gint32 first;                /* index of the first sample */
  gint32 weights[ES_FRAME_TAPS];   /* non-zero only where the sample exists */
} EsFrameTap;

typedef struct _EsFrame EsFrame;
struct _EsFrame
{
  int width, height;           /* of the view, pixels */
  int left, top, right, bottom;    /* which of them it paints; all of them to begin with */
  const EsFrame *over;         /* of the same view, painted over it where that one paints; nullable, borrowed */
  guint layer;                 /* 0, or 1 of one that lies over another: whose textures its planes lie in */
  guint n_planes;              /* 1: `entries` colours it; 3: red, green, blue */
  EsPlane *planes[3];          /* borrowed */
  const double *ends;          /* the same */
  guint level;                 /* of the planes' pyramids */
  float low[3], scale[3];
  int curve[3];                /* 0: low and scale; 1: the thresholds, -1: inverted; 2: a palette */
  guint n_entries;             /* of a palette: values with a colour of their own */
  float (*thresholds)[ES_STRETCH_STEPS];       /* of each plane; NULL: of none; owned */
  const guint8 *entries;       /* 256 x 4; of a palette (n_entries + 1, and at least 256) x 4 */
  EsFrameTap *columns, *rows;  /* width, height entries; owned */
  gboolean mixed;              /* some view pixel takes more than one sample */
};

/* One axis: n view pixels from `start` on, each 1 / zoom full-picture pixels wide. */
typedef struct
{
  double start, zoom;
  int n;
} EsFrameAxis;

/* planes and ends (low, high: 2 a plane) must outlive the frame. */
void es_frame_init  (EsFrame *self, guint n_planes, EsPlane **planes, const double *ends, EsColormap map,
                     guint step, guint full_width, guint full_height, EsFrameAxis across, EsFrameAxis down);
/* Another stretch than a linear one, for plane p; statistics: of its values. */
void es_frame_bend  (EsFrame *self, guint p, EsStretch stretch, const EsPlaneStatistics *statistics);
/* Instead of a colour map and a stretch: the colours (RGBA) of n values from `first` on, and one for all others; of
 * numbers that stand for something. Nothing is mixed then: a view pixel takes the one sample under its centre. entries
 * must outlive the frame; the rest as for es_frame_init (). */
void es_frame_name  (EsFrame *self, const guint8 *entries, guint n, float first, guint step, guint full_width,
                     guint full_height, EsFrameAxis across, EsFrameAxis down);
/* Paints only those view pixels whose samples all lie within the planes, as far as the full picture goes: of planes
 * that are a part of it, whose first sample is at (x, y) there and whose axes began there, too. FALSE: there are none.
 */
gboolean es_frame_clip (EsFrame *self, guint step, guint x, guint y, guint full_width, guint full_height,
                        EsFrameAxis across, EsFrameAxis down);
void es_frame_clear (EsFrame *self);
/* The colour index of a value of plane p. */
guint es_frame_get_shade (const EsFrame *self, guint p, float value);
/* What a pixel is where nothing is shown. */
typedef enum
{
  ES_FRAME_CHECKERED,          /* missing: the checker; beside the picture: the canvas */
  ES_FRAME_HOLED,              /* missing: transparent; beside it: the canvas */
  ES_FRAME_ALONE,              /* both transparent */
} EsFrameGround;

/* RGBA rows of 4 x width bytes: the definition above in C, and that of what lies over it. */
void es_frame_paint (const EsFrame *self, guint8 *pixels, gsize stride, EsFrameGround ground);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsFrame, es_frame_clear)

G_END_DECLS
