/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-simulate-recording-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "libraries/es-hdf-lock-internal.h"
#include "libraries/es-hdf5-library-internal.h"
#include "libraries/es-sndfile-library-internal.h"

/* What libsndfile can write, and what RIFF's 32-bit sizes can hold beside a header. */
#define SNDFILE_MOST_CHANNELS 1024
#define RIFF_MOST_BYTES ((guint64) 0xffffffff - 4096)
#define SIO_RECORD_BYTES 2048
#define SIO_MARK 32677

struct _EsRecordingWriter
{
  EsSimulateFormat format;
  guint            channels, type;
  gsize            bytes;          /* of a sample */
  double           rate;
  guint64          frames, written;
  const EsOutput  *output;

  SNDFILE         *sound;
  hid_t            file, dataset;
  guint8          *records;        /* a row of SIO records */
};

/* ---- what fits ---- */

static const struct { const char *suffix; EsSimulateFormat format; } suffixes[] = {
  { ".wav", ES_SIMULATE_WAV }, { ".w64", ES_SIMULATE_W64 }, { ".rf64", ES_SIMULATE_RF64 },
  { ".h5", ES_SIMULATE_HDF5 }, { ".hdf5", ES_SIMULATE_HDF5 }, { ".sio", ES_SIMULATE_SIO },
  { ".raw", ES_SIMULATE_RAW }, { ".bin", ES_SIMULATE_RAW },
};

gboolean
es_recording_format_settle (const char *path, EsSimulateFormat *format, GError **error)
{
  const char *endings[G_N_ELEMENTS (suffixes) + 1] = { NULL };
  g_autofree char *lower = g_ascii_strdown (path, -1);
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (*format == ES_SIMULATE_AUTO || *format == suffixes[i].format
        /* Long sound files become RF64 by themselves, and go by the same name. */
        || (*format == ES_SIMULATE_RF64 && suffixes[i].format == ES_SIMULATE_WAV))
      endings[n++] = suffixes[i].suffix;
  if (!es_simulate_check_ending (path, endings, error))
    return FALSE;
  for (guint i = 0; *format == ES_SIMULATE_AUTO && i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (lower, suffixes[i].suffix))
      *format = suffixes[i].format;
  if (*format == ES_SIMULATE_AUTO)
    *format = ES_SIMULATE_WAV;
  return TRUE;
}

static gboolean
is_sound (EsSimulateFormat format)
{
  return format == ES_SIMULATE_WAV || format == ES_SIMULATE_W64 || format == ES_SIMULATE_RF64;
}

gboolean
es_recording_writer_check (EsSimulateFormat format, guint channels, guint type, guint64 frames, const char *path,
                           GError **error)
{
  const gsize bytes = type == ES_SIMULATE_SAMPLES_INT16 ? 2 : 4;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *name = es_error_file_name (file);
  guint64 all;

  if (is_sound (format) && channels > SNDFILE_MOST_CHANNELS)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” cannot have %u channels: sound files hold at most %u; HDF5 (.h5), SIO and raw files hold "
                     "more."),
                   name, channels, SNDFILE_MOST_CHANNELS);
      return FALSE;
    }
  if (!g_uint64_checked_mul (&all, frames, channels * bytes) || all > G_MAXINT64 / 2
      || (format == ES_SIMULATE_SIO
          && (frames > G_MAXINT32 || frames / (SIO_RECORD_BYTES / bytes) + 1 > G_MAXINT32 / channels)))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("A recording of %llu samples in %u channels is too large for “%s”."), (unsigned long long) frames,
                   channels, name);
      return FALSE;
    }
  return TRUE;
}

/* ---- beginning ---- */

static gboolean
set_error (EsRecordingWriter *self, const char *reason, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (self->output->path);
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("“%s” could not be written: %s."), name, reason);
  return FALSE;
}

static gboolean
begin_sound (EsRecordingWriter *self, GError **error)
{
  const gboolean large = self->frames * self->channels * self->bytes > RIFF_MOST_BYTES;
  SF_INFO info = { .samplerate = (int) self->rate, .channels = (int) self->channels };

  /* Standard WAV ends at 4 GiB; RF64 is the same with longer sizes. */
  info.format = (self->format == ES_SIMULATE_W64 ? SF_FORMAT_W64
                 : self->format == ES_SIMULATE_RF64 || large ? SF_FORMAT_RF64 : SF_FORMAT_WAV)
                | (self->type == ES_SIMULATE_SAMPLES_INT16 ? SF_FORMAT_PCM_16 : SF_FORMAT_FLOAT);
  self->sound = sf_open_fd (self->output->fd, SFM_WRITE, &info, SF_FALSE);
  if (self->sound == NULL)
    return set_error (self, sf_strerror (NULL), error);
  /* Peaks come with the time of day: the same scene would not be the same file. */
  sf_command (self->sound, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE);
  return TRUE;
}

