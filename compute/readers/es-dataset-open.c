/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cube/es-cube-internal.h"
#include "cube/es-cube-metadata-internal.h"
#include "base/es-error.h"
#include "claims/es-claim-hdf5-internal.h"
#include "claims/es-claim-netcdf3-internal.h"
#include "claims/es-signature-internal.h"
#include "saving/es-output-internal.h"
#include "es-open.h"
#include "products/es-product-internal.h"
#include "products/es-vrt-internal.h"
#include "es-open-words-internal.h"
#include "es-reader-private.h"
#include "rehearsal/es-rehearsal-internal.h"

/* Asked in this order; the first that recognises the content opens it. */
static const EsReader * const readers[] = {
  &es_reader_samples,
  &es_reader_cube_samples,
  &es_reader_envi,
  &es_reader_sndfile,
  &es_reader_sio,
  &es_reader_mat,
  &es_reader_hdf_recording,
  &es_reader_mdim,
  &es_reader_gdal,
  &es_reader_envi_beside,
};

/* Those that take a file for nothing but samples, whatever it begins with. */
static gboolean
is_raw (const EsReader *reader)
{
  return reader == &es_reader_samples || reader == &es_reader_cube_samples || reader == &es_reader_envi
         || reader == &es_reader_envi_beside;
}

static void
input_clear (EsReaderInput *input)
{
  g_clear_object (&input->file);
  g_free (input->path);
  g_free (input->name);
  g_free (input->elsewhere);
  g_ptr_array_unref (input->notes);
  g_ptr_array_unref (input->files);
  g_ptr_array_unref (input->arrays);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsReaderInput, input_clear)

static gboolean
refuse_errno (EsReaderInput *input, int code, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), input->name,
               g_strerror (code));
  return FALSE;
}

/* Of a product's folder or text its image, from now on. */
static gboolean
take_image (EsReaderInput *input, GError **error)
{
  g_autoptr (GError) failure = NULL;
  char *image = es_product_find_image (input->path, input->name, &failure);

  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (image == NULL)
    return TRUE;
  g_free (input->path);
  g_free (input->name);
  g_object_unref (input->file);
  input->path = image;
  input->file = g_file_new_for_path (image);
  input->name = es_error_file_name (input->file);
  return TRUE;
}

/* Looks before it opens: a pipe or a device would block for ever. */
static gboolean
input_fill (EsReaderInput *input, GError **error)
{
  struct stat status;
  ssize_t n;
  int fd;

  if (stat (input->path, &status) != 0)
    {
      const int code = errno;

      if (g_str_has_prefix (input->path, "/vsi"))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                       _("“%s” is one of GDAL's addresses and no file of this machine; nothing is fetched from "
                         "elsewhere: save it in a local folder first, and open that"), input->path);
          return FALSE;
        }
      return refuse_errno (input, code, error);
    }

  if (S_ISDIR (status.st_mode))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” is a folder; a file that holds a cube or a recording was expected"), input->name);
      return FALSE;
    }
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” is a device or a pipe; a file that holds a cube or a recording was expected"), input->name);
      return FALSE;
    }

  fd = open (input->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return refuse_errno (input, errno, error);
  do
    n = pread (fd, input->head, sizeof input->head, 0);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      int code = errno;

      close (fd);
      return refuse_errno (input, code, error);
    }
  close (fd);

  input->size = (guint64) status.st_size;
  input->head_length = (gsize) n;
  if (n == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is empty"), input->name);
      return FALSE;
    }
  return TRUE;
}

/* HDF5 also behind a user block that is longer than what has been looked at. */
static gboolean
may_be_hdf5 (EsReaderInput *input)
{
  static const char user_block[] = "<HDF_UserBlock>";

  return es_reader_is_hdf5 (input) || (input->head_length >= sizeof user_block - 1 &&
                                       memcmp (input->head, user_block, sizeof user_block - 1) == 0);
}

typedef struct
{
  gboolean     done;
  char        *note;           /* why it was not; nullable */
  struct stat  file;           /* as it was then */
} Rehearsed;

static void
rehearsed_clear (Rehearsed *self)
{
  g_free (self->note);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rehearsed, rehearsed_clear)

