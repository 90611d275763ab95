/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* The share of a block that sound may need to cross the array (sonar.md 10). */
#define LARGEST_TRANSIT 0.1
/* Arrays of microphones have their elements so close, and are no longer. */
#define AIR_SPACING 0.2
/* Of its length, between the highest element and the lowest. */
#define LEAST_HEIGHT 0.05
#define AIR_LENGTH 10.0
/* m/s: fresh water at the freezing point and hot brine, with some room; arctic air, and a hot day's. */
#define WATER_LEAST 1380.0
#define WATER_MOST 1650.0
#define AIR_LEAST 300.0
#define AIR_MOST 370.0

static void
check_channels (EsArray *self, guint n_channels, GPtrArray *warnings)
{
  const EsElement *elements = es_array_get_elements (self);
  guint missing = 0, first = 0;

  for (guint k = 0; k < es_array_get_n_elements (self); k++)
    if (!elements[k].dead && elements[k].channel >= n_channels)
      if (missing++ == 0)
        first = k;
  if (missing > 0)
    g_ptr_array_add (warnings, g_strdup_printf (
      ngettext ("%u element has a channel that the recording lacks: element %u has channel %u, but there are %u, "
                "counted from 0.",
                "%u elements have channels that the recording lacks: element %u has channel %u, but there are %u, "
                "counted from 0.", missing),
      missing, first + 1, elements[first].channel, n_channels));
  else if (n_channels > es_array_get_n_elements (self))
    g_ptr_array_add (warnings, g_strdup_printf (
      ngettext ("The recording has %u channel, the array %u elements: the rest is not used.",
                "The recording has %u channels, the array %u elements: the rest is not used.", n_channels),
      n_channels, es_array_get_n_elements (self)));
}

static void
check_spacing (EsArray *self, double f_high, GPtrArray *warnings)
{
  const double c = es_array_get_sound_speed (self), spacing = es_array_get_spacing (self);

  if (es_array_get_n_elements (self) < 2 || !(spacing > c / (2 * f_high) * (1 + 1e-6)))
    return;

  g_autofree char *apart = es_array_format_metres (spacing), *half = es_array_format_metres (c / (2 * f_high));
  if (es_array_is_line (self) && es_array_is_uniform (self))
    g_ptr_array_add (warnings, g_strdup_printf (
      _("Grating lobes: elements are %s apart, over half a wavelength (%s at %.10g Hz); above %.10g Hz one source can "
        "show at several bearings."),
      apart, half, es_array_round (f_high), es_array_round (c / (2 * spacing))));
  else
    g_ptr_array_add (warnings, g_strdup_printf (
      _("Side lobes: neighbouring elements are %s apart, over half a wavelength (%s at %.10g Hz); above %.10g Hz one "
        "source can show in several directions."),
      apart, half, es_array_round (f_high), es_array_round (c / (2 * spacing))));
}

static void
check_ranges (EsArray *self, double f_high, const double *ranges, guint n_ranges, GPtrArray *warnings)
{
  const double length = es_array_get_length (self);
  const double limit = 2 * length * length * f_high / es_array_get_sound_speed (self);
  guint beyond = 0, within = 0;
  gboolean far = FALSE;

  for (guint i = 0; i < n_ranges; i++)
    {
      far = far || isinf (ranges[i]);
      beyond += !isinf (ranges[i]) && ranges[i] > limit;
      within += !isinf (ranges[i]) && ranges[i] <= limit;
    }
  if (length <= 0)
    return;

  g_autofree char *distance = es_array_format_metres (limit);
  if (beyond > 0)
    g_ptr_array_add (warnings, g_strdup_printf (
      ngettext ("%u range is beyond %s, where the array can no longer tell it from far at %.10g Hz.",
                "%u ranges are beyond %s, where the array can no longer tell them from far at %.10g Hz.", beyond),
      beyond, distance, es_array_round (f_high)));
  if (far && within == 0 && n_ranges == 1)
    g_ptr_array_add (warnings, g_strdup_printf (
      _("Far field: sources nearer than %s are blurred at %.10g Hz; near ranges would focus them."),
      distance, es_array_round (f_high)));
}

