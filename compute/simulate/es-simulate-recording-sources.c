/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-recording-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-internal.h"

#define MOST_SOURCES 10000
#define MOST_HERTZ 1e9
/* Noise reaches so many standard deviations once in 10^15 samples. */
#define NOISE_PEAK 8.0
/* What a propeller's modulation makes of it at most; see es-simulate-recording-signal.c. */
#define PROPELLER_PEAK 1.85

static const char *const kinds[ES_N_SOURCE_KINDS] = { "tone", "noise", "propeller" };

/* ---- text ---- */

static gboolean
refuse (guint number, const char *item, const char *expected, GError **error)
{
  g_autofree char *shown = g_utf8_make_valid (item, -1);

  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, _("Source %u, “%s”, cannot be read: expected %s."),
               number + 1, shown, expected);
  return FALSE;
}

static gboolean
read_number (const char *text, double low, double high, double *value)
{
  g_autofree char *plain = g_strstrip (g_strdup (text));
  char *end = NULL;

  *value = g_ascii_strtod (plain, &end);
  return end != plain && *end == '\0' && *value >= low && *value <= high && isfinite (*value);
}

static gboolean
read_option (EsSource *source, const char *option)
{
  g_auto (GStrv) pair = g_strsplit (option, "=", 2);
  double value;

  if (g_strv_length (pair) != 2)
    return FALSE;
  g_strstrip (pair[0]);
  g_strstrip (pair[1]);
  if (strcmp (pair[0], "range") == 0 && g_ascii_strcasecmp (pair[1], "far") == 0)
    source->range = INFINITY;
  else if (strcmp (pair[0], "range") == 0)
    return read_number (pair[1], 1e-3, 1e9, &source->range);
  else if (strcmp (pair[0], "rate") == 0)
    return read_number (pair[1], -36000, 36000, &source->bearing_rate);
  else if (strcmp (pair[0], "elevation") == 0)
    return read_number (pair[1], -90, 90, &source->elevation);
  else if (strcmp (pair[0], "shaft") == 0 && source->kind == ES_SOURCE_PROPELLER)
    return read_number (pair[1], 0, 1e4, &source->shaft);
  else if (strcmp (pair[0], "blades") == 0 && source->kind == ES_SOURCE_PROPELLER)
    return read_number (pair[1], 1, 100, &source->blades) && source->blades == rint (source->blades);
  else if (strcmp (pair[0], "copy") == 0 && read_number (pair[1], 1, MOST_SOURCES, &value) && value == rint (value))
    source->copy = (guint) value;
  else if (strcmp (pair[0], "harmonics") == 0 && source->kind == ES_SOURCE_TONE
           && read_number (pair[1], 1, 1000, &value) && value == rint (value))
    source->harmonics = (guint) value;
  else
    return FALSE;
  return TRUE;
}

static gboolean
read_frequencies (EsSource *source, const char *text)
{
  g_auto (GStrv) band = g_strsplit (text, ":", 3);

  if (source->kind == ES_SOURCE_TONE)
    {
      source->high = 0;
      return read_number (text, 1e-3, MOST_HERTZ, &source->low);
    }
  return g_strv_length (band) == 2 && read_number (band[0], 0, MOST_HERTZ, &source->low)
         && read_number (band[1], 1e-3, MOST_HERTZ, &source->high) && source->high > source->low;
}

static gboolean
is_range (const char *option)
{
  g_auto (GStrv) pair = g_strsplit (option, "=", 2);

  return pair[0] != NULL && pair[1] != NULL && strcmp (g_strstrip (pair[0]), "range") == 0;
}

