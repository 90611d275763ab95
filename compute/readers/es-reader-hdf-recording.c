/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-hdf-private.h"
#include "libraries/es-hdf-lock-internal.h"

/* Groups within groups, and objects in all, that are looked through. */
#define DEEPEST 4
#define MOST_OBJECTS 1000u

#define AIAA_SAMPLES   "/MicrophoneData/microphoneDataPa"
#define AIAA_POSITIONS "/MetaData/ArrayAttributes/microphonePositionsM"

typedef struct
{
  EsReaderInput *input;
  hid_t          file;
  guint          seen;
  guint          n_found;

  /* the one chosen: the largest */
  char          *path;
  EsHdfShape     shape;
  double         rate;         /* 0: it does not say */
} Search;

/* H5Lexists () wants every step of a path to be there. */
static gboolean
is_there (hid_t file, const char *path)
{
  g_auto (GStrv) steps = g_strsplit (path + 1, "/", -1);
  g_autoptr (GString) so_far = g_string_new (NULL);

  for (char **step = steps; *step != NULL; step++)
    {
      g_string_append_printf (so_far, "/%s", *step);
      if (H5Lexists (file, so_far->str, H5P_DEFAULT) <= 0)
        return FALSE;
    }
  return TRUE;
}

/* One that a published layout names; TRUE where it is there and holds samples. */
static gboolean
take_known (Search *search, const char *path)
{
  const gboolean frames_first = FALSE;
  hid_t dataset;
  gboolean ok;

  if (!is_there (search->file, path) || (dataset = H5Dopen2 (search->file, path, H5P_DEFAULT)) < 0)
    return FALSE;
  ok = es_hdf_find_shape (dataset, &frames_first, &search->shape);
  if (ok)
    {
      search->path = g_strdup (path);
      if (!es_hdf_read_number (dataset, es_hdf_rate_names, &search->rate))
        search->rate = 0;
    }
  H5Dclose (dataset);
  return ok;
}

static gboolean
is_wanted (Search *search, const char *path)
{
  const char *wanted = search->input->options.variable;
  gsize length = strlen (path), tail = wanted != NULL ? strlen (wanted) : 0;

  return wanted == NULL || strcmp (path, wanted) == 0 ||
         (tail > 0 && length > tail && strcmp (path + length - tail, wanted) == 0 && path[length - tail - 1] == '/');
}

/* Any dataset of two axes that has a rate, or whose group has, or that a person told. */
static void
consider (Search *search, hid_t group, hid_t dataset, const char *path)
{
  EsHdfShape shape;
  double rate = 0;

  if (is_wanted (search, path) && es_hdf_find_shape (dataset, NULL, &shape) &&
      (es_hdf_read_number (dataset, es_hdf_rate_names, &rate) || es_hdf_read_number (group, es_hdf_rate_names, &rate) ||
       es_hdf_read_scalar (group, es_hdf_rate_names, &rate) || search->input->options.samples.rate > 0))
    {
      const double size = (double) shape.frames * (double) shape.channels;

      search->n_found++;
      if (search->path == NULL || size > (double) search->shape.frames * (double) search->shape.channels)
        {
          g_free (search->path);
          search->path = g_strdup (path);
          search->shape = shape;
          search->rate = rate;
        }
    }
}

