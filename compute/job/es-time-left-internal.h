/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * One estimate of the time that is left, over all steps of a job: its progress is weighted by what the steps are
 * expected to cost, and the rate is what has been measured of late. It counts down: what comes out never
 * grows, but where the work has become slower by much and for long, and then by as much. Zeroed memory is a new one.
 * Its clock is whatever it is told.
 */
typedef struct
{
  gboolean begun, known;
  double   begin, begin_progress;
  double   last, last_progress;
  double   time, work;               /* of late: older ones count less */
  double   left;                     /* what was said last */
  double   slower_since;             /* negative: it is not */
} EsTimeLeft;

/* now: seconds, progress: 0..1. Seconds; negative: nothing is known. */
double es_time_left_update (EsTimeLeft *self, double now, double progress);

G_END_DECLS
