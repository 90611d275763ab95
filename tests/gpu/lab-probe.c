/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Every probe of a back end of the laboratory over its sweep, a line each:
 *
 *   lab-probe MODULE [INDEX] [--json] [--output FILE] [--only KIND] [--repeats N] [--quick] [--managed]
 *             [--memory NAME] [--cancel SECONDS]
 *
 * --json writes one object with everything that was measured; --output writes to a file; --quick takes few sizes;
 * --managed takes managed memory along; --memory takes the probes of that host memory alone ("managed, prefetched");
 * --cancel calls cancel () so many seconds after the start and says how long the end took. Ends with 1 where a probe
 * failed, with 77 where the machine has no such device.
 */

#include "lab-probe.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const EskLabTable *table;
  EskLab            *lab;
  EskLabMachine      machine;
  const char        *only;
  bool               json, failed, cancelled;
  unsigned           measured;
  uint32_t           repeats;
  int                memory;       /* the only one; -1: all */
  double             cancel_after, cancelled_at;
} Run;

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static int
compare (const void *a,
         const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median (const double *values,
        uint32_t      n)
{
  double sorted[ESK_LAB_MOST_REPEATS];

  memcpy (sorted, values, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, compare);

  return n % 2 != 0 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0;
}

/* The median of what the samples are away from their median, in percent of it: one sample that was disturbed changes
 * nothing. */
static double
spread (const double *values,
        uint32_t      n,
        double        middle)
{
  double away[ESK_LAB_MOST_REPEATS];

  for (uint32_t k = 0; k < n; k++)
    away[k] = values[k] > middle ? values[k] - middle : middle - values[k];

  return middle != 0.0 ? 100.0 * median (away, n) / middle : 0.0;
}

static void
print_string (const char *text)
{
  putchar ('"');
  for (; *text != '\0'; text++)
    if ((unsigned char) *text >= ' ')
      printf (*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  putchar ('"');
}

static void
print_spans (const EskProbeResult *result)
{
  printf (", \"spans\": [");
  for (uint32_t s = 0; s < result->n_spans; s++)
    printf ("%s[%u, %u, %.9g, %.9g]", s > 0 ? ", " : "", result->spans[s].what, result->spans[s].row,
            result->spans[s].from, result->spans[s].to);
  printf ("]");
}

static void
print_json (const Run            *run,
            const EskProbe       *probe,
            int                   code,
            const EskProbeResult *result,
            double                seconds)
{
  char text[160];

  lab_probe_describe (probe, text, sizeof text);
  printf ("%s\n    {\"kind\": \"%s\", \"unit\": \"%s\", \"what\": \"%s\",\n     \"space\": %d, \"type\": %d, "
          "\"operation\": %d, \"memory\": %d, \"bytes\": %llu, \"stride\": %u, \"ways\": %u, \"threads\": %u, "
          "\"blocks\": %u, \"variant\": %u,\n     ", run->measured > 0 ? "," : "", lab_probe_name (probe->kind),
          lab_probe_unit (probe->kind), text, probe->space, probe->type, probe->operation, probe->memory,
          (unsigned long long) probe->bytes, probe->stride, probe->ways, probe->threads, probe->blocks, probe->variant);
  printf ("\"code\": %d, \"error\": ", code);
  print_string (code != ESK_LAB_OK ? run->table->last_error (run->lab) : "");
  printf (", \"took\": %.4f, \"hertz\": %.0f, \"lowest_hertz\": %.0f, \"fused\": %d, \"samples\": [", seconds,
          result->hertz, result->lowest_hertz, result->fused);
  for (uint32_t k = 0; k < result->n; k++)
    printf ("%s%.9g", k > 0 ? ", " : "", result->samples[k]);
  printf ("]");
  if (probe->kind == ESK_PROBE_BRANCH_ORDER)
    {
      printf (", \"lanes\": [");
      for (int l = 0; l < 32; l++)
        printf ("%s%.0f", l > 0 ? ", " : "", result->lanes[l]);
      printf ("]");
    }
  if (result->n_spans > 0)
    print_spans (result);
  printf ("}");
}

static void
print_line (const Run            *run,
            const EskProbe       *probe,
            int                   code,
            const EskProbeResult *result,
            double                seconds)
{
  char text[160];
  double least, middle;

  lab_probe_describe (probe, text, sizeof text);
  if (code != ESK_LAB_OK)
    {
      printf ("%-15s %-58s FAILED %d: %s\n", lab_probe_name (probe->kind), text, code,
              run->table->last_error (run->lab));
      return;
    }
  least = result->samples[0];
  for (uint32_t k = 1; k < result->n; k++)
    least = result->samples[k] < least ? result->samples[k] : least;
  middle = median (result->samples, result->n);
  printf ("%-15s %-58s %11.5g %11.5g %6.2f %% %-9s %7.1f ms %5.0f MHz%s\n", lab_probe_name (probe->kind), text, middle,
          least, spread (result->samples, result->n, middle), lab_probe_unit (probe->kind), 1e3 * seconds,
          result->hertz * 1e-6, result->fused > 0 ? " fused" : "");
}

/* Called for each probe of the sweep. */
static void
take (const EskProbe *asked,
      void           *data)
{
  static EskProbeResult result;
  Run *run = data;
  EskProbe probe = *asked;
  double began;
  int code;

  probe.repeats = run->repeats > 0 ? run->repeats : probe.repeats;
  if (run->cancelled || (run->memory >= 0 && (int) probe.memory != run->memory)
      || (run->only != NULL && strcmp (run->only, lab_probe_name (probe.kind)) != 0)
      || !run->table->has (run->lab, &probe))
    return;

  memset (&result, 0, sizeof result);
  if (probe.kind == ESK_PROBE_MANDELBROT)
    result.picture = malloc ((size_t) probe.stride * probe.stride * 3);
  began = now ();
  code = run->table->measure (run->lab, &probe, &result);
  free (result.picture);
  if (code == ESK_LAB_ERROR_CANCELLED)
    {
      run->cancelled = true;
      return;
    }
  (run->json ? print_json : print_line) (run, &probe, code, &result, now () - began);
  fflush (stdout);
  run->measured++;
  if (code != ESK_LAB_OK)
    {
      run->failed = true;
      if (run->json)
        fprintf (stderr, "%s: %s\n", lab_probe_name (probe.kind), run->table->last_error (run->lab));
    }
}

static void *
cancel (void *data)
{
  Run *run = data;

  usleep ((useconds_t) (run->cancel_after * 1e6));
  run->cancelled_at = now ();
  run->table->cancel (run->lab);

  return NULL;
}

static void
print_machine (Run *run)
{
  const EskLabMachine *m = &run->machine;
  EskLabState state;
  char host[128] = "";

  gethostname (host, sizeof host - 1);
  run->table->state (run->lab, &state);
  if (run->json)
    {
      printf ("{\n  \"module\": \"%s\", \"time\": %lld,\n  \"machine\": {\"id\": \"%s\", \"name\": ", run->table->name,
              (long long) time (NULL), m->id);
      print_string (m->name);
      printf (", \"driver\": ");
      print_string (m->driver);
      printf (", \"architecture\": ");
      print_string (m->architecture);
      printf (",\n    \"units\": %u, \"threads\": %u, \"warp\": %u, \"registers\": %u, \"clock\": %.0f, "
              "\"memory_clock\": %.0f, \"memory_bits\": %u,\n    \"memory\": %llu, \"l1\": %llu, \"l2\": %llu, "
              "\"l3\": %llu, \"shared\": %llu, \"constant\": %llu,\n    \"link_generation\": %u, \"link_width\": %u, "
              "\"ecc\": %u, \"integrated\": %u, \"watchdog\": %u, \"mig\": %u, \"exclusive\": %u},\n",
              m->units, m->threads, m->warp, m->registers, m->clock_hertz, m->memory_clock_hertz, m->memory_bits,
              (unsigned long long) m->memory, (unsigned long long) m->l1, (unsigned long long) m->l2,
              (unsigned long long) m->l3, (unsigned long long) m->shared, (unsigned long long) m->constant,
              m->link_generation, m->link_width, m->ecc, m->integrated, m->display_watchdog, m->mig, m->exclusive);
      printf ("  \"state\": {\"clock\": %.0f, \"memory_clock\": %.0f, \"watts\": %.1f, \"celsius\": %.0f, "
              "\"busy\": %.2f, \"others\": %d, \"throttled\": %d},\n  \"processors\": %ld,\n  \"probes\": [",
              state.clock_hertz, state.memory_clock_hertz, state.watts, state.celsius, state.busy, state.others,
              state.throttled,
              sysconf (_SC_NPROCESSORS_ONLN));
      return;
    }
  printf ("%s: %s, %s, %s; %u units, %.0f MHz, memory %.0f MHz x %u bits, %.1f GB, caches %llu KB / %.1f MB, ECC %u, "
          "MIG %u, link generation %u x %u\n", m->id, m->name, m->driver, m->architecture, m->units,
          m->clock_hertz * 1e-6, m->memory_clock_hertz * 1e-6, m->memory_bits, m->memory * 1e-9,
          (unsigned long long) m->l1 >> 10,
          m->l2 / 1048576.0, m->ecc, m->mig, m->link_generation, m->link_width);
  printf ("now: %.0f MHz, %.0f W, %.0f degrees, %.0f %% busy, %d others%s\n", state.clock_hertz * 1e-6, state.watts,
          state.celsius, 100.0 * state.busy, state.others, state.throttled > 0 ? ", throttled" : "");
}

static EskLabEntry
load (const char *path)
{
  void *module = dlopen (path, RTLD_NOW | RTLD_LOCAL), *symbol;
  EskLabEntry entry = NULL;

  symbol = module != NULL ? dlsym (module, ESK_LAB_ENTRY) : NULL;
  memcpy (&entry, &symbol, sizeof symbol);
  if (entry == NULL)
    fprintf (stderr, "lab-probe: %s\n", dlerror ());

  return entry;
}

int
main (int    argc,
      char **argv)
{
  Run run = { .memory = -1 };
  LabSweep sweep = { 0 };
  const char *path = NULL;
  unsigned index = 0;
  char reason[256] = "";
  EskLabEntry entry;
  pthread_t canceller;
  double began;
  int code;

  for (int a = 1; a < argc; a++)
    if (strcmp (argv[a], "--json") == 0)
      run.json = true;
    else if (strcmp (argv[a], "--quick") == 0)
      sweep.quick = true;
    else if (strcmp (argv[a], "--managed") == 0)
      sweep.managed = true;
    else if (strcmp (argv[a], "--memory") == 0 && a + 1 < argc)
      {
        run.memory = lab_probe_memory (argv[++a]);
        sweep.managed = true;
        if (run.memory < 0)
          {
            fprintf (stderr, "lab-probe: there is no memory \"%s\"\n", argv[a]);
            return 2;
          }
      }
    else if (strcmp (argv[a], "--output") == 0 && a + 1 < argc)
      {
        if (freopen (argv[++a], "w", stdout) == NULL)
          {
            perror (argv[a]);
            return 2;
          }
      }
    else if (strcmp (argv[a], "--only") == 0 && a + 1 < argc)
      run.only = argv[++a];
    else if (strcmp (argv[a], "--repeats") == 0 && a + 1 < argc)
      run.repeats = (uint32_t) strtoul (argv[++a], NULL, 10);
    else if (strcmp (argv[a], "--cancel") == 0 && a + 1 < argc)
      run.cancel_after = strtod (argv[++a], NULL);
    else if (path == NULL)
      path = argv[a];
    else
      index = (unsigned) strtoul (argv[a], NULL, 10);
  if (path == NULL)
    {
      fprintf (stderr, "usage: lab-probe MODULE [INDEX] [--json] [--output FILE] [--only KIND] [--repeats N] [--quick] "
               "[--managed] [--memory NAME] [--cancel SECONDS]\n");
      return 2;
    }

  entry = load (path);
  if (entry == NULL)
    return 2;
  run.table = entry (ESK_LAB_ABI, reason, sizeof reason);
  if (run.table == NULL)
    {
      fprintf (stderr, "lab-probe: %s\n", reason);
      return 77;
    }
  began = now ();
  if (run.table->open (index, &run.lab, reason, sizeof reason) != ESK_LAB_OK)
    {
      fprintf (stderr, "lab-probe: %s\n", reason);
      return 77;
    }
  fprintf (stderr, "%u devices; opened in %.3f s\n", run.table->count (), now () - began);
  code = run.table->describe (run.lab, &run.machine);
  if (code != ESK_LAB_OK)
    {
      fprintf (stderr, "lab-probe: %s\n", run.table->last_error (run.lab));
      return 1;
    }
  print_machine (&run);

  began = now ();
  if (run.cancel_after > 0.0 && pthread_create (&canceller, NULL, cancel, &run) != 0)
    return 1;
  sweep.machine = &run.machine;
  sweep.cards = run.table->count ();
  sweep.take = take;
  sweep.data = &run;
  lab_probe_sweep (&sweep);
  if (run.cancel_after > 0.0)
    {
      const double ended = now ();

      pthread_join (canceller, NULL);
      if (!run.cancelled || ended - run.cancelled_at > 0.2)
        run.failed = true;
      fprintf (stderr, "ended %.3f s after cancel ()\n", ended - run.cancelled_at);
    }
  if (run.json)
    printf ("\n  ],\n  \"took\": %.3f\n}\n", now () - began);
  fprintf (stderr, "%u probes in %.1f s%s\n", run.measured, now () - began, run.failed ? "; some FAILED" : "");
  run.table->close (run.lab);

  return run.failed ? 1 : 0;
}
