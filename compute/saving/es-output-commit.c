/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The last step of a save: everything to the disk, and in its place all at once. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "es-durable.h"
#include "base/es-file-internal.h"
#include "es-output-private.h"

/* What changes in one folder. */
typedef struct
{
  char       *directory;
  const char *path;            /* of a file in it, for messages */
  int         fd;
  GPtrArray  *changes;         /* EsChange */
  EsJournal  *journal;         /* NULL for one file, which renaming changes at once */
} Place;

static void
place_free (gpointer data)
{
  Place *place = data;

  if (place->journal != NULL)
    es_journal_free (place->journal);
  if (place->fd >= 0)
    close (place->fd);
  g_ptr_array_unref (place->changes);
  g_free (place->directory);
  g_free (place);
}

/* ---- to the disk ---- */

/* By its name where somebody else wrote it: they may have made the file anew. */
static gboolean
finish (EsOutputItem *item, GError **error)
{
  int fd = item->output.fd;

  if (item->part == NULL)
    {
      item->output.fd = -1;
      return (close (fd) == 0 || errno == EINTR) ? TRUE : es_file_set_error (error, item->path, errno);
    }
  if (fd < 0)
    fd = open (item->part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

  /* The descriptor stays, and with it the lock, until the part has become the target. */
  const gboolean synced = fd >= 0 && fsync (fd) == 0;
  const int code = errno;
  if (fd >= 0 && fd != item->output.fd)
    close (fd);
  return synced ? TRUE : es_file_set_error (error, item->path, code);
}

/* ---- what there is to change ---- */

static Place *
place_of (GPtrArray *places, const char *path, GError **error)
{
  g_autofree char *directory = g_path_get_dirname (path);
  Place *place;

  for (guint i = 0; i < places->len; i++)
    if (strcmp (((Place *) g_ptr_array_index (places, i))->directory, directory) == 0)
      return g_ptr_array_index (places, i);

  place = g_new0 (Place, 1);
  place->fd = open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  place->directory = g_steal_pointer (&directory);
  place->path = path;
  place->changes = g_ptr_array_new_with_free_func ((GDestroyNotify) es_change_free);
  g_ptr_array_add (places, place);
  if (place->fd < 0)
    {
      es_file_set_error (error, path, errno);
      return NULL;
    }
  return place;
}

static void
add_change (Place *place, const char *path, const char *part, gboolean adopted)
{
  g_autofree char *target = g_path_get_basename (path);
  g_autofree char *name = part != NULL ? g_path_get_basename (part) : NULL;
  EsChange *change = es_change_new (place->fd, place->directory, target, name, adopted);

  if (change != NULL)
    g_ptr_array_add (place->changes, change);
}

static gboolean
is_regular (const char *path)
{
  struct stat status;

  return lstat (path, &status) == 0 && S_ISREG (status.st_mode);
}

static guint
count_for (EsOutputs *self, const Place *place)
{
  guint n = 0;

  for (guint i = 0; i < self->items->len; i++)
    {
      g_autofree char *directory = g_path_get_dirname (((EsOutputItem *) g_ptr_array_index (self->items, i))->path);
      n += strcmp (directory, place->directory) == 0;
    }
  for (guint i = 0; i < self->superfluous->len; i++)
    {
      const char *path = g_ptr_array_index (self->superfluous, i);
      g_autofree char *directory = g_path_get_dirname (path);
      n += strcmp (directory, place->directory) == 0 && is_regular (path) && es_outputs_find (self, path) == NULL;
    }
  return n;
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(Place * const *) a)->directory, (*(Place * const *) b)->directory);
}

/* The folders, each taken where several files of it change: looked at afterwards, so that nobody changes them between.
 * In the order of their names, so that two processes do not wait for each other. */
