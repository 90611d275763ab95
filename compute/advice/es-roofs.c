/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Roofs of figures of profiles. */

#include "es-roofs.h"

#include <math.h>
#include <string.h>

#include "lab/es-machine-internal.h"

/* What is read again and again from so much more than the last cache holds comes from memory. */
#define BEHIND_CACHES 2.0
/* Of a processor that nobody has measured: clock, float32 operations a clock (two 256-bit multiply-adds), memory a
 * thread and of all. No processor that the program meets does much more a thread. */
#define ASSUMED_HERTZ 3e9
#define ASSUMED_OPERATIONS 32
#define ASSUMED_THREAD 2e10
#define ASSUMED_MEMORY 2e11
/* Operations, bytes or launches a second. */
#define LEAST_RATE 1.0
#define MOST_RATE 1e18
/* Of the rate of 8-bit products what is left for 16-bit ones: a processor's take two of its lanes, a card multiplies
 * halves of samples, four products of 8 bits each. */
#define HALVES_OF_CPU 2
#define HALVES_OF_CARD 4

static double
find (EsDeviceProfile *profile, const char *experiment, const char *group, const char *name, double x)
{
  const EsFigure *figure = es_device_profile_find (profile, experiment, group, name, x);

  return figure != NULL ? figure->value : 0;
}

/* What no machine does, a file that lies says; it is not known then. */
static void
set (EsRoof *roof, double rate, EsRoofSource source)
{
  if (rate >= LEAST_RATE && rate <= MOST_RATE)
    *roof = (EsRoof) { rate, source };
}

/* ---- arithmetic ---- */

static double
find_rate (EsDeviceProfile *profile, const char *const *names)
{
  double most = 0;

  for (; *names != NULL; names++)
    most = MAX (most, find (profile, "lab-arithmetic", "rate", *names, NAN));
  return most;
}

/* The fastest units that could do it. float32 samples may be split for those of tf32, as kernels do. */
static void
read_operations (EsDeviceProfile *profile, EsRoofSource source, gboolean of_cpu, double share, EsRoof *operations)
{
  static const char *const float32[] = { "float32 multiply-add", "matrix product tf32",
                                         "matrix product tf32, warp groups", NULL };
  static const char *const float64[] = { "float64 multiply-add", "matrix product float64", NULL };
  static const char *const int8[] = { "int32 multiply-add", "matrix product int8", "matrix product int8, warp groups",
                                      NULL };
  static const char *const *const names[] = { float32, float64, int8, int8 };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == ES_N_WORK_TYPES);
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    {
      double rate = find_rate (profile, names[type]);

      if (type == ES_WORK_INT16)
        rate = MAX (rate / (of_cpu ? HALVES_OF_CPU : HALVES_OF_CARD),
                    find (profile, "lab-arithmetic", "rate", "int32 multiply-add", NAN));
      set (&operations[type], rate * share, source);
    }
}

/* ---- memory ---- */

/* Of a series the largest value whose x is at least `from`. */
static double
find_most (EsDeviceProfile *profile, const char *experiment, const char *group, const char *name, double from)
{
  double most = 0;

  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    {
      const EsFigure *figure = es_device_profile_get (profile, i);

      if (strcmp (figure->experiment, experiment) == 0 && strcmp (figure->group, group) == 0
          && strcmp (figure->name, name) == 0 && figure->x >= from)
        most = MAX (most, figure->value);
    }
  return most;
}

/* The last value of a series by x; *x: where. */
static double
find_last (EsDeviceProfile *profile, const char *experiment, const char *group, const char *name, double most_x,
           double *x)
{
  double value = 0;

  *x = -1;
  for (guint i = 0; i < es_device_profile_get_n (profile); i++)
    {
      const EsFigure *figure = es_device_profile_get (profile, i);

      if (strcmp (figure->experiment, experiment) == 0 && strcmp (figure->group, group) == 0
          && strcmp (figure->name, name) == 0 && figure->x > *x && figure->x <= most_x)
        {
          *x = figure->x;
          value = figure->value;
        }
    }
  return value;
}

