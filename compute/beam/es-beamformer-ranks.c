/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Blocks of a recording shared between processes: each forms the beams of a few that follow each other, and then all
 * have all of them, in order, as one process would. A block is the same however one comes to it, but for one whose
 * matrix forgets without an end.
 */

#include "es-beamformer-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-beam-block-private.h"
#include "ranks/es-ranks-internal.h"

/* Blocks of a process at a time: enough for what has to be heard before them to be little beside. */
#define FEWEST 16
#define TIMES_BEFORE 8
/* Of a round, all processes together. */
#define ROUND_BYTES ((gsize) 64 << 20)

/* What a block holds beside its arrays. */
typedef struct
{
  guint64          frame;
  double           time, seconds, compute_seconds, adaptive_time;
  EsAdaptiveReport report;
  guint            used;
  gboolean         has_loose_tones;
} Head;

typedef struct
{
  EsBeamformer *beamformer;
  guint64       first, step;
  EsBeamTake    take;
  gpointer      data;
  GCancellable *cancellable;
  gsize         bytes;
  char         *out;           /* where the next block of this process goes */
} Shared;

/* Every array of a block, one after the other, into memory or back; NULL: only how many bytes that is. */
static gsize
move_arrays (EsBeamBlock *block, char *memory, gboolean back)
{
  const EsBeamSettings *settings = block->form->settings;
  const gsize field = (gsize) settings->n_ranges * settings->n_angles * sizeof (float);
  const gsize spectra = (gsize) settings->n_angles * settings->n_bins * sizeof (float);
  const struct { gpointer array; gsize bytes; } arrays[] = {
    { block->field, field }, { block->spectra, spectra },
    { block->fields[ES_BEAM_MVDR], field }, { block->by_bin[ES_BEAM_MVDR], spectra },
    { block->fields[ES_BEAM_MUSIC], field }, { block->by_bin[ES_BEAM_MUSIC], spectra },
    { block->eigenvalues, (gsize) settings->n_bins * block->n_eigenvalues * sizeof (double) },
  };
  gsize at = 0;

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i].array != NULL)
      {
        if (memory != NULL && back)
          memcpy (arrays[i].array, memory + at, arrays[i].bytes);
        else if (memory != NULL)
          memcpy (memory + at, arrays[i].array, arrays[i].bytes);
        at += arrays[i].bytes;
      }
  return at;
}

static gboolean
pack (EsBeamBlock *block, gpointer data, GError **error)
{
  Shared *self = data;
  const Head head = { block->frame, block->time, block->seconds, block->compute_seconds, block->adaptive_time,
                      block->report, block->used, block->has_loose_tones };

  memcpy (self->out, &head, sizeof head);
  move_arrays (block, self->out + sizeof head, FALSE);
  self->out += self->bytes;
  return TRUE;
}

static EsBeamBlock *
unpack (Shared *self, const char *in, GError **error)
{
  EsBeamBlock *block;
  Head head;

  memcpy (&head, in, sizeof head);
  block = es_beam_block_new (self->beamformer->form, head.frame);
  if (block == NULL)
    {
      es_compute_error_no_memory (_("the beams"), error);
      return NULL;
    }
  block->time = head.time;
  block->seconds = head.seconds;
  block->compute_seconds = head.compute_seconds;
  block->adaptive_time = head.adaptive_time;
  block->report = head.report;
  block->used = head.used;
  block->has_loose_tones = head.has_loose_tones;
  move_arrays (block, (char *) in + sizeof head, TRUE);
  return block;
}

static gboolean
make_blocks (guint64 first, guint64 n, gpointer out, gpointer data, GError **error)
{
  Shared *self = data;

  self->out = out;
  return es_beamformer_run (self->beamformer, self->first + first * self->step, self->step, n, pack, self,
                            self->cancellable, error);
}

static gboolean
take_blocks (guint64 first, guint64 n, gconstpointer in, gpointer data, GError **error)
{
  Shared *self = data;

  for (guint64 i = 0; i < n; i++)
    {
      EsBeamBlock *block = unpack (self, (const char *) in + i * self->bytes, error);
      const gboolean taken = block != NULL && self->take (block, self->data, error);

      if (block != NULL)
        es_beam_block_unref (block);
      if (!taken)
        return FALSE;
    }
  return TRUE;
}

/* What every process has counted of its own blocks. */
static gboolean
share_health (EsBeamformer *self, GError **error)
{
  const guint n = es_array_get_n_elements (self->array);
  g_autofree gint64 *counts = g_new (gint64, 3 * n);
  g_autofree double *peaks = g_new (double, n);

  for (guint i = 0; i < n; i++)
    {
      counts[3 * i] = (gint64) self->health[i].samples;
      counts[3 * i + 1] = (gint64) self->health[i].not_finite;
      counts[3 * i + 2] = (gint64) self->health[i].clipped;
      peaks[i] = self->health[i].peak;
    }
  if (!es_ranks_sum_integers (counts, 3 * n, error) || !es_ranks_greatest (peaks, n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    self->health[i] = (EsElementHealth) { (guint64) counts[3 * i], (guint64) counts[3 * i + 1],
                                          (guint64) counts[3 * i + 2], peaks[i] };
  return TRUE;
}

gboolean
es_beamformer_run_shared (EsBeamformer *self, guint64 first, guint64 step, guint64 n, EsBeamTake take, gpointer data,
                          GCancellable *cancellable, GError **error)
{
  Shared shared = { .beamformer = self, .first = first, .step = step, .take = take, .data = data,
                    .cancellable = cancellable };
  EsBeamBlock *block;

  /* What remembers everything each process goes through. */
  if (es_ranks_get_size () == 1 || self->settings->adaptive.forgetting > 0)
    return es_ranks_agree (es_beamformer_run (self, first, step, n, take, data, cancellable, error), error);
  block = es_beam_block_new (self->form, first);
  if (block == NULL)
    return es_ranks_agree (es_compute_error_no_memory (_("the beams"), error), error);
  shared.bytes = sizeof (Head) + move_arrays (block, NULL, FALSE);
  es_beam_block_unref (block);

  const gsize most = ROUND_BYTES / es_ranks_get_size () / shared.bytes;
  const guint wanted = MAX (FEWEST, TIMES_BEFORE * self->memory);
  /* Everybody has some, of a recording that is short. */
  const guint chunk = (guint) CLAMP (MIN (wanted, n / es_ranks_get_size ()), 1, MAX (most, 1));
  return es_ranks_in_turn (n, shared.bytes, chunk, make_blocks, take_blocks, &shared, error)
         && share_health (self, error);
}
