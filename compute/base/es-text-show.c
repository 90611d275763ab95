/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-text-show.h"

#include <string.h>

gboolean
es_text_is_control (gunichar character)
{
  return character < 0x20 || (character >= 0x7f && character < 0xa0)                     /* C0, DEL, C1 */
         || character == 0x2028 || character == 0x2029                                   /* separators */
         || character == 0x061c || character == 0x200e || character == 0x200f            /* marks of direction */
         || (character >= 0x202a && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069)
         || character == 0xfeff || (character >= 0xfff9 && character <= 0xfffb);         /* not to be seen */
}

static char *
show (const char *text, const char *kept)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  while (*text != '\0')
    {
      const gunichar character = g_utf8_get_char_validated (text, -1);
      const char *next = text + 1;

      if (character == (gunichar) -1 || character == (gunichar) -2)
        g_string_append_printf (shown, "\\x%02x", (guchar) *text);
      else
        {
          next = g_utf8_next_char (text);
          if (!es_text_is_control (character) || strchr (kept, *text) != NULL)
            g_string_append_len (shown, text, next - text);
          else
            g_string_append_printf (shown, character < 0x100 ? "\\x%02x" : "\\u%04x", character);
        }
      text = next;
    }
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

char *
es_text_show (const char *text)
{
  return text != NULL ? show (text, "") : NULL;
}

char *
es_text_show_lines (const char *text)
{
  return text != NULL ? show (text, "\n\t") : NULL;
}
