/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the processor is, as the system tells it, and how it is at this moment. */

#include "es-lab-cpu-private.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define CPUS "/sys/devices/system/cpu"
/* Of the system's clock, what others used cannot be told from less. */
#define LEAST_TICKS 20
/* A share of all processors that is in what is measured. */
#define OTHERS_SLOW 0.15

/* The first line of a file of one processor; false: there is none. */
static bool
read_line (unsigned    cpu,
           const char *name,
           char       *line,
           size_t      n)
{
  char path[256];
  FILE *file;
  bool there;

  snprintf (path, sizeof path, CPUS "/cpu%u/%s", cpu, name);
  file = fopen (path, "re");
  if (file == NULL)
    return false;
  there = fgets (line, (int) n, file) != NULL;
  fclose (file);
  if (there)
    line[strcspn (line, "\n")] = '\0';
  return there;
}

/* ---- processors at hand ---- */

/* Whether it is the first of its core among those that are allowed; its siblings are a list as "0-1,64". */
static bool
is_first_of_core (unsigned          cpu,
                  const EskLabCpus *allowed)
{
  char text[512], *at = text;
  const size_t bits = 8 * sizeof allowed->bits[0];

  if (!read_line (cpu, "topology/thread_siblings_list", text, sizeof text))
    return true;
  while (isdigit ((unsigned char) *at))
    {
      const unsigned long from = strtoul (at, &at, 10), to = *at == '-' ? strtoul (at + 1, &at, 10) : from;

      for (unsigned long other = from; other <= to && other < ESK_LAB_MOST_CPUS; other++)
        if (allowed->bits[other / bits] >> other % bits & 1)
          return other == cpu;
      if (*at == ',')
        at++;
    }
  return true;
}

static void
read_busy (uint64_t *busy,
           uint64_t *all)
{
  FILE *file = fopen ("/proc/stat", "re");
  uint64_t t[8] = { 0 };

  *busy = *all = 0;
  if (file == NULL)
    return;
  /* user nice system idle iowait irq softirq steal; guests are in user already. */
  if (fscanf (file, "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
              &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) >= 5)
    {
      for (size_t i = 0; i < 8; i++)
        *all += t[i];
      *busy = *all - t[3] - t[4];
    }
  fclose (file);
}

