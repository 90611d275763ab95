/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

/*
 * HDF5, and what stands on it, can be made to crash, to loop and to fill the memory by a few bytes of a file. What it
 * would read is read by the helper program first (app/rehearse.c), within bounds: address space 2 GiB above what the
 * program takes by itself, and 192 times the size of the file more, up to four fifths of the machine's memory;
 * processor time 15 s, and a second more for every 16 MiB of the file; ten minutes in all.
 */
typedef enum
{
  ES_REHEARSAL_DATASET,        /* es_dataset_open (), and what stands at its ends */
  ES_REHEARSAL_FIELD,          /* a field of a saved result */
} EsRehearsalKind;

/* Whether the library of HDF5 would take the file for its own: the signature at the beginning, or behind a user block
 * of 512, 1024, 2048 ... bytes. */
gboolean es_rehearsal_finds_hdf5 (const char *path);

/*
 * TRUE: what the library made of the file did no harm, and the same may be done here. FALSE: it crashed or went beyond
 * its bounds (ES_DATA_ERROR_FORMAT), or could not open it, with the very error that opening it here would give.
 * path: absolute; name: as messages call it; told: KEY=VALUE words, NULL-terminated (nullable), for the helper alone.
 * *note: a sentence where there is no helper program that works, and nothing was tried; NULL otherwise; transfer full.
 * *tried: the file as it was then, for es_rehearsal_is_same (). Blocking; answers a cancellable at once. In the helper
 * itself it is TRUE without an effort. What came through once is not tried again while the file stays as it is.
 */
gboolean es_rehearsal_run      (EsRehearsalKind kind, const char *path, const char *name, const char * const *told,
                                GCancellable *cancellable, char **note, struct stat *tried, GError **error);
/* After it has been opened here: FALSE with a sentence where it is not the file any more that was tried. */
gboolean es_rehearsal_is_same  (const char *path, const char *name, const struct stat *tried, GError **error);

G_END_DECLS