static double
read_memory (EsDeviceProfile *profile)
{
  const EskLabMachine *machine = es_device_profile_get_machine (profile);
  const double caches = (double) MAX (machine->l2, machine->l3);
  double x, rate = find_most (profile, "lab-bandwidth", "footprint", "Read", BEHIND_CACHES * caches);

  /* Published ones have copies alone, bytes counted read and written. */
  if (rate == 0)
    rate = find_last (profile, "lab-bandwidth", "footprint", "Read", INFINITY, &x);
  if (rate == 0)
    rate = find (profile, "lab-bandwidth", "copy", "8 bytes", NAN);
  return rate;
}

/* Copied bytes were counted read and written; of what fits no cache, yet was not swapped. */
static double
read_copy (EsDeviceProfile *profile, const char *group)
{
  double x;

  return find_last (profile, "lab-host-access", group, "Pageable to pageable", 64.0 * 1048576, &x) / 2;
}

static void
read_host (EsRoofs *self, EsDeviceProfile *profile, EsRoofSource source, guint threads)
{
  const EskLabMachine *machine = es_device_profile_get_machine (profile);
  const guint all = MAX (machine->threads, 1);
  const double share = threads > 0 && threads < all ? (double) threads / all : 1;
  double x, memory = read_memory (profile);
  const double some = threads > 0 && threads < all
                      ? find_last (profile, "lab-bandwidth", "threads", "Read", threads, &x) : 0;
  const double one = find (profile, "lab-bandwidth", "threads", "Read", 1);

  /* Few threads do not reach what all do; more of them no more than those that were measured, times as many. */
  if (some > 0)
    memory = MIN (memory, some * threads / x);
  read_operations (profile, source, TRUE, share, self->host_operations);
  set (&self->host_memory, memory, source);
  set (&self->one_thread, one, source);
  set (&self->host_copy, read_copy (profile, "all-threads"), source);
  set (&self->one_copy, read_copy (profile, "one-thread"), source);
}

static void
read_card (EsRoofs *self, EsDeviceProfile *profile, EsRoofSource source)
{
  static const char *const locked[] = { "Registered", "Page-locked" };
  const double launch = find (profile, "lab-launch", "launch", "One of many in a stream", NAN);
  double x;

  read_operations (profile, source, FALSE, 1, self->operations);
  set (&self->memory, read_memory (profile), source);
  for (guint i = 0; i < G_N_ELEMENTS (locked); i++)
    {
      if (self->link_to.rate == 0)
        set (&self->link_to, find_last (profile, "lab-link", "to", locked[i], INFINITY, &x), source);
      if (self->link_from.rate == 0)
        set (&self->link_from, find_last (profile, "lab-link", "from", locked[i], INFINITY, &x), source);
    }
  set (&self->link_pageable, find_last (profile, "lab-link", "to", "Pageable", INFINITY, &x), source);
  set (&self->launches, launch > 0 ? 1 / launch : 0, source);
  /* What the host does for the card was measured with it. */
  set (&self->host_copy, read_copy (profile, "all-threads"), source);
  set (&self->one_copy, read_copy (profile, "one-thread"), source);
}

void
es_roofs_read (EsRoofs *self, EsDeviceProfile *profile, EsRoofSource source, gboolean of_cpu, guint threads)
{
  if (of_cpu)
    read_host (self, profile, source, threads);
  else
    read_card (self, profile, source);
}

/* ---- what is not known ---- */

static void
fill (EsRoof *roof, double rate)
{
  if (roof->rate == 0)
    set (roof, rate, ES_ROOF_ASSUMED);
}

void
es_roofs_assume (EsRoofs *self, guint threads)
{
  const double float32 = MAX (threads, 1) * ASSUMED_HERTZ * ASSUMED_OPERATIONS;
  const double memory = MIN (MAX (threads, 1) * ASSUMED_THREAD, ASSUMED_MEMORY);

  fill (&self->host_operations[ES_WORK_FLOAT32], float32);
  fill (&self->host_operations[ES_WORK_FLOAT64], float32 / 2);
  fill (&self->host_operations[ES_WORK_INT8], 4 * float32);
  fill (&self->host_operations[ES_WORK_INT16], 2 * float32);
  fill (&self->host_memory, memory);
  fill (&self->host_copy, memory / 2);
  fill (&self->one_thread, ASSUMED_THREAD);
  fill (&self->one_copy, ASSUMED_THREAD / 2);
}

void
es_roofs_settle (EsRoofs *self)
{
  if (!self->on_cpu)
    return;
  memcpy (self->operations, self->host_operations, sizeof self->operations);
  self->memory = self->host_memory;
}
