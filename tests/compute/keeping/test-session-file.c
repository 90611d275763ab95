/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A session as a file: there and back, in another folder, with files that are lost or others, and hostile. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "../job/es-test-scene.h"
#include "base/es-error.h"
#include "base/es-json.h"
#include "keeping/es-kept-id.h"
#include "keeping/es-result-cache.h"
#include "keeping/es-session-restore.h"
#include "keeping/es-session-store.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"
#include "session/es-judgement.h"

static char *directory;

static GFile *
file_of (const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return g_file_new_for_path (path);
}

static EsDataset *
make_cube (const char *name, guint32 seed)
{
  EsTestScene scene = { 21, 17, 6, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  EsDataset *cube;

  es_test_scene_fill (&scene, seed);
  cube = es_test_scene_open (&scene, directory, name);
  es_test_scene_clear (&scene);
  return cube;
}

static EsResult *
run_pca (EsDataset *cube, double threshold)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (GError) error = NULL;

  es_params_set_value (params, "threshold", threshold);
  g_autoptr (EsJob) job = es_job_new (pca, cube, params, es_device_get_cpu (), NULL, NULL);
  EsResult *result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

static void
tell (GObject *thing, JsonObject *object, gpointer data)
{
  json_object_set_string_member (object, "shown", ES_IS_RESULT (thing) ? "result" : "dataset");
}

/* A cube with classes and two results, one of them in the cache. */
static EsSession *
make_session (EsDataset *cube, EsResult **kept, EsResult **lost)
{
  EsSession *session = es_session_new ();
  g_autoptr (EsRegion) water = es_region_parse ("rectangle 1 2 5 4", NULL);
  g_autoptr (EsRegion) land = es_region_parse ("polygon 0,0 8.5,0 8.5,9", NULL);
  g_autoptr (GError) error = NULL;

  es_session_add_dataset (session, cube);
  es_region_set_add (es_dataset_get_regions (cube), "Water", water, 0x3584e4);
  es_region_set_add (es_dataset_get_regions (cube), "Land “west”", land, 0x33d17a);
  *kept = run_pca (cube, 0.99);
  *lost = run_pca (cube, 0.123456789012345);
  es_session_add_result (session, *kept);
  es_session_add_result (session, *lost);
  es_result_set_name (*kept, "Noise\nfree ");
  es_result_cache_keep (*kept, es_kept_id_of (*kept), ES_RESULT_CACHE_BUDGET, NULL, &error);
  g_assert_no_error (error);
  return session;
}

static void
write_session (EsSession *session, GFile *file)
{
  g_autoptr (JsonNode) root = es_session_file_tell (session, tell, NULL);
  g_autoptr (GError) error = NULL;

  es_session_file_write (root, file, &error);
  g_assert_no_error (error);
}

/* Every sample of the one equals that of the other, or both are missing. */
static void
compare_stacks (EsResult *a, EsResult *b)
{
  EsImageStack *one = ES_IMAGE_STACK (es_result_find_layer (a, "components"));
  EsImageStack *other = ES_IMAGE_STACK (es_result_find_layer (b, "components"));
  const guint64 width = es_image_stack_get_width (one), height = es_image_stack_get_height (one);
  g_autofree float *left = g_new (float, width * height), *right = g_new (float, width * height);

  g_assert_true (one != other);
  g_assert_cmpuint (es_image_stack_get_planes (one), ==, es_image_stack_get_planes (other));
  for (guint i = 0; i < es_image_stack_get_planes (one); i++)
    {
      g_assert_true (es_image_stack_read (one, i, 0, 0, width, height, 1, left, NULL));
      g_assert_true (es_image_stack_read (other, i, 0, 0, width, height, 1, right, NULL));
      g_assert_cmpmem (left, width * height * sizeof (float), right, width * height * sizeof (float));
    }
}

static void
test_round_trip (void)
{
  g_autoptr (EsDataset) cube = make_cube ("scene", 1);
  g_autoptr (EsResult) kept = NULL, lost = NULL;
  g_autoptr (EsSession) session = make_session (cube, &kept, &lost), again = es_session_new ();
  g_autoptr (GFile) file = file_of ("round" ES_SESSION_ENDING);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_judgement_set_kept (es_judgement_of (kept), 1, FALSE));
  write_session (session, file);
  g_assert_true (es_session_file_is (file));
  g_autoptr (EsRestoredSession) restored = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (restored->notes[0]);
  g_assert_cmpuint (restored->datasets->len, ==, 1);

  EsRestored *one = g_ptr_array_index (restored->datasets, 0);
  g_assert_no_error (one->error);
  g_assert_false (one->other);
  g_assert_true (one->dataset != cube);
  g_assert_cmpstr (json_object_get_string_member (one->told, "shown"), ==, "dataset");
  es_session_restore_add (again, one);
  g_assert_cmpuint (es_session_restore_add_regions (one), ==, 2);
  g_assert_cmpuint (es_session_restore_add_regions (one), ==, 0);    /* not twice */

  GListModel *results = es_session_get_results (again, one->dataset);
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 2);
  g_autoptr (EsResult) first = g_list_model_get_item (results, 0), second = g_list_model_get_item (results, 1);
  g_assert_false (es_result_is_absent (first));
  g_assert_cmpstr (es_result_get_title (first), ==, "Noise\\x0afree");
  g_assert_cmpstr (es_result_get_found_title (first), ==, es_result_get_found_title (kept));
  g_assert_cmpstr (es_kept_id_of (first), ==, es_kept_id_of (kept));
  g_assert_true (es_params_equal (es_result_get_params (first), es_result_get_params (kept)));
  g_assert_false (es_result_is_saved (first));
  compare_stacks (kept, first);

  g_autofree char *used = es_judgement_format_kept (es_judgement_of (first));
  g_autofree char *used_before = es_judgement_format_kept (es_judgement_of (kept));
  g_assert_cmpstr (used, ==, used_before);
  g_assert_cmpstr (used, !=, "");

  /* The other was not kept: it is there to be run again, to the last digit. */
  g_assert_true (es_result_is_absent (second));
  g_assert_cmpuint (g_list_model_get_n_items (es_result_get_layers (second)), ==, 0);
  g_assert_true (es_params_equal (es_result_get_params (second), es_result_get_params (lost)));
  g_assert_cmpstr (es_result_get_title (second), ==, es_result_get_title (lost));

  EsJob *job = es_session_run (again, es_result_get_operation (second), one->dataset, es_result_get_params (second),
                               es_device_get_cpu (), second);
  g_object_ref (job);
  es_test_spin_until_ended (job);
  g_object_unref (job);
  g_autoptr (EsResult) found = g_list_model_get_item (results, 1);
  g_assert_false (es_result_is_absent (found));
  compare_stacks (lost, found);

  EsRegionSet *set = es_dataset_get_regions (one->dataset);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (set)), ==, 2);
  g_autoptr (EsNamedRegion) land = g_list_model_get_item (G_LIST_MODEL (set), 1);
  g_autofree char *text = es_region_format (es_named_region_get_region (land));
  g_assert_cmpstr (es_named_region_get_name (land), ==, "Land “west”");
  g_assert_cmpuint (es_named_region_get_colour (land), ==, 0x33d17a);
  g_assert_cmpstr (text, ==, "polygon 0,0 8.5,0 8.5,9");

  /* References lead to the same things. */
  g_autofree char *reference = es_kept_id_refer (session, G_OBJECT (es_result_find_layer (kept, "components")));
  g_assert_true (es_kept_id_find (again, reference) == (GObject *) es_result_find_layer (first, "components"));
  g_assert_null (es_kept_id_find (again, "nothing"));
}

