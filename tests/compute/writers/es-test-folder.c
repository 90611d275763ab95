/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-folder.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "cube/es-cube-internal.h"
#include "simulate/es-simulate.h"

char *
es_test_folder_make (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("eigenscope-test-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

void
es_test_folder_remove (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        es_test_folder_remove (g_steal_pointer (&path));
      else
        g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
es_test_folder_list (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

GFile *
es_test_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_new_for_path (path);
}

char *
es_test_read (const char *folder, const char *name, gsize *length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  g_file_get_contents (path, &text, length, &error);
  g_assert_no_error (error);
  return text;
}

void
es_test_write_text (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

void
es_test_assert_text (const char *folder, const char *name, const char *expected)
{
  g_autofree char *text = es_test_read (folder, name, NULL);

  g_assert_cmpstr (text, ==, expected);
}

EsCube *
es_test_cube_new (guint64 width, guint64 height, const double *transform, const char *projection)
{
  const gsize n = width * height * 3;
  float *values = g_new (float, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/scene.img");

  for (gsize i = 0; i < n; i++)
    values[i] = i;
  EsCubeInfo info = {
    .width = width, .height = height, .bands = 3, .type = ESK_F32, .default_bands = { -1, -1, -1 },
    .format_name = g_strdup ("memory"),
    .geotransform = g_memdup2 (transform, 6 * sizeof (double)),
    .projection = g_strdup (projection),
    .source = es_memory_source_new (values, ESK_F32, 1, width, width * height, 3, values, g_free),
  };
  EsCube *cube = es_cube_new (file, &info, &error);
  g_assert_no_error (error);
  return cube;
}

void
es_test_limit_files (guint64 bytes)
{
  struct rlimit limit;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = bytes == G_MAXUINT64 ? limit.rlim_max : bytes;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

void
es_test_simulate_cube (const char *folder, const char *name, ...)
{
  g_autoptr (EsParams) params = es_params_new (es_simulate_cube_params);
  g_autoptr (GFile) target = es_test_file (folder, name);
  g_autoptr (GError) error = NULL;
  const char *setting;
  va_list settings;

  va_start (settings, name);
  while ((setting = va_arg (settings, const char *)) != NULL)
    {
      g_auto (GStrv) pair = g_strsplit (setting, "=", 2);
      es_params_parse (params, pair[0], pair[1], &error);
      g_assert_no_error (error);
    }
  va_end (settings);
  es_simulate_cube (target, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

void
es_test_assert_unchanged (const char *folder, const char *expected)
{
  g_autofree char *files = es_test_folder_list (folder);

  g_assert_cmpstr (files, ==, expected);
}