/* What several readers would believe the header of, and a library beneath them without a word. */
static gboolean
check_claims (EsReaderInput *input, GError **error)
{
  g_auto (EsClaimFile) file = { 0 };

  if (may_be_hdf5 (input) && input->elsewhere == NULL)
    return es_claim_hdf5 (input->path, input->name, input->cancellable, &input->elsewhere, error);
  if (!es_reader_is_netcdf3 (input))
    return TRUE;
  return es_claim_file_open (&file, input->path, input->name, input->cancellable, error) &&
         es_claim_netcdf3 (&file, error);
}

static gboolean
load_library (const EsReader *reader, const EsReaderInput *input, GError **error)
{
  return reader->library == NULL || es_library_load (reader->library, input->name, error);
}

/* Once for a file, before any library sees it. */
static gboolean
rehearse (EsReaderInput *input, Rehearsed *rehearsed, GError **error)
{
  g_auto (GStrv) words = NULL;

  if (rehearsed->done || !es_reader_is_risky (input))
    return TRUE;
  rehearsed->done = TRUE;
  words = es_open_words_new (&input->options);
  return es_rehearsal_run (ES_REHEARSAL_DATASET, input->path, input->name, (const char * const *) words,
                           input->cancellable, &rehearsed->note, &rehearsed->file, error);
}

/* A file that holds nothing but links into others. */
static void
set_elsewhere (EsReaderInput *input, GError **error)
{
  g_clear_error (error);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("“%s” holds the link “%s” into another file, and nothing that can be shown itself; no other file is "
                 "read because a file names it: open that one"), input->name, input->elsewhere);
}

/* What a recording is told about it beside the file. */
static void
settle_recording (EsReaderInput *input, EsRecording *recording)
{
  double told = input->options.samples.rate;

  if (told > 0 && told != es_recording_get_rate (recording))
    _es_dataset_add_note (ES_DATASET (recording),
                          _("The file gives a sampling rate of %.10g Hz; the %.10g Hz told were ignored."),
                          es_recording_get_rate (recording), told);
  es_reader_take_sidecar (recording);
  es_reader_take_calibration (recording);
  es_reader_take_navigation (recording);
}

/* Before anything else is noted of it. */
static void
take_metadata (EsDataset **dataset)
{
  EsDataset *read = *dataset;

  if (!ES_IS_CUBE (read))
    return;
  *dataset = ES_DATASET (es_cube_read_metadata (ES_CUBE (read)));
  g_object_unref (read);
}

