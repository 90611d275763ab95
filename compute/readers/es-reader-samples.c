/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/es-error.h"
#include "es-reader-private.h"

/* Raw samples, of which the file says nothing: a person does. */

typedef struct
{
  const char *name;
  guint       bytes;
  EskType     type;
  double      scale;
} SampleType;

static const SampleType sample_types[] = {
  { "int16", 2, ESK_I16, 0x1p-15 },
  { "int24", 3, ESK_I32, 0x1p-31 },
  { "int32", 4, ESK_I32, 0x1p-31 },
  { "float32", 4, ESK_F32, 1 },
  { "float64", 8, ESK_F64, 1 },
};

static const SampleType *
find_type (EsReaderInput *input, GError **error)
{
  const char *name = input->options.samples.type;

  for (guint i = 0; i < G_N_ELEMENTS (sample_types); i++)
    if (g_strcmp0 (name, sample_types[i].name) == 0)
      return &sample_types[i];
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("The samples of “%s” cannot be of the type “%s”: expected int16, int24, int32, float32 or float64"),
               input->name, name != NULL ? name : "");
  return NULL;
}

static gboolean
samples_recognises (EsReaderInput *input)
{
  return input->options.samples.channels > 0;
}

static EsDataset *
samples_open (EsReaderInput *input, GError **error)
{
  const EsRawSamples *told = &input->options.samples;
  const SampleType *type = find_type (input, error);
  g_auto (EsRecordingInfo) info = { .channels = told->channels, .rate = told->rate, .calibration = NAN };
  EsSampleLayout layout = { .offset = told->offset, .channels = told->channels };
  guint64 present, frame_bytes;
  int fd;

  if (type == NULL)
    return NULL;
  if (!isfinite (told->rate) || told->rate <= 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_RATE,
                   _("The sampling rate of “%s” cannot be %g Hz: a positive one was expected"), input->name,
                   told->rate);
      return NULL;
    }

  layout.type = type->type;
  layout.bytes = type->bytes;
  layout.byte_swapped = told->big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN);
  present = told->offset < input->size ? input->size - told->offset : 0;
  frame_bytes = (guint64) told->channels * type->bytes;
  info.frames = present / frame_bytes;
  /* Too many channels are told of before too few bytes. */
  if (info.frames == 0 && told->channels <= 65536)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” holds %" PRIu64 " bytes from byte %" PRIu64 " on; one frame of %u "
                     "channels of %s takes %" PRIu64), input->name, present, told->offset, told->channels,
                   type->name, frame_bytes);
      return NULL;
    }
  info.frames = MAX (info.frames, 1);
  if (told->by_channel)
    {
      layout.record_frames = info.frames;
      layout.record_bytes = info.frames * type->bytes;
    }
  if (present % frame_bytes != 0)
    es_reader_note (input, g_dngettext (GETTEXT_PACKAGE,
                                        "The last byte does not fill a frame of all channels and was left out.",
                                        "The last %u bytes do not fill a frame of all channels and were left out.",
                                        present % frame_bytes), (guint) (present % frame_bytes));

  fd = open (input->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), input->name,
                   g_strerror (errno));
      return NULL;
    }
  info.type = type->type;
  info.scale = type->scale;
  info.type_name = g_strdup (type->name);
  info.format_name = g_strdup (_("raw samples"));
  info.source = es_frame_file_source_new (fd, input->name, &layout);
  return (EsDataset *) es_recording_new (input->file, &info, error);
}

const EsReader es_reader_samples = { samples_recognises, samples_open };