/* Runs it again, and it is what it was. */
static void
run_again (EsSession *session, EsResult *absent, guint place, EsResult *as)
{
  g_autoptr (EsJob) job = NULL;
  g_autoptr (EsResult) found = NULL;

  g_assert_true (es_result_is_absent (absent));
  job = g_object_ref (es_session_run_again (session, absent, NULL, es_device_get_cpu ()));
  es_test_spin_until_ended (job);
  found = g_list_model_get_item (es_session_get_results (session, es_result_get_dataset (absent)), place);
  g_assert_false (es_result_is_absent (found));
  compare_stacks (as, found);
  g_autoptr (EsSelection) before = es_result_dup_selection (as), now = es_result_dup_selection (found);
  g_assert_true (es_selection_equal (before, now));
}

/* What took part when a result was made takes part when it is run again, whatever does today. */
static void
test_selection (void)
{
  const EsSelectionWindow then = { 2, 3, 15, 12 }, today = { 0, 0, 9, 16 };
  g_autoptr (EsDataset) cube = make_cube ("part", 30);
  g_autoptr (EsSelection) first = es_selection_new ("1-4,6", NULL, &then, NULL, 0);
  g_autoptr (EsSelection) second = es_selection_new (NULL, NULL, &today, NULL, 0);
  g_autoptr (EsSession) session = es_session_new (), again = es_session_new ();
  g_autoptr (GFile) file = file_of ("part" ES_SESSION_ENDING), once_more = file_of ("part-again" ES_SESSION_ENDING);
  g_autoptr (EsResult) all = NULL, part = NULL;
  g_autoptr (GError) error = NULL;

  es_session_add_dataset (session, cube);
  all = run_pca (cube, 0.99);
  es_cube_set_selection (ES_CUBE (cube), first);
  part = run_pca (cube, 0.99);
  es_cube_set_selection (ES_CUBE (cube), second);
  es_session_add_result (session, all);
  es_session_add_result (session, part);
  write_session (session, file);

  /* Through a second session, in which both are absent already. */
  g_autoptr (EsRestoredSession) between = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsSession) passed = es_session_new ();
  es_session_restore_add (passed, g_ptr_array_index (between->datasets, 0));
  write_session (passed, once_more);

  g_autoptr (EsRestoredSession) restored = es_session_restore (once_more, NULL, &error);
  g_assert_no_error (error);
  EsRestored *one = g_ptr_array_index (restored->datasets, 0);
  g_autoptr (EsSelection) now = es_cube_dup_selection (ES_CUBE (one->dataset));
  g_assert_true (es_selection_equal (now, second));
  es_session_restore_add (again, one);
  for (guint i = 0; i < 2; i++)
    run_again (again, ((EsRestoredResult *) g_ptr_array_index (one->results, i))->result, i, i == 0 ? all : part);

  /* What cannot be read is not guessed. */
  g_autofree char *path = g_file_get_path (once_more), *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autoptr (JsonNode) root = es_json_parse (text, strlen (text), "x", NULL);
  JsonArray *datasets = json_object_get_array_member (json_node_get_object (root), "datasets");
  JsonArray *results = json_object_get_array_member (json_array_get_object_element (datasets, 0), "results");
  json_object_set_string_member (json_array_get_object_element (results, 1), "selection", "some of it");
  g_assert_true (es_session_file_write (root, once_more, NULL));
  g_autoptr (EsRestoredSession) damaged = es_session_restore (once_more, NULL, &error);
  g_assert_no_error (error);
  one = g_ptr_array_index (damaged->datasets, 0);
  g_assert_null (((EsRestoredResult *) g_ptr_array_index (one->results, 1))->result);
  g_assert_nonnull (damaged->notes[0]);
}

