/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The one reader and the one writer of JSON. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-json.h"

static JsonNode *
parse (const char *text, GError **error)
{
  return es_json_parse (text, strlen (text), "x.json", error);
}

static void
assert_refused_bytes (const char *text, gsize length, EsDataError code, const char *said)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = es_json_parse (text, length, "x.json", &error);

  if (root != NULL)
    g_error ("read, where “%s” was expected: %.60s", said, text);
  g_assert_error (error, ES_DATA_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, "“x.json”"));
  if (strstr (error->message, said) == NULL)
    g_error ("“%s” does not say “%s”", error->message, said);
}

static void
assert_refused (const char *text, const char *said)
{
  assert_refused_bytes (text, strlen (text), ES_DATA_ERROR_FORMAT, said);
}

static void
test_valid (void)
{
  static const char *const texts[] = {
    "null", "true", " false ", "0", "-0", "-12.5e-3", "1E5", "\"\"", "[]", "{}", "[[]]", "[{}]",
    "{\"a\":{}}",
    "[ 1 , 2 , 3 ]", "\t{\r\n\"a\" : [ true , null ] , \"b\" : \"c\" }\n",
    "9223372036854775807", "-9223372036854775808",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"", "\"]}],{[\"", "[\"]\",[\"]\",[\"}\"]]]", "1e308", "5e-324",
    "\"\x7f\xc3\xa9\xf0\x9f\x98\x80\"", "{\"\":1}", "{\"a\":1,\"A\":2,\"b\":{\"a\":3}}", "\xef\xbb\xbf[1]",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) root = parse (texts[i], &error), again = NULL;
      g_autofree char *text = NULL;

      g_assert_no_error (error);
      g_assert_nonnull (root);
      text = es_json_to_text (root);
      again = parse (text, &error);
      g_assert_no_error (error);
      g_assert_true (json_node_equal (root, again));
    }
}

