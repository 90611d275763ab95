/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "cube/es-cube-internal.h"
#include "cube/es-cube-metadata-internal.h"
#include "base/es-error.h"
#include "claims/es-claim-hdf5-internal.h"
#include "claims/es-claim-netcdf3-internal.h"
#include "claims/es-signature-internal.h"
#include "libraries/es-address-file-internal.h"
#include "matrix/es-sparse-matrix.h"
#include "saving/es-output-internal.h"
#include "es-open.h"
#include "products/es-product-internal.h"
#include "products/es-vrt-internal.h"
#include "es-open-words-internal.h"
#include "es-reader-private.h"
#include "rehearsal/es-rehearsal-internal.h"

static gboolean
has_ending (const char *name, const char *ending)
{
  const gsize length = strlen (name), n = strlen (ending);

  return length > n && g_ascii_strcasecmp (name + length - n, ending) == 0;
}

static gboolean
matrix_recognises (EsReaderInput *input)
{
  /* A damaged one is told as such, not as a file of any kind. */
  return es_matrix_market_is_head (input->head, input->head_length)
         || (input->head_length > 0 && (has_ending (input->name, ".mtx") || has_ending (input->name, ".mtx.gz")));
}

static EsDataset *
matrix_open (EsReaderInput *input, GError **error)
{
  return es_sparse_matrix_open (input->file, input->cancellable, error);
}

/* The room of matrices reads them. */
static const EsReader es_reader_matrix = { matrix_recognises, matrix_open };

/* Asked in this order; the first that recognises the content opens it. */
static const EsReader * const readers[] = {
  &es_reader_samples,
  &es_reader_cube_samples,
  &es_reader_matrix,
  &es_reader_envi,
  &es_reader_sndfile,
  &es_reader_sio,
  &es_reader_mat,
  &es_reader_hdf_recording,
  &es_reader_mdim,
  &es_reader_gdal,
  &es_reader_envi_beside,
};

/* Who reads what lies at an address, and what has to be a file for its reader. */
static gboolean
reads_addresses (const EsReader *reader)
{
  return reader == &es_reader_cube_samples || reader == &es_reader_envi || reader == &es_reader_envi_beside
         || reader == &es_reader_gdal;
}

static gboolean
wants_file (EsReaderInput *input)
{
  static const guint8 hdf4[4] = { 0x0e, 0x03, 0x13, 0x01 };

  return es_reader_is_hdf5 (input) || es_reader_is_netcdf3 (input) || es_reader_is_matlab (input)
         || (input->head_length >= sizeof hdf4 && memcmp (input->head, hdf4, sizeof hdf4) == 0);
}

/* The first readers of all would take its head for what they know, and its path for a file. */
static gboolean
is_asked (EsReaderInput *input, const EsReader *reader)
{
  /* Who names a driver of GDAL's wants that one. */
  if (input->options.driver != NULL)
    return reader == &es_reader_gdal;
  if (input->store)
    return reader == &es_reader_mdim;
  return (!es_reader_is_address (input) || reads_addresses (reader)) && reader->recognises (input);
}

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

/* Of what is no file; ENVI's reader has told of both of its own. */
static void
set_identity (EsReaderInput *input, const EsReader *reader, EsDataset *dataset)
{
  g_autofree char *identity = NULL;

  if (input->store)
    identity = es_reader_identify_store (input);
  else if (es_reader_is_address (input) && !is_raw (reader))
    identity = es_reader_identify (input->path);
  if (identity != NULL)
    _es_dataset_set_identity (dataset, identity);
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

static EsDataset *
open_dataset (GFile *file, const EsOpenOptions *options, GCancellable *cancellable, GError **error)
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
  if (!es_reader_take_address (&input, error)
      || (!es_reader_is_address (&input) && (!take_image (&input, error) || !es_outputs_settle (input.path, error)))
      || !es_reader_fill (&input, error))
    return NULL;
  if (es_reader_is_address (&input) && wants_file (&input))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” is of a format that is read from files alone (HDF5, netCDF, HDF4, MATLAB), and lies at an "
                     "address; save it in a local folder first, and open that"), input.name);
      return NULL;
    }

  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      g_autoptr (EsDataset) dataset = NULL;
      g_autoptr (GError) failure = NULL;

      if (!is_asked (&input, readers[i]))
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
          if (!is_raw (readers[i]) && !input.store && !es_reader_is_address (&input))
            es_reader_note_envi_header (&input);
          set_identity (&input, readers[i], dataset);
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
  else if (input.store)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” is a store of Zarr in which no array of three axes was found; where its server does not tell "
                   "what is in it, name the folder of an array"), input.name);
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
                   "HDF5, MATLAB; matrices: Matrix Market)"), input.name);
  return NULL;
}

/* A mask, a header or metadata beside it that a server keeps to itself for now would make it another data set. */
EsDataset *
es_dataset_open (GFile *file, const EsOpenOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (GError) failure = NULL, silence = NULL;

  es_address_ask ();
  dataset = open_dataset (file, options, cancellable, &failure);
  if ((dataset == NULL && !g_error_matches (failure, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT))
      || es_address_was_answered (&silence))
    {
      if (failure != NULL)
        g_propagate_error (error, g_steal_pointer (&failure));
      return g_steal_pointer (&dataset);
    }
  g_propagate_error (error, g_steal_pointer (&silence));
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
