/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-reader-private.h"

void
es_reader_note (EsReaderInput *input, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (input->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
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

gboolean
es_reader_is_container (EsReaderInput *input)
{
  return has_bytes (input, 0, "II*\0", 4) || has_bytes (input, 0, "MM\0*", 4) ||
         has_bytes (input, 0, "II+\0", 4) || has_bytes (input, 0, "MM\0+", 4) ||
         es_reader_is_hdf5 (input) || es_reader_is_netcdf3 (input) ||
         es_reader_is_matlab (input);
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

double *
es_reader_repeat (double value, guint n)
{
  double *values = g_new (double, n);

  for (guint i = 0; i < n; i++)
    values[i] = value;
  return values;
}
