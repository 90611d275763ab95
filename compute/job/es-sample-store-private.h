/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-job-internal.h"
#include "es-sample-store-internal.h"
#include "layer/es-store-internal.h"

G_BEGIN_DECLS

/* In one of three places. */
typedef struct
{
  guint64        key;
  gsize          count, stride;
  float         *samples;        /* the host's memory */
  guint64        offset;         /* in the file */
  EsBuffer      *buffer;         /* a GPU's */
  EsBufferCache *cache;          /* where the buffer is between uses */
  guint          member;
  guint          group;
} EsSampleChunk;

struct _EsSampleStore
{
  gatomicrefcount references;
  guint           planes;
  gboolean        in_file, on_devices;
  GMutex          lock;
  GArray         *chunks;        /* EsSampleChunk */
  guint64         count;         /* samples */
  guint64         all;           /* the same of all processes, once it is closed */
  gsize           largest;       /* count of a chunk */
  EsStore        *file;          /* where in_file says that they lie in one */
  guint64         file_size;
  guint           users;
};

/*
 * es-card-sums.c: sums of processes that have a card each, added between the cards. All of them call it: *made is
 * NULL where that is not worth it for so many steps of n numbers (n_apart by messages), or cannot be, which the result
 * tells.
 */
typedef struct _EsCardSums EsCardSums;
gboolean es_card_sums_new  (EsJob *job, double steps, gsize n, gsize n_apart, EsCardSums **made, GError **error);
/* In place, the same bytes in all of them, who have met before. ES_COMPUTE_ERROR_DEVICE, after which nobody adds any
 * more, and the caller tells the others. */
gboolean es_card_sums_add  (EsCardSums *self, double *values, gsize n, GError **error);
void     es_card_sums_free (EsCardSums *self);

G_END_DECLS