/* Seconds of processor time that this program has used, on all of its threads. */
static double
read_own (void)
{
  struct timespec now = { 0 };

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* Processors that others kept busy while all went on for so many ticks each; 0: too little to matter, -1: not known. */
static int
count_others (double busy,
              double all,
              double own)
{
  const long hertz = sysconf (_SC_CLK_TCK), cpus = sysconf (_SC_NPROCESSORS_ONLN);
  double share;

  if (hertz <= 0 || cpus <= 0 || all < LEAST_TICKS * (double) cpus)
    return -1;
  share = (busy - own * (double) hertz) / all;
  if (share < OTHERS_SLOW)
    return 0;
  return share * (double) cpus > 1.5 ? (int) (share * (double) cpus + 0.5) : 1;
}

/* Sets threads, cores and the order; NULL order: no memory. */
void
esk_lab_machine_begin (EskLab *lab)
{
  EskLabCpus allowed = { 0 };
  const size_t bits = 8 * sizeof allowed.bits[0];
  const unsigned quota = esk_lab_quota ();
  unsigned n = 0;

  lab->order = calloc (ESK_LAB_MOST_CPUS, sizeof *lab->order);
  if (lab->order == NULL)
    return;
  if (sched_getaffinity (0, sizeof allowed, (cpu_set_t *) &allowed) != 0)
    allowed.bits[0] = 1;
  for (int first = 1; first >= 0; first--)
    {
      for (unsigned cpu = 0; cpu < ESK_LAB_MOST_CPUS; cpu++)
        if (allowed.bits[cpu / bits] >> cpu % bits & 1 && is_first_of_core (cpu, &allowed) == first)
          lab->order[n++] = cpu;
      if (first)
        lab->cores = n;
    }
  lab->threads = n > 0 ? n : 1;
  if (quota > 0 && quota < lab->threads)
    lab->threads = quota;
  if (lab->cores > lab->threads || lab->cores == 0)
    lab->cores = lab->threads;
  read_busy (&lab->busy_before, &lab->all_before);
  lab->own_before = read_own ();
}

/* ---- describe ---- */

/* "32K", "1024K", "32M". */
static uint64_t
read_size (const char *text)
{
  char *end;
  const uint64_t n = strtoull (text, &end, 10);

  return n << (*end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0);
}

/* l1 of a core, l2 of a core; of the last all that the processors at hand share out between them. */
static void
describe_caches (const EskLab *lab,
                 EskLabMachine *machine)
{
  for (unsigned i = 0; i < lab->threads; i++)
    for (unsigned index = 0; index < 8; index++)
      {
        char name[64], level[16], type[32], size[32], shared[512];
        uint64_t bytes;

        snprintf (name, sizeof name, "cache/index%u/level", index);
        if (!read_line (lab->order[i], name, level, sizeof level))
          break;
        snprintf (name, sizeof name, "cache/index%u/type", index);
        if (!read_line (lab->order[i], name, type, sizeof type) || strcmp (type, "Instruction") == 0)
          continue;
        snprintf (name, sizeof name, "cache/index%u/size", index);
        if (!read_line (lab->order[i], name, size, sizeof size))
          continue;
        bytes = read_size (size);
        if (level[0] == '1' && i == 0)
          machine->l1 = bytes;
        else if (level[0] == '2' && i == 0)
          machine->l2 = bytes;
        else if (level[0] == '3')
          {
            bool counted = false;

            /* Counted with the first of those that share it. */
            snprintf (name, sizeof name, "cache/index%u/shared_cpu_list", index);
            if (!read_line (lab->order[i], name, shared, sizeof shared))
              counted = i > 0;
            for (unsigned other = 0; other < i && !counted; other++)
              {
                char theirs[512];

                counted = read_line (lab->order[other], name, theirs, sizeof theirs) && strcmp (shared, theirs) == 0;
              }
            machine->l3 += counted ? 0 : bytes;
          }
      }
  /* Where the system's files say nothing, its C library may. */
#if defined (_SC_LEVEL1_DCACHE_SIZE)
  if (machine->l1 == 0 && sysconf (_SC_LEVEL1_DCACHE_SIZE) > 0)
    machine->l1 = (uint64_t) sysconf (_SC_LEVEL1_DCACHE_SIZE);
  if (machine->l2 == 0 && sysconf (_SC_LEVEL2_CACHE_SIZE) > 0)
    machine->l2 = (uint64_t) sysconf (_SC_LEVEL2_CACHE_SIZE);
  if (machine->l3 == 0 && sysconf (_SC_LEVEL3_CACHE_SIZE) > 0)
    machine->l3 = (uint64_t) sysconf (_SC_LEVEL3_CACHE_SIZE);
#endif
}

/* As compute/device tells it: the model without its clock. */
static void
describe_name (char  *name,
               size_t n)
{
  FILE *file = fopen ("/proc/cpuinfo", "re");
  char line[512];

  while (file != NULL && name[0] == '\0' && fgets (line, sizeof line, file) != NULL)
    if (strncmp (line, "model name", 10) == 0 && strchr (line, ':') != NULL)
      {
        char *text = strchr (line, ':') + 1, *at = strstr (text, " @ "), *end;

        if (at != NULL)
          *at = '\0';
        text += strspn (text, " \t");
        for (end = text + strlen (text); end > text && isspace ((unsigned char) end[-1]); end--)
          ;
        *end = '\0';
        snprintf (name, n, "%s", text);
      }
  if (file != NULL)
    fclose (file);
}

int
esk_lab_machine_describe (EskLab        *lab,
                          EskLabMachine *machine)
{
  struct utsname system;
  char text[64];

  memset (machine, 0, sizeof *machine);
  snprintf (machine->id, sizeof machine->id, "cpu");
  describe_name (machine->name, sizeof machine->name);
  if (uname (&system) == 0)
    {
      snprintf (machine->driver, sizeof machine->driver, "%.63s", system.release);
      snprintf (machine->architecture, sizeof machine->architecture, "%.40s%s%s",
                strcmp (system.machine, "x86_64") == 0 ? "x86-64" : system.machine,
                lab->loops->name[0] != '\0' ? ", " : "", lab->loops->name);
      if (machine->name[0] == '\0')
        snprintf (machine->name, sizeof machine->name, "%.63s", system.machine);
    }
  machine->units = lab->cores;
  machine->threads = lab->threads;
  machine->warp = lab->loops->width / 4;
  if (read_line (lab->order[0], "cpufreq/cpuinfo_max_freq", text, sizeof text))
    machine->clock_hertz = 1e3 * strtod (text, NULL);
  /* No higher one is known than what was seen. */
  if (machine->clock_hertz <= 0.0)
    machine->clock_hertz = esk_lab_ticks_hertz (lab) / lab->clock;
  machine->memory = esk_lab_memory_total ();
  describe_caches (lab, machine);

  return ESK_LAB_OK;
}

int
esk_lab_machine_state (EskLab      *lab,
                       EskLabState *state)
{
  const double own = read_own ();
  uint64_t busy, all;

  read_busy (&busy, &all);
  *state = (EskLabState) { .clock_hertz = -1.0, .memory_clock_hertz = -1.0, .watts = -1.0, .celsius = -1.0,
                           .busy = -1.0, .others = -1, .throttled = -1 };
  /* Since the last time; the system counts in hundredths of a second. */
  if (all > lab->all_before && busy >= lab->busy_before)
    {
      state->busy = (double) (busy - lab->busy_before) / (double) (all - lab->all_before);
      state->others = count_others ((double) (busy - lab->busy_before), (double) (all - lab->all_before),
                                    own - lab->own_before);
      lab->own_before = own;
      lab->busy_before = busy;
      lab->all_before = all;
    }

  return ESK_LAB_OK;
}
