/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-recording-object-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-show.h"

#define MOST_CHANNELS 65536u
enum { PROP_0, PROP_ARRAY, PROP_CALIBRATION, PROP_NAVIGATION, PROP_FRAMES, PROP_GROWING, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsRecording, es_recording, ES_TYPE_DATASET)

void
es_recording_info_clear (EsRecordingInfo *info)
{
  g_clear_pointer (&info->channel_frames, g_free);
  g_clear_pointer (&info->type_name, g_free);
  g_clear_pointer (&info->format_name, g_free);
  if (info->channel_names != NULL)
    for (guint i = 0; i < info->channels; i++)
      g_free (info->channel_names[i]);
  g_clear_pointer (&info->channel_names, g_free);
  g_clear_pointer (&info->start, g_date_time_unref);
  if (info->files != NULL)
    for (GFile **file = info->files; *file != NULL; file++)
      g_object_unref (*file);
  g_clear_pointer (&info->files, g_free);
  g_clear_pointer (&info->array, es_array_unref);
  g_clear_pointer (&info->identity, g_free);
  if (info->source != NULL)
    info->source->free (info->source);
  info->source = NULL;
}

static void
es_recording_finalize (GObject *object)
{
  EsRecording *self = ES_RECORDING (object);

  _es_recording_drop_idle (self);
  g_array_unref (self->idle);
  g_clear_pointer (&self->extent, _es_recording_extent_unref);
  es_recording_info_clear (&self->info);
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_pointer (&self->array_beside, es_array_unref);
  g_clear_pointer (&self->calibration, es_calibration_unref);
  g_clear_pointer (&self->navigation, es_navigation_unref);
  g_free (self->array_problem);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (es_recording_parent_class)->finalize (object);
}

static void
es_recording_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ARRAY)
    g_value_take_boxed (value, es_recording_get_array (ES_RECORDING (object)));
  else if (id == PROP_CALIBRATION)
    g_value_take_boxed (value, es_recording_dup_calibration (ES_RECORDING (object)));
  else if (id == PROP_NAVIGATION)
    g_value_take_boxed (value, es_recording_dup_navigation (ES_RECORDING (object)));
  else if (id == PROP_FRAMES)
    g_value_set_uint64 (value, es_recording_get_frames (ES_RECORDING (object)));
  else if (id == PROP_GROWING)
    g_value_set_boolean (value, es_recording_is_growing (ES_RECORDING (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_recording_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_ARRAY)
    es_recording_set_array (ES_RECORDING (object), g_value_get_boxed (value));
  else if (id == PROP_CALIBRATION)
    es_recording_set_calibration (ES_RECORDING (object), g_value_get_boxed (value));
  else if (id == PROP_NAVIGATION)
    es_recording_set_navigation (ES_RECORDING (object), g_value_get_boxed (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static char *
format_duration (double seconds)
{
  /* A rate may be next to nothing. */
  const guint64 whole = (guint64) MIN (seconds, 3600.0 * G_MAXUINT);

  if (seconds < 120)
    return g_strdup_printf (_("%.4g s"), seconds);
  if (whole < 7200)
    return g_strdup_printf (_("%u min %02u s"), (guint) (whole / 60), (guint) (whole % 60));
  return g_strdup_printf (_("%u h %02u min"), (guint) (whole / 3600), (guint) (whole / 60 % 60));
}

static char *
es_recording_describe (EsDataset *dataset)
{
  EsRecording *self = ES_RECORDING (dataset);
  EsRecordingInfo *info = &self->info;
  g_autofree char *duration = format_duration (es_recording_get_seconds (self));
  g_autofree char *channels = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u channel", "%u channels",
                                                            info->channels), info->channels);
  g_autofree char *rate = info->rate >= 1000 ? g_strdup_printf (_("%.6g kHz"), info->rate / 1000)
                                             : g_strdup_printf (_("%.6g Hz"), info->rate);

  /* Translators: a recording in one line: "6 channels, 32 kHz, 17.01 s". */
  return g_strdup_printf (_("%s, %s, %s"), channels, rate, duration);
}

static char *
es_recording_shape (EsDataset *dataset)
{
  EsRecordingInfo *info = &ES_RECORDING (dataset)->info;

  return g_strdup_printf ("%" G_GUINT64_FORMAT "x%u", es_recording_get_frames (ES_RECORDING (dataset)), info->channels);
}

static GFile * const *
es_recording_get_input_files (EsDataset *dataset)
{
  return es_recording_get_files (ES_RECORDING (dataset));
}

static void
es_recording_class_init (EsRecordingClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  EsDatasetClass *dataset_class = ES_DATASET_CLASS (class);

  object_class->finalize = es_recording_finalize;
  object_class->get_property = es_recording_get_property;
  object_class->set_property = es_recording_set_property;
  dataset_class->kind = ES_DATASET_RECORDING;
  dataset_class->describe = es_recording_describe;
  dataset_class->shape = es_recording_shape;
  dataset_class->add_input = _es_recording_add_input;
  dataset_class->append_input = _es_recording_append_input;
  dataset_class->get_files = es_recording_get_input_files;

  properties[PROP_ARRAY] = g_param_spec_boxed ("array", NULL, NULL, ES_TYPE_ARRAY,
                                               G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_CALIBRATION] =
    g_param_spec_boxed ("calibration", NULL, NULL, ES_TYPE_CALIBRATION,
                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_NAVIGATION] =
    g_param_spec_boxed ("navigation", NULL, NULL, ES_TYPE_NAVIGATION,
                        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_FRAMES] = g_param_spec_uint64 ("frames", NULL, NULL, 0, G_MAXUINT64, 0,
                                                 G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_GROWING] =
    g_param_spec_boolean ("growing", NULL, NULL, FALSE,
                          G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_recording_init (EsRecording *self)
{
  g_mutex_init (&self->mutex);
  self->idle = g_array_new (FALSE, FALSE, sizeof (EsFrameHandle));
}

static gboolean
check_info (const char *name, const EsRecordingInfo *info, GError **error)
{
  guint64 bytes;

  if (info->channels == 0 || info->frames == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” holds no samples: %u channels of %" PRIu64 " frames; one of each was expected at "
                     "least"), name, info->channels, info->frames);
      return FALSE;
    }
  if (info->channels > MOST_CHANNELS)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” has %u channels; at most %u were expected"), name, info->channels, MOST_CHANNELS);
      return FALSE;
    }
  if (!isfinite (info->rate) || info->rate <= 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” gives a sampling rate of %g Hz; a positive one was expected"), name, info->rate);
      return FALSE;
    }
  if (esk_type_size (info->type) == 0 ||
      __builtin_mul_overflow (info->frames, (guint64) info->channels, &bytes) ||
      __builtin_mul_overflow (bytes, (guint64) MAX (esk_type_size (info->type), sizeof (float)), &bytes) ||
      bytes > G_MAXINT64)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” claims %u channels of %" PRIu64 " frames, which is more than any file holds"),
                   name, info->channels, info->frames);
      return FALSE;
    }
  return TRUE;
}

