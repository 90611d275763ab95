/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What people read of a calibration. */

#include "es-calibration-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"

/* Above it a hydrophone hardly is; dB re 1 V/Pa are 120 more. */
#define LOUDEST_SENSITIVITY (-120.0)
#define MOST_NAMED 8u

char *
es_calibration_tell_full_scale (EsCalibration *self, guint n)
{
  double lowest = INFINITY, highest = -INFINITY;

  for (guint i = 0; i < n; i++)
    {
      const double upa = es_calibration_get_upa (self, i);

      lowest = isnan (upa) ? lowest : MIN (lowest, upa);
      highest = isnan (upa) ? highest : MAX (highest, upa);
    }
  if (!(lowest < highest))
    return g_strdup_printf (_("full scale is %.1f dB re 1 µPa"), 20 * log10 (es_calibration_get_reference (self)));
  return g_strdup_printf (_("full scale is %.1f to %.1f dB re 1 µPa, by channel"), 20 * log10 (lowest),
                          20 * log10 (highest));
}

char *
es_calibration_describe_source (EsCalibration *self)
{
  GFile *file = es_calibration_get_file (self);
  g_autofree char *name = file != NULL ? es_error_file_name (file) : NULL;

  switch (es_calibration_get_source (self))
    {
    case ES_CALIBRATION_OF_RECORDING:
      return g_strdup (_("told by the recording"));
    case ES_CALIBRATION_BESIDE:
      return name != NULL ? g_strdup_printf (_("from “%s” beside it"), name)
                          : g_strdup (_("from the files beside its channels"));
    case ES_CALIBRATION_NAMED:
      return name != NULL ? g_strdup_printf (_("from “%s”"), name) : g_strdup (_("from a file"));
    case ES_CALIBRATION_BY_HAND:
    default:
      return g_strdup (_("told by hand"));
    }
}

char *
es_calibration_describe (EsCalibration *self, guint n)
{
  const EsCalibrationNumbers *common = es_calibration_get_common (self);
  g_autofree char *scale = es_calibration_tell_full_scale (self, n);
  g_autofree char *source = es_calibration_describe_source (self);
  guint n_own;

  es_calibration_get_channels (self, &n_own);
  if (n_own > 0 || isnan (common->sensitivity_db) || isnan (common->adc_volts))
    return g_strdup_printf ("%s; %s", scale, source);
  return g_strdup_printf (_("%s (sensitivity %.6g dB re 1 V/µPa, gain %.6g dB, ADC range %.6g V); %s"), scale,
                          common->sensitivity_db, isnan (common->gain_db) ? 0 : common->gain_db, common->adc_volts,
                          source);
}

char *
es_calibration_tell_missing (EsCalibration *self, guint n)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint missing = 0;

  for (guint i = 0; i < n; i++)
    if (isnan (es_calibration_get_upa (self, i)) && ++missing <= MOST_NAMED)
      g_string_append_printf (list, "%s%u", missing > 1 ? ", " : "", i + 1);
  if (missing == 0)
    return NULL;
  if (missing > MOST_NAMED)
    g_string_append (list, " …");
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%u channel of %u is not calibrated (%s); what hears it is refused.",
                                       "%u channels of %u are not calibrated (%s); what hears them is refused.",
                                       missing), missing, n, list->str);
}

char *
es_calibration_tell_doubt (EsCalibration *self)
{
  const EsCalibrationNumbers *channels;
  double loudest = es_calibration_get_common (self)->sensitivity_db;
  guint n;

  channels = es_calibration_get_channels (self, &n);
  for (guint i = 0; i < n; i++)
    if (!isnan (channels[i].sensitivity_db) && !(loudest > channels[i].sensitivity_db))
      loudest = channels[i].sensitivity_db;
  if (!(loudest > LOUDEST_SENSITIVITY))
    return NULL;
  return g_strdup_printf (_("A sensitivity of %.6g dB is high for a hydrophone: dB re 1 V/µPa are meant, which are 120 "
                            "less than dB re 1 V/Pa."), loudest);
}
