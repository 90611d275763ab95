/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* ENVI spectral libraries: a header, and a file with a spectrum a line. */

#include "es-spectra-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-envi-header-internal.h"

static const char *const header_suffixes[] = { ".hdr", ".HDR", ".Hdr" };
static const char *const data_suffixes[] = { ".sli", ".SLI", ".slb", ".SLB", ".lib", ".esl", ".img", ".dat", "" };

typedef enum { UNSIGNED, SIGNED, REAL } Kind;

typedef struct
{
  guint64  n_spectra, n_bands, offset, bytes;
  guint    size;               /* bytes of a value */
  Kind     kind;
  gboolean swapped;
} Layout;

/* Which have names like the library that was saved beside them. */
static gboolean
is_named_as_text (const char *dot)
{
  static const char *const endings[] = { ".csv", ".txt", ".tsv", ".asc", ".tab" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_ascii_strcasecmp (dot, endings[i]) == 0)
      return TRUE;
  return FALSE;
}

/* x.sli: x.sli.hdr, x.hdr. The header itself where that was meant. */
char *
es_spectra_find_sli_header (const char *path)
{
  const char *slash = strrchr (path, G_DIR_SEPARATOR), *base = slash != NULL ? slash + 1 : path;
  const char *dot = strrchr (base, '.');
  const gsize stems[] = { strlen (path), dot > base && !is_named_as_text (dot) ? (gsize) (dot - path) : 0 };

  if (es_envi_header_is_at (path))
    return g_strdup (path);
  for (guint i = 0; i < G_N_ELEMENTS (stems); i++)
    for (guint k = 0; stems[i] > 0 && k < G_N_ELEMENTS (header_suffixes); k++)
      {
        g_autofree char *header = g_strdup_printf ("%.*s%s", (int) stems[i], path, header_suffixes[k]);

        if (es_envi_header_is_at (header))
          return g_steal_pointer (&header);
      }
  return NULL;
}

static char *
find_data (const char *header)
{
  g_autofree char *stem = g_strdup (header);
  const gsize length = strlen (stem);

  if (length <= 4 || g_ascii_strcasecmp (stem + length - 4, ".hdr") != 0)
    return NULL;
  stem[length - 4] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (data_suffixes); i++)
    {
      g_autofree char *path = g_strconcat (stem, data_suffixes[i], NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static gboolean
refuse (EsEnviHeader *header, const char *field, const char *expected, GError **error)
{
  const char *found = es_envi_header_get (header, field);
  g_autofree char *shown = g_utf8_substring (found != NULL ? found : "", 0,
                                             MIN (g_utf8_strlen (found != NULL ? found : "", -1), 40));

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("The field “%s” of the header “%s” is “%s”; %s was expected"), field,
               es_envi_header_get_name (header), shown, expected);
  return FALSE;
}

static gboolean
read_type (EsEnviHeader *header, Layout *layout, GError **error)
{
  static const struct { guint code, size; Kind kind; } types[] = {
    { 1, 1, UNSIGNED }, { 2, 2, SIGNED }, { 3, 4, SIGNED }, { 4, 4, REAL }, { 5, 8, REAL },
    { 12, 2, UNSIGNED }, { 13, 4, UNSIGNED }, { 14, 8, SIGNED }, { 15, 8, UNSIGNED },
  };
  guint64 code;

  if (!es_envi_header_get_count (header, "data type", G_MAXUINT64, &code, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (types[i].code == code)
      {
        layout->size = types[i].size;
        layout->kind = types[i].kind;
        return TRUE;
      }
  return refuse (header, "data type", _("one of 1, 2, 3, 4, 5, 12, 13, 14 and 15"), error);
}

static gboolean
read_layout (EsEnviHeader *header, Layout *layout, GError **error)
{
  const char *kind = es_envi_header_get (header, "file type");
  guint64 bands, order, values;

  if (kind == NULL || strcasestr (kind, "spectral library") == NULL)
    return refuse (header, "file type", "ENVI Spectral Library", error);
  if (!es_envi_header_get_count (header, "samples", G_MAXUINT64, &layout->n_bands, error)
      || !es_envi_header_get_count (header, "lines", G_MAXUINT64, &layout->n_spectra, error)
      || !es_envi_header_get_count (header, "bands", 1, &bands, error)
      || !es_envi_header_get_count (header, "header offset", 0, &layout->offset, error)
      || !es_envi_header_get_count (header, "byte order", 0, &order, error)
      || !read_type (header, layout, error))
    return FALSE;
  if (bands != 1)
    return refuse (header, "bands", _("1, as a library has a spectrum a line,"), error);
  if (order > 1)
    return refuse (header, "byte order", _("0 (little endian) or 1 (big endian)"), error);
  layout->swapped = layout->size > 1 && (order == 1) != (G_BYTE_ORDER == G_BIG_ENDIAN);
  if (layout->n_bands == 0 || layout->n_bands > ES_SPECTRA_MOST_BANDS || layout->n_spectra == 0
      || layout->n_spectra > ES_SPECTRA_MOST_SPECTRA
      || !g_uint64_checked_mul (&values, layout->n_bands, layout->n_spectra) || values > ES_SPECTRA_MOST_VALUES
      || !g_uint64_checked_mul (&layout->bytes, values, layout->size) || layout->offset > G_MAXINT64 / 2)
    {
      g_autofree char *spectra = g_strdup_printf ("%" G_GUINT64_FORMAT, layout->n_spectra);
      g_autofree char *n_bands = g_strdup_printf ("%" G_GUINT64_FORMAT, layout->n_bands);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("The header “%s” gives %s spectra of %s bands; from 1 to %u bands and up to %u million values "
                     "were expected."), es_envi_header_get_name (header), spectra, n_bands, ES_SPECTRA_MOST_BANDS,
                   (guint) (ES_SPECTRA_MOST_VALUES / 1000000));
      return FALSE;
    }
  return TRUE;
}

/* All of the file that the header promises. */
static guint8 *
read_bytes (const char *path, const char *name, const Layout *layout, GError **error)
{
  struct stat status;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  g_autofree guint8 *bytes = NULL;

  if (fd < 0 || fstat (fd, &status) != 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), name, g_strerror (errno));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if ((guint64) status.st_size < layout->offset + layout->bytes)
    {
      g_autofree char *promised = g_strdup_printf ("%" G_GUINT64_FORMAT, layout->offset + layout->bytes);
      g_autofree char *found = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) status.st_size);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED, _("“%s” holds %s bytes; its header promises %s"),
                   name, found, promised);
      close (fd);
      return NULL;
    }
  bytes = g_malloc (layout->bytes);
  const gboolean read = es_file_read_at (fd, path, bytes, layout->bytes, layout->offset, error);
  close (fd);
  return read ? g_steal_pointer (&bytes) : NULL;
}