static GPtrArray *
take_places (EsOutputs *self, GError **error)
{
  g_autoptr (GPtrArray) places = g_ptr_array_new_with_free_func (place_free);

  for (guint i = 0; i < self->items->len; i++)
    {
      EsOutputItem *item = g_ptr_array_index (self->items, i);
      if (item->part != NULL && place_of (places, item->path, error) == NULL)
        return NULL;
    }
  for (guint i = 0; i < self->superfluous->len; i++)
    {
      const char *path = g_ptr_array_index (self->superfluous, i);
      if (is_regular (path) && es_outputs_find (self, path) == NULL && place_of (places, path, error) == NULL)
        return NULL;
    }
  g_ptr_array_sort (places, compare_places);
  for (guint i = 0; i < places->len; i++)
    {
      Place *place = g_ptr_array_index (places, i);
      if (count_for (self, place) > 1
          && (place->journal = es_journal_new (place->fd, place->directory, place->path, error)) == NULL)
        {
          for (; i > 0; i--)
            {
              place = g_ptr_array_index (places, i - 1);
              if (place->journal != NULL)
                es_journal_remove (place->journal);
            }
          return NULL;
        }
    }

  for (guint i = 0; i < self->items->len; i++)
    {
      EsOutputItem *item = g_ptr_array_index (self->items, i);
      if (item->part != NULL)
        add_change (place_of (places, item->path, NULL), item->path, item->part, item->adopted);
    }
  for (guint i = 0; i < self->superfluous->len; i++)
    {
      const char *path = g_ptr_array_index (self->superfluous, i);
      if (is_regular (path) && es_outputs_find (self, path) == NULL)
        add_change (place_of (places, path, NULL), path, NULL, FALSE);
    }
  return g_steal_pointer (&places);
}

/* ---- the change ---- */

static gboolean
change_place (Place *place, GError **error)
{
  if (place->journal != NULL
      && (!es_journal_write (place->journal, place->changes) || !es_durable_sync_folder (place->fd)))
    return es_file_set_error (error, place->path, errno);
  for (guint i = 0; i < place->changes->len; i++)
    {
      EsChange *change = g_ptr_array_index (place->changes, i);
      if (!es_change_make (change, place->fd, place->journal != NULL))
        {
          const int code = errno;
          g_autofree char *target = g_build_filename (place->directory, change->target, NULL);
          return es_file_set_error (error, target, code);
        }
    }
  return es_durable_sync_folder (place->fd) ? TRUE : es_file_set_error (error, place->path, errno);
}

static void
restore_place (Place *place)
{
  for (guint i = place->changes->len; i > 0; i--)
    es_change_restore (g_ptr_array_index (place->changes, i - 1), place->fd);
  es_durable_sync_folder (place->fd);
  if (place->journal != NULL)
    es_journal_remove (place->journal);
}

static gboolean
decide (Place *place, GError **error)
{
  if (place->journal == NULL || es_journal_remove (place->journal))
    return TRUE;
  return es_file_set_error (error, place->path, errno);
}

static void
keep_place (Place *place)
{
  /* Not an old file may go before it is certain that the journal has gone. */
  if (place->journal != NULL && !es_durable_sync_folder (place->fd))
    return;
  for (guint i = 0; i < place->changes->len; i++)
    es_change_keep (g_ptr_array_index (place->changes, i), place->fd);
}

gboolean
es_outputs_commit (EsOutputs *self, GError **error)
{
  g_autoptr (GPtrArray) places = NULL;
  gboolean done = TRUE;

  g_return_val_if_fail (!self->committed, FALSE);

  if (self->refusal != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->refusal));
      return FALSE;
    }
  for (guint i = 0; i < self->items->len; i++)
    if (!finish (g_ptr_array_index (self->items, i), error))
      return FALSE;
  places = take_places (self, error);
  if (places == NULL)
    return FALSE;

  for (guint i = 0; done && i < places->len; i++)
    done = change_place (g_ptr_array_index (places, i), error);
  for (guint i = 0; done && i < places->len; i++)
    done = decide (g_ptr_array_index (places, i), error);
  if (!done)
    {
      for (guint i = places->len; i > 0; i--)
        restore_place (g_ptr_array_index (places, i - 1));
      return FALSE;
    }

  self->committed = TRUE;
  for (guint i = 0; i < places->len; i++)
    keep_place (g_ptr_array_index (places, i));
  for (guint i = 0; i < self->items->len; i++)
    {
      EsOutputItem *item = g_ptr_array_index (self->items, i);
      if (item->adopted)
        item->taken (item->path, item->data);
    }
  return TRUE;
}
