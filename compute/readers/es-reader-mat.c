/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-memory-internal.h"
#include "claims/es-claim-mat5-internal.h"
#include "es-mat-recording-private.h"
#include "libraries/es-hdf-lock-internal.h"
#include "libraries/es-matio-library-internal.h"

/* So many arrays a message lists. */
#define MOST_NAMED 12u
/* And a list of what the file holds. */
#define MOST_LISTED 64u

typedef struct
{
  mat_t    *file;
  matvar_t *cube;              /* what was chosen; without data at first */
  matvar_t *vector;            /* the longest: a recording of one channel, where there is nothing larger */
  guint     n_cubes, n_planes; /* arrays of three and of two axes that could be one */
  guint     n_named;
  guint64   n_samples;
  char     *plane;             /* description of the largest plane, for the message */
  GString  *names;
} Search;

/* Where an array of MATLAB's (first axis fastest) has its pixels and bands. */
typedef struct
{
  guint64   width, height, bands;
  ptrdiff_t column_stride, row_stride, band_stride;
} Shape;

static gboolean
count_samples (const matvar_t *variable, guint64 *samples)
{
  *samples = 1;
  for (int i = 0; i < variable->rank; i++)
    if (__builtin_mul_overflow (*samples, (guint64) variable->dims[i], samples))
      return FALSE;
  return *samples > 0 && *samples <= G_MAXINT64 / 8;
}

static void
mute (int level, char *message)
{
}

static void
consider_vector (Search *search, const char *wanted, matvar_t *variable, guint64 samples)
{
  matvar_t *shorter = variable;

  if (samples > 1 && (wanted == NULL || strcmp (wanted, variable->name) == 0) &&
      (search->vector == NULL || samples > MAX (search->vector->dims[0], search->vector->dims[1])))
    {
      shorter = search->vector;
      search->vector = variable;
    }
  if (shorter != NULL)
    Mat_VarFree (shorter);
}

static void
consider (Search *search, EsReaderInput *input, matvar_t *variable)
{
  const char *wanted = input->options.variable;
  EskType type;
  guint64 samples;
  gboolean plane;

  /* MATLAB's names are identifiers; what is not even text was never one, and nobody could ask for it. */
  if (variable->name == NULL || !g_utf8_validate (variable->name, -1, NULL) || !es_mat_get_type (variable, &type)
      || !count_samples (variable, &samples) || (variable->rank != 3 && variable->rank != 2))
    {
      Mat_VarFree (variable);
      return;
    }
  plane = variable->rank == 2;
  if (plane && (variable->dims[0] < 2 || variable->dims[1] < 2))
    {
      consider_vector (search, wanted, variable, samples);
      return;
    }
  if (search->n_named++ < MOST_NAMED)
    g_string_append_printf (search->names, "%s%s", search->names->len > 0 ? ", " : "", variable->name);
  else if (search->n_named == MOST_NAMED + 1)
    g_string_append (search->names, " …");
  if (!plane && search->n_named <= MOST_LISTED)
    es_reader_add_array (input, es_file_array_new (variable->name, variable->dims[1], variable->dims[0],
                                                   (guint) MIN (variable->dims[2], 65536), esk_type_name (type),
                                                   FALSE));
  if (wanted != NULL && strcmp (wanted, variable->name) != 0)
    {
      Mat_VarFree (variable);
      return;
    }

  search->n_cubes += !plane;
  search->n_planes += plane;
  /* Any cube goes before every plane; among equals the largest. */
  if (search->cube == NULL || (search->cube->rank == 2 && !plane) ||
      ((search->cube->rank == 2) == plane && samples > search->n_samples))
    {
      if (search->cube != NULL)
        Mat_VarFree (search->cube);
      search->cube = variable;
      search->n_samples = samples;
    }
  else
    Mat_VarFree (variable);
}

/* A number that the file keeps beside the array ("nRow"), or 0. */
static guint64
find_number (EsReaderInput *input, mat_t *file, const char * const *names)
{
  for (guint i = 0; names[i] != NULL && !g_cancellable_is_cancelled (input->cancellable); i++)
    {
      matvar_t *variable = Mat_VarReadInfo (file, names[i]);
      guint64 samples;
      double value = 0;

      if (variable == NULL)
        continue;
      if (count_samples (variable, &samples) && samples == 1 && !variable->isComplex &&
          es_mat_read_data (input, file, variable))
        switch (variable->class_type)
          {
          case MAT_C_DOUBLE: value = *(double *) variable->data; break;
          case MAT_C_UINT8:  value = *(guint8 *) variable->data; break;
          case MAT_C_UINT16: value = *(guint16 *) variable->data; break;
          case MAT_C_INT32:  value = *(gint32 *) variable->data; break;
          default: break;
          }
      Mat_VarFree (variable);
      if (value >= 1 && value <= G_MAXINT32)
        return (guint64) value;
    }
  return 0;
}

