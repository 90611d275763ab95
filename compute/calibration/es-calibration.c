/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-calibration-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* µPa of full scale: its square has to be a float32 with room for sums. */
#define LEAST_UPA 1e-6
#define MOST_UPA 1e15

struct _EsCalibration
{
  EsCalibrationNumbers  common;
  EsCalibrationNumbers *channels;
  double               *upa;           /* n, of channels */
  double                common_upa, reference;
  guint                 n;
  EsCalibrationSource   source;
  GFile                *file;
};

G_DEFINE_BOXED_TYPE (EsCalibration, es_calibration, es_calibration_ref, es_calibration_unref)

static const struct
{
  gsize  offset;
  double least, most;
} numbers[] = {
  { G_STRUCT_OFFSET (EsCalibrationNumbers, sensitivity_db), -300, 0 },
  { G_STRUCT_OFFSET (EsCalibrationNumbers, gain_db), -200, 200 },
  { G_STRUCT_OFFSET (EsCalibrationNumbers, adc_volts), 1e-6, 1e6 },
  { G_STRUCT_OFFSET (EsCalibrationNumbers, upa), LEAST_UPA, MOST_UPA },
};

/* " of channel 3", or nothing of what is common. */
static char *
of_channel (gint64 channel)
{
  return channel < 0 ? g_strdup ("") : g_strdup_printf (_(" of channel %u"), (guint) channel + 1);
}

/* Of a number that is out of its range. */
static char *
tell_range (guint number, const char *where, double value)
{
  switch (number)
    {
    case 0:
      return g_strdup_printf (_("the sensitivity%s is %g dB, expected dB re 1 V/µPa from −300 to 0, as −180."), where,
                              value);
    case 1:
      return g_strdup_printf (_("the gain%s is %g dB, expected −200 to 200."), where, value);
    case 2:
      return g_strdup_printf (_("the ADC range%s is %g V at full scale, expected 1e-6 to 1e6."), where, value);
    default:
      return g_strdup_printf (_("full scale%s is %g µPa, expected 1e-6 to 1e15."), where, value);
    }
}

static gboolean
check_ranges (const EsCalibrationNumbers *told, gint64 channel, GError **error)
{
  g_autofree char *where = of_channel (channel);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const double value = G_STRUCT_MEMBER (double, told, numbers[i].offset);

      if (!isnan (value) && !(value >= numbers[i].least && value <= numbers[i].most))
        {
          g_autofree char *message = tell_range (i, where, value);

          g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, message);
          return FALSE;
        }
    }
  if (!isnan (told->upa) && !(isnan (told->sensitivity_db) && isnan (told->gain_db) && isnan (told->adc_volts)))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("full scale%s is told twice, expected its micropascals or sensitivity, gain and ADC range."),
                   where);
      return FALSE;
    }
  return TRUE;
}

gboolean
es_calibration_is_nothing (const EsCalibrationNumbers *told)
{
  return isnan (told->sensitivity_db) && isnan (told->gain_db) && isnan (told->adc_volts) && isnan (told->upa);
}

static double
or_common (double own, double common)
{
  return isnan (own) ? common : own;
}

static EsCalibrationNumbers
resolve (const EsCalibrationNumbers *common, const EsCalibrationNumbers *own)
{
  if (es_calibration_is_nothing (own))
    return *common;
  if (!isnan (own->upa))
    return *own;
  return (EsCalibrationNumbers) { or_common (own->sensitivity_db, common->sensitivity_db),
                                  or_common (own->gain_db, common->gain_db),
                                  or_common (own->adc_volts, common->adc_volts), NAN };
}

/* NAN in *upa: the numbers come to nothing. strict: then that is an error, which says what is missing. */
static gboolean
work_out (const EsCalibrationNumbers *told, gint64 channel, gboolean strict, double *upa, GError **error)
{
  g_autofree char *where = of_channel (channel);

  *upa = NAN;
  if (!isnan (told->upa))
    *upa = told->upa;
  else if (!isnan (told->sensitivity_db) && !isnan (told->adc_volts))
    *upa = told->adc_volts / pow (10, (told->sensitivity_db + or_common (told->gain_db, 0)) / 20);
  else if (strict)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   isnan (told->sensitivity_db)
                   ? _("the sensitivity%s is missing, expected dB re 1 V/µPa, as −180.")
                   : _("the ADC range%s is missing, expected the volts of full scale, as 2.5."), where);
      return FALSE;
    }
  if (!isnan (*upa) && !(*upa >= LEAST_UPA && *upa <= MOST_UPA))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("full scale%s comes to %.1f dB re 1 µPa, expected −120 to 300."), where, 20 * log10 (*upa));
      return FALSE;
    }
  return TRUE;
}

static gboolean
settle (EsCalibration *self, GError **error)
{
  gboolean any = FALSE;

  if (!check_ranges (&self->common, -1, error))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      const EsCalibrationNumbers resolved = resolve (&self->common, &self->channels[i]);

      if (!check_ranges (&self->channels[i], i, error)
          || !work_out (&resolved, i, !es_calibration_is_nothing (&self->channels[i]), &self->upa[i], error))
        return FALSE;
      if (!any && !isnan (self->upa[i]))
        self->reference = self->upa[i];
      any = any || !isnan (self->upa[i]);
    }
  /* Common numbers may be there for channels to complete; alone they have to be enough. */
  if (!work_out (&self->common, -1, !any, &self->common_upa, error))
    return FALSE;
  if (!isnan (self->common_upa))
    self->reference = self->common_upa;
  return TRUE;
}

