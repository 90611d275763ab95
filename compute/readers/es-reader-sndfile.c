/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/es-error.h"
#include "claims/es-claim-sound-internal.h"
#include "es-reader-private.h"
#include "libraries/es-sndfile-library-internal.h"

/* libsndfile's own limit. */
#define MOST_CHANNELS 1024

typedef struct
{
  EsFrameSource  parent;

  char          *path, *name;
  EskType        type;
  guint          channels;
  guint64        frames;
} SoundSource;

typedef struct
{
  SNDFILE    *sound;
  int         fd;
  sf_count_t  position;
} Handle;

/* Handles are each one thread's, but while one is being opened libsndfile writes messages to memory that all share. */
static GMutex open_mutex;

static Handle *
handle_open (const char *path, const char *name, SF_INFO *info, GError **error)
{
  Handle *handle;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  g_autofree char *reason = NULL;
  SNDFILE *sound;

  if (fd < 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), name, g_strerror (errno));
      return NULL;
    }
  memset (info, 0, sizeof *info);
  g_mutex_lock (&open_mutex);
  sound = sf_open_fd (fd, SFM_READ, info, FALSE);
  if (sound == NULL)
    reason = g_utf8_make_valid (sf_strerror (NULL), -1);
  g_mutex_unlock (&open_mutex);
  if (sound == NULL)
    {
      close (fd);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” begins like a sound file but cannot be read as one: %s"), name, g_strstrip (reason));
      return NULL;
    }
  handle = g_new0 (Handle, 1);
  handle->sound = sound;
  handle->fd = fd;
  return handle;
}

static void
handle_close (Handle *handle)
{
  sf_close (handle->sound);
  close (handle->fd);
  g_free (handle);
}

static gpointer
sound_handle_new (EsFrameSource *source, GError **error)
{
  SoundSource *self = (SoundSource *) source;
  SF_INFO info;
  Handle *handle = handle_open (self->path, self->name, &info, error);

  /* The file may have become another since. */
  if (handle != NULL && (info.channels != (int) self->channels || !info.seekable))
    {
      handle_close (handle);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” has changed since it was opened"), self->name);
      return NULL;
    }
  return handle;
}

static void
sound_handle_free (EsFrameSource *source, gpointer handle)
{
  handle_close (handle);
}

static sf_count_t
read_frames (Handle *handle, EskType type, void *buffer, sf_count_t n)
{
  switch (type)
    {
    case ESK_I16: return sf_readf_short (handle->sound, buffer, n);
    case ESK_I32: return sf_readf_int (handle->sound, buffer, n);
    case ESK_F64: return sf_readf_double (handle->sound, buffer, n);
    default:      return sf_readf_float (handle->sound, buffer, n);
    }
}

static gboolean
read_at (Handle *handle, EskType type, guint64 first, guint64 n, void *buffer)
{
  sf_count_t got;

  if (handle->position != (sf_count_t) first)
    {
      handle->position = sf_seek (handle->sound, (sf_count_t) first, SEEK_SET);
      if (handle->position != (sf_count_t) first)
        return FALSE;
    }
  got = read_frames (handle, type, buffer, (sf_count_t) n);
  handle->position += MAX (got, 0);
  return got == (sf_count_t) n;
}

static gboolean
sound_read (EsFrameSource *source, gpointer data, guint64 first, guint64 n, void *buffer, EskFrames *frames,
            GError **error)
{
  SoundSource *self = (SoundSource *) source;
  Handle *handle = data;

  *frames = (EskFrames) {
    .data = buffer, .type = self->type, .frames = n, .channels = self->channels,
    .frame_stride = self->channels, .channel_stride = 1,
  };
  if (read_at (handle, self->type, first, n, buffer))
    return TRUE;
  handle->position = -1;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
               _("“%s” cannot be read between the frames %" PRIu64 " and %" PRIu64 ": it is "
                 "damaged or was cut short"), self->name, first, first + n);
  return FALSE;
}