static gboolean
read_source (guint number, const char *item, EsSource *source, GError **error)
{
  g_auto (GStrv) fields = g_strsplit (item, ",", -1);
  const guint n = g_strv_length (fields);
  guint kind = 0;

  *source = (EsSource) { .range = INFINITY, .shaft = 2, .blades = 4, .harmonics = 1 };
  if (n > 0)
    g_strstrip (fields[0]);
  while (kind < ES_N_SOURCE_KINDS && (n == 0 || strcmp (fields[0], kinds[kind]) != 0))
    kind++;
  if (kind == ES_N_SOURCE_KINDS)
    return refuse (number, item, _("“tone”, “noise” or “propeller”, then its bearing, level and frequency, as in "
                                   "“noise,123,0,300:440”"), error);
  source->kind = kind;
  if (n < 4 || !read_number (fields[1], -360, 360, &source->bearing))
    return refuse (number, item, _("a bearing in degrees behind its kind, then level and frequency"), error);
  if (!read_number (fields[2], -300, 300, &source->level))
    return refuse (number, item, _("a level in dB from -300 to 300 as third"), error);
  if (!read_frequencies (source, fields[3]))
    return refuse (number, item, kind == ES_SOURCE_TONE ? _("a frequency in Hz as fourth")
                                                        : _("a band in Hz, LOW:HIGH, as fourth"), error);
  for (guint i = 4; i < n; i++)
    if (!read_option (source, fields[i]) && is_range (fields[i]))
      return refuse (number, item, _("range= with metres from 0.001 to 1,000,000,000, or far, behind"), error);
    else if (!read_option (source, fields[i]))
      return refuse (number, item,
                     kind == ES_SOURCE_TONE ? _("range=, rate=, elevation= or harmonics= with a number behind")
                                   : kind == ES_SOURCE_NOISE ? _("range=, rate= or elevation= with a number behind")
                                   : _("range=, rate=, elevation=, shaft= or blades= with a number behind"), error);
  return TRUE;
}

/* What can only be said once all before it are known. */
static gboolean
check_copy (const GArray *sources, const EsSource *source, const char *item, GError **error)
{
  const EsSource *of = source->copy > 0 && source->copy <= sources->len
                       ? &g_array_index (sources, EsSource, source->copy - 1) : NULL;

  return source->copy == 0
         || (of != NULL && of->kind == source->kind && of->low == source->low && of->high == source->high
             && of->harmonics == source->harmonics)
         || refuse (sources->len, item,
                    _("copy= with the number of an earlier source of the same kind and frequencies"), error);
}

gboolean
es_sources_parse (const char *text, GArray **sources, GError **error)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (EsSource));
  g_auto (GStrv) items = g_strsplit (text, ";", -1);

  for (guint i = 0; items[i] != NULL; i++)
    {
      EsSource source;
      /* "a;b;" has two; "none" has none. */
      g_strstrip (items[i]);
      if (*items[i] == '\0' || g_ascii_strcasecmp (items[i], "none") == 0)
        continue;
      if (!read_source (found->len, items[i], &source, error) || !check_copy (found, &source, items[i], error))
        return FALSE;
      g_array_append_val (found, source);
      if (found->len > MOST_SOURCES)
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                       _("A scene of more than %d sources cannot be simulated."), MOST_SOURCES);
          return FALSE;
        }
    }
  *sources = g_steal_pointer (&found);
  return TRUE;
}

gboolean
es_simulate_check_sources (const char *text, GError **error)
{
  g_autoptr (GArray) sources = NULL;

  return es_sources_parse (text, &sources, error);
}

static void
append_option (GString *text, const char *key, double value, double usual)
{
  if (value == usual)
    return;
  g_string_append_printf (text, ",%s=", key);
  es_text_append_number (text, value);
}

char *
es_sources_to_text (const GArray *sources)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < sources->len; i++)
    {
      const EsSource *s = &g_array_index (sources, EsSource, i);
      g_string_append_printf (text, "%s%s,", i == 0 ? "" : ";", kinds[s->kind]);
      es_text_append_number (text, s->bearing);
      g_string_append_c (text, ',');
      es_text_append_number (text, s->level);
      g_string_append_c (text, ',');
      es_text_append_number (text, s->low);
      if (s->kind != ES_SOURCE_TONE)
        {
          g_string_append_c (text, ':');
          es_text_append_number (text, s->high);
        }
      if (s->kind == ES_SOURCE_TONE)
        append_option (text, "harmonics", s->harmonics, 1);
      if (s->kind == ES_SOURCE_PROPELLER)
        {
          append_option (text, "shaft", s->shaft, NAN);
          append_option (text, "blades", s->blades, NAN);
        }
      append_option (text, "rate", s->bearing_rate, 0);
      append_option (text, "elevation", s->elevation, 0);
      append_option (text, "copy", s->copy, 0);
      if (!isinf (s->range))
        append_option (text, "range", s->range, NAN);
    }
  if (text->len == 0)
    g_string_append (text, "none");
  return g_string_free (text, FALSE);
}

