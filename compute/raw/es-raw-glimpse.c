/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-raw-glimpse.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-raw-content-private.h"

/* A row is read as a whole where that costs less than its single samples. */
#define WHOLE_ROW (256 * 1024)

typedef struct
{
  int           fd;
  GCancellable *cancellable;
} Source;

static gboolean
read_source (gpointer data, guint64 offset, gsize n, guint8 *buffer)
{
  const Source *source = data;

  if (g_cancellable_is_cancelled (source->cancellable))
    return FALSE;
  while (n > 0)
    {
      const ssize_t got = pread (source->fd, buffer, n, (off_t) offset);

      if (got == 0 || (got < 0 && errno != EINTR))
        return FALSE;
      if (got < 0)
        continue;
      buffer += got;
      offset += (guint64) got;
      n -= (gsize) got;
    }
  return TRUE;
}

void
es_raw_glimpse_free (EsRawGlimpse *self)
{
  if (self == NULL)
    return;
  g_free (self->values);
  g_free (self->spectrum);
  g_free (self->left);
  g_free (self->doubt);
  g_free (self);
}

/* Where a sample is, in samples. */
static guint64
place_of (const EsRawShape *shape, guint64 x, guint64 y, guint64 band)
{
  switch (shape->interleave)
    {
    case ES_INTERLEAVE_BIL: return (y * shape->bands + band) * shape->width + x;
    case ES_INTERLEAVE_BIP: return (y * shape->width + x) * shape->bands + band;
    case ES_INTERLEAVE_BSQ:
    default: return (band * shape->height + y) * shape->width + x;
    }
}

/* Every step-th sample of the band in row y. */
static gboolean
read_row (const EsRawContent *content, const EsRawNumbers *numbers, const EsRawGlimpse *self, guint64 y, float *out,
          float *row)
{
  const EsRawShape *shape = &self->shape;
  const guint64 size = esk_type_size (numbers->type);
  const guint64 stride = shape->interleave == ES_INTERLEAVE_BIP ? shape->bands : 1;
  const guint64 first = shape->offset + place_of (shape, 0, y, self->band) * size;
  const guint64 run = (shape->width - 1) * stride + 1;

  if (run * size <= WHOLE_ROW)
    {
      if (!es_raw_content_take (content, numbers, first, (guint) run, row))
        return FALSE;
      for (guint x = 0; x < self->width; x++)
        out[x] = row[(gsize) x * self->step * stride];
      return TRUE;
    }
  for (guint x = 0; x < self->width; x++)
    if (!es_raw_content_take (content, numbers, first + (guint64) x * self->step * stride * size, 1, &out[x]))
      return FALSE;
  return TRUE;
}

static gboolean
read_spectrum (const EsRawContent *content, const EsRawNumbers *numbers, EsRawGlimpse *self)
{
  const EsRawShape *shape = &self->shape;
  const guint64 size = esk_type_size (numbers->type), x = shape->width / 2, y = shape->height / 2;

  self->spectrum = g_new (double, shape->bands);
  for (guint64 band = 0; band < shape->bands; band++)
    {
      float value;

      if (!es_raw_content_take (content, numbers, shape->offset + place_of (shape, x, y, band) * size, 1, &value))
        return FALSE;
      self->spectrum[band] = value;
    }
  return TRUE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const float x = *(const float *) a, y = *(const float *) b;

  return x < y ? -1 : x > y;
}

