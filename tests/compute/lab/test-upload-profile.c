/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the program takes from the profile of a card for its own uploads: the formulas on figures that were measured and
 * published, and profiles that are kept, replaced, broken and of other hardware. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "device/es-upload-model-internal.h"
#include "es-test-device-jobs.h"
#include "es-test-lab.h"
#include "job/es-job.h"
#include "lab/es-kept-profiles.h"
#include "lab/es-upload-figures-internal.h"
#include "recorded-k20c.h"

#define MEBIBYTE 1048576.0

static char *data_folder;

/* k20c.json as it is shipped; of an H100 one that stays as it is. */
static char *
profile_path (const char *name)
{
  return strcmp (name, "k20c.json") == 0 ? g_build_filename (g_getenv ("ES_DATA_DIR"), "profiles", name, NULL)
                                         : g_build_filename (g_getenv ("ES_RECORDED_PROFILES"), name, NULL);
}

static void
read_profile (const char *name, guint cores, EsUploadFigures *figures)
{
  g_autofree char *path = profile_path (name);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDeviceProfile) profile = es_device_profile_load (file, &error);

  g_assert_no_error (error);
  g_assert_true (es_upload_figures_read (profile, cores, figures));
}

static void
assert_near (double value, double expected, double share)
{
  g_test_message ("%g, expected %g", value, expected);
  g_assert_cmpfloat_with_epsilon (value, expected, share * expected);
}

/* ---- formulas ---- */

/*
 * h100-probes.json, 16 cores. A line of least relative squares through the copies of registered memory from 4 KiB on:
 * 9.391 us beside 51.07 GB/s. One thread copies 11.06e9 bytes a second, read and written: 5.529 GB/s; all 86.75e9:
 * 43.38. So a = (16 5.529 / 43.38 - 1) / 15 = 0.0693, 12 threads bring 12 5.529 / (1 + 0.0693 11) = 37.65, less than
 * the link takes, and 97 % of that (36.52) takes (1 - a) 36.52 / (5.529 - a 36.52) = 11.3 threads. A piece is 0.97 /
 * 0.03 9.391e-6 51.07e9 / 12 = 1.232 MiB, in steps of a quarter 1.25.
 */
static void
test_h100 (void)
{
  EsUploadFigures figures;

  read_profile ("h100-probes.json", 16, &figures);
  assert_near (figures.latency, 9.3909e-6, 1e-3);
  assert_near (figures.rate, 51.0707e9, 1e-3);
  assert_near (figures.one_fill, 5.52945e9, 1e-4);
  assert_near (figures.all_fill, 43.37639e9, 1e-4);
  assert_near (es_upload_fill_rate (&figures, 1), 5.52945e9, 1e-4);
  assert_near (es_upload_fill_rate (&figures, 16), 43.37639e9, 1e-4);
  assert_near (es_upload_fill_rate (&figures, 12), 37.65e9, 1e-3);
  g_assert_cmpuint (es_upload_best_threads (&figures, 1, 12), ==, 12);
  g_assert_cmpuint (es_upload_best_piece (&figures, 12), ==, (gsize) (1.25 * MEBIBYTE));
  /* Fewer threads hide less: 12 / 6 times as much; one alone would want 14.8 MiB, which no cache holds. */
  g_assert_cmpuint (es_upload_best_piece (&figures, 6), ==, (gsize) (2.5 * MEBIBYTE));
  g_assert_cmpuint (es_upload_best_piece (&figures, 1), ==, (gsize) (4 * MEBIBYTE));
  g_assert_cmpuint (es_upload_best_piece (&figures, 1000), ==, (gsize) (0.25 * MEBIBYTE));
}

/*
 * k20c.json, 16 cores: 9.870 us beside 6.165 GB/s; one thread 6.01 GiB/s, all 10.99 (64 MiB), half of it each. a =
 * 0.5167, f (12) = 5.794 GB/s, of which 97 % takes 0.4833 5.62 / (3.227 - 0.5167 5.62) = 8.4 threads. Were the memory
 * twice as quick, one thread would bring 6.45 GB/s: more than the link takes.
 */
