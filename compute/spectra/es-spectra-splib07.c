/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* USGS splib07 as text: a title, then a value a line. Wavelengths and widths (bandpass) are in files of their own, one
 * a spectrometer, in the folder of the spectra or the one above. */

#include "es-spectra-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"

static char *
take_title (const EsSpectraText *text, const char **at)
{
  char *title = NULL;

  *at = text->text;
  return es_spectra_next_line (at, text->end, &title) ? title : NULL;
}

/* A title that is no number, and numbers alone below it: of a few lines. */
gboolean
es_spectra_is_splib07 (const EsSpectraText *text)
{
  const char *at;
  g_autofree char *title = take_title (text, &at);
  double value;
  guint n = 0;
  char *next;

  if (title == NULL || es_spectra_number (title, &value))
    return FALSE;
  for (guint i = 0; i < 20 && es_spectra_next_line (&at, text->end, &next); i++)
    {
      g_autofree char *line = next;

      if (*line == '\0')
        continue;
      if (!es_spectra_number (line, &value))
        return FALSE;
      n++;
    }
  return n > 0 && (strstr (title, "splib") != NULL || strstr (title, "Record") != NULL);
}

static GArray *
read_values (const EsSpectraText *text, GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  const char *at;
  g_autofree char *title = take_title (text, &at);
  guint row = 2;
  char *next;

  for (; es_spectra_next_line (&at, text->end, &next); row++)
    {
      g_autofree char *line = next;
      double value;

      if (*line == '\0')
        continue;
      if (!es_spectra_number (line, &value) || values->len == ES_SPECTRA_MOST_BANDS)
        {
          g_autofree char *shown = g_utf8_substring (line, 0, MIN (g_utf8_strlen (line, -1), 40));

          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("“%s”, row %u: “%s” was found; one number a line, and at most %u of them, was expected."),
                       text->name, row, shown, ES_SPECTRA_MOST_BANDS);
          return NULL;
        }
      g_array_append_val (values, value);
    }
  return g_steal_pointer (&values);
}

static GArray *
read_list (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *bytes = es_text_file_load_at_most (file, (gsize) 8 << 20, &length, cancellable, error);
  const EsSpectraText text = { .text = bytes, .end = bytes != NULL ? bytes + length : NULL, .name = name };

  return bytes != NULL ? read_values (&text, error) : NULL;
}

/* ---- files beside the spectra ---- */

/* The words by which file names and titles tell spectrometers. */
static const char *const spectrometers[] = { "ASD", "BECK", "NIC4", "AVIRIS", "CRISM", "HYMAP", "HYPERION", "VIMS",
                                             "M3", "ASTER", "LANDSAT", "SENTINEL", "WORLDVIEW", "QUICKBIRD" };

static gboolean
has_word (const char *text, const char *word)
{
  g_autofree char *upper = g_ascii_strup (text, -1);

  return strstr (upper, word) != NULL;
}

