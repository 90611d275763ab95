/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Passes that can be stopped, and gone on with by another run. Where the checkpoint asks for it the lanes take no more
 * tiles; what they have got they finish, so that the first tiles of every group are done, and the sums are those of
 * these tiles in their order. Any number of processes can go on from there.
 */

#include "es-pass-private.h"

#include <string.h>

#include "ranks/es-ranks-internal.h"

/* What a piece begins with. */
typedef struct
{
  guint64 tile_width, tile_height, strip_height, tiles;
  guint64 complete;
  guint64 done[ES_PASS_GROUPS];
} Head;

typedef struct
{
  EsJob            *job;
  EsCheckpoint     *checkpoint;
  EsCube           *cube;
  const EsTiling   *tiling;
  const EskSelection *selection;
  const EsPass     *pass;
  const EsPassKeep *keep;
  gpointer          data;
  char             *name;
  Head              head;
} Kept;

static Head
head_of (const EsTiling *tiling)
{
  return (Head) { .tile_width = tiling->tile_width, .tile_height = tiling->tile_height,
                  .strip_height = tiling->strip_height, .tiles = tiling->tiles };
}

static gboolean
head_fits (const Head *head, const EsTiling *tiling)
{
  const Head own = head_of (tiling);
  const guint n = es_tiling_n_groups (tiling);

  /* What is done was cut as there was memory then. */
  if (head->complete == TRUE)
    return TRUE;
  if (memcmp (head, &own, offsetof (Head, complete)) != 0 || head->complete != FALSE)
    return FALSE;
  for (guint g = 0; g < ES_PASS_GROUPS; g++)
    if (head->done[g] > (g < n ? es_tiling_group_begin (tiling, g + 1) - es_tiling_group_begin (tiling, g) : 0))
      return FALSE;
  return TRUE;
}

/* Nothing where there is nothing. */
static gboolean
load (Kept *self, GError **error)
{
  g_autoptr (GBytes) bytes = es_checkpoint_get (self->checkpoint, self->name);
  EsCheckpointReader reader;

  self->head = head_of (self->tiling);
  if (bytes == NULL)
    return TRUE;
  reader.data = g_bytes_get_data (bytes, &reader.left);
  if (es_checkpoint_take (&reader, &self->head, sizeof self->head) && head_fits (&self->head, self->tiling)
      && self->keep->load (self->data, self->tiling, self->head.done, self->head.complete, &reader)
      && reader.left == 0)
    return TRUE;
  return es_checkpoint_refuse (self->checkpoint, error);
}

static gboolean
save (Kept *self, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) &self->head, sizeof self->head);
  if (!self->keep->save (self->data, self->tiling, self->head.done, self->head.complete, bytes, error))
    return FALSE;
  es_checkpoint_put (self->checkpoint, self->name, g_steal_pointer (&bytes));
  return TRUE;
}

/* Each process knows what it has done of its own groups. */
static gboolean
gather_done (Kept *self, gboolean paused, gint64 *n_paused, GError **error)
{
  gint64 numbers[ES_PASS_GROUPS + 1] = { 0 };
  guint64 first, end;

  es_tiling_share_groups (self->tiling, &first, &end);
  for (guint64 g = first; g < end; g++)
    numbers[g] = (gint64) self->head.done[g];
  numbers[ES_PASS_GROUPS] = paused;
  if (!es_ranks_sum_integers (numbers, G_N_ELEMENTS (numbers), error))
    return FALSE;
  for (guint g = 0; g < ES_PASS_GROUPS; g++)
    self->head.done[g] = (guint64) numbers[g];
  *n_paused = numbers[ES_PASS_GROUPS];
  return TRUE;
}

static gboolean
finish (Kept *self, GError **error)
{
  if (self->keep->finish != NULL && !self->keep->finish (self->data, error))
    return FALSE;
  self->head.complete = TRUE;
  return save (self, error);
}

static gboolean
run_on_cpu (Kept *self, GError **error)
{
  for (;;)
    {
      EsCheckpointNext next;
      gboolean paused = FALSE;
      gint64 n_paused;

      if (!es_pass_run_some (self->job, self->cube, self->tiling, self->selection, self->pass, self->data,
                             self->head.done, &paused, error)
          || !es_checkpoint_settle (self->checkpoint, &next, error)
          || !gather_done (self, paused, &n_paused, error))
        return FALSE;
      if (n_paused == 0)
        return finish (self, error);
      if (!save (self, error) || next == ES_CHECKPOINT_STOP)
        return next == ES_CHECKPOINT_STOP;
      es_checkpoint_keep (self->checkpoint);
    }
}

static gboolean
run (Kept *self, GError **error)
{
  g_autoptr (GError) stopped = NULL;
  double whole = self->keep->extent == ES_PASS_KEEP_WHOLE || !es_device_is_cpu (es_job_get_device (self->job));
  gboolean done;

  /* Some processes may have cards. */
  if (!es_ranks_greatest (&whole, 1, error))
    return FALSE;
  if (whole > 0)
    return es_pass_run (self->job, self->cube, self->tiling, self->selection, self->pass, self->data, error)
           && finish (self, error);
  es_checkpoint_enter (self->checkpoint);
  done = run_on_cpu (self, error);
  if (es_checkpoint_leave (self->checkpoint, &stopped))
    return done;
  if (done)
    g_propagate_error (error, g_steal_pointer (&stopped));
  return FALSE;
}

gboolean
es_pass_run_kept (EsJob *job, EsCube *cube, const EsTiling *tiling, const EskSelection *selection, const EsPass *pass,
                  const EsPassKeep *keep, gpointer data, GError **error)
{
  EsCheckpoint *checkpoint = es_job_get_checkpoint (job);
  g_autofree char *name = NULL;
  Kept self;

  if (checkpoint == NULL || keep->extent == ES_PASS_KEEP_NOTHING)
    return es_pass_run (job, cube, tiling, selection, pass, data, error)
           && (keep->finish == NULL || keep->finish (data, error));
  name = es_checkpoint_next_name (checkpoint, keep->name);
  self = (Kept) { job, checkpoint, cube, tiling, selection, pass, keep, data, name, { 0 } };
  return load (&self, error) && (self.head.complete || run (&self, error));
}