static void
save_beside (EsDataset *cube, EsSelection *selection)
{
  g_autoptr (GFile) sidecar = es_selection_sidecar_of (es_dataset_get_file (cube));
  g_autofree char *shape = es_dataset_shape (cube);

  g_assert_true (es_selection_save (selection, sidecar, shape, NULL));
}

/* Opens a session of one cube: what takes part of it is this, and a note tells of another one or there is none. */
static void
check_beside (GFile *file, EsSelection *selection, const char *told)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsRestoredSession) restored = es_session_restore (file, NULL, &error);

  g_assert_no_error (error);
  EsRestored *one = g_ptr_array_index (restored->datasets, 0);
  g_autoptr (EsSelection) now = es_cube_dup_selection (ES_CUBE (one->dataset));
  const char * const *notes = es_dataset_get_notes (one->dataset);
  g_assert_true (es_selection_equal (now, selection));
  g_assert_cmpint (es_selection_get_source (now), ==, ES_SELECTION_BESIDE);
  if (told == NULL)
    g_assert_true (notes == NULL || notes[0] == NULL);
  else
    g_assert_nonnull (strstr (notes[0], told));
}

/* A session tells what takes part where no file beside the cube does; where one does, that counts. */
static void
test_selection_beside (void)
{
  g_autoptr (EsDataset) cube = make_cube ("beside", 31);
  g_autoptr (EsSelection) by_hand = es_selection_new ("1-4", NULL, NULL, NULL, 0);
  g_autoptr (EsSelection) newer = es_selection_new ("2-5", NULL, NULL, NULL, 0);
  g_autoptr (EsSession) session = es_session_new (), saved = es_session_new ();
  g_autoptr (GFile) file = file_of ("beside" ES_SESSION_ENDING), other = file_of ("beside-saved" ES_SESSION_ENDING);
  g_autofree char *path = g_file_get_path (other), *text = NULL;
  g_autoptr (GError) error = NULL;

  es_session_add_dataset (session, cube);
  es_cube_set_selection (ES_CUBE (cube), by_hand);
  write_session (session, file);
  save_beside (cube, newer);
  check_beside (file, newer, "bands 1-4");
  save_beside (cube, by_hand);
  check_beside (file, by_hand, NULL);

  g_autoptr (EsDataset) again = es_dataset_open (es_dataset_get_file (cube), NULL, NULL, &error);
  g_assert_no_error (error);
  es_session_add_dataset (saved, again);
  write_session (saved, other);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_null (strstr (text, "\"selection\""));
  save_beside (cube, newer);
  check_beside (other, newer, NULL);
}

