/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A climbed ladder as a page, a table and a PDF, of numbers that were saved: no module is needed. */

#include <glib/gstdio.h>
#include <string.h>

#include "axes/es-drawing-pdf.h"
#include "base/es-error.h"
#include "lab/es-machine.h"
#include "operations/es-operations.h"
#include "page/es-ladder-drawings.h"
#include "page/es-ladder-page.h"
#include "result/es-result-internal.h"

#define RUNG(id, kind, below, seconds, source) \
  "{\"id\": \"" id "\", \"kind\": \"" kind "\", \"state\": \"measured\", \"strategies\": \"R_3 <b>\", \"below\": \"" \
  below "\", \"seconds\": [" seconds "], \"type\": \"float32\", \"bytes\": 1e9, \"operations\": 2e9, " \
  "\"registers\": 20, \"error\": 1e-7, \"tolerance\": 1e-5, \"source\": \"" source "\"}"
#define EIGHT "one\\ntwo\\nthree\\nfour\\nfive\\nsix\\nseven\\neight\\n"
#define HOSTILE "</pre><script>alert(1)</script>"

static const char saved[] =
  "{\"kind\": \"noise\", \"backend\": \"cuda\", \"machine\": \"A <card> & more\", \"date\": \"2026-11-27\","
  "\"size\": {\"width\": 614, \"height\": 1087, \"bands\": 224}, \"least_bytes\": 4e8, \"least_operations\": 1e9,"
  "\"roofs\": {\"memory_bytes_per_second\": 2e11, \"cache_bytes_per_second\": 5e11, \"cache_bytes\": 1e6,"
  " \"arithmetic\": [{\"type\": \"float32\", \"matrix\": false, \"operations_per_second\": 3e12}]},"
  "\"rungs\": ["
  RUNG ("v0", "step", "", "0.02, 0.021, 0.019", EIGHT "sort ();\\n") ","
  RUNG ("v1", "step", "v0", "0.01", EIGHT "mean ();\\n") ","
  RUNG ("<i>", "step", "v1", "0.005", HOSTILE) ","
  "{\"id\": \"v3\", \"kind\": \"step\", \"state\": \"refused\", \"why\": 2, \"amount\": 131072, \"limit\": 101376},"
  RUNG ("production", "production", "", "0.004", "all ();\\n") "]}";

