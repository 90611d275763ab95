/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Groups, arrays and attributes of HDF5 and netCDF. */

#include "es-file-facts-private.h"

#include <string.h>

#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"
#include "libraries/es-hdf-lock-internal.h"

#define DEEPEST 32
/* Attributes of more entries are named with their size alone. */
#define MOST_ENTRIES 5000

static char *
write_value (GDALAttributeH attribute)
{
  const guint64 n = GDALAttributeGetTotalElementsCount (attribute);
  char **texts;
  char *value;

  if (n > MOST_ENTRIES)
    return g_strdup_printf ("[%" G_GUINT64_FORMAT "]", n);
  texts = GDALAttributeReadAsStringArray (attribute);
  if (texts == NULL)
    return NULL;
  value = g_strjoinv (", ", texts);
  CSLDestroy (texts);
  return value;
}

static gboolean
add_attributes (EsFileFacts *self, const char *group, GDALAttributeH *attributes, size_t n)
{
  gboolean goes_on = TRUE;

  for (size_t i = 0; i < n && goes_on; i++)
    {
      g_autofree char *value = write_value (attributes[i]);

      goes_on = es_file_facts_add (self, group, GDALAttributeGetName (attributes[i]), value);
    }
  GDALReleaseAttributes (attributes, n);
  return goes_on;
}

static gboolean
add_array (EsFileFacts *self, const char *name, GDALMDArrayH array)
{
  GString *sizes = g_string_new (NULL);
  size_t n = 0, n_attributes = 0;
  GDALDimensionH *dimensions = GDALMDArrayGetDimensions (array, &n);
  GDALAttributeH *attributes;
  g_autofree char *text = NULL;
  const char *unit;

  for (size_t i = 0; i < n; i++)
    g_string_append_printf (sizes, "%s%s %" G_GUINT64_FORMAT, i > 0 ? " × " : "", GDALDimensionGetName (dimensions[i]),
                            (guint64) GDALDimensionGetSize (dimensions[i]));
  GDALReleaseDimensions (dimensions, n);
  text = g_string_free (sizes, FALSE);
  if (!es_file_facts_add (self, name, "size", *text != '\0' ? text : "1"))
    return FALSE;
  /* GDAL takes some attributes away from the others. */
  unit = GDALMDArrayGetUnit (array);
  if (unit != NULL && *unit != '\0' && !es_file_facts_add (self, name, "units", unit))
    return FALSE;
  attributes = GDALMDArrayGetAttributes (array, &n_attributes, NULL);
  return add_attributes (self, name, attributes, n_attributes);
}

static gboolean
add_group (EsFileFacts *self, GDALGroupH group, guint depth)
{
  const char *own = GDALGroupGetFullName (group);
  g_autofree char *path = g_strdup (own != NULL ? own : "/");
  size_t n = 0;
  GDALAttributeH *attributes = GDALGroupGetAttributes (group, &n, NULL);
  gboolean goes_on = add_attributes (self, path, attributes, n);
  char **names = goes_on ? GDALGroupGetMDArrayNames (group, NULL) : NULL;

  for (char **name = names; goes_on && name != NULL && *name != NULL; name++)
    {
      GDALMDArrayH array = GDALGroupOpenMDArray (group, *name, NULL);
      g_autofree char *full = g_strconcat (path, g_str_has_suffix (path, "/") ? "" : "/", *name, NULL);

      if (array == NULL)
        continue;
      goes_on = add_array (self, full, array);
      GDALMDArrayRelease (array);
    }
  CSLDestroy (names);
  names = goes_on && depth < DEEPEST ? GDALGroupGetGroupNames (group, NULL) : NULL;
  for (char **name = names; goes_on && name != NULL && *name != NULL; name++)
    {
      GDALGroupH inner = GDALGroupOpenGroup (group, *name, NULL);

      if (inner == NULL)
        continue;
      goes_on = add_group (self, inner, depth + 1);
      GDALGroupRelease (inner);
    }
  CSLDestroy (names);
  return goes_on;
}

gboolean
es_file_facts_mdim (EsFileFacts *self)
{
  g_autofree char *message = NULL;
  GDALDatasetH handle;
  GDALGroupH root = NULL;

  if (!es_gdal_prepare (NULL, NULL))
    return FALSE;
  es_hdf_lock ();
  es_gdal_begin ();
  handle = GDALOpenEx (self->path, GDAL_OF_MULTIDIM_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
  root = handle != NULL ? GDALDatasetGetRootGroup (handle) : NULL;
  if (root != NULL)
    {
      add_group (self, root, 0);
      GDALGroupRelease (root);
    }
  if (handle != NULL)
    GDALClose (handle);
  message = es_gdal_end ();
  es_hdf_unlock ();
  return root != NULL;
}
