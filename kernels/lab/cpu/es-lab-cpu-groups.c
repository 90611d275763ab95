/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How much of the machine is ours: what control groups, of either version, leave of its memory and its time. */

#include "es-lab-cpu-private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"

/* A number at the beginning of a file; UINT64_MAX: "max", or no such file. */
static uint64_t
read_number (const char *folder,
             const char *name)
{
  char path[4096];
  uint64_t value = UINT64_MAX;
  FILE *file;

  if ((size_t) snprintf (path, sizeof path, "%s/%s", folder, name) >= sizeof path
      || (file = fopen (path, "re")) == NULL)
    return UINT64_MAX;
  if (fscanf (file, "%" SCNu64, &value) != 1)
    value = UINT64_MAX;
  fclose (file);
  return value;
}

typedef void (*Visit) (const char *folder, void *data);

/* Our group of a controller and all groups around it; they are looked for below the root, too, as a container sees its
 * own group there. */
static void
visit_groups (const char *controller,
              Visit       visit,
              void       *data)
{
  FILE *file = fopen ("/proc/self/cgroup", "re");
  char line[4096];

  if (file == NULL)
    return;
  while (fgets (line, sizeof line, file) != NULL)
    {
      char *names = strchr (line, ':'), *path = names != NULL ? strchr (names + 1, ':') : NULL;
      char folder[8192];
      size_t root;

      if (path == NULL)
        continue;
      *path++ = '\0';
      path[strcspn (path, "\n")] = '\0';
      names++;
      /* "0::/path" is of version 2; of version 1 every controller has a tree of its own. */
      if (*names == '\0')
        root = (size_t) snprintf (folder, sizeof folder, ROOT);
      else
        {
          const char *found = strstr (names, controller);
          const size_t length = strlen (controller);

          if (found == NULL || (found != names && found[-1] != ',') || (found[length] != '\0' && found[length] != ','))
            continue;
          root = (size_t) snprintf (folder, sizeof folder, ROOT "/%s", names);
        }
      snprintf (folder + root, sizeof folder - root, "%s", path);
      for (;;)
        {
          char *slash = strrchr (folder + root, '/');

          visit (folder, data);
          if (slash == NULL)
            break;
          *slash = '\0';
        }
    }
  fclose (file);
}

/* What a group counts as used is also what it keeps of files, which makes room for whoever needs it. */
static uint64_t
read_kept (const char *folder)
{
  char path[8300], line[256];
  uint64_t value, kept = 0;
  FILE *file;

  snprintf (path, sizeof path, "%s/memory.stat", folder);
  file = fopen (path, "re");
  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    /* Of version 1 the second, which is of the groups within, too. */
    if (sscanf (line, "inactive_file %" SCNu64, &value) == 1
        || sscanf (line, "total_inactive_file %" SCNu64, &value) == 1)
      kept = value;
  if (file != NULL)
    fclose (file);
  return kept;
}

typedef struct
{
  uint64_t allowed, left;
} Memory;

static void
take_memory (const char *folder,
             void       *data)
{
  static const char *const names[][2] = { { "memory.max", "memory.current" },
                                          { "memory.limit_in_bytes", "memory.usage_in_bytes" } };
  Memory *memory = data;

  for (size_t i = 0; i < 2; i++)
    {
      const uint64_t most = read_number (folder, names[i][0]), used = read_number (folder, names[i][1]);

      if (most >= UINT64_MAX / 4)
        continue;
      memory->allowed = most < memory->allowed ? most : memory->allowed;
      if (used != UINT64_MAX)
        {
          const uint64_t kept = read_kept (folder), needed = used > kept ? used - kept : 0;
          const uint64_t left = needed < most ? most - needed : 0;

          memory->left = left < memory->left ? left : memory->left;
        }
    }
}

uint64_t
esk_lab_memory_total (void)
{
  const long pages = sysconf (_SC_PHYS_PAGES), page = sysconf (_SC_PAGESIZE);
  Memory memory = { UINT64_MAX, UINT64_MAX };

  visit_groups ("memory", take_memory, &memory);
  if (pages > 0 && page > 0 && (uint64_t) pages * (uint64_t) page < memory.allowed)
    return (uint64_t) pages * (uint64_t) page;
  return memory.allowed != UINT64_MAX ? memory.allowed : 0;
}

uint64_t
esk_lab_memory_free (void)
{
  Memory memory = { UINT64_MAX, UINT64_MAX };
  FILE *file = fopen ("/proc/meminfo", "re");
  uint64_t available = UINT64_MAX;
  char line[256];

  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (sscanf (line, "MemAvailable: %" SCNu64, &available) == 1)
      {
        available *= 1024;
        break;
      }
  if (file != NULL)
    fclose (file);
  if (available == UINT64_MAX)
    {
      const long pages = sysconf (_SC_AVPHYS_PAGES), page = sysconf (_SC_PAGESIZE);

      available = pages > 0 && page > 0 ? (uint64_t) pages * (uint64_t) page : 0;
    }
  visit_groups ("memory", take_memory, &memory);

  return memory.left < available ? memory.left : available;
}

static void
take_quota (const char *folder,
            void       *data)
{
  double *share = data;
  char path[8300];
  double quota = -1.0, period = 0.0;
  FILE *file;

  snprintf (path, sizeof path, "%s/cpu.max", folder);
  file = fopen (path, "re");
  if (file != NULL)
    {
      if (fscanf (file, "%lf %lf", &quota, &period) != 2)
        quota = -1.0;
      fclose (file);
    }
  else
    {
      const uint64_t q = read_number (folder, "cpu.cfs_quota_us"), p = read_number (folder, "cpu.cfs_period_us");

      /* -1, which is read as a large number: any. */
      if (q < UINT64_MAX / 4 && p != UINT64_MAX)
        {
          quota = (double) q;
          period = (double) p;
        }
    }
  if (quota > 0.0 && period > 0.0 && quota / period < *share)
    *share = quota / period;
}

unsigned
esk_lab_quota (void)
{
  double share = INFINITY;

  visit_groups ("cpu", take_quota, &share);
  return share < 1e6 ? (unsigned) ceil (share) : 0;
}