/* ---- geometry ---- */

gboolean
es_source_moves (const EsSource *source)
{
  return source->bearing_rate != 0;
}

guint
es_source_origin (const GArray *sources, guint source)
{
  /* A copy is always of an earlier one. */
  for (guint copy = g_array_index (sources, EsSource, source).copy; copy > 0 && copy <= source;
       copy = g_array_index (sources, EsSource, source).copy)
    source = copy - 1;
  return source;
}

EsSourcePlace
es_source_place (EsArray *array, const EsSource *source, double seconds)
{
  const double bearing = (source->bearing + source->bearing_rate * seconds / 60) * G_PI / 180;
  const double elevation = source->elevation * G_PI / 180, distance = isinf (source->range) ? 1 : source->range;
  double along[3] = { 1, 0, 0 }, across[3] = { 0, 1, 0 }, up[3] = { 0, 0, 1 };
  double a, b, c;

  if (es_array_is_line (array))
    {
      /* Bearing is the angle from the axis, elevation turns about it. */
      es_array_get_axis (array, along);
      const double level = hypot (along[0], along[1]);
      if (level > 1e-9)
        memcpy (across, (double[]) { -along[1] / level, along[0] / level, 0 }, sizeof across);
      up[0] = along[1] * across[2] - along[2] * across[1];
      up[1] = along[2] * across[0] - along[0] * across[2];
      up[2] = along[0] * across[1] - along[1] * across[0];
      a = cos (bearing);
      b = sin (bearing) * cos (elevation);
      c = sin (bearing) * sin (elevation);
    }
  else
    {
      a = cos (elevation) * cos (bearing);
      b = cos (elevation) * sin (bearing);
      c = sin (elevation);
    }
  return (EsSourcePlace) { distance * (a * along[0] + b * across[0] + c * up[0]),
                           distance * (a * along[1] + b * across[1] + c * up[1]),
                           distance * (a * along[2] + b * across[2] + c * up[2]) };
}

double
es_source_delay (const EsRecordingScene *scene, const EsSource *source, EsSourcePlace p, const EsElement *element)
{
  const double x = element->x - scene->origin[0], y = element->y - scene->origin[1], z = element->z - scene->origin[2];
  const double projected = p.x * x + p.y * y + p.z * z, squared = x * x + y * y + z * z;

  if (isinf (source->range))
    return -projected / scene->sound_speed;
  /* |p - x| - |p| without the difference of two large numbers. */
  const double from = sqrt (p.x * p.x + p.y * p.y + p.z * p.z);
  const double to = sqrt ((p.x - x) * (p.x - x) + (p.y - y) * (p.y - y) + (p.z - z) * (p.z - z));
  return (squared - 2 * projected) / (from + to) / scene->sound_speed;
}

double
es_sources_peak (const GArray *sources, double ambient)
{
  /* Of what copies of one signal add up to. */
  g_autofree double *together = g_new0 (double, (gsize) sources->len + 1);
  double tones = 0, power = ambient * ambient;

  for (guint i = 0; i < sources->len; i++)
    {
      const EsSource *s = &g_array_index (sources, EsSource, i);
      const double level = pow (10, s->level / 20);
      if (s->kind == ES_SOURCE_TONE)
        tones += level * sqrt (2.0 * s->harmonics);
      else
        together[es_source_origin (sources, i)] += level * (s->kind == ES_SOURCE_PROPELLER ? PROPELLER_PEAK : 1);
    }
  for (guint i = 0; i < sources->len; i++)
    power += together[i] * together[i];
  return tones + NOISE_PEAK * sqrt (power);
}
