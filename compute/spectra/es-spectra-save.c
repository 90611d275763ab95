/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Libraries to files: ENVI spectral libraries, and tables. */

#include "es-spectra-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-text-internal.h"
#include "saving/es-output-internal.h"
#include "writers/es-companion-internal.h"
#include "writers/es-envi-text-internal.h"

/* What USGS writes where there is no value, and most programs know. */
#define MISSING (-1.23e34)
#define LINE_END "\r\n"

static gboolean
has_ending (const char *path, const char *ending)
{
  const gsize whole = strlen (path), length = strlen (ending);

  return whole > length && g_ascii_strcasecmp (path + whole - length, ending) == 0;
}

static void
append_list (GString *header, const char *field, const double *values, guint n)
{
  g_string_append_printf (header, "%s = {\n ", field);
  for (guint i = 0; i < n; i++)
    {
      es_text_append_number (header, values[i]);
      g_string_append (header, i + 1 == n ? "}\n" : i % 8 == 7 ? ",\n " : ", ");
    }
}

static GString *
make_header (EsSpectralLibrary *library, const EsSpectralAxis *axis)
{
  const guint n = es_spectral_library_get_n (library), n_bands = es_spectral_axis_get_n (axis);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  const char *unit = es_spectral_library_get_unit (library);
  GString *header = g_string_new ("ENVI\n");
  gboolean missing = FALSE;

  g_string_append_printf (header,
                          "samples = %u\nlines = %u\nbands = 1\nheader offset = 0\n"
                          "file type = ENVI Spectral Library\ndata type = 5\ninterleave = bsq\nbyte order = 0\n",
                          n_bands, n);
  for (guint i = 0; i < n; i++)
    {
      EsSpectrum *spectrum = es_spectral_library_get (library, i);

      names[i] = es_spectrum_get_name (spectrum);
      missing = missing || es_spectrum_count_valid (spectrum) < n_bands;
    }
  if (missing)
    g_string_append (header, "data ignore value = -1.23e+34\n");
  if (unit != NULL)
    {
      g_autofree char *titles = g_strdelimit (g_strdup (unit), ",", ';');
      g_autofree char *both = g_strconcat ("Wavelength, ", titles, NULL);

      es_envi_append_text (header, "z plot titles", both);
    }
  es_envi_append_names (header, "spectra names", names, n);
  if (es_spectral_axis_get_wavelengths (axis) != NULL)
    {
      g_string_append (header, "wavelength units = Nanometers\n");
      append_list (header, "wavelength", es_spectral_axis_get_wavelengths (axis), n_bands);
    }
  if (es_spectral_axis_get_fwhm (axis) != NULL)
    append_list (header, "fwhm", es_spectral_axis_get_fwhm (axis), n_bands);
  return header;
}

static gboolean
write_values (EsSpectralLibrary *library, guint n_bands, const EsOutput *output, GError **error)
{
  g_autofree guint64 *words = g_new (guint64, n_bands);

  for (guint i = 0; i < es_spectral_library_get_n (library); i++)
    {
      const double *values = es_spectrum_get_values (es_spectral_library_get (library, i));

      for (guint b = 0; b < n_bands; b++)
        {
          const double value = isnan (values[b]) ? MISSING : values[b];

          memcpy (&words[b], &value, sizeof value);
          words[b] = GUINT64_TO_LE (words[b]);
        }
      if (!es_file_write_at (output->fd, output->path, words, n_bands * sizeof (guint64),
                             (guint64) i * n_bands * sizeof (guint64), error))
        return FALSE;
    }
  return TRUE;
}

gboolean
es_spectra_write_sli (EsSpectralLibrary *library, const char *path, GError **error)
{
  EsSpectralAxis *axis = es_spectral_library_get_axis (library);
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *stem = g_strndup (path, strlen (path) - 4), *data = g_strconcat (stem, ".sli", NULL);
  g_autofree char *header_path = g_strconcat (stem, ".hdr", NULL);
  const EsOutput *output;

  if (axis == NULL)
    {
      g_autofree char *shown = g_path_get_basename (path);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” cannot hold these spectra: an ENVI library has one list of wavelengths, and they have "
                     "several; a CSV can, and so can spectra that are resampled to the bands of a cube."), shown);
      return FALSE;
    }
  if (has_ending (path, ".sli"))
    {
      g_free (data);
      data = g_strdup (path);
    }
  if (!es_companion_check (data, header_path, NULL, error))
    return FALSE;
  output = es_outputs_add (outputs, data, FALSE, error);
  if (output == NULL || !write_values (library, es_spectral_axis_get_n (axis), output, error))
    return FALSE;
  output = es_outputs_add (outputs, header_path, FALSE, error);
  if (output == NULL)
    return FALSE;
  g_autoptr (GString) header = make_header (library, axis);
  return es_file_write (output->fd, output->path, header->str, header->len, error)
         && es_outputs_commit (outputs, error);
}

