/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-params-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-order.h"

#define MOST_ANGLES 100000
#define MOST_RANGES 10000
#define MOST_METRES 1e9
#define MOST_HERTZ 1e9
#define MOST_SAMPLES (1 << 26)

static gboolean
refuse (GError **error, const char *text, const char *expected)
{
  g_autofree char *shown = g_utf8_make_valid (text, -1);

  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, _("“%s” cannot be read: expected %s."), shown,
               expected);
  return FALSE;
}

/* A finite number with nothing but space round it; `unit` behind it may be left out. */
static gboolean
read_number (const char *text, const char *unit, double *value)
{
  char *end = NULL;

  while (g_ascii_isspace (*text))
    text++;
  /* Neither "0x1p3" nor "infinity" is what people write. */
  if (strpbrk (text, "xXnN") != NULL)
    return FALSE;
  *value = g_ascii_strtod (text, &end);
  if (end == text || !isfinite (*value))
    return FALSE;
  while (g_ascii_isspace (*end))
    end++;
  if (unit != NULL && g_ascii_strncasecmp (end, unit, strlen (unit)) == 0)
    end += strlen (unit);
  while (g_ascii_isspace (*end))
    end++;
  return *end == '\0';
}

/* "10:169:1" as numbers, at most `most`; FALSE: not of that form, or none or too many. */
static gboolean
read_sequence (const char *text, guint most, GArray *values)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 4);
  double from, to, step;

  if (g_strv_length (parts) != 3 || !read_number (parts[0], NULL, &from) || !read_number (parts[1], NULL, &to)
      || !read_number (parts[2], NULL, &step) || step == 0)
    return FALSE;

  /* The end is included although 0.1 is no binary number. */
  const double steps = floor ((to - from) / step + 1e-6);
  if (!(steps >= 0) || steps + 1 + values->len > most)
    return FALSE;
  for (guint i = 0; i <= (guint) steps; i++)
    {
      /* Rounded so that 10:20:0.1 has 10.3, not 10.299999999999999. */
      double value = from + i * step, rounded = rint (value * 1e6) / 1e6;
      if (fabs (rounded - value) < 1e-9)
        value = rounded;
      g_array_append_val (values, value);
    }
  return TRUE;
}

gboolean
es_parse_band (const char *text, double *low, double *high, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ":", 3);

  if (g_strv_length (parts) == 2 && read_number (parts[0], "Hz", low) && read_number (parts[1], "Hz", high) && *low >= 0
      && *high > *low && *high <= MOST_HERTZ)
    return TRUE;
  return refuse (error, text, _("a band in hertz, LOW:HIGH, as in “320:480”"));
}

static gboolean
is_monotonic (GArray *values)
{
  gboolean rises = TRUE, falls = TRUE;

  for (guint i = 1; i < values->len; i++)
    {
      const double step = g_array_index (values, double, i) - g_array_index (values, double, i - 1);

      rises = rises && step > 0;
      falls = falls && step < 0;
    }
  return rises || falls;
}

gboolean
es_parse_angles (const char *text, double **angles, guint *n, GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (GStrv) items = g_strsplit (text, ",", MOST_ANGLES + 1);
  gboolean good = items[0] != NULL;

  for (guint i = 0; good && items[i] != NULL; i++)
    {
      double angle;
      if (strchr (items[i], ':') != NULL)
        good = read_sequence (items[i], MOST_ANGLES, values);
      else if ((good = read_number (items[i], "°", &angle)))
        g_array_append_val (values, angle);
    }
  good = good && values->len <= MOST_ANGLES;
  for (guint i = 0; good && i < values->len; i++)
    good = fabs (g_array_index (values, double, i)) <= 360;
  if (!good)
    return refuse (error, text, _("angles in degrees, FROM:TO:STEP or a list, 1 to 100,000 of them between -360 and "
                                  "360, as in “10:169:1”"));
  /* Peaks are looked for between neighbours. */
  if (!is_monotonic (values))
    {
      g_array_sort (values, es_compare_doubles);
      for (guint i = values->len; i-- > 1;)
        if (g_array_index (values, double, i) == g_array_index (values, double, i - 1))
          g_array_remove_index (values, i);
    }
  *n = values->len;
  *angles = (double *) g_array_free (g_steal_pointer (&values), FALSE);
  return TRUE;
}