static void
sound_free (EsFrameSource *source)
{
  SoundSource *self = (SoundSource *) source;

  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

static gboolean
sound_recognises (EsReaderInput *input)
{
  const guint8 *head = input->head;

  if (input->head_length < 12)
    return FALSE;
  return ((memcmp (head, "RIFF", 4) == 0 || memcmp (head, "RIFX", 4) == 0 || memcmp (head, "RF64", 4) == 0) &&
          memcmp (head + 8, "WAVE", 4) == 0) ||
         memcmp (head, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb", 12) == 0 ||
         memcmp (head, "fLaC", 4) == 0 || memcmp (head, "caff", 4) == 0 || memcmp (head, ".snd", 4) == 0 ||
         memcmp (head, "OggS", 4) == 0 ||
         (memcmp (head, "FORM", 4) == 0 && (memcmp (head + 8, "AIFF", 4) == 0 || memcmp (head + 8, "AIFC", 4) == 0));
}

static const char *
major_name (int format)
{
  switch (format & SF_FORMAT_TYPEMASK)
    {
    case SF_FORMAT_WAV:
    case SF_FORMAT_WAVEX: return "WAV";
    case SF_FORMAT_RF64:  return "RF64";
    case SF_FORMAT_W64:   return "W64";
    case SF_FORMAT_FLAC:  return "FLAC";
    case SF_FORMAT_CAF:   return "CAF";
    case SF_FORMAT_AIFF:  return "AIFF";
    case SF_FORMAT_AU:    return "AU";
    case SF_FORMAT_OGG:   return "Ogg";
    default:              return "libsndfile";
    }
}

/* What a sample is read as, and what it is called. */
static const char *
type_of (int format, EskType *type)
{
  switch (format & SF_FORMAT_SUBMASK)
    {
    case SF_FORMAT_PCM_S8:  *type = ESK_I16; return "int8";
    case SF_FORMAT_PCM_U8:  *type = ESK_I16; return "uint8";
    case SF_FORMAT_PCM_16:
    case SF_FORMAT_ALAC_16: *type = ESK_I16; return "int16";
    case SF_FORMAT_ALAC_20: *type = ESK_I32; return "int20";
    case SF_FORMAT_PCM_24:
    case SF_FORMAT_ALAC_24: *type = ESK_I32; return "int24";
    case SF_FORMAT_PCM_32:
    case SF_FORMAT_ALAC_32: *type = ESK_I32; return "int32";
    case SF_FORMAT_FLOAT:   *type = ESK_F32; return "float32";
    case SF_FORMAT_DOUBLE:  *type = ESK_F64; return "float64";
    case SF_FORMAT_VORBIS:
    case SF_FORMAT_OPUS:    *type = ESK_F32; return "float32";
    default:                *type = ESK_I16; return "int16";
    }
}

/* A Broadcast Wave header's date and time; nullable. */
static GDateTime *
broadcast_start (SNDFILE *sound)
{
  SF_BROADCAST_INFO bext = { 0 };
  char text[24];

  if (sf_command (sound, SFC_GET_BROADCAST_INFO, &bext, sizeof bext) != SF_TRUE)
    return NULL;
  memcpy (text, bext.origination_date, 10);
  text[10] = 'T';
  memcpy (text + 11, bext.origination_time, 8);
  text[19] = '\0';
  return es_recording_time_of_name (text, NULL);
}

/*
 * The header promises frames, of which a compressed file may hold fewer: the last one that can be read tells. A decoder
 * that has met the end is not asked again, so that every look takes a handle of its own.
 */
static gboolean
frame_is_there (EsReaderInput *input, EskType type, guint64 frame)
{
  SF_INFO info;
  Handle *handle = handle_open (input->path, input->name, &info, NULL);
  g_autofree double *one = NULL;
  gboolean there;

  if (handle == NULL)
    return FALSE;
  one = g_new (double, (gsize) MAX (info.channels, 1));
  handle->position = -1;
  there = read_at (handle, type, frame, 1, one);
  handle_close (handle);
  return there;
}

static guint64
frames_present (EsReaderInput *input, EskType type, guint64 promised)
{
  guint64 there = 0, missing = promised;

  if (promised == 0 || frame_is_there (input, type, promised - 1))
    return promised;
  while (there < missing)
    {
      guint64 middle = there + (missing - there) / 2;

      if (frame_is_there (input, type, middle))
        there = middle + 1;
      else
        missing = middle;
    }
  return there;
}

/* What libsndfile mends or refuses without a word. */
static gboolean
check_claim (EsReaderInput *input, const EsSoundClaim *claim, GError **error)
{
  if (claim->has_format && (claim->channels == 0 || claim->channels > MOST_CHANNELS))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("The header of “%s” claims %u channels; sound files are read with 1 to %u, and HDF5, raw samples "
                     "or a file a channel hold more"), input->name, claim->channels, MOST_CHANNELS);
      return FALSE;
    }
  if (claim->has_rate && claim->rate == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” gives a sampling rate of %g Hz; a positive one was expected"), input->name, 0.0);
      return FALSE;
    }
  if (!claim->has_data && strcmp (claim->format, "Ogg") != 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("“%s” is a %s file without samples: it has no data chunk, or ends before it"), input->name,
                   claim->format);
      return FALSE;
    }
  return TRUE;
}