/* Whether a list can be of the spectrometer that a title names: no other is named. */
static gboolean
may_belong (const char *list, const char *spectrum)
{
  for (guint i = 0; i < G_N_ELEMENTS (spectrometers); i++)
    if (has_word (list, spectrometers[i]) && has_word (spectrum, spectrometers[i]))
      return TRUE;
  return FALSE;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Files of a folder whose names have that word, by name. */
static GPtrArray *
list_files (const char *folder, const char *word)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (has_word (name, word) && g_str_has_suffix (name, ".txt"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_paths);
  return paths;
}

/* The list of n values in the folder of the spectrum, or the one above: of its spectrometer, or the only one. */
static GFile *
look_for_list (const EsSpectraText *text, const char *title, const char *word, guint n, gboolean alone)
{
  const char *path = g_file_peek_path (text->file);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : NULL;
  g_autoptr (GFile) only = NULL;
  guint n_found = 0;

  for (guint level = 0; folder != NULL && level < 2; level++)
    {
      g_autoptr (GPtrArray) paths = list_files (folder, word);
      char *above = g_path_get_dirname (folder);

      for (guint i = 0; i < paths->len; i++)
        {
          g_autoptr (GFile) file = g_file_new_for_path (g_ptr_array_index (paths, i));
          g_autofree char *base = g_file_get_basename (file);
          g_autoptr (GArray) values = read_list (file, text->cancellable, NULL);

          if (values == NULL || values->len != n)
            continue;
          if (may_belong (base, title))
            {
              g_free (above);
              return g_steal_pointer (&file);
            }
          n_found++;
          g_set_object (&only, file);
        }
      g_free (folder);
      folder = above;
    }
  return alone && n_found == 1 ? g_steal_pointer (&only) : NULL;
}

/* A folder of a thousand spectra of one spectrometer is looked through once. */
static GFile *
find_list (const EsSpectraText *text, const char *title, const char *word, guint n, gboolean alone)
{
  const char *path = g_file_peek_path (text->file);
  g_autofree char *folder = path != NULL ? g_path_get_dirname (path) : g_strdup ("");
  g_autoptr (GString) key = g_string_new (NULL);
  gpointer file;

  g_string_append_printf (key, "%s\n%s\n%u", folder, word, n);
  for (guint i = 0; i < G_N_ELEMENTS (spectrometers); i++)
    if (has_word (title, spectrometers[i]))
      g_string_append_printf (key, "\n%s", spectrometers[i]);
  if (!g_hash_table_lookup_extended (text->found, key->str, NULL, &file))
    {
      file = look_for_list (text, title, word, n, alone);
      g_hash_table_insert (text->found, g_strdup (key->str), file);
    }
  return file != NULL ? g_object_ref (file) : NULL;
}

/* "splib07a Record=1234: Alunite GDS84 Na03  ASDFRb AREF" -> what comes behind the colon. */
static char *
name_of (const char *title)
{
  const char *record = strstr (title, "Record="), *colon = record != NULL ? strchr (record, ':') : NULL;

  return g_strstrip (g_strdup (colon != NULL ? colon + 1 : title));
}

gboolean
es_spectra_read_splib07 (EsSpectralLibrary *library, const EsSpectraText *text, GError **error)
{
  const char *at;
  g_autofree char *title = take_title (text, &at), *name = name_of (title);
  g_autofree char *base = g_file_get_basename (text->file), *words = g_strconcat (base, " ", title, NULL);
  g_autoptr (GArray) values = read_values (text, error), wavelengths = NULL, widths = NULL;
  g_autoptr (GFile) list = NULL, bandpass = NULL;
  g_autoptr (EsSpectralAxis) axis = NULL;
  g_autoptr (EsSpectrum) spectrum = NULL;
  gboolean turned;

  if (values == NULL)
    return FALSE;
  if (has_word (words, "WAVELENGTHS") || has_word (words, "BANDPASS"))
    {
      es_spectral_library_add_note (library, _("“%s” lists wavelengths or widths of bands and is no spectrum."),
                                    text->name);
      return TRUE;
    }
  list = text->options->wavelengths != NULL ? g_object_ref (text->options->wavelengths)
                                            : find_list (text, words, "WAVELENGTH", values->len, TRUE);
  if (list == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” has %u values and no wavelengths, and no file of as many wavelengths of its spectrometer "
                     "(splib07…Wavelengths….txt) is beside it or in the folder above."), text->name, values->len);
      return FALSE;
    }
  g_autofree char *list_name = es_error_file_name (list);
  if ((wavelengths = read_list (list, text->cancellable, error)) == NULL)
    return FALSE;
  if (wavelengths->len != values->len)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” has %u values, and “%s” %u wavelengths; as many were expected."), text->name, values->len,
                   list_name, wavelengths->len);
      return FALSE;
    }
  bandpass = find_list (text, words, "BANDPASS", values->len, FALSE);
  widths = bandpass != NULL ? read_list (bandpass, text->cancellable, NULL) : NULL;
  axis = es_spectra_make_axis (library, list_name, values->len, (double *) wavelengths->data,
                               widths != NULL ? (double *) widths->data : NULL,
                               text->options->unit != NULL ? text->options->unit : "um", &turned, error);
  if (axis == NULL)
    return FALSE;
  if (turned)
    es_spectra_turn ((double *) values->data, values->len);
  axis = es_spectra_share_axis (library, axis);
  g_ptr_array_add (text->others, g_object_ref (list));
  if (bandpass != NULL)
    g_ptr_array_add (text->others, g_object_ref (bandpass));
  spectrum = es_spectrum_new (*name != '\0' ? name : text->name, axis, (double *) values->data, title);
  if (es_spectrum_count_valid (spectrum) < values->len)
    es_spectral_library_add_note (library, _("“%s” has missing values, which were left empty."), text->name);
  es_spectral_library_add (library, spectrum);
  es_spectral_library_set_format (library, _("USGS splib07 text"));
  return TRUE;
}