EsDataset *
es_dataset_open (GFile *file, const EsOpenOptions *options, GCancellable *cancellable, GError **error)
{
  g_auto (EsReaderInput) input = {
    .notes = g_ptr_array_new_with_free_func (g_free),
    .files = g_ptr_array_new_with_free_func (g_object_unref),
    .arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) es_file_array_free),
  };
  g_auto (Rehearsed) rehearsed = { 0 };
  const char *format;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  input.file = g_object_ref (file);
  input.path = g_file_get_path (file);
  input.name = es_error_file_name (file);
  input.cancellable = cancellable;
  if (options != NULL)
    input.options = *options;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (input.path == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” is not on this machine; copy it to a local folder first"), input.name);
      return NULL;
    }
  if (!take_image (&input, error) || !es_outputs_settle (input.path, error) || !input_fill (&input, error))
    return NULL;

  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      g_autoptr (EsDataset) dataset = NULL;
      g_autoptr (GError) failure = NULL;

      /* Who names a driver of GDAL's wants that one. */
      if (input.options.driver != NULL ? readers[i] != &es_reader_gdal : !readers[i]->recognises (&input))
        continue;
      if (is_raw (readers[i]) || (load_library (readers[i], &input, &failure)
                                  && rehearse (&input, &rehearsed, &failure) && check_claims (&input, &failure)))
        dataset = readers[i]->open (&input, &failure);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (failure != NULL)
        {
          /* A table of numbers looks like a map to some drivers. */
          if (es_reader_is_array (&input))
            break;
          /* What only seemed to be of this format may have a header beside it; a rate can be told. */
          if (!g_error_matches (failure, ES_DATA_ERROR, ES_DATA_ERROR_RATE) && input.options.driver == NULL &&
              es_reader_envi_beside.recognises (&input) && readers[i] != &es_reader_envi_beside)
            {
              i = G_N_ELEMENTS (readers) - 2;
              g_ptr_array_set_size (input.notes, 0);
              g_ptr_array_set_size (input.files, 0);
              g_ptr_array_set_size (input.arrays, 0);
              continue;
            }
          if (input.elsewhere != NULL && g_error_matches (failure, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT))
            set_elsewhere (&input, &failure);
          g_propagate_error (error, g_steal_pointer (&failure));
          return NULL;
        }
      if (dataset != NULL)
        {
          take_metadata (&dataset);
          if (!is_raw (readers[i]))
            es_reader_note_envi_header (&input);
          if (input.elsewhere != NULL)
            es_reader_note (&input, _("The link “%s” leads into another file and was not followed."), input.elsewhere);
          if (rehearsed.note != NULL)
            es_reader_note (&input, "%s", rehearsed.note);
          if (rehearsed.done && !es_rehearsal_is_same (input.path, input.name, &rehearsed.file, error))
            return NULL;
          for (guint k = 0; k < input.notes->len; k++)
            _es_dataset_add_note (dataset, "%s", (const char *) g_ptr_array_index (input.notes, k));
          _es_dataset_set_options (dataset, &input.options);
          _es_dataset_set_arrays (dataset, input.arrays);
          g_ptr_array_add (input.files, g_object_ref (input.file));
          _es_dataset_hold_files (dataset, input.files);
          if (ES_IS_RECORDING (dataset))
            settle_recording (&input, ES_RECORDING (dataset));
          else if (ES_IS_CUBE (dataset))
            es_cube_take_sidecar (ES_CUBE (dataset));
          return g_steal_pointer (&dataset);
        }
      g_ptr_array_set_size (input.notes, 0);
      g_ptr_array_set_size (input.arrays, 0);
    }

  if (input.options.driver != NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("GDAL's driver “%s” does not recognise “%s”"),
                 input.options.driver, input.name);
  else if (es_signature_find (input.head, input.head_length, &format) != ES_SIGNATURE_NONE)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” begins like a file of the format %s but cannot be read as one: it is damaged or cut short"),
                 input.name, format);
  else if (es_calibration_is_file (file))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” tells what full scale of a recording is and holds no samples; it is opened together with the "
                   "recording that it belongs to"), input.name);
  else if (es_navigation_is_file (file))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” tells when a recording began and where its array points and holds no samples; it is opened "
                   "together with the recording that it belongs to"), input.name);
  else if (es_selection_is_file (file))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” tells what takes part of a cube and holds no samples; it is taken with the cube beside which "
                   "it lies"), input.name);
  else if (es_metadata_is_file (file))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” tells what a cube is and holds no samples; it is taken with the cube beside which it lies"),
                 input.name);
  else if (es_reader_is_array (&input))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” describes an array and holds no samples; it is opened together with the recording that it "
                   "belongs to"), input.name);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” is in no format that is known here (cubes: ENVI with its header, GeoTIFF, HDF5, netCDF, "
                   "MATLAB or another that GDAL reads; recordings: WAV, FLAC and other sound files, Scripps SIO, "
                   "HDF5, MATLAB)"), input.name);
  return NULL;
}

gboolean
es_dataset_is_product (GFile *file)
{
  const char *path = g_file_peek_path (file);
  g_autoptr (GError) error = NULL;
  g_autofree char *image = NULL;

  if (path == NULL)
    return FALSE;
  image = es_product_find_image (path, path, &error);
  return image != NULL || error != NULL;
}

char **
es_dataset_list_sources (GFile *file, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (file);

  return path != NULL ? es_vrt_list_sources (path, cancellable, error) : NULL;
}

static void
open_options_free (EsOpenOptions *options)
{
  g_free ((char *) options->variable);
  g_free ((char *) options->samples.type);
  g_free ((char *) options->driver);
  g_free (options);
}

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  EsDataset *dataset = es_dataset_open (G_FILE (source), data, cancellable, &error);

  if (dataset != NULL)
    g_task_return_pointer (task, dataset, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_dataset_open_async (GFile *file, const EsOpenOptions *options, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (file, cancellable, callback, user_data);
  EsOpenOptions *copy = g_new0 (EsOpenOptions, 1);

  if (options != NULL)
    {
      *copy = *options;
      copy->variable = g_strdup (options->variable);
      copy->samples.type = g_strdup (options->samples.type);
      copy->driver = g_strdup (options->driver);
    }
  g_task_set_source_tag (task, es_dataset_open_async);
  g_task_set_task_data (task, copy, (GDestroyNotify) open_options_free);
  g_task_run_in_thread (task, open_in_thread);
}

EsDataset *
es_dataset_open_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
