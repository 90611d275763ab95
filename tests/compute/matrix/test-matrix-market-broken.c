/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "base/es-error.h"
#include "es-test-matrix.h"
#include "readers/es-open.h"

#define BANNER "%%MatrixMarket matrix coordinate "
#define HEAD BANNER "real general\n"

/* What is wrong with a file is said with its line. */
static const struct { const char *text; int code; const char *line, *found; } cases[] = {
  { "", ES_DATA_ERROR_TRUNCATED, "line 1", "empty" },
  { "1 1 1\n", ES_DATA_ERROR_FORMAT, "line 1", "%%MatrixMarket" },
  { "%%MatrixMarket vector coordinate real general\n", ES_DATA_ERROR_FORMAT, "line 1",
    "“vector” where “matrix” was expected" },
  { "%%MatrixMarket matrix coordinate real\n2 2 1\n", ES_DATA_ERROR_FORMAT, "line 1", "the line ends where “general”" },
  { BANNER "real general\n2 2 99999999999999999999\n1 1 1\n", ES_DATA_ERROR_SIZE, "line 2",
    "“99999999999999999999” where a number below 2^31" },
  { BANNER "\n", ES_DATA_ERROR_FORMAT, "line 1", "“real”" },
  { BANNER "complex general\n2 2 1\n1 1 1 0\n", ES_DATA_ERROR_UNSUPPORTED, "line 1", "complex" },
  { BANNER "complex hermitian\n2 2 1\n1 1 1 0\n", ES_DATA_ERROR_UNSUPPORTED, "line 1", "complex" },
  { BANNER "quaternion general\n", ES_DATA_ERROR_FORMAT, "line 1", "“quaternion”" },
  { BANNER "real lower\n", ES_DATA_ERROR_FORMAT, "line 1", "“lower”" },
  { BANNER "real general more\n", ES_DATA_ERROR_FORMAT, "line 1", "“more”" },
  { BANNER "pattern skew-symmetric\n2 2 0\n", ES_DATA_ERROR_FORMAT, "line 1", "pattern" },
  { "%%MatrixMarket matrix array pattern general\n2 2\n", ES_DATA_ERROR_FORMAT, "line 1", "pattern" },
  { HEAD, ES_DATA_ERROR_TRUNCATED, "line 1", "how large" },
  { HEAD "% only\n\n", ES_DATA_ERROR_TRUNCATED, "line 3", "how large" },
  { HEAD "2 2\n1 1 1\n", ES_DATA_ERROR_FORMAT, "line 2", "number of entries" },
  { HEAD "2 x 1\n1 1 1\n", ES_DATA_ERROR_FORMAT, "line 2", "number of columns" },
  { HEAD "2 2 1 7\n1 1 1\n", ES_DATA_ERROR_FORMAT, "line 2", "“7”" },
  { HEAD "2 2 -1\n", ES_DATA_ERROR_FORMAT, "line 2", "“-1”" },
  { HEAD "2.5 2 1\n1 1 1\n", ES_DATA_ERROR_FORMAT, "line 2", "number of rows" },
  { HEAD "0 2 0\n", ES_DATA_ERROR_SIZE, "", "0 x 2" },
  { HEAD "2 2147483648 1\n1 1 1\n", ES_DATA_ERROR_SIZE, "", "2^31" },
  { HEAD "2 2 2147483648\n1 1 1\n", ES_DATA_ERROR_SIZE, "", "2147483648 nonzeros" },
  { HEAD "2 2 99999999999999999999\n", ES_DATA_ERROR_SIZE, "", "2^31" },
  { BANNER "real symmetric\n9 9 1200000000\n1 1 1\n", ES_DATA_ERROR_SIZE, "", "2399999991 nonzeros" },
  { HEAD "2147483647 2147483647 2147483647\n1 1 1\n", ES_DATA_ERROR_TRUNCATED, "line 2", "2147483647" },
  { HEAD "2147483647 5 1\n1 1 1\n", ES_DATA_ERROR_SIZE, "line 2", "2147483647 rows" },
  { HEAD "3 3 900\n1 1 1\n", ES_DATA_ERROR_TRUNCATED, "line 2", "900" },
  { BANNER "real symmetric\n2 3 1\n1 1 1\n", ES_DATA_ERROR_FORMAT, "line 2", "2 x 3" },
  { HEAD "2 2 2\n1 1 1\n", ES_DATA_ERROR_TRUNCATED, "line 3", "1 of the 2" },
  { HEAD "2 2 1\n1 1 1\n%\n2 2 1\n", ES_DATA_ERROR_FORMAT, "line 5", "more than the 1" },
  { HEAD "2 2 1\n\n0 1 1\n", ES_DATA_ERROR_FORMAT, "line 4", "row 0" },
  { HEAD "2 2 1\n3 1 1\n", ES_DATA_ERROR_FORMAT, "line 3", "row 3" },
  { HEAD "2 2 1\n1 3 1\n", ES_DATA_ERROR_FORMAT, "line 3", "column 3" },
  { HEAD "2 2 1\n1 99999999999999999999999 1\n", ES_DATA_ERROR_FORMAT, "line 3", "column" },
  { HEAD "2 2 1\n-1 1 1\n", ES_DATA_ERROR_FORMAT, "line 3", "“-1”" },
  { HEAD "2 2 1\n1.5 1 1\n", ES_DATA_ERROR_FORMAT, "line 3", "“1.5”" },
  { HEAD "2 2 1\n1 1\n", ES_DATA_ERROR_FORMAT, "line 3", "ends" },
  { HEAD "2 2 1\n1\n", ES_DATA_ERROR_FORMAT, "line 3", "ends" },
  { HEAD "2 2 1\n1 1 1 0\n", ES_DATA_ERROR_FORMAT, "line 3", "“0”" },
  { HEAD "2 2 1\n1 1 nan\n", ES_DATA_ERROR_FORMAT, "line 3", "“nan”" },
  { HEAD "2 2 1\n1 1 -Inf\n", ES_DATA_ERROR_FORMAT, "line 3", "“-Inf”" },
  { HEAD "2 2 1\n1 1 1e999\n", ES_DATA_ERROR_FORMAT, "line 3", "“1e999”" },
  { HEAD "2 2 1\n1 1 0x10\n", ES_DATA_ERROR_FORMAT, "line 3", "“0x10”" },
  { HEAD "2 2 1\n1 1 1,5\n", ES_DATA_ERROR_FORMAT, "line 3", "“1,5”" },
  { HEAD "2 2 1\n1 1 \xff\xfe\n", ES_DATA_ERROR_FORMAT, "line 3", "finite" },
  { BANNER "integer general\n2 2 1\n1 1 1.5\n", ES_DATA_ERROR_FORMAT, "line 3", "whole" },
  { BANNER "pattern general\n2 2 1\n1 1 1\n", ES_DATA_ERROR_FORMAT, "line 3", "“1”" },
  { BANNER "real skew-symmetric\n2 2 1\n1 1 1\n", ES_DATA_ERROR_FORMAT, "line 3", "1, 1" },
  { BANNER "real symmetric\n3 3 4\n%\n1 1 1\n2 1 1\n\n3 3 1\n1 2 1\n", ES_DATA_ERROR_FORMAT, "line 8",
    "row 2, column 1 and row 1, column 2" },
  { HEAD "2 2 3\n1 1 1e308\n2 2 1\n1 1 1e308\n", ES_DATA_ERROR_FORMAT, "line 5", "row 1 and column 1" },
  { "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", ES_DATA_ERROR_TRUNCATED, "line 5", "3 of the 4" },
  { "%%MatrixMarket matrix array real general\n2 2 4\n1\n2\n3\n4\n", ES_DATA_ERROR_FORMAT, "line 2", "“4”" },
  { "%%MatrixMarket matrix array real general\n2 2\n1 2\n3\n4\n5\n", ES_DATA_ERROR_FORMAT, "line 3", "“2”" },
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = es_test_matrix_fail (cases[i].text);

      if (error->domain != ES_DATA_ERROR || error->code != cases[i].code
          || strstr (error->message, cases[i].line) == NULL
          || strstr (error->message, cases[i].found) == NULL || strstr (error->message, "m.mtx") == NULL)
        g_error ("case %u: “%s” (%d) does not say “%s” and “%s”", i, error->message, error->code, cases[i].line,
                 cases[i].found);
    }
}

