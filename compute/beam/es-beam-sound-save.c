/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sound of a beam as a WAV file. */

#include "es-beam-sound.h"

#include <errno.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "libraries/es-sndfile-library-internal.h"
#include "saving/es-output-internal.h"

#define PORTION 65536
/* What a WAV file can hold, in bytes; longer ones are RF64. */
#define LARGEST_WAV 4000000000u

/* What a number of the file is, and where it comes from. */
static void
describe (EsBeamSound *self, guint64 first, SNDFILE *file)
{
  EsRecording *recording = es_beam_sound_get_recording (self);
  EsCalibration *calibration = es_beam_sound_get_calibration (self);
  g_autoptr (GDateTime) start = es_recording_dup_start (recording);
  g_autofree char *beam = es_beam_sound_describe (self);
  g_autoptr (GString) comment = g_string_new (NULL);

  g_string_printf (comment, "Beam at %s, as loud as in the recording: 1 is its full scale", beam);
  if (calibration != NULL)
    {
      const EsCalibrationNumbers *told = es_calibration_get_common (calibration);
      const guint n = es_recording_get_n_channels (recording);
      char level[G_ASCII_DTOSTR_BUF_SIZE], gain[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (comment, ", %s dB re 1 uPa",
                              g_ascii_formatd (level, sizeof level, "%.2f",
                                               20 * log10 (es_beam_sound_get_full_scale (self))));
      if (es_calibration_has_own_gains (calibration))
        g_string_append (comment, "; gain before it by channel");
      else if (isfinite (told->gain_db))
        g_string_append_printf (comment, "; gain before it %s dB", g_ascii_formatd (gain, sizeof gain, "%.6g",
                                                                                   told->gain_db));
      if (!es_calibration_is_alike (calibration, n))
        g_string_append (comment, "; channels brought to one sensitivity");
    }
  else
    g_string_append (comment, ", not calibrated");
  sf_set_string (file, SF_STR_COMMENT, comment->str);
  if (start != NULL)
    {
      g_autoptr (GDateTime) begin = g_date_time_add_seconds (start, first / es_beam_sound_get_rate (self));
      g_autofree char *date = begin != NULL ? g_date_time_format (begin, "%C%y-%m-%dT%H:%M:%S.%fZ") : NULL;

      if (date != NULL)
        sf_set_string (file, SF_STR_DATE, date);
    }
}

static gboolean
write_all (EsBeamSound *self, guint64 first, guint64 n, SNDFILE *file, const char *path,
           void (*progress) (double fraction, gpointer data), gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree float *samples = g_new (float, PORTION);

  for (guint64 done = 0; done < n;)
    {
      const guint part = (guint) MIN (PORTION, n - done);

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !es_beam_sound_read (self, first + done, part, samples, error))
        return FALSE;
      errno = 0;
      if (sf_write_float (file, samples, part) != (sf_count_t) part)
        return es_file_set_error (error, path, errno != 0 ? errno : EIO);
      done += part;
      if (progress != NULL)
        progress ((double) done / n, data);
    }
  return TRUE;
}

gboolean
es_beam_sound_save (EsBeamSound *self, guint64 first, guint64 n, GFile *target,
                    void (*progress) (double fraction, gpointer data), gpointer data, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);
  const EsOutput *output;
  SNDFILE *file;
  gboolean done;

  if (path == NULL || !es_library_load (&es_library_sndfile, NULL, error))
    return FALSE;
  output = es_outputs_add (outputs, path, FALSE, error);
  if (output == NULL)
    return FALSE;

  SF_INFO info = {
    .samplerate = (int) CLAMP (es_beam_sound_get_rate (self) + 0.5, 1, G_MAXINT / 2), .channels = 1,
    .format = (n > LARGEST_WAV / sizeof (float) ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | SF_FORMAT_FLOAT,
  };
  file = sf_open_fd (output->fd, SFM_WRITE, &info, FALSE);
  if (file == NULL)
    return es_file_set_error (error, output->path, EIO);
  describe (self, first, file);
  done = write_all (self, first, n, file, output->path, progress, data, cancellable, error);
  if (sf_close (file) != 0 && done)
    done = es_file_set_error (error, output->path, EIO);
  return done && es_outputs_commit (outputs, error);
}
