/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* ...-METADATA.XML of EnMAP (bandCharacterisation/bandID) and DESIS (bandCharacterisation/band). Their names of things
 * differ in few letters, and in their case. */

#include "es-product-internal.h"
#include "es-product-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"
#include "base/es-text-show.h"

#define MOST_BYTES ((gsize) 64 << 20)
#define MOST_BANDS 65535u
#define DEEPEST    64u

typedef struct
{
  guint  number;                 /* from 1; 0: not told */
  double wavelength, fwhm, gain, offset;
  gboolean broken;               /* a gain or an offset is told that is none */
} Band;

enum { VNIR, SWIR, N_PARTS };

typedef struct
{
  GPtrArray *names;              /* of elements that are open, without namespaces; borrowed from nobody: owned */
  GString   *text;               /* of the innermost */
  GArray    *bands;              /* of Band */
  GString   *expected[N_PARTS];
  guint      channels[N_PARTS];
  double     background;         /* NAN: not told */
} Reading;

static void
reading_clear (Reading *self)
{
  g_ptr_array_unref (self->names);
  g_string_free (self->text, TRUE);
  g_array_unref (self->bands);
  for (guint i = 0; i < N_PARTS; i++)
    g_string_free (self->expected[i], TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static const char *
name_at (const Reading *self, guint from_end)
{
  return self->names->len > from_end ? g_ptr_array_index (self->names, self->names->len - 1 - from_end) : "";
}

static gboolean
is (const char *name, const char *wanted)
{
  return g_ascii_strcasecmp (name, wanted) == 0;
}

static gboolean
is_band (const Reading *self, guint from_end)
{
  return is (name_at (self, from_end + 1), "bandCharacterisation")
         && (is (name_at (self, from_end), "bandID") || is (name_at (self, from_end), "band"));
}

static guint
read_count (const char *text)
{
  g_autofree char *bare = g_strstrip (g_strdup (text));
  guint64 number = 0;

  return g_ascii_string_to_unsigned (bare, 10, 1, MOST_BANDS, &number, NULL) ? (guint) number : 0;
}

static double
read_number (const char *text)
{
  g_autofree char *bare = g_strstrip (g_strdup (text));
  char *end;
  const double value = g_ascii_strtod (bare, &end);

  return end != bare && *end == '\0' && isfinite (value) ? value : NAN;
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **keys, const char **values, gpointer data,
          GError **error)
{
  Reading *self = data;
  const char *colon = strrchr (element, ':');

  if (self->names->len >= DEEPEST)
    {
      g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, _("it is nested too deeply"));
      return;
    }
  g_ptr_array_add (self->names, g_strdup (colon != NULL ? colon + 1 : element));
  g_string_truncate (self->text, 0);
  if (is_band (self, 0) && self->bands->len < MOST_BANDS)
    {
      Band band = { .wavelength = NAN, .fwhm = NAN, .gain = NAN, .offset = NAN };

      for (guint i = 0; keys[i] != NULL; i++)
        if (is (keys[i], "number"))
          band.number = read_count (values[i]);
      g_array_append_val (self->bands, band);
    }
}

static void
take_of_band (Reading *self, const char *name, const char *text)
{
  Band *band = &g_array_index (self->bands, Band, self->bands->len - 1);

  if (is (name, "bandNumber"))
    band->number = read_count (text);
  else if (is (name, "wavelengthCenterOfBand"))
    band->wavelength = read_number (text);
  else if (is (name, "FWHMOfBand") || is (name, "wavelengthWidthOfBand"))
    band->fwhm = read_number (text);
  else if (is (name, "gainOfBand"))
    {
      band->gain = read_number (text);
      band->broken = band->broken || isnan (band->gain) || band->gain == 0;
    }
  else if (is (name, "offsetOfBand"))
    {
      band->offset = read_number (text);
      band->broken = band->broken || isnan (band->offset);
    }
}

/* Gains of all bands, or of none: numbers of which some are counted so and some otherwise are no spectrum. */
static gboolean
are_whole (const GArray *bands)
{
  guint gains = 0, offsets = 0;

  for (guint i = 0; i < bands->len; i++)
    {
      const Band *band = &g_array_index (bands, Band, i);

      if (band->broken)
        return FALSE;
      gains += !isnan (band->gain);
      offsets += !isnan (band->offset);
    }
  return (gains == 0 || gains == bands->len) && (offsets == 0 || offsets == bands->len);
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  static const char * const parts[] = { "vnir", "swir" }, * const qualities[] = { "vnirProductQuality",
                                                                                  "swirProductQuality" };
  Reading *self = data;
  const char *name = name_at (self, 0);

  if (is_band (self, 1) && self->bands->len > 0)
    take_of_band (self, name, self->text->str);
  else if (is (name, "backgroundValue") && isnan (self->background))
    self->background = read_number (self->text->str);
  for (guint i = 0; i < N_PARTS; i++)
    if (is (name, "channels") && is (name_at (self, 1), parts[i]) && is (name_at (self, 2), "image"))
      self->channels[i] = read_count (self->text->str);
    else if (is (name, "expectedChannelsList") && is (name_at (self, 1), qualities[i]))
      g_string_assign (self->expected[i], self->text->str);
  g_string_truncate (self->text, 0);
  g_ptr_array_set_size (self->names, (int) self->names->len - 1);
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize length, gpointer data, GError **error)
{
  g_string_append_len (((Reading *) data)->text, text, (gssize) length);
}

/* Every band by its number: 1, 2, 3 ... each once, or without numbers as they come. */
static gboolean
sort_bands (GArray *bands)
{
  g_autoptr (GArray) sorted = g_array_sized_new (FALSE, TRUE, sizeof (Band), bands->len);
  gboolean numbered = bands->len > 0;

  g_array_set_size (sorted, bands->len);
  for (guint i = 0; i < bands->len; i++)
    numbered = numbered && g_array_index (bands, Band, i).number != 0;
  for (guint i = 0; numbered && i < bands->len; i++)
    {
      const Band *band = &g_array_index (bands, Band, i);

      if (band->number > bands->len || g_array_index (sorted, Band, band->number - 1).number != 0)
        return FALSE;
      g_array_index (sorted, Band, band->number - 1) = *band;
    }
  if (numbered)
    memcpy (bands->data, sorted->data, bands->len * sizeof (Band));
  return bands->len > 0;
}

/* Flags of all n bands; NULL where the lists do not say. */
static gboolean *
read_expected (const Reading *self, guint n)
{
  g_autofree gboolean *good = g_new0 (gboolean, n);
  guint last = 0, found = 0;

  for (guint i = 0; i < N_PARTS; i++)
    {
      g_auto (GStrv) words = g_strsplit_set (self->expected[i]->str, ", \t\r\n", -1);
      const guint before = last;

      for (guint w = 0; words[w] != NULL; w++)
        {
          const guint number = read_count (words[w]);

          if (*words[w] == '\0')
            continue;
          /* Counted through both detectors, or not understood. */
          if (number == 0 || number > n || (number <= before && i > 0))
            return NULL;
          good[number - 1] = TRUE;
          last = MAX (last, number);
          found++;
        }
    }
  return found > 0 ? g_steal_pointer (&good) : NULL;
}

static double *
list_of (const GArray *bands, guint first, guint n, gsize offset, double otherwise)
{
  double *list = g_new (double, n);

  for (guint i = 0; i < n; i++)
    {
      list[i] = G_STRUCT_MEMBER (double, &g_array_index (bands, Band, first + i), offset);
      if (isnan (list[i]))
        list[i] = otherwise;
    }
  return list;
}

static void
tell_sensor (EsProduct *self, const char *base)
{
  static const char * const levels[] = { "L1B", "L1C", "L2A" };
  const gboolean enmap = g_ascii_strncasecmp (base, "ENMAP", 5) == 0;
  const gboolean desis = g_ascii_strncasecmp (base, "DESIS", 5) == 0;
  const char *level = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    if (strstr (base, levels[i]) != NULL)
      level = levels[i];
  self->sensor = g_strdup_printf ("%s%s%s", enmap ? "EnMAP" : desis ? "DESIS" : "SPECTRAL_IMAGE",
                                  level != NULL ? " " : "", level != NULL ? level : "");
  if (level != NULL && level[1] == '1')
    self->unit = enmap ? "W/(m² sr nm)" : desis ? "mW/(cm² sr µm)" : NULL;
}

/* Which of the bands are those of this image. FALSE: their numbers do not fit. */
static gboolean
find_first (const Reading *reading, const char *image, guint bands, guint *first)
{
  g_autofree char *base = g_path_get_basename (image);
  const char *ending = es_product_image_ending (base);
  const guint n = reading->bands->len;
  const guint vnir = reading->channels[VNIR];

  *first = 0;
  if (strstr (ending, "_VNIR") != NULL)
    return bands <= n && (vnir == 0 || vnir == bands);
  if (strstr (ending, "_SWIR") != NULL)
    {
      *first = vnir != 0 ? vnir : n - MIN (n, bands);
      return *first + bands <= n && (reading->channels[SWIR] == 0 || reading->channels[SWIR] == bands);
    }
  return n == bands;
}

static gboolean
parse (Reading *reading, const char *path, const char *name, GError **error)
{
  static const GMarkupParser parser = { on_start, on_end, on_text, NULL, NULL };
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GMarkupParseContext) context = NULL;
  g_autoptr (GError) failure = NULL;
  gsize length;
  g_autofree char *text = es_text_file_load_at_most (file, MOST_BYTES, &length, NULL, error);

  if (text == NULL)
    return FALSE;
  context = g_markup_parse_context_new (&parser, 0, reading, NULL);
  if (g_markup_parse_context_parse (context, text, (gssize) length, &failure)
      && g_markup_parse_context_end_parse (context, &failure))
    return TRUE;

  g_autofree char *reason = es_text_show (failure->message);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is no XML that can be read: %s"), name, reason);
  return FALSE;
}

