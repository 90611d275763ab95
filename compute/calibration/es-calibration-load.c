/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-calibration-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"
#include "saving/es-json-file-internal.h"

#define LARGEST_FILE ((gsize) 16 << 20)

void
es_calibration_told_clear (EsCalibrationTold *self)
{
  g_clear_pointer (&self->channels, g_free);
  g_clear_object (&self->file);
}

EsCalibrationNumbers *
es_calibration_told_channel (EsCalibrationTold *self, guint channel)
{
  if (channel >= self->n)
    {
      self->channels = g_renew (EsCalibrationNumbers, self->channels, channel + 1);
      for (guint i = self->n; i <= channel; i++)
        self->channels[i] = ES_CALIBRATION_NOTHING;
      self->n = channel + 1;
    }
  return &self->channels[channel];
}

static gboolean
read_text (const char *text, gsize length, const char *name, EsCalibrationTold *told, GError **error)
{
  const char *first;

  if (memchr (text, '\0', length) != NULL || !g_utf8_validate_len (text, length, NULL))
    return es_calibration_refuse (error, name, g_strdup (_("this is no text, expected a calibration as JSON or CSV.")));
  if (g_str_has_prefix (text, "\xef\xbb\xbf"))
    {
      text += 3;
      length -= 3;
    }
  for (first = text; g_ascii_isspace (*first); )
    first++;
  return *first == '{' || *first == '[' ? es_calibration_read_json (text, length, name, told, error)
                                        : es_calibration_read_table (text, name, told, error);
}

static void
put_over (EsCalibrationNumbers *common, const EsCalibrationNumbers *over)
{
  if (!isnan (over->upa))
    *common = *over;
  else if (!es_calibration_is_nothing (over))
    common->upa = NAN;
  if (!isnan (over->sensitivity_db))
    common->sensitivity_db = over->sensitivity_db;
  if (!isnan (over->gain_db))
    common->gain_db = over->gain_db;
  if (!isnan (over->adc_volts))
    common->adc_volts = over->adc_volts;
}

EsCalibration *
es_calibration_load (GFile *file, const EsCalibrationNumbers *over, GError **error)
{
  g_auto (EsCalibrationTold) told = { .common = ES_CALIBRATION_NOTHING };
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_FILE, &length, NULL, error);
  g_autoptr (EsCalibration) plain = NULL;
  GError *local_error = NULL;

  if (text == NULL || !read_text (text, length, name, &told, error))
    return NULL;
  if (over != NULL)
    put_over (&told.common, over);
  plain = es_calibration_new (&told.common, told.channels, told.n, &local_error);
  if (plain == NULL)
    g_propagate_prefixed_error (error, local_error, "“%s”: ", name);
  return plain != NULL ? es_calibration_with_source (plain, ES_CALIBRATION_NAMED, file) : NULL;
}

gboolean
es_calibration_read (GFile *file, EsCalibrationNumbers *common, char **table, GError **error)
{
  g_auto (EsCalibrationTold) told = { .common = ES_CALIBRATION_NOTHING };
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_FILE, &length, NULL, error);

  if (text == NULL || !read_text (text, length, name, &told, error))
    return FALSE;
  *common = told.common;
  *table = es_calibration_write_table (told.channels, told.n);
  return TRUE;
}

GFile *
es_calibration_sidecar_of (GFile *recording)
{
  return es_json_file_beside (recording, ES_CALIBRATION_ENDING);
}

gboolean
es_calibration_is_file (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, ES_CALIBRATION_ENDING);
}
