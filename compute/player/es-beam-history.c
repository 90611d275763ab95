/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-history-private.h"

#include <math.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>

#endif

#define SPECTRA_LIMIT (256u << 20)
/* Of the bearing-time records: over a week of seconds of 160 beams. Looping as fast as possible gets there. */
#define ROWS_LIMIT (512u << 20)
#define MOST_MOMENTS (1u << 20)
/* Of a history that goes: what glibc would keep of it for good. */
#define WORTH_TRIMMING (64u << 20)

G_DEFINE_FINAL_TYPE (EsBeamHistory, es_beam_history, G_TYPE_OBJECT)

enum { SIGNAL_APPENDED, SIGNAL_REPLACED, SIGNAL_RESET, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- the object ---- */

static void
free_moment (EsBeamMoment *moment)
{
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      g_clear_pointer (&moment->levels[kind], g_free);
      g_clear_pointer (&moment->fields[kind], g_free);
    }
  moment->kinds = 0;
}

static void
free_rows (EsBeamHistory *self)
{
  for (guint i = 0; i < self->capacity; i++)
    free_moment (&self->ring[i]);
  g_clear_pointer (&self->ring, g_free);
  self->capacity = self->next = self->n_moments = 0;
  self->moment_bytes = self->chunk_bytes = 0;
  self->n_rows = 0;
  g_array_set_size (self->times, 0);
  g_clear_pointer (&self->adaptive_times, g_array_unref);
  g_byte_array_set_size (self->row_kinds, 0);
  g_clear_pointer (&self->row_peaks, g_array_unref);
  g_clear_pointer (&self->newest, es_beam_block_unref);
  g_clear_pointer (&self->form, es_beam_form_unref);
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
  signals[SIGNAL_APPENDED] = g_signal_new ("appended", ES_TYPE_BEAM_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_REPLACED] = g_signal_new ("replaced", ES_TYPE_BEAM_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 0);
  signals[SIGNAL_RESET] = g_signal_new ("reset", ES_TYPE_BEAM_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
}

static void
es_beam_history_init (EsBeamHistory *self)
{
  self->times = g_array_new (FALSE, FALSE, sizeof (double));
  self->row_kinds = g_byte_array_new ();
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    self->chunks[kind] = g_ptr_array_new_with_free_func (g_free);
  _es_beam_history_drop_tracks (self);
}

EsBeamHistory *
es_beam_history_new (guint64 spectra_limit)
{
  EsBeamHistory *self = g_object_new (ES_TYPE_BEAM_HISTORY, NULL);

  self->spectra_limit = spectra_limit > 0 ? spectra_limit : SPECTRA_LIMIT;
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
forget_oldest_chunk (EsBeamHistory *self)
{
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      for (guint i = 0; i < ES_BEAM_HISTORY_CHUNK; i++)
        self->n_of[kind] -= self->row_kinds->data[i] >> kind & 1;
      if (g_ptr_array_index (self->chunks[kind], 0) != NULL)
        self->chunk_bytes -= chunk_size (self);
      g_ptr_array_remove_index (self->chunks[kind], 0);
    }
  g_array_remove_range (self->times, 0, ES_BEAM_HISTORY_CHUNK);
  if (self->adaptive_times != NULL)
    g_array_remove_range (self->adaptive_times, 0, MIN (ES_BEAM_HISTORY_CHUNK, self->adaptive_times->len));
  g_byte_array_remove_range (self->row_kinds, 0, ES_BEAM_HISTORY_CHUNK);
  _es_beam_history_forget_peaks (self, ES_BEAM_HISTORY_CHUNK);
  self->n_rows -= ES_BEAM_HISTORY_CHUNK;
}

/* Of the newest row. */
static void
keep_adaptive_time (EsBeamHistory *self, EsBeamBlock *block)
{
  const double none = NAN;

  if (!es_beam_block_has (block, ES_BEAM_MVDR))
    return;
  if (self->adaptive_times == NULL)
    self->adaptive_times = g_array_new (FALSE, FALSE, sizeof (double));
  while (self->adaptive_times->len < self->n_rows)
    g_array_append_val (self->adaptive_times, none);
  g_array_index (self->adaptive_times, double, self->n_rows - 1) = es_beam_block_get_time_of (block, ES_BEAM_MVDR);
}

/* Of every kind that the block has; what there is no memory for is not there. */
static void
fill_row (EsBeamHistory *self, guint index, EsBeamBlock *block)
{
  const gsize n = self->form->settings->n_angles;
  const guint chunk = index / ES_BEAM_HISTORY_CHUNK;
  guint8 *kinds = &self->row_kinds->data[index];

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      const float *far = es_beam_block_get_far_of (block, (EsBeamKind) kind);
      gpointer *rows = &g_ptr_array_index (self->chunks[kind], chunk);

      self->n_of[kind] -= *kinds >> kind & 1;
      *kinds &= (guint8) ~(1u << kind);
      if (far == NULL)
        continue;
      if (*rows == NULL)
        {
          *rows = g_try_malloc (chunk_size (self));
          if (*rows == NULL)
            continue;
          self->chunk_bytes += chunk_size (self);
        }
      memcpy ((float *) *rows + (index % ES_BEAM_HISTORY_CHUNK) * n, far, n * sizeof *far);
      *kinds |= (guint8) (1u << kind);
      self->n_of[kind]++;
    }
}

