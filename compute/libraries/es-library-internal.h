/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gmodule.h>

G_BEGIN_DECLS

/*
 * A library of others that only some files need. Small modules of ours are linked with them, one each, and hold nothing
 * but a table of what is used of it; a module is opened when the first function is called, and then stays. So a program
 * that reads a file of its own starts without a hundred libraries, and packages still depend on them all.
 */
typedef struct _EsLibrary EsLibrary;

/* What tables begin with, the same in program and module. */
typedef struct
{
  const char *sum;             /* of the names */
  gsize       size;            /* bytes of the table: headers may leave out some */
} EsLibraryHead;

struct _EsLibrary
{
  const char   *title;         /* as people know it */
  const char   *module;        /* file, */
  const char   *entry;         /* its table, which begins with */
  EsLibraryHead head;
  gpointer      nothing;       /* what each entry is where the library is missing: a function that fails */
  gconstpointer names;         /* the table; NULL: not opened yet */
  char         *why;           /* it is missing */
};

extern EsLibrary es_library_eigen, es_library_gdal, es_library_hdf5, es_library_matio, es_library_sndfile;

/* FALSE: it is missing, for the file of that name (nullable). To be asked for before anything else of it is: what is
 * called nonetheless answers as the library does when it fails. Any thread. */
gboolean      es_library_load (EsLibrary *self, const char *name, GError **error);
/* Has it been loaded already? */
gboolean      es_library_is_there (EsLibrary *self);
/* For the line below: opens it. Never NULL. */
gconstpointer es_library_open (EsLibrary *self);

static inline gconstpointer
es_library_get (EsLibrary *self)
{
  gconstpointer names = g_atomic_pointer_get (&self->names);

  return names != NULL ? names : es_library_open (self);
}

G_END_DECLS