/* Bytes that are no text, and lines without an end. */
static void
test_no_text (void)
{
  g_autoptr (GString) text = g_string_new (HEAD "2 2 1\n1 1 1");
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL, too_long = NULL;

  g_string_append_c (text, '\0');
  g_string_append (text, "5\n");
  file = es_test_matrix_file ("m.mtx", text->str, text->len);
  g_assert_null (es_sparse_matrix_open (file, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "line 3"));
  g_string_assign (text, HEAD "2 2 1\n");
  for (guint i = 0; i < 100000; i++)
    g_string_append (text, "1 ");
  too_long = es_test_matrix_fail (text->str);
  g_assert_error (too_long, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (too_long->message, "line 3"));
}

/* Every start of a file: a sentence, or the file is whole but for its last line's end. */
static void
test_cut (void)
{
  static const char text[] = HEAD "% c\n3 3 3\n1 1 1.25\n2 3 -4e-2\n3 1 7\n";
  const gsize n = sizeof text - 1;

  for (gsize length = 0; length < n - 1; length++)
    {
      g_autofree char *part = g_strndup (text, length);
      g_autoptr (GError) error = es_test_matrix_fail (part);

      g_assert_true (error->domain == ES_DATA_ERROR);
    }
}

static void
test_gzip_damaged (void)
{
  g_autoptr (GString) text = g_string_new (HEAD "100 100 100\n");
  g_autoptr (GFile) whole = NULL;
  g_autofree char *bytes = NULL;
  gsize length;

  for (guint i = 1; i <= 100; i++)
    g_string_append_printf (text, "%u %u %u.%u\n", i, 1 + i * i % 100, i, i * 7);
  whole = es_test_matrix_gzip ("m.mtx.gz", text->str, 9);
  g_assert_true (g_file_load_contents (whole, NULL, &bytes, &length, NULL, NULL));
  for (gsize cut = 3; cut < length; cut += 7)
    {
      g_autoptr (GFile) file = es_test_matrix_file ("m.mtx.gz", bytes, cut);
      g_autoptr (GError) error = NULL;

      g_assert_null (es_sparse_matrix_open (file, NULL, &error));
      g_assert_true (error->domain == ES_DATA_ERROR);
    }
  /* One byte of what is compressed: the sum at the end tells. */
  bytes[length / 2] ^= 0x10;
  g_autoptr (GFile) altered = es_test_matrix_file ("m.mtx.gz", bytes, length);
  g_autoptr (GError) error = NULL;
  g_assert_null (es_sparse_matrix_open (altered, NULL, &error));
  g_assert_true (error->domain == ES_DATA_ERROR);
}

