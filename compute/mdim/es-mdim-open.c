/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which of the arrays of an HDF5 or netCDF file are cubes, and the one of them that is opened. */

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-mdim-internal.h"
#include "es-mdim-private.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define DEEPEST 8
#define MOST_CUBES 64

static void
candidate_free (gpointer data)
{
  g_free (((EsMdimCandidate *) data)->path);
  g_free (data);
}

static void
places_clear (EsMdimPlaces *places)
{
  g_free (places->latitude);
  g_free (places->longitude);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsMdimPlaces, places_clear)

static EskType
type_of (GDALMDArrayH array, GDALDataType *gdal_type)
{
  GDALExtendedDataTypeH type = GDALMDArrayGetDataType (array);
  EskType code = ESK_F64;

  *gdal_type = GDALExtendedDataTypeGetNumericDataType (type);
  es_gdal_type (*gdal_type, &code);
  GDALExtendedDataTypeRelease (type);
  return code;
}

static void
add_candidate (EsReaderInput *input, GDALMDArrayH array, const EsMdimShape *shape, GPtrArray *candidates)
{
  EsMdimCandidate *candidate = g_new0 (EsMdimCandidate, 1);
  GDALDataType gdal_type;

  candidate->path = g_strdup (GDALMDArrayGetFullName (array));
  candidate->shape = *shape;
  g_ptr_array_add (candidates, candidate);
  es_reader_add_array (input, es_file_array_new (candidate->path, shape->length[ES_AXIS_COLUMN],
                                                 shape->length[ES_AXIS_ROW],
                                                 (guint) MIN (shape->length[ES_AXIS_BAND], 65536),
                                                 esk_type_name (type_of (array, &gdal_type)), shape->wavelengths));
}

/* looked: groups and arrays so far. */
static void
collect (EsReaderInput *input, GDALGroupH group, guint depth, GPtrArray *vectors, GPtrArray *candidates,
         EsMdimPlaces *places, guint *looked)
{
  char **names = GDALGroupGetMDArrayNames (group, NULL);

  for (char **name = names; name != NULL && *name != NULL && candidates->len < MOST_CUBES &&
                            es_mdim_goes_on (input, looked); name++)
    {
      GDALMDArrayH array = GDALGroupOpenMDArray (group, *name, NULL);
      EsMdimShape shape;

      if (array == NULL)
        continue;
      if (es_mdim_find_shape (array, vectors, &shape))
        add_candidate (input, array, &shape, candidates);
      else
        es_mdim_note_places (array, places);
      GDALMDArrayRelease (array);
    }
  CSLDestroy (names);

  names = depth < DEEPEST ? GDALGroupGetGroupNames (group, NULL) : NULL;
  for (char **name = names; name != NULL && *name != NULL && es_mdim_goes_on (input, looked); name++)
    {
      GDALGroupH child = GDALGroupOpenGroup (group, *name, NULL);

      if (child != NULL)
        {
          collect (input, child, depth + 1, vectors, candidates, places, looked);
          GDALGroupRelease (child);
        }
    }
  CSLDestroy (names);
}

static char *
list_names (GPtrArray *arrays)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < arrays->len && i < 12; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", ((EsFileArray *) g_ptr_array_index (arrays, i))->name);
  if (arrays->len > 12)
    g_string_append (names, " …");
  return g_string_free (names, FALSE);
}

