/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* How long something takes on a machine that may be doing other things: a test of it fails where the program works or
 * waits too long, and not where it was kept waiting. */

#include <time.h>

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint64 time, work; /* us: of the clock, and of all threads of this process on processors */
} EsTestClock;

static inline EsTestClock
es_test_clock_read (void)
{
  struct timespec work;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &work);
  return (EsTestClock) { g_get_monotonic_time (), (gint64) work.tv_sec * G_USEC_PER_SEC + work.tv_nsec / 1000 };
}

/* Seconds since FROM: those that have passed, or where that is less those that this process has worked. Who only waits
 * has a tenth of the seconds that have passed against it. */
static inline double
es_test_clock_since (EsTestClock from)
{
  const EsTestClock now = es_test_clock_read ();
  const gint64 passed = now.time - from.time;

  return 1e-6 * (double) MIN (passed, MAX (now.work - from.work, passed / 10));
}

G_END_DECLS
