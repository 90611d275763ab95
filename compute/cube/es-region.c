/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-internal.h"

/* Coordinates beyond this are not of any image. */
#define FARTHEST 1e12
/* Each row of pixels looks at all of them. */
#define MOST_CORNERS 100000

/* Pixels from..to of row y, both in it. */
typedef struct
{
  gint64 y, from, to;
} Run;

struct _EsRegion
{
  gatomicrefcount references;
  gboolean  is_rectangle;
  double   *outline;           /* n_corners pairs; NULL: a set of pixels */
  guint     n_corners;
  Run      *runs;              /* by y, then from; apart from each other */
  gsize     n_runs;
};

static EsRegion *
region_new (void)
{
  EsRegion *self = g_new0 (EsRegion, 1);

  g_atomic_ref_count_init (&self->references);
  return self;
}

EsRegion *
es_region_ref (EsRegion *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_region_unref (EsRegion *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->outline);
  g_free (self->runs);
  g_free (self);
}

EsRegion *
es_region_new_rectangle (gint64 x, gint64 y, gint64 width, gint64 height)
{
  const double left = x, top = y, right = left + MAX (width, 0), bottom = top + MAX (height, 0);
  EsRegion *self = es_region_new_polygon ((double[]) { left, top, right, top, right, bottom, left, bottom }, 4);

  self->is_rectangle = TRUE;
  return self;
}

EsRegion *
es_region_new_polygon (const double *points, guint n)
{
  EsRegion *self = region_new ();

  self->outline = g_memdup2 (points, 2 * (gsize) n * sizeof (double));
  self->n_corners = n;
  return self;
}

EsRegion *
es_region_new_mask (const guint8 *mask, guint64 width, guint64 height)
{
  EsRegion *self = region_new ();
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Run));

  for (guint64 y = 0; y < height; y++, mask += width)
    for (guint64 x = 0; x < width; x++)
      {
        Run run = { y, x, x };

        if (mask[x] == 0)
          continue;
        while (x + 1 < width && mask[x + 1] != 0)
          x++;
        run.to = x;
        g_array_append_val (runs, run);
      }
  self->n_runs = runs->len;
  self->runs = (Run *) g_array_free (g_steal_pointer (&runs), FALSE);
  return self;
}

const double *
es_region_get_outline (const EsRegion *self, guint *n)
{
  *n = self->n_corners;
  return self->outline;
}

/* ---- which pixels ---- */

/* The pixels from..to of a row, clipped. */
typedef void (*SpanFunc) (gint64 from, gint64 to, gpointer data);

static int
compare_doubles (const void *a, const void *b)
{
  const double first = *(const double *) a, second = *(const double *) b;

  return (first > second) - (first < second);
}

static void
polygon_row (const EsRegion *self, gint64 y, gint64 left, gint64 right, double *crossings, SpanFunc span, gpointer data)
{
  const double centre = y + 0.5;
  guint n = 0;

  for (guint i = 0, j = self->n_corners - 1; i < self->n_corners; j = i++)
    {
      const double *a = self->outline + 2 * j, *b = self->outline + 2 * i;
      if ((a[1] <= centre) != (b[1] <= centre))
        crossings[n++] = a[0] + (b[0] - a[0]) * ((centre - a[1]) / (b[1] - a[1]));
    }
  qsort (crossings, n, sizeof *crossings, compare_doubles);
  for (guint i = 0; i + 1 < n; i += 2)
    {
      const double from = MAX (ceil (crossings[i] - 0.5), left);
      const double to = MIN (ceil (crossings[i + 1] - 0.5) - 1, right);
      if (from <= to)
        span (from, to, data);
    }
}

