/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "es-plot-internal.h"

#define MINUS "\u2212"

double
es_plot_scale_to_pixel (const EsPlotScale *self, double value)
{
  double share;

  if (self->logarithmic)
    share = (log10 (value) - log10 (self->minimum)) / (log10 (self->maximum) - log10 (self->minimum));
  else
    share = (value - self->minimum) / (self->maximum - self->minimum);
  return self->from + (self->to - self->from) * share;
}

double
es_plot_scale_to_value (const EsPlotScale *self, double pixel)
{
  double share = (pixel - self->from) / (self->to - self->from);

  share = CLAMP (share, 0, 1);
  if (share == 0)
    return self->minimum;
  if (share == 1)
    return self->maximum;
  if (self->logarithmic)
    return pow (10, log10 (self->minimum) + (log10 (self->maximum) - log10 (self->minimum)) * share);
  return self->minimum + (self->maximum - self->minimum) * share;
}

/* The locale's decimal point, a real minus, "1.2×10⁻⁷" rather than "1.2e-07". */
static char *
typeset (const char *number)
{
  static const char *const raised[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  GString *text = g_string_new (NULL);
  const char *exponent = strchr (number, 'e');

  for (const char *c = number; *c != 0 && c != exponent; c++)
    if (*c == '-')
      g_string_append (text, MINUS);
    else
      g_string_append_c (text, *c);

  if (exponent != NULL)
    {
      gboolean leading = TRUE;

      g_string_append (text, "×10");
      for (const char *c = exponent + 1; *c != 0; c++)
        {
          if (*c == '-')
            g_string_append (text, "⁻");
          if (!g_ascii_isdigit (*c) || (leading && *c == '0'))
            continue;
          leading = FALSE;
          g_string_append (text, raised[*c - '0']);
        }
    }
  return g_string_free (text, FALSE);
}

char *
es_plot_format (double value, int digits)
{
  g_autofree char *number = NULL;

  if (isnan (value))
    return g_strdup ("–");
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : MINUS "∞");
  number = g_strdup_printf ("%.*g", digits, value == 0 ? 0.0 : value);
  return typeset (number);
}

char *
es_plot_format_bytes (double value)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
  guint unit = 0;

  while (isfinite (value) && fabs (value) >= 1024 && unit + 1 < G_N_ELEMENTS (units))
    {
      value /= 1024;
      unit++;
    }
  g_autofree char *number = es_plot_format (value, 4);
  return g_strdup_printf ("%s %s", number, units[unit]);
}

static char *
format_power (int exponent)
{
  g_autofree char *number = g_strdup_printf ("e%d", exponent);
  g_autofree char *text = typeset (number);

  return exponent == 0 ? g_strdup ("1") : g_strdup (text + strlen ("×"));
}

static void
add_tick (EsPlotTicks *self, const EsPlotScale *scale, double value, char *label)
{
  EsPlotTick tick = { value, es_plot_scale_to_pixel (scale, value), label };

  g_array_append_val (self->ticks, tick);
}

static double
round_step (double span, guint max_ticks)
{
  static const double factors[] = { 1, 2, 5, 10 };
  double rough = span / MAX (max_ticks, 1);
  double decade = pow (10, floor (log10 (rough)));

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if (factors[i] * decade >= rough * (1 - 1e-9))
      return factors[i] * decade;
  return 10 * decade;
}

static void
add_linear (EsPlotTicks *self, const EsPlotScale *scale, guint max_ticks)
{
  double low = MIN (scale->minimum, scale->maximum), high = MAX (scale->minimum, scale->maximum);
  double step = round_step (high - low, max_ticks);
  double largest = MAX (fabs (low), fabs (high));

  if (scale->whole)
    step = MAX (step, 1);

  double first = ceil (low / step - 1e-6), last = floor (high / step + 1e-6);
  int shift = 0;

  /* From 100,000 on and below a thousandth, labels share a power of ten. */
  if (largest >= 1e5 || largest < 1e-2)
    shift = (int) floor (log10 (largest) + 1e-9);
  if (shift != 0)
    {
      g_autofree char *power = format_power (shift);
      self->factor = g_strconcat ("×", power, NULL);
    }

  int decimals = MAX (0, (int) -floor (log10 (step) + 1e-9) + shift);
  if (last - first > 1000)     /* a span that double precision cannot divide */
    return;
  for (double i = first; i <= last; i++)
    {
      double value = i * step;
      g_autofree char *number = g_strdup_printf ("%.*f", MIN (decimals, 15), i == 0 ? 0 : value / pow (10, shift));

      add_tick (self, scale, value, typeset (number));
    }
}