static void
test_k20c (void)
{
  EsUploadFigures figures;

  read_profile ("k20c.json", 16, &figures);
  assert_near (figures.latency, 9.8703e-6, 1e-3);
  assert_near (figures.rate, 6.16511e9, 1e-3);
  g_assert_cmpuint (es_upload_best_threads (&figures, 1, 12), ==, 9);
  /* 32.33 9.870e-6 6.165e9 / 9 = 0.21 MiB. */
  g_assert_cmpuint (es_upload_best_piece (&figures, 9), ==, (gsize) (0.25 * MEBIBYTE));
  figures.one_fill *= 2;
  figures.all_fill *= 2;
  g_assert_cmpuint (es_upload_best_threads (&figures, 1, 12), ==, 1);
  /* Two cards want twice as much. */
  g_assert_cmpuint (es_upload_best_threads (&figures, 2, 12), >, 4);
}

/*
 * h100-probes.json. Of 100 kB one piece: some 29 us from pageable memory, 10 locked, and locking alone takes over 100.
 * Of many pieces of 1.25 MiB each takes 169.9 instead of 37.3 us, and 36 buffers are locked once for 36 (0.22 + 0.09)
 * ms = 11 ms: some 85 pieces pay for that, 111 MB.
 */
static void
test_register_or_copy (void)
{
  const EsUploadChoice choice = { 12, 1310720, 3 };
  EsUploadFigures figures;

  read_profile ("h100-probes.json", 16, &figures);
  g_assert_true (figures.has_cost);
  g_assert_true (es_upload_is_pageable (&figures, &choice, 1));
  g_assert_true (es_upload_is_pageable (&figures, &choice, 100000));
  g_assert_true (es_upload_is_pageable (&figures, &choice, 80000000));
  g_assert_false (es_upload_is_pageable (&figures, &choice, 150000000));
  g_assert_false (es_upload_is_pageable (&figures, &choice, (guint64) 4 << 30));
  /* Nobody knows how much, or what it costs. */
  g_assert_false (es_upload_is_pageable (&figures, &choice, 0));
  figures.has_cost = FALSE;
  g_assert_false (es_upload_is_pageable (&figures, &choice, 100000));
}

/* ---- what is kept ---- */

static char *
kept_file (guint *n)
{
  g_autofree char *folder = g_build_filename (data_folder, "eigenscope", "profiles", NULL);
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  char *path = NULL;

  *n = 0;
  for (const char *name; directory != NULL && (name = g_dir_read_name (directory)) != NULL; ++*n)
    {
      g_free (path);
      path = g_build_filename (folder, name, NULL);
    }
  return path;
}

/* Of the recorded card, as characterising it would. */
static EsDeviceProfile *
measure (void)
{
  static const char *const ids[] = { "lab-link", "lab-registration", "lab-host-access" };
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);
  EsDeviceProfile *profile;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    g_ptr_array_add (results, es_test_lab_run (ids[i], NULL));
  profile = es_device_profile_new (results);
  g_assert_nonnull (profile);
  return profile;
}

static EsUploadChoice
choose (void)
{
  return es_upload_choose (es_device_find ("cuda:0", NULL), 1, 0, NULL);
}

