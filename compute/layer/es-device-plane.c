/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-device-plane-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"

/* Larger copies go through page-locked memory, this much at a time: three times as fast as the driver's own way. */
#define CHUNK_BYTES ((gsize) 4 << 20)
#define DIRECT_BYTES ((gsize) 256 << 10)

struct _EsDevicePlane
{
  gatomicrefcount  references;
  EsBuffer        *buffer;
  float           *data;
  guint            width, height;
};

struct _EsDeviceTexture
{
  EsDevice   *device;
  EskStream  *stream;
  EskTexture *texture;         /* NULL until the first copy */
  guint       name;
};

EsDevicePlane *
es_device_plane_new (EsBuffer *buffer, gsize first, guint width, guint height)
{
  EsDevicePlane *self = g_new (EsDevicePlane, 1);

  g_atomic_ref_count_init (&self->references);
  self->buffer = es_buffer_ref (buffer);
  self->data = (float *) es_buffer_get_data (buffer) + first;
  self->width = width;
  self->height = height;
  return self;
}

EsDevicePlane *
es_device_plane_ref (EsDevicePlane *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_device_plane_unref (EsDevicePlane *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  es_buffer_unref (self->buffer);
  g_free (self);
}

guint
es_device_plane_get_width (EsDevicePlane *self)
{
  return self->width;
}

guint
es_device_plane_get_height (EsDevicePlane *self)
{
  return self->height;
}

EsDevice *
es_device_plane_get_device (EsDevicePlane *self)
{
  return es_buffer_get_device (self->buffer);
}

/* NULL with the error set where there is none. */
static EskStream *
take_stream (EsDevice *device, GError **error)
{
  EskStream *stream = es_device_take_stream (device);

  if (stream == NULL)
    es_device_check (device, NULL, es_device_is_lost (device) ? ESK_ERROR_LOST : ESK_ERROR_MEMORY, _("a stream"),
                     error);
  return stream;
}

/* ---- statistics and levels ---- */

gboolean
es_device_plane_get_statistics (EsDevicePlane *self, guint64 step, EsDevicePlaneStatistics *out, GError **error)
{
  EsDevice *device = es_device_plane_get_device (self);
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  g_autofree EskPlaneStatistics *found = g_new0 (EskPlaneStatistics, 1);
  EskStream *stream = take_stream (device, error);
  gboolean done;

  if (stream == NULL)
    return FALSE;
  done = es_device_check (device, stream,
                          hotspots->picture->plane_statistics (stream, self->data, (gsize) self->width * self->height,
                                                               MAX (step, 1), found),
                          _("the statistics of a picture"), error);
  es_device_give_stream (device, stream);
  if (!done)
    return FALSE;

  memset (out, 0, sizeof *out);
  out->n_valid = found->n_valid;
  out->minimum = found->minimum;
  out->maximum = found->maximum;
  out->mean = found->mean;
  out->deviation = found->deviation;
  for (guint i = 0; i < G_N_ELEMENTS (out->histogram); i++)
    out->histogram[i] = found->histogram[i];
  memcpy (out->quantiles, found->quantiles, sizeof out->quantiles);
  return TRUE;
}

EsDevicePlane *
es_device_plane_halve (EsDevicePlane *self, GError **error)
{
  EsDevice *device = es_device_plane_get_device (self);
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const guint width = self->width / 2 + self->width % 2, height = self->height / 2 + self->height % 2;
  g_autoptr (EsBuffer) buffer = es_buffer_new (device, (gsize) width * height * sizeof (float), error);
  EskStream *stream = buffer != NULL ? take_stream (device, error) : NULL;
  int code;
  gboolean done;

  if (stream == NULL)
    return NULL;
  code = hotspots->picture->plane_halve (stream, self->data, self->width, self->height, es_buffer_get_data (buffer));
  if (code == ESK_OK)
    code = hotspots->device->wait (stream);
  done = es_device_check (device, stream, code, _("a smaller picture"), error);
  es_device_give_stream (device, stream);
  return done ? es_device_plane_new (buffer, 0, width, height) : NULL;
}

/* ---- to and from the host ---- */

/* Rows of `row_bytes`, packed on the host. In pieces through page-locked memory where that is worth it. */
static int
download (EsDevice *device, EskStream *stream, const float *from, gsize from_stride, gsize row_bytes, gsize n_rows,
          void *out)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const gsize rows = MAX (CHUNK_BYTES / row_bytes, 1);
  void *staging[2] = { NULL, NULL };
  gsize before = 0, n_before = 0;
  int code = ESK_OK;

  if (row_bytes * n_rows >= DIRECT_BYTES)
    for (guint i = 0; i < 2; i++)
      staging[i] = es_staging_take (device, MIN (rows, n_rows) * row_bytes);
  if (staging[0] == NULL || staging[1] == NULL)
    {
      code = hotspots->device->download (stream, out, row_bytes, from, from_stride, row_bytes, n_rows);
      if (code == ESK_OK)
        code = hotspots->device->wait (stream);
    }
  else
    /* One piece is on its way while the one before is copied. */
    for (gsize row = 0, slot = 0; code == ESK_OK && (row < n_rows || n_before > 0); slot = 1 - slot)
      {
        const gsize n = MIN (rows, n_rows - row);

        if (n > 0)
          code = hotspots->device->download (stream, staging[slot], row_bytes, (const char *) from + row * from_stride,
                                             from_stride, row_bytes, n);
        if (code == ESK_OK && n_before > 0)
          memcpy ((char *) out + before * row_bytes, staging[1 - slot], n_before * row_bytes);
        if (code == ESK_OK && n > 0)
          code = hotspots->device->wait (stream);
        before = row;
        n_before = n;
        row += n;
      }
  if (code != ESK_OK)
    hotspots->device->wait (stream);
  for (guint i = 0; i < 2; i++)
    es_staging_give (device, staging[i], MIN (rows, n_rows) * row_bytes);
  return code;
}