/* A section that names a file beside the session's. */
static void
add_library (GFile *session, const char *name)
{
  g_autoptr (GFile) file = file_of (name);
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (JsonNode) root = es_session_file_read (session, NULL, NULL);
  JsonObject *sections = json_object_new (), *spectra = json_object_new (), *library = json_object_new ();
  JsonArray *files = json_array_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "nm,a\n500,1\n600,2\n", -1, NULL));
  json_array_add_string_element (files, path);
  json_object_set_array_member (library, "files", files);
  json_object_set_object_member (spectra, "library", library);
  json_object_set_object_member (sections, "spectra", spectra);
  json_object_set_object_member (json_node_get_object (root), "sections", sections);
  g_assert_true (es_session_file_write (root, session, &error));
  g_assert_no_error (error);
}

/* The whole folder is somewhere else: the way from the session counts. */
static void
test_moved (void)
{
  g_autofree char *below = g_build_filename (directory, "before", "data", NULL);
  g_autofree char *before = g_build_filename (directory, "before", NULL), *after = g_build_filename (directory, "after",
                                                                                                     NULL);
  g_autofree char *name = g_build_filename ("before", "data", "near", NULL);
  g_autoptr (GFile) file = NULL, moved = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  g_assert_cmpint (g_mkdir_with_parents (below, 0700), ==, 0);
  {
    g_autoptr (EsDataset) near = make_cube (name, 2), far = make_cube ("far", 3);
    g_autoptr (EsSession) session = es_session_new ();

    es_session_add_dataset (session, near);
    es_session_add_dataset (session, far);
    file = file_of ("before/data/my" ES_SESSION_ENDING);
    write_session (session, file);
    add_library (file, "before/data/library.csv");
  }
  g_assert_cmpint (g_rename (before, after), ==, 0);
  moved = file_of ("after/data/my" ES_SESSION_ENDING);
  g_autoptr (EsRestoredSession) restored = es_session_restore (moved, NULL, &error);
  g_assert_no_error (error);
  EsRestored *near = g_ptr_array_index (restored->datasets, 0), *far = g_ptr_array_index (restored->datasets, 1);
  g_assert_no_error (near->error);
  g_assert_no_error (far->error);
  path = g_file_get_path (es_dataset_get_file (near->dataset));
  g_assert_true (g_str_has_prefix (path, after));

  /* Files of a section went with it. */
  g_autoptr (JsonNode) root = es_session_file_read (moved, NULL, &error);
  g_assert_no_error (error);
  JsonObject *spectra = json_object_get_object_member (
    json_object_get_object_member (json_node_get_object (root), "sections"), "spectra");
  JsonArray *files = json_object_get_array_member (json_object_get_object_member (spectra, "library"), "files");
  g_assert_cmpuint (json_array_get_length (files), ==, 1);
  g_assert_true (g_str_has_prefix (json_array_get_string_element (files, 0), after));
}