static gboolean
has_doubles (const GArray *values)
{
  g_autofree double *sorted = g_memdup2 (values->data, sizeof (double) * values->len);

  qsort (sorted, values->len, sizeof (double), es_compare_doubles);
  for (guint i = 0; i + 1 < values->len; i++)
    if (sorted[i] == sorted[i + 1])
      return TRUE;
  return FALSE;
}

gboolean
es_parse_ranges (const char *text, double **ranges, guint *n, GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  g_auto (GStrv) items = g_strsplit (text, ",", MOST_RANGES + 1);
  gboolean good = items[0] != NULL;

  for (guint i = 0; good && items[i] != NULL; i++)
    {
      double range = INFINITY;
      g_strstrip (items[i]);
      if (strchr (items[i], ':') != NULL)
        good = read_sequence (items[i], MOST_RANGES, values);
      else if (g_ascii_strcasecmp (items[i], "far") == 0 || (good = read_number (items[i], "m", &range)))
        g_array_append_val (values, range);
    }
  good = good && values->len <= MOST_RANGES;
  for (guint i = 0; good && i < values->len; i++)
    {
      const double range = g_array_index (values, double, i);
      good = isinf (range) || (range > 0 && range <= MOST_METRES);
    }
  if (!good || has_doubles (values))
    return refuse (error, text, _("distances in metres above 0 and “far”, each once and at most 10,000, as in "
                                  "“far,50,100,200”"));
  *n = values->len;
  *ranges = (double *) g_array_free (g_steal_pointer (&values), FALSE);
  return TRUE;
}

gboolean
es_parse_block (const char *text, double rate, guint *samples, GError **error)
{
  g_autofree char *number = g_strstrip (g_strdup (text));
  const gsize length = strlen (number);
  double factor = 1, value;

  if (g_str_has_suffix (number, "ms"))
    {
      factor = rate / 1000;
      number[length - 2] = '\0';
    }
  else if (g_str_has_suffix (number, "s"))
    {
      factor = rate;
      number[length - 1] = '\0';
    }
  if (!read_number (number, NULL, &value) || value <= 0 || (factor == 1 && value != rint (value)))
    return refuse (error, text, _("a length such as “1s”, “500ms” or “8192” (samples)"));

  const double count = rint (value * factor);
  if (!(count >= 2 && count <= MOST_SAMPLES))
    {
      g_autofree char *shown = g_utf8_make_valid (text, -1);
      if (rate > 0)
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                     _("A block of “%s” is %.12g samples at %g Hz: expected from 2 to %d."), shown, count, rate,
                     MOST_SAMPLES);
      else
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                     _("“%s” is no length of a block: expected from 2 to %d samples."), shown, MOST_SAMPLES);
      return FALSE;
    }
  *samples = (guint) count;
  return TRUE;
}

/* ---- what can be said without a recording ---- */

gboolean
es_beam_check_band (const char *text, GError **error)
{
  double low, high;

  return es_parse_band (text, &low, &high, error);
}

gboolean
es_beam_check_angles (const char *text, GError **error)
{
  g_autofree double *angles = NULL;
  guint n;

  return es_parse_angles (text, &angles, &n, error);
}

gboolean
es_beam_check_ranges (const char *text, GError **error)
{
  g_autofree double *ranges = NULL;
  guint n;

  return es_parse_ranges (text, &ranges, &n, error);
}

gboolean
es_beam_check_bearing (const char *text, GError **error)
{
  char *end;
  const double value = g_ascii_strtod (text, &end);

  if (end != text && *end == '\0' && isfinite (value) && fabs (value) <= 360)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is no bearing: expected degrees, as in 57.5."), text);
  return FALSE;
}

gboolean
es_beam_check_block (const char *text, GError **error)
{
  guint samples;
  g_autoptr (GError) local_error = NULL;

  /* Whether seconds are too few or too many depends on the rate; at one of these any sensible text is good. */
  if (es_parse_block (text, 1000, &samples, NULL) || es_parse_block (text, 1e6, &samples, NULL)
      || es_parse_block (text, 0, &samples, &local_error))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}
