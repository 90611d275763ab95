/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-library-internal.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-installed.h"
#include "es-eigen-library-internal.h"
#include "es-gdal-library-internal.h"
#include "es-hdf5-library-internal.h"
#include "es-matio-library-internal.h"
#include "es-sndfile-library-internal.h"

/* As pointers and numbers alike: no handle, no bytes. */
static gpointer
no_handle (void)
{
  return NULL;
}

/* HDF5 says so of everything that fails. */
static gssize
no_identifier (void)
{
  return -1;
}

#define LIBRARY(title, name, NAME, Name, nothing) \
  { title, "libeigenscope-" name ".so", "eigenscope_" name, { ES_##NAME##_SUM, sizeof (Es##Name##Names) }, \
    (gpointer) nothing, NULL, NULL }

EsLibrary es_library_eigen = LIBRARY ("ARPACK with CHOLMOD", "eigen", EIGEN, Eigen, no_handle);
EsLibrary es_library_gdal = LIBRARY ("GDAL", "gdal", GDAL, Gdal, no_handle);
EsLibrary es_library_hdf5 = LIBRARY ("HDF5", "hdf5", HDF5, Hdf5, no_identifier);
EsLibrary es_library_matio = LIBRARY ("matio", "matio", MATIO, Matio, no_handle);
EsLibrary es_library_sndfile = LIBRARY ("libsndfile", "sndfile", SNDFILE, Sndfile, no_handle);

static GMutex mutex;

/* $ES_LIBRARY_DIR: another folder for all of them. */
static char *
find_module (const EsLibrary *self)
{
  const char *wanted = g_getenv ("ES_LIBRARY_DIR");

  if (wanted != NULL && *wanted != '\0')
    return g_build_filename (wanted, self->module, NULL);
  return es_installed_find_module ("../compute/libraries", self->module);
}

static gboolean
is_ours (const EsLibrary *self, const EsLibraryHead *head)
{
  return strcmp (head->sum, self->head.sum) == 0 && head->size == self->head.size;
}

/* The dynamic loader maps what a module's headers promise, and a file that ends before is a deadly signal: an ELF file
 * ends with its table of sections. */
static gboolean
is_whole (const char *path)
{
  ElfW(Ehdr) head = { .e_shoff = 0 };
  struct stat status;
  gboolean whole = TRUE;
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  /* Why it cannot be opened the loader says. */
  if (fd < 0)
    return TRUE;
  if (fstat (fd, &status) == 0 && read (fd, &head, sizeof head) == sizeof head
      && memcmp (head.e_ident, ELFMAG, SELFMAG) == 0)
    whole = head.e_shoff <= (guint64) status.st_size
            && (guint64) head.e_shnum * head.e_shentsize <= (guint64) status.st_size - head.e_shoff;
  close (fd);
  return whole;
}

/* NULL, and why. */
static gconstpointer
open_table (EsLibrary *self)
{
  g_autofree char *path = find_module (self);
  GModule *module = NULL;
  gpointer table = NULL;

  if (path == NULL)
    self->why = g_strdup_printf (_("the module %s is not installed"), self->module);
  else if (!is_whole (path))
    self->why = g_strdup_printf (_("the module %s is cut off"), path);
  else if ((module = g_module_open (path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL)) == NULL
           || !g_module_symbol (module, self->entry, &table))
    self->why = g_strdup (g_module_error ());
  else if (!is_ours (self, table))
    self->why = g_strdup_printf (_("the module %s is of another version"), path);
  if (self->why == NULL)
    {
      g_module_make_resident (module);
      return table;
    }
  if (module != NULL)
    g_module_close (module);
  return NULL;
}

/* In place of a table: every name of it fails. */
static gconstpointer
make_nothing (const EsLibrary *self)
{
  gpointer *table = g_malloc (self->head.size);

  for (gsize i = 0; i < self->head.size / sizeof *table; i++)
    table[i] = self->nothing;
  return table;
}

gconstpointer
es_library_open (EsLibrary *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  gconstpointer names = self->names;

  if (names != NULL)
    return names;
  names = open_table (self);
  if (names == NULL)
    names = make_nothing (self);
  g_atomic_pointer_set (&self->names, names);
  return names;
}

gboolean
es_library_load (EsLibrary *self, const char *name, GError **error)
{
  es_library_get (self);
  if (self->why == NULL)
    return TRUE;
  if (name != NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, _("“%s” needs %s, which cannot be loaded: %s"), name,
                 self->title, self->why);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, _("%s is needed and cannot be loaded: %s"),
                 self->title, self->why);
  return FALSE;
}

gboolean
es_library_is_there (EsLibrary *self)
{
  return g_atomic_pointer_get (&self->names) != NULL && self->why == NULL;
}
