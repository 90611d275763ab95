/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-output-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "es-durable.h"
#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "es-inputs-internal.h"
#include "es-output-private.h"
#include "es-part-internal.h"

/* As many as the system follows. */
#define MOST_LINKS 40

static void
item_free (gpointer data)
{
  EsOutputItem *item = data;

  if (item->output.fd >= 0)
    close (item->output.fd);
  if (item->handed >= 0)
    close (item->handed);
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
  self->tidied = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
es_outputs_free (EsOutputs *self)
{
  if (!self->committed)
    {
      for (guint i = 0; i < self->items->len; i++)
        {
          EsOutputItem *item = g_ptr_array_index (self->items, i);
          if (item->part != NULL && !item->adopted)
            unlink (item->part);
        }
      for (guint i = self->directories->len; i > 0; i--)
        rmdir (g_ptr_array_index (self->directories, i - 1));
    }
  g_ptr_array_unref (self->items);
  g_ptr_array_unref (self->directories);
  g_ptr_array_unref (self->superfluous);
  g_hash_table_unref (self->tidied);
  g_clear_error (&self->refusal);
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

void
es_outputs_permit_inputs (EsOutputs *self)
{
  self->inputs_permitted = TRUE;
}

/* What es_outputs_remove () could not say. */
static gboolean
check_refusal (EsOutputs *self, GError **error)
{
  if (self->refusal != NULL && error != NULL)
    *error = g_error_copy (self->refusal);
  return self->refusal == NULL;
}

gboolean
es_outputs_make_directory (EsOutputs *self, const char *path, GError **error)
{
  return check_refusal (self, error) && es_durable_make_folder (path, self->directories, error);
}

/* A link stays a link: it is what it points to that is replaced, or made where it is not there yet. One to a pipe of
 * the system, as standard output may be, has no path and stays as it is. */
char *
es_output_resolve (const char *path)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);

  for (guint followed = 0; followed <= MOST_LINKS; followed++)
    {
      char *resolved = realpath (full, NULL);
      g_autofree char *to = resolved == NULL && !g_file_test (full, G_FILE_TEST_EXISTS)
                            ? g_file_read_link (full, NULL) : NULL;

      if (resolved != NULL)
        {
          g_free (full);
          full = g_strdup (resolved);
          free (resolved);
          break;
        }
      if (to == NULL)
        break;

      g_autofree char *folder = g_path_get_dirname (full), *there = realpath (folder, NULL);

      g_free (full);
      full = g_canonicalize_filename (to, there != NULL ? there : folder);
    }
  return g_steal_pointer (&full);
}

static EsOutputItem *
item_new (const char *path)
{
  EsOutputItem *item = g_new0 (EsOutputItem, 1);

  item->path = es_output_resolve (path);
  item->output.path = item->path;
  item->output.fd = -1;
  item->handed = -1;
  return item;
}

/* Once a folder: what a process that was killed has left there is put in order, or goes. */
static gboolean
tidy (EsOutputs *self, const char *path, GError **error)
{
  char *directory = g_path_get_dirname (path);

  if (!g_hash_table_add (self->tidied, directory))
    return TRUE;
  if (!es_journal_settle (path, error))
    return FALSE;
  if (!es_journal_is_in (directory))
    es_part_clear (directory);
  return TRUE;
}

/* Never waits: a pipe that nobody reads from has no end to wait for. -1: errno. */
static int
open_device (const char *path)
{
  const int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  const int flags = fd >= 0 ? fcntl (fd, F_GETFL) : -1;

  /* Whoever reads may be slow, though. */
  if (fd >= 0 && (flags < 0 || fcntl (fd, F_SETFL, flags & ~O_NONBLOCK) != 0))
    {
      const int code = errno;

      close (fd);
      errno = code;
      return -1;
    }
  return fd;
}

static void
refuse_device (GError **error, const char *path, const struct stat *status, int code)
{
  if (S_ISSOCK (status->st_mode))
    es_file_set_reason (error, path, _("it is no file, but a socket"));
  else if (S_ISFIFO (status->st_mode) && code == ENXIO)
    es_file_set_reason (error, path, _("it is a pipe that nobody reads from"));
  else if (code == EINVAL)
    es_file_set_reason (error, path, _("it is no file, but a device or a pipe"));
  else
    es_file_set_error (error, path, code);
}

const EsOutput *
es_outputs_add (EsOutputs *self, const char *path, gboolean allow_device, GError **error)
{
  EsOutputItem *item = item_new (path);
  struct stat status;
  gboolean replaces;

  g_ptr_array_add (self->items, item);
  if (!check_refusal (self, error) || (!self->inputs_permitted && !es_inputs_check (item->path, error)))
    return NULL;
  replaces = stat (item->path, &status) == 0;

  if (replaces && !S_ISREG (status.st_mode))
    {
      int code = S_ISDIR (status.st_mode) ? EISDIR : EINVAL;
      if (allow_device && !S_ISDIR (status.st_mode) && !S_ISBLK (status.st_mode))
        {
          item->output.fd = open_device (item->path);
          code = errno;
        }
      if (item->output.fd >= 0)
        return &item->output;
      refuse_device (error, item->path, &status, code);
      return NULL;
    }

  /* Renaming would replace a file that nobody may write to. */
  if (replaces && access (item->path, W_OK) != 0)
    {
      es_file_set_error (error, item->path, errno);
      return NULL;
    }

  if (!tidy (self, item->path, error))
    return NULL;
  item->output.fd = es_part_open (item->path, &item->part, error);
  if (item->output.fd < 0)
    return NULL;
  item->output.part = item->part;
  if (replaces && fchmod (item->output.fd, status.st_mode & 0777) != 0)
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

  EsOutputItem *item = item_new (path);
  g_autofree char *resolved = es_output_resolve (file);
  g_autofree char *here = g_path_get_dirname (resolved);
  g_autofree char *there = g_path_get_dirname (item->path);

  const gboolean replaces = lstat (item->path, &status) == 0;
  if (strcmp (here, there) != 0 || strcmp (resolved, item->path) == 0
      || (replaces && (!S_ISREG (status.st_mode) || access (item->path, W_OK) != 0))
      || (!self->inputs_permitted && !es_inputs_check (item->path, NULL)) || !tidy (self, item->path, NULL))
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
  EsOutputItem *item = (EsOutputItem *) output;

  item->handed = item->output.fd;
  item->output.fd = -1;
}

void
es_outputs_remove (EsOutputs *self, const char *path)
{
  if (self->refusal == NULL && !self->inputs_permitted)
    es_inputs_check (path, &self->refusal);

  /* The folder as others call it, too, but the file itself: no link is followed. */
  g_autofree char *directory = g_path_get_dirname (path), *name = g_path_get_basename (path);
  g_autofree char *folder = es_output_resolve (directory);
  g_ptr_array_add (self->superfluous, g_build_filename (folder, name, NULL));
}

const EsOutput *
es_outputs_find (EsOutputs *self, const char *path)
{
  g_autofree char *resolved = es_output_resolve (path);

  for (guint i = 0; i < self->items->len; i++)
    {
      EsOutputItem *item = g_ptr_array_index (self->items, i);
      if (strcmp (item->path, resolved) == 0)
        return &item->output;
    }
  return NULL;
}

gboolean
es_outputs_settle (const char *path, GError **error)
{
  return es_journal_settle (path, error);
}
