/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Devices that are started, that fail, and that are lost. */

#include "es-device-object-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "es-buffer-internal.h"

gboolean
es_device_is_started (EsDevice *self)
{
  for (guint i = 0; i < es_device_get_n_members (self); i++)
    if (!g_atomic_int_get (&es_device_get_member (self, i)->started))
      return FALSE;
  return TRUE;
}

static void
start_further (gpointer data)
{
  EsDevice *self = data;

  /* Whoever needs it and does not find it is told what is wrong with it. */
  self->hotspots->device->device_warm_further (self->index);
}

static gboolean
start_gpu (EsDevice *self, GError **error)
{
  gboolean started = TRUE;

  g_mutex_lock (&self->start_lock);
  if (!self->started)
    {
      started = es_device_check (self, NULL, self->hotspots->device->device_warm_up (self->index), _("its start"),
                                 error);
      g_atomic_int_set (&self->started, started);
      if (started && ESK_HAS (self->hotspots, device, device_warm_further))
        es_devices_run_later (start_further, self);
    }
  g_mutex_unlock (&self->start_lock);
  return started;
}

static gpointer
start_thread (gpointer data)
{
  start_gpu (data, NULL);
  return NULL;
}

/* Each card takes its time, but not each one after the other. */
static void
start_members (EsDevice *self)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();

  for (guint i = 0; i < es_device_get_n_members (self); i++)
    if (!es_device_is_started (es_device_get_member (self, i)))
      {
        GThread *thread = g_thread_try_new ("es-start", start_thread, es_device_get_member (self, i), NULL);
        if (thread != NULL)
          g_ptr_array_add (threads, thread);
      }
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (g_ptr_array_index (threads, i));
}

gboolean
es_device_prepare (EsDevice *self, GError **error)
{
  if (self->kind == ES_DEVICE_CPU)
    return TRUE;
  if (!es_device_check_not_lost (self, error))
    return FALSE;

  if (self->kind == ES_DEVICE_ALL_GPUS)
    start_members (self);
  for (guint i = 0; i < es_device_get_n_members (self); i++)
    {
      EsDevice *member = es_device_get_member (self, i);
      guint64 bytes;

      if (!start_gpu (member, error))
        return FALSE;
      if (member->memory > 0 && es_device_get_free (member, &bytes)
          && bytes + es_buffers_get_used (member) < ES_DEVICE_LEAST_MEMORY)
        {
          g_autofree char *free = g_format_size (bytes), *all = g_format_size (member->memory);
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                       _("%s (%s) has %s of %s free, which is too little to compute: close other programs that use "
                         "it."), member->name, member->id, free, all);
          return FALSE;
        }
    }
  return es_device_check_not_lost (self, error);
}

/* Of several cards: when any is. */
gboolean
es_device_is_lost (EsDevice *self)
{
  gboolean lost = g_atomic_int_get (&self->lost);

  for (guint i = 0; self->members != NULL && i < self->members->len && !lost; i++)
    lost = es_device_is_lost (g_ptr_array_index (self->members, i));
  return lost;
}

static gboolean
notify_lost (gpointer data)
{
  g_object_notify (data, "lost");
  return G_SOURCE_REMOVE;
}

void
es_device_mark_lost (EsDevice *self)
{
  if (self->kind == ES_DEVICE_CPU || !g_atomic_int_compare_and_exchange (&self->lost, FALSE, TRUE))
    return;
  g_mutex_lock (&self->lock);
  self->detail_made = 0;
  g_mutex_unlock (&self->lock);
  g_idle_add_full (G_PRIORITY_DEFAULT, notify_lost, g_object_ref (self), g_object_unref);
  if (self->all != NULL)
    es_device_mark_lost (self->all);
}

gboolean
es_device_check_not_lost (EsDevice *self, GError **error)
{
  if (!es_device_is_lost (self))
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
               _("%s (%s) has been lost; it is not used until the program is started again."), self->name, self->id);
  return FALSE;
}

static void
set_memory_error (EsDevice *self, const char *what, GError **error)
{
  EsDeviceStatus status;

  if (self->kind != ES_DEVICE_GPU)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                 _("%s has not enough memory for %s; allow more, or choose fewer bands."), self->name, what);
  else if (es_device_get_status (self, &status) && status.memory > 0)
    {
      g_autofree char *free = g_format_size (status.memory_free), *all = g_format_size (status.memory);
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("%s (%s) has not enough memory for %s (%s of %s free): close other programs that use it, or "
                     "compute on the CPU."), self->name, self->id, what, free, all);
    }
  else
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                 _("%s (%s) has not enough memory for %s: close other programs that use it, or compute on the CPU."),
                 self->name, self->id, what);
}

gboolean
es_device_check (EsDevice *self, EskStream *stream, int code, const char *what, GError **error)
{
  const char *reason = stream != NULL ? self->hotspots->stream->last_error (stream) : NULL;
  EskDeviceInfo info;

  if (reason == NULL || *reason == '\0')
    reason = _("no reason given");
  /* Where nothing was handed out because the device is gone, nothing but asking tells. */
  if (code == ESK_ERROR_MEMORY && self->kind == ES_DEVICE_GPU
      && self->hotspots->device->device_info (self->index, &info) == ESK_ERROR_LOST)
    code = ESK_ERROR_LOST;

  switch (code)
    {
    case ESK_OK:
      return TRUE;
    case ESK_ERROR_MEMORY:
      set_memory_error (self, what, error);
      return FALSE;
    case ESK_ERROR_CANCELLED:
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Cancelled while computing %s."), what);
      return FALSE;
    case ESK_ERROR_NO_CONVERGENCE:
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC, _("%s did not converge."), what);
      return FALSE;
    case ESK_ERROR_DEVICE:
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("%s failed at %s: %s."), self->name, what,
                   reason);
      return FALSE;
    case ESK_ERROR_LOST:
      es_device_mark_lost (self);
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("%s (%s) was lost at %s, and is not used until the program is started again: %s."), self->name,
                   self->id, what, reason);
      return FALSE;
    default:
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("%s was asked for %s of a size that it cannot do (code %d)."), self->name, what, code);
      return FALSE;
    }
}

gboolean
es_compute_error_no_memory (const char *what, GError **error)
{
  set_memory_error (es_device_get_cpu (), what, error);
  return FALSE;
}
