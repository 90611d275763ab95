/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-resampler.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"

/* Of the Gaussian, that has to lie on values. */
#define COVERED 0.95
/* Deviations to either side; what is beyond is 2e-9 of it. */
#define REACH 6.0

/* One piece of the source between two samples, and what each of them counts. */
typedef struct
{
  guint  left, right;
  double left_weight, right_weight;
} Piece;

typedef enum { NONE, INTERPOLATED, INTEGRATED } How;

typedef struct
{
  How   how;
  guint first, n;              /* pieces */
} Band;

struct _EsResampler
{
  gatomicrefcount count;
  guint    n;
  Band    *bands;
  GArray  *pieces;             /* Piece */
  gboolean takes_spacing;
};

EsSpectralAxis *
es_spectral_axis_of_cube (EsCube *cube)
{
  return es_spectral_axis_new (es_cube_get_bands (cube), es_cube_get_wavelengths (cube), es_cube_get_fwhm (cube));
}

/* ---- one band ---- */

/* A run of the source in which wavelengths rise. */
typedef struct
{
  const EsSpectralAxis *axis;
  const double *x;
  guint         begin, end;
} Run;

static double
interval (const Run *run, guint i)
{
  return run->x[i + 1] - run->x[i];
}

/* The sample at or below x; run->begin <= i <= run->end - 2. */
static guint
find_interval (const Run *run, double x)
{
  guint low = run->begin, high = run->end - 1;

  while (high - low > 1)
    {
      const guint middle = (low + high) / 2;

      if (run->x[middle] <= x)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* The run in which the centre lies deepest. FALSE: in none. */
static gboolean
find_run (const EsSpectralAxis *axis, double centre, Run *run)
{
  const double *x = es_spectral_axis_get_wavelengths (axis);
  guint n;
  const guint *runs = es_spectral_axis_get_runs (axis, &n);
  double deepest = -1;

  for (guint i = 0; i < n; i++)
    {
      const double depth = MIN (centre - x[runs[i]], x[runs[i + 1] - 1] - centre);

      if (depth > deepest)
        {
          deepest = depth;
          *run = (Run) { axis, x, runs[i], runs[i + 1] };
        }
    }
  return deepest >= 0;
}

static gboolean
is_at (double x, double centre)
{
  return fabs (x - centre) <= 1e-9 * centre;
}

static void
add_piece (EsResampler *self, Band *band, Piece piece)
{
  g_array_append_val (self->pieces, piece);
  band->n++;
}

static void
interpolate (EsResampler *self, Band *band, const Run *run, double centre)
{
  if (run->end - run->begin == 1)
    {
      if (is_at (run->x[run->begin], centre))
        add_piece (self, band, (Piece) { run->begin, run->begin, 1, 0 });
    }
  else
    {
      const guint i = find_interval (run, centre);
      const double share = (centre - run->x[i]) / interval (run, i);

      if (is_at (run->x[i], centre) || is_at (run->x[i + 1], centre))
        {
          const guint at = is_at (run->x[i], centre) ? i : i + 1;
          add_piece (self, band, (Piece) { at, at, 1, 0 });
        }
      else if (!es_spectral_axis_has_gap (run->axis, i))
        add_piece (self, band, (Piece) { i, i + 1, 1 - share, share });
    }
  band->how = band->n > 0 ? INTERPOLATED : NONE;
}

/* The share of a Gaussian of unit deviation below t, and its density. */
static double
below (double t)
{
  return 0.5 * erfc (-t * M_SQRT1_2);
}

static double
density (double t)
{
  return exp (-0.5 * t * t) / sqrt (2 * G_PI);
}

/*
 * Over a piece from a to b, in deviations from the centre, a straight line from u to v weighted by the Gaussian g:
 * the integral of g is G = below (b) - below (a), that of t g is density (a) - density (b) = M, and the line is
 * u + (v - u) (t - a) / (b - a). So v counts (M - a G) / (b - a), and u the rest of G.
 */
static void
integrate (EsResampler *self, Band *band, const Run *run, double centre, double fwhm)
{
  const double deviation = fwhm / (2 * sqrt (2 * G_LN2));
  double covered = 0;
  guint i = find_interval (run, MAX (centre - REACH * deviation, run->x[run->begin]));

  for (; i + 1 < run->end && run->x[i] < centre + REACH * deviation; i++)
    {
      const double a = (run->x[i] - centre) / deviation, b = (run->x[i + 1] - centre) / deviation;
      const double mass = below (b) - below (a);
      const double right = (density (a) - density (b) - a * mass) / (b - a);

      if (es_spectral_axis_has_gap (run->axis, i) || !(mass > 0))
        continue;
      covered += mass;
      add_piece (self, band, (Piece) { i, i + 1, mass - right, right });
    }
  band->how = INTEGRATED;
  if (covered >= COVERED)
    return;
  g_array_set_size (self->pieces, band->first);
  band->n = 0;
  band->how = NONE;
}

/* Half the distance of the neighbours, within the target's own run; NAN where it has none. */
static double
spacing_at (const EsSpectralAxis *axis, guint band)
{
  const double *x = es_spectral_axis_get_wavelengths (axis);
  guint n;
  const guint *runs = es_spectral_axis_get_runs (axis, &n);
  guint i = 0;

  while (runs[i + 1] <= band)
    i++;
  if (band > runs[i] && band + 1 < runs[i + 1])
    return (x[band + 1] - x[band - 1]) / 2;
  if (band > runs[i])
    return x[band] - x[band - 1];
  return band + 1 < runs[i + 1] ? x[band + 1] - x[band] : NAN;
}

static void
make_band (EsResampler *self, Band *band, const EsSpectralAxis *from, double centre, double fwhm)
{
  const double *widths = es_spectral_axis_get_fwhm (from);
  Run run = { 0 };

  band->first = self->pieces->len;
  if (!find_run (from, centre, &run))
    return;
  if (run.end - run.begin > 1 && fwhm > 0)
    {
      const guint i = find_interval (&run, centre);
      const guint nearest = centre - run.x[i] < run.x[i + 1] - centre ? i : i + 1;

      if (interval (&run, i) <= fwhm / 2 && !(widths != NULL && widths[nearest] >= fwhm * (1 - 1e-6)))
        {
          integrate (self, band, &run, centre, fwhm);
          return;
        }
    }
  interpolate (self, band, &run, centre);
}

/* ---- all of them ---- */

EsResampler *
es_resampler_new (EsSpectralAxis *from, EsSpectralAxis *to, GError **error)
{
  const double *centres = es_spectral_axis_get_wavelengths (to), *widths = es_spectral_axis_get_fwhm (to);
  const gboolean same = es_spectral_axis_equal (from, to);
  EsResampler *self;

  if (es_spectral_axis_get_wavelengths (from) == NULL || centres == NULL)
    {
      g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                           centres == NULL
                           ? _("The cube's bands have no wavelengths, so that spectra cannot be brought to them.")
                           : _("The spectra have no wavelengths, so that they cannot be brought to other bands."));
      return NULL;
    }
  self = g_new0 (EsResampler, 1);
  g_atomic_ref_count_init (&self->count);
  self->n = es_spectral_axis_get_n (to);
  self->bands = g_new0 (Band, self->n);
  self->pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  self->takes_spacing = widths == NULL && !same;
  for (guint i = 0; i < self->n; i++)
    if (same)
      {
        self->bands[i].first = i;
        self->bands[i].how = INTERPOLATED;
        add_piece (self, &self->bands[i], (Piece) { i, i, 1, 0 });
      }
    else
      make_band (self, &self->bands[i], from, centres[i], widths != NULL ? widths[i] : spacing_at (to, i));
  return self;
}

EsResampler *
es_resampler_ref (EsResampler *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
es_resampler_unref (EsResampler *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  g_free (self->bands);
  g_array_unref (self->pieces);
  g_free (self);
}

void
es_resampler_run (const EsResampler *self, const double *values, double *out)
{
  for (guint b = 0; b < self->n; b++)
    {
      const Band *band = &self->bands[b];
      const Piece *pieces = &g_array_index (self->pieces, Piece, band->first);
      double sum = 0, covered = 0;

      for (guint i = 0; i < band->n; i++)
        {
          const double left = values[pieces[i].left], right = pieces[i].right_weight != 0 ? values[pieces[i].right] : 0;

          if (isnan (left) || isnan (right))
            continue;
          sum += pieces[i].left_weight * left + pieces[i].right_weight * right;
          covered += pieces[i].left_weight + pieces[i].right_weight;
        }
      out[b] = band->how != NONE && covered >= COVERED ? sum / covered : NAN;
    }
}

void
es_resampler_count (const EsResampler *self, guint *n_integrated, guint *n_interpolated, guint *n_missing)
{
  *n_integrated = *n_interpolated = *n_missing = 0;
  for (guint i = 0; i < self->n; i++)
    switch (self->bands[i].how)
      {
      case INTEGRATED:
        ++*n_integrated;
        break;
      case INTERPOLATED:
        ++*n_interpolated;
        break;
      default:
        ++*n_missing;
      }
}

gboolean
es_resampler_takes_spacing (const EsResampler *self)
{
  return self->takes_spacing;
}

static void
note_resampling (EsSpectralLibrary *library, const EsResampler *resampler)
{
  guint n_integrated, n_interpolated, n_missing;

  es_resampler_count (resampler, &n_integrated, &n_interpolated, &n_missing);
  es_spectral_library_add_note (library, _("Of %u bands, %u are averages under their Gaussian response, %u are "
                                           "interpolated, as the spectra are no finer than these, and %u lie where the "
                                           "spectra have no values."), resampler->n, n_integrated, n_interpolated,
                                n_missing);
  if (resampler->takes_spacing)
    es_spectral_library_add_note (library, _("The cube does not tell the widths of its bands; the spacing of bands was "
                                             "taken for them."));
}

EsSpectralLibrary *
es_spectral_library_resample (EsSpectralLibrary *self, EsSpectralAxis *to, GCancellable *cancellable, GError **error)
{
  const guint n_bands = es_spectral_axis_get_n (to);
  g_autoptr (EsSpectralLibrary) library = es_spectral_library_new (es_spectral_library_get_name (self));
  g_autoptr (GHashTable) resamplers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) es_resampler_unref);
  g_autofree double *values = g_new (double, n_bands);

  es_spectral_library_set_unit (library, es_spectral_library_get_unit (self));
  for (guint i = 0; i < es_spectral_library_get_n (self); i++)
    {
      EsSpectrum *spectrum = es_spectral_library_get (self, i);
      EsSpectralAxis *axis = es_spectrum_get_axis (spectrum);
      EsResampler *resampler = g_hash_table_lookup (resamplers, axis);
      g_autoptr (EsSpectrum) made = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (resampler == NULL)
        {
          if ((resampler = es_resampler_new (axis, to, error)) == NULL)
            return NULL;
          g_hash_table_insert (resamplers, axis, resampler);
          note_resampling (library, resampler);
        }
      es_resampler_run (resampler, es_spectrum_get_values (spectrum), values);
      made = es_spectrum_new (es_spectrum_get_name (spectrum), to, values, es_spectrum_get_details (spectrum));
      es_spectral_library_add (library, made);
    }
  return g_steal_pointer (&library);
}
