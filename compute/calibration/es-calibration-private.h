/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-calibration.h"

G_BEGIN_DECLS

#define ES_CALIBRATION_MOST_CHANNELS 65536u

/* What a file says, before it is held together. */
typedef struct
{
  EsCalibrationNumbers  common;
  EsCalibrationNumbers *channels;      /* owned; NULL where n is 0 */
  guint                 n;
  EsCalibrationSource   source;
  GFile                *file;          /* nullable, owned */
} EsCalibrationTold;

void     es_calibration_told_clear (EsCalibrationTold *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsCalibrationTold, es_calibration_told_clear)
/* The entry of a channel (from 0), made with NOTHING in it where there is none yet. */
EsCalibrationNumbers *es_calibration_told_channel (EsCalibrationTold *self, guint channel);

/* "“name”: message", which it frees. FALSE. */
gboolean es_calibration_refuse     (GError **error, const char *name, char *message);
gboolean es_calibration_is_nothing (const EsCalibrationNumbers *numbers);
gboolean es_calibration_read_json  (const char *text, gsize length, const char *name, EsCalibrationTold *told,
                                    GError **error);
char    *es_calibration_write_table (const EsCalibrationNumbers *channels, guint n);
gboolean es_calibration_read_table (const char *text, const char *name, EsCalibrationTold *told, GError **error);

G_END_DECLS