static void
check_transit (EsArray *self, double block_seconds, GPtrArray *warnings)
{
  const EsElement *elements = es_array_get_elements (self);
  double farthest = 0, origin[3];

  /* max |Dl| is from the origin. */
  es_array_get_origin_place (self, origin);
  for (guint k = 0; k < es_array_get_n_elements (self); k++)
    if (!elements[k].dead)
      {
        const double x = elements[k].x - origin[0], y = elements[k].y - origin[1], z = elements[k].z - origin[2];
        farthest = MAX (farthest, sqrt (x * x + y * y + z * z));
      }
  const double transit = farthest / es_array_get_sound_speed (self);
  if (transit > LARGEST_TRANSIT * block_seconds)
    g_ptr_array_add (warnings, g_strdup_printf (
      _("Sound takes %.3g s from the array's origin to its farthest element, over a tenth of a transform (%.3g s): "
        "levels are too low off broadside; %.3g s would do, by longer blocks or fewer snapshots."),
      transit, block_seconds, transit / LARGEST_TRANSIT));
}

char **
es_array_check (EsArray *self, guint n_channels, double f_high, const double *ranges, guint n_ranges,
                double block_seconds)
{
  g_autoptr (GPtrArray) warnings = g_ptr_array_new ();

  if (es_array_get_doubt (self, n_channels) != NULL)
    g_ptr_array_add (warnings, g_strdup (self->doubt));
  if (n_channels > 0)
    check_channels (self, n_channels, warnings);
  if (f_high > 0)
    check_spacing (self, f_high, warnings);
  if (block_seconds > 0)
    check_transit (self, block_seconds, warnings);
  if (f_high > 0)
    check_ranges (self, f_high, ranges, n_ranges, warnings);
  g_ptr_array_add (warnings, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&warnings), FALSE);
}

char *
es_array_warn_of_sound_speed (EsArray *self)
{
  const double spacing = es_array_get_spacing (self), speed = es_array_get_sound_speed (self);

  if (es_array_is_sound_speed_told (self))
    {
      if ((speed >= WATER_LEAST && speed <= WATER_MOST) || (speed >= AIR_LEAST && speed <= AIR_MOST))
        return NULL;
      return g_strdup_printf (_("%.5g m/s is the speed of sound neither in water (1,380 to 1,650 m/s) nor in air "
                                "(300 to 370 m/s): bearings and ranges depend on it."), speed);
    }
  if (!(spacing > 0) || spacing > AIR_SPACING || es_array_get_length (self) > AIR_LENGTH)
    return g_strdup_printf (_("Nobody has told the speed of sound: %.5g m/s is assumed, on which bearings and ranges "
                              "depend."), speed);
  g_autofree char *apart = es_array_format_metres (spacing);
  return g_strdup_printf (_("Nobody has told the speed of sound: %.5g m/s, as in water, is assumed, but elements are "
                            "%s apart, as microphones are: in air it is about 343 m/s, and bearings and ranges are "
                            "wrong with another."), speed, apart);
}

char *
es_array_warn_of_horizon (EsArray *self)
{
  const EsElement *elements = es_array_get_elements (self);
  double low = INFINITY, high = -INFINITY;

  for (guint k = 0; k < es_array_get_n_elements (self); k++)
    if (!elements[k].dead)
      {
        low = fmin (low, elements[k].z);
        high = fmax (high, elements[k].z);
      }
  /* A cable that sags hardly hears the difference, and a line has cones. */
  if (es_array_is_line (self) || !(high - low > LEAST_HEIGHT * es_array_get_length (self)))
    return NULL;
  return g_strdup (_("Beams look along the horizon only, at elevation 0°, while this array hears heights as well: what "
                     "comes from above or below reads too low, or from elsewhere; “localize” looks everywhere."));
}
