/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/es-error.h"
#include "libraries/es-hdf-lock-internal.h"

/* A block may reach from one stretch into the next. */
static const EsHdfCache cache = { .stretches = 2, .share = 8, .most = (guint64) 1024 * 1024 * 1024 };

/* One way into the file for all threads, which share its cache. */
typedef struct
{
  EsFrameSource  parent;

  char          *name;
  EsHdfShape     shape;
  EsHdfSamples  *samples;
} HdfSource;

static gpointer
hdf_handle_new (EsFrameSource *source, GError **error)
{
  return source;
}

static void
hdf_handle_free (EsFrameSource *source, gpointer handle)
{
}

static gboolean
read_slab (HdfSource *self, guint64 first, guint64 n, guint first_channel, guint channels, void *buffer)
{
  const guint frame_axis = self->shape.by_channel, channel_axis = !frame_axis;
  guint64 start[2], count[2];

  start[frame_axis] = first;
  start[channel_axis] = first_channel;
  count[frame_axis] = n;
  count[channel_axis] = channels;
  return es_hdf_samples_read (self->samples, start, count, buffer);
}

static gboolean
hdf_read_channels (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, guint first_channel,
                   guint n_channels, void *buffer, EskFrames *frames, GError **error)
{
  HdfSource *self = (HdfSource *) source;
  gboolean ok;

  *frames = (EskFrames) {
    .data = buffer, .type = self->shape.type, .frames = n, .channels = n_channels,
    .frame_stride = self->shape.by_channel ? 1 : (ptrdiff_t) n_channels,
    .channel_stride = self->shape.by_channel ? (ptrdiff_t) n : 1,
  };
  ok = read_slab (self, first, n, first_channel, n_channels, buffer);
  if (!ok)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                 _("“%s” cannot be read between the frames %" PRIu64 " and %" PRIu64 ": it is "
                   "damaged, cut short or packed in a way that is not known here"), self->name, first, first + n);
  return ok;
}

static gboolean
hdf_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
          GError **error)
{
  HdfSource *self = (HdfSource *) source;

  return hdf_read_channels (source, handle, first, n, 0, (guint) self->shape.channels, buffer, frames, error);
}

static void
close_all (HdfSource *self)
{
  es_hdf_samples_free (self->samples);
  g_free (self->name);
  g_free (self);
}

static void
hdf_free (EsFrameSource *source)
{
  es_hdf_lock ();
  close_all ((HdfSource *) source);
  es_hdf_unlock ();
}

EsFrameSource *
es_hdf_source_new (EsReaderInput *input, const char *path, const EsHdfShape *shape, guint64 *unpacked, GError **error)
{
  HdfSource *self = g_new0 (HdfSource, 1);
  g_autofree guint8 *frame = NULL;
  guint64 across[2] = { 1, 1 };
  gboolean can_be_read = TRUE;

  self->parent = (EsFrameSource) {
    .handle_new = hdf_handle_new, .handle_free = hdf_handle_free, .read = hdf_read,
    .read_channels = hdf_read_channels, .free = hdf_free,
  };
  self->name = g_strdup (input->name);
  self->shape = *shape;
  across[shape->by_channel ? 0 : 1] = shape->channels;
  self->samples = es_hdf_samples_new (input->path, path, shape->type, FALSE, 2, across, &cache, unpacked);

  /* The last frame tells of a file that was cut short, and of filters that are not here. */
  if (shape->channels <= 65536 && shape->frames > 0)
    frame = g_try_malloc (shape->channels * esk_type_size (shape->type));
  if (self->samples != NULL && frame != NULL)
    {
      es_hdf_unlock ();
      can_be_read = read_slab (self, shape->frames - 1, 1, 0, (guint) shape->channels, frame);
      es_hdf_lock ();
    }
  if (self->samples == NULL || !can_be_read)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("The samples “%s” of “%s” cannot be read: they are damaged, cut short or packed in a way that is "
                     "not known here"), path, input->name);
      close_all (self);
      return NULL;
    }
  return &self->parent;
}
