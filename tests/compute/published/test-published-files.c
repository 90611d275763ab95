/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of published tables that are wrong: each is refused in a sentence that names the file, the field, what was
 * found and what was expected. */

#include <glib/gstdio.h>
#include <string.h>

#include "base/es-error.h"
#include "published/es-published-private.h"

static char *directory;

static GPtrArray *
read_text (const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "one.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return _es_published_read (file, error);
}

#define FILE_OF(tables) \
  "{\"format\":\"eigenscope-published\",\"version\":1,\"hardware\":\"a card\",\"tables\":[" tables "]}"
#define HEAD "\"id\":\"one\",\"title\":\"One\",\"source\":\"a book\",\"operations\":[\"pca\"],\"unit\":\"ms\"," \
             "\"digits\":1,\"corner\":\"Scene\","
#define COLUMNS "\"columns\":[\"V0\",{\"title\":\"Serial\",\"program\":\"cpu-1\"}],"
#define ROWS "\"rows\":[{\"name\":\"D1\",\"values\":[1,2.5]},{\"name\":\"D2\",\"values\":[null,3]}]"
#define TABLE(rest) FILE_OF ("{" HEAD COLUMNS ROWS rest "}")

static void
test_right (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) tables = read_text (TABLE (",\"marks\":[{\"kind\":\"gap\",\"row\":\"D2\",\"column\":\"V0\","
                                                   "\"text\":\"Why.\"},{\"kind\":\"note\",\"text\":\"Of all.\"},"
                                                   "{\"kind\":\"recomputed\",\"row\":[\"D1\",\"D2\"],\"value\":7,"
                                                   "\"text\":\"Why.\"}]"), &error);
  const EsPublishedTable *table;

  g_assert_no_error (error);
  g_assert_cmpuint (tables->len, ==, 1);
  table = g_ptr_array_index (tables, 0);
  g_assert_cmpstr (table->hardware, ==, "a card");
  g_assert_cmpuint (table->columns->len, ==, 2);
  g_assert_cmpstr (((EsPublishedHead *) g_ptr_array_index (table->columns, 0))->unit, ==, "ms");
  /* What says the same has the same symbol, and what is about all of it has none. */
  g_assert_cmpstr (((EsPublishedNote *) g_ptr_array_index (table->marks, 0))->symbol, ==, "a");
  g_assert_cmpstr (((EsPublishedNote *) g_ptr_array_index (table->marks, 1))->symbol, ==, "");
  g_assert_cmpstr (((EsPublishedNote *) g_ptr_array_index (table->marks, 2))->symbol, ==, "a");
}

