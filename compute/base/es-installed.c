/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-installed.h"

#include <string.h>

/* The folder that everything was installed below, as it is now: where the program lies without what was between them.
 * NULL: it lies elsewhere. */
static char *
find_prefix (const char *directory)
{
  static const char *const inner[] = { ES_INNER_BIN_DIR, ES_INNER_HELPER_DIR };

  for (guint i = 0; i < G_N_ELEMENTS (inner); i++)
    {
      g_autofree char *end = g_strconcat (G_DIR_SEPARATOR_S, inner[i], NULL);

      if (g_str_has_suffix (directory, end))
        return g_strndup (directory, MAX (strlen (directory) - strlen (end), 1));
    }
  return NULL;
}

static char *
find (const char *built, const char *inner, const char *set, const char *name, GFileTest test)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *directory = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *prefix = directory != NULL ? find_prefix (directory) : NULL;
  g_autofree char *near = directory != NULL ? g_build_filename (directory, built, name, NULL) : NULL;
  g_autofree char *beside = directory != NULL ? g_build_filename (directory, name, NULL) : NULL;
  g_autofree char *moved = prefix != NULL ? g_build_filename (prefix, inner, name, NULL) : NULL;
  char **places[] = { &near, &beside, &moved };

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (*places[i] != NULL && g_file_test (*places[i], test))
      return g_steal_pointer (places[i]);
  return g_build_filename (set, name, NULL);
}

char *
es_installed_find_module (const char *built, const char *name)
{
  g_autofree char *path = find (built, ES_INNER_MODULE_DIR, ES_MODULE_DIR, name, G_FILE_TEST_IS_REGULAR);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

char *
es_installed_find_helper (const char *name)
{
  return find (".", ES_INNER_HELPER_DIR, ES_HELPER_DIR, name, G_FILE_TEST_IS_EXECUTABLE);
}

char *
es_installed_find_data (const char *name)
{
  const char *told = g_getenv ("ES_DATA_DIR");
  g_autofree char *path = told != NULL && *told != '\0' ? g_build_filename (told, name, NULL)
                          : find ("../../data", ES_INNER_DATA_DIR, ES_DATA_DIR, name, G_FILE_TEST_IS_DIR);

  return g_file_test (path, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&path) : NULL;
}
