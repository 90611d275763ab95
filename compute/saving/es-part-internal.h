/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Hidden files that a save makes beside its target, and how they are known again after a process that was killed.
 *
 * A part, ".name.part-TAG", becomes the target; an aside, ".name.old-TAG", is the file that the target was. TAG names
 * the boot of the machine that made it, a random number, and a check of both with the name: what merely looks like one
 * of ours fails it. While the process that made it lives, the file is locked (an open file description's lock, so that
 * it neither meets those of HDF5 nor goes with another descriptor of the process).
 */
typedef enum { ES_PART_NEW, ES_PART_ASIDE } EsPartKind;

/* A new part beside path, with the access rights that a new file gets, open to be read and written, and locked while
 * the descriptor lives. -1: ES_DATA_ERROR_WRITE, a sentence that names path. */
int      es_part_open      (const char *path, char **part, GError **error);
/* A name that is free for one beside path. Transfer full. */
char    *es_part_name      (const char *path, EsPartKind kind);
/* Whether a file's name (without its folder) is one that es_part_name () makes. */
gboolean es_part_is_name   (const char *name);
/* Locks what a descriptor is open on, for reading only where it is shared. FALSE: somebody has it (EAGAIN), or there
 * are no locks. */
gboolean es_part_lock      (int fd, gboolean shared);

/* The boot of this machine, eight hexadecimal digits. */
const char *es_part_boot   (void);
/* TRUE where other machines surely do not see the file system: what another boot has left there is from before this
 * one. */
gboolean es_part_is_local  (int fd);

/* Removes the parts and asides in a folder whose process is surely gone; whatever else is there stays. On a file system
 * that machines share those of another boot stay for a week. */
void     es_part_clear     (const char *directory);

/* A descriptor of a part that another process has made, perhaps on another host: it is waited for for some seconds, as
 * what a file system of a network has shown before may be shown for as long. -1: ES_DATA_ERROR_WRITE, about path. */
int      es_part_join     (const char *part, const char *path, GError **error);

G_END_DECLS
