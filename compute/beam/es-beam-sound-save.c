/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sound of a beam as a WAV file. */

#include "es-beam-sound.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <sndfile.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "saving/es-output-internal.h"

/* -1 dB of full scale. */
#define LOUDEST 0.8912509
#define PORTION 65536
/* What a WAV file can hold; longer ones are RF64. */
#define LARGEST_WAV 4000000000u

typedef struct
{
  EsBeamSound  *sound;
  guint64       first, n;
  void        (*progress) (double fraction, gpointer data);
  gpointer      data;
  GCancellable *cancellable;
  double        from, share;   /* of the progress: what this pass begins at and has */
} Pass;

/* Portion by portion; `take` is given each. */
static gboolean
go_through (const Pass *pass, gboolean (*take) (const float *samples, guint n, gpointer data, GError **error),
            gpointer data, GError **error)
{
  g_autofree float *samples = g_new (float, PORTION);

  for (guint64 done = 0; done < pass->n;)
    {
      const guint n = (guint) MIN (PORTION, pass->n - done);

      if (g_cancellable_set_error_if_cancelled (pass->cancellable, error)
          || !es_beam_sound_read (pass->sound, pass->first + done, n, samples, error)
          || !take (samples, n, data, error))
        return FALSE;
      done += n;
      if (pass->progress != NULL)
        pass->progress (pass->from + pass->share * done / pass->n, pass->data);
    }
  return TRUE;
}

static gboolean
find_loudest (const float *samples, guint n, gpointer data, GError **error)
{
  float *loudest = data;

  for (guint i = 0; i < n; i++)
    *loudest = MAX (*loudest, fabsf (samples[i]));
  return TRUE;
}

typedef struct
{
  SNDFILE    *file;
  const char *path;
  float       gain;
  short      *shorts;
} Target;

static gboolean
write_samples (const float *samples, guint n, gpointer data, GError **error)
{
  Target *target = data;

  for (guint i = 0; i < n; i++)
    target->shorts[i] = (short) CLAMP (lrintf (samples[i] * target->gain * 32768), -32768, 32767);
  errno = 0;
  if (sf_write_short (target->file, target->shorts, n) == (sf_count_t) n)
    return TRUE;
  return es_file_set_error (error, target->path, errno != 0 ? errno : EIO);
}

gboolean
es_beam_sound_save (EsBeamSound *self, guint64 first, guint64 n, gboolean normalise, GFile *file, double *gain,
                    void (*progress) (double fraction, gpointer data), gpointer data, GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (file, error);
  g_autofree short *shorts = g_new (short, PORTION);
  Pass pass = { self, first, n, progress, data, cancellable, 0, normalise ? 0.5 : 1 };
  const EsOutput *output;
  float loudest = 0;
  gboolean done;

  if (path == NULL)
    return FALSE;
  if (normalise)
    {
      if (!go_through (&pass, find_loudest, &loudest, error))
        return FALSE;
      pass.from = 0.5;
    }
  output = es_outputs_add (outputs, path, FALSE, error);
  if (output == NULL)
    return FALSE;

  SF_INFO info = {
    .samplerate = (int) CLAMP (es_beam_sound_get_rate (self) + 0.5, 1, G_MAXINT / 2), .channels = 1,
    .format = (n > LARGEST_WAV / 2 ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | SF_FORMAT_PCM_16,
  };
  Target target = { .path = output->path, .shorts = shorts,
                    .gain = normalise && loudest > 0 ? (float) (LOUDEST / loudest) : 1 };
  target.file = sf_open_fd (output->fd, SFM_WRITE, &info, FALSE);
  if (target.file == NULL)
    return es_file_set_error (error, output->path, EIO);
  char decibels[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *comment = g_strdup_printf ("A beam, %s dB above its level in the recording",
                                              g_ascii_formatd (decibels, sizeof decibels, "%.2f",
                                                               20 * log10 (target.gain)));
  sf_set_string (target.file, SF_STR_COMMENT, comment);
  done = go_through (&pass, write_samples, &target, error);
  if (sf_close (target.file) != 0 && done)
    done = es_file_set_error (error, output->path, EIO);
  if (!done || !es_outputs_commit (outputs, error))
    return FALSE;
  if (gain != NULL)
    *gain = 20 * log10 (target.gain);
  return TRUE;
}
