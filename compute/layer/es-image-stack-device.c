/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Stacks that GPUs have made and that stay there, so that pictures need not cross the link. What is asked for on the
 * host is copied then; a plane that is asked for as a whole is kept. By and by all of them come to the host: then the
 * memory on the card may be taken for something else.
 */

#include "es-image-stack-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-device-plane-private.h"
#include "device/es-device-internal.h"
#include "base/es-error.h"

/* The background waits this long before it begins, for the user is looking at the result now, and between planes. */
#define SETTLE_MS 1500
#define PAUSE_MS 20

typedef struct
{
  EsDevice      *device;
  guint64        top, rows;
  EsBuffer      *buffer;         /* NULL once all planes are on the host */
  EsBufferCache *place;          /* from then on */
} Part;

struct _EsStackStore
{
  guint     n_parts;
  Part     *parts;
  guint     n_planes;
  guint64   host_limit;

  GMutex    lock;
  float   **host;                /* planes; NULL: not there yet. What is there stays as long as the stack */
  guint     n_host;
};

void
es_stack_store_free (EsStackStore *self)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      g_clear_pointer (&self->parts[i].buffer, es_buffer_unref);
      es_buffer_cache_free (self->parts[i].place);
    }
  for (guint i = 0; i < self->n_planes; i++)
    g_free (self->host[i]);
  g_free (self->parts);
  g_free (self->host);
  g_mutex_clear (&self->lock);
  g_free (self);
}

EsImageStack *
es_image_stack_new_on_device (const char *name, const char *title, guint64 width, guint planes, EsDevice *device,
                              const guint64 *rows_from, guint64 host_limit, GError **error)
{
  const guint n = es_device_get_n_members (device);
  g_autoptr (EsImageStack) self = es_image_stack_new_bare (name, title, width, rows_from[n], planes, error);
  EsStackStore *store;

  if (self == NULL)
    return NULL;
  store = self->store = g_new0 (EsStackStore, 1);
  g_mutex_init (&store->lock);
  store->host_limit = host_limit;
  store->n_planes = planes;
  store->host = g_new0 (float *, planes);
  store->parts = g_new0 (Part, n);
  for (guint i = 0; i < n; i++)
    {
      Part *part;

      if (rows_from[i + 1] == rows_from[i])
        continue;
      part = &store->parts[store->n_parts];
      part->device = es_device_get_member (device, i);
      part->top = rows_from[i];
      part->rows = rows_from[i + 1] - rows_from[i];
      part->buffer = es_buffer_new (part->device, part->rows * width * planes * sizeof (float), error);
      if (part->buffer == NULL)
        return NULL;
      part->place = es_buffer_cache_new ();
      store->n_parts++;
    }
  return g_steal_pointer (&self);
}

float *
es_image_stack_get_device_rows (EsImageStack *self, EsDevice *member, guint64 y, gsize *plane_stride)
{
  for (guint i = 0; self->store != NULL && i < self->store->n_parts; i++)
    {
      Part *part = &self->store->parts[i];
      if (part->device == member && y >= part->top && y < part->top + part->rows)
        {
          *plane_stride = part->rows * self->width;
          return (float *) es_buffer_get_data (part->buffer) + (y - part->top) * self->width;
        }
    }
  g_return_val_if_reached (NULL);
}

/* The part's memory; NULL: all is on the host, and the memory has been taken. Transfer full. */
static EsBuffer *
hold (EsStackStore *self, Part *part)
{
  g_mutex_lock (&self->lock);
  EsBuffer *buffer = part->buffer != NULL ? es_buffer_ref (part->buffer) : NULL;
  g_mutex_unlock (&self->lock);
  return buffer != NULL ? buffer : es_buffer_cache_get (part->place);
}

static const float *
get_host (EsStackStore *self, guint plane)
{
  g_mutex_lock (&self->lock);
  const float *values = self->host[plane];
  g_mutex_unlock (&self->lock);
  return values;
}

const float *
es_stack_store_get_host (EsImageStack *stack, guint plane)
{
  return get_host (stack->store, plane);
}

/* ---- to the host ---- */

static gboolean
set_lost (EsImageStack *stack, EsDevice *device, GError **error)
{
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
               _("The layer “%s” lay on %s (%s), which has been lost: compute it again."),
               es_layer_get_title (ES_LAYER (stack)), es_device_get_name (device), es_device_get_id (device));
  return FALSE;
}

/* Every step-th sample of a window of one part; y counts from the part's first row. */
static gboolean
read_part (EsImageStack *stack, Part *part, guint plane, guint64 x, guint64 y, guint64 width, guint64 height,
           guint step, float *out, GError **error)
{
  g_autoptr (EsBuffer) buffer = hold (stack->store, part);

  if (es_device_is_lost (part->device) || buffer == NULL)
    return set_lost (stack, part->device, error);
  return es_device_read_window (part->device,
                                (const float *) es_buffer_get_data (buffer)
                                + (plane * part->rows + y) * stack->width + x,
                                stack->width, width, height, step, out, error);
}

static void
copy_window (const float *from, guint64 stride, guint64 width, guint64 height, guint step, float *out)
{
  for (guint64 j = 0; j < height; j += step, from += step * stride)
    if (step == 1)
      {
        memcpy (out, from, width * sizeof (float));
        out += width;
      }
    else
      for (guint64 i = 0; i < width; i += step)
        *out++ = from[i];
}