static void
test_lost (void)
{
  g_autoptr (GFile) file = file_of ("lost" ES_SESSION_ENDING), there = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) kept = NULL, lost = NULL;
  g_autofree char *from = g_build_filename (directory, "going.img", NULL), *header = NULL;
  g_autofree char *to = g_build_filename (directory, "gone.img", NULL), *to_header = NULL;

  {
    g_autoptr (EsDataset) stays = make_cube ("stays", 4), going = make_cube ("going", 5);
    g_autoptr (EsSession) session = make_session (going, &kept, &lost);

    es_session_add_dataset (session, stays);
    write_session (session, file);
    g_free (from);
    from = g_file_get_path (es_dataset_get_file (going));
    g_clear_object (&kept);
    g_clear_object (&lost);
  }
  header = g_build_filename (directory, "going.hdr", NULL);
  to_header = g_build_filename (directory, "gone.hdr", NULL);
  g_assert_cmpint (g_rename (from, to), ==, 0);
  if (g_file_test (header, G_FILE_TEST_EXISTS))
    g_assert_cmpint (g_rename (header, to_header), ==, 0);

  g_autoptr (EsRestoredSession) restored = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  EsRestored *one = g_ptr_array_index (restored->datasets, 0), *other = g_ptr_array_index (restored->datasets, 1);
  g_assert_error (one->error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
  g_assert_nonnull (strstr (one->error->message, "going"));
  g_assert_null (one->dataset);
  g_assert_no_error (other->error);

  /* A person shows where it is: its results are with it. */
  there = g_file_new_for_path (to);
  g_autoptr (EsRestoredSession) located = es_session_restore_located (one->told, there, NULL, &error);
  g_assert_no_error (error);
  one = g_ptr_array_index (located->datasets, 0);
  g_assert_no_error (one->error);
  EsRestoredResult *result = g_ptr_array_index (one->results, 0);
  g_assert_true (g_str_has_suffix (es_dataset_get_name (one->dataset), "gone.img") || one->other == FALSE);
  g_assert_nonnull (result->result);
}

static void
test_other_content (void)
{
  g_autoptr (GFile) file = file_of ("other" ES_SESSION_ENDING);
  g_autoptr (GError) error = NULL;

  {
    g_autoptr (EsResult) kept = NULL, lost = NULL;
    g_autoptr (EsDataset) cube = make_cube ("same", 6);
    g_autoptr (EsSession) session = make_session (cube, &kept, &lost);

    write_session (session, file);
  }
  g_autoptr (EsDataset) another = make_cube ("same", 7);
  g_autoptr (EsRestoredSession) restored = es_session_restore (file, NULL, &error);
  g_assert_no_error (error);
  EsRestored *one = g_ptr_array_index (restored->datasets, 0);
  g_assert_nonnull (one->dataset);
  g_assert_true (one->other);
  for (guint i = 0; i < 2; i++)
    g_assert_true (es_result_is_absent (((EsRestoredResult *) g_ptr_array_index (one->results, i))->result));
  /* Classes of other pixels are none of its. */
  g_assert_cmpuint (es_session_restore_add_regions (one), ==, 0);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (es_dataset_get_regions (one->dataset))), ==, 0);
}

static void
check_refused (const char *text, EsDataError code, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = es_session_file_parse (text, strlen (text), "x.eigenscope.json", &error);

  g_assert_null (root);
  g_assert_error (error, ES_DATA_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, "x.eigenscope.json"));
  if (strstr (error->message, word) == NULL)
    g_error ("“%s” does not say “%s”", error->message, word);
}