static char *
format_decade (int exponent, double factor, gboolean plain)
{
  if (plain)
    {
      g_autofree char *number = g_strdup_printf ("%.*f", MAX (0, -exponent), factor * pow (10, exponent));
      return typeset (number);
    }

  g_autofree char *power = format_power (exponent);
  return factor == 1 ? g_steal_pointer (&power) : g_strdup_printf ("%g×%s", factor, power);
}

static void
add_logarithmic (EsPlotTicks *self, const EsPlotScale *scale, guint max_ticks)
{
  double low = log10 (scale->minimum), high = log10 (scale->maximum);
  int first = (int) floor (low + 1e-9), last = (int) ceil (high - 1e-9);
  int whole = (int) floor (high + 1e-9) - (int) ceil (low - 1e-9) + 1;      /* decades inside */
  gboolean plain = first >= -3 && last <= 4;
  int every = 1;

  if (max_ticks == 0)
    return;
  while (whole > every * (int) max_ticks)
    every++;

  /* With a decade or less in sight, 2 and 5 get labels too; with nothing of that, plain steps do. */
  gboolean label_inner = whole <= 2 && max_ticks >= 3;
  if (high - low < 0.5)
    {
      EsPlotScale linear = *scale;
      GArray *ticks = self->ticks;

      linear.logarithmic = FALSE;
      add_linear (self, &linear, max_ticks);
      for (guint i = 0; i < ticks->len; i++)
        {
          EsPlotTick *tick = &g_array_index (ticks, EsPlotTick, i);
          tick->pixel = es_plot_scale_to_pixel (scale, tick->value);
        }
      return;
    }

  for (int exponent = first; exponent <= last; exponent++)
    for (int factor = 1; factor <= 9; factor++)
      {
        double place = log10 (factor) + exponent;
        gboolean major = factor == 1 ? exponent % every == 0 : label_inner && (factor == 2 || factor == 5);

        if (place < low - 1e-9 || place > high + 1e-9)
          continue;
        if (factor > 1 && every > 1)
          continue;
        add_tick (self, scale, factor * pow (10, exponent), major ? format_decade (exponent, factor, plain) : NULL);
      }
}

static char *
format_binary (const EsPlotScale *scale, double value)
{
  return scale->bytes ? es_plot_format_bytes (value) : es_plot_format (value, 6);
}

/* Every power of two has a tick; labels at every 1st, 2nd, 5th or 10th, so that "1 KiB" and "1 MiB" are among them. Of
 * less than two powers, even steps of one. */
static void
add_binary (EsPlotTicks *self, const EsPlotScale *scale, guint max_ticks)
{
  static const int steps[] = { 1, 2, 5, 10, 20 };
  const double low = log2 (scale->minimum), high = log2 (scale->maximum);
  const int first = (int) ceil (low - 1e-9), last = (int) floor (high + 1e-9);
  guint at = 0;

  if (max_ticks == 0)
    return;
  if (last <= first)
    {
      const double step = exp2 (ceil (log2 ((scale->maximum - scale->minimum) / max_ticks)));

      for (double value = ceil (scale->minimum / step) * step; value <= scale->maximum && step > 0; value += step)
        add_tick (self, scale, value, format_binary (scale, value));
      return;
    }
  while (at + 1 < G_N_ELEMENTS (steps) && (last - first) / steps[at] + 1 > (int) max_ticks)
    at++;
  for (int exponent = first; exponent <= last; exponent++)
    add_tick (self, scale, exp2 (exponent),
              exponent % steps[at] == 0 ? format_binary (scale, exp2 (exponent)) : NULL);
}

static void
clear_tick (gpointer data)
{
  g_free (((EsPlotTick *) data)->label);
}

EsPlotTicks
es_plot_ticks_new (const EsPlotScale *scale, guint max_ticks)
{
  EsPlotTicks self = { g_array_new (FALSE, FALSE, sizeof (EsPlotTick)), NULL };

  g_array_set_clear_func (self.ticks, clear_tick);
  if (scale->logarithmic && scale->binary)
    add_binary (&self, scale, max_ticks);
  else if (scale->logarithmic)
    add_logarithmic (&self, scale, max_ticks);
  else
    add_linear (&self, scale, max_ticks);
  return self;
}

void
es_plot_ticks_clear (EsPlotTicks *self)
{
  g_clear_pointer (&self->ticks, g_array_unref);
  g_clear_pointer (&self->factor, g_free);
}
