/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which components of a result are used, which reconstruction belongs to which result, and who follows whom. */

#include <math.h>

#include "../job/es-test-scene.h"
#include "operations/es-operations.h"
#include "session/es-judge.h"

static char *directory;
static EsTestScene scene = { 41, 37, 9, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };

static EsResult *
run_pca (EsDataset *dataset, const char *components)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_params_parse (params, "components", components, &error));
  g_autoptr (EsJob) job = es_job_new (pca, dataset, params, es_device_get_cpu (), NULL, NULL);
  EsResult *result = es_job_run (job, &error);
  g_assert_no_error (error);
  /* What the job still has to tell keeps it, and it the result. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return result;
}

static void
count (guint *n)
{
  (*n)++;
}

static void
assert_kept (EsResult *result, guint n, const char *text)
{
  g_autofree char *kept = es_judgement_format_kept (es_judgement_of (result));

  g_assert_cmpstr (kept, ==, text);
  g_assert_cmpuint (es_judgement_count_kept (es_judgement_of (result)), ==, n);
}

static void
test_kept (void)
{
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "kept");
  g_autoptr (EsResult) result = run_pca (dataset, "5");
  EsJudgement *judgement = es_judgement_of (result);
  guint n = 0;

  g_assert_true (es_judgement_of (result) == judgement);
  g_signal_connect_swapped (judgement, "kept-changed", G_CALLBACK (count), &n);
  g_assert_cmpuint (es_judgement_get_n (judgement), ==, 5);
  assert_kept (result, 5, "");
  g_assert_false (es_judgement_set_kept (judgement, 2, TRUE));
  g_assert_false (es_judgement_set_kept (judgement, 5, FALSE));
  g_assert_false (es_judgement_is_kept (judgement, 5));
  g_assert_cmpuint (n, ==, 0);

  g_assert_true (es_judgement_set_kept (judgement, 3, FALSE));
  g_assert_cmpuint (n, ==, 1);
  assert_kept (result, 4, "1-3, 5");
  for (guint i = 0; i < 5; i++)
    es_judgement_set_kept (judgement, i, FALSE);
  /* The last one stays. */
  g_assert_cmpuint (n, ==, 4);
  assert_kept (result, 1, "5");

  /* Of three components none would be left: all are. */
  g_autoptr (EsResult) fewer = run_pca (dataset, "3");
  es_judgement_inherit (es_judgement_of (fewer), result);
  assert_kept (fewer, 3, "");
  g_assert_true (es_judgement_is_kept (es_judgement_of (fewer), 0));
  g_assert_true (es_judgement_set_kept (es_judgement_of (fewer), 1, FALSE));
  assert_kept (fewer, 2, "1, 3");
  /* And of more, those that were not there are used. */
  g_autoptr (EsResult) more = run_pca (dataset, "5");
  es_judgement_inherit (es_judgement_of (more), fewer);
  assert_kept (more, 4, "1, 3-5");

  es_judgement_keep_all (judgement);
  g_assert_cmpuint (n, ==, 5);
  assert_kept (result, 5, "");
}

static void
test_links (void)
{
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "links");
  g_autoptr (EsResult) source = run_pca (dataset, "3");
  g_autoptr (EsResult) later = run_pca (dataset, "2");
  g_autoptr (EsResult) reconstruction = run_pca (dataset, "1");
  guint n_changed = 0, n_moved = 0;
  gpointer gone;

  g_signal_connect_swapped (es_judgement_of (source), "reconstruction-changed", G_CALLBACK (count), &n_changed);
  g_signal_connect_swapped (es_judgement_of (reconstruction), "source-changed", G_CALLBACK (count), &n_moved);
  g_assert_null (es_judgement_find_source (NULL));
  g_assert_null (es_judgement_find_judged (NULL));
  g_assert_null (es_judgement_find_source (reconstruction));
  g_assert_true (es_judgement_find_judged (reconstruction) == reconstruction);

  es_judgement_set_reconstruction (es_judgement_of (source), reconstruction);
  g_assert_true (es_judgement_get_reconstruction (es_judgement_of (source)) == reconstruction);
  g_assert_true (es_judgement_find_source (reconstruction) == source);
  g_assert_true (es_judgement_find_judged (reconstruction) == source);
  g_assert_true (es_judgement_find_judged (source) == source);
  es_judgement_set_busy (es_judgement_of (source), TRUE);
  es_judgement_set_busy (es_judgement_of (source), TRUE);
  g_assert_true (es_judgement_is_busy (es_judgement_of (source)));
  g_assert_cmpuint (n_changed, ==, 2);
  g_assert_cmpuint (n_moved, ==, 1);

  es_judgement_set_reconstruction (es_judgement_of (later), reconstruction);
  g_assert_true (es_judgement_find_source (reconstruction) == later);
  g_assert_cmpuint (n_moved, ==, 2);

  /* A source is not kept by what was made of it; a reconstruction is, by its source. */
  g_assert_finalize_object (g_steal_pointer (&later));
  g_assert_null (es_judgement_find_source (reconstruction));
  gone = reconstruction;
  g_object_add_weak_pointer (G_OBJECT (reconstruction), &gone);
  g_clear_object (&reconstruction);
  g_assert_nonnull (gone);
  g_assert_finalize_object (g_steal_pointer (&source));
  g_assert_null (gone);
}

