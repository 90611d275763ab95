/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/es-error.h"
#include "es-limits.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

/* Of a limited address space: for what libraries take without asking anybody, and for stacks. */
#define RESERVE ((guint64) 192 << 20)

/* With less than that nothing is begun: each allocation would be a struggle. */
#define LEAST ((guint64) 32 << 20)

/* What is left of the address space that the process may have (ulimit -v); G_MAXUINT64: as much as it wants. *used: of
 * it, with the reserve. */
static guint64
get_address_space (guint64 *all, guint64 *used)
{
  struct rlimit limit;
  unsigned long long pages = 0;
  FILE *file;

  if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return G_MAXUINT64;
  if ((file = fopen ("/proc/self/statm", "re")) != NULL)
    {
      if (fscanf (file, "%llu", &pages) != 1)
        pages = 0;
      fclose (file);
    }
  *all = limit.rlim_cur;
  *used = (guint64) pages * (guint64) sysconf (_SC_PAGESIZE) + RESERVE;
  return *used < *all ? *all - *used : 0;
}

gboolean
es_limits_check_address_space (GError **error)
{
  guint64 all, used;

  if (get_address_space (&all, &used) >= LEAST)
    return TRUE;
  g_autofree char *allowed = g_format_size (all), *needed = g_format_size (used + LEAST);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
               _("The system allows this program %s of addresses, which is too little to compute: expected %s or more "
                 "(ulimit -v)."), allowed, needed);
  return FALSE;
}

guint64
es_limits_get_host_memory (const EsLimits *limits, EsMemoryShare share)
{
  const guint64 memory = limits != NULL && limits->memory > 0
                         ? limits->memory / share.of_limit
                         : es_device_get_memory (es_device_get_cpu ()) / share.of_machine;
  guint64 all, used;
  const guint64 left = get_address_space (&all, &used);

  return left == G_MAXUINT64 ? memory : MIN (memory, left / share.of_limit);
}

gboolean
es_limits_check_host_memory (const EsLimits *limits, EsMemoryShare share, guint64 needed, const char *what,
                             GError **error)
{
  const guint64 allowed = es_limits_get_host_memory (limits, share);

  if (needed <= allowed)
    return TRUE;
  g_autofree char *needed_text = g_format_size_full (needed, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *allowed_text = g_format_size_full (allowed, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *least = g_format_size_full (needed * share.of_limit, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
               _("%s takes %s of memory, of which %s may be used: expected %s or more to be allowed."), what,
               needed_text, allowed_text, least);
  return FALSE;
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
