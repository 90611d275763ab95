/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files to a library: which format each is in, and what all text formats share. */

#include "es-spectra-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"
#include "cube/es-wavelength-internal.h"

/* Deleted channels of USGS's libraries are -1.23e34, in whichever precision they were written. */
#define MISSING (-1e30)
/* From gamma rays to a metre. */
#define LEAST_NANOMETRES 1e-6
#define MOST_NANOMETRES 1e9

gboolean
es_spectra_next_line (const char **at, const char *end, char **line)
{
  const char *p = *at, *stop;

  if (p >= end)
    return FALSE;
  for (stop = p; stop < end && *stop != '\n' && *stop != '\r'; stop++)
    ;
  *at = stop + (stop < end) + (stop + 1 < end && *stop == '\r' && stop[1] == '\n');
  char *valid = g_utf8_make_valid (p, stop - p);
  *line = g_strstrip (valid);
  return TRUE;
}

gboolean
es_spectra_number (const char *text, double *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || strpbrk (text, "xXpP") != NULL)
    return FALSE;
  if (!isfinite (*value) || *value < MISSING)
    *value = NAN;
  return TRUE;
}

void
es_spectra_turn (double *values, guint n)
{
  for (guint i = 0; values != NULL && i < n / 2; i++)
    {
      const double value = values[i];

      values[i] = values[n - 1 - i];
      values[n - 1 - i] = value;
    }
}

static gboolean
refuse_wavelengths (const char *name, guint n, const double *wavelengths, const char *unit, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!isfinite (wavelengths[i]) || wavelengths[i] <= 0)
      {
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("“%s”: wavelength %u is %g; a number above 0 was expected."), name, i + 1, wavelengths[i]);
        return FALSE;
      }
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s”: the wavelengths are in “%s”; nm, um or cm-1 was expected."), name,
               unit != NULL ? unit : _("numbers of bands"));
  return FALSE;
}

EsSpectralAxis *
es_spectra_make_axis (EsSpectralLibrary *library, const char *name, guint n, const double *wavelengths,
                      const double *fwhm, const char *unit, gboolean *turned, GError **error)
{
  g_autofree double *nanometres = g_memdup2 (wavelengths, n * sizeof (double));
  g_autofree double *widths = fwhm != NULL ? g_memdup2 (fwhm, n * sizeof (double)) : NULL;
  guint falls = 0;

  *turned = FALSE;
  if (unit != NULL && (*unit == '\0' || g_ascii_strcasecmp (unit, "unknown") == 0))
    unit = NULL;
  if (n == 0 || !es_wavelengths_to_nanometres (nanometres, widths, n, unit))
    {
      refuse_wavelengths (name, n, wavelengths, unit, error);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    if (!(nanometres[i] >= LEAST_NANOMETRES && nanometres[i] <= MOST_NANOMETRES))
      {
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("“%s”: wavelength %u is %g, which is none of light."), name, i + 1, wavelengths[i]);
        return NULL;
      }
  if (unit == NULL)
    es_spectral_library_add_note (library, _("“%s” does not tell the unit of its wavelengths; by their size they were "
                                             "taken for %s."), name, nanometres[0] == wavelengths[0] ? "nm" : "µm");
  for (guint i = 0; widths != NULL && i < n; i++)
    if (!isfinite (widths[i]) || widths[i] <= 0)
      {
        es_spectral_library_add_note (library, _("The widths of bands in “%s” are not all numbers above 0 and were "
                                                 "ignored."), name);
        g_clear_pointer (&widths, g_free);
      }
  for (guint i = 1; i < n; i++)
    falls += nanometres[i] < nanometres[i - 1];
  if (n > 1 && falls > (n - 1) / 2)
    {
      es_spectra_turn (nanometres, n);
      es_spectra_turn (widths, n);
      *turned = TRUE;
      es_spectral_library_add_note (library, _("Wavelengths of “%s” fall; the spectra were turned round."), name);
    }
  return es_spectral_axis_new (n, nanometres, widths);
}