static void
test_refused (void)
{
  g_autoptr (GFile) file = file_of ("whole" ES_SESSION_ENDING);
  g_autoptr (EsDataset) cube = make_cube ("whole", 8);
  g_autoptr (EsSession) session = es_session_new ();
  g_autofree char *text = NULL, *path = g_file_get_path (file);

  check_refused ("[]", ES_DATA_ERROR_FORMAT, "eigenscope_session");
  check_refused ("{\"datasets\":[]}", ES_DATA_ERROR_FORMAT, "eigenscope_session");
  check_refused ("{\"eigenscope_session\":2,\"datasets\":[]}", ES_DATA_ERROR_UNSUPPORTED, "later Eigenscope");
  check_refused ("{\"eigenscope_session\":1}", ES_DATA_ERROR_FORMAT, "datasets");
  check_refused ("{\"eigenscope_session\":1,\"datasets\":[7]}", ES_DATA_ERROR_FORMAT, "no object");
  check_refused ("{\"eigenscope_session\":1,\"datasets\":[{\"input\":{}}]}", ES_DATA_ERROR_FORMAT, "path");
  check_refused ("{\"eigenscope_session\":1,\"datasets\":[{\"input\":{\"path\":\"/x\"},\"results\":[1]}]}",
                 ES_DATA_ERROR_FORMAT, "result");

  /* Cut anywhere, it is refused; nothing that was there is changed by that. */
  es_session_add_dataset (session, cube);
  write_session (session, file);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (gsize i = 0; i < strlen (text) - 2; i += 7)
    {
      g_autofree char *cut = g_strndup (text, i);
      g_autoptr (GError) error = NULL;

      g_assert_null (es_session_file_parse (cut, i, "x", &error));
      g_assert_true (error->domain == ES_DATA_ERROR);
    }
}

