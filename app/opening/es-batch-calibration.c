/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What full scale of a recording is: a file, or numbers, one for all channels or one for each. */

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "es-batch-open.h"

static const struct
{
  const char *option;
  gsize       text, number;        /* in EsBatchOpen; in EsCalibrationNumbers */
} options[] = {
  { "--sensitivity", G_STRUCT_OFFSET (EsBatchOpen, sensitivity),
    G_STRUCT_OFFSET (EsCalibrationNumbers, sensitivity_db) },
  { "--gain", G_STRUCT_OFFSET (EsBatchOpen, gain), G_STRUCT_OFFSET (EsCalibrationNumbers, gain_db) },
  { "--adc-range", G_STRUCT_OFFSET (EsBatchOpen, adc_range), G_STRUCT_OFFSET (EsCalibrationNumbers, adc_volts) },
  { "--full-scale", G_STRUCT_OFFSET (EsBatchOpen, full_scale), G_STRUCT_OFFSET (EsCalibrationNumbers, upa) },
};

static const char *
get_text (EsBatchOpen *self, guint option)
{
  return G_STRUCT_MEMBER (char *, self, options[option].text);
}

static const char *
first_option (EsBatchOpen *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (get_text (self, i) != NULL)
      return options[i].option;
  return NULL;
}

gboolean
es_batch_calibration_is_told (EsBatchOpen *self)
{
  return self->calibration != NULL || first_option (self) != NULL;
}

const char *
es_batch_calibration_get_option (EsBatchOpen *self)
{
  return self->calibration != NULL ? "--calibration" : first_option (self);
}

/* A number, or "none". */
static gboolean
read_number (const char *text, double *value)
{
  char *end;

  *value = NAN;
  if (strcmp (text, "none") == 0)
    return TRUE;
  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

gboolean
es_batch_calibration_settle (EsBatchOpen *self)
{
  const gboolean is_none = g_strcmp0 (self->calibration, "none") == 0;

  if (is_none && first_option (self) != NULL)
    {
      es_batch_usage (_("--calibration none goes without %s"), first_option (self));
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      const char *text = get_text (self, i);
      g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", -1);
      double value;

      for (char **part = parts; *part != NULL; part++)
        if (!read_number (*part, &value))
          {
            es_batch_usage (_("%s cannot be “%s”: expected a number, or one a channel with commas between"),
                            options[i].option, text);
            return FALSE;
          }
      if (self->calibration != NULL && g_strv_length (parts) > 1)
        {
          es_batch_usage (_("%s takes one number for all channels beside --calibration"), options[i].option);
          return FALSE;
        }
    }
  return TRUE;
}

/* Checked before. */
static gboolean
read_options (EsBatchOpen *self, guint n_channels, EsCalibrationNumbers *common, EsCalibrationNumbers *channels,
              guint *n, GError **error)
{
  *n = 0;
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      const char *text = get_text (self, i);
      g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", -1);
      const guint n_parts = g_strv_length (parts);

      if (n_parts > 1 && n_parts != n_channels)
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                       ngettext ("%s gives %u numbers, but the recording has %u channel",
                                 "%s gives %u numbers, but the recording has %u channels", n_channels),
                       options[i].option, n_parts, n_channels);
          return FALSE;
        }
      if (n_parts == 1)
        read_number (parts[0], &G_STRUCT_MEMBER (double, common, options[i].number));
      for (guint k = 0; n_parts > 1 && k < n_parts; k++)
        read_number (parts[k], &G_STRUCT_MEMBER (double, &channels[k], options[i].number));
      *n = n_parts > 1 ? n_parts : *n;
    }
  return TRUE;
}

gboolean
es_batch_calibration_give (EsBatchOpen *self, EsRecording *recording, GError **error)
{
  const guint n_channels = es_recording_get_n_channels (recording);
  g_autofree EsCalibrationNumbers *channels = g_new (EsCalibrationNumbers, n_channels);
  EsCalibrationNumbers common = ES_CALIBRATION_NOTHING;
  g_autoptr (EsCalibration) calibration = NULL;
  GError *local_error = NULL;
  guint n;

  if (g_strcmp0 (self->calibration, "none") == 0)
    return es_recording_name_calibration (recording, NULL, error);
  for (guint i = 0; i < n_channels; i++)
    channels[i] = ES_CALIBRATION_NOTHING;
  if (!read_options (self, n_channels, &common, channels, &n, error))
    return FALSE;
  if (self->calibration != NULL)
    {
      g_autoptr (GFile) file = es_batch_file (self->calibration);

      calibration = es_calibration_load (file, &common, error);
      if (calibration == NULL)
        return FALSE;
    }
  else
    {
      calibration = es_calibration_new (&common, n > 0 ? channels : NULL, n, &local_error);
      if (calibration == NULL)
        {
          g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "%s: %s", first_option (self),
                       local_error->message);
          g_error_free (local_error);
          return FALSE;
        }
    }
  return es_recording_name_calibration (recording, calibration, error);
}