gboolean
es_device_read_window (EsDevice *device, const float *from, gsize stride, gsize width, gsize height, guint step,
                       float *out, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const gsize columns = (width - 1) / step + 1, rows = (height - 1) / step + 1;
  g_autoptr (EsBuffer) packed = NULL;
  EskStream *stream = take_stream (device, error);
  gboolean done;
  int code;

  if (stream == NULL)
    return FALSE;
  if (step == 1)
    code = width == stride
             ? download (device, stream, from, width * sizeof (float), width * sizeof (float), height, out)
             : download (device, stream, from, stride * sizeof (float), width * sizeof (float), height, out);
  else if ((packed = es_buffer_new (device, columns * rows * sizeof (float), NULL)) != NULL)
    {
      code = hotspots->picture->plane_decimate (stream, from, stride, width, height, step, es_buffer_get_data (packed));
      if (code == ESK_OK)
        code = download (device, stream, es_buffer_get_data (packed), columns * sizeof (float),
                         columns * sizeof (float), rows, out);
    }
  else
    {
      /* Not even that is free on the card: the rows come as they are. */
      g_autofree float *row = g_new (float, width);

      code = ESK_OK;
      for (gsize j = 0; code == ESK_OK && j < rows; j++)
        {
          code = download (device, stream, from + j * step * stride, stride * sizeof (float), width * sizeof (float), 1,
                           row);
          for (gsize i = 0; i < columns; i++)
            *out++ = row[i * step];
        }
    }
  done = es_device_check (device, stream, code, _("a copy to the host"), error);
  /* The stream is waited for before the buffer goes. */
  es_device_give_stream (device, stream);
  return done;
}

gboolean
es_device_plane_read (EsDevicePlane *self, guint x, guint y, guint width, guint height, guint step, float *out,
                      GError **error)
{
  g_return_val_if_fail (width > 0 && height > 0 && step > 0 && x < self->width && width <= self->width - x
                        && y < self->height && height <= self->height - y, FALSE);

  return es_device_read_window (es_device_plane_get_device (self), self->data + (gsize) y * self->width + x,
                                self->width, width, height, step, out, error);
}

EsDevicePlane *
es_device_plane_new_from_host (EsDevice *device, const float *values, guint width, guint height, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  const gsize bytes = (gsize) width * height * sizeof (float);
  g_autoptr (EsBuffer) buffer = NULL;
  EskStream *stream;
  gboolean done;
  int code;

  g_return_val_if_fail (es_device_get_kind (device) == ES_DEVICE_GPU && bytes > 0, NULL);

  buffer = es_buffer_new (device, bytes, error);
  stream = buffer != NULL ? take_stream (device, error) : NULL;
  if (stream == NULL)
    return NULL;
  code = hotspots->device->upload (stream, es_buffer_get_data (buffer), values, bytes);
  if (code == ESK_OK)
    code = hotspots->device->wait (stream);
  done = es_device_check (device, stream, code, _("a copy to the device"), error);
  es_device_give_stream (device, stream);
  return done ? es_device_plane_new (buffer, 0, width, height) : NULL;
}

/* ---- textures ---- */

EsDeviceTexture *
es_device_texture_new (EsDevice *device, guint texture, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (device);
  EsDeviceTexture *self;
  EskStream *stream;
  int shares;

  if (es_device_get_kind (device) != ES_DEVICE_GPU || !ESK_HAS (hotspots, picture, gl_register))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("%s cannot write OpenGL textures."),
                   es_device_get_name (device));
      return NULL;
    }
  stream = take_stream (device, error);
  if (stream == NULL)
    return NULL;

  shares = ESK_HAS (hotspots, picture, gl_shares)
             ? hotspots->picture->gl_shares (stream, es_device_get_index (device)) : -1;
  if (shares != 1)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   shares == 0 ? _("The window is drawn by another device than %s.")
                               : _("Whether the window is drawn by %s is not known."), es_device_get_name (device));
      es_device_give_stream (device, stream);
      return NULL;
    }

  self = g_new0 (EsDeviceTexture, 1);
  self->device = device;
  self->stream = stream;
  self->name = texture;
  if (!es_device_check (device, stream, hotspots->picture->gl_register (stream, texture, &self->texture),
                        _("a texture"), error))
    {
      self->texture = NULL;
      g_clear_pointer (&self, es_device_texture_free);
    }
  return self;
}

gboolean
es_device_texture_copy (EsDeviceTexture *self, EsDevicePlane *plane, GError **error)
{
  const EskHotspots *hotspots = es_device_get_hotspots (self->device);

  g_return_val_if_fail (es_device_plane_get_device (plane) == self->device, FALSE);

  return es_device_check (self->device, self->stream,
                          hotspots->picture->gl_copy (self->stream, self->texture, plane->data, plane->width,
                                                      plane->height),
                          _("a copy into a texture"), error);
}

void
es_device_texture_free (EsDeviceTexture *self)
{
  if (self == NULL)
    return;
  if (self->texture != NULL)
    es_device_get_hotspots (self->device)->picture->gl_unregister (self->stream, self->texture);
  es_device_give_stream (self->device, self->stream);
  g_free (self);
}