static void
append_row (EsBeamHistory *self, EsBeamBlock *block)
{
  const double time = es_beam_block_get_time (block);
  const guint8 none = 0;

  if (self->n_rows % ES_BEAM_HISTORY_CHUNK == 0)
    {
      while (self->n_rows > ES_BEAM_HISTORY_CHUNK && self->chunk_bytes >= self->rows_limit)
        forget_oldest_chunk (self);
      for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
        g_ptr_array_add (self->chunks[kind], NULL);
    }
  g_array_append_val (self->times, time);
  g_byte_array_append (self->row_kinds, &none, 1);
  fill_row (self, self->n_rows++, block);
}

/* ---- moments ---- */

static gsize
moment_bytes (const EsBeamSettings *settings, guint kinds)
{
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  gsize n = 0;

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    n += kinds >> kind & 1;
  return n * ((gsize) settings->n_ranges * settings->n_angles * sizeof (float)
              + (has_far ? (gsize) settings->n_angles * settings->n_bins * sizeof (guint16) : 0));
}

static guint
find_kinds (EsBeamBlock *block)
{
  guint kinds = 0;

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if (es_beam_block_get_field_of (block, (EsBeamKind) kind) != NULL)
      kinds |= 1u << kind;
  return kinds;
}

/* Into the memory that is there already, or with the levels that somebody has made; what there is no memory for is gone
 * at once. */
static void
fill_moment (EsBeamHistory *self, EsBeamMoment *moment, EsBeamBlock *block, EsBeamLevels *levels)
{
  const EsBeamSettings *settings = self->form->settings;
  const gsize n_field = (gsize) settings->n_ranges * settings->n_angles;
  const gsize n_spectra = (gsize) settings->n_angles * settings->n_bins;

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      const float *field = es_beam_block_get_field_of (block, (EsBeamKind) kind);
      const float *spectra = es_beam_block_get_spectra_of (block, (EsBeamKind) kind);

      if (field == NULL)
        g_clear_pointer (&moment->fields[kind], g_free);
      else if (moment->fields[kind] == NULL)
        moment->fields[kind] = g_try_new (float, n_field);
      if (moment->fields[kind] != NULL)
        memcpy (moment->fields[kind], field, n_field * sizeof *field);
      if (spectra == NULL || levels->of[kind] != NULL)
        g_clear_pointer (&moment->levels[kind], g_free);
      if (levels->of[kind] != NULL)
        {
          moment->levels[kind] = g_steal_pointer (&levels->of[kind]);
          continue;
        }
      if (spectra != NULL && moment->levels[kind] == NULL)
        moment->levels[kind] = g_try_new (guint16, n_spectra);
      if (moment->levels[kind] != NULL)
        _es_beam_levels_encode (spectra, moment->levels[kind], n_spectra);
    }
  self->moment_bytes -= moment_bytes (settings, moment->kinds);
  moment->kinds = find_kinds (block);
  self->moment_bytes += moment_bytes (settings, moment->kinds);
}

