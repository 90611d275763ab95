/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-envi-metadata-private.h"
#include "base/es-error.h"
#include "claims/es-signature-internal.h"
#include "libraries/es-address-file-internal.h"
#include "raster/es-raster-internal.h"
#include "es-reader-private.h"

static const char * const data_suffixes[] = {
  "", ".img", ".dat", ".bsq", ".bil", ".bip", ".raw", ".bin",
  ".IMG", ".DAT", ".BSQ", ".BIL", ".BIP", ".RAW", ".BIN",
};

typedef struct
{
  int     code;
  EskType type;
} TypeCode;

static const TypeCode type_codes[] = {
  { 1, ESK_U8 },   { 2, ESK_I16 },  { 3, ESK_I32 },  { 4, ESK_F32 },  { 5, ESK_F64 },
  { 12, ESK_U16 }, { 13, ESK_U32 }, { 14, ESK_I64 }, { 15, ESK_U64 },
};

/* What a header says about where its samples lie. */
typedef struct
{
  guint64      samples, lines, bands, offset;
  EskType      type;
  EsInterleave interleave;
  gboolean     byte_swapped;
  guint64      bytes;          /* of all samples */
} Layout;

/* What of a header at an address is looked at: those of files of this machine may be as long. */
#define MOST_HEADER ((gsize) 64 << 20)

static char *
name_of (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return es_error_file_name (file);
}

static gboolean
header_is_at (const char *path)
{
  g_autofree char *text = NULL;
  gsize length;

  if (es_address_of_guarded (path) == NULL)
    return es_envi_header_is_at (path);
  text = es_address_load (path, MOST_HEADER, &length);
  return text != NULL && es_envi_header_is_one ((const guint8 *) text, length);
}

static EsEnviHeader *
load_header (const char *path, const char *name, GError **error)
{
  g_autofree char *text = NULL;
  gsize length;

  if (es_address_of_guarded (path) == NULL)
    return es_envi_header_load (path, name, error);
  text = es_address_load (path, MOST_HEADER, &length);
  if (text != NULL)
    return es_envi_header_parse (text, length, name, error);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("The header “%s” cannot be read from its server"), name);
  return NULL;
}

/* scene.img: scene.img.hdr, scene.hdr; the suffix in either case. NULL where none is an ENVI header. */
static char *
find_header (const char *data)
{
  const char *base = strrchr (data, G_DIR_SEPARATOR), *dot = strrchr (base != NULL ? base : data, '.');
  gsize stems[] = { strlen (data), dot != NULL && dot > base + 1 ? (gsize) (dot - data) : 0 };
  static const char * const suffixes[] = { ".hdr", ".HDR", ".Hdr" };

  for (guint i = 0; i < G_N_ELEMENTS (stems); i++)
    for (guint k = 0; stems[i] > 0 && k < G_N_ELEMENTS (suffixes); k++)
      {
        g_autofree char *path = g_strdup_printf ("%.*s%s", (int) stems[i], data, suffixes[k]);

        if (strcmp (path, data) != 0 && header_is_at (path))
          return g_steal_pointer (&path);
      }
  return NULL;
}

/* The first candidate that is large enough; failing that, the first there is, so that its size can be
 * complained of. */
static char *
find_data (const char *header, guint64 needed)
{
  g_autofree char *stem = g_strdup (header);
  g_autofree char *first = NULL;
  gsize length = strlen (stem);
  guint64 size;

  if (length <= 4 || g_ascii_strcasecmp (stem + length - 4, ".hdr") != 0)
    return NULL;
  stem[length - 4] = '\0';

  for (guint i = 0; i < G_N_ELEMENTS (data_suffixes); i++)
    {
      g_autofree char *path = g_strconcat (stem, data_suffixes[i], NULL);

      if (!es_reader_find_size (path, &size))
        continue;
      if (size >= needed)
        return g_steal_pointer (&path);
      if (first == NULL)
        first = g_steal_pointer (&path);
    }
  return g_steal_pointer (&first);
}

static gboolean
refuse_field (EsEnviHeader *header, const char *field, const char *expected, int code, GError **error)
{
  const char *found = es_envi_header_get (header, field);
  g_autofree char *shown = g_utf8_substring (found, 0, MIN (g_utf8_strlen (found, -1), 40));

  g_set_error (error, ES_DATA_ERROR, code, _("The field “%s” of the header “%s” is “%s”; %s was expected"),
               field, es_envi_header_get_name (header), shown, expected);
  return FALSE;
}

