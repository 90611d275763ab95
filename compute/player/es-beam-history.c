/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-history-private.h"

#include <math.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>

#endif

#define SPECTRA_LIMIT (256u << 20)
/* Of the bearing-time records: over a week of seconds of 160 beams. */
#define ROWS_LIMIT (512u << 20)
/* Of a history that goes: what glibc would keep of it for good. */
#define WORTH_TRIMMING (64u << 20)

G_DEFINE_FINAL_TYPE (EsBeamHistory, es_beam_history, G_TYPE_OBJECT)

enum { SIGNAL_FILLED, SIGNAL_RESET, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- the object ---- */

static void
free_rows (EsBeamHistory *self)
{
  self->chunk_bytes = 0;
  self->n_rows = self->n_known = self->n_current = self->n_new = 0;
  self->now = self->heard_row = G_MAXUINT;
  self->is_news = FALSE;
  self->adaptive_lag = 0;
  g_array_set_size (self->times, 0);
  g_clear_pointer (&self->adaptive_times, g_array_unref);
  g_byte_array_set_size (self->row_kinds, 0);
  g_array_set_size (self->generations, 0);
  g_array_set_size (self->fills, 0);
  self->first_fill = 0;
  g_clear_pointer (&self->row_peaks, g_array_unref);
  g_clear_pointer (&self->row_lifts, g_array_unref);
  g_clear_pointer (&self->lifted, g_free);
  g_clear_pointer (&self->newest, es_beam_block_unref);
  g_clear_pointer (&self->closer, es_beam_block_unref);
  g_clear_pointer (&self->form, es_beam_form_unref);
  g_clear_pointer (&self->archive, es_beam_archive_unref);
  g_clear_pointer (&self->levels, g_free);
  g_clear_pointer (&self->field, g_free);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      self->n_of[kind] = 0;
      g_ptr_array_set_size (self->chunks[kind], 0);
    }
  _es_beam_history_drop_tracks (self);
  _es_beam_history_drop_result (self);
}

#ifdef __GLIBC__
static gpointer
trim (gpointer data)
{
  malloc_trim (0);
  return NULL;
}
#endif

/* Hundreds of megabytes of small pieces stay with the program otherwise, though no recording is open any more. Takes
 * some dozen milliseconds, elsewhere. */
static void
give_back (guint64 bytes)
{
#ifdef __GLIBC__
  GThread *thread = bytes >= WORTH_TRIMMING ? g_thread_try_new ("es-trim", trim, NULL, NULL) : NULL;

  g_clear_pointer (&thread, g_thread_unref);
#else
  (void) bytes;
#endif
}

static void
es_beam_history_finalize (GObject *object)
{
  EsBeamHistory *self = ES_BEAM_HISTORY (object);
  const guint64 bytes = es_beam_history_get_memory (self);

  free_rows (self);
  give_back (bytes);
  g_array_unref (self->times);
  g_array_unref (self->generations);
  g_array_unref (self->fills);
  g_byte_array_unref (self->row_kinds);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    g_ptr_array_unref (self->chunks[kind]);
  g_ptr_array_unref (self->own_tracks);
  G_OBJECT_CLASS (es_beam_history_parent_class)->finalize (object);
}

static void
es_beam_history_class_init (EsBeamHistoryClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_beam_history_finalize;
  signals[SIGNAL_FILLED] = g_signal_new ("filled", ES_TYPE_BEAM_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_RESET] = g_signal_new ("reset", ES_TYPE_BEAM_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
}

static void
es_beam_history_init (EsBeamHistory *self)
{
  self->times = g_array_new (FALSE, FALSE, sizeof (double));
  self->generations = g_array_new (FALSE, TRUE, sizeof (guint));
  self->fills = g_array_new (FALSE, FALSE, sizeof (guint));
  self->row_kinds = g_byte_array_new ();
  self->generation = 1;
  self->now = self->heard_row = G_MAXUINT;
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    self->chunks[kind] = g_ptr_array_new_with_free_func (g_free);
  _es_beam_history_drop_tracks (self);
}

EsBeamHistory *
es_beam_history_new (guint64 memory_limit)
{
  EsBeamHistory *self = g_object_new (ES_TYPE_BEAM_HISTORY, NULL);

  self->memory_limit = memory_limit > 0 ? memory_limit : SPECTRA_LIMIT;
  self->file_limit = memory_limit > 0 ? 0 : G_MAXUINT64;
  self->rows_limit = ROWS_LIMIT;
  return self;
}

EsBeamHistory *
es_beam_history_new_from_result (EsResult *result)
{
  EsBeamHistory *self = es_beam_history_new (0);

  _es_beam_history_take_result (self, result);
  return self;
}

/* ---- rows ---- */

static gsize
chunk_size (EsBeamHistory *self)
{
  return (gsize) ES_BEAM_HISTORY_CHUNK * self->form->settings->n_angles * sizeof (float);
}

static void
add_rows (EsBeamHistory *self, guint n_rows)
{
  const guint n_chunks = (n_rows + ES_BEAM_HISTORY_CHUNK - 1) / ES_BEAM_HISTORY_CHUNK, before = self->n_rows;

  g_byte_array_set_size (self->row_kinds, n_rows);
  memset (self->row_kinds->data + before, 0, n_rows - before);
  g_array_set_size (self->generations, n_rows);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    g_ptr_array_set_size (self->chunks[kind], (int) n_chunks);
  self->n_rows = n_rows;
  self->n_new += n_rows - before;
}

/* What the row was, it is not any more. */
static void
forget_row (EsBeamHistory *self, guint row)
{
  guint *generation = &g_array_index (self->generations, guint, row);

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    self->n_of[kind] -= self->row_kinds->data[row] >> kind & 1;
  self->row_kinds->data[row] = 0;
  self->n_known -= *generation != 0;
  self->n_current -= *generation == self->generation;
  *generation = 0;
}

/* The one that is farthest from the one that there is no room for. */
static void
forget_chunk (EsBeamHistory *self, guint near)
{
  const guint n = self->chunks[0]->len;
  guint farthest = near;

  for (guint i = 0; i < n; i++)
    {
      gboolean there = FALSE;

      for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
        there = there || g_ptr_array_index (self->chunks[kind], i) != NULL;
      if (there && ABS ((int) i - (int) near) > ABS ((int) farthest - (int) near))
        farthest = i;
    }
  if (farthest == near)
    return;
  for (guint row = farthest * ES_BEAM_HISTORY_CHUNK;
       row < MIN ((farthest + 1) * ES_BEAM_HISTORY_CHUNK, self->n_rows); row++)
    forget_row (self, row);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      gpointer *rows = &g_ptr_array_index (self->chunks[kind], farthest);

      if (*rows != NULL)
        self->chunk_bytes -= chunk_size (self);
      g_clear_pointer (rows, g_free);
    }
}