static gboolean
shape_of_plane (EsReaderInput *input, Search *search, Shape *shape, GError **error)
{
  static const char * const row_names[] = {
    "nRow", "nRows", "nrow", "nrows", "rows", "height", "lines", NULL,
  };
  static const char * const column_names[] = {
    "nCol", "nCols", "ncol", "ncols", "cols", "columns", "width", "samples", NULL,
  };
  guint64 first = search->cube->dims[0], second = search->cube->dims[1], pixels;

  shape->width = input->options.width > 0 ? (guint64) input->options.width
                                          : find_number (input, search->file, column_names);
  shape->height = input->options.height > 0 ? (guint64) input->options.height
                                            : find_number (input, search->file, row_names);
  g_autofree char *found = g_strdup_printf ("%" G_GUINT64_FORMAT " × %" G_GUINT64_FORMAT, first, second);

  if (shape->width == 0 || shape->height == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("The array “%s” in “%s” is %s (pixels × bands, or frames × channels); the width and the height "
                     "of an image, or the sampling rate of a recording, have to be given with it"),
                   search->cube->name, input->name, found);
      return FALSE;
    }
  if (__builtin_mul_overflow (shape->width, shape->height, &pixels) || (pixels != first && pixels != second))
    {
      g_autofree char *given = g_strdup_printf ("%" G_GUINT64_FORMAT " × %" G_GUINT64_FORMAT, shape->width,
                                                shape->height);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("The array “%s” in “%s” is %s (pixels × bands), which an image of %s pixels does not "
                     "fit"), search->cube->name, input->name, found, given);
      return FALSE;
    }

  /* As MATLAB's reshape unrolls an image: down the columns. */
  if (pixels == first)
    {
      shape->bands = second;
      shape->row_stride = 1;
      shape->column_stride = (ptrdiff_t) shape->height;
      shape->band_stride = (ptrdiff_t) pixels;
    }
  else
    {
      shape->bands = first;
      shape->row_stride = (ptrdiff_t) first;
      shape->column_stride = (ptrdiff_t) (first * shape->height);
      shape->band_stride = 1;
    }
  return TRUE;
}

static gboolean
find_shape (EsReaderInput *input, Search *search, Shape *shape, GError **error)
{
  const size_t *dims = search->cube->dims;

  if (search->cube->rank == 2)
    return shape_of_plane (input, search, shape, error);
  shape->height = dims[0];
  shape->width = dims[1];
  shape->bands = dims[2];
  shape->row_stride = 1;
  shape->column_stride = (ptrdiff_t) dims[0];
  shape->band_stride = (ptrdiff_t) (dims[0] * dims[1]);
  return TRUE;
}

/* A vector of this length whose name, letter case aside, is one of these. */
static double *
find_vector (EsReaderInput *input, const char * const *names, guint64 length)
{
  mat_t *file = Mat_Open (input->path, MAT_ACC_RDONLY);
  double *values = NULL;
  matvar_t *variable;

  if (file == NULL)
    return NULL;
  while (values == NULL && !g_cancellable_is_cancelled (input->cancellable) &&
         (variable = Mat_VarReadNextInfo (file)) != NULL)
    {
      g_autofree char *name = g_ascii_strdown (variable->name != NULL ? variable->name : "", -1);
      guint64 samples;

      if (g_strv_contains (names, name) && variable->rank == 2 && !variable->isComplex &&
          (variable->class_type == MAT_C_DOUBLE || variable->class_type == MAT_C_SINGLE) &&
          count_samples (variable, &samples) && samples == length &&
          MAX (variable->dims[0], variable->dims[1]) == length &&
          es_mat_read_data (input, file, variable))
        {
          values = g_new (double, length);
          for (guint64 i = 0; i < length; i++)
            values[i] = variable->class_type == MAT_C_DOUBLE ? ((double *) variable->data)[i]
                                                             : (double) ((float *) variable->data)[i];
        }
      Mat_VarFree (variable);
    }
  Mat_Close (file);
  return values;
}

