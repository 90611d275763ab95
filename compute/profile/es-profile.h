/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "layer/es-curve.h"
#include "layer/es-image-stack.h"

G_BEGIN_DECLS

/* A place in a picture, in pixels: (0, 0) is the middle of the upper left one, as x and y of a pixel are told. */
typedef struct
{
  double x, y;
} EsProfilePlace;

/* What a sample is between the middles of pixels. */
typedef enum
{
  ES_PROFILE_NEAREST,          /* that of the pixel it lies in: values that are in the file */
  ES_PROFILE_BILINEAR,         /* of the four round it; missing where one of them is that counts */
} EsProfileSampling;

/* More would be a region. */
#define ES_PROFILE_MOST_WIDTH 101
#define ES_PROFILE_MOST_PLACES 1000

/*
 * A line of straight parts through `n` places, two at least, all of them inside of the picture. Samples are a pixel
 * apart along the longer side of each part (nearest: every pixel that it crosses once), or along its length (bilinear).
 * width: each is the mean of so many (1, 3, 5 ...) that lie one pixel apart across the line, of those that are there.
 * Text: "10,20,30,40", and further pairs; as numbers of pixels, or of their parts.
 */
typedef struct
{
  guint             n;
  EsProfilePlace   *places;
  EsProfileSampling sampling;
  guint             width;
} EsProfileLine;

/* Copied. Transfer full. */
EsProfileLine *es_profile_line_new    (guint n, const EsProfilePlace *places, EsProfileSampling sampling, guint width);
EsProfileLine *es_profile_line_copy   (const EsProfileLine *self);
void           es_profile_line_free   (EsProfileLine *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsProfileLine, es_profile_line_free)
/* Nearest, one pixel wide. ES_COMPUTE_ERROR_PARAMETER: one sentence. Transfer full. */
EsProfileLine *es_profile_line_parse  (const char *text, GError **error);
char          *es_profile_line_format (const EsProfileLine *self);
/* Nullable, both. */
gboolean       es_profile_line_equal  (const EsProfileLine *self, const EsProfileLine *other);
/* Whether it has two places and an odd width, and lies in a picture of that size. ES_COMPUTE_ERROR_PARAMETER. */
gboolean       es_profile_line_check  (const EsProfileLine *self, guint64 width, guint64 height, GError **error);
/* "nearest", "bilinear"; and back. */
const char    *es_profile_sampling_id   (EsProfileSampling sampling);
gboolean       es_profile_sampling_find (const char *id, EsProfileSampling *sampling);

/* What was found along a line. */
typedef struct
{
  guint           n, n_planes;
  EsProfilePlace *places;      /* n */
  double         *distances;   /* n: pixels along the line from its beginning */
  double         *metres;      /* n: the same in metres of the map; NULL where not known */
  double         *values;      /* n_planes x n, scaled; NAN: missing */
} EsProfile;

void       es_profile_free     (EsProfile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsProfile, es_profile_free)

/* Of n planes of width x height floats in memory. ES_COMPUTE_ERROR_PARAMETER, _MEMORY. Transfer full, as all below. */
EsProfile *es_profile_of_planes (const EsProfileLine *line, guint n, const float * const *planes, guint64 width,
                                 guint64 height, GError **error);
/* Of bands of a cube, in full resolution; blocking, on any thread, and reads no more than what lies round the line. */
EsProfile *es_profile_of_cube   (const EsProfileLine *line, EsCube *cube, guint n, const guint *bands,
                                 GCancellable *cancellable, GError **error);
/* Of planes of a stack; cube (nullable): the one that it is of, for its metres. */
EsProfile *es_profile_of_stack  (const EsProfileLine *line, EsImageStack *stack, EsCube *cube, guint n,
                                 const guint *planes, GCancellable *cancellable, GError **error);
/* The line for eigenscope-batch that takes it again, of these bands (n 0: those that take part). Blocking: files are
 * looked at. */
char      *es_profile_to_command (const EsProfileLine *line, EsCube *cube, guint n, const guint *bands);
/* The sample nearest to a place; *away (nullable): pixels from it. */
guint      es_profile_find_nearest (const EsProfile *self, double x, double y, double *away);
/* As columns: distance in pixels, in metres where they are known, x, y, and the planes by their titles. */
EsCurve   *es_profile_to_curve  (const EsProfile *self, const char * const *titles, const char *unit);

G_END_DECLS
