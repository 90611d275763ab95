/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "matrix/es-matrix-number-private.h"

static void
check_number (const char *text)
{
  g_autofree char *line = g_strconcat (text, "\n", NULL);
  const char *at = line;
  const double expected = g_ascii_strtod (text, NULL);
  double value = NAN;
  gboolean is_whole;

  g_assert_true (_es_matrix_parse_number (&at, &value, &is_whole));
  g_assert_cmpint (*at, ==, '\n');
  if (memcmp (&value, &expected, sizeof value) != 0)
    g_error ("“%s” is %.17g, and not %.17g", text, expected, value);
}

/* Near the middle between two doubles, at both ends of the range, with more digits than count. */
static void
test_difficult (void)
{
  static const char * const texts[] = {
    "0", "-0", "0.0", "-0.0e5", "1", "-1", "+1", ".5", "5.", "1e0", "1E+3", "9007199254740993", "9007199254740992.5",
    "9007199254740993.0000000000000000000001", "9007199254740992999999999999999999e-18", "1e22", "1e23", "8.5e23",
    "2.2250738585072012e-308", "2.2250738585072011e-308", "4.9406564584124654e-324", "2e-324", "3e-324",
    "1.7976931348623157e308", "1.7976931348623158e308", "179769313486231580793e289", "6.0221409e+23", "0.1", "0.3",
    "5708990770823839524233143877797980545530986496", "1.00000000000000011102230246251565404",
    "1.00000000000000011102230246251565405", "1.00000000000000011102230246251565403", "18446744073709551615",
    "18446744073709551616", "9999999999999999999", "99999999999999999999", "0.000000000000000000000000000000001",
    "00000000000000000000000000000000000000012", "123456789012345678901234567890", "1.2345678901234567e-27",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    check_number (texts[i]);
}

/* As programs write them: all bits of a number, and fewer. */
static void
test_random (void)
{
  static const char * const formats[] = { "%.17g", "%.16e", "%.15g", "%.10f", "%.6e", "%.20g", "%.18e" };
  g_autoptr (GRand) random = g_rand_new_with_seed (21);
  char text[512];

  for (guint i = 0; i < 400000; i++)
    {
      guint64 bits = (guint64) g_rand_int (random) << 32 | g_rand_int (random);
      double value;

      /* Half of them of everyday sizes. */
      if (i % 2 == 0)
        bits = (bits & 0x800fffffffffffffull) | (guint64) g_rand_int_range (random, 1023 - 70, 1023 + 70) << 52;
      memcpy (&value, &bits, sizeof value);
      if (!isfinite (value))
        continue;
      g_ascii_formatd (text, sizeof text, formats[i % G_N_ELEMENTS (formats)], value);
      check_number (text);
    }
  /* Middles between two neighbours, written out. */
  for (guint i = 0; i < 20000; i++)
    {
      const guint64 odd = ((guint64) 1 << 53) + 2 * (guint64) g_rand_int (random) + 1;
      g_autofree char *middle = g_strdup_printf ("%" G_GUINT64_FORMAT, odd);
      g_autofree char *shifted = g_strdup_printf ("%" G_GUINT64_FORMAT ".%ue-%u", odd / 10, (guint) (odd % 10),
                                                  (guint) (i % 20));

      check_number (middle);
      check_number (shifted);
    }
}

static void
test_not_numbers (void)
{
  static const char * const texts[] = { "", "-", "+", ".", "e5", "nan", "inf", "-inf", "x1", "--1", "+-1" };
  double value;
  gboolean is_whole;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *at = texts[i];

      g_assert_false (_es_matrix_parse_number (&at, &value, &is_whole));
      g_assert_true (at == texts[i]);
    }
}

static void
test_ends (void)
{
  static const struct { const char *text; gsize length; double value; gboolean is_whole; } cases[] = {
    { "12x", 2, 12, TRUE }, { "0x10", 1, 0, TRUE }, { "1e", 1, 1, TRUE }, { "1e+", 1, 1, TRUE },
    { "1.5d2 ", 5, 150, FALSE },
    { "-2.5D-1\n", 7, -0.25, FALSE }, { "1e400\n", 5, INFINITY, FALSE }, { "-1e400\n", 6, -INFINITY, FALSE },
    { "7 8", 1, 7, TRUE }, { "1e99999999999\n", 13, INFINITY, FALSE }, { "1e-99999999999\n", 14, 0, FALSE },
    { "1234567890123456789012D5\n", 24, 1.234567890123456789012e26, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *at = cases[i].text;
      double value;
      gboolean is_whole;

      g_assert_true (_es_matrix_parse_number (&at, &value, &is_whole));
      g_assert_cmpint (at - cases[i].text, ==, cases[i].length);
      g_assert_true (value == cases[i].value);
      g_assert_cmpint (is_whole, ==, cases[i].is_whole);
    }
}

static void
test_counts (void)
{
  static const struct { const char *text; gsize length; guint64 value; } cases[] = {
    { "0", 1, 0 }, { "+12 ", 3, 12 }, { "18446744073709551615", 20, G_MAXUINT64 },
    { "18446744073709551616", 20, G_MAXUINT64 }, { "99999999999999999999999", 23, G_MAXUINT64 }, { "3.5", 1, 3 },
  };
  guint64 value;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *at = cases[i].text;

      g_assert_true (_es_matrix_parse_count (&at, &value));
      g_assert_cmpint (at - cases[i].text, ==, cases[i].length);
      g_assert_cmpuint (value, ==, cases[i].value);
    }
  const char *minus = "-1";
  g_assert_false (_es_matrix_parse_count (&minus, &value));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matrix/numbers/difficult", test_difficult);
  g_test_add_func ("/matrix/numbers/random", test_random);
  g_test_add_func ("/matrix/numbers/not-numbers", test_not_numbers);
  g_test_add_func ("/matrix/numbers/ends", test_ends);
  g_test_add_func ("/matrix/numbers/counts", test_counts);
  return g_test_run ();
}