/* Something is kept that has `from` in it replaced; the name of the folder tells that it is new. */
static void
change (const char *from, const char *to)
{
  guint n;
  g_autofree char *path = kept_file (&n), *text = NULL;
  g_autofree char *other = g_strconcat (path, ".json", NULL);
  g_autoptr (GError) error = NULL;
  const char *at;

  g_assert_cmpuint (n, ==, 1);
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  at = strstr (text, from);
  g_assert_nonnull (at);
  g_autofree char *head = g_strndup (text, at - text);
  g_autofree char *all = g_strconcat (head, to, at + strlen (from), NULL);
  g_assert_true (g_file_set_contents (other, all, -1, &error));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

static EsResult *
analyse (void)
{
  const EsOperation *operation = es_operation_find ("pca", NULL);
  g_autoptr (EsDataset) scene = es_test_jobs_open_scene ();
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (EsJob) job = es_job_new (operation, scene, params, es_device_find ("cuda:0", NULL), NULL, NULL);
  g_autoptr (GError) error = NULL;
  EsResult *result = es_job_run (job, &error);

  g_assert_no_error (error);
  return result;
}

/* The step of reading, and "upload" of the values, both tell it. */
static void
assert_told (EsResult *result, const char *from, const char *words)
{
  JsonObject *upload = json_object_get_object_member (es_result_get_values (result), "upload");
  const EsStageTime *stages;
  gboolean found = FALSE;
  guint n;

  g_assert_nonnull (upload);
  g_assert_cmpstr (json_object_get_string_member (upload, "from"), ==, from);
  stages = es_result_get_stages (result, &n);
  for (guint i = 0; i < n; i++)
    if (g_str_equal (stages[i].name, "input"))
      {
        g_test_message ("%s", stages[i].title);
        found = strstr (stages[i].title, words) != NULL;
      }
  g_assert_true (found);
}

static void
test_kept (void)
{
  const EsUploadChoice usual = choose ();
  g_autoptr (EsDeviceProfile) profile = measure ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *today = g_date_time_format (now, "%Y-%m-%d"), *words = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) before = analyse ();
  const EsLimits one = { .threads = 1 };
  double sums[5] = { 0 };
  guint n;

  g_assert_null (usual.profile);
  assert_told (before, "defaults", "defaults");
  g_assert_true (es_device_profile_keep (profile, &error));
  g_assert_no_error (error);
  g_assert_true (es_device_profile_keep (profile, &error));
  g_free (kept_file (&n));
  g_assert_cmpuint (n, ==, 1);

  /* The published formula at the sizes of the sweep, and least squares once more. */
  for (double octave = 4096; octave <= 256 * MEBIBYTE; octave *= 2)
    for (guint half = 0; half < 2; half++)
      {
        const double bytes = half == 0 ? octave : 1.5 * octave;
        const double seconds = bytes / k20c_link (ESK_MEMORY_REGISTERED, 0, bytes);

        if (bytes > 256 * MEBIBYTE)
          continue;
        sums[0] += 1 / (seconds * seconds);
        sums[1] += bytes / (seconds * seconds);
        sums[2] += bytes / seconds * bytes / seconds;
        sums[3] += 1 / seconds;
        sums[4] += bytes / seconds;
      }
  const double determinant = sums[0] * sums[2] - sums[1] * sums[1];
  const double latency = (sums[3] * sums[2] - sums[4] * sums[1]) / determinant;
  const double rate = determinant / (sums[0] * sums[4] - sums[1] * sums[3]);
  const EsUploadChoice choice = choose ();
  const double piece = 0.97 / 0.03 * latency * rate / choice.threads;

  g_test_message ("%g s, %g B/s, %u threads, pieces of %" G_GSIZE_FORMAT, latency, rate, choice.threads,
                  choice.piece_bytes);
  g_assert_cmpstr (choice.profile, ==, today);
  g_assert_null (choice.warning);
  g_assert_cmpuint (choice.piece_bytes, ==, MAX ((gsize) ceil (piece / 262144), 1) * 262144);
  g_assert_cmpuint (choice.piece_bytes, !=, usual.piece_bytes);
  g_assert_cmpuint (choice.threads, >=, 2);
  g_assert_cmpuint (choice.threads, <=, MAX (2, g_get_num_processors ()));
  /* Limits hold all the same. */
  g_assert_cmpuint (es_upload_choose (es_device_find ("cuda:0", NULL), 1, 0, &one).threads, ==, 1);
  g_assert_null (es_upload_choose (es_device_get_cpu (), 1, 0, NULL).profile);

  g_autoptr (EsResult) after = analyse ();
  words = g_strdup_printf ("from the profile of %s", today);
  assert_told (after, "profile", words);
}

/* A scene of half a megabyte, once: locking memory for it would take 0.17 ms and more, from pageable memory it takes
 * as much altogether. The result says so, and is the same. */