static void
spin_until_idle (EsSession *session)
{
  while (es_session_get_n_active (session) > 0)
    g_main_context_iteration (NULL, TRUE);
}

static int
components_of (EsResult *reconstruction)
{
  return (int) json_object_get_int_member (es_result_get_values (reconstruction), "components");
}

/* Reconstructions come to their results, and follow when those are replaced. */
static void
test_judge (void)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsJudge) judge = es_judge_new (session);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "judge");
  g_autoptr (EsResult) source = run_pca (dataset, "4");
  g_autoptr (EsParams) params = es_params_copy (es_result_get_params (source));
  EsJudgement *judgement = es_judgement_of (source);
  GListModel *results;

  es_session_add_dataset (session, dataset);
  es_session_add_result (session, source);
  results = es_session_get_results (session, dataset);

  es_judge_reconstruct (judge, source, "");
  g_assert_true (es_judge_is_under_way (judge));
  g_assert_true (es_judgement_is_busy (judgement));
  spin_until_idle (session);
  g_assert_false (es_judge_is_under_way (judge));
  g_assert_false (es_judgement_is_busy (judgement));
  g_autoptr (EsResult) all = g_object_ref (es_judgement_get_reconstruction (judgement));
  g_assert_cmpint (components_of (all), ==, 4);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 2);

  /* Newest wins, in the place of the one before. */
  es_judge_reconstruct (judge, source, "1-3");
  es_judge_reconstruct (judge, source, "1-2");
  es_judge_reconstruct (judge, source, "1");
  spin_until_idle (session);
  g_assert_cmpint (components_of (es_judgement_get_reconstruction (judgement)), ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 2);

  /* The result is replaced: what is switched off stays so, and a reconstruction of those that are left follows. */
  g_assert_true (es_judgement_set_kept (judgement, 0, FALSE));
  es_params_set_value (params, "components", 3);
  g_autoptr (EsJob) job = g_object_ref (es_session_run (session, pca, dataset, params, es_device_get_cpu (), source));
  spin_until_idle (session);
  EsResult *now = es_job_get_result (job);
  assert_kept (now, 2, "2-3");
  g_assert_cmpint (components_of (es_judgement_get_reconstruction (es_judgement_of (now))), ==, 2);
  g_assert_true (es_judgement_find_source (es_judgement_get_reconstruction (es_judgement_of (now))) == now);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 2);
}

/* A data set is closed: what waits for a reconstruction of a result of it is dropped, and nothing keeps that. */
static void
test_forget (void)
{
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsJudge) judge = es_judge_new (session);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "forget");
  g_autoptr (EsDataset) other = es_test_scene_open (&scene, directory, "other");
  EsResult *source = run_pca (dataset, "4");
  g_autoptr (EsResult) kept = run_pca (other, "4");

  es_session_add_dataset (session, dataset);
  es_session_add_dataset (session, other);
  es_session_add_result (session, source);
  es_session_add_result (session, kept);

  /* One runs, of the other data set, and one waits. */
  es_judge_reconstruct (judge, kept, "");
  es_judge_reconstruct (judge, source, "1");
  g_assert_true (es_judgement_is_busy (es_judgement_of (source)));
  es_judge_forget_dataset (judge, other);
  g_assert_true (es_judgement_is_busy (es_judgement_of (source)));
  es_session_remove_dataset (session, dataset);
  es_judge_forget_dataset (judge, dataset);
  g_assert_false (es_judgement_is_busy (es_judgement_of (source)));
  g_assert_finalize_object (source);
  spin_until_idle (session);
  for (guint i = 0; i < g_list_model_get_n_items (es_session_get_jobs (session)); i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (es_session_get_jobs (session), i);

      g_assert_true (es_job_get_dataset (job) == other);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  es_test_scene_fill (&scene, 4);
  g_test_add_func ("/judgement/kept", test_kept);
  g_test_add_func ("/judgement/links", test_links);
  g_test_add_func ("/judgement/judge", test_judge);
  g_test_add_func ("/judgement/forget", test_forget);
  status = g_test_run ();
  es_test_scene_clear (&scene);
  es_test_remove (directory);
  g_free (directory);
  return status;
}
