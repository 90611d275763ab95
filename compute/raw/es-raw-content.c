/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-raw-content-private.h"

#include <math.h>
#include <string.h>

/* Pairs of runs that a lag is measured with: so many places, samples at each. */
#define PLACES 28
#define RUN    256

struct _EsRawLags
{
  const EsRawContent *content;
  EsRawNumbers        numbers;
  guint64             n;           /* samples of the file from content->start on */
  guint               run;
  float               first[PLACES][RUN];
  guint64             at[PLACES];  /* where those begin */
  double              apart;       /* the mean difference of samples anywhere */
  GHashTable         *known;       /* of guint64 -> double */
};

/* Of the machine's order from here on. */
static void
swap (guint8 *bytes, gsize size, guint n)
{
  for (guint i = 0; i < n; i++, bytes += size)
    for (gsize b = 0; b < size / 2; b++)
      {
        const guint8 kept = bytes[b];

        bytes[b] = bytes[size - 1 - b];
        bytes[size - 1 - b] = kept;
      }
}

/* One loop a type: this is where the time goes. What is no number, or stands for none, becomes NAN. */
#define TAKE(type, is_number)                                                                       \
  for (guint i = 0; i < n; i++)                                                                     \
    {                                                                                               \
      type value;                                                                                   \
                                                                                                    \
      memcpy (&value, bytes + i * sizeof value, sizeof value);                                      \
      values[i] = (is_number) && (double) value != numbers->fill                                    \
                  ? (float) CLAMP ((double) value, numbers->low, numbers->high) : NAN;              \
    }                                                                                               \
  break;

static void
convert (const EsRawNumbers *numbers, const guint8 *bytes, guint n, float *values)
{
  switch (numbers->type)
    {
    case ESK_U8: TAKE (guint8, TRUE)
    case ESK_I16: TAKE (gint16, TRUE)
    case ESK_U16: TAKE (guint16, TRUE)
    case ESK_I32: TAKE (gint32, TRUE)
    case ESK_U32: TAKE (guint32, TRUE)
    case ESK_F32: TAKE (float, isfinite (value))
    case ESK_F64: TAKE (double, fabs (value) < 1e30)
    default: g_return_if_reached ();
    }
}

gboolean
es_raw_content_take (const EsRawContent *self, const EsRawNumbers *numbers, guint64 byte, guint n, float *values)
{
  const gsize size = esk_type_size (numbers->type);
  guint8 bytes[4096];

  while (n > 0)
    {
      const guint now = MIN (n, (guint) (sizeof bytes / size));

      if (!self->read (self->data, byte, now * size, bytes))
        return FALSE;
      if (size > 1 && numbers->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN))
        swap (bytes, size, now);
      convert (numbers, bytes, now, values);
      values += now;
      byte += now * size;
      n -= now;
    }
  return TRUE;
}

static guint64 *
copy_lag (guint64 lag)
{
  return g_memdup2 (&lag, sizeof lag);
}

/* Runs of the first half, nowhere near a multiple of what is looked for; the same for every lag, so that their
 * differences can be compared. */
static gboolean
take_first (EsRawLags *self)
{
  const gsize size = esk_type_size (self->numbers.type);
  guint64 room;

  self->run = (guint) MIN (self->n / 4, RUN);
  room = self->n / 2 - MIN (self->run, self->n / 2);
  for (guint p = 0; p < PLACES; p++)
    {
      self->at[p] = (guint64) (room * fmod (0.03 + p * 0.618034, 1));
      if (!es_raw_content_take (self->content, &self->numbers, self->content->start + self->at[p] * size, self->run,
                                self->first[p]))
        return FALSE;
    }
  return self->run > 0;
}

/* Samples that have nothing to do with each other: those of one place and of the others. */
static double
measure_apart (EsRawLags *self)
{
  double sum = 0;
  guint64 n = 0;

  for (guint p = 0; p < PLACES; p++)
    for (guint q = 0; q < p; q++)
      for (guint i = 0; i < self->run; i++)
        {
          const double difference = fabs ((double) self->first[p][i] - self->first[q][(i * 37 + 11) % self->run]);

          if (isnan (difference))
            continue;
          sum += difference;
          n++;
        }
  return n > 0 ? sum / n : NAN;
}

EsRawLags *
es_raw_lags_new (const EsRawContent *content, const EsRawNumbers *numbers)
{
  EsRawLags *self = g_new0 (EsRawLags, 1);

  self->content = content;
  self->numbers = *numbers;
  self->n = (content->size - MIN (content->start, content->size)) / esk_type_size (numbers->type);
  self->known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->apart = take_first (self) ? measure_apart (self) : NAN;
  return self;
}

void
es_raw_lags_free (EsRawLags *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->known);
  g_free (self);
}

static double
measure (EsRawLags *self, guint64 lag)
{
  const gsize size = esk_type_size (self->numbers.type);
  float second[RUN];
  double sum = 0;
  guint64 n = 0;

  for (guint p = 0; p < PLACES; p++)
    {
      if (self->at[p] + lag + self->run > self->n)
        continue;
      if (!es_raw_content_take (self->content, &self->numbers, self->content->start + (self->at[p] + lag) * size,
                                self->run, second))
        return NAN;
      for (guint i = 0; i < self->run; i++)
        {
          const double difference = fabs ((double) self->first[p][i] - second[i]);

          if (isnan (difference))
            continue;
          sum += difference;
          n++;
        }
    }
  return self->apart > 0 && n > self->run / 4 ? sum / n / self->apart : NAN;
}

double
es_raw_lags_get (EsRawLags *self, guint64 lag)
{
  double *value = g_hash_table_lookup (self->known, &lag);

  if (value == NULL)
    {
      value = g_new (double, 1);
      *value = lag < self->n && !g_cancellable_is_cancelled (self->content->cancellable) ? measure (self, lag) : NAN;
      g_hash_table_insert (self->known, copy_lag (lag), value);
    }
  return *value;
}
