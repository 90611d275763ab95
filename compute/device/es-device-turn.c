/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* One job a device at a time, also where devices have members in common. */

#include "es-cancel-internal.h"
#include "es-device-internal.h"

/* Everyone who uses a device or waits for it, in the order in which they came. */
typedef struct
{
  EsDevice *device;
  gboolean  has;
} Turn;

static GMutex turns_lock;
static GCond turns_changed;
static GQueue turns = G_QUEUE_INIT;

static gboolean
share_a_member (EsDevice *a, EsDevice *b)
{
  for (guint i = 0; i < es_device_get_n_members (a); i++)
    for (guint j = 0; j < es_device_get_n_members (b); j++)
      if (es_device_get_member (a, i) == es_device_get_member (b, j))
        return TRUE;
  return FALSE;
}

static gboolean
has_to_wait (Turn *turn)
{
  for (GList *earlier = turns.head; earlier->data != turn; earlier = earlier->next)
    if (share_a_member (((Turn *) earlier->data)->device, turn->device))
      return TRUE;
  return FALSE;
}

gboolean
es_device_occupy (EsDevice *self, GCancellable *cancellable, GError **error)
{
  Turn *turn = g_new0 (Turn, 1);
  EsCancelWake wake;
  gboolean has;

  turn->device = self;
  es_cancel_wake_begin (&wake, cancellable, &turns_lock, &turns_changed);
  g_mutex_lock (&turns_lock);
  g_queue_push_tail (&turns, turn);
  while (has_to_wait (turn) && !g_cancellable_is_cancelled (cancellable))
    g_cond_wait (&turns_changed, &turns_lock);
  has = turn->has = !g_cancellable_is_cancelled (cancellable);
  if (!has)
    {
      g_queue_remove (&turns, turn);
      g_free (turn);
      g_cond_broadcast (&turns_changed);
    }
  g_mutex_unlock (&turns_lock);
  es_cancel_wake_end (&wake);
  if (!has)
    g_cancellable_set_error_if_cancelled (cancellable, error);
  return has;
}

void
es_device_vacate (EsDevice *self)
{
  g_mutex_lock (&turns_lock);
  for (GList *link = turns.head; link != NULL; link = link->next)
    {
      Turn *turn = link->data;
      if (turn->device == self && turn->has)
        {
          g_queue_delete_link (&turns, link);
          g_free (turn);
          break;
        }
    }
  g_cond_broadcast (&turns_changed);
  g_mutex_unlock (&turns_lock);
}