EsProduct *
es_product_read (const char *image, guint bands, GError **error)
{
  g_autofree char *path = es_product_find_metadata (image);
  g_autofree char *base = path != NULL ? g_path_get_basename (path) : NULL;
  g_autofree char *name = base != NULL ? g_filename_display_name (base) : NULL;
  g_auto (Reading) reading = {
    .names = g_ptr_array_new_with_free_func (g_free), .text = g_string_new (NULL),
    .bands = g_array_new (FALSE, TRUE, sizeof (Band)), .background = NAN,
    .expected = { g_string_new (NULL), g_string_new (NULL) },
  };
  g_autofree gboolean *good = NULL;
  EsProduct *self;
  guint first;

  if (path == NULL || !parse (&reading, path, name, error))
    return NULL;
  if (!sort_bands (reading.bands) || !find_first (&reading, image, bands, &first))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” describes %u bands, and the image beside it has %u"), name, reading.bands->len, bands);
      return NULL;
    }
  self = g_new0 (EsProduct, 1);
  self->metadata = g_steal_pointer (&path);
  self->n = bands;
  self->wavelengths = list_of (reading.bands, first, bands, G_STRUCT_OFFSET (Band, wavelength), NAN);
  self->fwhm = list_of (reading.bands, first, bands, G_STRUCT_OFFSET (Band, fwhm), NAN);
  self->scale = list_of (reading.bands, first, bands, G_STRUCT_OFFSET (Band, gain), 1);
  self->offset = list_of (reading.bands, first, bands, G_STRUCT_OFFSET (Band, offset), 0);
  self->uncounted = !are_whole (reading.bands);
  for (guint b = 0; self->uncounted && b < bands; b++)
    {
      self->scale[b] = 1;
      self->offset[b] = 0;
    }
  good = read_expected (&reading, reading.bands->len);
  if (good != NULL)
    self->good = g_memdup2 (good + first, bands * sizeof *good);
  self->has_background = !isnan (reading.background);
  self->background = reading.background;
  tell_sensor (self, base);
  return self;
}

void
es_product_free (EsProduct *self)
{
  g_free (self->metadata);
  g_free (self->sensor);
  g_free (self->wavelengths);
  g_free (self->fwhm);
  g_free (self->scale);
  g_free (self->offset);
  g_free (self->good);
  g_free (self);
}
