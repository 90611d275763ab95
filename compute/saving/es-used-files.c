/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-used-files.h"

static void
used_file_free (gpointer data)
{
  EsUsedFile *file = data;

  g_free (file->path);
  g_free (file);
}

static int
by_use (gconstpointer a, gconstpointer b)
{
  const EsUsedFile *one = *(EsUsedFile * const *) a, *other = *(EsUsedFile * const *) b;

  return (one->used > other->used) - (one->used < other->used);
}

GPtrArray *
es_used_files_new (void)
{
  return g_ptr_array_new_with_free_func (used_file_free);
}

void
es_used_files_add (GPtrArray *self, const char *path, guint64 size, gint64 used)
{
  EsUsedFile *file = g_new0 (EsUsedFile, 1);

  *file = (EsUsedFile) { g_strdup (path), size, used };
  g_ptr_array_add (self, file);
}

guint64
es_used_files_limit (GPtrArray *self, guint64 bytes, gboolean (*remove) (const char *path))
{
  guint64 total = 0;

  g_ptr_array_sort (self, by_use);
  for (guint i = 0; i < self->len; i++)
    total += ((EsUsedFile *) g_ptr_array_index (self, i))->size;
  for (guint i = 0; i < self->len && total > bytes; i++)
    {
      const EsUsedFile *file = g_ptr_array_index (self, i);

      if (remove (file->path))
        total -= file->size;
    }
  return total;
}
