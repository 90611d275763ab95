/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Bytes that are kept until the store is freed: in the host's memory as far as they fit a budget, else in a file. A
 * file without a name lies in the cache directory and is gone with the store, however that ends; one beside a path
 * waits for a writer to take it over. Reading and writing inside what has been allocated is for any thread, all else
 * for one.
 */
typedef struct _EsStore EsStore;

/* name: how the file's begins, which messages tell ("layer"). memory_limit: bytes; 0: none. */
EsStore    *es_store_new           (const char *name, guint64 memory_limit);
void        es_store_free          (EsStore *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsStore, es_store_free)

/* The budget's rule: whether so many bytes may be in memory. */
gboolean    es_store_fits          (const EsStore *self, guint64 bytes);
/* Once, for all bytes there will be. In memory: zeroed; FALSE where there is none. */
gboolean    es_store_allocate      (EsStore *self, gsize bytes);
/* Of several processes (es-ranks.h) all call this and the next: beside a path the first one makes the file, and the
 * others open the same; data, plain numbers, becomes what it is there.
 * In a file with all its blocks, so that a full disk is found now: ES_DATA_ERROR_WRITE. path NULL: without a name;
 * otherwise beside it, ".name.part-XXXXXX". */
gboolean    es_store_allocate_file (EsStore *self, const char *path, gsize bytes, GError **error);
/* The same beside a path, where the file is to hold more than the bytes: prepare writes that to the part, by its name,
 * and tells how long the file has to be; the part stays the same file. */
typedef gboolean (*EsStorePrepare) (const char *part, const char *path, gpointer data, guint64 *length, GError **error);
gboolean    es_store_allocate_prepared (EsStore *self, const char *path, EsStorePrepare prepare, gpointer data,
                                        gsize data_bytes, GError **error);
/* A file without a name, empty; nothing where there is one. ES_DATA_ERROR_WRITE. */
gboolean    es_store_open_file     (EsStore *self, GError **error);
/* Behind what has been appended: in memory while that fits, then all of it in a file without a name.
 * ES_DATA_ERROR_WRITE; what was there before is still there then. */
gboolean    es_store_append        (EsStore *self, const void *data, gsize bytes, GError **error);
/* Forgets all of it; the store may be filled again. */
void        es_store_empty         (EsStore *self);

/* All of it; NULL where it is in a file, or empty. */
gpointer    es_store_get_memory    (const EsStore *self);
gboolean    es_store_is_in_file    (const EsStore *self);
gboolean    es_store_read          (const EsStore *self, void *data, gsize bytes, guint64 offset, GError **error);
gboolean    es_store_write         (EsStore *self, const void *data, gsize bytes, guint64 offset, GError **error);

/* What each of several processes has written to a file beside a path goes where the others can see it, on whichever
 * host: each calls this, and when all have done so the next. ES_DATA_ERROR_WRITE. */
gboolean    es_store_bring_out     (EsStore *self, GError **error);
void        es_store_look_again    (EsStore *self);
/* The file beside a path, which is removed with the store; NULL: there is none, or a writer has taken it. */
const char *es_store_get_part      (const EsStore *self);
void        es_store_give_part     (EsStore *self);

G_END_DECLS