/* *present: bytes of samples that are there. */
static gboolean
read_claim (EsReaderInput *input, EsSoundClaim *claim, guint64 *present, GError **error)
{
  g_auto (EsClaimFile) file = { 0 };
  gboolean is_known;

  if (!es_claim_file_open (&file, input->path, input->name, input->cancellable, error))
    return FALSE;
  is_known = es_claim_sound (&file, claim);
  *present = es_claim_sound_present (&file, claim);
  if (g_cancellable_set_error_if_cancelled (input->cancellable, error))
    return FALSE;
  return !is_known || check_claim (input, claim, error);
}

/* How many frames the header promises where `frames` are there in `present` bytes. */
static guint64
frames_promised (const EsSoundClaim *claim, guint64 present, guint64 frames)
{
  if (claim->data_bytes == 0 || claim->data_bytes == G_MAXUINT64)
    return frames;
  if (claim->block > 0)
    return claim->data_bytes / claim->block;
  return present > 0 ? (guint64) ((double) frames * ((double) claim->data_bytes / (double) present)) : frames;
}

static void
compare_with_promise (EsReaderInput *input, guint64 promised, guint64 present, double rate)
{
  if (promised > present)
    es_reader_note (input, _("The header promises %.6g s; the file ends after %.6g s, and %.6g s are missing."),
                    (double) promised / rate, (double) present / rate, (double) (promised - present) / rate);
}

/* How long it is, and whether that is what it promises. */
static void
measure (EsReaderInput *input, const EsSoundClaim *claim, guint64 present, EskType type, EsRecordingInfo *info)
{
  const guint64 promised = MAX (frames_promised (claim, present, info->frames), info->frames);

  info->frames = frames_present (input, type, info->frames);
  if (info->rate > 0)
    compare_with_promise (input, promised, info->frames, info->rate);
}

static EsFrameSource *
sound_source_new (EsReaderInput *input, const EsRecordingInfo *info)
{
  SoundSource *source = g_new0 (SoundSource, 1);

  source->parent = (EsFrameSource) {
    .handle_new = sound_handle_new, .handle_free = sound_handle_free, .read = sound_read, .free = sound_free,
  };
  source->path = g_strdup (input->path);
  source->name = g_strdup (input->name);
  source->type = info->type;
  source->channels = info->channels;
  source->frames = info->frames;
  return &source->parent;
}

/* ---- a header that was never filled in ---- */

/* Whether another chunk follows the empty one: then there really are no samples. */
static gboolean
is_chunk_next (EsReaderInput *input, guint64 at)
{
  g_auto (EsClaimFile) file = { 0 };
  guint64 length;
  char id[4];

  if (!es_claim_file_open (&file, input->path, input->name, input->cancellable, NULL)
      || !es_claim_file_read (&file, at, id, sizeof id)
      || !es_claim_file_number (&file, at + 4, 4, FALSE, &length))
    return TRUE;
  for (guint i = 0; i < sizeof id; i++)
    if (!g_ascii_isalnum (id[i]) && id[i] != ' ' && id[i] != '_')
      return FALSE;
  return at + 8 + length <= file.size;
}

/* A recorder that still writes, or never came to the end, leaves 0 as the length, which libsndfile takes at its word:
 * the samples are all that follows. NULL: not so, or they are packed. */
