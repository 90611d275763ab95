/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-mat-recording-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-hdf-private.h"

static const char * const rate_names[] = {
  "fs", "Fs", "FS", "sample_rate", "sampleRate", "SampleRate", "samplerate", "sampling_rate", "samplingRate",
  "sampling_frequency", "sample_freq", "fsamp", "fsample", "rate", "rate_hz", NULL,
};

static gboolean
value_of (const matvar_t *variable, double *value)
{
  switch (variable->class_type)
    {
    case MAT_C_DOUBLE: *value = *(const double *) variable->data; return TRUE;
    case MAT_C_SINGLE: *value = (double) *(const float *) variable->data; return TRUE;
    case MAT_C_INT16:  *value = *(const gint16 *) variable->data; return TRUE;
    case MAT_C_UINT16: *value = *(const guint16 *) variable->data; return TRUE;
    case MAT_C_INT32:  *value = *(const gint32 *) variable->data; return TRUE;
    case MAT_C_UINT32: *value = *(const guint32 *) variable->data; return TRUE;
    default:           return FALSE;
    }
}

double
es_mat_find_rate (EsReaderInput *input, mat_t *file)
{
  double rate = 0;

  for (const char * const *name = rate_names;
       *name != NULL && rate == 0 && !g_cancellable_is_cancelled (input->cancellable); name++)
    {
      matvar_t *variable = Mat_VarReadInfo (file, *name);
      double value;

      if (variable == NULL)
        continue;
      if (variable->rank == 2 && variable->dims[0] == 1 && variable->dims[1] == 1 && !variable->isComplex &&
          variable->class_type != MAT_C_CELL && variable->class_type != MAT_C_STRUCT &&
          es_mat_read_data (input, file, variable) && value_of (variable, &value) &&
          isfinite (value) && value > 0)
        rate = value;
      Mat_VarFree (variable);
    }
  return rate;
}

/* ---- in memory ---- */

typedef struct
{
  EsFrameSource  parent;

  matvar_t      *variable;
  EskType        type;
  guint64        frames;
  guint          channels;
  gboolean       by_frame;     /* channels x frames in MATLAB's order: the channels of a frame lie together */
} MatSource;

static gpointer
mat_handle_new (EsFrameSource *source, GError **error)
{
  return source;
}

static void
mat_handle_free (EsFrameSource *source, gpointer handle)
{
}

static gboolean
mat_read_channels (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, guint first_channel,
                   guint n_channels, void *buffer, EskFrames *frames, GError **error)
{
  MatSource *self = (MatSource *) source;
  ptrdiff_t frame_stride = self->by_frame ? (ptrdiff_t) self->channels : 1;
  ptrdiff_t channel_stride = self->by_frame ? 1 : (ptrdiff_t) self->frames;

  *frames = (EskFrames) {
    .data = (const guint8 *) self->variable->data +
            ((ptrdiff_t) first * frame_stride + (ptrdiff_t) first_channel * channel_stride) *
              (ptrdiff_t) esk_type_size (self->type),
    .type = self->type, .frames = n, .channels = n_channels,
    .frame_stride = frame_stride, .channel_stride = channel_stride,
  };
  return TRUE;
}

static gboolean
mat_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
          GError **error)
{
  return mat_read_channels (source, handle, first, n, 0, ((MatSource *) source)->channels, buffer, frames, error);
}

static void
mat_source_free (EsFrameSource *source)
{
  MatSource *self = (MatSource *) source;

  Mat_VarFree (self->variable);
  g_free (self);
}

static EsFrameSource *
mat_source_new (matvar_t *variable, EskType type, guint64 frames, guint channels, gboolean by_frame)
{
  MatSource *self = g_new0 (MatSource, 1);

  self->parent = (EsFrameSource) {
    .handle_new = mat_handle_new, .handle_free = mat_handle_free, .read = mat_read,
    .read_channels = mat_read_channels, .free = mat_source_free,
  };
  self->variable = variable;
  self->type = type;
  self->frames = frames;
  self->channels = channels;
  self->by_frame = by_frame;
  return &self->parent;
}

/* ---- what it is ---- */

static gboolean
type_of (EsReaderInput *input, const matvar_t *variable, EsRecordingInfo *info, GError **error)
{
  info->scale = 1;
  switch (variable->class_type)
    {
    case MAT_C_DOUBLE: info->type = ESK_F64; return TRUE;
    case MAT_C_SINGLE: info->type = ESK_F32; return TRUE;
    case MAT_C_INT16:  info->type = ESK_I16; info->scale = 0x1p-15; return TRUE;
    case MAT_C_INT32:  info->type = ESK_I32; info->scale = 0x1p-31; return TRUE;
    default:
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("The samples “%s” in “%s” are of a type that no recording has: int16, int32, single or double was "
                     "expected"), variable->name, input->name);
      return FALSE;
    }
}

static EsFrameSource *
open_by_block (EsReaderInput *input, const matvar_t *variable, gboolean channels_first, GError **error)
{
  g_autofree char *path = g_strconcat ("/", variable->name, NULL);
  /* The axes of the file stand in the other order than MATLAB's. */
  const gboolean first_in_file = !channels_first;
  EsHdfShape shape;
  guint64 unpacked;
  hid_t file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = -1;
  EsFrameSource *source = NULL;

  if (file >= 0)
    dataset = H5Dopen2 (file, path, H5P_DEFAULT);
  if (dataset >= 0 && es_hdf_find_shape (dataset, &first_in_file, &shape))
    {
      H5Dclose (dataset);
      dataset = -1;
      source = es_hdf_source_new (input, path, &shape, &unpacked, error);
    }
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                 _("The array “%s” in “%s” cannot be read: the file is damaged or cut short"), variable->name,
                 input->name);
  if (dataset >= 0)
    H5Dclose (dataset);
  if (file >= 0)
    H5Fclose (file);
  return source;
}

gboolean
es_mat_load_recording (EsReaderInput *input, mat_t *file, matvar_t *variable, double rate, EsRecordingInfo *info,
                       GError **error)
{
  const gboolean channels_first = variable->dims[0] < variable->dims[1];
  const guint64 frames = channels_first ? variable->dims[1] : variable->dims[0];
  const guint64 channels = channels_first ? variable->dims[0] : variable->dims[1];
  gboolean ok = type_of (input, variable, info, error);

  info->channels = (guint) MIN (channels, G_MAXUINT);
  info->frames = frames;
  info->rate = rate;
  info->calibration = NAN;
  info->format_name = g_strdup ("MATLAB");
  if (channels_first && channels > 1)
    es_reader_note (input, _("The longer axis of “%s” was taken for time: %u channels."), variable->name,
                    info->channels);
  if (ok && Mat_GetVersion (file) == MAT_FT_MAT73)
    {
      g_autofree char *path = g_strconcat ("/", variable->name, NULL);

      ok = es_reader_check_written (input, path, error);
      if (ok)
        info->source = open_by_block (input, variable, channels_first, error);
      ok = info->source != NULL;
    }
  else if (ok)
    {
      ok = es_mat_check_memory (input, frames * channels * esk_type_size (info->type), error);
      if (ok && (!es_mat_read_data (input, file, variable) ||
                 (guint64) variable->nbytes < frames * channels * esk_type_size (info->type)))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                       _("The array “%s” in “%s” cannot be read: the file is damaged or cut short"), variable->name,
                       input->name);
          ok = FALSE;
        }
      if (ok)
        {
          info->source = mat_source_new (variable, info->type, frames, info->channels, channels_first);
          return TRUE;
        }
    }
  Mat_VarFree (variable);
  return ok;
}
