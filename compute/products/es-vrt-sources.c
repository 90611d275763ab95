/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Read by the parser that GDAL reads descriptions with, and by its rules: names in letters of any case, values as
 * elements, attributes or CDATA. What another parser makes of a description may be another list of files.
 */

#include "es-vrt-internal.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define MOST_BYTES   ((gsize) 64 << 20)
#define MOST_SOURCES 1000u
#define DEEPEST      8u
#define HEAD         2048
/* Stands for those that are left out. */
#define MORE         "…"

typedef struct
{
  GPtrArray    *found;           /* of char *, each once */
  GHashTable   *known;           /* of char *: the same, as they are written */
  GCancellable *cancellable;
  gboolean      more;
} Search;

/* Wherever it stands: GDAL takes no other for one. */
static gboolean
is_description (const char *path)
{
  static const char mark[] = "<VRTDataset";
  guint8 head[HEAD];
  struct stat status;
  const int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const ssize_t n = fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) ? pread (fd, head, sizeof head, 0)
                                                                                    : -1;

  if (fd >= 0)
    close (fd);
  return n > 0 && memmem (head, (gsize) n, mark, strlen (mark)) != NULL;
}

static gboolean
is_any (const char *name, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (g_ascii_strcasecmp (name, names[i]) == 0)
      return TRUE;
  return FALSE;
}

/* What the node names as a file; NULL: it is none that does. */
static const char *
get_name (const CPLXMLNode *node)
{
  static const char *const elements[] = { "SourceFilename", "SourceDataset", "DEMPath", NULL };
  static const char *const items[] = { "OVERVIEW_FILE", "X_DATASET", "Y_DATASET", NULL };

  if (node->eType != CXT_Element && node->eType != CXT_Attribute)
    return NULL;
  if (is_any (node->pszValue, elements)
      || (g_ascii_strcasecmp (node->pszValue, "MDI") == 0 && is_any (CPLGetXMLValue (node, "key", ""), items)))
    return CPLGetXMLValue (node, NULL, NULL);
  return NULL;
}

/* What is no file (HDF5:"x.h5"://y) is shown as it is written. nested: those that may be descriptions themselves. */
static void
take (Search *self, const CPLXMLNode *node, const char *name, const char *folder, GPtrArray *nested)
{
  g_autofree char *source = NULL;

  if (atoi (CPLGetXMLValue (node, "relativeToVRT", "0")) != 0
      || (!g_path_is_absolute (name) && g_file_test (name, G_FILE_TEST_EXISTS)))
    source = g_canonicalize_filename (name, atoi (CPLGetXMLValue (node, "relativeToVRT", "0")) != 0 ? folder : NULL);
  else
    source = g_strdup (name);
  if (*source == '\0' || g_hash_table_contains (self->known, source))
    return;
  if (self->found->len >= MOST_SOURCES)
    {
      self->more = TRUE;
      return;
    }
  if (g_path_is_absolute (source) && !g_str_has_prefix (source, "/vsi"))
    g_ptr_array_add (nested, g_strdup (source));
  g_ptr_array_add (self->found, g_utf8_make_valid (source, -1));
  g_hash_table_add (self->known, g_steal_pointer (&source));
}

/* Without recursion: who writes such files decides how deep they are. */
static void
walk (Search *self, const CPLXMLNode *root, const char *folder, GPtrArray *nested)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();

  g_ptr_array_add (waiting, (gpointer) root);
  while (waiting->len > 0)
    {
      const CPLXMLNode *node = g_ptr_array_steal_index (waiting, waiting->len - 1);
      const char *name = get_name (node);

      if (name != NULL)
        take (self, node, name, folder, nested);
      if (node->psNext != NULL)
        g_ptr_array_add (waiting, node->psNext);
      if (node->psChild != NULL)
        g_ptr_array_add (waiting, node->psChild);
    }
}

static gboolean
search (Search *self, const char *path, guint depth, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GPtrArray) nested = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = g_path_get_dirname (path), *message = NULL;
  gsize length;
  g_autofree char *text = es_text_file_load_at_most (file, MOST_BYTES, &length, self->cancellable, error);
  CPLXMLNode *root;

  if (text == NULL)
    return FALSE;
  es_gdal_begin ();
  root = CPLParseXMLString (text);
  if (root != NULL)
    walk (self, root, folder, nested);
  CPLDestroyXMLNode (root);
  message = es_gdal_end ();
  if (root == NULL)
    {
      g_autofree char *name = es_error_file_name (file), *reason = es_gdal_reason (message, path);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is no XML that can be read: %s"), name, reason);
      return FALSE;
    }
  /* What one among them is wrong with is said when it is opened. */
  for (guint i = 0; i < nested->len; i++)
    if (is_description (g_ptr_array_index (nested, i)))
      {
        if (depth < DEEPEST)
          search (self, g_ptr_array_index (nested, i), depth + 1, NULL);
        else
          self->more = TRUE;
      }
  return TRUE;
}

char **
es_vrt_list_sources (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Search self = { .found = found, .known = known, .cancellable = cancellable };

  if (!is_description (path))
    return NULL;
  if (!es_gdal_prepare (NULL, error) || !search (&self, path, 0, error))
    {
      g_ptr_array_set_free_func (found, g_free);
      return NULL;
    }
  if (self.more)
    g_ptr_array_add (found, g_strdup (MORE));
  g_ptr_array_add (found, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
