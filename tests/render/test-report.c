/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "eigenscope.h"
#include "readers/es-open.h"
#include "report/es-report.h"
#include "operations/es-operations.h"

static char *folder;

static EsResult *
make_result (const char *name, const char *bands, double threshold)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsParams) scene = es_params_new (es_simulate_cube_params);
  g_autoptr (GError) error = NULL;
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);

  es_params_parse (scene, "width", "40", NULL);
  es_params_parse (scene, "height", "30", NULL);
  es_params_parse (scene, "bands", bands, NULL);
  es_simulate_cube (file, scene, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  es_params_set_value (params, "threshold", threshold);
  g_autoptr (EsJob) job = es_job_new (pca, dataset, params, es_device_get_cpu (), NULL, NULL);
  EsResult *result = es_job_run (job, &error);
  g_assert_no_error (error);
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
test_page (void)
{
  g_autoptr (EsResult) result = make_result ("scene.img", "24", 0.99);
  g_autoptr (EsReport) report = es_report_new (result);
  g_autoptr (GError) error = NULL;

  es_report_set_note (report, "For <the> notebook & class");
  g_autofree char *html = es_report_make_html (report, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (html, "<!DOCTYPE html>"));
  g_assert_true (g_str_has_suffix (html, "</html>\n"));
  g_assert_nonnull (strstr (html, "For &lt;the&gt; notebook &amp; class"));
  g_assert_nonnull (strstr (html, "eigenscope-batch run pca"));
  g_assert_nonnull (strstr (html, "PC 1"));
  g_assert_nonnull (strstr (html, es_dataset_get_identity (es_result_get_dataset (result))));
  /* The scene and the components; eigenvalues, loadings, mean. */
  guint planes = es_image_stack_get_planes (ES_IMAGE_STACK (es_result_find_layer (result, "components")));
  g_assert_cmpuint (planes, <=, ES_REPORT_PICTURES);
  g_assert_cmpuint (count (html, "data:image/png;base64,"), ==, 1 + planes);
  g_assert_cmpuint (count (html, "data:image/svg+xml;base64,"), >=, 2);
  /* Nothing is fetched from anywhere, and nothing runs. */
  g_assert_null (strstr (html, "src=\"http"));
  g_assert_null (strstr (html, "<script"));
  g_autofree char *name = es_report_suggest_name (report);
  g_assert_cmpstr (name, ==, "scene-pca-report.html");
}

/* A name is text, whatever it looks like. */
static void
test_names (void)
{
  g_autoptr (EsResult) result = make_result ("<script>alert(1)<!--&.img", "8", 0.99);
  g_autoptr (EsReport) report = es_report_new (result);
  g_autoptr (GError) error = NULL;
  g_autofree char *html = es_report_make_html (report, NULL, &error);
  g_autofree char *name = es_report_suggest_name (report);

  g_assert_no_error (error);
  g_assert_null (strstr (html, "<script>"));
  g_assert_nonnull (strstr (html, "&lt;script&gt;"));
  g_assert_null (strpbrk (name, "<>/"));
}

static void
test_many (void)
{
  g_autoptr (EsResult) result = make_result ("many.img", "40", 1);
  g_autoptr (EsReport) report = es_report_new (result);
  g_autoptr (GError) error = NULL;
  g_autofree char *html = es_report_make_html (report, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (count (html, "data:image/png;base64,"), ==, 1 + ES_REPORT_PICTURES);
  g_assert_nonnull (strstr (html, "The first 12 of"));
}

static void
test_comparison (void)
{
  g_autoptr (EsResult) result = make_result ("compared.img", "12", 0.99);
  g_autoptr (EsReport) report = es_report_new (result);
  g_autoptr (EsComparison) comparison = es_comparison_new (es_result_get_operation (result),
                                                           es_result_get_dataset (result),
                                                           es_result_get_params (result), NULL);
  g_autoptr (GError) error = NULL;

  es_comparison_set_repeats (comparison, 1);
  es_report_set_comparison (report, comparison);
  g_autofree char *without = es_report_make_html (report, NULL, &error);
  g_assert_null (strstr (without, "eigenscope-batch compare"));
  g_assert_true (es_comparison_run (comparison, NULL, &error));
  g_assert_no_error (error);
  es_report_set_comparison (report, comparison);
  g_autofree char *with = es_report_make_html (report, NULL, &error);
  g_assert_nonnull (strstr (with, "eigenscope-batch compare pca"));
}

static void
test_save (void)
{
  g_autoptr (EsResult) result = make_result ("saved.img", "12", 0.99);
  g_autoptr (EsReport) report = es_report_new (result);
  g_autofree char *path = g_build_filename (folder, "report.html", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) nowhere = g_file_new_for_path ("/nonexistent/report.html");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (es_report_save (report, file, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (es_report_save (report, file, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "<!DOCTYPE html>"));
  g_assert_false (es_report_save (report, nowhere, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
}

/* A run of adaptive beams: its numbers, plots and lists. */
static void
test_beams (void)
{
  g_autofree char *path = g_build_filename (folder, "pair.wav", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsParams) scene = es_params_new (es_simulate_recording_params);
  g_autoptr (GError) error = NULL;
  const EsOperation *mvdr = es_operation_find ("mvdr", NULL);
  g_autoptr (EsParams) params = es_params_new (mvdr->params);

  es_params_parse (scene, "array", "line:8,1.5", NULL);
  es_params_parse (scene, "rate", "2000", NULL);
  es_params_parse (scene, "seconds", "24", NULL);
  es_params_parse (scene, "sources", "noise,60,0,300:480;noise,100,0,300:480", NULL);
  g_assert_true (es_simulate_recording (file, scene, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  es_params_parse (params, "block", "200ms", NULL);
  es_params_parse (params, "blocks", "8", NULL);
  es_params_parse (params, "snapshots", "2", NULL);
  es_params_parse (params, "compare", "yes", NULL);
  g_autoptr (EsJob) job = es_job_new (mvdr, dataset, params, es_device_get_cpu (), NULL, NULL);
  g_autoptr (EsResult) result = es_job_run (job, &error);
  g_assert_no_error (error);
  g_autoptr (EsReport) report = es_report_new (result);
  g_autofree char *html = es_report_make_html (report, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (html, "eigenscope-batch run mvdr"));
  g_assert_nonnull (strstr (html, "Snapshots of a matrix</td><td>16<"));
  g_assert_nonnull (strstr (html, "Elements</td><td>8<"));
  g_assert_nonnull (strstr (html, "Sources by MDL</td><td>2<"));
  g_assert_nonnull (strstr (html, "Cholesky"));
  g_assert_nonnull (strstr (html, "Jacobi rotations"));
  /* 120 blocks of two peaks: the list ends where it says. */
  g_assert_nonnull (strstr (html, "The first 200 of "));
  /* Band energy and the beam pattern. */
  g_assert_cmpuint (count (html, "data:image/svg+xml;base64,"), ==, 2);
}

/* In the table what binds a step, below it the sentences, as text. */
static void
judge (EsStageTime *stages, guint n, EsDevice *device, guint threads)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (stages[i].name, "covariance"))
      {
        stages[i].bound = ES_BOUND_MEMORY;
        stages[i].times = 1.9;
        stages[i].advice = g_strdup ("1.9 times its bound & <more>.");
      }
}

static void
test_advice (void)
{
  g_autoptr (GError) error = NULL;

  es_stages_set_judge (judge, NULL);
  g_autoptr (EsResult) result = make_result ("advice.img", "12", 0.9);
  es_stages_set_judge (NULL, NULL);
  g_autoptr (EsReport) report = es_report_new (result);
  g_autofree char *html = es_report_make_html (report, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (html, "<td>memory, 1.9 ×</td>"));
  g_assert_nonnull (strstr (html, "<li>Covariance: 1.9 times its bound &amp; &lt;more&gt;.</li>"));
}

/* What a file is called, and what it says of itself, is text: no element, no control, no turn of the direction. */
static void
test_hostile_names (void)
{
  g_autofree char *long_part = g_strnfill (200, 'x');
  g_autofree char *name = g_strconcat ("<b>&amp;\n\033[31m", long_part, "\342\200\256.img", NULL);
  g_autoptr (EsResult) result = make_result (name, "12", 0.9);
  g_autoptr (EsReport) report = es_report_new (result);
  g_autoptr (GError) error = NULL;

  es_report_set_note (report, "Two\nlines \033[31m\342\200\256");
  g_autofree char *html = es_report_make_html (report, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (html, "&lt;b&gt;&amp;amp;\\x0a\\x1b[31mxxx"));
  g_assert_null (strstr (html, "<b>"));
  g_assert_null (strchr (html, '\033'));
  g_assert_null (strstr (html, "\342\200\256"));
  g_assert_nonnull (strstr (html, "Two\nlines \\x1b[31m\\u202e"));
}

int
main (int argc, char **argv)
{
  int status;

  g_setenv ("LANGUAGE", "C", TRUE);
  g_setenv ("ES_CUDA_MODULE", "none", TRUE);
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("es-report-XXXXXX", NULL);
  g_test_add_func ("/report/page", test_page);
  g_test_add_func ("/report/beams", test_beams);
  g_test_add_func ("/report/names", test_names);
  g_test_add_func ("/report/advice", test_advice);
  g_test_add_func ("/report/hostile-names", test_hostile_names);
  g_test_add_func ("/report/many", test_many);
  g_test_add_func ("/report/comparison", test_comparison);
  g_test_add_func ("/report/save", test_save);
  status = g_test_run ();

  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL; )
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
  return status;
}
