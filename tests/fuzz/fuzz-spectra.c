/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "es-fuzz.h"
#include "spectra/es-spectral-library.h"
#include "spectra/es-spectral-match.h"

/* The bytes are a spectral library: the first part a text, or the header of an ENVI library; "=== sli" its values,
 * "=== waves" the wavelengths beside a text of USGS. One that loads is written as a table, which reads back the same,
 * and searched. */

static void
check_spectrum (EsSpectrum *spectrum)
{
  const EsSpectralAxis *axis = es_spectrum_get_axis (spectrum);
  const double *waves = es_spectral_axis_get_wavelengths (axis);

  g_assert_true (g_utf8_validate (es_spectrum_get_name (spectrum), -1, NULL));
  g_assert_cmpuint (es_spectrum_get_n (spectrum), >, 0);
  for (guint i = 0; i < es_spectrum_get_n (spectrum); i++)
    {
      g_assert_false (isinf (es_spectrum_get_values (spectrum)[i]));
      g_assert_true (waves == NULL || (isfinite (waves[i]) && waves[i] > 0));
    }
}

static void
search (EsSpectralLibrary *library)
{
  EsSpectralAxis *axis = es_spectrum_get_axis (es_spectral_library_get (library, 0));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSpectralMatcher) matcher = es_spectral_matcher_new (library, axis, NULL, NULL, &error);
  EsSpectralMatch matches[4];

  if (matcher == NULL)
    {
      es_fuzz_check_error (error);
      return;
    }
  for (EsMatchKind by = ES_MATCH_ANGLE; by <= ES_MATCH_FIT; by++)
    {
      const double *values = es_spectrum_get_values (es_spectral_library_get (library, 0));
      const guint n = es_spectral_matcher_search (matcher, values, by, 4, matches, NULL);

      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpuint (matches[i].index, <, es_spectral_library_get_n (library));
          g_assert_false (isnan (by == ES_MATCH_ANGLE ? matches[i].angle : matches[i].fit));
        }
    }
}

static void
save_and_load (EsSpectralLibrary *library)
{
  g_autofree char *path = g_build_filename (es_fuzz_folder (), "saved.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSpectralLibrary) again = NULL;

  g_assert_true (es_spectral_library_save (library, file, &error));
  g_assert_no_error (error);
  again = es_spectral_library_load (&file, 1, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_spectral_library_get_n (again), ==, es_spectral_library_get_n (library));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *at = (const char *) data, *end = at + size;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSpectralLibrary) library = NULL;
  g_autoptr (GFile) file = NULL;
  EsFuzzPart part;

  g_free (es_fuzz_write ("x.sli", "", 0));
  g_free (es_fuzz_write ("splib07a_Wavelengths_ASD.txt", "", 0));
  g_free (es_fuzz_write ("x.hdr", "", 0));
  while (es_fuzz_next_part (&at, end, &part))
    if (strcmp (part.name, "sli") == 0)
      g_free (es_fuzz_write ("x.sli", part.bytes, part.length));
    else if (strcmp (part.name, "waves") == 0)
      g_free (es_fuzz_write ("splib07a_Wavelengths_ASD.txt", part.bytes, part.length));
    else if (path == NULL)
      path = es_fuzz_write (part.length >= 4 && memcmp (part.bytes, "ENVI", 4) == 0 ? "x.hdr" : "x.txt", part.bytes,
                            part.length);
  if (path == NULL)
    return 0;
  file = g_file_new_for_path (path);
  library = es_spectral_library_load (&file, 1, NULL, NULL, &error);
  if (library == NULL)
    {
      es_fuzz_check_error (error);
      return 0;
    }
  g_assert_no_error (error);
  g_autofree char *words = es_spectral_library_describe (library);
  g_assert_true (g_utf8_validate (words, -1, NULL));
  for (const char *const *note = es_spectral_library_get_notes (library); *note != NULL; note++)
    g_assert_true (g_utf8_validate (*note, -1, NULL));
  for (guint i = 0; i < es_spectral_library_get_n (library); i++)
    check_spectrum (es_spectral_library_get (library, i));
  save_and_load (library);
  search (library);
  return 0;
}
