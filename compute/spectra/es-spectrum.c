/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectrum.h"

#include <math.h>
#include <string.h>

#include "base/es-text-show.h"

/* A step so many times as wide as those beside it leaves bands out. */
#define GAP 5.0

struct _EsSpectralAxis
{
  gatomicrefcount count;
  guint   n, n_runs;
  double *wavelengths, *fwhm;
  guint  *runs, *order;
};

struct _EsSpectrum
{
  GObject parent_instance;

  char           *name, *details;
  EsSpectralAxis *axis;
  double         *values;
  guint           n_valid;
};

G_DEFINE_FINAL_TYPE (EsSpectrum, es_spectrum, G_TYPE_OBJECT)

static int
compare_bands (gconstpointer a, gconstpointer b, gpointer data)
{
  const double *wavelengths = data;
  const guint i = *(const guint *) a, k = *(const guint *) b;

  if (wavelengths != NULL && wavelengths[i] != wavelengths[k])
    return wavelengths[i] < wavelengths[k] ? -1 : 1;
  return i < k ? -1 : i > k;
}

EsSpectralAxis *
es_spectral_axis_new (guint n, const double *wavelengths, const double *fwhm)
{
  EsSpectralAxis *self = g_new0 (EsSpectralAxis, 1);

  g_atomic_ref_count_init (&self->count);
  self->n = n;
  self->wavelengths = wavelengths != NULL ? g_memdup2 (wavelengths, n * sizeof (double)) : NULL;
  self->fwhm = wavelengths != NULL && fwhm != NULL ? g_memdup2 (fwhm, n * sizeof (double)) : NULL;
  self->runs = g_new0 (guint, n + 2);
  self->order = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      self->order[i] = i;
      if (i == 0 || (wavelengths != NULL && !(wavelengths[i] > wavelengths[i - 1])))
        self->runs[self->n_runs++] = i;
    }
  self->runs[self->n_runs] = n;
  g_qsort_with_data (self->order, (int) n, sizeof (guint), compare_bands, self->wavelengths);
  return self;
}

EsSpectralAxis *
es_spectral_axis_ref (EsSpectralAxis *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
es_spectral_axis_unref (EsSpectralAxis *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  g_free (self->wavelengths);
  g_free (self->fwhm);
  g_free (self->runs);
  g_free (self->order);
  g_free (self);
}

guint
es_spectral_axis_get_n (const EsSpectralAxis *self)
{
  return self->n;
}

const double *
es_spectral_axis_get_wavelengths (const EsSpectralAxis *self)
{
  return self->wavelengths;
}

const double *
es_spectral_axis_get_fwhm (const EsSpectralAxis *self)
{
  return self->fwhm;
}

const guint *
es_spectral_axis_get_runs (const EsSpectralAxis *self, guint *n)
{
  *n = self->n_runs;
  return self->runs;
}

const guint *
es_spectral_axis_get_order (const EsSpectralAxis *self)
{
  return self->order;
}

gboolean
es_spectral_axis_has_gap (const EsSpectralAxis *self, guint i)
{
  const double *x = self->wavelengths;
  double step, beside = 0;

  if (x == NULL || i + 1 >= self->n || !(x[i + 1] > x[i]))
    return FALSE;
  step = x[i + 1] - x[i];
  if (i > 0 && x[i] > x[i - 1])
    beside = x[i] - x[i - 1];
  if (i + 2 < self->n && x[i + 2] > x[i + 1])
    beside = MAX (beside, x[i + 2] - x[i + 1]);
  return beside > 0 && step > GAP * beside;
}

static gboolean
lists_equal (const double *a, const double *b, guint n)
{
  return a == b || (a != NULL && b != NULL && memcmp (a, b, n * sizeof (double)) == 0);
}

gboolean
es_spectral_axis_equal (const EsSpectralAxis *a, const EsSpectralAxis *b)
{
  return a == b || (a->n == b->n && lists_equal (a->wavelengths, b->wavelengths, a->n)
                    && lists_equal (a->fwhm, b->fwhm, a->n));
}

/* ---- spectra ---- */

static void
es_spectrum_finalize (GObject *object)
{
  EsSpectrum *self = ES_SPECTRUM (object);

  g_free (self->name);
  g_free (self->details);
  g_clear_pointer (&self->axis, es_spectral_axis_unref);
  g_free (self->values);
  G_OBJECT_CLASS (es_spectrum_parent_class)->finalize (object);
}

static void
es_spectrum_class_init (EsSpectrumClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_spectrum_finalize;
}

static void
es_spectrum_init (EsSpectrum *self)
{
}

EsSpectrum *
es_spectrum_new (const char *name, EsSpectralAxis *axis, const double *values, const char *details)
{
  EsSpectrum *self = g_object_new (ES_TYPE_SPECTRUM, NULL);

  self->name = es_text_show (name != NULL ? name : "");
  self->details = details != NULL && *details != '\0' ? es_text_show_lines (details) : NULL;
  self->axis = es_spectral_axis_ref (axis);
  self->values = g_new (double, axis->n);
  for (guint i = 0; i < axis->n; i++)
    {
      self->values[i] = isfinite (values[i]) ? values[i] : NAN;
      self->n_valid += isfinite (values[i]) != 0;
    }
  return self;
}

const char *
es_spectrum_get_name (EsSpectrum *self)
{
  return self->name;
}

EsSpectralAxis *
es_spectrum_get_axis (EsSpectrum *self)
{
  return self->axis;
}

const double *
es_spectrum_get_values (EsSpectrum *self)
{
  return self->values;
}

guint
es_spectrum_get_n (EsSpectrum *self)
{
  return self->axis->n;
}

guint
es_spectrum_count_valid (EsSpectrum *self)
{
  return self->n_valid;
}

const char *
es_spectrum_get_details (EsSpectrum *self)
{
  return self->details;
}