EsCalibration *
es_calibration_new (const EsCalibrationNumbers *common, const EsCalibrationNumbers *channels, guint n, GError **error)
{
  g_autoptr (EsCalibration) self = g_atomic_rc_box_new0 (EsCalibration);

  if (n > ES_CALIBRATION_MOST_CHANNELS)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE, _("%u channels are calibrated, expected at most %u."), n,
                   ES_CALIBRATION_MOST_CHANNELS);
      return NULL;
    }
  /* Channels without numbers of their own at the end are as all that follow. */
  while (n > 0 && es_calibration_is_nothing (&channels[n - 1]))
    n--;
  self->common = *common;
  self->n = n;
  self->channels = n > 0 ? g_memdup2 (channels, n * sizeof *channels) : NULL;
  self->upa = n > 0 ? g_new (double, n) : NULL;
  self->source = ES_CALIBRATION_BY_HAND;
  return settle (self, error) ? g_steal_pointer (&self) : NULL;
}

static void
clear_calibration (gpointer data)
{
  EsCalibration *self = data;

  g_free (self->channels);
  g_free (self->upa);
  g_clear_object (&self->file);
}

EsCalibration *
es_calibration_ref (EsCalibration *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
es_calibration_unref (EsCalibration *self)
{
  g_atomic_rc_box_release_full (self, clear_calibration);
}

EsCalibration *
es_calibration_with_source (EsCalibration *self, EsCalibrationSource source, GFile *file)
{
  EsCalibration *other = es_calibration_new (&self->common, self->channels, self->n, NULL);

  other->source = source;
  other->file = file != NULL ? g_object_ref (file) : NULL;
  return other;
}

EsCalibration *
es_calibration_of_channel (EsCalibration *self, guint channel)
{
  const EsCalibrationNumbers own = channel < self->n ? resolve (&self->common, &self->channels[channel])
                                                     : self->common;
  EsCalibration *one = isnan (es_calibration_get_upa (self, channel)) ? NULL : es_calibration_new (&own, NULL, 0, NULL);

  if (one != NULL)
    {
      one->source = self->source;
      one->file = self->file != NULL ? g_object_ref (self->file) : NULL;
    }
  return one;
}

EsCalibration *
es_calibration_spread (EsCalibration *self, guint n)
{
  g_autofree EsCalibrationNumbers *own = g_new (EsCalibrationNumbers, MAX (n, 1));
  const EsCalibrationNumbers none = ES_CALIBRATION_NOTHING;
  EsCalibration *other;

  for (guint i = 0; i < n; i++)
    own[i] = isnan (es_calibration_get_upa (self, i)) ? none
             : i < self->n ? resolve (&self->common, &self->channels[i]) : self->common;
  other = es_calibration_new (&self->common, own, n, NULL);
  other->source = self->source;
  other->file = self->file != NULL ? g_object_ref (self->file) : NULL;
  return other;
}

static gboolean
same (const EsCalibrationNumbers *a, const EsCalibrationNumbers *b)
{
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const double one = G_STRUCT_MEMBER (double, a, numbers[i].offset);
      const double other = G_STRUCT_MEMBER (double, b, numbers[i].offset);

      if (isnan (one) ? !isnan (other) : one != other)
        return FALSE;
    }
  return TRUE;
}

gboolean
es_calibration_equal (EsCalibration *self, EsCalibration *other)
{
  if (self == other)
    return TRUE;
  if (self == NULL || other == NULL || self->n != other->n || !same (&self->common, &other->common))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (!same (&self->channels[i], &other->channels[i]))
      return FALSE;
  return TRUE;
}

EsCalibrationSource
es_calibration_get_source (EsCalibration *self)
{
  return self->source;
}

GFile *
es_calibration_get_file (EsCalibration *self)
{
  return self->file;
}

const EsCalibrationNumbers *
es_calibration_get_common (EsCalibration *self)
{
  return &self->common;
}

const EsCalibrationNumbers *
es_calibration_get_channels (EsCalibration *self, guint *n)
{
  *n = self->n;
  return self->channels;
}

double
es_calibration_get_upa (EsCalibration *self, guint channel)
{
  return channel < self->n ? self->upa[channel] : self->common_upa;
}

double
es_calibration_get_reference (EsCalibration *self)
{
  return self->reference;
}

gboolean
es_calibration_has_own_gains (EsCalibration *self)
{
  for (guint i = 0; i < self->n; i++)
    if (!isnan (self->channels[i].gain_db))
      return TRUE;
  return FALSE;
}

gboolean
es_calibration_is_alike (EsCalibration *self, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!(es_calibration_get_upa (self, i) == self->reference))
      return FALSE;
  return TRUE;
}

gboolean
es_calibration_check (EsCalibration *self, guint n, GError **error)
{
  guint calibrated = 0;

  if (self->n > n)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   g_dngettext (GETTEXT_PACKAGE, "The calibration is of %u channels, but the recording has %u channel.",
                                "The calibration is of %u channels, but the recording has %u channels.", n),
                   self->n, n);
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    calibrated += !isnan (es_calibration_get_upa (self, i));
  if (calibrated > 0)
    return TRUE;
  g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("The calibration is of no channel."));
  return FALSE;
}

gboolean
es_calibration_check_channel (EsCalibration *self, guint channel, GError **error)
{
  if (self == NULL || !isnan (es_calibration_get_upa (self, channel)))
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("Channel %u is not calibrated, but others are: give its sensitivity, mark its element as dead, or "
                 "leave all uncalibrated."), channel + 1);
  return FALSE;
}
