/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-axis-ticks.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-plot-internal.h"

static void
clear_tick (gpointer data)
{
  g_free (((EsAxisTick *) data)->label);
}

GArray *
es_axis_ticks_new (double from, double to, guint most, char **factor)
{
  GArray *ticks = g_array_new (FALSE, TRUE, sizeof (EsAxisTick));
  EsPlotScale scale = { MIN (from, to), MAX (from, to), 0, 1, FALSE, FALSE };
  EsPlotTicks all;

  g_array_set_clear_func (ticks, clear_tick);
  *factor = NULL;
  if (!(scale.minimum < scale.maximum) || most == 0)
    return ticks;
  all = es_plot_ticks_new (&scale, most);
  *factor = g_steal_pointer (&all.factor);
  for (guint i = 0; i < all.ticks->len; i++)
    {
      EsPlotTick *tick = &g_array_index (all.ticks, EsPlotTick, i);
      EsAxisTick own = { tick->value, g_steal_pointer (&tick->label) };

      if (own.label != NULL)
        g_array_append_val (ticks, own);
    }
  es_plot_ticks_clear (&all);
  return ticks;
}

double
es_axis_time_step (double least)
{
  static const double steps[] = { 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
                                  3600, 7200, 3 * 3600, 6 * 3600, 12 * 3600, 86400 };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i] >= least)
      return steps[i];
  return 86400 * ceil (least / 86400);
}

char *
es_axis_format_clock (GDateTime *start, double seconds, double step)
{
  const int digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const double unit = digits == 0 ? 1 : digits == 1 ? 0.1 : 0.01;
  /* Rounded as a time of day, not as seconds from a start that has a fraction of its own. */
  const double fraction = g_date_time_get_microsecond (start) / 1e6;
  const double whole = isfinite (seconds) ? round ((seconds + fraction) / unit) * unit : NAN;
  const double rest = whole - floor (whole + unit / 4);
  g_autoptr (GDateTime) plain = g_date_time_add (start, -g_date_time_get_microsecond (start));
  g_autoptr (GDateTime) moment = fabs (whole) < 1e10 ? g_date_time_add_seconds (plain, floor (whole + unit / 4)) : NULL;
  g_autofree char *text = moment != NULL ? g_date_time_format (moment, "%H:%M:%S") : NULL;

  if (text == NULL)
    return g_strdup ("–");
  return digits == 0 ? g_steal_pointer (&text)
         : g_strdup_printf ("%s.%0*d", text, digits, (int) round (MAX (rest, 0) / unit));
}

char *
es_axis_format_moment (GDateTime *start, double seconds, double step)
{
  g_autofree char *clock = es_axis_format_clock (start, seconds, step);
  g_autoptr (GDateTime) day = NULL;

  if (step < 1 || strcmp (clock, "00:00:00") != 0)
    return g_steal_pointer (&clock);
  day = g_date_time_add_seconds (start, seconds + 0.5);
  return day != NULL ? g_date_time_format (day, "%m-%d") : g_steal_pointer (&clock);
}

double
es_axis_seconds_of_day (GDateTime *start)
{
  return 3600. * g_date_time_get_hour (start) + 60. * g_date_time_get_minute (start) + g_date_time_get_seconds (start);
}

char *
es_axis_format_time (double seconds, double step)
{
  int digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  double unit = digits == 0 ? 1 : digits == 1 ? 0.1 : 0.01;
  double whole = round (fabs (seconds) / unit) * unit;
  guint64 all = (guint64) floor (whole + unit / 4);
  guint days = (guint) (all / 86400), hours = (guint) (all / 3600 % 24), minutes = (guint) (all / 60 % 60);
  double rest = whole - (double) (all - all % 60);
  const char *sign = seconds < 0 && whole > 0 ? "−" : "";
  int width = digits == 0 ? 2 : 3 + digits;

  if (!isfinite (seconds))
    return g_strdup ("–");
  rest = MAX (rest, 0);
  if (days > 0)
    /* Translators: days, hours, minutes, seconds: "1 d 02:00:00" */
    return g_strdup_printf (_("%s%u d %02u:%02u:%0*.*f"), sign, days, hours, minutes, width, digits, rest);
  return g_strdup_printf ("%s%02u:%02u:%0*.*f", sign, hours, minutes, width, digits, rest);
}
