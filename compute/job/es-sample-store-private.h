/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

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

G_END_DECLS