static guint
count_files (const EsRecordingInfo *info)
{
  guint n = 0;

  while (info->files != NULL && info->files[n] != NULL)
    n++;
  return n;
}

static void
settle_files (EsRecording *self, GFile *file, const char *name)
{
  EsRecordingInfo *info = &self->info;
  guint n = count_files (info);

  if (n == 0)
    {
      g_clear_pointer (&info->files, g_free);
      info->files = g_new0 (GFile *, 2);
      if (file != NULL)
        info->files[n++] = g_object_ref (file);
    }
  if (n == 0)
    {
      _es_dataset_set_file (ES_DATASET (self), NULL, name);
      return;
    }

  g_autofree char *identity = info->identity != NULL ? g_strdup (info->identity)
                                                     : _es_dataset_identity_of (info->files[0]);
  g_autofree char *base = g_file_get_basename (info->files[0]);
  g_autofree char *shown = g_filename_display_name (base != NULL ? base : "");
  /* Translators: a recording of many files: "pod.1.wav and 5 more". */
  g_autofree char *all = n > 1 ? g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s and %u more", "%s and %u more",
                                                               n - 1), shown, n - 1)
                               : g_strdup (shown);
  _es_dataset_set_file (ES_DATASET (self), info->files[0], all);
  _es_dataset_set_identity (ES_DATASET (self), identity);
}

EsRecording *
es_recording_new (GFile *file, EsRecordingInfo *info, GError **error)
{
  g_autofree char *name = file != NULL ? es_error_file_name (file) : g_strdup (_("recording in memory"));
  EsRecording *self;

  if (!check_info (name, info, error))
    {
      es_recording_info_clear (info);
      return NULL;
    }

  self = g_object_new (ES_TYPE_RECORDING, NULL);
  self->info = *info;
  memset (info, 0, sizeof *info);
  self->page_locked = self->info.source->page_locked;
  self->extent = _es_recording_extent_new (&self->info);
  self->array = g_steal_pointer (&self->info.array);
  self->calibration = es_recording_dup_own_calibration (self);
  for (guint i = 0; self->info.channel_names != NULL && i < self->info.channels; i++)
    {
      char *given = self->info.channel_names[i];

      self->info.channel_names[i] = es_text_show (given);
      g_free (given);
    }
  settle_files (self, file, name);
  if (self->info.start == NULL)
    self->info.start = es_recording_time_of_name (es_dataset_get_name (ES_DATASET (self)), NULL);
  self->navigation = es_recording_dup_own_navigation (self);
  return self;
}

guint
es_recording_get_n_channels (EsRecording *self)
{
  return self->info.channels;
}

double
es_recording_get_rate (EsRecording *self)
{
  return self->info.rate;
}

const char *
es_recording_get_channel_name (EsRecording *self, guint channel)
{
  g_return_val_if_fail (channel < self->info.channels, NULL);

  return self->info.channel_names != NULL ? self->info.channel_names[channel] : NULL;
}

const char *
es_recording_get_type_name (EsRecording *self)
{
  return self->info.type_name != NULL ? self->info.type_name : esk_type_name (self->info.type);
}

const char *
es_recording_get_format_name (EsRecording *self)
{
  return self->info.format_name != NULL ? self->info.format_name : "";
}

GFile * const *
es_recording_get_files (EsRecording *self)
{
  return self->info.files;
}

EskType
es_recording_get_type_code (EsRecording *self)
{
  return self->info.type;
}

double
es_recording_get_scale (EsRecording *self)
{
  return self->info.scale;
}

void
es_recording_get_range (EsRecording *self, double *full, double *highest)
{
  const EskType type = self->info.type;

  *full = type == ESK_I16 ? 32768 : type == ESK_I32 ? 2147483648.0 : 1;
  *highest = type == ESK_I16 ? 32767 : type == ESK_I32 ? 2147483648.0 - 256 : 1;
}
