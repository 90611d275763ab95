/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Regions as text, as parameters and files have them. */

#include "es-region-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-text-internal.h"

/* Coordinates beyond this are not of any image. */
#define FARTHEST 1e12
/* Each row of pixels looks at all of them. */
#define MOST_CORNERS 100000

char *
es_region_format (const EsRegion *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->is_rectangle)
    g_string_printf (text, "rectangle %.0f %.0f %.0f %.0f", self->outline[0], self->outline[1],
                     self->outline[4] - self->outline[0], self->outline[5] - self->outline[1]);
  else if (self->outline != NULL)
    {
      g_string_append (text, "polygon");
      for (guint i = 0; i < 2 * self->n_corners; i++)
        {
          g_string_append_c (text, i % 2 == 0 ? ' ' : ',');
          es_text_append_number (text, self->outline[i]);
        }
    }
  else
    {
      g_string_append (text, "runs");
      for (gsize i = 0; i < self->n_runs; i++)
        {
          const EsRegionRun *run = &self->runs[i];
          if (i == 0 || run[-1].y != run->y)
            g_string_append_printf (text, " %" G_GINT64_FORMAT ":", run->y);
          else
            g_string_append_c (text, ',');
          g_string_append_printf (text, "%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, run->from, run->to);
        }
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gpointer
refuse (const char *text, GError **error)
{
  g_autofree char *clean = g_utf8_make_valid (text, -1);
  g_autofree char *shown = g_utf8_strlen (clean, -1) > 60 ? g_utf8_substring (clean, 0, 60) : g_strdup (clean);

  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is not a region: expected “rectangle X Y WIDTH HEIGHT”, “polygon X,Y X,Y X,Y” or “runs Y:X-X”."),
               shown);
  return NULL;
}

static gboolean
parse_number (const char **text, double *value)
{
  char *end;

  if (!g_ascii_isdigit (**text) && **text != '-' && **text != '+' && **text != '.')
    return FALSE;
  *value = g_ascii_strtod (*text, &end);
  if (end == *text || !isfinite (*value) || fabs (*value) > FARTHEST)
    return FALSE;
  *text = end;
  return TRUE;
}

/* Not negative. */
static gboolean
parse_index (const char **text, gint64 *value)
{
  char *end;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  *value = g_ascii_strtoll (*text, &end, 10);
  *text = end;
  return *value <= (gint64) FARTHEST;
}

static gboolean
take (const char **text, char expected)
{
  if (**text != expected)
    return FALSE;
  (*text)++;
  return TRUE;
}

static const char *
skip_space (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return text;
}

static EsRegion *
parse_rectangle (const char *text, const char *whole, GError **error)
{
  double values[4];

  for (guint i = 0; i < 4; i++)
    {
      text = skip_space (text);
      if (!parse_number (&text, &values[i]) || values[i] != floor (values[i]))
        return refuse (whole, error);
    }
  if (*skip_space (text) != '\0' || values[2] < 1 || values[3] < 1)
    return refuse (whole, error);
  return es_region_new_rectangle (values[0], values[1], values[2], values[3]);
}

static EsRegion *
parse_polygon (const char *text, const char *whole, GError **error)
{
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (double));

  for (text = skip_space (text); *text != '\0'; text = skip_space (text))
    {
      double x, y;

      if (!parse_number (&text, &x) || !take (&text, ',') || !parse_number (&text, &y))
        return refuse (whole, error);
      g_array_append_val (points, x);
      g_array_append_val (points, y);
    }
  if (points->len < 6)
    return refuse (whole, error);
  if (points->len > 2 * MOST_CORNERS)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A polygon has %u corners; %u are taken at most."), points->len / 2, MOST_CORNERS);
      return NULL;
    }
  return es_region_new_polygon ((const double *) points->data, points->len / 2);
}

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const EsRegionRun *first = a, *second = b;

  if (first->y != second->y)
    return first->y < second->y ? -1 : 1;
  return (first->from > second->from) - (first->from < second->from);
}

static EsRegion *
parse_runs (const char *text, const char *whole, GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (EsRegionRun));
  EsRegion *self;
  gsize n = 0;

  for (text = skip_space (text); *text != '\0'; text = skip_space (text))
    {
      EsRegionRun run;

      if (!parse_index (&text, &run.y) || !take (&text, ':'))
        return refuse (whole, error);
      do
        {
          if (!parse_index (&text, &run.from) || !take (&text, '-') || !parse_index (&text, &run.to)
              || run.to < run.from)
            return refuse (whole, error);
          g_array_append_val (runs, run);
        }
      while (take (&text, ','));
    }

  /* In order and apart, so that no pixel counts twice. */
  g_array_sort (runs, compare_runs);
  for (guint i = 0; i < runs->len; i++)
    {
      EsRegionRun *run = &g_array_index (runs, EsRegionRun, i);
      EsRegionRun *last = n > 0 ? &g_array_index (runs, EsRegionRun, n - 1) : NULL;

      if (last != NULL && last->y == run->y && run->from <= last->to + 1)
        last->to = MAX (last->to, run->to);
      else
        g_array_index (runs, EsRegionRun, n++) = *run;
    }
  self = es_region_alloc ();
  self->n_runs = n;
  self->runs = (EsRegionRun *) g_array_free (g_steal_pointer (&runs), FALSE);
  return self;
}

EsRegion *
es_region_parse (const char *text, GError **error)
{
  static const struct
  {
    const char *word;
    EsRegion *(*parse) (const char *text, const char *whole, GError **error);
  } kinds[] = { { "rectangle", parse_rectangle }, { "polygon", parse_polygon }, { "runs", parse_runs } };
  const char *start = skip_space (text);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const gsize length = strlen (kinds[i].word);
      if (strncmp (start, kinds[i].word, length) == 0 && (start[length] == '\0' || g_ascii_isspace (start[length])))
        return kinds[i].parse (start + length, text, error);
    }
  return refuse (text, error);
}
