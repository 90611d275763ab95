/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Ticks as the plots have them, for what draws its axes itself. */
typedef struct
{
  double value;
  char  *label;                /* "−0.5", with a true minus */
} EsAxisTick;

/* Round values (1, 2, 5 times a power of ten) of from .. to, ascending, at most `most`; *factor: "×10⁴", what the
 * labels are to be multiplied with, NULL: 1. Both transfer full. */
GArray *es_axis_ticks_new      (double from, double to, guint most, char **factor);
/* Seconds between ticks of time, at least `least`: 1, 2, 5, 10, 30 s, 1, 2, 5 min, ... */
double  es_axis_time_step      (double least);
/* "00:12:31", "1 d 02:00:00"; with tenths where the step is under a second. Transfer full. */
char   *es_axis_format_time    (double seconds, double step);
/* The time of day so many seconds after a start, in its zone: "12:31:20.2". Transfer full. */
char   *es_axis_format_clock   (GDateTime *start, double seconds, double step);
/* The same for a tick: at midnight the day, "05-02". Transfer full. */
char   *es_axis_format_moment  (GDateTime *start, double seconds, double step);
/* With which a clock begins: what ticks at round times of day count from. */
double  es_axis_seconds_of_day (GDateTime *start);

G_END_DECLS