gboolean
es_stack_store_read (EsImageStack *stack, guint plane, guint64 x, guint64 y, guint64 width, guint64 height, guint step,
                     float *out, GError **error)
{
  EsStackStore *self = stack->store;
  const float *values = get_host (self, plane);
  const guint64 columns = (width - 1) / step + 1;

  if (values != NULL)
    {
      copy_window (values + y * stack->width + x, stack->width, width, height, step, out);
      return TRUE;
    }
  for (guint i = 0; i < self->n_parts; i++)
    {
      Part *part = &self->parts[i];
      const guint64 end = MIN (y + height, part->top + part->rows);
      guint64 first = y;

      /* The first of the rows wanted that lies in this part. */
      if (first < part->top)
        first += (part->top - first + step - 1) / step * step;
      if (first >= end)
        continue;
      if (!read_part (stack, part, plane, x, first - part->top, width, end - first, step,
                      out + (first - y) / step * columns, error))
        {
          /* In the meantime the background may have brought it. */
          values = get_host (self, plane);
          if (values == NULL)
            return FALSE;
          g_clear_error (error);
          copy_window (values + y * stack->width + x, stack->width, width, height, step, out);
          return TRUE;
        }
    }
  return TRUE;
}

/* Keeps a plane; where it is the last one, the memory on the cards is only a cache from now on. */
static const float *
keep (EsStackStore *self, guint plane, float *values)
{
  g_mutex_lock (&self->lock);
  if (self->host[plane] != NULL)
    g_free (values);
  else
    {
      self->host[plane] = values;
      self->n_host++;
    }
  for (guint i = 0; self->n_host == self->n_planes && i < self->n_parts; i++)
    if (self->parts[i].buffer != NULL)
      {
        es_buffer_cache_put (self->parts[i].place, self->parts[i].buffer);
        g_clear_pointer (&self->parts[i].buffer, es_buffer_unref);
      }
  values = self->host[plane];
  g_mutex_unlock (&self->lock);
  return values;
}

const float *
es_stack_store_peek (EsImageStack *stack, guint plane)
{
  const float *kept = get_host (stack->store, plane);
  float *values;

  if (kept != NULL)
    return kept;
  values = g_try_malloc (stack->plane_pixels * sizeof (float));
  if (values == NULL)
    return NULL;
  if (!es_stack_store_read (stack, plane, 0, 0, stack->width, stack->height, 1, values, NULL))
    {
      g_free (values);
      return NULL;
    }
  return keep (stack->store, plane, values);
}

/* ---- in the background ---- */

typedef struct
{
  GWeakRef stack;
  gint64   due;
} Settling;

static void
settle_in_background (gpointer data, gpointer user_data)
{
  Settling *settling = data;
  gint64 now = g_get_monotonic_time ();
  gboolean more = TRUE;

  /* A time and no event: whoever looks at a new result uses the card first. */
  if (now < settling->due)
    g_usleep (settling->due - now);
  /* The stack may have this reference alone by the end: then its memory on the card is freed here. */
  for (guint plane = 0; more && es_devices_try_hold (); plane++)
    {
      g_autoptr (EsImageStack) stack = g_weak_ref_get (&settling->stack);

      more = stack != NULL && plane < stack->planes && es_stack_store_peek (stack, plane) != NULL;
      g_clear_object (&stack);
      es_devices_release ();
      /* Nor here: the card is left to others between two planes. */
      if (more)
        g_usleep (PAUSE_MS * 1000);
    }
  g_weak_ref_clear (&settling->stack);
  g_free (settling);
}

void
es_image_stack_settle (EsImageStack *self)
{
  static gsize once;
  static GThreadPool *pool;
  Settling *settling;

  if (self->store == NULL || es_image_stack_get_bytes (self) > self->store->host_limit)
    return;
  /* A queue of its own: each waits in it for its time, which must hold up nothing else. */
  if (g_once_init_enter (&once))
    {
      pool = g_thread_pool_new (settle_in_background, NULL, 1, FALSE, NULL);
      g_once_init_leave (&once, 1);
    }
  settling = g_new0 (Settling, 1);
  g_weak_ref_init (&settling->stack, self);
  settling->due = g_get_monotonic_time () + SETTLE_MS * 1000;
  g_thread_pool_push (pool, settling, NULL);
}

/* ---- as a picture's source ---- */

EsDevicePlane *
es_image_stack_get_device_plane (EsImageStack *stack, guint plane)
{
  EsStackStore *self = stack->store;
  g_autoptr (EsBuffer) buffer = NULL;

  g_return_val_if_fail (plane < stack->planes, NULL);
  /* Split among GPUs there is no plane to show. */
  if (self == NULL || self->n_parts != 1 || stack->width > G_MAXINT32 || stack->height > G_MAXINT32
      || !es_image_stack_is_complete (stack) || es_device_is_lost (self->parts[0].device))
    return NULL;
  buffer = hold (self, &self->parts[0]);
  return buffer != NULL ? es_device_plane_new (buffer, plane * stack->plane_pixels, stack->width, stack->height) : NULL;
}
