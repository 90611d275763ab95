/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-frame-feed-internal.h"

G_BEGIN_DECLS

/* Memory for one piece; in the list of those that are free, or of a block's that are read. */
typedef struct
{
  void    *data;
  gboolean is_locked;          /* page-locked, of the pool; else ordinary memory */
  guint64  index;              /* of the block's pieces */
  gsize    bytes;
} EsFeedPiece;

struct _EsFeedBlock
{
  guint64  frame, end;         /* its first; where the recording ended when it was begun */
  guint64  next;               /* the next piece to be read */
  guint    reading;            /* pieces that threads are at */
  GQueue   ready;              /* EsFeedPiece: read, and not yet copied */
  guint64  failed;             /* the first piece that failed: of `error` */
  GError  *error;
  gboolean is_swapped;
  gint64   read_us;
};

typedef struct
{
  EsFrameFeed   *owner;
  EsFrameReader *reader;
  GThread       *thread;
} EsFeedReader;

struct _EsFrameFeed
{
  EsRecording *recording;
  EsDevice    *device;
  guint64      block, piece, n_pieces;       /* frames; pieces of a block */
  gsize        frame_bytes;
  guint        n_readers, n_memory;
  EsUploadChoice choice;       /* that it was made by */
  EsFeedReader *readers;
  EsFeedPiece *memory;

  GMutex       lock;
  GCond        work;           /* there is something to read, or memory to read it into */
  GCond        came;           /* a piece has been read, or nobody waits any longer */
  GQueue       blocks;         /* EsFeedBlock, of which pieces are still to be read, as they were begun */
  GQueue       idle;           /* EsFeedPiece */
  gboolean     quit, give_up;
};

/* What a thread does: reads pieces, block after block. data: EsFeedReader. */
gpointer _es_frame_feed_read_pieces        (gpointer data);

/* With the lock held. Nothing more of it is read. */
void     _es_frame_feed_end_reading_locked (EsFrameFeed *self, EsFeedBlock *block);
/* All of these are free again. pieces: EsFeedPiece; is empty then. */
void     _es_frame_feed_give_pieces_locked (EsFrameFeed *self, GQueue *pieces);

G_END_DECLS
