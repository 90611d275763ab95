/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-open-words-internal.h"

#include <string.h>

static void
add_text (GPtrArray *words, const char *key, const char *text)
{
  if (text != NULL)
    g_ptr_array_add (words, g_strconcat (key, "=", text, NULL));
}

static void
add_number (GPtrArray *words, const char *key, guint64 number)
{
  if (number != 0)
    g_ptr_array_add (words, g_strdup_printf ("%s=%" G_GUINT64_FORMAT, key, number));
}

char **
es_open_words_new (const EsOpenOptions *options)
{
  GPtrArray *words = g_ptr_array_new ();
  char rate[G_ASCII_DTOSTR_BUF_SIZE];

  add_number (words, "width", (guint64) MAX (options->width, 0));
  add_number (words, "height", (guint64) MAX (options->height, 0));
  add_text (words, "variable", options->variable);
  add_text (words, "driver", options->driver);
  add_number (words, "channels", options->samples.channels);
  add_text (words, "type", options->samples.type);
  add_number (words, "big-endian", options->samples.big_endian != FALSE);
  add_number (words, "by-channel", options->samples.by_channel != FALSE);
  add_number (words, "offset", options->samples.offset);
  add_number (words, "raw-bands", options->samples.bands);
  if (options->samples.bands > 0)
    add_text (words, "interleave", es_interleave_name (options->samples.interleave));
  if (options->samples.rate > 0)
    add_text (words, "rate", g_ascii_dtostr (rate, sizeof rate, options->samples.rate));
  g_ptr_array_add (words, NULL);
  return (char **) g_ptr_array_free (words, FALSE);
}

/* What stands behind "KEY="; NULL: it is another key. */
static const char *
value_of (const char *word, const char *key)
{
  const gsize length = strlen (key);

  return strncmp (word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static gboolean
read_number (const char *text, guint64 most, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, 10, 0, most, number, NULL);
}

static gboolean
read_word (const char *word, EsOpenOptions *options)
{
  EsRawSamples *samples = &options->samples;
  const char *text;
  guint64 number = 0;
  gboolean ok = TRUE;

  if ((text = value_of (word, "variable")) != NULL)
    options->variable = text;
  else if ((text = value_of (word, "driver")) != NULL)
    options->driver = text;
  else if ((text = value_of (word, "type")) != NULL)
    samples->type = text;
  else if ((text = value_of (word, "rate")) != NULL)
    samples->rate = g_ascii_strtod (text, NULL);
  else if ((text = value_of (word, "width")) != NULL && (ok = read_number (text, G_MAXINT, &number)))
    options->width = (int) number;
  else if (ok && (text = value_of (word, "height")) != NULL && (ok = read_number (text, G_MAXINT, &number)))
    options->height = (int) number;
  else if (ok && (text = value_of (word, "channels")) != NULL && (ok = read_number (text, G_MAXUINT, &number)))
    samples->channels = (guint) number;
  else if (ok && (text = value_of (word, "big-endian")) != NULL)
    samples->big_endian = TRUE;
  else if (ok && (text = value_of (word, "by-channel")) != NULL)
    samples->by_channel = TRUE;
  else if (ok && (text = value_of (word, "offset")) != NULL && (ok = read_number (text, G_MAXUINT64, &number)))
    samples->offset = number;
  else if (ok && (text = value_of (word, "raw-bands")) != NULL && (ok = read_number (text, G_MAXUINT, &number)))
    samples->bands = (guint) number;
  else if (ok && (text = value_of (word, "interleave")) != NULL)
    ok = es_interleave_find (text, &samples->interleave);
  else
    ok = FALSE;
  return ok;
}

gboolean
es_open_words_read (const char * const *words, EsOpenOptions *options)
{
  *options = (EsOpenOptions) { 0 };
  for (guint i = 0; words[i] != NULL; i++)
    if (!read_word (words[i], options))
      return FALSE;
  return TRUE;
}
