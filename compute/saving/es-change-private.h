/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * One file of a folder that a save replaces, makes or removes, in such a way that it can be taken back: the old file
 * stays, as the aside, until the whole save is done. All names are of files in one folder, which every call gets as a
 * descriptor.
 */
typedef struct
{
  char    *target;
  char    *part;               /* becomes the target; NULL: the target is removed */
  char    *aside;              /* what the old file is called in the meantime; NULL: there is none */
  gboolean adopted;            /* the part was there before the save */
  guint64  old_inode;
  guint64  new_inode, new_size;
  gint64   new_time;           /* of its content, in nanoseconds */
  int      aside_lock;         /* descriptor, -1: none */
} EsChange;

/* part NULL: a removal. NULL: there is nothing to remove. */
EsChange *es_change_new     (int folder, const char *directory, const char *target, const char *part, gboolean adopted);
void      es_change_free    (EsChange *self);
/* Sets the old file aside and puts the new one in its place. must_restore FALSE: the old one may be lost where the file
 * system has no hard links. FALSE: errno; es_change_restore () is to be called all the same. */
gboolean  es_change_make    (EsChange *self, int folder, gboolean must_restore);
/* All as it was, however far it went; also by another process later. Told twice it does nothing. */
void      es_change_restore (const EsChange *self, int folder);
/* The new file stays: the old one goes. */
void      es_change_keep    (const EsChange *self, int folder);

G_END_DECLS
