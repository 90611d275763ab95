/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-json-internal.h"

#include <string.h>

/* Behind the string that begins here. */
static const char *
skip_string (const char *text)
{
  for (text++; *text != '"' && *text != '\0'; text++)
    if (*text == '\\' && text[1] != '\0')
      text++;
  return *text == '"' ? text + 1 : text;
}

/* Behind the number or word that begins here. */
static const char *
skip_token (const char *text)
{
  while (g_ascii_isalnum (*text) || *text == '-' || *text == '+' || *text == '.')
    text++;
  return text;
}

static void
append_token (GString *out, const char *token, gsize length)
{
  const char *word = *token == '-' ? token + 1 : token;

  if (g_ascii_strncasecmp (word, "nan", 3) == 0 || g_ascii_strncasecmp (word, "inf", 3) == 0)
    {
      g_string_append (out, "null");
      return;
    }
  /* A fraction behind an exponent. */
  if (g_ascii_isdigit (*word) && length > 2 && memcmp (token + length - 2, ".0", 2) == 0
      && memchr (token, 'e', length) != NULL)
    length -= 2;
  g_string_append_len (out, token, length);
}

char *
es_json_to_text (JsonNode *root)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autofree char *text = NULL;
  GString *out;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, NULL);
  out = g_string_sized_new (strlen (text) + 1);
  for (const char *p = text; *p != '\0';)
    {
      const char *end = *p == '"' ? skip_string (p) : skip_token (p);

      if (*p == '"')
        g_string_append_len (out, p, end - p);
      else if (end > p)
        append_token (out, p, end - p);
      else
        g_string_append_c (out, *end++);
      p = end;
    }
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}
