/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a file says does not command a terminal or a label. */

#include "base/es-error.h"
#include "base/es-text-show.h"

static void
test_show (void)
{
  static const struct { const char *text, *shown, *lines; } cases[] = {
    { "", "", NULL }, { "scene.img", "scene.img", NULL }, { "a\\b \"c\" ~", "a\\b \"c\" ~", NULL },
    { "Meßwert λ 波段 🛰 e\xcc\x81 👩‍🔬", "Meßwert λ 波段 🛰 e\xcc\x81 👩‍🔬", NULL },
    { "\x1b[31mred\x07", "\\x1b[31mred\\x07", NULL }, { "a\x7f", "a\\x7f", NULL },
    { "a\nb\tc\r", "a\\x0ab\\x09c\\x0d", "a\nb\tc\\x0d" },
    { "\xc2\x9b" "2J\xc2\x85", "\\x9b2J\\x85", NULL }, { "x\xff\xc3", "x\\xff\\xc3", NULL },
    { "\xed\xa0\x80", "\\xed\\xa0\\x80", NULL }, { "\xc0\x9b", "\\xc0\\x9b", NULL },
    { "a\u202egmi.b\u2069", "a\\u202egmi.b\\u2069", NULL }, { "\u200f\u061c\ufeff", "\\u200f\\u061c\\ufeff", NULL },
    { "a\u2028b", "a\\u2028b", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = es_text_show (cases[i].text), *lines = es_text_show_lines (cases[i].text);

      g_assert_cmpstr (shown, ==, cases[i].shown);
      g_assert_cmpstr (lines, ==, cases[i].lines != NULL ? cases[i].lines : cases[i].shown);
    }
  g_assert_null (es_text_show (NULL));
}

static void
test_file_name (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/tmp/a\x1b]0;title\x07\nb\u202e.img");
  g_autofree char *name = es_error_file_name (file);

  g_assert_cmpstr (name, ==, "a\\x1b]0;title\\x07\\x0ab\\u202e.img");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-show/show", test_show);
  g_test_add_func ("/text-show/file-name", test_file_name);
  return g_test_run ();
}
