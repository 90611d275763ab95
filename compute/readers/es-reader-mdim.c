/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <cpl_string.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-gdal-internal.h"
#include "base/es-hdf-lock-internal.h"
#include "es-mdim-private.h"

#define IDLE_HANDLES 2
#define DEEPEST 8
#define MOST_CUBES 64

/* One thread's own way into the file. */
typedef struct
{
  GDALDatasetH dataset;
  GDALMDArrayH array;
} Handle;

typedef struct
{
  EsSampleSource  parent;

  char           *path, *name, *variable;
  EsHdfSamples   *hdf;           /* read instead of GDAL; nullable */
  EskType         type;
  GDALDataType    gdal_type;     /* as GDAL reads it: the same bits, though it may have a sign */
  EsMdimValid     valid;
  EsMdimShape     shape;
  gboolean        flip;
  GMutex          mutex;
  GPtrArray      *idle;          /* of Handle */
} MdimSource;

/* A variable of three axes, while one is being chosen. */
typedef struct
{
  char        *path;
  EsMdimShape  shape;
  double       samples;
} Candidate;

static void
candidate_free (Candidate *self)
{
  g_free (self->path);
  g_free (self);
}

/* These three are called with the lock of HDF held and GDAL's messages caught. */
static GDALMDArrayH
open_array (GDALDatasetH dataset, const char *path)
{
  GDALGroupH root = GDALDatasetGetRootGroup (dataset);
  GDALMDArrayH array = root != NULL ? GDALGroupOpenMDArrayFromFullname (root, path, NULL) : NULL;

  if (root != NULL)
    GDALGroupRelease (root);
  return array;
}

static void
handle_close (Handle *handle)
{
  if (handle->array != NULL)
    GDALMDArrayRelease (handle->array);
  if (handle->dataset != NULL)
    GDALClose (handle->dataset);
  g_free (handle);
}

static Handle *
handle_open (const char *path, const char *variable)
{
  Handle *handle = g_new0 (Handle, 1);

  handle->dataset = GDALOpenEx (path, GDAL_OF_MULTIDIM_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
  if (handle->dataset != NULL)
    handle->array = open_array (handle->dataset, variable);
  if (handle->array != NULL)
    return handle;
  handle_close (handle);
  return NULL;
}

static void
begin (void)
{
  es_hdf_lock ();
  es_gdal_begin ();
}

static char *
end (void)
{
  char *message = es_gdal_end ();

  es_hdf_unlock ();
  return message;
}

static void
set_read_error (MdimSource *self, const char *message, GError **error)
{
  g_autofree char *reason = NULL;

  if (self->hdf != NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("The samples “%s” of “%s” cannot be read: they are damaged, cut short or packed in a way that is "
                     "not known here"), self->variable, self->name);
      return;
    }
  reason = es_gdal_reason (message, self->path);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be read: %s"), self->name, reason);
}

static gpointer
mdim_handle_new (EsSampleSource *source, GError **error)
{
  MdimSource *self = (MdimSource *) source;
  g_autofree char *message = NULL;
  Handle *handle = NULL;

  g_mutex_lock (&self->mutex);
  if (self->idle->len > 0)
    handle = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  g_mutex_unlock (&self->mutex);
  if (handle != NULL)
    return handle;
  /* One way into the file for all threads, which share its cache. */
  if (self->hdf != NULL)
    return g_new0 (Handle, 1);

  begin ();
  handle = handle_open (self->path, self->variable);
  message = end ();
  if (handle == NULL)
    set_read_error (self, message, error);
  return handle;
}

static void
mdim_handle_free (EsSampleSource *source, gpointer handle)
{
  MdimSource *self = (MdimSource *) source;
  gboolean kept;

  g_mutex_lock (&self->mutex);
  kept = self->idle->len < IDLE_HANDLES;
  if (kept)
    g_ptr_array_add (self->idle, handle);
  g_mutex_unlock (&self->mutex);
  if (!kept)
    {
      begin ();
      handle_close (handle);
      g_free (end ());
    }
}

