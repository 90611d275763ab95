/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How many components are kept, and the curves that describe a linear reduction. */

#include "es-reduction-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Of an array of rows. */
#define ROW_THREADS 2

double
es_reduction_relative_scale (EsCube *cube, guint first, guint band)
{
  double unit = es_cube_get_scale (cube, first), scale = es_cube_get_scale (cube, band);

  return unit != 0 && scale != unit ? scale / unit : 1;
}

/* hyperspectral.md 2.1, step 3. */
guint
es_reduction_select (const double *values, guint n, double total, double threshold, gint64 wanted)
{
  g_autofree double *sums = NULL;
  double sum = 0;

  if (wanted > 0)
    return MIN (wanted, n);
  sums = g_new (double, n);
  /* As the curve has them, to the last digit: what is dragged there is what comes out here. */
  for (guint i = 0; i < n; i++)
    {
      sum += values[i];
      sums[i] = 100 * sum / total;
    }
  return es_curve_count_reaching (sums, n, threshold * 100);
}

EsCurve *
es_reduction_make_scree (const double *values, guint n, double total, const char *title, const char *value_title,
                         const char *unit, const char *key, double threshold, guint by_number)
{
  g_autofree double *x = g_new (double, n);
  g_autofree double *value = g_new (double, n);
  g_autofree double *cumulative = g_new (double, n);
  double sum = 0;
  EsCurve *curve;

  for (guint i = 0; i < n; i++)
    {
      sum += values[i];
      x[i] = i + 1;
      value[i] = values[i] > 0 ? values[i] : NAN;
      cumulative[i] = 100 * sum / total;
    }

  curve = es_curve_new ("eigenvalues", title, "scree", n, x, _("Component"), NULL);
  es_curve_add_series (curve, value_title, unit, ES_CURVE_BARS, FALSE, value);
  es_curve_add_series (curve, _("Cumulative share"), "%", ES_CURVE_LINE, TRUE, cumulative);
  es_curve_set_log_y (curve, TRUE);
  if (key != NULL)
    es_curve_set_threshold (curve, key, by_number > 0 ? es_curve_get_kept_share (curve, by_number) : threshold);
  return curve;
}

EsCurve *
es_reduction_make_band_curve (EsCube *cube, const char *name, const char *title, const char *role)
{
  guint bands = es_cube_get_bands (cube);
  const double *wavelengths = es_cube_get_wavelengths (cube);
  g_autofree double *x = g_new (double, bands);

  for (guint i = 0; i < bands; i++)
    x[i] = wavelengths != NULL ? wavelengths[i] : i + 1;
  return es_curve_new (name, title, role, bands, x, wavelengths != NULL ? _("Wavelength") : _("Band"),
                       wavelengths != NULL ? "nm" : NULL);
}

static void
add_band_series (EsCurve *curve, const guint32 *bands, guint n, const char *title, const char *unit, EsCurveStyle style,
                 const double *used)
{
  guint length = es_curve_get_length (curve);
  g_autofree double *y = g_new (double, length);

  for (guint i = 0; i < length; i++)
    y[i] = NAN;
  for (guint i = 0; i < n; i++)
    y[bands[i]] = used[i];
  es_curve_add_series (curve, title, unit, style, FALSE, y);
}

void
es_reduction_add_band_series (EsCurve *curve, const guint32 *bands, guint n, const char *title, const char *unit,
                              const double *used)
{
  add_band_series (curve, bands, n, title, unit, ES_CURVE_LINE, used);
}

void
es_reduction_get_unit (EsCube *cube, EsReduction *self, guint i, double *scale, double *offset)
{
  *scale = es_cube_get_scale (cube, self->bands[i]);
  *offset = es_cube_get_offset (cube, self->bands[i]);
  if (self->minimum == NULL)
    return;
  *offset += *scale * self->minimum[i];
  *scale *= (self->maximum[i] - self->minimum[i]) / 255;
}