static double
take_value (const guint8 *bytes, const Layout *layout)
{
  guint64 word = 0;

  for (guint i = 0; i < layout->size; i++)
    {
      const gboolean up = layout->swapped == (G_BYTE_ORDER == G_LITTLE_ENDIAN);

      word = word << 8 | bytes[up ? i : layout->size - 1 - i];
    }
  if (layout->kind == UNSIGNED)
    return (double) word;
  if (layout->kind == SIGNED)
    {
      const guint shift = 64 - 8 * layout->size;
      return (double) ((gint64) (word << shift) >> shift);
    }
  if (layout->size == 4)
    {
      const guint32 half = (guint32) word;
      float value;
      memcpy (&value, &half, sizeof value);
      return value;
    }
  double value;
  memcpy (&value, &word, sizeof value);
  return value;
}

/* ---- what the header says of the values ---- */

static double *
take_list (EsSpectralLibrary *library, EsEnviHeader *header, const char *field, guint n_bands)
{
  guint n;
  gboolean broken;
  g_autofree double *values = es_envi_header_get_doubles (header, field, &n, &broken);

  if (broken)
    es_spectral_library_add_note (library, _("The list “%s” holds something that is not a number and was ignored."),
                                  field);
  else if (values != NULL && n != n_bands)
    es_spectral_library_add_note (library, _("The list “%s” has %u entries for %u bands and was ignored."), field, n,
                                  n_bands);
  else
    return g_steal_pointer (&values);
  return NULL;
}

typedef struct
{
  double  scale;
  double  ignored;             /* NAN: none */
  double *bad;                 /* bbl, 0: bad; nullable */
} Meaning;

/* "reflectance [*10000]" says what the values have been multiplied by, where the header does not. */
static void
take_title (EsSpectralLibrary *library, char *title, Meaning *meaning)
{
  char *open = strstr (title, "[*"), *shut = open != NULL ? strchr (open, ']') : NULL, *end;
  const double factor = shut != NULL ? g_ascii_strtod (open + 2, &end) : 0;

  if (meaning->scale == 1 && factor > 1 && isfinite (factor) && end == shut)
    {
      meaning->scale = 1 / factor;
      es_spectral_library_add_note (library, _("Values were divided by %.10g, as their title says: “%s”."), factor,
                                    title);
      *open = '\0';
      g_strchomp (title);
    }
  es_spectral_library_set_unit (library, title);
}

static void
read_meaning (EsSpectralLibrary *library, EsEnviHeader *header, guint n_bands, Meaning *meaning)
{
  guint n, n_bad = 0;
  gboolean broken;
  g_autofree double *factor = es_envi_header_get_doubles (header, "reflectance scale factor", &n, &broken);
  g_autofree double *ignored = NULL;
  g_auto (GStrv) titles = NULL;

  *meaning = (Meaning) { 1, NAN, NULL };
  if (factor != NULL && n == 1 && isfinite (factor[0]) && factor[0] > 0 && factor[0] != 1)
    {
      meaning->scale = 1 / factor[0];
      es_spectral_library_add_note (library, _("Values were divided by %.10g, the header's “reflectance scale "
                                             "factor”."), factor[0]);
    }
  ignored = es_envi_header_get_doubles (header, "data ignore value", &n, &broken);
  if (ignored != NULL && n == 1)
    meaning->ignored = ignored[0];
  meaning->bad = take_list (library, header, "bbl", n_bands);
  for (guint i = 0; meaning->bad != NULL && i < n_bands; i++)
    n_bad += meaning->bad[i] == 0;
  if (n_bad > 0)
    es_spectral_library_add_note (library, g_dngettext (GETTEXT_PACKAGE,
                                                        "%u band is bad by the header's list “bbl” and was left empty.",
                                                        "%u bands are bad by the header's list “bbl” and were left "
                                                        "empty.", n_bad), n_bad);
  titles = es_envi_header_get_strings (header, "z plot titles", &n);
  if (n >= 2 && g_ascii_strcasecmp (titles[1], "value") != 0)
    take_title (library, titles[1], meaning);
}

