/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Differences of texts, line by line. */

#include <string.h>

#include "ladder/es-ladder-diff.h"

/* The runs as "=2 -1 +3". */
static char *
tell (const EsLadderDiff *diff)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < diff->n; i++)
    g_string_append_printf (text, "%s%c%u", i > 0 ? " " : "", "=-+"[diff->runs[i].kind], diff->runs[i].n);
  return g_string_free (text, FALSE);
}

static void
check (const char *before, const char *after, const char *expected)
{
  g_autoptr (EsLadderDiff) diff = es_ladder_diff_new (before, after);
  g_autofree char *told = tell (diff);

  g_assert_cmpstr (told, ==, expected);
}

static void
test_runs (void)
{
  check ("", "", "");
  check (NULL, NULL, "");
  check (NULL, "a\nb\n", "+2");
  check ("a\nb\n", NULL, "-2");
  check ("a\nb\n", "a\nb\n", "=2");
  check ("a\nb", "a\nb\n", "=2");
  check ("a\nb\nc\n", "a\nx\nc\n", "=1 -1 +1 =1");
  check ("a\nb\nc\n", "a\nc\n", "=1 -1 =1");
  check ("a\nc\n", "a\nb\nc\n", "=1 +1 =1");
  check ("a\nb\n", "c\nd\n", "-2 +2");
  /* Two changes with one line between them. */
  check ("a\nb\nc\nd\ne\n", "a\nB\nc\nD\ne\n", "=1 -1 +1 =1 -1 +1 =1");
  /* A line that is there twice. */
  check ("x\na\nx\n", "x\nx\n", "=1 -1 =1");
  /* Ends of lines, and an empty line. */
  check ("a  \nb\t\r\n", "a\nb\n", "=2");
  check ("a\n\nb\n", "a\nb\n", "=1 -1 =1");
  /* What is inside a line, or before it, is a difference. */
  check ("a b\n", "a  b\n", "-1 +1");
  check ("a\n", " a\n", "-1 +1");
}

static void
test_lines (void)
{
  g_autoptr (EsLadderDiff) diff = es_ladder_diff_new ("a\nb\nc\nd\n", "a\nX\nY\nd\n");

  g_assert_cmpuint (diff->n, ==, 4);
  g_assert_cmpuint (es_ladder_diff_count (diff, ES_DIFF_SAME), ==, 2);
  g_assert_cmpuint (es_ladder_diff_count (diff, ES_DIFF_REMOVED), ==, 2);
  g_assert_cmpuint (es_ladder_diff_count (diff, ES_DIFF_ADDED), ==, 2);
  g_assert_cmpuint (diff->runs[1].before, ==, 1);
  g_assert_cmpuint (diff->runs[2].after, ==, 1);
  g_assert_cmpuint (diff->runs[3].before, ==, 3);
  g_assert_cmpuint (diff->runs[3].after, ==, 3);
  g_assert_cmpstr (es_ladder_diff_get_line (diff, 1, 1), ==, "c");
  g_assert_cmpstr (es_ladder_diff_get_line (diff, 2, 0), ==, "X");
  g_assert_cmpstr (es_ladder_diff_get_line (diff, 3, 0), ==, "d");
}

/* Of random texts of few different lines: the runs make the one of the other, and nothing shorter does. */
static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (19);

  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (GString) before = g_string_new (NULL), after = g_string_new (NULL);
      g_autoptr (GString) made = g_string_new (NULL), kept = g_string_new (NULL);
      g_autoptr (EsLadderDiff) diff = NULL;
      guint longest[32][32] = { { 0 } };

      for (gint i = g_rand_int_range (random, 0, 31); i > 0; i--)
        g_string_append_printf (before, "%c\n", 'a' + g_rand_int_range (random, 0, 4));
      for (gint i = g_rand_int_range (random, 0, 31); i > 0; i--)
        g_string_append_printf (after, "%c\n", 'a' + g_rand_int_range (random, 0, 4));
      diff = es_ladder_diff_new (before->str, after->str);
      for (guint run = 0; run < diff->n; run++)
        for (guint line = 0; line < diff->runs[run].n; line++)
          {
            if (diff->runs[run].kind != ES_DIFF_REMOVED)
              g_string_append_printf (made, "%s\n", es_ladder_diff_get_line (diff, run, line));
            if (diff->runs[run].kind != ES_DIFF_ADDED)
              g_string_append_printf (kept, "%s\n", es_ladder_diff_get_line (diff, run, line));
          }
      g_assert_cmpstr (made->str, ==, after->str);
      g_assert_cmpstr (kept->str, ==, before->str);
      for (guint i = 1; i <= diff->n_before; i++)
        for (guint j = 1; j <= diff->n_after; j++)
          longest[i][j] = before->str[2 * (i - 1)] == after->str[2 * (j - 1)] ? longest[i - 1][j - 1] + 1
                          : MAX (longest[i - 1][j], longest[i][j - 1]);
      g_assert_cmpuint (es_ladder_diff_count (diff, ES_DIFF_SAME), ==, longest[diff->n_before][diff->n_after]);
    }
}

/* Whatever is compared, it takes a moment: two texts of 200,000 different lines. */
static void
test_large (void)
{
  g_autoptr (GString) before = g_string_new ("first\n"), after = g_string_new ("first\n");
  g_autoptr (EsLadderDiff) diff = NULL;
  const gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; i < 200000; i++)
    {
      g_string_append_printf (before, "a %u\n", i);
      g_string_append_printf (after, "b %u\n", i);
    }
  g_string_append (before, "last\n");
  g_string_append (after, "last\n");
  diff = es_ladder_diff_new (before->str, after->str);
  g_assert_cmpuint (es_ladder_diff_count (diff, ES_DIFF_SAME), ==, 2);
  g_assert_cmpuint (es_ladder_diff_count (diff, ES_DIFF_ADDED), ==, 200000);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 60 * G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ladder-diff/runs", test_runs);
  g_test_add_func ("/ladder-diff/lines", test_lines);
  g_test_add_func ("/ladder-diff/random", test_random);
  g_test_add_func ("/ladder-diff/large", test_large);
  return g_test_run ();
}
