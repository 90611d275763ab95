/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-change-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "es-part-internal.h"

static gint64
time_of (const struct stat *status)
{
  return (gint64) status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
}

/* The file itself, where it is one: links are not followed. */
static gboolean
look (int folder, const char *name, struct stat *status)
{
  return name != NULL && fstatat (folder, name, status, AT_SYMLINK_NOFOLLOW) == 0;
}

EsChange *
es_change_new (int folder, const char *directory, const char *target, const char *part, gboolean adopted)
{
  EsChange *self;
  struct stat status;
  const gboolean replaces = look (folder, target, &status) && !S_ISDIR (status.st_mode);

  if (part == NULL && (!replaces || !S_ISREG (status.st_mode)))
    return NULL;
  self = g_new0 (EsChange, 1);
  self->target = g_strdup (target);
  self->part = g_strdup (part);
  self->adopted = adopted;
  self->aside_lock = -1;
  if (replaces)
    {
      g_autofree char *path = g_build_filename (directory, target, NULL);
      g_autofree char *aside = es_part_name (path, ES_PART_ASIDE);

      self->aside = g_path_get_basename (aside);
      self->old_inode = status.st_ino;
    }
  if (look (folder, part, &status))
    {
      self->new_inode = status.st_ino;
      self->new_size = (guint64) status.st_size;
      self->new_time = time_of (&status);
    }
  return self;
}

void
es_change_free (EsChange *self)
{
  if (self->aside_lock >= 0)
    close (self->aside_lock);
  g_free (self->target);
  g_free (self->part);
  g_free (self->aside);
  g_free (self);
}

/* A second name for the old file, so that there is one under its own at any time; a rename where there are no links. */
static gboolean
set_aside (EsChange *self, int folder, gboolean must_restore)
{
  if (self->aside == NULL)
    return TRUE;
  /* First the lock, so that no other process takes it for something left behind. */
  self->aside_lock = openat (folder, self->target, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (self->aside_lock >= 0)
    es_part_lock (self->aside_lock, TRUE);
  if (self->part != NULL && linkat (folder, self->target, folder, self->aside, 0) == 0)
    return TRUE;
  return (self->part != NULL && !must_restore) || renameat (folder, self->target, folder, self->aside) == 0;
}

gboolean
es_change_make (EsChange *self, int folder, gboolean must_restore)
{
  return set_aside (self, folder, must_restore)
         && (self->part == NULL || renameat (folder, self->part, folder, self->target) == 0);
}

static gboolean
is_new (const EsChange *self, const struct stat *status)
{
  return self->part != NULL && status->st_ino == self->new_inode && (guint64) status->st_size == self->new_size
         && time_of (status) == self->new_time;
}

void
es_change_restore (const EsChange *self, int folder)
{
  struct stat target, aside;
  gboolean there = look (folder, self->target, &target);

  /* Somebody keeps on needing the part, under its own name. */
  if (there && self->adopted && is_new (self, &target) && renameat (folder, self->target, folder, self->part) == 0)
    there = FALSE;

  if (look (folder, self->aside, &aside) && aside.st_ino == self->old_inode)
    {
      /* Renaming a file to another name of itself does nothing at all. */
      if (there && target.st_ino == aside.st_ino)
        unlinkat (folder, self->aside, 0);
      else if (!there || is_new (self, &target))
        renameat (folder, self->aside, folder, self->target);
    }
  else if (self->aside == NULL && there && is_new (self, &target))
    unlinkat (folder, self->target, 0);
}

void
es_change_keep (const EsChange *self, int folder)
{
  struct stat aside;

  if (look (folder, self->aside, &aside) && aside.st_ino == self->old_inode)
    unlinkat (folder, self->aside, 0);
}
