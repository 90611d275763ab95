/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-neighbours-private.h"

#include <glib/gi18n-lib.h>

#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"

static void
tell_hotspots (GCancellable *cancellable, gpointer data)
{
  g_atomic_int_set ((int *) data, 1);
}

gboolean
es_neighbours_searcher_begin (EsNeighboursSearcher *self, EsDevice *device, guint threads, GCancellable *cancellable,
                              GError **error)
{
  int code = ESK_ERROR_MEMORY;

  *self = (EsNeighboursSearcher) { .device = device, .hotspots = es_device_get_hotspots (device),
                                   .cancellable = cancellable };
  if (!es_device_prepare (device, error))
    return FALSE;
  self->stream = es_device_take_stream (device);
  if (self->stream != NULL)
    code = esk_hotspots_set_threads (self->hotspots, self->stream,
                                     (int) (threads > 0 ? threads : es_device_get_lanes (es_device_get_cpu ())));
  if (!es_device_check (device, self->stream, code, _("the search of neighbours"), error))
    {
      if (self->stream != NULL)
        es_device_give_stream (device, self->stream);
      self->stream = NULL;
      return FALSE;
    }
  esk_hotspots_set_cancelled (self->hotspots, self->stream, &self->cancelled);
  if (cancellable != NULL)
    self->handler = g_cancellable_connect (cancellable, G_CALLBACK (tell_hotspots), &self->cancelled, NULL);
  return TRUE;
}

void
es_neighbours_searcher_end (EsNeighboursSearcher *self)
{
  if (self->handler != 0)
    g_cancellable_disconnect (self->cancellable, self->handler);
  esk_hotspots_set_cancelled (self->hotspots, self->stream, NULL);
  esk_hotspots_set_threads (self->hotspots, self->stream, 1);
  es_device_give_stream (self->device, self->stream);
}

EsDevice *
es_neighbours_choose_device (EsDevice *device)
{
  EsDevice *member = device != NULL ? es_device_get_member (device, 0) : NULL;

  if (member != NULL && ESK_HAS (es_device_get_hotspots (member), neighbours, nearest)
      && ESK_HAS (es_device_get_hotspots (member), neighbours, squares))
    return member;
  return es_device_get_cpu ();
}