/* The index; -1: there is none, with a sentence where one was named. */
static int
choose (EsReaderInput *input, GError **error)
{
  g_autofree char *names = list_names (input->arrays);
  int chosen;

  if (input->arrays->len == 0)
    return -1;
  chosen = (int) es_file_arrays_choose (input->arrays);
  if (input->options.variable != NULL && (chosen = es_file_arrays_find (input->arrays, input->options.variable)) < 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” has no cube “%s”; it holds %s"), input->name, input->options.variable, names);
  else if (input->arrays->len > 1 && input->options.variable == NULL)
    es_reader_note (input, _("The file holds %u cubes (%s); %s was opened."), input->arrays->len, names,
                    ((EsFileArray *) g_ptr_array_index (input->arrays, chosen))->name);
  if (chosen >= 0)
    ((EsFileArray *) g_ptr_array_index (input->arrays, chosen))->open = TRUE;
  return chosen;
}

char *
es_mdim_find_hdf_path (EsReaderInput *input, const char *path)
{
  return es_reader_is_hdf5 (input) ? es_mdim_hdf_find_path (input, path) : g_strdup (path);
}

EsSampleSource *
es_mdim_open_samples (EsReaderInput *input, GDALDatasetH dataset, const char *path, const EsMdimShape *shape,
                      EskType *type, GError **error)
{
  g_autofree char *hdf_path = es_mdim_find_hdf_path (input, path);
  EsSampleSource *source;
  GDALDataType gdal_type;
  GDALMDArrayH array;

  if (!es_reader_check_written (input, hdf_path, error) || (array = es_mdim_open_array (dataset, path)) == NULL)
    return NULL;
  *type = type_of (array, &gdal_type);
  source = es_mdim_source_new (input, path, shape, hdf_path, array, gdal_type, *type, FALSE);
  GDALMDArrayRelease (array);
  return source;
}

static gboolean
fill_plain (EsReaderInput *input, GDALDatasetH dataset, GDALGroupH root, GPtrArray *vectors,
            const EsMdimCandidate *chosen, const EsMdimPlaces *places, EsCubeInfo *info, GError **error)
{
  g_autofree char *hdf_path = es_mdim_find_hdf_path (input, chosen->path);
  GDALMDArrayH array = NULL;
  GDALDataType gdal_type;
  gboolean flip;

  if (!es_reader_check_written (input, hdf_path, error) || (array = es_mdim_open_array (dataset, chosen->path)) == NULL)
    return FALSE;
  info->type = type_of (array, &gdal_type);
  if (es_mdim_is_unsigned (array))
    info->type = es_mdim_without_sign (input, hdf_path, info->type);
  info->width = chosen->shape.length[ES_AXIS_COLUMN];
  info->height = chosen->shape.length[ES_AXIS_ROW];
  info->bands = (guint) MIN (chosen->shape.length[ES_AXIS_BAND], 65536);
  info->format_name = g_strdup (GDALGetDriverShortName (GDALGetDatasetDriver (dataset)));
  es_mdim_read_metadata (input, root, array, vectors, &chosen->shape, places, info, &flip);
  info->source = es_mdim_source_new (input, chosen->path, &chosen->shape, hdf_path, array, gdal_type, info->type,
                                     flip);
  if (chosen->shape.guessed)
    es_reader_note (input, _("The file does not say which axis is spectral; the one of length %u was "
                             "taken."), info->bands);
  GDALMDArrayRelease (array);
  return TRUE;
}

static gboolean
fill_info (EsReaderInput *input, GDALDatasetH dataset, EsCubeInfo *info, GError **error)
{
  GDALGroupH root = GDALDatasetGetRootGroup (dataset);
  g_autoptr (GPtrArray) vectors = NULL;
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (candidate_free);
  g_auto (EsMdimPlaces) places = { 0 };
  gboolean filled = FALSE, is_product;
  GError *failure = NULL;
  guint looked = 0;
  int chosen;

  if (root == NULL)
    return FALSE;
  vectors = es_mdim_list_vectors (input, root);
  collect (input, root, 0, vectors, candidates, &places, &looked);
  is_product = es_mdim_prisma_is (candidates);
  if (is_product)
    filled = es_mdim_prisma_fill (input, dataset, root, candidates, info, &failure);
  if (is_product && !filled && failure == NULL)
    {
      /* Lists of another number of bands, perhaps; there are no samples yet, which this lock is no place to free in. */
      es_cube_info_clear (info);
      *info = (EsCubeInfo) { .default_bands = { -1, -1, -1 } };
    }
  if (!filled && failure == NULL && (chosen = choose (input, &failure)) >= 0)
    filled = fill_plain (input, dataset, root, vectors, g_ptr_array_index (candidates, chosen), &places, info,
                         &failure);
  GDALGroupRelease (root);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return filled;
}

EsCube *
es_mdim_open (EsReaderInput *input, GError **error)
{
  g_auto (EsCubeInfo) info = { .default_bands = { -1, -1, -1 } };
  GDALDatasetH dataset;
  gboolean found = FALSE;
  GError *failure = NULL;

  if (!es_gdal_prepare (input->name, error) || (input->store && !es_gdal_allow_driver ("Zarr", error)))
    return NULL;
  es_mdim_begin ();
  dataset = es_mdim_open_dataset (input->path);
  if (dataset != NULL)
    {
      found = fill_info (input, dataset, &info, &failure);
      GDALClose (dataset);
    }
  g_free (es_mdim_end ());

  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return NULL;
    }
  /* The lock is free again: the cube samples itself. Without a cube the plain raster view gets its chance. */
  if (!found)
    g_ptr_array_set_size (input->arrays, 0);
  return found ? es_cube_new (input->file, &info, error) : NULL;
}
