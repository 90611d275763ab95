/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which profiles are of a device; they are looked for once, and again when what is kept has changed. */

#include "es-roofs.h"

#include <glib/gstdio.h>

#include "device/es-device-internal.h"
#include "lab/es-kept-profiles.h"

typedef struct
{
  EsDeviceProfile *profile;    /* nullable */
  EsRoofSource     source;
} Known;

static GMutex lock;
static GHashTable *known;      /* EsDevice -> Known */
static gint64 folder_then;     /* when it was changed last */

static void
known_free (gpointer data)
{
  Known *self = data;

  g_clear_pointer (&self->profile, es_device_profile_unref);
  g_free (self);
}

static Known *
look_for (EsDevice *device)
{
  Known *self = g_new0 (Known, 1);

  /* One that cannot be read is told of where samples are brought to the card. */
  self->profile = es_kept_profile_find (device, NULL);
  self->source = ES_ROOF_MEASURED;
  /* A processor's name says little of its machine: how many of its threads there are, and of which memory. */
  if (self->profile != NULL || es_device_is_cpu (device))
    return self;
  self->profile = es_device_profile_find_shipped (es_device_get_name (device));
  self->source = ES_ROOF_OF_KIND;
  return self;
}

static gint64
folder_time (void)
{
  g_autofree char *folder = es_kept_profiles_dup_folder ();
  GStatBuf now;

  return g_stat (folder, &now) == 0 ? (gint64) now.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + now.st_mtim.tv_nsec
                                    : -1;
}

/* Transfer full; nullable. */
static EsDeviceProfile *
find_profile (EsDevice *device, EsRoofSource *source)
{
  EsDeviceProfile *profile;
  gint64 now;
  Known *self;

  g_mutex_lock (&lock);
  now = folder_time ();
  if (known == NULL)
    known = g_hash_table_new_full (NULL, NULL, NULL, known_free);
  if (now != folder_then)
    g_hash_table_remove_all (known);
  folder_then = now;
  self = g_hash_table_lookup (known, device);
  if (self == NULL)
    g_hash_table_insert (known, device, self = look_for (device));
  profile = self->profile != NULL ? es_device_profile_ref (self->profile) : NULL;
  *source = self->source;
  g_mutex_unlock (&lock);
  return profile;
}

static void
take (EsRoofs *roofs, EsDevice *device, gboolean of_cpu, guint threads)
{
  EsRoofSource source;
  g_autoptr (EsDeviceProfile) profile = find_profile (device, &source);

  if (profile != NULL)
    es_roofs_read (roofs, profile, source, of_cpu, threads);
}

/* What was measured in passing, to plan by: covariance sums, and copies to a card. */
static void
take_quick (EsRoofs *roofs, EsDevice *device)
{
  double flops, bandwidth;

  if (roofs->on_cpu || !es_device_peek_speed (device, &flops, &bandwidth))
    return;
  if (roofs->operations[ES_WORK_FLOAT32].rate == 0)
    roofs->operations[ES_WORK_FLOAT32] = (EsRoof) { flops, ES_ROOF_QUICK };
  if (roofs->link_to.rate == 0)
    roofs->link_to = (EsRoof) { bandwidth, ES_ROOF_QUICK };
}

static void
multiply (EsRoofs *roofs, guint n)
{
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    roofs->operations[type].rate *= n;
  roofs->memory.rate *= n;
  roofs->link_to.rate *= n;
  roofs->link_from.rate *= n;
  roofs->link_pageable.rate *= n;
  roofs->launches.rate *= n;
}

static gpointer
look_ahead (gpointer data)
{
  EsDevice *device = data;
  EsRoofs roofs;

  es_roofs_find (device, 0, &roofs);
  return NULL;
}

void
es_roofs_prepare (EsDevice *device)
{
  /* Of a processor there is nothing to be looked for but what is kept. */
  GThread *thread = es_device_is_cpu (device) && folder_time () < 0
                    ? NULL : g_thread_try_new ("es-roofs", look_ahead, device, NULL);

  if (thread != NULL)
    g_thread_unref (thread);
}

void
es_roofs_find (EsDevice *device, guint threads, EsRoofs *roofs)
{
  EsDevice *cpu = es_device_get_cpu (), *member = es_device_get_member (device, 0);
  const guint all = es_device_get_lanes (cpu);

  *roofs = (EsRoofs) { .on_cpu = es_device_is_cpu (device) };
  roofs->all_threads = all;
  /* Of a card the threads are those that read for it. */
  roofs->threads = roofs->on_cpu && threads > 0 ? MIN (threads, all) : all;
  if (!roofs->on_cpu)
    {
      take (roofs, member, FALSE, 0);
      take_quick (roofs, member);
      multiply (roofs, es_device_get_n_members (device));
    }
  take (roofs, cpu, TRUE, roofs->threads);
  es_roofs_assume (roofs, roofs->threads);
  es_roofs_settle (roofs);
}