static gboolean
is_classification (EsEnviHeader *header)
{
  const char *kind = es_envi_header_get (header, "file type");

  return kind != NULL && strcasestr (kind, "classification") != NULL;
}

static gboolean
check_kind (EsEnviHeader *header, GError **error)
{
  const char *kind = es_envi_header_get (header, "file type");
  const char *name = es_envi_header_get_name (header);
  guint64 compression;

  if (kind != NULL && strcasestr (kind, "spectral library") != NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” describes an ENVI spectral library: a list of spectra, not a cube of pixels"),
                   name);
      return FALSE;
    }
  if (kind != NULL && g_ascii_strncasecmp (kind, "ENVI", 4) != 0)
    {
      g_autofree char *shown = g_utf8_substring (kind, 0, MIN (g_utf8_strlen (kind, -1), 40));

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” describes a file of the type “%s”, not one in ENVI's own layout; open that "
                     "file itself"), name, shown);
      return FALSE;
    }
  if (!es_envi_header_get_count (header, "file compression", 0, &compression, error))
    return FALSE;
  if (compression != 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” describes a compressed ENVI file; only uncompressed ones can be read"), name);
      return FALSE;
    }
  for (guint i = 0; i < 2; i++)
    {
      const char *field = i == 0 ? "major frame offsets" : "minor frame offsets";
      const char *value = es_envi_header_get (header, field);

      if (value != NULL && strspn (value, "0., ") != strlen (value))
        return refuse_field (header, field, _("zero (frames with gaps are not handled)"),
                             ES_DATA_ERROR_UNSUPPORTED, error);
    }
  return TRUE;
}

static gboolean
read_type (EsEnviHeader *header, EskType *type, GError **error)
{
  guint64 code;

  if (!es_envi_header_get_count (header, "data type", G_MAXUINT64, &code, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (type_codes); i++)
    if (code == (guint64) type_codes[i].code)
      {
        *type = type_codes[i].type;
        return TRUE;
      }
  if (code == 6 || code == 9)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” describes complex samples (data type %u); real ones were expected"),
                   es_envi_header_get_name (header), (guint) code);
      return FALSE;
    }
  return refuse_field (header, "data type", _("one of 1, 2, 3, 4, 5, 12, 13, 14 and 15"),
                       ES_DATA_ERROR_FORMAT, error);
}

static gboolean
read_layout (EsEnviHeader *header, Layout *layout, GError **error)
{
  const char *name = es_envi_header_get_name (header), *interleave;
  guint64 byte_order;

  if (!es_envi_header_get_count (header, "samples", G_MAXUINT64, &layout->samples, error) ||
      !es_envi_header_get_count (header, "lines", G_MAXUINT64, &layout->lines, error) ||
      !es_envi_header_get_count (header, "bands", G_MAXUINT64, &layout->bands, error) ||
      !es_envi_header_get_count (header, "header offset", 0, &layout->offset, error) ||
      !es_envi_header_get_count (header, "byte order", 0, &byte_order, error) ||
      !read_type (header, &layout->type, error))
    return FALSE;

  if (byte_order > 1)
    return refuse_field (header, "byte order", _("0 (little endian) or 1 (big endian)"), ES_DATA_ERROR_FORMAT,
                         error);
  layout->byte_swapped = esk_type_size (layout->type) > 1 &&
                         (byte_order == 1) != (G_BYTE_ORDER == G_BIG_ENDIAN);

  interleave = es_envi_header_get (header, "interleave");
  if (interleave == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("The header “%s” has no field “%s”"), name,
                   "interleave");
      return FALSE;
    }
  if (g_ascii_strcasecmp (interleave, "bsq") == 0)
    layout->interleave = ES_INTERLEAVE_BSQ;
  else if (g_ascii_strcasecmp (interleave, "bil") == 0)
    layout->interleave = ES_INTERLEAVE_BIL;
  else if (g_ascii_strcasecmp (interleave, "bip") == 0)
    layout->interleave = ES_INTERLEAVE_BIP;
  else
    return refuse_field (header, "interleave", _("bsq, bil or bip"), ES_DATA_ERROR_FORMAT, error);

  if (layout->samples == 0 || layout->lines == 0 || layout->bands == 0 || layout->bands > 65535 ||
      __builtin_mul_overflow (layout->samples, layout->lines, &layout->bytes) ||
      __builtin_mul_overflow (layout->bytes, layout->bands, &layout->bytes) ||
      __builtin_mul_overflow (layout->bytes, esk_type_size (layout->type), &layout->bytes) ||
      layout->bytes > G_MAXINT64)
    {
      g_autofree char *shape = g_strdup_printf ("%" G_GUINT64_FORMAT " × %" G_GUINT64_FORMAT
                                                " × %" G_GUINT64_FORMAT, layout->samples, layout->lines,
                                                layout->bands);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("The header “%s” gives the size %s (samples × lines × bands); sizes of 1 or more, and "
                     "at most 65535 bands, were expected"), name, shape);
      return FALSE;
    }
  if (layout->offset > G_MAXINT64 - layout->bytes)
    return refuse_field (header, "header offset", _("a place inside a file"), ES_DATA_ERROR_SIZE, error);
  return TRUE;
}