/* The first run of row y, or of the first row after it that has any. */
static gsize
find_row (const EsRegion *self, gint64 y)
{
  gsize low = 0, high = self->n_runs;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;
      if (self->runs[middle].y < y)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
for_row (const EsRegion *self, gint64 y, gint64 left, gint64 right, double *crossings, SpanFunc span, gpointer data)
{
  if (self->outline != NULL)
    {
      polygon_row (self, y, left, right, crossings, span, data);
      return;
    }
  for (gsize i = find_row (self, y); i < self->n_runs && self->runs[i].y == y; i++)
    {
      const gint64 from = MAX (self->runs[i].from, left), to = MIN (self->runs[i].to, right);
      if (from <= to)
        span (from, to, data);
    }
}

/* The rows that may have pixels in 0..height - 1; FALSE: none. */
static gboolean
find_rows (const EsRegion *self, guint64 height, gint64 *top, gint64 *bottom)
{
  double first, last;

  if (self->outline != NULL)
    {
      first = last = self->outline[1];
      for (guint i = 1; i < self->n_corners; i++)
        {
          first = MIN (first, self->outline[2 * i + 1]);
          last = MAX (last, self->outline[2 * i + 1]);
        }
      first = floor (first);
      last = ceil (last);
    }
  else if (self->n_runs > 0)
    {
      first = self->runs[0].y;
      last = self->runs[self->n_runs - 1].y;
    }
  else
    return FALSE;
  if (height == 0 || last < 0 || first > (double) (height - 1))
    return FALSE;
  *top = MAX (first, 0);
  *bottom = MIN (last, (double) (height - 1));
  return TRUE;
}

typedef struct
{
  guint64 count;               /* of the pixels in all spans */
  gint64  left, right, top, bottom, y;
} Extent;

static void
extend (gint64 from, gint64 to, gpointer data)
{
  Extent *extent = data;

  if (extent->count == 0)
    {
      extent->top = extent->y;
      extent->left = from;
      extent->right = to;
    }
  extent->left = MIN (extent->left, from);
  extent->right = MAX (extent->right, to);
  extent->bottom = extent->y;
  extent->count += to - from + 1;
}

static Extent
measure (const EsRegion *self, guint64 width, guint64 height)
{
  g_autofree double *crossings = g_new (double, self->n_corners + 1);
  Extent extent = { 0 };
  gint64 top, bottom;

  if (width > 0 && find_rows (self, height, &top, &bottom))
    for (extent.y = top; extent.y <= bottom; extent.y++)
      for_row (self, extent.y, 0, width - 1, crossings, extend, &extent);
  return extent;
}

gboolean
es_region_get_bounds (const EsRegion *self, guint64 width, guint64 height, guint64 *x, guint64 *y,
                      guint64 *bounds_width, guint64 *bounds_height)
{
  const Extent extent = measure (self, width, height);

  if (extent.count == 0)
    return FALSE;
  *x = extent.left;
  *y = extent.top;
  *bounds_width = extent.right - extent.left + 1;
  *bounds_height = extent.bottom - extent.top + 1;
  return TRUE;
}

guint64
es_region_count (const EsRegion *self, guint64 width, guint64 height)
{
  return measure (self, width, height).count;
}

typedef struct
{
  guint8 *row;
  gint64  left;
} Fill;

static void
fill_span (gint64 from, gint64 to, gpointer data)
{
  Fill *fill = data;

  memset (fill->row + (from - fill->left), 1, to - from + 1);
}

void
es_region_fill_mask (const EsRegion *self, guint64 x, guint64 y, guint64 window_width, guint64 window_height,
                     guint8 *mask)
{
  g_autofree double *crossings = g_new (double, self->n_corners + 1);
  gint64 top, bottom;

  memset (mask, 0, window_width * window_height);
  if (window_width == 0 || !find_rows (self, y + window_height, &top, &bottom))
    return;
  for (gint64 row = MAX (top, (gint64) y); row <= bottom; row++)
    {
      Fill fill = { mask + (row - (gint64) y) * window_width, x };
      for_row (self, row, x, x + window_width - 1, crossings, fill_span, &fill);
    }
}

/* ---- as text ---- */

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
          const Run *run = &self->runs[i];
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
  const Run *first = a, *second = b;

  if (first->y != second->y)
    return first->y < second->y ? -1 : 1;
  return (first->from > second->from) - (first->from < second->from);
}

static EsRegion *
parse_runs (const char *text, const char *whole, GError **error)
{
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (Run));
  EsRegion *self;
  gsize n = 0;

  for (text = skip_space (text); *text != '\0'; text = skip_space (text))
    {
      Run run;

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
      Run *run = &g_array_index (runs, Run, i), *last = n > 0 ? &g_array_index (runs, Run, n - 1) : NULL;
      if (last != NULL && last->y == run->y && run->from <= last->to + 1)
        last->to = MAX (last->to, run->to);
      else
        g_array_index (runs, Run, n++) = *run;
    }
  self = region_new ();
  self->n_runs = n;
  self->runs = (Run *) g_array_free (g_steal_pointer (&runs), FALSE);
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
