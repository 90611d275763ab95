/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-file-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-error.h"

/* Of the 255 that file systems allow: numbers, endings and those of companions come behind. */
#define MOST_BYTES 160
/* ".sigmf-data"; what is longer is part of a name. */
#define LONGEST_ENDING 11

static gboolean
turns_direction (gunichar c)
{
  return c == 0x200e || c == 0x200f || c == 0x061c || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static gboolean
is_refused (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SURROGATE:
      return TRUE;
    default:
      return turns_direction (c) || (c < 0x80 && strchr ("/\\:*?\"<>|", (int) c) != NULL);
    }
}

static char *
clean (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);
  GString *name = g_string_new (NULL);

  g_strstrip (valid);
  for (const char *p = valid; *p != '\0' && name->len < MOST_BYTES; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);
      const gboolean hides = name->len == 0 && (c == '.' || c == '-');

      if (name->len + (g_utf8_next_char (p) - p) > MOST_BYTES)
        break;
      g_string_append_unichar (name, hides || is_refused (c) ? '_' : c);
    }
  while (name->len > 0 && (g_ascii_isspace (name->str[name->len - 1]) || name->str[name->len - 1] == '.'))
    g_string_truncate (name, name->len - 1);
  if (name->len == 0)
    g_string_assign (name, "unnamed");
  return g_string_free (name, FALSE);
}

/* Some file systems take "A" and "a", or two ways to write "é", for one name. */
static char *
fold (const char *name)
{
  g_autofree char *folded = g_utf8_casefold (name, -1);

  return g_utf8_normalize (folded, -1, G_NORMALIZE_NFC);
}

char *
es_file_name_make (const char *text, GHashTable *taken)
{
  g_autofree char *name = clean (text);
  g_autofree char *candidate = g_strdup (name);

  for (guint i = 2; taken != NULL && !g_hash_table_add (taken, fold (candidate)); i++)
    {
      g_free (candidate);
      candidate = g_strdup_printf ("%s-%u", name, i);
    }
  return g_steal_pointer (&candidate);
}

/* "v1.5" has none. */
static gboolean
is_ending (const char *dot)
{
  const char *p = dot + 1;

  while (g_ascii_isalnum (*p) || *p == '-')
    p++;
  return g_ascii_isalpha (dot[1]) && *p == '\0' && p - dot <= LONGEST_ENDING;
}

char *
es_file_name_stem (const char *name, GHashTable *taken)
{
  g_autofree char *stem = g_strdup (name != NULL ? name : "");
  char *dot = strrchr (stem, '.');

  if (dot != NULL && dot != stem && is_ending (dot))
    *dot = '\0';
  return es_file_name_make (stem, taken);
}

GHashTable *
es_file_names_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

gboolean
es_file_name_is_plain (const char *name)
{
  return name != NULL && *name != '\0' && *name != '.' && strchr (name, '/') == NULL;
}

static gboolean
is_listed (const char *endings, const char *ending)
{
  g_auto (GStrv) list = g_strsplit (endings, " ", -1);
  g_autofree char *lower = g_ascii_strdown (ending, -1);

  return g_strv_contains ((const char * const *) list, lower);
}

gboolean
es_file_name_fits (const char *path, const char *ending, GError **error)
{
  /* A line is one kind. */
  static const char *const kinds[] = {
    "img hdr dat raw bin bsq bil bip envi", "tif tiff", "png", "jpg jpeg", "pdf", "svg", "html htm", "csv txt", "json",
    "h5 hdf5", "nc", "mat", "wav", "w64", "rf64", "flac", "aiff", "caf",
  };
  g_autofree char *name = g_path_get_basename (path), *shown = g_filename_display_name (name);
  const char *dot = strrchr (name, '.');

  for (guint i = 0; dot != NULL && dot > name && i < G_N_ELEMENTS (kinds); i++)
    if (is_listed (kinds[i], dot + 1) && !is_listed (kinds[i], ending) && g_ascii_strcasecmp (dot + 1, ending) != 0)
      {
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                     _("“%s” is not written: its name says another kind of file than the “.%s” that it would be."),
                     shown, ending);
        return FALSE;
      }
  return TRUE;
}