/* Data and header together name the content: a changed bad-band list changes what is computed. */
static void
set_identity (EsCube *cube, const char *data_path, const char *header_path)
{
  g_autofree char *mask_path = es_raster_find_mask (data_path);
  g_autofree char *first = es_reader_identify (data_path), *second = es_reader_identify (header_path);
  g_autofree char *third = mask_path != NULL ? es_reader_identify (mask_path) : NULL;
  g_autofree char *both = g_strconcat (first, "\n", second, third != NULL ? "\n" : NULL, third, NULL);
  g_autofree char *identity = g_compute_checksum_for_string (G_CHECKSUM_SHA256, both, -1);

  _es_dataset_set_identity (ES_DATASET (cube), identity);
}

/* Opens the data file and compares its size with what the header promises. */
static gboolean
open_data (const char *path, const char *name, const Layout *layout, EsRawFile *data, GError **error)
{
  g_autofree char *promised = g_strdup_printf ("%" G_GUINT64_FORMAT, layout->offset + layout->bytes), *found = NULL;

  if (!es_raw_file_open (data, path, name, error))
    return FALSE;
  if (data->size >= layout->offset + layout->bytes)
    return TRUE;
  found = g_strdup_printf ("%" G_GUINT64_FORMAT, data->size);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
               _("“%s” holds %s bytes; its header promises %s"), name, found, promised);
  es_raw_file_close (data);
  return FALSE;
}

/* The samples of a header may begin like a file of another kind, or be one. */
static void
note_signature (EsReaderInput *input, const EsRawFile *data, const char *data_name, const char *header_path)
{
  g_autofree guint8 *head = g_malloc (ES_READER_HEAD);
  g_autofree char *name = name_of (header_path);
  const gsize n = es_raw_file_read_head (data, head, ES_READER_HEAD);
  const char *format;

  if (n > 0 && es_signature_find (head, n, &format) != ES_SIGNATURE_NONE)
    es_reader_note (input, _("“%s” begins like %s; it was read as the header “%s” says."), data_name, format, name);
}

/* What GDAL writes for a mask of a file that has no room for one. */
static gboolean
take_mask (EsReaderInput *input, const char *data_path, EsCubeInfo *info, GError **error)
{
  g_autofree char *path = es_raster_find_mask (data_path), *name = NULL;
  EsRasterMaskKind kind;
  EsSampleSource *source;

  if (path == NULL)
    return TRUE;
  source = es_raster_add_mask (info->source, path, info->width, info->height, info->bands, &kind, error);
  if (source == NULL)
    return FALSE;
  info->source = source;
  name = name_of (path);
  es_reader_add_file (input, path);
  if (kind == ES_RASTER_MASK_NONE)
    es_reader_note (input, _("“%s” is no mask of %llu × %llu pixels and was left out."), name,
                    (unsigned long long) info->width, (unsigned long long) info->height);
  else
    es_reader_note_mask (input, kind == ES_RASTER_MASK_BY_BAND);
  return TRUE;
}