static gboolean
read_by_gdal (MdimSource *self, Handle *handle, const guint64 *start, const guint64 *count, size_t bytes, void *buffer,
              char **message)
{
  GUInt64 first[16];
  size_t lengths[16];
  GDALExtendedDataTypeH type;
  gboolean ok;

  for (size_t i = 0; i < self->shape.n_axes; i++)
    {
      first[i] = start[i];
      lengths[i] = count[i];
    }
  begin ();
  /* HDF5 leaves as it was what nobody has written and nobody has said a value for. */
  memset (buffer, 0, bytes);
  type = GDALExtendedDataTypeCreate (self->gdal_type);
  ok = GDALMDArrayRead (handle->array, first, lengths, NULL, NULL, type, buffer, buffer, bytes);
  GDALExtendedDataTypeRelease (type);
  *message = end ();
  return ok;
}

/* Reads bands first .. first + bands - 1 in the file's own order of axes; the tile's strides say what that
 * is. */
static gboolean
read_bands (MdimSource *self, Handle *handle, const EsCubeWindow *window, guint64 first, guint64 bands,
            void *buffer, EskTile *tile, GError **error)
{
  const EsMdimShape *shape = &self->shape;
  guint64 y = self->flip ? shape->length[ES_AXIS_ROW] - window->y - window->height : window->y;
  guint64 start[16] = { 0 }, count[16];
  size_t bytes = esk_type_size (self->type), stride = 1;
  ptrdiff_t strides[16];
  g_autofree char *message = NULL;
  gboolean ok;

  for (size_t i = 0; i < shape->n_axes; i++)
    count[i] = 1;
  start[shape->axis[ES_AXIS_COLUMN]] = window->x;
  count[shape->axis[ES_AXIS_COLUMN]] = window->width;
  start[shape->axis[ES_AXIS_ROW]] = y;
  count[shape->axis[ES_AXIS_ROW]] = window->height;
  start[shape->axis[ES_AXIS_BAND]] = first;
  count[shape->axis[ES_AXIS_BAND]] = bands;
  for (size_t i = shape->n_axes; i-- > 0; stride *= count[i])
    strides[i] = (ptrdiff_t) stride;

  ok = self->hdf != NULL ? es_hdf_samples_read (self->hdf, start, count, buffer)
                         : read_by_gdal (self, handle, start, count, stride * bytes, buffer, &message);
  if (!ok)
    {
      set_read_error (self, message, error);
      return FALSE;
    }

  *tile = (EskTile) {
    .data = buffer, .type = self->type, .width = window->width, .height = window->height, .bands = bands,
    .column_stride = strides[shape->axis[ES_AXIS_COLUMN]],
    .row_stride = strides[shape->axis[ES_AXIS_ROW]],
    .band_stride = strides[shape->axis[ES_AXIS_BAND]],
  };
  if (self->flip)
    {
      tile->data = (const guint8 *) buffer + (window->height - 1) * (gsize) tile->row_stride * bytes;
      tile->row_stride = -tile->row_stride;
    }
  return TRUE;
}

static gboolean
mdim_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
           GError **error)
{
  MdimSource *self = (MdimSource *) source;

  return read_bands (self, handle, window, 0, self->shape.length[ES_AXIS_BAND], buffer, tile, error);
}

static gboolean
mdim_read_band (EsSampleSource *source, gpointer handle, guint band, const EsCubeWindow *window, void *buffer,
                EskTile *tile, GError **error)
{
  return read_bands ((MdimSource *) source, handle, window, band, 1, buffer, tile, error);
}

static gboolean
mdim_read_mask (EsSampleSource *source, gpointer handle, const guint32 *bands, gsize n, const EsCubeWindow *window,
                guint8 *mask, GError **error)
{
  MdimSource *self = (MdimSource *) source;
  g_autofree guint8 *buffer = g_malloc_n (window->width * window->height, esk_type_size (self->type));

  for (gsize i = 0; i < n; i++)
    {
      EskTile tile;

      if (!read_bands (self, handle, window, bands[i], 1, buffer, &tile, error))
        return FALSE;
      es_mdim_mask_invalid (&self->valid, &tile, mask);
    }
  return TRUE;
}