static void
test_invalid (void)
{
  static const struct { const char *text, *said; } cases[] = {
    { "", "expected a value" }, { " ", "expected a value" }, { "nan", "expected a value" },
    { "[NaN]", "expected a value" }, { "[Infinity]", "expected a value" }, { "truely", "expected a value" },
    { "[1,]", "expected a value" }, { "[,1]", "expected a value" }, { "[1 2]", "“]”" }, { "[1", "“]”" },
    { "[1}", "“]”" }, { "{\"a\":1]", "“}”" }, { "{\"a\":1,}", "name of a member" }, { "{a:1}", "name of a member" },
    { "{\"a\" 1}", "“:”" }, { "{\"a\":}", "expected a value" }, { "1 2", "the end" }, { "[]]", "the end" },
    { "var x = [1];", "expected a value" }, { "[/* a */1]", "expected a value" }, { "['a']", "expected a value" },
    { "[01]", "begins with 0" }, { "[-01]", "begins with 0" }, { "[-]", "a digit" }, { "[1.]", "a digit" },
    { "[.5]", "expected a value" }, { "[1e]", "a digit" }, { "[+1]", "expected a value" }, { "[0x10]", "“]”" },
    { "[1e400]", "1.8e308" }, { "[-1e400]", "1.8e308" }, { "[9223372036854775808]", "64 bits" },
    { "[-9223372036854775809]", "64 bits" }, { "[18446744073709551615]", "64 bits" },
    { "\"a", "not closed" }, { "\"a\\", "backslash" }, { "\"a\nb\"", "control character" },
    { "\"\x1b\"", "control character" }, { "\"\\x\"", "backslash" }, { "\"\\u12\"", "four hexadecimal" },
    { "\"\\u0000\"", "U+0000" }, { "{\"\\u0000\":1}", "U+0000" }, { "\"\\ud800\"", "surrogate" },
    { "\"\\ud800x\"", "surrogate" }, { "\"\\ud800\\u0041\"", "surrogate" }, { "\"\\udc00\"", "surrogate" },
    { "\"\xff\"", "UTF-8" }, { "\"\xed\xa0\x80\"", "UTF-8" }, { "\"\xc3", "UTF-8" },
    { "{\"a\":1,\"b\":2,\"a\":3}", "twice" }, { "{\"a\":1,\"\\u0061\":3}", "twice" },
    { "[[{\"b\":{}},{\"b\":{\"x\":1,\"x\":{\"y\":1}}}]]", "twice" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_refused (cases[i].text, cases[i].said);
  assert_refused_bytes ("[1\0]", 4, ES_DATA_ERROR_FORMAT, "NUL");
  assert_refused_bytes ("[1]\0", 4, ES_DATA_ERROR_FORMAT, "NUL");
  assert_refused ("[1,\n2,\n3 4]", "line 3:");
}

/* Brackets within texts neither open nor close. */
static void
test_deep (void)
{
  static const char *const openings[] = { "[", "{\"a\":", "[\"]\",", "[\"\\\"]\",", "{\"}\":\"}\",\"a\":" };

  for (guint k = 0; k < G_N_ELEMENTS (openings); k++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint i = 0; i < 300000; i++)
        g_string_append (text, openings[k]);
      assert_refused_bytes (text->str, text->len, ES_DATA_ERROR_FORMAT, "64 deep");
    }

  g_autoptr (GString) most = g_string_new (NULL);
  for (guint i = 0; i < 64; i++)
    g_string_append (most, "[\"[[[[\",");
  g_string_append (most, "1");
  for (guint i = 0; i < 64; i++)
    g_string_append_c (most, ']');
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = parse (most->str, &error);
  g_assert_no_error (error);
  g_assert_nonnull (root);
}

static void
test_many (void)
{
  g_autoptr (GString) text = g_string_sized_new (20000010);

  g_string_append_c (text, '[');
  for (guint i = 0; i < 10000000; i++)
    g_string_append (text, "0,");
  g_string_append (text, "0]");
  assert_refused_bytes (text->str, text->len, ES_DATA_ERROR_SIZE, "10 million");
}

static void
test_file (void)
{
  g_autofree char *directory = g_dir_make_tmp ("es-json-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "a.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path), folder = g_file_new_for_path (directory);
  g_autoptr (GError) error = NULL;

  g_assert_null (es_json_load (file, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
  g_assert_nonnull (strstr (error->message, "“a.json”"));
  g_clear_error (&error);
  g_assert_null (es_json_load (folder, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
  g_clear_error (&error);

  /* A hole of 257 MiB. */
  g_assert_true (g_file_set_contents (path, "[", 1, NULL));
  g_assert_cmpint (truncate (path, (off_t) 257 << 20), ==, 0);
  g_assert_null (es_json_load (file, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (path, "{\"a\": [1, 2]}", -1, NULL));
  g_autoptr (JsonNode) root = es_json_load (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (root));

  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_cancellable_cancel (cancelled);
  g_assert_null (es_json_load (file, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_unlink (path);
  g_rmdir (directory);
}

/* Every number and text that json-glib writes wrongly, and what is not finite. */
static void
test_written (void)
{
  static const double numbers[] = { 1e-10, -1e-10, 1e22, 1e300, 5e-324, 0.1, 1, -0.0, 123456789012345680, 1.5e-7 };
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_ARRAY), read = NULL;
  g_autoptr (GError) error = NULL;
  JsonArray *array = json_array_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    json_array_add_double_element (array, numbers[i]);
  json_array_add_double_element (array, NAN);
  json_array_add_double_element (array, -INFINITY);
  json_array_add_string_element (array, "1e-10.0, nan \"\\ \x1b\x1f\x7f");
  json_array_add_string_element (array, "\xff\xed\xa0\x80");
  json_node_take_array (root, array);

  text = es_json_to_text (root);
  read = parse (text, &error);
  g_assert_no_error (error);
  array = json_node_get_array (read);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_assert_cmpfloat (json_array_get_double_element (array, i), ==, numbers[i]);
  for (guint i = 0; i < 2; i++)
    g_assert_true (json_array_get_null_element (array, G_N_ELEMENTS (numbers) + i));
  g_assert_cmpstr (json_array_get_string_element (array, G_N_ELEMENTS (numbers) + 2), ==,
                   "1e-10.0, nan \"\\ \x1b\x1f\x7f");
  g_assert_true (g_utf8_validate (json_array_get_string_element (array, G_N_ELEMENTS (numbers) + 3), -1, NULL));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json/valid", test_valid);
  g_test_add_func ("/json/invalid", test_invalid);
  g_test_add_func ("/json/deep", test_deep);
  g_test_add_func ("/json/many", test_many);
  g_test_add_func ("/json/file", test_file);
  g_test_add_func ("/json/written", test_written);
  return g_test_run ();
}