static EsCube *
open_pair (EsReaderInput *input, EsEnviHeader *header, const char *header_path, const char *data_path,
           const Layout *layout, GError **error)
{
  static const char * const formats[] = { "ENVI BSQ", "ENVI BIL", "ENVI BIP" };
  const char *address = es_address_of_guarded (data_path);
  g_autoptr (GFile) file = g_file_new_for_path (address != NULL ? address : data_path);
  g_autofree char *name = es_error_file_name (file);
  g_auto (EsCubeInfo) info = { .default_bands = { -1, -1, -1 } };
  g_autoptr (EsCube) cube = NULL;
  EsRawFile data;

  if (!open_data (data_path, name, layout, &data, error))
    return NULL;
  es_reader_add_file (input, header_path);
  note_signature (input, &data, name, header_path);

  info.width = layout->samples;
  info.height = layout->lines;
  info.bands = (guint) layout->bands;
  info.type = layout->type;
  info.format_name = g_strdup (formats[layout->interleave]);
  info.source = es_raw_source_new_of (&data, name, layout->offset, layout->interleave, layout->type,
                                      layout->byte_swapped, layout->samples, layout->lines, info.bands);
  if (!take_mask (input, data_path, &info, error))
    return NULL;
  es_envi_read_metadata (input, header, &info);
  if (is_classification (header))
    es_envi_read_classes (input, header, &info);

  cube = es_cube_new (file, &info, error);
  if (cube != NULL)
    set_identity (cube, data_path, header_path);
  return g_steal_pointer (&cube);
}

/* The header beside a data file where it describes one of the file's size, or a smaller one. */
static gboolean
header_fits (EsReaderInput *input, char **header_path, gboolean *to_the_byte)
{
  g_autofree char *path = find_header (input->path);
  g_autoptr (EsEnviHeader) header = path != NULL ? load_header (path, path, NULL) : NULL;
  Layout layout = { 0 };

  if (header == NULL || !check_kind (header, NULL) || !read_layout (header, &layout, NULL) ||
      input->size < layout.offset + layout.bytes)
    return FALSE;
  *to_the_byte = input->size == layout.offset + layout.bytes;
  *header_path = g_steal_pointer (&path);
  return TRUE;
}

static gboolean
is_header (EsReaderInput *input)
{
  return es_envi_header_is_one (input->head, input->head_length);
}

/* A header beside a file may belong to something else: es_signature_find () has the rule. */
static gboolean
envi_recognises (EsReaderInput *input)
{
  g_autofree char *header = NULL;
  gboolean to_the_byte;

  if (is_header (input))
    return TRUE;
  switch (es_signature_find (input->head, input->head_length, NULL))
    {
    case ES_SIGNATURE_STRONG:
      return FALSE;
    case ES_SIGNATURE_WEAK:
      return header_fits (input, &header, &to_the_byte) && to_the_byte;
    case ES_SIGNATURE_NONE:
    default:
      header = find_header (input->path);
      return header != NULL;
    }
}

static gboolean
envi_beside_recognises (EsReaderInput *input)
{
  g_autofree char *header = NULL;
  gboolean to_the_byte;

  return !is_header (input) && es_signature_find (input->head, input->head_length, NULL) == ES_SIGNATURE_WEAK &&
         header_fits (input, &header, &to_the_byte);
}

void
es_reader_note_envi_header (EsReaderInput *input)
{
  g_autofree char *path = NULL, *name = NULL;
  const char *format;
  gboolean to_the_byte;

  if (is_header (input) || es_signature_find (input->head, input->head_length, &format) == ES_SIGNATURE_NONE ||
      !header_fits (input, &path, &to_the_byte))
    return;
  name = name_of (path);
  es_reader_note (input, _("The file says itself that it is %s; the header “%s” beside it, which describes a raw cube, "
                           "was left out."), format, name);
}

static EsCube *
envi_open_cube (EsReaderInput *input, GError **error)
{
  const gboolean by_header = is_header (input);
  g_autofree char *header_path = by_header ? g_strdup (input->path) : find_header (input->path);
  g_autofree char *data_path = by_header ? NULL : g_strdup (input->path);
  g_autofree char *header_name = NULL;
  g_autoptr (EsEnviHeader) header = NULL;
  Layout layout = { 0 };

  if (header_path == NULL)
    return NULL;
  header_name = name_of (header_path);
  header = load_header (header_path, header_name, error);
  if (header == NULL || !check_kind (header, error) || !read_layout (header, &layout, error))
    return NULL;

  if (data_path == NULL)
    data_path = find_data (header_path, layout.offset + layout.bytes);
  if (data_path == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("No data file lies beside the header “%s”; one of the same name without “.hdr”, or with "
                     ".img, .dat, .bsq, .bil, .bip or .raw, was expected"), header_name);
      return NULL;
    }
  return open_pair (input, header, header_path, data_path, &layout, error);
}

static EsDataset *
envi_open (EsReaderInput *input, GError **error)
{
  return (EsDataset *) envi_open_cube (input, error);
}

const EsReader es_reader_envi = { envi_recognises, envi_open };
const EsReader es_reader_envi_beside = { envi_beside_recognises, envi_open };
