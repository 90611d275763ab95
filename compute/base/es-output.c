/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-output-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "es-error.h"
#include "es-file-internal.h"

typedef struct
{
  EsOutput       output;
  char          *path;
  char          *part;
  gboolean       replaces;      /* there was a file at path */

  /* The part is a file that was there already: es_outputs_adopt (). */
  gboolean       adopted;
  EsOutputTaken  taken;
  gpointer       data;
  GDestroyNotify destroy;

  /* What commit has done so far. */
  gboolean       renamed;
  gboolean       exchanged;     /* the old file now has the part's name */
} Item;

struct _EsOutputs
{
  GPtrArray *items;            /* Item */
  GPtrArray *directories;      /* made by us, outermost first */
  GPtrArray *superfluous;      /* paths that commit removes */
  gboolean   committed;
};

static void
item_free (gpointer data)
{
  Item *item = data;

  if (item->output.fd >= 0)
    close (item->output.fd);
  g_free (item->path);
  g_free (item->part);
  if (item->adopted)
    item->destroy (item->data);
  g_free (item);
}

EsOutputs *
es_outputs_new (void)
{
  EsOutputs *self = g_new0 (EsOutputs, 1);

  self->items = g_ptr_array_new_with_free_func (item_free);
  self->directories = g_ptr_array_new_with_free_func (g_free);
  self->superfluous = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
es_outputs_free (EsOutputs *self)
{
  if (!self->committed)
    {
      for (guint i = 0; i < self->items->len; i++)
        {
          Item *item = g_ptr_array_index (self->items, i);
          if (item->part != NULL && !item->adopted)
            unlink (item->part);
        }
      for (guint i = self->directories->len; i > 0; i--)
        rmdir (g_ptr_array_index (self->directories, i - 1));
    }
  g_ptr_array_unref (self->items);
  g_ptr_array_unref (self->directories);
  g_ptr_array_unref (self->superfluous);
  g_free (self);
}

char *
es_output_local_path (GFile *target, GError **error)
{
  char *path = g_file_get_path (target);

  if (path == NULL)
    {
      g_autofree char *name = es_error_file_name (target);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("“%s” could not be written: it is not on a local file system."), name);
    }
  return path;
}

gboolean
es_outputs_make_directory (EsOutputs *self, const char *path, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  struct stat status;

  for (char *p = g_strdup (full); ; )
    {
      if (stat (p, &status) == 0)
        {
          g_free (p);
          break;
        }
      char *parent = g_path_get_dirname (p);
      g_ptr_array_add (missing, p);
      p = parent;
    }

  for (guint i = missing->len; i > 0; i--)
    {
      const char *directory = g_ptr_array_index (missing, i - 1);
      if (mkdir (directory, 0777) == 0)
        g_ptr_array_add (self->directories, g_strdup (directory));
      else if (errno != EEXIST)
        {
          g_autofree char *shown = g_filename_display_name (full);
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                       _("The directory “%s” could not be made: %s."), shown, g_strerror (errno));
          return FALSE;
        }
    }

  if (!g_file_test (full, G_FILE_TEST_IS_DIR))
    {
      g_autofree char *shown = g_filename_display_name (full);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE,
                   _("“%s” is a file, where a directory was expected."), shown);
      return FALSE;
    }
  return TRUE;
}

/* A link stays a link: it is what it points to that is replaced. */
static char *
resolve (const char *path)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  char *resolved = realpath (full, NULL);

  if (resolved == NULL)
    return g_steal_pointer (&full);
  g_free (full);
  full = g_strdup (resolved);
  free (resolved);
  return g_steal_pointer (&full);
}

static Item *
item_new (const char *path)
{
  Item *item = g_new0 (Item, 1);

  item->path = resolve (path);
  item->output.path = item->path;
  item->output.fd = -1;
  return item;
}

