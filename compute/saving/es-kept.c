/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kept.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/es-file-internal.h"
#include "es-output-internal.h"
#include "es-output-private.h"

#define MOST_NAMES 10000
/* Names in one sentence. */
#define MOST_NAMED 10

gboolean
es_kept_check (GFile *file, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (file, error);

  return path != NULL && es_outputs_add (outputs, path, FALSE, error) != NULL;
}

/* Where it is written, without symbolic links, also those of folders; NULL: it has no path. Transfer full. */
static char *
resolve (GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *target = path != NULL ? es_output_resolve (path) : NULL;
  g_autofree char *folder = target != NULL ? g_path_get_dirname (target) : NULL,
                  *name = target != NULL ? g_path_get_basename (target) : NULL;
  char *there = folder != NULL ? realpath (folder, NULL) : NULL;
  char *resolved = there != NULL ? g_build_filename (there, name, NULL) : g_steal_pointer (&target);

  free (there);
  return resolved;
}

gboolean
es_kept_is_one (GFile *a, GFile *b)
{
  g_autofree char *first = resolve (a), *second = resolve (b);

  return g_file_equal (a, b) || (first != NULL && second != NULL && strcmp (first, second) == 0);
}

/* A second name costs nothing; where there can be none, a copy. */
gboolean
es_kept_add (GPtrArray *kept, const char *path, GCancellable *cancellable, GError **error)
{
  char *target = realpath (path, NULL);

  for (guint k = 1; target != NULL && k <= MOST_NAMES; k++)
    {
      g_autofree char *other = g_strdup_printf ("%s.~%u~", path, k);

      if (link (target, other) == 0)
        {
          g_ptr_array_add (kept, g_steal_pointer (&other));
          free (target);
          return TRUE;
        }
      if (errno == EEXIST)
        continue;
      if (errno == EXDEV || errno == EPERM || errno == ENOTSUP || errno == EMLINK)
        {
          g_autoptr (GFile) from = g_file_new_for_path (target), to = g_file_new_for_path (other);
          const gboolean copied = g_file_copy (from, to, G_FILE_COPY_NONE, cancellable, NULL, NULL, error);

          if (copied)
            g_ptr_array_add (kept, g_steal_pointer (&other));
          free (target);
          return copied;
        }
      break;
    }
  es_file_set_error (error, path, errno);
  free (target);
  return FALSE;
}

void
es_kept_forget (GPtrArray *kept)
{
  for (guint i = 0; i < kept->len; i++)
    unlink (g_ptr_array_index (kept, i));
  g_ptr_array_set_size (kept, 0);
}

char *
es_kept_names (GPtrArray *kept)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (kept->len == 0)
    return NULL;
  for (guint i = 0; i < MIN (kept->len, MOST_NAMED); i++)
    {
      g_autofree char *name = g_filename_display_basename (g_ptr_array_index (kept, i));
      g_string_append_printf (names, "%s%s", i == 0 ? "" : ", ", name);
    }
  if (kept->len > MOST_NAMED)
    g_string_append (names, " …");
  return g_string_free (g_steal_pointer (&names), FALSE);
}