static void
keep_adaptive_time (EsBeamHistory *self, guint row, EsBeamBlock *block)
{
  const double none = NAN;

  if (!es_beam_block_has (block, ES_BEAM_MVDR))
    return;
  if (self->adaptive_times == NULL)
    self->adaptive_times = g_array_new (FALSE, FALSE, sizeof (double));
  while (self->adaptive_times->len <= row)
    g_array_append_val (self->adaptive_times, none);
  g_array_index (self->adaptive_times, double, row) = es_beam_block_get_time_of (block, ES_BEAM_MVDR);
  /* The first blocks remember less than all others will. */
  self->adaptive_lag = MAX (self->adaptive_lag,
                            es_beam_block_get_time (block) - es_beam_block_get_time_of (block, ES_BEAM_MVDR));
}

/* Of every kind that the block has; what there is no memory for is not there. */
static void
fill_row (EsBeamHistory *self, guint row, EsBeamBlock *block)
{
  const gsize n = self->form->settings->n_angles;
  const guint chunk = row / ES_BEAM_HISTORY_CHUNK;

  forget_row (self, row);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      const float *far = es_beam_block_get_far_of (block, (EsBeamKind) kind);
      gpointer *rows = &g_ptr_array_index (self->chunks[kind], chunk);

      if (far == NULL)
        continue;
      if (*rows == NULL)
        {
          if (self->chunk_bytes + chunk_size (self) > self->rows_limit)
            forget_chunk (self, chunk);
          *rows = g_try_malloc (chunk_size (self));
          if (*rows == NULL)
            continue;
          self->chunk_bytes += chunk_size (self);
        }
      memcpy ((float *) *rows + (row % ES_BEAM_HISTORY_CHUNK) * n, far, n * sizeof *far);
      self->row_kinds->data[row] |= (guint8) (1u << kind);
      self->n_of[kind]++;
    }
  g_array_index (self->generations, guint, row) = self->generation;
  self->n_known++;
  self->n_current++;
  _es_beam_history_note_fill (self, row);
}

/* ---- blocks ---- */

static guint
row_of (EsBeamBlock *block)
{
  const guint64 row = es_beam_block_get_frame (block) / MAX (es_beam_block_get_settings (block)->block, 1);

  return (guint) MIN (row, G_MAXINT / 2);
}

static void
begin (EsBeamHistory *self, EsBeamForm *form, EsBeamArchive *archive)
{
  free_rows (self);
  self->has_loose_tones = FALSE;
  self->form = es_beam_form_ref (form);
  self->archive = archive != NULL ? es_beam_archive_ref (archive)
                                  : es_beam_archive_new (form->settings, self->memory_limit, self->file_limit);
  if (self->frames > 0 && form->settings->block > 0)
    add_rows (self, (guint) MIN (self->frames / form->settings->block, G_MAXINT / 2));
  self->n_new = 0;
}

/* Equal forms may still differ in what the beamformer can change as it goes: the newest counts. */
gboolean
_es_beam_history_is_adapted_alike (EsBeamForm *a, EsBeamForm *b)
{
  const EsAdaptiveSettings *one = &a->settings->adaptive, *other = &b->settings->adaptive;

  return one->on == other->on && one->loading == other->loading && one->sources == other->sources;
}