static double
mean_of (double value, const Meaning *meaning, guint band)
{
  if (!isfinite (value) || value < -1e30 || value == meaning->ignored
      || (meaning->bad != NULL && meaning->bad[band] == 0))
    return NAN;
  return value * meaning->scale;
}

static gboolean
add_spectra (EsSpectralLibrary *library, EsEnviHeader *header, EsSpectralAxis *axis, gboolean turned,
             const guint8 *bytes, const Layout *layout)
{
  const guint n_bands = (guint) layout->n_bands;
  g_autofree double *values = g_new (double, n_bands);
  g_auto (GStrv) names = NULL;
  Meaning meaning;
  guint n_names, n_missing = 0;

  read_meaning (library, header, n_bands, &meaning);
  names = es_envi_header_get_strings (header, "spectra names", &n_names);
  if (names != NULL && n_names != layout->n_spectra)
    es_spectral_library_add_note (library, _("The header names %u spectra of %u; the others go by their number."),
                                  MIN (n_names, (guint) layout->n_spectra), (guint) layout->n_spectra);
  for (guint i = 0; i < layout->n_spectra; i++)
    {
      g_autofree char *number = i >= n_names || *names[i] == '\0' ? g_strdup_printf (_("Spectrum %u"), i + 1) : NULL;
      g_autoptr (EsSpectrum) spectrum = NULL;

      for (guint b = 0; b < n_bands; b++)
        values[b] = mean_of (take_value (bytes + ((gsize) i * n_bands + b) * layout->size, layout), &meaning, b);
      if (turned)
        es_spectra_turn (values, n_bands);
      spectrum = es_spectrum_new (number != NULL ? number : names[i], axis, values, NULL);
      n_missing += es_spectrum_count_valid (spectrum) < n_bands;
      es_spectral_library_add (library, spectrum);
    }
  if (n_missing > 0)
    es_spectral_library_add_note (library, g_dngettext (GETTEXT_PACKAGE, "%u spectrum has missing values.",
                                                        "%u spectra have missing values.", n_missing), n_missing);
  g_free (meaning.bad);
  return TRUE;
}

gboolean
es_spectra_read_sli (EsSpectralLibrary *library, const char *header_path, const char *path, GPtrArray *others,
                     GError **error)
{
  g_autoptr (GFile) header_file = g_file_new_for_path (header_path);
  g_autofree char *header_name = es_error_file_name (header_file), *data = NULL, *name = NULL;
  g_autoptr (EsEnviHeader) header = es_envi_header_load (header_path, header_name, error);
  g_autoptr (EsSpectralAxis) axis = NULL;
  g_autofree double *wavelengths = NULL, *fwhm = NULL;
  g_autofree guint8 *bytes = NULL;
  gboolean turned = FALSE;
  Layout layout = { 0 };

  if (header == NULL || !read_layout (header, &layout, error))
    return FALSE;
  data = strcmp (header_path, path) == 0 ? find_data (header_path) : g_strdup (path);
  if (data == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” is the header of a spectral library, and its file of values (.sli) is not beside it."),
                   header_name);
      return FALSE;
    }
  g_autoptr (GFile) data_file = g_file_new_for_path (data);
  name = es_error_file_name (data_file);
  g_ptr_array_add (others, g_object_ref (header_file));
  g_ptr_array_add (others, g_object_ref (data_file));
  if ((bytes = read_bytes (data, name, &layout, error)) == NULL)
    return FALSE;

  wavelengths = take_list (library, header, "wavelength", (guint) layout.n_bands);
  fwhm = take_list (library, header, "fwhm", (guint) layout.n_bands);
  if (wavelengths == NULL)
    {
      es_spectral_library_add_note (library, _("“%s” gives no wavelengths: its bands are numbered, and cannot be "
                                               "compared with those of another sensor."), header_name);
      axis = es_spectral_axis_new ((guint) layout.n_bands, NULL, NULL);
    }
  else
    axis = es_spectra_make_axis (library, header_name, (guint) layout.n_bands, wavelengths, fwhm,
                                 es_envi_header_get (header, "wavelength units"), &turned, error);
  es_spectral_library_set_format (library, _("ENVI spectral library"));
  return axis != NULL && add_spectra (library, header, axis, turned, bytes, &layout);
}
