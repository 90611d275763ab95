/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-stored.h"

#include <string.h>

#include "base/es-installed.h"

/* More than anybody has machines. */
#define MOST_FOLDERS 200

static void
free_stored (gpointer data)
{
  EsLadderStored *stored = data;

  g_free (stored->machine);
  g_object_unref (stored->file);
  g_free (stored);
}

static int
compare_stored (gconstpointer a, gconstpointer b)
{
  const EsLadderStored *x = *(EsLadderStored * const *) a, *y = *(EsLadderStored * const *) b;
  const int names = strcmp (x->machine, y->machine);

  return names != 0 ? names : (int) x->ladder->kind - (int) y->ladder->kind;
}

GPtrArray *
es_ladder_stored_list (void)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (free_stored);
  g_autofree char *folder = es_installed_find_data ("ladders");
  g_autoptr (GDir) machines = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  guint n = 0;

  for (const char *name; machines != NULL && n < MOST_FOLDERS && (name = g_dir_read_name (machines)) != NULL; n++)
    for (guint kind = 0; kind < ES_N_LADDERS; kind++)
      {
        const EsLadder *ladder = es_ladder_get ((EsLadderKind) kind);
        g_autofree char *path = g_build_filename (folder, name, ladder->id, "result.json", NULL);
        EsLadderStored *stored;

        if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
          continue;
        stored = g_new0 (EsLadderStored, 1);
        stored->machine = g_strdup (name);
        stored->ladder = ladder;
        stored->file = g_file_new_for_path (path);
        g_ptr_array_add (list, stored);
      }
  g_ptr_array_sort (list, compare_stored);
  return list;
}