/* Neighbours that have nothing in common, and numbers that nothing measures. */
static void
judge (EsRawGlimpse *self)
{
  const gsize all = (gsize) self->width * self->height;
  g_autofree float *sorted = g_new (float, all);
  gsize n = 0, wild = 0, pairs = 0;
  double across = 0, down = 0, apart = 0;

  for (gsize i = 0; i < all; i++)
    {
      if (isnan (self->values[i]))
        wild++;
      else
        {
          wild += fabs (self->values[i]) > 1e12 || (self->values[i] != 0 && fabs (self->values[i]) < 1e-12);
          sorted[n++] = self->values[i];
        }
    }
  qsort (sorted, n, sizeof *sorted, compare);
  self->low = n > 0 ? sorted[n / 50] : 0;
  self->high = n > 0 ? sorted[n - 1 - n / 50] : 0;
  for (guint y = 0; y + 1 < self->height; y++)
    for (guint x = 0; x + 1 < self->width; x++)
      {
        const float *at = self->values + (gsize) y * self->width + x;
        const double value = CLAMP (at[0], self->low, self->high);
        const double other = CLAMP (self->values[((gsize) y * self->width + x) * 7919 % all], self->low, self->high);
        const double right = CLAMP (at[1], self->low, self->high);
        const double below = CLAMP (at[self->width], self->low, self->high);

        if (isnan (value + other + right + below))
          continue;
        across += fabs (value - right);
        down += fabs (value - below);
        apart += fabs (value - other);
        pairs++;
      }
  if (wild > all / 50)
    self->doubt = g_strdup (_("Numbers that nothing measures: the type, the byte order or the offset is probably "
                              "wrong."));
  else if (n > 0 && sorted[0] == sorted[n - 1])
    self->doubt = g_strdup (_("All that is shown is the same number."));
  else if (pairs > 200 && across > 0.8 * apart && down > 0.8 * apart)
    self->doubt = g_strdup (_("Neighbouring pixels have nothing in common: the type, the byte order or the layout is "
                              "probably wrong."));
  else if (pairs > 200 && self->step == 1 && across < 0.5 * apart && down > 0.8 * apart)
    self->doubt = g_strdup (_("Neighbouring rows have nothing in common: the width or the layout is probably wrong."));
}

static gboolean
fill (EsRawGlimpse *self, int fd, guint side, GCancellable *cancellable)
{
  Source source = { fd, cancellable };
  const EsRawContent content = { .read = read_source, .data = &source, .size = self->size };
  EsRawNumbers numbers = { .big_endian = self->shape.big_endian, .low = -G_MAXFLOAT, .high = G_MAXFLOAT, .fill = NAN };
  const guint64 longer = MAX (self->shape.width, self->shape.height);
  g_autofree float *row = NULL;

  es_raw_type_find (self->shape.type, &numbers.type);
  self->step = (guint) MAX ((longer + side - 1) / side, 1);
  self->width = (guint) ((self->shape.width + self->step - 1) / self->step);
  self->height = (guint) ((self->shape.height + self->step - 1) / self->step);
  self->values = g_new (float, (gsize) self->width * self->height);
  row = g_new (float, WHOLE_ROW);
  for (guint y = 0; y < self->height; y++)
    if (!read_row (&content, &numbers, self, (guint64) y * self->step, self->values + (gsize) y * self->width, row))
      return FALSE;
  return read_spectrum (&content, &numbers, self);
}

EsRawGlimpse *
es_raw_glimpse_new (GFile *file, const EsRawShape *shape, guint64 band, guint side, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (EsRawGlimpse) self = g_new0 (EsRawGlimpse, 1);
  g_autofree char *path = g_file_get_path (file), *name = es_error_file_name (file);
  struct stat status;
  int fd = path != NULL ? open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  gboolean done;

  g_return_val_if_fail (side > 0, NULL);

  if (fd < 0 || fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), name,
                   fd < 0 ? g_strerror (errno) : _("it is no file of samples"));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  self->shape = *shape;
  self->size = (guint64) status.st_size;
  if (!es_raw_shape_check (shape, self->size, name, NULL, error))
    {
      close (fd);
      return NULL;
    }
  self->band = (guint) MIN (band, shape->bands - 1);
  done = fill (self, fd, side, cancellable);
  close (fd);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (!done)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be read: %s"), name, g_strerror (EIO));
      return NULL;
    }
  judge (self);
  self->left = es_raw_shape_tell_left (shape, self->size);
  return g_steal_pointer (&self);
}
