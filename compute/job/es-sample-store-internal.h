/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-buffer-internal.h"
#include "es-job.h"
#include "es-hotspots.h"
#include "ranks/es-ranks-internal.h"

G_BEGIN_DECLS

/*
 * Samples of `planes` float32 each that are looked at again and again: in the host's memory, in a temporary file that
 * has no name, or in the memory of GPUs. They come in chunks, planes of `count` samples `stride` apart, which keep the
 * order of their keys whoever brings them first. Counted.
 */
typedef struct _EsSampleStore EsSampleStore;

/* in_file: more than the memory is to hold. Of several processes (es-ranks.h) each has a store with its part of the
 * samples; all of them make, fill, close, count and sum theirs together. */
EsSampleStore *es_sample_store_new        (guint planes, gboolean in_file);
EsSampleStore *es_sample_store_ref        (EsSampleStore *self);
void           es_sample_store_unref      (EsSampleStore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsSampleStore, es_sample_store_unref)

/* Takes samples (of g_malloc ()), packed: planes are `count` apart. group: of the pass that makes them
 * (EsPass.group_done), the same or larger for a larger key. Any thread. ES_DATA_ERROR_WRITE. */
gboolean       es_sample_store_add        (EsSampleStore *self, guint64 key, guint group, float *samples, gsize count,
                                           GError **error);
/* Samples in a GPU's memory; takes a reference. member: which of the job's GPUs it is. */
void           es_sample_store_add_buffer (EsSampleStore *self, guint64 key, guint member, EsBuffer *buffer,
                                           gsize count, gsize stride);
/* Forgets all chunks. */
void           es_sample_store_empty      (EsSampleStore *self);
/* After the last chunk: puts them in order, and counts those of all processes. */
gboolean       es_sample_store_close      (EsSampleStore *self, GError **error);
/* Of all processes; and of this one. */
guint64        es_sample_store_get_count  (EsSampleStore *self);
guint64        es_sample_store_get_own_count (EsSampleStore *self);
gsize          es_sample_store_get_bytes  (EsSampleStore *self);
gboolean       es_sample_store_is_on_devices (EsSampleStore *self);
gboolean       es_sample_store_is_in_file (EsSampleStore *self);
/* Of a store that is closed; FALSE where chunk i does not lie packed in the host's memory, or there is none. */
gboolean       es_sample_store_peek       (EsSampleStore *self, guint i, guint64 *key, const float **samples,
                                           gsize *count);
/* The same of a chunk in a GPU's memory, and which of the job's GPUs it is. */
gboolean       es_sample_store_peek_device (EsSampleStore *self, guint i, guint *member, const float **samples,
                                           gsize *count, gsize *stride);
/* Between uses the GPUs' samples are a cache, which makes room for what is needed then. Taking them again answers FALSE
 * where some are gone. Both are nothing for others. */
void           es_sample_store_relax      (EsSampleStore *self);
gboolean       es_sample_store_take       (EsSampleStore *self);

/*
 * Threads that go over all chunks of a store, again and again: of the CPU, or of the GPUs that the samples lie on or
 * are brought to. Sums are taken of parts of the samples, the groups of their chunks, each in its order, and added in
 * theirs: the same bytes for the same chunks, however many threads and processes there are.
 */
typedef struct _EsSampleLanes EsSampleLanes;

/* Adds to n_sums doubles what it finds in a chunk, in the memory of the stream's device. A hot spot's code. */
typedef int (*EsSampleWork) (const EskHotspots *hotspots, EskStream *stream, const float *samples, gsize count,
                             gsize stride, gconstpointer data, double *sums);

/* lanes: on the CPU, or for each GPU. */
EsSampleLanes *es_sample_lanes_new        (EsSampleStore *store, EsDevice *device, guint lanes, GError **error);
void           es_sample_lanes_free       (EsSampleLanes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsSampleLanes, es_sample_lanes_free)

/*
 * Runs that are the steps of an iteration of all processes (es_ranks_steps_begin ()), one message each: beside its sums
 * each process tells n_beside numbers, which tell () fills in when it has its sums. After a run they are the first
 * n_beside of es_ranks_steps_of (). What fails is told by es_ranks_steps_end ().
 */
typedef struct
{
  EsRanksSteps *steps;
  gsize         n_beside;
  void        (*tell) (double *beside, gpointer data);
  gpointer      data;
} EsSampleSteps;

/* The numbers that a step of n_sums sums takes of this process. */
gsize          es_sample_lanes_count      (EsSampleLanes *self, gsize n_sums, gsize n_beside);
/* steps: NULL: of one run by itself. sums (n_sums, overwritten): of all chunks, those of other processes too. what: for
 * errors, translated. G_IO_ERROR_CANCELLED between two chunks. */
gboolean       es_sample_lanes_run        (EsSampleLanes *self, EsSampleWork work, gconstpointer data,
                                           const char *what, gsize n_sums, double *sums, const EsSampleSteps *steps,
                                           GCancellable *cancellable, GError **error);
/* Of several processes with a card each, all of them: from now on sums are added between the cards (NCCL) where that is
 * expected to pay for so many steps of n_sums. In the last digits they are then others. FALSE: the processes failed. */
gboolean       es_sample_lanes_join_cards (EsSampleLanes *self, EsJob *job, double steps, gsize n_sums,
                                           GError **error);
G_END_DECLS
