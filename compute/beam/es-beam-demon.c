/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What beats in the sound of a beam, over any stretch of a recording. */

#include "es-beam-demon.h"

#include <glib/gi18n-lib.h>

#include "device/es-device-internal.h"
#include "es-beam-sound.h"
#include "signal/es-line-spectrum.h"

/* Samples that are read between two looks whether anybody still waits. */
#define PORTION 8192

/* An even number of samples. */
static guint
find_length (const EsBeamDemon *self)
{
  return (guint) MIN (self->segment, self->n) & ~1u;
}

/* Each half over the one before. */
static guint64
count_all (const EsBeamDemon *self)
{
  const guint length = find_length (self);

  return length > 0 ? (self->n - length) / (length / 2) + 1 : 0;
}

guint
es_beam_demon_count (const EsBeamDemon *self)
{
  return (guint) MIN (count_all (self), MAX (self->most_segments, 1));
}

guint64
es_beam_demon_find_segment (const EsBeamDemon *self, guint index)
{
  const guint length = find_length (self), n = es_beam_demon_count (self);

  if (count_all (self) == n)
    return self->first + (guint64) index * (length / 2);
  return self->first + (n > 1 ? (self->n - length) * index / (n - 1) : 0);
}

static gboolean
read_segment (EsBeamSound *sound, guint64 first, guint n, float *samples, GCancellable *cancellable, GError **error)
{
  for (guint done = 0; done < n; done += PORTION)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !es_beam_sound_read (sound, first + done, MIN (PORTION, n - done), samples + done, error))
      return FALSE;
  return TRUE;
}

gboolean
es_beam_demon (const EsBeamDemon *self, void (*progress) (double share, gpointer data), gpointer data, float **out,
               guint *n_out, double *step, guint *n_segments, GCancellable *cancellable, GError **error)
{
  const double rate = es_recording_get_rate (self->recording);
  const guint length = find_length (self), n = es_beam_demon_count (self);
  g_autoptr (EsBeamSound) sound = es_beam_sound_new (self->recording, self->array, self->shading, self->aim, 0, error);
  g_autofree float *samples = NULL, *powers = NULL;
  g_autofree double *sums = NULL;

  if (sound == NULL)
    return FALSE;
  samples = g_try_new (float, MAX (length, 1));
  if (samples == NULL)
    return es_compute_error_no_memory (_("the sound of a beam"), error);
  for (guint i = 0; i < MAX (n, 1); i++)
    {
      const guint64 first = length > 0 ? es_beam_demon_find_segment (self, i) : self->first;

      g_clear_pointer (&powers, g_free);
      if (!read_segment (sound, first, length, samples, cancellable, error)
          || !es_demon_spectrum (samples, length, rate, self->low, self->high, self->highest, &powers, n_out, step,
                                 cancellable, error))
        return FALSE;
      if (sums == NULL)
        sums = g_new0 (double, *n_out);
      for (guint k = 0; k < *n_out; k++)
        sums[k] += powers[k];
      if (progress != NULL)
        progress ((i + 1.0) / MAX (n, 1), data);
    }
  for (guint k = 0; k < *n_out; k++)
    powers[k] = (float) (sums[k] / n);
  *out = g_steal_pointer (&powers);
  *n_segments = n;
  return TRUE;
}
