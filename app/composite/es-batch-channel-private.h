/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "layer/es-image-stack.h"

G_BEGIN_DECLS

/* What a result that is not there yet will show. */
typedef struct
{
  char   **titles;             /* of its first stack's planes; NULL: nobody knows */
  guint64  width, height;
} EsBatchExpected;

/* What channels are chosen from. */
typedef struct
{
  GPtrArray             *list;     /* of EsCube, EsResult, or NULL for what is expected */
  const EsBatchExpected *expected; /* nullable */
} EsBatchThings;

/* What is red, green or blue: a plane of a cube, of a stack of a result, or of one that there will be; the others are
 * NULL, and all of them where nobody knows yet. Borrowed. */
typedef struct
{
  EsCube                *cube;
  EsImageStack          *stack;
  const EsBatchExpected *expected;
  guint                  plane;
  EsCube                *of;   /* whose place is its; nullable */
} EsBatchChannel;

guint64  es_batch_channel_get_width  (const EsBatchChannel *self);       /* pixels */
guint64  es_batch_channel_get_height (const EsBatchChannel *self);
/* What a plane of the same cube or stack is called. Transfer full. */
char    *es_batch_channel_make_title (const EsBatchChannel *self, guint plane);

/* Whether a text can name three planes, as far as that can be told without the files. */
gboolean es_batch_channels_check  (const char *text, GError **error);
/* The planes that a text names: "R,G,B" with each "[FILE[/LAYER]:]PLANE", a preset, or "" for those that the window
 * would show first. ES_COMPUTE_ERROR_PARAMETER where there is no such plane, or where the three are of several sizes;
 * what nobody knows yet is no error. */
gboolean es_batch_channels_choose (const EsBatchThings *things, const char *text, EsBatchChannel channels[3],
                                   GError **error);

/* FALSE, with that sentence as an ES_COMPUTE_ERROR_PARAMETER. */
gboolean es_batch_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