static EsResult *
make_result (const char *text)
{
  const EsOperation *operation = es_operation_find ("ladder-noise", NULL);
  g_autoptr (EsMachine) machine = es_machine_open ("cpu", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  EsResult *result = es_result_new (operation, ES_DATASET (machine), params);
  JsonObject *values = json_object_new ();

  if (text != NULL)
    json_object_set_member (values, "ladder", json_from_string (text, NULL));
  es_result_set_values (result, values);
  return result;
}

static guint
count (const char *text, const char *what)
{
  guint n = 0;

  for (text = strstr (text, what); text != NULL; text = strstr (text + 1, what))
    n++;
  return n;
}

static void
test_html (void)
{
  g_autoptr (EsResult) result = make_result (saved);
  g_autoptr (GError) error = NULL;
  g_autofree char *html = es_ladder_page_make (result, &error);

  g_assert_no_error (error);
  g_assert_true (es_ladder_page_suits (result));
  g_assert_true (g_str_has_prefix (html, "<!DOCTYPE html>"));
  g_assert_true (g_str_has_suffix (html, "</html>\n"));
  /* What a file says is text, whatever it looks like; nothing is fetched, and nothing runs. */
  g_assert_null (strstr (html, "<script"));
  g_assert_null (strstr (html, "<i>"));
  g_assert_null (strstr (html, "<card>"));
  g_assert_nonnull (strstr (html, "A &lt;card&gt; &amp; more"));
  g_assert_null (strstr (html, "src="));
  g_assert_null (strstr (html, "href="));
  /* Bars and roofline. */
  g_assert_cmpuint (count (html, "<svg "), ==, 2);
  g_assert_cmpuint (count (html, "</svg>"), ==, 2);
  g_assert_cmpuint (count (html, "<rect"), ==, 4);
  g_assert_cmpuint (count (html, "<circle"), ==, 4);
  /* The changed lines, with three of those before them; what else is the same is counted. */
  g_assert_nonnull (strstr (html, "<span class=\"gap\">5 lines that are the same</span>"
                                  "<span>six</span><span>seven</span><span>eight</span>"
                                  "<span class=\"minus\">sort ();</span>"
                                  "<span class=\"plus\">mean ();</span></pre>"));
  g_assert_nonnull (strstr (html, "The mean, in registers"));
  g_assert_nonnull (strstr (html, "It needs 128 KiB of shared memory a block, and there are 99 KiB."));
  g_assert_nonnull (strstr (html, "PhD thesis"));
  g_assert_nonnull (strstr (html, "eigenscope-batch run ladder-noise"));
}

static void
test_files (void)
{
  g_autoptr (EsResult) result = make_result (saved);
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-page-XXXXXX", NULL);
  g_autofree char *html = g_build_filename (folder, "a.html", NULL), *pdf = g_build_filename (folder, "a.PDF", NULL);
  g_autofree char *csv = g_build_filename (folder, "a.csv", NULL);
  g_autoptr (GFile) page = g_file_new_for_path (html), print = g_file_new_for_path (pdf);
  g_autoptr (GFile) table = g_file_new_for_path (csv);
  g_autoptr (GError) error = NULL, nobody = NULL, none = NULL;
  g_autofree char *contents = NULL;
  gsize length;

  g_assert_cmpint (es_ladder_page_get_format (page), ==, ES_LADDER_PAGE_HTML);
  g_assert_cmpint (es_ladder_page_get_format (print), ==, ES_LADDER_PAGE_PDF);
  g_assert_cmpint (es_ladder_page_get_format (table), ==, ES_LADDER_PAGE_CSV);
  es_ladder_page_write (result, page, ES_LADDER_PAGE_HTML, &error);
  g_assert_no_error (error);
  /* Without anybody who draws there is no PDF, and no file. */
  es_drawing_set_print (NULL);
  g_assert_false (es_ladder_page_write (result, print, ES_LADDER_PAGE_PDF, &nobody));
  g_assert_error (nobody, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_false (g_file_test (pdf, G_FILE_TEST_EXISTS));
  es_drawing_set_print (es_drawing_print_pdf);
  es_ladder_page_write (result, print, ES_LADDER_PAGE_PDF, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (pdf, &contents, &length, NULL));
  g_assert_cmpuint (length, >, 1000);
  g_assert_true (g_str_has_prefix (contents, "%PDF-"));
  /* This result was made without its table. */
  g_assert_false (es_ladder_page_write (result, table, ES_LADDER_PAGE_CSV, &none));
  g_assert_error (none, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_unlink (html);
  g_unlink (pdf);
  g_rmdir (folder);
}

/* Numbers that cannot be are drawn somehow, in a moment. */
static void
test_extremes (void)
{
  g_autoptr (EsResult) result = make_result ("{\"kind\": \"noise\", \"roofs\": {\"memory_bytes_per_second\": 1e-300},"
    " \"rungs\": [{\"id\": \"a\", \"kind\": \"step\", \"state\": \"measured\", \"seconds\": [5e-324], "
    "\"bytes\": 1e-200, \"operations\": 1e300}, {\"id\": \"b\", \"kind\": \"step\", \"state\": \"measured\", "
    "\"below\": \"a\", \"seconds\": [1e308], \"bytes\": -1, \"operations\": 1e-300}]}");
  g_autoptr (GError) error = NULL;
  const gint64 begin = g_get_monotonic_time ();
  g_autofree char *html = es_ladder_page_make (result, &error);

  g_assert_no_error (error);
  g_assert_nonnull (html);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 10 * G_USEC_PER_SEC);
}

/* Nothing was measured, or nothing can be read: no pictures, or a sentence. */
static void
test_poor (void)
{
  g_autoptr (EsResult) refused = make_result ("{\"kind\": \"noise\", \"rungs\": [{\"id\": \"v0\", \"kind\": \"step\", "
                                              "\"state\": \"refused\", \"why\": 6, \"amount\": 9, \"limit\": 2}]}");
  g_autoptr (EsResult) nothing = make_result (NULL);
  g_autoptr (GError) error = NULL, missing = NULL;
  g_autofree char *html = es_ladder_page_make (refused, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (count (html, "<svg "), ==, 0);
  g_assert_nonnull (strstr (html, "A single run would take 9 s, and 2 s are granted."));
  g_assert_null (es_ladder_page_make (nothing, &missing));
  g_assert_error (missing, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ladder-page/html", test_html);
  g_test_add_func ("/ladder-page/files", test_files);
  g_test_add_func ("/ladder-page/extremes", test_extremes);
  g_test_add_func ("/ladder-page/poor", test_poor);
  return g_test_run ();
}