EsSpectralAxis *
es_spectra_share_axis (EsSpectralLibrary *library, EsSpectralAxis *axis)
{
  const guint n = es_spectral_library_get_n (library);

  /* Of the last some: more spectrometers than that do not take turns. */
  for (guint i = n; i-- > 0 && n - i <= 64;)
    {
      EsSpectralAxis *other = es_spectrum_get_axis (es_spectral_library_get (library, i));

      if (es_spectral_axis_equal (axis, other))
        {
          es_spectral_axis_unref (axis);
          return es_spectral_axis_ref (other);
        }
    }
  return axis;
}

/* ---- the formats ---- */

static gboolean
read_text (EsSpectralLibrary *library, GFile *file, const char *name, const EsSpectraOptions *options,
           GPtrArray *others, GHashTable *found, GCancellable *cancellable, GError **error)
{
  static const char mark[] = "\xef\xbb\xbf";
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, ES_SPECTRA_LARGEST_TEXT, &length, cancellable, error);
  EsSpectraText read = { .text = text, .name = name, .file = file, .options = options, .cancellable = cancellable,
                         .others = others, .found = found };

  if (text == NULL)
    return FALSE;
  if (memchr (text, '\0', length) != NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is no spectral library: neither text nor a file beside an ENVI header of the type “ENVI "
                     "Spectral Library”."), name);
      return FALSE;
    }
  read.end = text + length;
  if (length >= 3 && memcmp (text, mark, 3) == 0)
    read.text += 3;
  if (es_spectra_is_ecostress (&read))
    return es_spectra_read_ecostress (library, &read, error);
  if (es_spectra_is_splib06 (&read))
    return es_spectra_read_splib06 (library, &read, error);
  if (es_spectra_is_splib07 (&read))
    return es_spectra_read_splib07 (library, &read, error);
  return es_spectra_read_csv (library, &read, error);
}

static gboolean
read_file (EsSpectralLibrary *library, GFile *file, const EsSpectraOptions *options, GPtrArray *others,
           GHashTable *found, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  const char *path = g_file_peek_path (file);
  g_autofree char *header = path != NULL ? es_spectra_find_sli_header (path) : NULL;

  if (header != NULL)
    return es_spectra_read_sli (library, header, path, others, error);
  return read_text (library, file, name, options, others, found, cancellable, error);
}

static void
forget_file (gpointer file)
{
  g_clear_object ((GObject **) &file);
}

EsSpectralLibrary *
es_spectral_library_load (GFile *const *files, guint n, const EsSpectraOptions *options, GCancellable *cancellable,
                          GError **error)
{
  static const EsSpectraOptions none = { NULL, NULL };
  g_autofree char *name = n > 0 ? es_error_file_name (files[0]) : NULL;
  g_autofree char *several = NULL;
  g_autoptr (EsSpectralLibrary) library = NULL;
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, forget_file);

  g_return_val_if_fail (n > 0, NULL);

  if (options != NULL && options->unit != NULL && !es_wavelength_unit_is_known (options->unit))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("“%s” is no unit of wavelengths: expected nm, um or cm-1."), options->unit);
      return NULL;
    }
  if (n > 1)
    several = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s and %u more file", "%s and %u more files", n - 1),
                               name, n - 1);
  library = es_spectral_library_new (several != NULL ? several : name);
  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (others, g_object_ref (files[i]));
      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !read_file (library, files[i], options != NULL ? options : &none, others, found,
                         cancellable, error))
        return NULL;
    }
  if (es_spectral_library_get_n (library) == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("“%s” holds no spectra."), name);
      return NULL;
    }
  es_spectral_library_hold (library, others);
  return g_steal_pointer (&library);
}

/* ---- in the background ---- */

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GPtrArray *files = data;
  GError *error = NULL;
  EsSpectralLibrary *library = es_spectral_library_load ((GFile *const *) files->pdata, files->len, NULL,
                                                         cancellable, &error);

  if (library != NULL)
    g_task_return_pointer (task, library, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_spectral_library_load_async (GFile *const *files, guint n, GCancellable *cancellable, GAsyncReadyCallback callback,
                                gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (list, g_object_ref (files[i]));
  g_task_set_source_tag (task, es_spectral_library_load_async);
  g_task_set_task_data (task, list, (GDestroyNotify) g_ptr_array_unref);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, load_in_thread);
}

EsSpectralLibrary *
es_spectral_library_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