const EsOutput *
es_outputs_add (EsOutputs *self, const char *path, gboolean allow_device, GError **error)
{
  Item *item = item_new (path);
  struct stat status;

  g_ptr_array_add (self->items, item);
  item->replaces = stat (item->path, &status) == 0;

  if (item->replaces && !S_ISREG (status.st_mode))
    {
      int code = S_ISDIR (status.st_mode) ? EISDIR : EINVAL;
      if (allow_device && !S_ISDIR (status.st_mode) && !S_ISBLK (status.st_mode))
        {
          item->output.fd = open (item->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
          code = errno;
        }
      if (item->output.fd < 0)
        {
          es_file_set_error (error, item->path, code);
          return NULL;
        }
      return &item->output;
    }

  /* Renaming would replace a file that nobody may write to. */
  if (item->replaces && access (item->path, W_OK) != 0)
    {
      es_file_set_error (error, item->path, errno);
      return NULL;
    }

  item->output.fd = es_file_open_beside (item->path, &item->part, error);
  if (item->output.fd < 0)
    return NULL;
  item->output.part = item->part;
  if (item->replaces && fchmod (item->output.fd, status.st_mode & 0777) != 0)
    g_debug ("The access rights of %s are not kept: %s", item->path, g_strerror (errno));
  return &item->output;
}

gboolean
es_outputs_adopt (EsOutputs *self, const char *path, const char *file, EsOutputTaken taken, gpointer data,
                  GDestroyNotify destroy)
{
  struct stat status;

  if (file == NULL)
    {
      destroy (data);
      return FALSE;
    }

  Item *item = item_new (path);
  g_autofree char *resolved = resolve (file);
  g_autofree char *here = g_path_get_dirname (resolved);
  g_autofree char *there = g_path_get_dirname (item->path);

  item->replaces = lstat (item->path, &status) == 0;
  if (strcmp (here, there) != 0 || strcmp (resolved, item->path) == 0
      || (item->replaces && (!S_ISREG (status.st_mode) || access (item->path, W_OK) != 0)))
    {
      item_free (item);
      destroy (data);
      return FALSE;
    }
  item->part = g_steal_pointer (&resolved);
  item->output.part = item->part;
  item->adopted = TRUE;
  item->taken = taken;
  item->data = data;
  item->destroy = destroy;
  g_ptr_array_add (self->items, item);
  return TRUE;
}

void
es_outputs_hand_over (EsOutputs *self, const EsOutput *output)
{
  EsOutput *own = (EsOutput *) output;

  close (own->fd);
  own->fd = -1;
}

void
es_outputs_remove (EsOutputs *self, const char *path)
{
  g_ptr_array_add (self->superfluous, g_canonicalize_filename (path, NULL));
}

static gboolean
is_written (EsOutputs *self, const char *path)
{
  g_autofree char *resolved = resolve (path);

  for (guint i = 0; i < self->items->len; i++)
    if (strcmp (((Item *) g_ptr_array_index (self->items, i))->path, resolved) == 0)
      return TRUE;
  return FALSE;
}

/* Where an old file is replaced, the new one has to be on the disk before the old one goes. */
static gboolean
finish (Item *item, GError **error)
{
  int fd = item->output.fd;

  if (fd < 0)
    return TRUE;
  if (item->part != NULL && item->replaces && fsync (fd) != 0)
    return es_file_set_error (error, item->path, errno);
  item->output.fd = -1;
  if (close (fd) != 0 && errno != EINTR)
    return es_file_set_error (error, item->path, errno);
  return TRUE;
}

static gboolean
put_in_place (Item *item, GError **error)
{
  if (item->replaces)
    item->exchanged = renameat2 (AT_FDCWD, item->part, AT_FDCWD, item->path, RENAME_EXCHANGE) == 0;
  /* Not every file system can exchange; and the old file may have gone since. */
  if (!item->exchanged && rename (item->part, item->path) != 0)
    return es_file_set_error (error, item->path, errno);
  item->renamed = TRUE;
  return TRUE;
}

static void
put_back (Item *item)
{
  if (item->exchanged)
    renameat2 (AT_FDCWD, item->part, AT_FDCWD, item->path, RENAME_EXCHANGE);
  else if (item->adopted)
    rename (item->path, item->part);
  else if (!item->replaces)
    unlink (item->path);
  item->renamed = FALSE;
}

gboolean
es_outputs_commit (EsOutputs *self, GError **error)
{
  g_return_val_if_fail (!self->committed, FALSE);

  for (guint i = 0; i < self->items->len; i++)
    if (!finish (g_ptr_array_index (self->items, i), error))
      return FALSE;

  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);
      if (item->part == NULL || put_in_place (item, error))
        continue;
      while (i-- > 0)
        {
          item = g_ptr_array_index (self->items, i);
          if (item->renamed)
            put_back (item);
        }
      return FALSE;
    }

  self->committed = TRUE;
  for (guint i = 0; i < self->items->len; i++)
    {
      Item *item = g_ptr_array_index (self->items, i);
      if (item->exchanged)
        unlink (item->part);
      if (item->adopted)
        item->taken (item->path, item->data);
    }
  for (guint i = 0; i < self->superfluous->len; i++)
    {
      const char *path = g_ptr_array_index (self->superfluous, i);
      struct stat status;
      if (!is_written (self, path) && lstat (path, &status) == 0 && S_ISREG (status.st_mode))
        unlink (path);
    }
  return TRUE;
}
