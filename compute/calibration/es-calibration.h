/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * What full scale of a recording is in micropascal, of all channels or of each. Immutable, counted, any thread.
 *
 *   micropascal of full scale (a sample of 1) = adc_volts / 10^((sensitivity_db + gain_db) / 20)
 *
 * A channel that has numbers of its own has the common ones where it tells none; a channel that comes to nothing is not
 * calibrated, and what hears it is refused (es_calibration_check_channel ()).
 */
#define ES_TYPE_CALIBRATION (es_calibration_get_type ())
typedef struct _EsCalibration EsCalibration;
GType es_calibration_get_type (void);

/* NAN: not told. Either upa or the others. */
typedef struct
{
  double sensitivity_db;       /* of the hydrophone, dB re 1 V/µPa: -300..0, about -180 */
  double gain_db;              /* between hydrophone and converter: -200..200; not told: 0 */
  double adc_volts;            /* at the converter's full scale, peak: 1e-6..1e6 */
  double upa;                  /* µPa of full scale, at once */
} EsCalibrationNumbers;

#define ES_CALIBRATION_NOTHING ((EsCalibrationNumbers) { NAN, NAN, NAN, NAN })

/* Who told it. */
typedef enum
{
  ES_CALIBRATION_OF_RECORDING, /* the recording's own file */
  ES_CALIBRATION_BESIDE,       /* the file beside it */
  ES_CALIBRATION_NAMED,        /* a file that was named for it */
  ES_CALIBRATION_BY_HAND,      /* a person: numbers */
} EsCalibrationSource;

/* channels: n of them from the first on, copied; NULL and 0 where all are alike. ES_DATA_ERROR_FORMAT: one sentence, of
 * a number that is out of its range, of what is missing, or of a full scale outside -120..300 dB re 1 µPa. By hand. */
EsCalibration *es_calibration_new         (const EsCalibrationNumbers *common, const EsCalibrationNumbers *channels,
                                           guint n, GError **error);
EsCalibration *es_calibration_ref         (EsCalibration *self);
void           es_calibration_unref       (EsCalibration *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsCalibration, es_calibration_unref)
/* The same numbers, told by another. file: nullable. Transfer full. */
EsCalibration *es_calibration_with_source (EsCalibration *self, EsCalibrationSource source, GFile *file);
/* What one channel of it comes to, as that of a recording of one channel; NULL: it is not calibrated. Transfer full. */
EsCalibration *es_calibration_of_channel  (EsCalibration *self, guint channel);
/* Of n channels, each by its own numbers. Transfer full. */
EsCalibration *es_calibration_spread      (EsCalibration *self, guint n);
/* The same numbers, whoever told them. Nullable, both. */
gboolean       es_calibration_equal       (EsCalibration *self, EsCalibration *other);

EsCalibrationSource es_calibration_get_source (EsCalibration *self);
GFile              *es_calibration_get_file   (EsCalibration *self);   /* nullable, borrowed */
const EsCalibrationNumbers *es_calibration_get_common   (EsCalibration *self);
const EsCalibrationNumbers *es_calibration_get_channels (EsCalibration *self, guint *n);  /* NULL where n is 0 */

/* µPa of full scale of a channel (from 0); NAN: it is not calibrated. */
double   es_calibration_get_upa       (EsCalibration *self, guint channel);
/* The same of the common numbers, or where these come to nothing of the first channel that is calibrated: what others
 * are counted from. Never NAN. */
double   es_calibration_get_reference (EsCalibration *self);
/* Whether some channel tells a gain of its own. */
gboolean es_calibration_has_own_gains (EsCalibration *self);
/* Whether the first n channels are alike. */
gboolean es_calibration_is_alike      (EsCalibration *self, guint n);

/* ES_DATA_ERROR_FORMAT: it has numbers of channels that a recording of n channels does not have, or of none of its. */
gboolean es_calibration_check         (EsCalibration *self, guint n, GError **error);
/* ES_COMPUTE_ERROR_PARAMETER: the channel is not calibrated while others are. self: nullable. */
gboolean es_calibration_check_channel (EsCalibration *self, guint channel, GError **error);

/* Sentences and parts of them, translated, transfer full: "full scale is 171.2 dB re 1 µPa"; with the numbers and who
 * told them; which of the first n channels are not calibrated (NULL: all are); what looks like a slip (NULL:
 * nothing). */
char    *es_calibration_tell_full_scale (EsCalibration *self, guint n);
char    *es_calibration_describe        (EsCalibration *self, guint n);
char    *es_calibration_describe_source (EsCalibration *self);
char    *es_calibration_tell_missing    (EsCalibration *self, guint n);
char    *es_calibration_tell_doubt      (EsCalibration *self);

/*
 * Eigenscope's own JSON, or a table of channels: CSV with a header row (channel, counted from 1; sensitivity_db,
 * gain_db, adc_volts or upa_per_unit). over: common numbers that go before the file's; nullable. ES_DATA_ERROR: one
 * sentence that names the file, what was found and what was expected. Named, with its file. Transfer full.
 */
EsCalibration *es_calibration_load       (GFile *file, const EsCalibrationNumbers *over, GError **error);
/* What a file says, not held together: it may lack what a person still tells. table: as es_calibration_to_table ()
 * gives it, transfer full. The same errors but for what is missing or out of its range. */
gboolean       es_calibration_read       (GFile *file, EsCalibrationNumbers *common, char **table, GError **error);
/* Numbers of channels alone, as text; *n of them from the first on, NOTHING where a row is missing. Transfer full. */
EsCalibrationNumbers *es_calibration_parse_table (const char *text, const char *name, guint *n, GError **error);
/* "channel,sensitivity_db,gain_db,adc_volts" and its rows; "" where no channel has numbers of its own. */
char          *es_calibration_to_table   (EsCalibration *self);
/* Eigenscope's own JSON ("<recording>.calibration.json"); writes beside and renames. */
gboolean       es_calibration_save       (EsCalibration *self, GFile *file, GError **error);
/* The same as a tree: of a result. With who told it (`source`, `file`). */
JsonNode      *es_calibration_to_node    (EsCalibration *self);
/* Member "calibration" of a result's values: the tree, or null of NULL. */
void           es_calibration_add_values (EsCalibration *self, JsonObject *values);
EsCalibration *es_calibration_from_node  (JsonNode *root, GError **error);
/* Where that of a recording lies. Transfer full. */
GFile         *es_calibration_sidecar_of (GFile *recording);
#define ES_CALIBRATION_ENDING ".calibration.json"
/* By its name. */
gboolean       es_calibration_is_file    (GFile *file);

G_END_DECLS