gboolean
es_mat_check_memory (EsReaderInput *input, guint64 bytes, GError **error)
{
  const guint64 memory = es_memory_total ();

  if (bytes > memory / 5 * 4)
    {
      g_autofree char *wanted = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *present = g_format_size_full (memory, G_FORMAT_SIZE_IEC_UNITS);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("The array in “%s” takes %s, and this machine has %s of memory; ENVI or HDF5 files are "
                     "read piece by piece"), input->name, wanted, present);
      return FALSE;
    }
  return TRUE;
}

static const char * const wavelength_names[] = {
  "wavelength", "wavelengths", "lambda", "wl", "wvl", "wave", "wavelength_nm", NULL,
};

static void
read_spectral (EsReaderInput *input, EsCubeInfo *info)
{
  static const char * const width_names[] = { "fwhm", "bandwidth", "bandwidths", NULL };
  static const char * const flag_names[] = { "bbl", "good_bands", NULL };
  double *flags = find_vector (input, flag_names, info->bands);

  info->wavelengths = find_vector (input, wavelength_names, info->bands);
  info->fwhm = find_vector (input, width_names, info->bands);
  info->good_bands = es_reader_take_flags (input, flags, info->bands, info->bands, "bbl");
}

/* The largest opens by itself; which of them have wavelengths is looked up where there are several. */
static void
settle_arrays (EsReaderInput *input, const char *open)
{
  GPtrArray *arrays = input->arrays;

  es_file_arrays_choose (arrays);
  for (guint i = 0; i < arrays->len; i++)
    {
      EsFileArray *array = g_ptr_array_index (arrays, i);
      g_autofree double *found = arrays->len > 1 ? find_vector (input, wavelength_names, array->bands) : NULL;

      array->wavelengths = found != NULL;
      array->open = strcmp (array->name, open) == 0;
    }
}

static gboolean
load (EsReaderInput *input, Search *search, EsCubeInfo *info, GError **error)
{
  matvar_t *variable = search->cube;
  Shape shape;
  EskType type = ESK_F64;

  es_mat_get_type (variable, &type);
  if (!find_shape (input, search, &shape, error) ||
      !es_mat_check_memory (input, search->n_samples * esk_type_size (type), error))
    return FALSE;
  if (shape.bands > 65535)
    {
      g_autofree char *found = g_strdup_printf ("%" G_GUINT64_FORMAT, shape.bands);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("The array “%s” in “%s” has %s bands; at most 65535 were expected"),
                   variable->name, input->name, found);
      return FALSE;
    }
  if (Mat_GetVersion (search->file) == MAT_FT_MAT73)
    {
      g_autofree char *path = g_strconcat ("/", variable->name, NULL);

      if (!es_reader_check_written (input, path, error))
        return FALSE;
    }
  if (!es_mat_read_data (input, search->file, variable) ||
      (guint64) variable->nbytes < search->n_samples * esk_type_size (type))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("The array “%s” in “%s” cannot be read: the file is damaged or cut short"),
                   variable->name, input->name);
      return FALSE;
    }

  info->width = shape.width;
  info->height = shape.height;
  info->bands = (guint) shape.bands;
  info->type = type;
  info->format_name = g_strdup ("MATLAB");
  read_spectral (input, info);
  settle_arrays (input, variable->name);
  if (search->n_cubes + search->n_planes > 1 && input->options.variable == NULL)
    es_reader_note (input, _("The file holds several arrays (%s); %s was opened."), search->names->str,
                    variable->name);
  info->source = es_memory_source_new (variable->data, type, shape.column_stride, shape.row_stride,
                                       shape.band_stride, info->bands, variable,
                                       (GDestroyNotify) Mat_VarFree);
  search->cube = NULL;
  return TRUE;
}

/* A plane, or a mere vector, whose rate is known is a recording, but where a person told the shape of an image. */
static matvar_t *
take_recording (EsReaderInput *input, Search *search, double *rate)
{
  matvar_t **chosen = search->cube != NULL ? &search->cube : &search->vector;

  if (*chosen == NULL || (*chosen)->rank != 2 || input->options.width > 0 || input->options.height > 0)
    return NULL;
  *rate = es_mat_find_rate (input, search->file);
  if (*rate == 0)
    *rate = input->options.samples.rate;
  return *rate > 0 ? g_steal_pointer (chosen) : NULL;
}