static void
test_pageable (void)
{
  EsDevice *device = es_device_find ("cuda:0", NULL);

  g_assert_true (es_upload_choose (device, 1, 20000, NULL).pageable);
  g_assert_false (es_upload_choose (device, 1, (guint64) 1 << 30, NULL).pageable);
  g_assert_nonnull (es_upload_choose (device, 1, 20000, NULL).profile);
}

static void
test_others (void)
{
  g_autofree char *threads = g_strdup_printf ("\"threads\" : %u\n", g_get_num_processors ());
  guint n;
  g_autofree char *path = kept_file (&n), *good = NULL;
  g_autoptr (GError) error = NULL;
  const struct { const char *from, *to; } changes[] = {
    { "Fake card 0", "Another card" }, { "268435456.0", "300000000.0" },
    { threads, "\"threads\" : 4711\n" }, { "\"measured\"", "\"published\"" },
  };

  g_assert_true (g_file_get_contents (path, &good, NULL, &error));
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *here = NULL;

      g_assert_nonnull (choose ().profile);
      change (changes[i].from, changes[i].to);
      g_test_message ("%s", changes[i].to);
      g_assert_null (choose ().profile);
      g_assert_null (choose ().warning);
      here = kept_file (&n);
      g_assert_cmpint (g_unlink (here), ==, 0);
      g_assert_true (g_file_set_contents (path, good, -1, &error));
    }
  g_assert_nonnull (choose ().profile);
  /* Another driver's card keeps back a little more. */
  change ("268435456.0", "268000000.0");
  g_assert_nonnull (choose ().profile);
}

/* It is a warning of the job that would have needed it, never an error. */
static void
test_broken (void)
{
  guint n;
  g_autofree char *path = kept_file (&n);
  g_autofree char *broken = g_strconcat (path, ".broken.json", NULL), *good = NULL;
  g_autoptr (EsResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (path, &good, NULL, &error));
  g_assert_true (g_file_set_contents (broken, "{ \"format\": ", -1, &error));
  /* Beside one that can be read nobody misses it. */
  g_assert_nonnull (choose ().profile);
  g_assert_null (choose ().warning);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_null (choose ().profile);
  result = analyse ();
  assert_told (result, "defaults", "defaults");
  es_test_jobs_assert_warnings (result, 1, ".broken.json");
  g_assert_cmpint (g_unlink (broken), ==, 0);
  g_autoptr (EsResult) without = analyse ();
  es_test_jobs_assert_warnings (without, 0, NULL);
}

/* Of a device that is elsewhere nothing is kept. */
static void
test_elsewhere (void)
{
  g_autofree char *path = profile_path ("h100-probes.json");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsDeviceProfile) profile = es_device_profile_load (file, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (es_device_profile_keep (profile, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("eigenscope-upload-XXXXXX", NULL);
  int status;

  data_folder = g_build_filename (folder, "data", NULL);
  es_test_jobs_directory = folder;
  g_setenv ("XDG_DATA_HOME", data_folder, TRUE);
  g_unsetenv ("ES_RECORDED_LAB");
  g_test_init (&argc, &argv, NULL);
  es_kept_profiles_use ();
  es_test_scene_fill (&es_test_jobs_scene, 5);
  g_test_add_func ("/upload-profile/h100", test_h100);
  g_test_add_func ("/upload-profile/k20c", test_k20c);
  g_test_add_func ("/upload-profile/register-or-copy", test_register_or_copy);
  g_test_add_func ("/upload-profile/kept", test_kept);
  g_test_add_func ("/upload-profile/pageable", test_pageable);
  g_test_add_func ("/upload-profile/others", test_others);
  g_test_add_func ("/upload-profile/broken", test_broken);
  g_test_add_func ("/upload-profile/elsewhere", test_elsewhere);
  status = g_test_run ();
  for (guint depth = 3; depth-- > 0;)
    {
      g_autofree char *path = g_build_filename (data_folder, depth > 0 ? "eigenscope" : NULL,
                                                depth > 1 ? "profiles" : NULL, NULL);
      g_rmdir (path);
    }
  es_test_scene_clear (&es_test_jobs_scene);
  es_test_remove (folder);
  g_free (data_folder);
  return status;
}