/* A folder that cannot be written to, and a disk that is full, leave the old file. */
static void
test_unwritable (void)
{
  g_autofree char *folder = g_build_filename (directory, "closed", NULL);
  g_autoptr (GFile) file = file_of ("closed/my" ES_SESSION_ENDING), full = g_file_new_for_path ("/dev/full");
  g_autoptr (EsDataset) cube = make_cube ("scene-closed", 9);
  g_autoptr (EsSession) session = es_session_new ();
  g_autofree char *before = NULL, *after = NULL, *path = g_file_get_path (file);
  g_autoptr (GError) error = NULL, full_error = NULL;

  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  es_session_add_dataset (session, cube);
  write_session (session, file);
  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  g_autoptr (JsonNode) root = es_session_file_tell (session, NULL, NULL);
  g_assert_false (es_session_file_write (root, full, &full_error));
  g_assert_error (full_error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  /* Nothing stops the super-user. */
  if (geteuid () != 0)
    {
      g_chmod (folder, 0500);
      g_assert_false (es_session_file_write (root, file, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
      g_chmod (folder, 0700);
    }
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
}

/* A mono WAV of 16 bits: a ramp. */
static void
write_wav (const char *name, guint frames)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autofree char *path = g_build_filename (directory, name, NULL);
  const guint32 sizes[] = { GUINT32_TO_LE (36 + 2 * frames), GUINT32_TO_LE (16), GUINT32_TO_LE (1 | 1 << 16),
                            GUINT32_TO_LE (1000), GUINT32_TO_LE (2000), GUINT32_TO_LE (2 | 16 << 16),
                            GUINT32_TO_LE (2 * frames) };

  g_byte_array_append (bytes, (const guint8 *) "RIFF", 4);
  g_byte_array_append (bytes, (const guint8 *) &sizes[0], 4);
  g_byte_array_append (bytes, (const guint8 *) "WAVEfmt ", 8);
  g_byte_array_append (bytes, (const guint8 *) &sizes[1], 5 * 4);
  g_byte_array_append (bytes, (const guint8 *) "data", 4);
  g_byte_array_append (bytes, (const guint8 *) &sizes[6], 4);
  for (guint i = 0; i < frames; i++)
    {
      const gint16 value = GINT16_TO_LE ((gint16) i);

      g_byte_array_append (bytes, (const guint8 *) &value, 2);
    }
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
}

/* What a person has told of a raw file, and files that are one recording with an array, moved together with the
 * session. */
static void
test_recordings (void)
{
  g_autofree char *before = g_build_filename (directory, "heard", NULL), *raw_path = NULL;
  g_autofree char *after = g_build_filename (directory, "heard-elsewhere", NULL);
  g_autoptr (GFile) session_file = file_of ("heard/all" ES_SESSION_ENDING), moved = NULL;
  g_autoptr (GFile) left = file_of ("heard/h1.wav"), right = file_of ("heard/h2.wav"), raw = file_of ("heard/x.bin");
  GFile *files[] = { left, right };
  const EsOpenOptions told = { .samples = { .channels = 3, .rate = 4000.5, .type = "int16", .big_endian = TRUE,
                                            .by_channel = TRUE, .offset = 6 } };
  g_autoptr (GError) error = NULL;
  guint8 bytes[6 + 3 * 2 * 50];

  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) (i * 7);
  g_assert_cmpint (g_mkdir (before, 0700), ==, 0);
  raw_path = g_file_get_path (raw);
  g_assert_true (g_file_set_contents (raw_path, (const char *) bytes, sizeof bytes, NULL));
  write_wav ("heard/h1.wav", 40);
  write_wav ("heard/h2.wav", 30);
  {
    g_autoptr (EsDataset) both = es_recording_open_files (files, 2, NULL, &error);
    g_assert_no_error (error);
    g_autoptr (EsDataset) alone = es_dataset_open (raw, &told, NULL, &error);
    g_assert_no_error (error);
    g_autoptr (EsArray) array = es_array_parse ("line:2,0.75", NULL);
    g_autoptr (EsSession) session = es_session_new ();

    es_recording_set_array (ES_RECORDING (both), array);
    es_session_add_dataset (session, both);
    es_session_add_dataset (session, alone);
    write_session (session, session_file);
  }
  g_assert_cmpint (g_rename (before, after), ==, 0);
  moved = file_of ("heard-elsewhere/all" ES_SESSION_ENDING);
  g_autoptr (EsRestoredSession) restored = es_session_restore (moved, NULL, &error);
  g_assert_no_error (error);
  EsRestored *both = g_ptr_array_index (restored->datasets, 0), *alone = g_ptr_array_index (restored->datasets, 1);
  g_assert_no_error (both->error);
  g_assert_no_error (alone->error);
  g_assert_cmpuint (es_recording_get_n_channels (ES_RECORDING (both->dataset)), ==, 2);
  g_assert_cmpuint (es_recording_get_frames (ES_RECORDING (both->dataset)), ==, 40);
  g_assert_cmpuint (es_recording_get_channel_frames (ES_RECORDING (both->dataset), 1), ==, 30);
  g_autoptr (EsArray) array = es_recording_get_array (ES_RECORDING (both->dataset));
  g_assert_cmpfloat_with_epsilon (es_array_get_spacing (array), 0.75, 1e-12);

  const EsRawSamples *samples = &es_dataset_get_options (alone->dataset)->samples;
  g_assert_cmpuint (samples->channels, ==, 3);
  g_assert_cmpfloat (samples->rate, ==, 4000.5);
  g_assert_cmpstr (samples->type, ==, "int16");
  g_assert_true (samples->big_endian && samples->by_channel && samples->offset == 6);
  g_assert_cmpuint (es_recording_get_frames (ES_RECORDING (alone->dataset)), ==, 50);
}

/* The window tells it as it goes, and has 2 ms for that; here with room for machines that do other things. */
static void
test_quick (void)
{
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (EsDataset) first = make_cube ("quick", 10);
  g_autoptr (EsResult) result = run_pca (first, 0.9);
  gint64 best = G_MAXINT64;

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("quick-%u", i);
      g_autoptr (EsDataset) cube = make_cube (name, 11 + i);

      es_session_add_dataset (session, cube);
      for (guint k = 0; k < 10; k++)
        {
          g_autoptr (EsResult) one = run_pca (cube, 0.9 + 0.001 * k);

          es_session_add_result (session, one);
        }
    }
  /* And an array of 512 elements, which is told with its recording. */
  g_autoptr (GFile) raw = file_of ("many.bin");
  g_autofree char *path = g_file_get_path (raw), *zeros = g_malloc0 (512 * 2 * 4);
  const EsOpenOptions told = { .samples = { .channels = 512, .rate = 1000, .type = "int16" } };
  g_assert_true (g_file_set_contents (path, zeros, 512 * 2 * 4, NULL));
  g_autoptr (EsDataset) many = es_dataset_open (raw, &told, NULL, NULL);
  g_autoptr (EsArray) array = es_array_parse ("line:512,1.5", NULL);
  es_recording_set_array (ES_RECORDING (many), array);
  es_session_add_dataset (session, many);
  for (guint i = 0; i < 10; i++)
    {
      const gint64 begun = g_get_monotonic_time ();
      EsSessionRest *rest = NULL;
      g_autoptr (JsonNode) root = es_session_file_tell_first (session, NULL, NULL, &rest);

      best = MIN (best, g_get_monotonic_time () - begun);
      es_session_file_tell_rest (root, rest);
    }
  g_test_message ("5 cubes with 10 results each, 512 hydrophones: %" G_GINT64_FORMAT " µs", best);
  /* A sanitizer on a busy machine takes some 25 ms. */
#ifdef __SANITIZE_ADDRESS__
  g_assert_cmpint (best, <, 200000);
#else
  g_assert_cmpint (best, <, 20000);
#endif
}