static EsFrameSource *
open_unclosed (EsReaderInput *input, const EsSoundClaim *claim, const SF_INFO *info, EskType type, guint64 *frames)
{
  EsSampleLayout layout = {
    .offset = claim->data_offset, .channels = (guint) info->channels,
    .bytes = claim->block / (guint) MAX (info->channels, 1), .type = type,
    .byte_swapped = G_BYTE_ORDER == G_BIG_ENDIAN,
  };
  const int subtype = info->format & SF_FORMAT_SUBMASK;
  struct stat status;
  int fd;

  if (info->frames != 0 || strcmp (claim->format, "WAV") != 0 || claim->data_bytes != G_MAXUINT64
      || claim->block == 0 || claim->block != layout.bytes * layout.channels
      || memcmp (input->head, "RIFF", 4) != 0
      || (subtype != SF_FORMAT_PCM_16 && subtype != SF_FORMAT_PCM_24 && subtype != SF_FORMAT_PCM_32
          && subtype != SF_FORMAT_FLOAT && subtype != SF_FORMAT_DOUBLE)
      || is_chunk_next (input, claim->data_offset))
    return NULL;
  fd = open (input->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat (fd, &status) != 0 || (guint64) status.st_size < layout.offset + claim->block)
    {
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  *frames = ((guint64) status.st_size - layout.offset) / claim->block;
  es_reader_note (input, _("The header does not say how long the recording is (it is still being written, or was "
                           "interrupted): all that follows is read as samples."));
  return es_frame_file_source_new (fd, input->name, &layout);
}

static EsDataset *
sound_open (EsReaderInput *input, GError **error)
{
  g_auto (EsRecordingInfo) info = { .calibration = NAN };
  g_autofree char *base = g_file_get_basename (input->file);
  const char *type_name;
  g_autoptr (GError) failure = NULL;
  EsSoundClaim claim;
  guint64 present;
  SF_INFO sound_info;
  Handle *handle;
  EskType type;

  if (!read_claim (input, &claim, &present, error))
    return NULL;
  handle = handle_open (input->path, input->name, &sound_info, &failure);
  if (handle == NULL)
    {
      /* Some formats the library does not take where they are cut. */
      if (claim.data_bytes != 0 && claim.data_bytes != G_MAXUINT64 && present < claim.data_bytes)
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                     _("“%s” was cut short: of the %" PRIu64 " bytes of samples that its header promises %" PRIu64
                       " are there"), input->name, claim.data_bytes, present);
      else
        g_propagate_error (error, g_steal_pointer (&failure));
      return NULL;
    }
  if (!sound_info.seekable || sound_info.channels < 1 || sound_info.frames < 0)
    {
      handle_close (handle);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” cannot be read from an arbitrary place, which a recording has to be"), input->name);
      return NULL;
    }
  if (sound_info.frames == SF_COUNT_MAX)
    {
      handle_close (handle);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("“%s” was cut short: the end that tells how long it is is missing, without which no place in it "
                     "can be found"), input->name);
      return NULL;
    }
  info.start = es_recording_time_of_name (base, NULL);
  if (info.start == NULL)
    info.start = broadcast_start (handle->sound);
  handle_close (handle);

  type_name = type_of (sound_info.format, &type);
  info.channels = (guint) sound_info.channels;
  info.rate = sound_info.samplerate;
  info.frames = (guint64) sound_info.frames;
  info.source = open_unclosed (input, &claim, &sound_info, type, &info.frames);
  if (info.source == NULL)
    measure (input, &claim, present, type, &info);
  if (claim.is_unfinished)
    es_reader_note (input, _("The last page of the file is not marked as the last one: it may have been cut short."));
  info.type = type;
  info.scale = type == ESK_I16 ? 0x1p-15 : type == ESK_I32 ? 0x1p-31 : 1;
  info.type_name = g_strdup (type_name);
  info.format_name = g_strdup (major_name (sound_info.format));

  if (info.source == NULL)
    info.source = sound_source_new (input, &info);
  return (EsDataset *) es_recording_new (input->file, &info, error);
}

const EsReader es_reader_sndfile = { sound_recognises, sound_open, &es_library_sndfile };
