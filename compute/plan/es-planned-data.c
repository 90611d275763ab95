/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-planned-data.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-internal.h"
#include "recording/es-recording-internal.h"

#define MOST 1e15              /* of any number in a shape */

/* ---- sources without samples ---- */

static gboolean
refuse (GError **error)
{
  g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                       _("A data set that is only planned has no samples to be read."));
  return FALSE;
}

static gpointer
cube_handle_new (EsSampleSource *self, GError **error)
{
  refuse (error);
  return NULL;
}

static void
cube_handle_free (EsSampleSource *self, gpointer handle)
{
}

static gboolean
cube_read (EsSampleSource *self, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
           GError **error)
{
  return refuse (error);
}

static void
cube_free (EsSampleSource *self)
{
  g_free (self);
}

static gpointer
frames_handle_new (EsFrameSource *self, GError **error)
{
  refuse (error);
  return NULL;
}

static void
frames_handle_free (EsFrameSource *self, gpointer handle)
{
}

static gboolean
frames_read (EsFrameSource *self, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
             GError **error)
{
  return refuse (error);
}

static void
frames_free (EsFrameSource *self)
{
  g_free (self);
}

/* ---- shapes ---- */

static gboolean
find_type (const char *name, EskType *type)
{
  for (*type = 0; *type < ESK_N_TYPES; ++*type)
    if (strcmp (esk_type_name (*type), name) == 0)
      return TRUE;
  return FALSE;
}

/* A number of at least 1 at the beginning of *text, and what follows it. */
static gboolean
take_number (const char **text, const char *follows, gboolean whole, double *value)
{
  char *end;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  *value = g_ascii_strtod (*text, &end);
  if (!(*value >= 1 && *value <= MOST) || (whole && *value != floor (*value)) || !g_str_has_prefix (end, follows))
    return FALSE;
  *text = end + strlen (follows);
  return TRUE;
}

static EsDataset *
make_cube (double width, double height, double bands, EskType type, GError **error)
{
  EsSampleSource *source = g_new0 (EsSampleSource, 1);
  EsCubeInfo info = { .width = (guint64) width, .height = (guint64) height, .bands = (guint) bands, .type = type,
                      .format_name = g_strdup (_("Planned")), .source = source };
  EsCube *cube;

  *source = (EsSampleSource) { .handle_new = cube_handle_new, .handle_free = cube_handle_free, .read = cube_read,
                               .free = cube_free, .block_width = 1, .block_height = 1, .by_bytes = TRUE };
  cube = es_cube_new (NULL, &info, error);
  return cube != NULL ? ES_DATASET (cube) : NULL;
}

static EsDataset *
make_recording (double channels, double frames, double rate, EskType type, GError **error)
{
  EsFrameSource *source = g_new0 (EsFrameSource, 1);
  EsRecordingInfo info = { .channels = (guint) channels, .rate = rate, .frames = (guint64) frames, .type = type,
                           .scale = 1, .format_name = g_strdup (_("Planned")), .calibration = NAN, .source = source };
  EsRecording *recording;

  *source = (EsFrameSource) { .handle_new = frames_handle_new, .handle_free = frames_handle_free, .read = frames_read,
                              .free = frames_free, .by_bytes = TRUE };
  recording = es_recording_new (NULL, &info, error);
  return recording != NULL ? ES_DATASET (recording) : NULL;
}

static gboolean
parse_cube (const char *text, double *size, EskType *type)
{
  return take_number (&text, "x", TRUE, &size[0]) && take_number (&text, "x", TRUE, &size[1])
         && take_number (&text, ":", TRUE, &size[2]) && size[2] <= G_MAXUINT16 && find_type (text, type);
}

/* "3600s@4000", or "14400000@4000". */
static gboolean
parse_recording (const char *text, double *channels, double *frames, double *rate, EskType *type)
{
  const char *times;
  gboolean seconds;

  if (!take_number (&text, "x", TRUE, channels) || *channels > G_MAXUINT16)
    return FALSE;
  times = text;
  seconds = take_number (&text, "s@", FALSE, frames);
  if (!seconds && (text = times, !take_number (&text, "@", TRUE, frames)))
    return FALSE;
  if (!take_number (&text, ":", FALSE, rate) || !find_type (text, type))
    return FALSE;
  *frames = seconds ? floor (*frames * *rate + 0.5) : *frames;
  return *frames >= 1 && *frames <= MOST;
}

EsDataset *
es_planned_data_new (const char *shape, GError **error)
{
  double size[3], channels, frames, rate;
  EskType type;

  if (parse_cube (shape, size, &type))
    return make_cube (size[0], size[1], size[2], type, error);
  if (parse_recording (shape, &channels, &frames, &rate, &type))
    return make_recording (channels, frames, rate, type, error);
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is no shape: expected a cube as in %s, or a recording as in %s."), shape,
               "614x512x224:int16", "64x3600s@4000:int16");
  return NULL;
}