/* That a file may lead to others this person has said to this program, and nobody by a file. */
static void
test_description (void)
{
  g_autoptr (EsDataset) cube = make_cube ("described", 40);
  g_autofree char *name = g_file_get_basename (es_dataset_get_file (cube));
  g_autoptr (GString) text = g_string_new ("<VRTDataset rasterXSize=\"21\" rasterYSize=\"17\">");
  g_autoptr (GFile) vrt = file_of ("names.vrt"), shared = file_of ("described" ES_SESSION_ENDING), own = NULL;
  g_autofree char *path = g_file_get_path (vrt);
  g_autofree char *folder = g_build_filename (directory, "eigenscope", "sessions", NULL);
  g_autofree char *own_path = g_build_filename (folder, "1" ES_SESSION_ENDING, NULL);
  g_autoptr (EsSession) session = es_session_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) opened = NULL;
  g_autoptr (EsRestoredSession) strange = NULL, known = NULL;

  for (guint b = 1; b <= 2; b++)
    g_string_append_printf (text, "<VRTRasterBand dataType=\"Int16\" band=\"%u\" subClass=\"VRTRawRasterBand\">"
                            "<SourceFilename relativeToVRT=\"1\">%s</SourceFilename><ImageOffset>%u</ImageOffset>"
                            "<PixelOffset>2</PixelOffset><LineOffset>42</LineOffset></VRTRasterBand>", b, name,
                            (b - 1) * 714);
  g_string_append (text, "</VRTDataset>");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  opened = es_dataset_open (vrt, &(EsOpenOptions) { .driver = "VRT" }, NULL, &error);
  g_assert_no_error (error);
  es_session_add_dataset (session, opened);
  write_session (session, shared);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  own = g_file_new_for_path (own_path);
  write_session (session, own);
  g_assert_false (es_session_store_has (shared));
  g_assert_true (es_session_store_has (own));

  strange = es_session_restore (shared, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (((EsRestored *) g_ptr_array_index (strange->datasets, 0))->dataset);
  g_assert_error (((EsRestored *) g_ptr_array_index (strange->datasets, 0))->error, ES_DATA_ERROR,
                  ES_DATA_ERROR_UNSUPPORTED);
  known = es_session_restore (own, NULL, &error);
  g_assert_no_error (error);
  g_assert_no_error (((EsRestored *) g_ptr_array_index (known->datasets, 0))->error);
  g_assert_cmpstr (es_dataset_get_options (((EsRestored *) g_ptr_array_index (known->datasets, 0))->dataset)->driver,
                   ==, "VRT");
  g_assert_cmpint (g_unlink (own_path), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  directory = es_test_directory ();
  g_setenv ("XDG_CACHE_HOME", directory, TRUE);
  g_setenv ("XDG_STATE_HOME", directory, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compute/keeping/file/round-trip", test_round_trip);
  g_test_add_func ("/compute/keeping/file/selection", test_selection);
  g_test_add_func ("/compute/keeping/file/selection-beside", test_selection_beside);
  g_test_add_func ("/compute/keeping/file/moved", test_moved);
  g_test_add_func ("/compute/keeping/file/lost", test_lost);
  g_test_add_func ("/compute/keeping/file/other-content", test_other_content);
  g_test_add_func ("/compute/keeping/file/refused", test_refused);
  g_test_add_func ("/compute/keeping/file/unwritable", test_unwritable);
  g_test_add_func ("/compute/keeping/file/recordings", test_recordings);
  g_test_add_func ("/compute/keeping/file/description", test_description);
  g_test_add_func ("/compute/keeping/file/quick", test_quick);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
