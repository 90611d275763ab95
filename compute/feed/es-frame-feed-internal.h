/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-upload-choice.h"
#include "recording/es-recording-internal.h"

G_BEGIN_DECLS

/*
 * Blocks of a recording on their way to cards. Several threads read pieces of them into page-locked memory, block after
 * block and ahead of whoever copies the pieces on; so a block is never as a whole in the memory of the host. The same
 * bytes come to the card whatever the number of threads.
 */
typedef struct _EsFrameFeed EsFrameFeed;
typedef struct _EsFeedBlock EsFeedBlock;

/* Only of recordings of which any frames can be read by themselves, and which cards do not copy from directly. */
gboolean     _es_frame_feed_suits    (EsRecording *recording);
/* Bytes of host memory that it takes for blocks of so many frames, n_blocks at most on their way. */
guint64      _es_frame_feed_bytes    (EsRecording *recording, guint64 block, guint n_blocks,
                                      const EsUploadChoice *choice);
/* device: one GPU, whose page-locked memory it takes. ES_COMPUTE_ERROR_MEMORY, or what the recording cannot be read
 * for. */
EsFrameFeed *_es_frame_feed_new      (EsRecording *recording, guint64 block, guint n_blocks, EsDevice *device,
                                      const EsUploadChoice *choice, GError **error);
void         _es_frame_feed_free     (EsFrameFeed *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsFrameFeed, _es_frame_feed_free)

/* From now on the block at `frame` is read, after those begun before it. What lies past the end, as it is now, is 0.
 * Ended by _es_frame_feed_copy () or _es_frame_feed_drop (), exactly once. */
EsFeedBlock *_es_frame_feed_begin    (EsFrameFeed *self, guint64 frame);
/* Brings it to memory of the device (block x channels samples) and describes it there. Seconds: input: in which it was
 * read, shared among the threads; upload: copying. FALSE: what the first piece that failed failed for; without an error
 * where _es_frame_feed_give_up () came between. One thread a stream. */
gboolean     _es_frame_feed_copy     (EsFrameFeed *self, EsFeedBlock *block, EsDevice *device, EskStream *stream,
                                      void *to, EskFrames *frames, double *input, double *upload, GError **error);
void         _es_frame_feed_drop     (EsFrameFeed *self, EsFeedBlock *block);
/* TRUE: nobody waits for blocks any longer; FALSE: as before. Any thread. */
void         _es_frame_feed_give_up  (EsFrameFeed *self, gboolean give_up);
/* As it was made, in which the size of blocks has a say. */
EsUploadChoice _es_frame_feed_get_choice (EsFrameFeed *self);

G_END_DECLS