static void
take_newest (EsBeamHistory *self, EsBeamBlock *block, guint row)
{
  if (self->form != es_beam_block_get_form (block))
    {
      if (!_es_beam_history_is_adapted_alike (self->form, es_beam_block_get_form (block)))
        {
          self->generation++;
          self->n_current = 0;
          g_clear_pointer (&self->closer, es_beam_block_unref);
          self->has_loose_tones = FALSE;
          _es_beam_history_retrack (self);
        }
      es_beam_form_unref (self->form);
      self->form = es_beam_form_ref (es_beam_block_get_form (block));
    }
  es_beam_block_ref (block);
  g_clear_pointer (&self->newest, es_beam_block_unref);
  self->newest = block;
  self->now = row;
}

void
_es_beam_history_take (EsBeamHistory *self, EsBeamBlock *block, EsBeamArchive *archive, gboolean replaces,
                       gboolean heard)
{
  const guint row = row_of (block);

  g_return_if_fail (self->result == NULL);

  if (self->form == NULL || !es_beam_form_equal (self->form, es_beam_block_get_form (block)))
    {
      if (!heard && self->form != NULL)
        return;
      begin (self, es_beam_block_get_form (block), archive);
      g_signal_emit (self, signals[SIGNAL_RESET], 0);
    }
  if (heard)
    take_newest (self, block, row);
  else if (!_es_beam_history_is_adapted_alike (self->form, es_beam_block_get_form (block)))
    return;
  self->is_news = TRUE;
  if (row >= self->n_rows)
    add_rows (self, row + 1);
  if (replaces || !es_beam_history_is_current (self, row))
    {
      fill_row (self, row, block);
      self->has_loose_tones |= es_beam_block_has_loose_tones (block);
      if (archive == NULL || archive != self->archive)
        es_beam_archive_put (self->archive, row, block, TRUE);
      _es_beam_history_keep_peaks (self, row, block);
      keep_adaptive_time (self, row, block);
    }
  if (heard && !replaces)
    _es_beam_history_track_heard (self, row);
}

void
_es_beam_history_forget_from (EsBeamHistory *self, guint64 frame)
{
  if (self->form == NULL || self->form->settings->block == 0)
    return;

  const guint64 first = frame / self->form->settings->block;
  for (guint64 row = first; row < self->n_rows; row++)
    forget_row (self, (guint) row);
  if (self->tracked > first)
    _es_beam_history_retrack (self);
}

void
_es_beam_history_tell (EsBeamHistory *self)
{
  const guint n = self->n_new;

  if (!self->is_news)
    return;
  self->is_news = FALSE;
  self->n_new = 0;
  g_signal_emit (self, signals[SIGNAL_FILLED], 0, n);
}

void
_es_beam_history_tell_reset (EsBeamHistory *self)
{
  g_signal_emit (self, signals[SIGNAL_RESET], 0);
}

static void
take_all (EsBeamHistory *self, EsBeamBlock *block, gboolean replaces)
{
  _es_beam_history_take (self, block, NULL, replaces, TRUE);
  while (_es_beam_history_track (self, G_MAXUINT))
    continue;
  _es_beam_history_tell (self);
}

void
es_beam_history_append (EsBeamHistory *self, EsBeamBlock *block)
{
  take_all (self, block, FALSE);
}

void
es_beam_history_replace (EsBeamHistory *self, EsBeamBlock *block)
{
  take_all (self, block, TRUE);
}

void
es_beam_history_set_frames (EsBeamHistory *self, guint64 frames)
{
  self->frames = frames;
  if (self->form == NULL || self->result != NULL || self->form->settings->block == 0)
    return;

  const guint n = (guint) MIN (frames / self->form->settings->block, G_MAXINT / 2);
  if (n <= self->n_rows)
    return;
  add_rows (self, n);
  self->is_news = TRUE;
  _es_beam_history_tell (self);
}

void
es_beam_history_clear (EsBeamHistory *self)
{
  free_rows (self);
  g_signal_emit (self, signals[SIGNAL_RESET], 0);
}

guint64
es_beam_history_get_memory (EsBeamHistory *self)
{
  guint64 bytes = self->n_rows * (sizeof (guint) + 1) + self->fills->len * sizeof (guint)
                  + _es_beam_history_get_peak_bytes (self) + _es_beam_history_get_lift_bytes (self), memory, file;
  gboolean full;

  if (self->form == NULL)
    return bytes;
  const EsBeamSettings *settings = self->form->settings;
  es_beam_history_get_spectra_use (self, &memory, &file, &full);
  bytes += self->chunk_bytes + memory;
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      if (self->fraz[kind] != NULL)
        bytes += (guint64) settings->n_bins * settings->n_angles * sizeof (float);
      if (self->fields[kind] != NULL)
        bytes += (guint64) settings->n_ranges * settings->n_angles * sizeof (float);
    }
  bytes += (guint64) (self->eigenvalues != NULL ? settings->n_bins : 0) * self->n_eigenvalues * sizeof (double);
  return bytes;
}
