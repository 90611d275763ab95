/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-history-private.h"

#include <math.h>
#include <string.h>

#define SPECTRA_LIMIT (256u << 20)
/* Of the bearing-time record: over a week of seconds of 160 beams. Looping as fast as possible gets there. */
#define ROWS_LIMIT (512u << 20)
#define MOST_MOMENTS (1u << 20)

G_DEFINE_FINAL_TYPE (EsBeamHistory, es_beam_history, G_TYPE_OBJECT)

enum { SIGNAL_APPENDED, SIGNAL_RESET, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- levels in 16 bits: hundredths of a decibel from -400 dB on; 0: no power; NO_LEVEL: NAN ---- */

#define LEVEL_ORIGIN 40000
#define HIGHEST_LEVEL 65534
#define NO_LEVEL 65535
#define MANTISSA_BITS 12

static float exponent_levels[256], mantissa_levels[1 << MANTISSA_BITS];
static double coarse_powers[256], fine_powers[256];

static void
fill_level_tables (void)
{
  static gsize once;

  if (!g_once_init_enter (&once))
    return;
  for (int e = 0; e < 256; e++)
    exponent_levels[e] = (float) ((e - 127) * 1000 * log10 (2.0));
  for (int m = 0; m < 1 << MANTISSA_BITS; m++)
    mantissa_levels[m] = (float) (1000 * log10 (1 + (m + 0.5) / (1 << MANTISSA_BITS)));
  for (int i = 0; i < 256; i++)
    {
      coarse_powers[i] = pow (10, (i * 256.0 - LEVEL_ORIGIN) / 1000);
      fine_powers[i] = pow (10, i / 1000.0);
    }
  g_once_init_leave (&once, 1);
}

/* Thousands of them for every block, in the main context: no logarithm. Right to 0.006 dB. */
static inline guint16
encode (float power)
{
  guint32 bits;

  memcpy (&bits, &power, sizeof bits);
  if (!(power > 0))
    return power <= 0 ? 0 : NO_LEVEL;
  const float level = exponent_levels[bits >> 23] + mantissa_levels[bits >> (23 - MANTISSA_BITS)
                                                                    & ((1 << MANTISSA_BITS) - 1)];
  return (guint16) CLAMP ((int) (level + LEVEL_ORIGIN + 0.5f), 1, HIGHEST_LEVEL);
}

static inline float
decode (guint16 level)
{
  if (level == 0)
    return 0;
  return level == NO_LEVEL ? NAN : (float) (coarse_powers[level >> 8] * fine_powers[level & 255]);
}

/* ---- the object ---- */

static void
free_rows (EsBeamHistory *self)
{
  for (guint i = 0; i < self->capacity; i++)
    {
      g_free (self->ring[i].levels);
      g_free (self->ring[i].field);
    }
  g_clear_pointer (&self->ring, g_free);
  self->capacity = self->next = self->n_moments = 0;
  self->n_rows = 0;
  g_array_set_size (self->times, 0);
  g_ptr_array_set_size (self->chunks, 0);
  g_clear_pointer (&self->form, es_beam_form_unref);
  g_clear_object (&self->btr);
  g_clear_object (&self->lofar);
  g_clear_pointer (&self->fraz, g_free);
  g_clear_pointer (&self->field, g_free);
  g_clear_object (&self->result);
}

static void
es_beam_history_finalize (GObject *object)
{
  EsBeamHistory *self = ES_BEAM_HISTORY (object);

  free_rows (self);
  g_array_unref (self->times);
  g_ptr_array_unref (self->chunks);
  G_OBJECT_CLASS (es_beam_history_parent_class)->finalize (object);
}

static void
es_beam_history_class_init (EsBeamHistoryClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_beam_history_finalize;
  signals[SIGNAL_APPENDED] = g_signal_new ("appended", ES_TYPE_BEAM_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_RESET] = g_signal_new ("reset", ES_TYPE_BEAM_HISTORY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
}

static void
es_beam_history_init (EsBeamHistory *self)
{
  fill_level_tables ();
  self->times = g_array_new (FALSE, FALSE, sizeof (double));
  self->chunks = g_ptr_array_new_with_free_func (g_free);
}

EsBeamHistory *
es_beam_history_new (guint64 spectra_limit)
{
  EsBeamHistory *self = g_object_new (ES_TYPE_BEAM_HISTORY, NULL);

  self->spectra_limit = spectra_limit > 0 ? spectra_limit : SPECTRA_LIMIT;
  return self;
}

EsBeamHistory *
es_beam_history_new_from_result (EsResult *result)
{
  EsBeamHistory *self = es_beam_history_new (0);

  _es_beam_history_take_result (self, result);
  return self;
}

/* ---- appending ---- */

static gsize
moment_bytes (const EsBeamSettings *settings)
{
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;

  return (gsize) settings->n_ranges * settings->n_angles * sizeof (float)
         + (has_far ? (gsize) settings->n_angles * settings->n_bins * sizeof (guint16) : 0);
}

static void
begin (EsBeamHistory *self, EsBeamForm *form)
{
  const gsize bytes = moment_bytes (form->settings) + sizeof (EsBeamMoment);

  free_rows (self);
  self->form = es_beam_form_ref (form);
  self->capacity = (guint) CLAMP (self->spectra_limit / bytes, 1, MOST_MOMENTS);
  self->ring = g_new0 (EsBeamMoment, self->capacity);
}

static void
append_row (EsBeamHistory *self, EsBeamBlock *block)
{
  const gsize n = self->form->settings->n_angles;
  const gsize chunk_bytes = ES_BEAM_HISTORY_CHUNK * n * sizeof (float);

  g_array_append_val (self->times, block->time);
  if (block->far != NULL)
    {
      if (self->n_rows % ES_BEAM_HISTORY_CHUNK == 0)
        {
          if (self->chunks->len > 1 && self->chunks->len * chunk_bytes >= ROWS_LIMIT)
            {
              g_ptr_array_remove_index (self->chunks, 0);
              g_array_remove_range (self->times, 0, ES_BEAM_HISTORY_CHUNK);
              self->n_rows -= ES_BEAM_HISTORY_CHUNK;
            }
          g_ptr_array_add (self->chunks, g_malloc (chunk_bytes));
        }
      memcpy ((float *) g_ptr_array_index (self->chunks, self->chunks->len - 1)
              + (self->n_rows % ES_BEAM_HISTORY_CHUNK) * n, block->far, n * sizeof (float));
    }
  self->n_rows++;
}

static void
append_moment (EsBeamHistory *self, EsBeamBlock *block)
{
  const EsBeamSettings *settings = self->form->settings;
  const gsize n_field = (gsize) settings->n_ranges * settings->n_angles;
  const gsize n_spectra = (gsize) settings->n_angles * settings->n_bins;
  EsBeamMoment *moment = &self->ring[self->next];

  if (moment->field == NULL)
    moment->field = g_new (float, n_field);
  memcpy (moment->field, block->field, n_field * sizeof (float));
  if (block->spectra != NULL)
    {
      if (moment->levels == NULL)
        moment->levels = g_new (guint16, n_spectra);
      for (gsize i = 0; i < n_spectra; i++)
        moment->levels[i] = encode (block->spectra[i]);
    }
  self->next = (self->next + 1) % self->capacity;
  self->n_moments = MIN (self->n_moments + 1, self->capacity);
}

void
es_beam_history_append (EsBeamHistory *self, EsBeamBlock *block)
{
  g_return_if_fail (self->result == NULL);

  if (self->form == NULL || !es_beam_form_equal (self->form, block->form))
    {
      begin (self, block->form);
      g_signal_emit (self, signals[SIGNAL_RESET], 0);
    }
  append_row (self, block);
  append_moment (self, block);
  g_signal_emit (self, signals[SIGNAL_APPENDED], 0, 1u);
}

void
es_beam_history_clear (EsBeamHistory *self)
{
  free_rows (self);
  g_signal_emit (self, signals[SIGNAL_RESET], 0);
}

/* ---- reading ---- */

const EsBeamSettings *
es_beam_history_get_settings (EsBeamHistory *self)
{
  return self->form != NULL ? self->form->settings : NULL;
}

gboolean
es_beam_history_is_calibrated (EsBeamHistory *self)
{
  return self->form != NULL && self->form->calibrated;
}

guint
es_beam_history_get_n_rows (EsBeamHistory *self)
{
  return self->n_rows;
}

double
es_beam_history_get_time (EsBeamHistory *self, guint row)
{
  g_return_val_if_fail (row < self->n_rows, NAN);
  return g_array_index (self->times, double, self->n_rows - 1 - row);
}

guint
es_beam_history_find_row (EsBeamHistory *self, double time)
{
  double nearest = INFINITY;
  guint found = 0;

  /* Newest first: what was played twice is seen as it was heard last. */
  for (guint row = 0; row < self->n_rows; row++)
    {
      const double distance = fabs (g_array_index (self->times, double, self->n_rows - 1 - row) - time);
      if (distance < nearest)
        {
          nearest = distance;
          found = row;
        }
    }
  return found;
}

const float *
es_beam_history_get_row (EsBeamHistory *self, guint row)
{
  g_return_val_if_fail (row < self->n_rows, NULL);

  const guint index = self->n_rows - 1 - row, chunk = index / ES_BEAM_HISTORY_CHUNK;
  if (chunk >= self->chunks->len)
    return NULL;
  if (g_ptr_array_index (self->chunks, chunk) == NULL && !_es_beam_history_read_chunk (self, chunk))
    return NULL;
  return (const float *) g_ptr_array_index (self->chunks, chunk)
         + (gsize) (index % ES_BEAM_HISTORY_CHUNK) * self->form->settings->n_angles;
}

/* NULL: gone, or not of this kind of history. */
static const EsBeamMoment *
find_moment (EsBeamHistory *self, guint row)
{
  if (row >= self->n_moments)
    return NULL;
  return &self->ring[(self->next + self->capacity - 1 - row) % self->capacity];
}

const float *
es_beam_history_get_field (EsBeamHistory *self, guint row)
{
  const EsBeamMoment *moment = find_moment (self, row);

  return self->result != NULL ? self->field : moment != NULL ? moment->field : NULL;
}

guint
es_beam_history_get_n_spectra (EsBeamHistory *self)
{
  if (self->result != NULL)
    return self->fraz != NULL || self->lofar != NULL ? self->n_rows : 0;
  return self->form != NULL && es_beam_settings_find_far (self->form->settings) < self->form->settings->n_ranges
         ? self->n_moments : 0;
}

guint
es_beam_history_get_only_angle (EsBeamHistory *self)
{
  return self->lofar != NULL ? self->lofar_angle : G_MAXUINT;
}

static gboolean
copy_nothing (float *out, gsize n)
{
  for (gsize i = 0; i < n; i++)
    out[i] = NAN;
  return FALSE;
}

gboolean
es_beam_history_copy_beam (EsBeamHistory *self, guint row, guint angle, float *out)
{
  const EsBeamMoment *moment = find_moment (self, row);

  if (self->form == NULL)
    return FALSE;
  const guint n_bins = self->form->settings->n_bins;
  if (self->lofar != NULL && angle == self->lofar_angle && row < es_field_get_rows (self->lofar)->n
      && es_field_read (self->lofar, es_field_get_rows (self->lofar)->n - 1 - row, 1, out, NULL))
    return TRUE;
  if (moment == NULL || moment->levels == NULL || angle >= self->form->settings->n_angles)
    return copy_nothing (out, n_bins);
  for (guint b = 0; b < n_bins; b++)
    out[b] = decode (moment->levels[(gsize) angle * n_bins + b]);
  return TRUE;
}

gboolean
es_beam_history_copy_fraz (EsBeamHistory *self, guint row, float *out)
{
  const EsBeamMoment *moment = find_moment (self, row);

  if (self->form == NULL)
    return FALSE;
  const guint n_bins = self->form->settings->n_bins, n_angles = self->form->settings->n_angles;
  if (self->fraz != NULL)
    {
      memcpy (out, self->fraz, (gsize) n_bins * n_angles * sizeof *out);
      return TRUE;
    }
  if (moment == NULL || moment->levels == NULL)
    return copy_nothing (out, (gsize) n_bins * n_angles);
  for (guint b = 0; b < n_bins; b++)
    for (guint a = 0; a < n_angles; a++)
      out[(gsize) b * n_angles + a] = decode (moment->levels[(gsize) a * n_bins + b]);
  return TRUE;
}

guint64
es_beam_history_get_memory (EsBeamHistory *self)
{
  guint64 bytes = self->n_rows * sizeof (double);

  if (self->form == NULL)
    return bytes;
  const EsBeamSettings *settings = self->form->settings;
  for (guint i = 0; i < self->chunks->len; i++)
    if (g_ptr_array_index (self->chunks, i) != NULL)
      bytes += (guint64) ES_BEAM_HISTORY_CHUNK * settings->n_angles * sizeof (float);
  bytes += (guint64) self->capacity * sizeof (EsBeamMoment) + self->n_moments * moment_bytes (settings);
  if (self->fraz != NULL)
    bytes += (guint64) settings->n_bins * settings->n_angles * sizeof (float);
  if (self->field != NULL)
    bytes += (guint64) settings->n_ranges * settings->n_angles * sizeof (float);
  return bytes;
}