static void
mdim_free (EsSampleSource *source)
{
  MdimSource *self = (MdimSource *) source;

  begin ();
  for (guint i = 0; i < self->idle->len; i++)
    handle_close (g_ptr_array_index (self->idle, i));
  es_hdf_samples_free (self->hdf);
  g_free (end ());
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->mutex);
  g_free (self->path);
  g_free (self->name);
  g_free (self->variable);
  g_free (self);
}

static EsSampleSource *
mdim_source_new (EsReaderInput *input, const Candidate *chosen, const char *hdf_path, GDALMDArrayH array,
                 GDALDataType gdal_type, EskType type, gboolean flip)
{
  MdimSource *self = g_new0 (MdimSource, 1);
  size_t n = 0;
  GUInt64 *block = GDALMDArrayGetBlockSize (array, &n);

  self->parent = (EsSampleSource) {
    .handle_new = mdim_handle_new, .handle_free = mdim_handle_free,
    .read = mdim_read, .read_band = mdim_read_band, .free = mdim_free,
    .block_width = 1, .block_height = 1,
  };
  if (block != NULL && n == chosen->shape.n_axes)
    {
      self->parent.block_width = MAX (1, block[chosen->shape.axis[ES_AXIS_COLUMN]]);
      self->parent.block_height = MAX (1, block[chosen->shape.axis[ES_AXIS_ROW]]);
    }
  CPLFree (block);
  self->path = g_strdup (input->path);
  self->name = g_strdup (input->name);
  self->variable = g_strdup (chosen->path);
  self->hdf = es_mdim_hdf_new (input, hdf_path, &chosen->shape, type);
  self->parent.unpacked = self->hdf != NULL ? es_hdf_samples_get_least (self->hdf) : 0;
  self->type = type;
  /* Where it has the size of what is wanted. */
  self->gdal_type = GDALGetDataTypeSizeBytes (gdal_type) == (int) esk_type_size (type) ? gdal_type
                                                                                       : es_gdal_type_of (type);
  es_mdim_read_valid (input, array, type, &self->valid);
  if (es_mdim_valid_is_any (&self->valid))
    {
      self->parent.read_mask = mdim_read_mask;
      self->parent.mask_by_band = TRUE;
    }
  self->shape = chosen->shape;
  self->flip = flip;
  g_mutex_init (&self->mutex);
  self->idle = g_ptr_array_new ();
  return &self->parent;
}

/* looked: groups and arrays so far. */
static void
collect (EsReaderInput *input, GDALGroupH group, guint depth, GPtrArray *vectors, GPtrArray *candidates, guint *looked)
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
        {
          Candidate *candidate = g_new0 (Candidate, 1);

          candidate->path = g_strdup (GDALMDArrayGetFullName (array));
          candidate->shape = shape;
          candidate->samples = (double) shape.length[0] * (double) shape.length[1] * (double) shape.length[2];
          g_ptr_array_add (candidates, candidate);
        }
      GDALMDArrayRelease (array);
    }
  CSLDestroy (names);

  names = depth < DEEPEST ? GDALGroupGetGroupNames (group, NULL) : NULL;
  for (char **name = names; name != NULL && *name != NULL && es_mdim_goes_on (input, looked); name++)
    {
      GDALGroupH child = GDALGroupOpenGroup (group, *name, NULL);

      if (child != NULL)
        {
          collect (input, child, depth + 1, vectors, candidates, looked);
          GDALGroupRelease (child);
        }
    }
  CSLDestroy (names);
}

/* "reflectance", "/reflectance" or "group/reflectance". */
static gboolean
answers_to (const Candidate *candidate, const char *wanted)
{
  gsize length = strlen (candidate->path), tail = strlen (wanted);

  if (strcmp (candidate->path, wanted) == 0)
    return TRUE;
  return tail > 0 && length > tail && strcmp (candidate->path + length - tail, wanted) == 0 &&
         candidate->path[length - tail - 1] == '/';
}

static char *
list_names (GPtrArray *candidates)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < candidates->len && i < 12; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            ((Candidate *) g_ptr_array_index (candidates, i))->path);
  if (candidates->len > 12)
    g_string_append (names, " …");
  return g_string_free (names, FALSE);
}

