/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/es-address.h"
#include "claims/es-claim-hdf5-internal.h"
#include "es-reader-input-internal.h"
#include "rehearsal/es-rehearsal-internal.h"

void
es_reader_note (EsReaderInput *input, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (input->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

void
es_reader_add_file (EsReaderInput *input, const char *path)
{
  if (es_address_of_guarded (path) == NULL)
    g_ptr_array_add (input->files, g_file_new_for_path (path));
}

void
es_reader_add_array (EsReaderInput *input, EsFileArray *array)
{
  g_ptr_array_add (input->arrays, array);
}

static gboolean
has_bytes (EsReaderInput *input, gsize offset, const char *bytes, gsize length)
{
  return input->head_length >= offset + length && memcmp (input->head + offset, bytes, length) == 0;
}

gboolean
es_reader_is_hdf5 (EsReaderInput *input)
{
  /* The signature may stand behind a user block of 512, 1024 ... bytes (MATLAB 7.3 writes one of 512). */
  return has_bytes (input, 0, "\211HDF\r\n\032\n", 8) || has_bytes (input, 512, "\211HDF\r\n\032\n", 8) ||
         has_bytes (input, 1024, "\211HDF\r\n\032\n", 8);
}

gboolean
es_reader_is_netcdf3 (EsReaderInput *input)
{
  return has_bytes (input, 0, "CDF\001", 4) || has_bytes (input, 0, "CDF\002", 4) ||
         has_bytes (input, 0, "CDF\005", 4);
}

gboolean
es_reader_is_matlab (EsReaderInput *input)
{
  return has_bytes (input, 0, "MATLAB 5.0 MAT-file", 19) || has_bytes (input, 0, "MATLAB 7.", 9);
}

/* What GDAL opens beside a raster by itself, whatever it holds. */
static gboolean
has_hdf5_beside (const char *path)
{
  static const char * const endings[] = { ".msk", ".ovr", ".aux" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *beside = g_strconcat (path, endings[i], NULL);

      if (es_rehearsal_finds_hdf5 (beside))
        return TRUE;
    }
  return FALSE;
}

gboolean
es_reader_is_risky (EsReaderInput *input)
{
  static const char user_block[] = "<HDF_UserBlock>";

  if (es_reader_is_address (input))
    return FALSE;
  if (input->store || es_reader_is_hdf5 (input) || input->options.driver != NULL)
    return TRUE;
  /* HDF4. */
  if (has_bytes (input, 0, "\016\003\023\001", 4))
    return TRUE;
  if (has_bytes (input, 0, user_block, sizeof user_block - 1) || es_reader_is_matlab (input))
    return es_rehearsal_finds_hdf5 (input->path);
  return has_hdf5_beside (input->path);
}

double *
es_reader_take_list (EsReaderInput *input, double *values, guint n, guint bands, const char *what)
{
  if (values == NULL || n == bands)
    return values;

  es_reader_note (input, _("The list “%s” has %u entries for %u bands and was ignored."), what, n, bands);
  g_free (values);
  return NULL;
}

gboolean *
es_reader_take_flags (EsReaderInput *input, double *values, guint n, guint bands, const char *what)
{
  g_autofree double *list = es_reader_take_list (input, values, n, bands, what);
  gboolean *flags;

  if (list == NULL)
    return NULL;
  flags = g_new (gboolean, bands);
  for (guint b = 0; b < bands; b++)
    flags[b] = list[b] != 0.0;
  return flags;
}

gboolean
es_reader_check_written (EsReaderInput *input, const char *dataset, GError **error)
{
  guint64 missing, all;

  if (!es_reader_is_hdf5 (input))
    return TRUE;
  if (!es_claim_hdf5_is_written (input->path, input->name, dataset, &missing, &all, error))
    return FALSE;
  if (missing > 0)
    es_reader_note (input, _("Of the %" PRIu64 " chunks of the samples %" PRIu64 " were never written and hold the "
                             "fill value."), all, missing);
  return TRUE;
}

void
es_reader_note_mask (EsReaderInput *input, gboolean by_band)
{
  es_reader_note (input, "%s", by_band
                  ? _("The file has a mask for each band: the pixels that it leaves out are missing there.")
                  : _("The file has a mask: the pixels that it leaves out are missing."));
}

double *
es_reader_repeat (double value, guint n)
{
  double *values = g_new (double, n);

  for (guint i = 0; i < n; i++)
    values[i] = value;
  return values;
}