void
es_reduction_add_spectrum (EsCurve *curve, EsCube *cube, EsReduction *self, const char *title, const double *used,
                           gboolean is_difference)
{
  g_autofree double *values = g_new (double, self->n), *stored = g_new (double, self->n);
  gboolean scaled = FALSE;

  for (guint i = 0; i < self->n; i++)
    {
      double scale, offset;

      es_reduction_get_unit (cube, self, i, &scale, &offset);
      values[i] = used[i] * scale + (is_difference ? 0 : offset);
      stored[i] = (values[i] - (is_difference ? 0 : es_cube_get_offset (cube, self->bands[i])))
                  / es_cube_get_scale (cube, self->bands[i]);
      /* Without rounding where there is nothing to round. */
      if (self->minimum == NULL)
        stored[i] = used[i];
      scaled = scaled || es_cube_is_scaled (cube, self->bands[i]);
    }
  add_band_series (curve, self->bands, self->n, title, es_cube_name_unit (cube), ES_CURVE_LINE, values);
  if (scaled)
    add_band_series (curve, self->bands, self->n, title, _("stored"), ES_CURVE_LISTED, stored);
}

/* The brackets of "W/(m² sr)" are needed, those of "stored" would stand inside others on an axis. */
static char *
square_of (const char *unit)
{
  return strpbrk (unit, " /·*^²,") != NULL ? g_strdup_printf ("(%s)²", unit) : g_strdup_printf ("%s²", unit);
}

char *
es_reduction_name_variance (EsCube *cube, EsReduction *self, gboolean correlation)
{
  const guint32 first = self->bands[0];

  if (correlation)
    return NULL;
  /* Values of bands whose scales differ are brought to that of the first: no other band's stored ones are meant. */
  for (guint i = 0; self->minimum == NULL && es_cube_is_scaled (cube, first) && i < self->n; i++)
    if (es_reduction_relative_scale (cube, first, self->bands[i]) != 1)
      {
        g_autofree char *unit = g_strdup_printf (_("stored, by the scale of band %u"), first + 1);

        return square_of (unit);
      }
  return square_of (self->minimum != NULL ? _("8 bit")
                    : es_cube_is_scaled (cube, first) ? _("stored") : es_cube_name_unit (cube));
}

JsonArray *
es_reduction_number_array (const double *values, gsize n, double factor)
{
  JsonArray *array = json_array_sized_new (n);

  for (gsize i = 0; i < n; i++)
    json_array_add_double_element (array, values[i] * factor);
  return array;
}

/* ---- beside the projection ---- */

GThread *
es_reduction_tell_aside (GThreadFunc tell, gpointer data)
{
  GThread *thread = g_thread_try_new ("es-describe", tell, data, NULL);

  if (thread == NULL)
    tell (data);
  return thread;
}

/* Every ROW_THREADS-th row is a thread's. */
typedef struct
{
  EsNumberRows *owner;
  GThread      *thread;                     /* NULL: it is done */
  gsize         first;
} RowThread;

struct _EsNumberRows
{
  const double *values;
  gsize         rows, n, row_step, step;
  JsonArray   **arrays;                     /* rows */
  RowThread     threads[ROW_THREADS];
};

static gpointer
make_rows (gpointer data)
{
  RowThread *thread = data;
  EsNumberRows *self = thread->owner;

  for (gsize i = thread->first; i < self->rows; i += ROW_THREADS)
    {
      JsonArray *row = json_array_sized_new (self->n);

      for (gsize k = 0; k < self->n; k++)
        json_array_add_double_element (row, self->values[i * self->row_step + k * self->step]);
      self->arrays[i] = row;
    }
  return NULL;
}

EsNumberRows *
es_reduction_start_rows (const double *values, gsize rows, gsize n, gsize row_step, gsize step)
{
  EsNumberRows *self = g_new0 (EsNumberRows, 1);

  *self = (EsNumberRows) { .values = values, .rows = rows, .n = n, .row_step = row_step, .step = step,
                           .arrays = g_new (JsonArray *, rows) };
  for (gsize i = 0; i < ROW_THREADS; i++)
    {
      self->threads[i].owner = self;
      self->threads[i].first = i;
      self->threads[i].thread = es_reduction_tell_aside (make_rows, &self->threads[i]);
    }
  return self;
}

JsonArray *
es_reduction_finish_rows (EsNumberRows *self)
{
  JsonArray *array = json_array_sized_new (self->rows);

  for (gsize i = 0; i < ROW_THREADS; i++)
    if (self->threads[i].thread != NULL)
      g_thread_join (self->threads[i].thread);
  for (gsize i = 0; i < self->rows; i++)
    json_array_add_array_element (array, self->arrays[i]);
  g_free (self->arrays);
  g_free (self);
  return array;
}
