/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-memory-internal.h"

#include <string.h>
#include <unistd.h>

/* "max", or more than any machine has, stands for no limit. */
static guint64
read_limit (const char *path)
{
  g_autofree char *text = NULL;
  guint64 limit;

  if (!g_file_get_contents (path, &text, NULL, NULL)
      || !g_ascii_string_to_unsigned (g_strstrip (text), 10, 1, G_MAXUINT64, &limit, NULL))
    return G_MAXUINT64;
  return limit;
}

/* Of a group and of all above it. Within a container the group's path may be one that only its host sees: the root of
 * what is mounted is then the container's own. */
static guint64
smallest_limit (const char *mount, const char *group, const char *file)
{
  g_autofree char *folder = g_build_filename (mount, group, NULL);
  const gsize shortest = strlen (mount);
  guint64 limit = G_MAXUINT64;

  for (;;)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      char *end = strrchr (folder, '/');

      limit = MIN (limit, read_limit (path));
      if (end == NULL || (gsize) (end - folder) < shortest)
        return limit;
      *end = '\0';
    }
}

guint64
es_memory_allowed (const char *memberships, const char *root)
{
  g_auto (GStrv) lines = g_strsplit (memberships, "\n", -1);
  guint64 limit = G_MAXUINT64;

  /* A line is hierarchy:controllers:group; hierarchy 0 is the unified one. */
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (lines[i], ":", 3);
      g_auto (GStrv) controllers = NULL;

      if (g_strv_length (parts) != 3 || strstr (parts[2], "..") != NULL)
        continue;
      controllers = g_strsplit (parts[1], ",", -1);
      if (strcmp (parts[0], "0") == 0 && *parts[1] == '\0')
        {
          g_autofree char *unified = g_build_filename (root, "unified", NULL);

          limit = MIN (limit, smallest_limit (root, parts[2], "memory.max"));
          limit = MIN (limit, smallest_limit (unified, parts[2], "memory.max"));
        }
      else if (g_strv_contains ((const char * const *) controllers, "memory"))
        {
          g_autofree char *memory = g_build_filename (root, "memory", NULL);

          limit = MIN (limit, smallest_limit (memory, parts[2], "memory.limit_in_bytes"));
        }
    }
  return limit;
}

guint64
es_memory_total (void)
{
  static gsize once;
  static guint64 total;

  if (g_once_init_enter (&once))
    {
      const long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
      g_autofree char *memberships = NULL;

      total = pages > 0 && page > 0 ? (guint64) pages * (guint64) page : G_MAXUINT64;
      if (g_file_get_contents ("/proc/self/cgroup", &memberships, NULL, NULL))
        total = MIN (total, es_memory_allowed (memberships, "/sys/fs/cgroup"));
      g_once_init_leave (&once, 1);
    }
  return total;
}