static const struct
{
  const char *text, *field, *found, *expected;
} wrong[] = {
  { "[]", "“/”", "an array of 0 elements", "an object" },
  { "{\"format\":\"eigenscope-device-profile\"}", "“format”", "“eigenscope-device-profile”", "“eigenscope-published”" },
  { "{\"format\":\"eigenscope-published\",\"version\":2}", "“version”", "2", "1" },
  { "{\"format\":\"eigenscope-published\",\"version\":1,\"hardware\":\"x\",\"more\":1,\"tables\":[]}", "“more”",
    "unknown", "tables" },
  { FILE_OF (""), "“tables”", "an array of 0 elements", "at least one" },
  { FILE_OF ("7"), "“tables[0]”", "7", "an object" },
  { FILE_OF ("{}"), "“tables[0].id”", "nothing", "a text" },
  { FILE_OF ("{\"id\":\"One\"}"), "“tables[0].id”", "“One”", "small letters" },
  { FILE_OF ("{" HEAD COLUMNS ROWS ",\"colour\":1}"), "“tables[0].colour”", "unknown", "hardware" },
  { FILE_OF ("{" HEAD COLUMNS ROWS "},{" HEAD COLUMNS ROWS "}"), "“tables[1].id”", "“one”", "once" },
  { FILE_OF ("{\"id\":\"one\",\"title\":7}"), "“tables[0].title”", "7", "a text" },
  { FILE_OF ("{\"id\":\"one\",\"title\":\"One\",\"source\":\"\"}"), "“tables[0].source”", "“”", "a text" },
  { FILE_OF ("{\"id\":\"one\",\"title\":\"One\",\"source\":\"x\",\"operations\":[]}"), "“tables[0].operations”",
    "an array of 0 elements", "at least one" },
  { FILE_OF ("{\"id\":\"one\",\"title\":\"One\",\"source\":\"x\",\"operations\":[1]}"), "“tables[0].operations[0]”",
    "1", "a text" },
  { FILE_OF ("{\"id\":\"one\",\"title\":\"One\",\"source\":\"x\",\"operations\":\"pca\",\"ladder\":\"stairs\"}"),
    "“tables[0].ladder”", "“stairs”", "covariance" },
  { FILE_OF ("{\"id\":\"one\",\"title\":\"One\",\"source\":\"x\",\"operations\":\"pca\",\"unit\":\"min\"}"),
    "“tables[0].unit”", "“min”", "ms" },
  { FILE_OF ("{\"id\":\"one\",\"title\":\"One\",\"source\":\"x\",\"operations\":\"pca\",\"digits\":9}"),
    "“tables[0].digits”", "9", "from 0 to 6" },
  { FILE_OF ("{" HEAD "\"columns\":[\"V0\",\"V0\"]}"), "“tables[0].columns[1].name”", "“V0”", "once" },
  { FILE_OF ("{" HEAD "\"columns\":[{\"title\":\"V0\",\"name\":\"V0\"}]}"), "“tables[0].columns[0].name”", "“V0”",
    "either" },
  { FILE_OF ("{" HEAD "\"columns\":[{\"name\":\"V0\",\"program\":\"gpu\"}]}"), "“tables[0].columns[0].program”",
    "“gpu”", "cuda:all" },
  { FILE_OF ("{" HEAD "\"columns\":[{\"name\":\"V0\",\"rung\":\"V0\"}]}"), "“tables[0].columns[0].rung”", "“V0”",
    "small letters" },
  { FILE_OF ("{" HEAD COLUMNS "\"rows\":[{\"name\":\"D1\",\"values\":[1]}]}"), "“tables[0].rows[0].values”",
    "an array of 1 element", "an array of 2 numbers" },
  { FILE_OF ("{" HEAD COLUMNS "\"rows\":[{\"name\":\"D1\",\"values\":[1,\"2\"]}]}"), "“tables[0].rows[0].values[1]”",
    "“2”", "at least 0" },
  { FILE_OF ("{" HEAD COLUMNS "\"rows\":[{\"name\":\"D1\",\"values\":[1,-2]}]}"), "“tables[0].rows[0].values[1]”",
    "-2", "at least 0" },
  { FILE_OF ("{" HEAD COLUMNS "\"rows\":[{\"name\":\"D1\",\"values\":[null,null]}]}"), "“tables[0].rows[0].values”",
    "nothing but gaps", "a number" },
  { TABLE (",\"marks\":[{\"text\":\"x\"}]"), "“tables[0].marks[0].kind”", "nothing", "a text" },
  { TABLE (",\"marks\":[{\"kind\":\"lie\",\"text\":\"x\"}]"), "“tables[0].marks[0].kind”", "“lie”", "doubt" },
  { TABLE (",\"marks\":[{\"kind\":\"note\",\"text\":\"x\",\"row\":\"D9\"}]"), "“tables[0].marks[0].row”", "“D9”",
    "of a row" },
  { TABLE (",\"marks\":[{\"kind\":\"note\",\"text\":\"x\",\"column\":[\"V0\",\"V1\"]}]"), "“tables[0].marks[0].column”",
    "“V1”", "of a column" },
  { TABLE (",\"marks\":[{\"kind\":\"gap\",\"text\":\"x\",\"row\":\"D1\",\"column\":\"V0\"}]"),
    "“tables[0].marks[0].kind”", "“gap”", "where there is a figure" },
  { TABLE (",\"marks\":[{\"kind\":\"note\",\"text\":\"x\",\"value\":1}]"), "“tables[0].marks[0].value”", "1",
    "recomputed" },
};

static void
test_wrong (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) tables = read_text (wrong[i].text, &error);
      const char *is, *expected;

      g_assert_null (tables);
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, "one.json"));
      g_assert_nonnull (is = strstr (error->message, wrong[i].field));
      g_assert_nonnull (is = strstr (is, wrong[i].found));
      g_assert_nonnull (expected = strstr (is, "expected "));
      g_assert_nonnull (strstr (expected, wrong[i].expected));
      g_assert_true (g_str_has_suffix (error->message, "."));
      g_assert_null (strchr (error->message, '\n'));
    }
}

/* What no parser reads is no table either. */
static void
test_no_json (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (read_text ("{\"format\":", &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "one.json"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = g_dir_make_tmp ("es-published-XXXXXX", NULL);
  g_test_add_func ("/published-files/right", test_right);
  g_test_add_func ("/published-files/wrong", test_wrong);
  g_test_add_func ("/published-files/no-json", test_no_json);
  status = g_test_run ();
  g_autofree char *path = g_build_filename (directory, "one.json", NULL);
  g_unlink (path);
  g_rmdir (directory);
  g_free (directory);
  return status;
}