static void
look_through (Search *search, hid_t group, const char *prefix, guint depth)
{
  H5G_info_t group_info;

  if (H5Gget_info (group, &group_info) < 0)
    return;
  for (hsize_t i = 0; i < group_info.nlinks && search->seen < MOST_OBJECTS; i++, search->seen++)
    {
      char name[256];
      ssize_t length = H5Lget_name_by_idx (group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
      g_autofree char *path = NULL;
      hid_t object;

      if (length <= 0 || (gsize) length >= sizeof name || (object = H5Oopen (group, name, H5P_DEFAULT)) < 0)
        continue;
      path = g_strconcat (prefix, "/", name, NULL);
      if (H5Iget_type (object) == H5I_DATASET)
        consider (search, group, object, path);
      else if (H5Iget_type (object) == H5I_GROUP && depth < DEEPEST)
        look_through (search, object, path, depth + 1);
      H5Oclose (object);
    }
}

/* n x 3 or 3 x n positions in metres; NULL where they are none, or of another number of elements. */
static EsArray *
read_positions (Search *search)
{
  const guint n = (guint) search->shape.channels;
  hid_t dataset, space;
  hsize_t lengths[2] = { 0 };
  g_autofree double *values = g_new (double, (gsize) n * 3);
  g_autofree EsElement *elements = g_new0 (EsElement, n);
  g_autoptr (GError) error = NULL;
  gboolean ok, transposed;
  EsArray *array;

  dataset = H5Dopen2 (search->file, AIAA_POSITIONS, H5P_DEFAULT);
  if (dataset < 0)
    return NULL;
  space = H5Dget_space (dataset);
  ok = space >= 0 && H5Sget_simple_extent_ndims (space) == 2 && H5Sget_simple_extent_dims (space, lengths, NULL) == 2 &&
       ((lengths[0] == n && lengths[1] == 3) || (lengths[0] == 3 && lengths[1] == n)) &&
       es_hdf_read_whole (dataset, H5T_NATIVE_DOUBLE, 2, (const guint64[]) { lengths[0], lengths[1] }, values);
  if (space >= 0)
    H5Sclose (space);
  H5Dclose (dataset);
  if (!ok)
    {
      es_reader_note (search->input, _("The positions of the microphones do not fit the %u channels and were ignored."),
                      n);
      return NULL;
    }

  transposed = lengths[1] != 3;
  for (guint i = 0; i < n; i++)
    {
      const double *p = values + (transposed ? i : 3 * i);
      const guint step = transposed ? n : 1;

      elements[i] = (EsElement) { .x = p[0], .y = p[step], .z = p[2 * step], .channel = i, .gain = 1 };
    }
  array = es_array_new (elements, n, &error);
  if (array == NULL)
    es_reader_note (search->input, _("The positions of the microphones were ignored: %s"), error->message);
  return array;
}

/* What the array benchmark's layout tells beside the samples, which are in pascal. */
static void
read_aiaa (Search *search, EsRecordingInfo *info)
{
  static const char * const names[] = { "speedOfSoundMPerS", NULL };
  g_autoptr (EsArray) array = NULL;
  hid_t group;
  double sound_speed;

  info->calibration = 1e6;
  info->format_name = g_strdup (_("HDF5 (AIAA array benchmark)"));
  if (!is_there (search->file, AIAA_POSITIONS) || search->shape.channels > 65536 ||
      (array = read_positions (search)) == NULL)
    return;
  group = is_there (search->file, "/MeasurementData") ? H5Gopen2 (search->file, "/MeasurementData", H5P_DEFAULT) : -1;
  if (group >= 0 && es_hdf_read_number (group, names, &sound_speed) && isfinite (sound_speed) && sound_speed > 0)
    info->array = es_array_with_sound_speed (array, sound_speed);
  else
    info->array = es_array_ref (array);
  if (group >= 0)
    H5Gclose (group);
}

static gboolean
find_samples (Search *search)
{
  const gboolean any = search->input->options.variable == NULL;

  if ((any || is_wanted (search, AIAA_SAMPLES)) && take_known (search, AIAA_SAMPLES))
    return TRUE;
  if ((any || is_wanted (search, "/time_data")) && take_known (search, "/time_data"))
    return TRUE;
  look_through (search, search->file, "", 0);
  return search->path != NULL;
}

static gboolean
fill_info (Search *search, EsRecordingInfo *info, GError **error)
{
  EsReaderInput *input = search->input;
  guint64 unpacked;

  if (search->rate == 0)
    search->rate = input->options.samples.rate;
  if (search->rate == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_RATE,
                   _("The samples “%s” of “%s” come without a sampling rate; it has to be given with them"),
                   search->path, input->name);
      return FALSE;
    }
  if (!es_reader_check_written (input, search->path, error))
    return FALSE;
  info->channels = (guint) MIN (search->shape.channels, G_MAXUINT);
  info->rate = search->rate;
  info->frames = search->shape.frames;
  info->type = search->shape.type;
  info->scale = search->shape.scale;
  info->type_name = g_strdup (search->shape.type_name);
  if (strcmp (search->path, AIAA_SAMPLES) == 0)
    read_aiaa (search, info);
  else
    info->format_name = g_strdup (strcmp (search->path, "/time_data") == 0 ? _("HDF5 (Acoular)") : "HDF5");
  if (search->n_found > 1 && input->options.variable == NULL)
    es_reader_note (input, _("The file holds %u sets of samples; “%s” was opened."), search->n_found, search->path);

  info->source = es_hdf_source_new (input, search->path, &search->shape, &unpacked, error);
  if (info->source != NULL && unpacked > 0)
    {
      g_autofree char *size = g_format_size_full (unpacked, G_FORMAT_SIZE_IEC_UNITS);

      es_reader_note (input, _("The samples are stored in chunks so large that every block unpacks %s: reading it is "
                               "slow."), size);
    }
  return info->source != NULL;
}

static EsDataset *
hdf_recording_open (EsReaderInput *input, GError **error)
{
  g_auto (EsRecordingInfo) info = { .calibration = NAN };
  Search search = { .input = input };
  gboolean found = FALSE, ok = FALSE;

  es_hdf_lock ();
  search.file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (search.file >= 0)
    {
      found = find_samples (&search);
      if (found)
        ok = fill_info (&search, &info, error);
      H5Fclose (search.file);
    }
  es_hdf_unlock ();
  g_free (search.path);
  /* Nothing of the kind: a cube's reader is asked next. */
  return found && ok ? (EsDataset *) es_recording_new (input->file, &info, error) : NULL;
}

static gboolean
hdf_recording_recognises (EsReaderInput *input)
{
  return es_reader_is_hdf5 (input);
}

const EsReader es_reader_hdf_recording = { hdf_recording_recognises, hdf_recording_open, &es_library_hdf5 };