static gboolean
search_and_load (EsReaderInput *input, EsCubeInfo *info, EsRecordingInfo *recording, GError **error)
{
  Search search = { .names = g_string_new (NULL) };
  gboolean ok = FALSE;
  matvar_t *samples;
  double rate;
  matvar_t *variable;

  search.file = Mat_Open (input->path, MAT_ACC_RDONLY);
  if (search.file == NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not a MATLAB file that can be read"),
                 input->name);
  else
    {
      while (!g_cancellable_is_cancelled (input->cancellable) &&
             (variable = Mat_VarReadNextInfo (search.file)) != NULL)
        consider (&search, input, variable);
      if ((samples = take_recording (input, &search, &rate)) != NULL)
        ok = es_mat_load_recording (input, search.file, samples, rate, recording, error);
      else if (search.cube != NULL)
        ok = load (input, &search, info, error);
      else if (search.names->len > 0 && input->options.variable != NULL)
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” has no cube “%s”; it holds %s"),
                     input->name, input->options.variable, search.names->str);
      else
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("“%s” holds no array of real numbers with three axes (rows × columns × bands) or two "
                       "(pixels × bands, or frames × channels with a sampling rate)"), input->name);
      if (search.cube != NULL)
        Mat_VarFree (search.cube);
      if (search.vector != NULL)
        Mat_VarFree (search.vector);
      Mat_Close (search.file);
    }
  g_string_free (search.names, TRUE);
  return ok;
}

/* The number that matio goes by, whatever the words before it say: VERSION_5, VERSION_7_3. */
#define VERSION_5   0x0100
#define VERSION_7_3 0x0200
static guint
version_of (const EsReaderInput *input)
{
  const guint8 *number = input->head + 124, *mark = input->head + 126;

  if (input->head_length < 128 || (memcmp (mark, "IM", 2) != 0 && memcmp (mark, "MI", 2) != 0))
    return 0;
  return mark[0] == 'I' ? number[0] | (guint) number[1] << 8 : number[1] | (guint) number[0] << 8;
}

/* What matio would believe: that the arrays lie inside the file, and how they are nested. *copy: what is to be read
 * instead, where it would misread arrays; else -1. */
static gboolean
check_chain (EsReaderInput *input, int *copy, GError **error)
{
  const guint version = version_of (input);
  g_autoptr (GArray) misread = g_array_new (FALSE, FALSE, sizeof (EsClaimRange));
  g_auto (EsClaimFile) file = { 0 };
  guint64 understood;

  *copy = -1;
  if (version == VERSION_7_3)
    return TRUE;
  if (version != VERSION_5)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is not a MATLAB file that can be read"),
                   input->name);
      return FALSE;
    }
  if (!es_claim_file_open (&file, input->path, input->name, input->cancellable, error) ||
      !es_claim_mat5 (&file, &understood, misread, error))
    return FALSE;
  if (understood < file.size)
    es_reader_note (input, _("What stands behind byte %" PRIu64 " is no array and was left out."), understood);
  if (misread->len > 0)
    *copy = es_mat_copy_without (&file, understood, misread, error);
  return misread->len == 0 || *copy >= 0;
}

/* With another file in its place. */
static gboolean
load_from (EsReaderInput *input, char *path, EsCubeInfo *info, EsRecordingInfo *recording, GError **error)
{
  char *own = input->path;
  gboolean ok;

  input->path = path;
  es_hdf_lock ();
  Mat_LogInitFunc ("eigenscope", mute);
  ok = search_and_load (input, info, recording, error);
  es_hdf_unlock ();
  input->path = own;
  return ok;
}

static gboolean
mat_recognises (EsReaderInput *input)
{
  return es_reader_is_matlab (input);
}

static EsDataset *
mat_open (EsReaderInput *input, GError **error)
{
  g_auto (EsCubeInfo) info = { .default_bands = { -1, -1, -1 } };
  g_auto (EsRecordingInfo) recording = { .calibration = NAN };
  g_autofree char *path = NULL;
  gboolean ok;
  int copy;

  if (!check_chain (input, &copy, error))
    return NULL;
  path = copy >= 0 ? g_strdup_printf ("/proc/self/fd/%d", copy) : g_strdup (input->path);
  ok = load_from (input, path, &info, &recording, error);
  if (copy >= 0)
    close (copy);
  if (ok && recording.source != NULL)
    return (EsDataset *) es_recording_new (input->file, &recording, error);
  return ok ? (EsDataset *) es_cube_new (input->file, &info, error) : NULL;
}

const EsReader es_reader_mat = { mat_recognises, mat_open, &es_library_matio };
