/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A cube as a person has described it. */

#include "es-raw-internal.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "base/es-error.h"

static const char * const types[] = { "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64", NULL };

static const EskType codes[] = { ESK_U8, ESK_I16, ESK_U16, ESK_I32, ESK_U32, ESK_F32, ESK_F64 };

const char * const *
es_raw_types (void)
{
  return types;
}

gboolean
es_raw_type_find (const char *name, EskType *type)
{
  for (guint i = 0; name != NULL && types[i] != NULL; i++)
    if (g_str_equal (types[i], name))
      {
        *type = codes[i];
        return TRUE;
      }
  return FALSE;
}

guint
es_raw_type_size (const char *type)
{
  EskType code;

  return es_raw_type_find (type, &code) ? (guint) esk_type_size (code) : 0;
}

void
es_raw_shape_to_options (const EsRawShape *shape, EsOpenOptions *options)
{
  *options = (EsOpenOptions) {
    .width = (int) MIN (shape->width, G_MAXINT), .height = (int) MIN (shape->height, G_MAXINT),
    .samples = {
      .bands = (guint) MIN (shape->bands, G_MAXUINT), .interleave = shape->interleave, .type = shape->type,
      .big_endian = shape->big_endian, .offset = shape->offset,
    },
  };
}

void
es_raw_shape_from_options (const EsOpenOptions *options, EsRawShape *shape)
{
  *shape = (EsRawShape) {
    .width = (guint64) MAX (options->width, 0), .height = (guint64) MAX (options->height, 0),
    .bands = options->samples.bands, .offset = options->samples.offset, .type = options->samples.type,
    .interleave = options->samples.interleave, .big_endian = options->samples.big_endian,
  };
}

char *
es_raw_shape_describe (const EsRawShape *shape)
{
  g_autofree char *upper = g_ascii_strup (es_interleave_name (shape->interleave), -1);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%" PRIu64 " × %" PRIu64 " × %" PRIu64 ", %s", shape->width, shape->height,
                          shape->bands, shape->type != NULL ? shape->type : "?");
  if (shape->big_endian && es_raw_type_size (shape->type) > 1)
    g_string_append_printf (text, " %s", _("big endian"));
  g_string_append_printf (text, ", %s", upper);
  if (shape->offset > 0)
    /* TRANSLATORS: bytes before the first sample of a file */
    g_string_append_printf (text, _(", from byte %" PRIu64 " on"), shape->offset);
  return g_string_free (text, FALSE);
}

/* FALSE: they overflow. */
static gboolean
count_bytes (const EsRawShape *shape, guint64 *bytes)
{
  return !__builtin_mul_overflow (shape->width, shape->height, bytes)
         && !__builtin_mul_overflow (*bytes, shape->bands, bytes)
         && !__builtin_mul_overflow (*bytes, (guint64) es_raw_type_size (shape->type), bytes)
         && *bytes <= G_MAXINT64 && shape->offset <= G_MAXINT64 - *bytes;
}

gboolean
es_raw_shape_check (const EsRawShape *shape, guint64 size, const char *name, guint64 *left, GError **error)
{
  guint64 bytes = 0;

  if (es_raw_type_size (shape->type) == 0)
    {
      g_autofree char *expected = g_strjoinv (", ", (char **) types);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("The samples of “%s” as a cube cannot be of the type “%s”: expected one of %s"), name,
                   shape->type != NULL ? shape->type : "", expected);
      return FALSE;
    }
  if (shape->width == 0 || shape->height == 0 || shape->bands == 0 || shape->width > G_MAXINT
      || shape->height > G_MAXINT || shape->bands > 65535 || !count_bytes (shape, &bytes))
    {
      g_autofree char *told = g_strdup_printf ("%" PRIu64 " × %" PRIu64 " × %" PRIu64, shape->width, shape->height,
                                               shape->bands);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” cannot have the size %s (columns × rows × bands): 1 or more of each were expected, at most "
                     "65535 bands, and fewer than 2^63 bytes of all"), name, told);
      return FALSE;
    }
  if (shape->offset + bytes > size)
    {
      g_autofree char *described = es_raw_shape_describe (shape);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("“%s” holds %" PRIu64 " bytes; as %s it would take %" PRIu64), name, size, described,
                   shape->offset + bytes);
      return FALSE;
    }
  if (left != NULL)
    *left = size - shape->offset - bytes;
  return TRUE;
}

char *
es_raw_shape_tell_left (const EsRawShape *shape, guint64 size)
{
  guint64 left, row;

  if (!es_raw_shape_check (shape, size, "", &left, NULL) || left == 0)
    return NULL;
  row = shape->width * shape->bands * es_raw_type_size (shape->type);
  if (shape->interleave != ES_INTERLEAVE_BSQ && left % row == 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "%" PRIu64 " bytes are left over, %" PRIu64 " row more.",
                                         "%" PRIu64 " bytes are left over, %" PRIu64 " rows more.",
                                         (gulong) (left / row)), left, left / row);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%" PRIu64 " byte is left over behind the last sample.",
                                       "%" PRIu64 " bytes are left over behind the last sample.", (gulong) left), left);
}

/* The same bytes taken otherwise are other data. */
static void
set_identity (EsCube *cube, GFile *file, const char *path, const EsRawShape *shape)
{
  g_autofree char *of_file = es_address_of_guarded (path) != NULL ? es_address_identify (path)
                                                                  : _es_dataset_identity_of (file);
  g_autofree char *both = g_strdup_printf ("%s\n%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s %d", of_file,
                                           shape->width, shape->height, shape->bands, shape->offset, shape->type,
                                           es_interleave_name (shape->interleave), shape->big_endian != FALSE);
  g_autofree char *identity = g_compute_checksum_for_string (G_CHECKSUM_SHA256, both, -1);

  _es_dataset_set_identity (ES_DATASET (cube), identity);
}

EsCube *
es_raw_cube_open (GFile *file, const char *path, const char *name, guint64 size, const EsRawShape *shape, char **note,
                  GError **error)
{
  static const char * const formats[] = { N_("raw samples, BSQ"), N_("raw samples, BIL"), N_("raw samples, BIP") };
  g_auto (EsCubeInfo) info = { .default_bands = { -1, -1, -1 } };
  EskType type = ESK_U8;
  EsCube *cube;
  gboolean swapped;
  EsRawFile opened;

  if (!es_raw_shape_check (shape, size, name, NULL, error))
    return NULL;
  es_raw_type_find (shape->type, &type);
  if (!es_raw_file_open (&opened, path, name, error))
    return NULL;
  *note = es_raw_shape_tell_left (shape, size);
  swapped = esk_type_size (type) > 1 && shape->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  info.width = shape->width;
  info.height = shape->height;
  info.bands = (guint) shape->bands;
  info.type = type;
  info.format_name = g_strdup (g_dgettext (GETTEXT_PACKAGE, formats[shape->interleave]));
  info.source = es_raw_source_new_of (&opened, name, shape->offset, shape->interleave, type, swapped,
                                      shape->width, shape->height, info.bands);
  cube = es_cube_new (file, &info, error);
  if (cube != NULL)
    set_identity (cube, file, path, shape);
  return cube;
}