static const Candidate *
choose (EsReaderInput *input, GPtrArray *candidates, GError **error)
{
  const Candidate *best = NULL;
  g_autofree char *names = list_names (candidates);

  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = g_ptr_array_index (candidates, i);

      if (input->options.variable != NULL && !answers_to (candidate, input->options.variable))
        continue;
      if (best == NULL || candidate->samples > best->samples)
        best = candidate;
    }
  if (best == NULL && candidates->len > 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” has no cube “%s”; it holds %s"), input->name, input->options.variable, names);
  else if (best != NULL && candidates->len > 1 && input->options.variable == NULL)
    es_reader_note (input, _("The file holds %u cubes (%s); %s was opened."), candidates->len, names,
                    best->path);
  return best;
}

static gboolean
fill_info (EsReaderInput *input, GDALDatasetH dataset, EsCubeInfo *info, GError **error)
{
  GDALGroupH root = GDALDatasetGetRootGroup (dataset);
  g_autoptr (GPtrArray) vectors = NULL;
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func ((GDestroyNotify) candidate_free);
  const Candidate *chosen;
  g_autofree char *hdf_path = NULL;
  GDALMDArrayH array = NULL;
  guint looked = 0;

  if (root == NULL)
    return FALSE;
  vectors = es_mdim_list_vectors (input, root);
  collect (input, root, 0, vectors, candidates, &looked);
  chosen = choose (input, candidates, error);
  if (chosen != NULL)
    hdf_path = es_reader_is_hdf5 (input) ? es_mdim_hdf_find_path (input, chosen->path) : g_strdup (chosen->path);
  if (chosen != NULL && es_reader_check_written (input, hdf_path, error))
    array = open_array (dataset, chosen->path);
  if (array != NULL)
    {
      GDALExtendedDataTypeH type = GDALMDArrayGetDataType (array);
      const GDALDataType gdal_type = GDALExtendedDataTypeGetNumericDataType (type);
      gboolean flip;

      es_gdal_type (gdal_type, &info->type);
      GDALExtendedDataTypeRelease (type);
      if (es_mdim_is_unsigned (array))
        info->type = es_mdim_without_sign (input, hdf_path, info->type);
      info->width = chosen->shape.length[ES_AXIS_COLUMN];
      info->height = chosen->shape.length[ES_AXIS_ROW];
      info->bands = (guint) MIN (chosen->shape.length[ES_AXIS_BAND], 65536);
      info->format_name = g_strdup (GDALGetDriverShortName (GDALGetDatasetDriver (dataset)));
      es_mdim_read_metadata (input, root, array, vectors, &chosen->shape, info, &flip);
      info->source = mdim_source_new (input, chosen, hdf_path, array, gdal_type, info->type, flip);
      if (chosen->shape.guessed)
        es_reader_note (input, _("The file does not say which axis is spectral; the one of length %u was "
                                 "taken."), info->bands);
      GDALMDArrayRelease (array);
    }
  GDALGroupRelease (root);
  return array != NULL;
}

static gboolean
mdim_recognises (EsReaderInput *input)
{
  return es_reader_is_hdf5 (input) || es_reader_is_netcdf3 (input);
}

static EsDataset *
mdim_open (EsReaderInput *input, GError **error)
{
  g_auto (EsCubeInfo) info = { .default_bands = { -1, -1, -1 } };
  g_autofree char *message = NULL;
  GDALDatasetH dataset;
  gboolean found = FALSE;
  GError *failure = NULL;

  es_gdal_prepare ();
  begin ();
  dataset = GDALOpenEx (input->path, GDAL_OF_MULTIDIM_RASTER | GDAL_OF_VERBOSE_ERROR, NULL, NULL, NULL);
  if (dataset != NULL)
    {
      found = fill_info (input, dataset, &info, &failure);
      GDALClose (dataset);
    }
  message = end ();

  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return NULL;
    }
  /* The lock is free again: the cube samples itself. Without a cube the plain raster view gets its chance. */
  return found ? (EsDataset *) es_cube_new (input->file, &info, error) : NULL;
}

const EsReader es_reader_mdim = { mdim_recognises, mdim_open };
