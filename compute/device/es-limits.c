/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-limits.h"

guint64
es_limits_get_host_memory (const EsLimits *limits, EsMemoryShare share)
{
  return limits != NULL && limits->memory > 0 ? limits->memory / share.of_limit
                                              : es_device_get_memory (es_device_get_cpu ()) / share.of_machine;
}

guint64
es_device_get_room (EsDevice *device, const EsLimits *limits)
{
  guint64 room = G_MAXUINT64;

  for (guint i = 0; i < es_device_get_n_members (device); i++)
    room = MIN (room, es_device_get_budget (es_device_get_member (device, i)));
  if (limits != NULL && limits->device_memory > 0)
    room = MIN (room, limits->device_memory);
  return room;
}