/* ---- tables ---- */

/* The spectra from first on that have the same axis. */
static guint
find_block (EsSpectralLibrary *library, guint first)
{
  EsSpectralAxis *axis = es_spectrum_get_axis (es_spectral_library_get (library, first));
  guint end = first + 1;

  while (end < es_spectral_library_get_n (library)
         && es_spectral_axis_equal (es_spectrum_get_axis (es_spectral_library_get (library, end)), axis))
    end++;
  return end;
}

/* In quotation marks also where it has other separators: they are counted outside of these. */
static void
append_name (GString *text, const char *name)
{
  if (strpbrk (name, ";\t") == NULL)
    {
      es_text_append_field (text, name);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *p = name; *p != '\0'; p++)
    g_string_append (text, *p == '"' ? "\"\"" : (char[]) { *p, '\0' });
  g_string_append_c (text, '"');
}

static void
append_titles (GString *text, EsSpectralLibrary *library, guint first, guint end)
{
  const EsSpectralAxis *axis = es_spectrum_get_axis (es_spectral_library_get (library, first));

  /* Not translated: whoever reads it looks for these words. */
  g_string_append (text, es_spectral_axis_get_wavelengths (axis) != NULL ? "Wavelength (nm)" : "Band");
  if (es_spectral_axis_get_fwhm (axis) != NULL)
    g_string_append (text, ",FWHM (nm)");
  for (guint i = first; i < end; i++)
    {
      const char *given = es_spectrum_get_name (es_spectral_library_get (library, i));
      /* One that is called "Wavelength" is not one. */
      g_autofree char *name = es_spectra_is_value_title (given) ? g_strdup (given)
                                                                : g_strdup_printf ("Spectrum %s", given);

      g_string_append_c (text, ',');
      append_name (text, g_strdelimit (name, "\r\n", ' '));
    }
}

static void
append_row (GString *text, EsSpectralLibrary *library, guint first, guint end, guint row)
{
  const EsSpectralAxis *axis = es_spectrum_get_axis (es_spectral_library_get (library, first));
  const double *wavelengths = es_spectral_axis_get_wavelengths (axis), *fwhm = es_spectral_axis_get_fwhm (axis);
  const gboolean there = row < es_spectral_axis_get_n (axis);

  if (there)
    es_text_append_number (text, wavelengths != NULL ? wavelengths[row] : row + 1.);
  if (fwhm != NULL)
    {
      g_string_append_c (text, ',');
      if (there)
        es_text_append_number (text, fwhm[row]);
    }
  for (guint i = first; i < end; i++)
    {
      g_string_append_c (text, ',');
      if (there)
        es_text_append_cell (text, es_spectrum_get_values (es_spectral_library_get (library, i))[row]);
    }
}

gboolean
es_spectra_write_csv (EsSpectralLibrary *library, const char *path, GError **error)
{
  const guint n = es_spectral_library_get_n (library);
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  const EsOutput *output;
  guint most = 0;

  for (guint first = 0, end; first < n; first = end)
    {
      end = find_block (library, first);
      if (first > 0)
        g_string_append_c (text, ',');
      append_titles (text, library, first, end);
      most = MAX (most, es_spectrum_get_n (es_spectral_library_get (library, first)));
    }
  g_string_append (text, LINE_END);
  for (guint row = 0; row < most; row++)
    {
      for (guint first = 0, end; first < n; first = end)
        {
          end = find_block (library, first);
          if (first > 0)
            g_string_append_c (text, ',');
          append_row (text, library, first, end, row);
        }
      g_string_append (text, LINE_END);
    }
  output = es_outputs_add (outputs, path, FALSE, error);
  return output != NULL && es_file_write (output->fd, output->path, text->str, text->len, error)
         && es_outputs_commit (outputs, error);
}

gboolean
es_spectral_library_save (EsSpectralLibrary *self, GFile *target, GError **error)
{
  g_autofree char *path = NULL, *name = es_error_file_name (target);

  g_return_val_if_fail (ES_IS_SPECTRAL_LIBRARY (self), FALSE);

  if (es_spectral_library_get_n (self) == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("There are no spectra to write to “%s”."), name);
      return FALSE;
    }
  if ((path = es_output_local_path (target, error)) == NULL)
    return FALSE;
  if (has_ending (path, ".sli") || has_ending (path, ".hdr"))
    return es_spectra_write_sli (self, path, error);
  if (has_ending (path, ".csv"))
    return es_spectra_write_csv (self, path, error);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
               _("“%s” is no name for a spectral library: one that ends in .sli or .csv was expected."), name);
  return FALSE;
}