static void
append_moment (EsBeamHistory *self, EsBeamBlock *block, EsBeamLevels *levels)
{
  const EsBeamSettings *settings = self->form->settings;
  const gsize bytes = moment_bytes (settings, find_kinds (block));
  EsBeamMoment spare = { 0 };

  /* The memory of the oldest is that of the newest. */
  while (self->n_moments > 0
         && (self->n_moments == self->capacity
             || self->moment_bytes + bytes + (self->n_moments + 1) * sizeof spare > self->spectra_limit))
    {
      EsBeamMoment *oldest = &self->ring[(self->next + self->capacity - self->n_moments) % self->capacity];

      free_moment (&spare);
      self->moment_bytes -= moment_bytes (settings, oldest->kinds);
      spare = *oldest;
      spare.kinds = 0;
      *oldest = (EsBeamMoment) { 0 };
      self->n_moments--;
    }
  self->ring[self->next] = spare;
  fill_moment (self, &self->ring[self->next], block, levels);
  self->next = (self->next + 1) % self->capacity;
  self->n_moments++;
}

/* ---- blocks ---- */

static void
begin (EsBeamHistory *self, EsBeamForm *form)
{
  const gsize bytes = moment_bytes (form->settings, 1u << ES_BEAM_CBF) + sizeof (EsBeamMoment);

  free_rows (self);
  self->form = es_beam_form_ref (form);
  self->capacity = (guint) CLAMP (self->spectra_limit / bytes, 1, MOST_MOMENTS);
  self->ring = g_new0 (EsBeamMoment, self->capacity);
}

/* Equal forms may still differ in what the beamformer can change as it goes: the newest counts. */
static void
take_newest (EsBeamHistory *self, EsBeamBlock *block)
{
  if (self->form != es_beam_block_get_form (block))
    {
      es_beam_form_unref (self->form);
      self->form = es_beam_form_ref (es_beam_block_get_form (block));
    }
  es_beam_block_ref (block);
  g_clear_pointer (&self->newest, es_beam_block_unref);
  self->newest = block;
}

static void
append (EsBeamHistory *self, EsBeamBlock *block, EsBeamLevels *levels)
{
  if (self->form == NULL || !es_beam_form_equal (self->form, es_beam_block_get_form (block)))
    {
      begin (self, es_beam_block_get_form (block));
      g_signal_emit (self, signals[SIGNAL_RESET], 0);
    }
  take_newest (self, block);
  append_row (self, block);
  append_moment (self, block, levels);
  _es_beam_history_keep_peaks (self, block);
  keep_adaptive_time (self, block);
  _es_beam_history_track (self, block);
  g_signal_emit (self, signals[SIGNAL_APPENDED], 0, 1u);
}

void
_es_beam_history_take (EsBeamHistory *self, EsBeamBlock *block, EsBeamLevels *levels, gboolean replaces)
{
  g_return_if_fail (self->result == NULL);

  if (!replaces || self->newest == NULL || es_beam_block_get_frame (self->newest) != es_beam_block_get_frame (block)
      || !es_beam_form_equal (self->form, es_beam_block_get_form (block)))
    {
      append (self, block, levels);
      return;
    }
  take_newest (self, block);
  fill_row (self, self->n_rows - 1, block);
  _es_beam_history_keep_peaks (self, block);
  keep_adaptive_time (self, block);
  if (self->n_moments > 0)
    fill_moment (self, &self->ring[(self->next + self->capacity - 1) % self->capacity], block, levels);
  g_signal_emit (self, signals[SIGNAL_REPLACED], 0);
}

void
es_beam_history_append (EsBeamHistory *self, EsBeamBlock *block)
{
  _es_beam_history_take (self, block, &(EsBeamLevels) { { NULL } }, FALSE);
}

void
es_beam_history_replace (EsBeamHistory *self, EsBeamBlock *block)
{
  _es_beam_history_take (self, block, &(EsBeamLevels) { { NULL } }, TRUE);
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
  guint64 bytes = self->n_rows * (sizeof (double) + 1) + _es_beam_history_get_peak_bytes (self);

  if (self->form == NULL)
    return bytes;
  const EsBeamSettings *settings = self->form->settings;
  bytes += self->chunk_bytes + (guint64) self->capacity * sizeof (EsBeamMoment) + self->moment_bytes;
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