static void
test_not_there (void)
{
  g_autoptr (GFile) none = g_file_new_for_path ("/nowhere/m.mtx"), folder = g_file_new_for_path ("/tmp");
  g_autoptr (GFile) away = g_file_new_for_uri ("sftp://nowhere/m.mtx");
  g_autoptr (GError) a = NULL, b = NULL, c = NULL;

  g_assert_null (es_sparse_matrix_open (none, NULL, &a));
  g_assert_error (a, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
  g_assert_null (es_sparse_matrix_open (folder, NULL, &b));
  g_assert_error (b, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
  g_assert_null (es_sparse_matrix_open (away, NULL, &c));
  g_assert_error (c, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
}

/* What opens any file says the same. */
static void
test_opening (void)
{
  static const char text[] = HEAD "2 2 1\n1 5 1\n";
  g_autoptr (GFile) file = es_test_matrix_file ("m.mtx", text, sizeof text - 1);
  g_autoptr (GError) error = NULL;

  g_assert_null (es_dataset_open (file, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "line 3"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/matrix/broken/cases", test_cases);
  g_test_add_func ("/matrix/broken/no-text", test_no_text);
  g_test_add_func ("/matrix/broken/cut", test_cut);
  g_test_add_func ("/matrix/broken/gzip", test_gzip_damaged);
  g_test_add_func ("/matrix/broken/not-there", test_not_there);
  g_test_add_func ("/matrix/broken/opening", test_opening);
  return g_test_run ();
}
