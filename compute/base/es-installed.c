/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-installed.h"

char *
es_installed_find_module (const char *built, const char *name)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *directory = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *beside = directory != NULL ? g_build_filename (directory, built, name, NULL) : NULL;
  g_autofree char *installed = g_build_filename (ES_MODULE_DIR, name, NULL);

  if (beside != NULL && g_file_test (beside, G_FILE_TEST_IS_REGULAR))
    return g_steal_pointer (&beside);
  return g_file_test (installed, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&installed) : NULL;
}