/* Acoular's layout: /time_data, frames x channels, with the rate as attribute. */
static gboolean
begin_hdf5 (EsRecordingWriter *self)
{
  const hsize_t shape[2] = { self->frames, self->channels };
  hid_t properties = H5Pcreate (H5P_DATASET_CREATE), space = H5Screate_simple (2, shape, NULL);
  hid_t scalar = H5Screate (H5S_SCALAR), attribute = H5I_INVALID_HID;
  gboolean written = FALSE;

  /* Without the time of its making: the same scene gives the same bytes. */
  H5Pset_obj_track_times (properties, FALSE);
  H5Pset_fill_time (properties, H5D_FILL_TIME_NEVER);
  self->file = H5Fcreate (self->output->part, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (self->file >= 0)
    self->dataset = H5Dcreate2 (self->file, "time_data",
                                self->type == ES_SIMULATE_SAMPLES_INT16 ? H5T_STD_I16LE : H5T_IEEE_F32LE, space,
                                H5P_DEFAULT, properties, H5P_DEFAULT);
  if (self->dataset >= 0)
    attribute = H5Acreate2 (self->dataset, "sample_freq", H5T_IEEE_F64LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0)
    {
      written = H5Awrite (attribute, H5T_NATIVE_DOUBLE, &self->rate) >= 0;
      H5Aclose (attribute);
    }
  H5Sclose (scalar);
  H5Sclose (space);
  H5Pclose (properties);
  return written;
}

static gboolean
begin_sio (EsRecordingWriter *self, GError **error)
{
  const guint64 record_frames = SIO_RECORD_BYTES / self->bytes;
  const guint64 rows = (self->frames + record_frames - 1) / record_frames;
  const gint32 numbers[8] = { 1, (gint32) (rows * self->channels), SIO_RECORD_BYTES, (gint32) self->channels,
                              (gint32) self->bytes, self->type == ES_SIMULATE_SAMPLES_FLOAT32, (gint32) self->frames,
                              SIO_MARK };
  g_autofree char *name = g_path_get_basename (self->output->path);
  guint8 header[SIO_RECORD_BYTES] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const gint32 number = GINT32_TO_LE (numbers[i]);
      memcpy (header + 4 * i, &number, 4);
    }
  strncpy ((char *) header + 32, name, 23);
  strncpy ((char *) header + 56, "simulated by Eigenscope", 71);
  self->records = g_malloc (self->channels * (gsize) SIO_RECORD_BYTES);
  return es_file_write (self->output->fd, self->output->path, header, sizeof header, error);
}

EsRecordingWriter *
es_recording_writer_new (EsOutputs *outputs, const char *path, EsSimulateFormat format, guint channels, double rate,
                         guint type, guint64 frames, GError **error)
{
  g_autoptr (EsRecordingWriter) self = g_new0 (EsRecordingWriter, 1);
  gboolean begun = TRUE;

  *self = (EsRecordingWriter) {
    .format = format, .channels = channels, .type = type, .bytes = type == ES_SIMULATE_SAMPLES_INT16 ? 2 : 4,
    .rate = rate, .frames = frames, .file = H5I_INVALID_HID, .dataset = H5I_INVALID_HID,
  };
  self->output = es_outputs_add (outputs, path, FALSE, error);
  if (self->output == NULL
      || (is_sound (format) && !es_library_load (&es_library_sndfile, NULL, error))
      || (format == ES_SIMULATE_HDF5 && !es_library_load (&es_library_hdf5, NULL, error)))
    return NULL;

  if (is_sound (format))
    begun = begin_sound (self, error);
  else if (format == ES_SIMULATE_HDF5)
    {
      es_outputs_hand_over (outputs, self->output);
      es_hdf_lock ();
      begun = begin_hdf5 (self);
      es_hdf_unlock ();
      if (!begun)
        set_error (self, _("the HDF5 library reports an error"), error);
    }
  else if (format == ES_SIMULATE_SIO)
    begun = begin_sio (self, error);
  return begun ? g_steal_pointer (&self) : NULL;
}

/* ---- samples ---- */

static gboolean
add_sound (EsRecordingWriter *self, const void *samples, gsize n, GError **error)
{
  const sf_count_t frames = (sf_count_t) n;
  sf_count_t written = self->type == ES_SIMULATE_SAMPLES_INT16 ? sf_writef_short (self->sound, samples, frames)
                                                               : sf_writef_float (self->sound, samples, frames);

  if (written == frames)
    return TRUE;
  return set_error (self, sf_error (self->sound) != 0 ? sf_strerror (self->sound) : g_strerror (ENOSPC), error);
}

static gboolean
add_hdf5 (EsRecordingWriter *self, const void *samples, gsize n, GError **error)
{
  const hsize_t start[2] = { self->written, 0 }, count[2] = { n, self->channels };

  es_hdf_lock ();
  hid_t space = H5Dget_space (self->dataset), memory = H5Screate_simple (2, count, NULL);
  const gboolean written = H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0
                           && H5Dwrite (self->dataset, self->type == ES_SIMULATE_SAMPLES_INT16 ? H5T_NATIVE_INT16
                                                                                                 : H5T_NATIVE_FLOAT,
                                        memory, space, H5P_DEFAULT, samples) >= 0;
  H5Sclose (memory);
  H5Sclose (space);
  es_hdf_unlock ();
  return written || set_error (self, _("the HDF5 library reports an error, perhaps the disk is full"), error);
}

static void
to_little_endian (void *samples, gsize n, gsize bytes)
{
  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return;
  for (gsize i = 0; i < n; i++)
    if (bytes == 2)
      ((guint16 *) samples)[i] = GUINT16_SWAP_LE_BE (((guint16 *) samples)[i]);
    else
      ((guint32 *) samples)[i] = GUINT32_SWAP_LE_BE (((guint32 *) samples)[i]);
}

/* A record of each channel in turn; the last ones are filled with zeros. */
static gboolean
add_sio (EsRecordingWriter *self, const void *samples, gsize n, GError **error)
{
  const gsize record_frames = SIO_RECORD_BYTES / self->bytes, channels = self->channels;
  const guint16 *shorts = samples;
  const guint32 *words = samples;

  for (gsize first = 0; first < n; first += record_frames)
    {
      const gsize count = MIN (record_frames, n - first);
      memset (self->records, 0, channels * SIO_RECORD_BYTES);
      for (gsize k = 0; k < channels; k++)
        for (gsize i = 0; i < count; i++)
          if (self->bytes == 2)
            ((guint16 *) self->records)[k * record_frames + i] = shorts[(first + i) * channels + k];
          else
            ((guint32 *) self->records)[k * record_frames + i] = words[(first + i) * channels + k];
      to_little_endian (self->records, channels * record_frames, self->bytes);
      if (!es_file_write (self->output->fd, self->output->path, self->records, channels * SIO_RECORD_BYTES, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_raw (EsRecordingWriter *self, const void *samples, gsize n, GError **error)
{
  const gsize bytes = n * self->channels * self->bytes;

  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return es_file_write (self->output->fd, self->output->path, samples, bytes, error);
  g_autofree void *swapped = g_memdup2 (samples, bytes);
  to_little_endian (swapped, n * self->channels, self->bytes);
  return es_file_write (self->output->fd, self->output->path, swapped, bytes, error);
}

gboolean
es_recording_writer_add (EsRecordingWriter *self, const void *samples, gsize n, GError **error)
{
  gboolean added = self->sound != NULL ? add_sound (self, samples, n, error)
                   : self->format == ES_SIMULATE_HDF5 ? add_hdf5 (self, samples, n, error)
                   : self->format == ES_SIMULATE_SIO ? add_sio (self, samples, n, error)
                   : add_raw (self, samples, n, error);

  self->written += n;
  return added;
}

/* ---- the end ---- */

static gboolean
close_all (EsRecordingWriter *self)
{
  gboolean closed = TRUE;

  if (self->sound != NULL)
    closed = sf_close (self->sound) == 0;
  self->sound = NULL;
  if (self->file >= 0)
    {
      es_hdf_lock ();
      closed = (self->dataset < 0 || H5Dclose (self->dataset) >= 0) && closed;
      closed = H5Fclose (self->file) >= 0 && closed;
      es_hdf_unlock ();
    }
  self->file = self->dataset = H5I_INVALID_HID;
  return closed;
}

gboolean
es_recording_writer_finish (EsRecordingWriter *self, GError **error)
{
  return close_all (self) || set_error (self, g_strerror (ENOSPC), error);
}

void
es_recording_writer_free (EsRecordingWriter *self)
{
  close_all (self);
  g_free (self->records);
  g_free (self);
}
