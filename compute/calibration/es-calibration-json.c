/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-calibration-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "saving/es-json-file-internal.h"

/*
 * { "eigenscope-calibration": 1, "sensitivity-db": -180, "gain-db": 20, "adc-volts": 2.5,
 *   "channels": [ { "channel": 1, "sensitivity-db": -181.2 }, ... ] }
 *
 * or "upa-per-unit" instead of the three. dB re 1 V/µPa, dB, volts (peak) of full scale; channels count from 1 and have
 * the common numbers where they tell none. In results also "source" and "file".
 */
#define MARK "eigenscope-calibration"
#define VERSION 1

static const struct
{
  const char *name;
  gsize       offset;
} members[] = {
  { "sensitivity-db", G_STRUCT_OFFSET (EsCalibrationNumbers, sensitivity_db) },
  { "gain-db", G_STRUCT_OFFSET (EsCalibrationNumbers, gain_db) },
  { "adc-volts", G_STRUCT_OFFSET (EsCalibrationNumbers, adc_volts) },
  { "upa-per-unit", G_STRUCT_OFFSET (EsCalibrationNumbers, upa) },
};

static const char *const sources[] = { "recording", "beside", "named", "hand" };

/* ---- writing ---- */

static void
add_numbers (JsonBuilder *builder, const EsCalibrationNumbers *numbers)
{
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      const double value = G_STRUCT_MEMBER (double, numbers, members[i].offset);

      if (isnan (value))
        continue;
      json_builder_set_member_name (builder, members[i].name);
      json_builder_add_double_value (builder, value);
    }
}

static JsonNode *
make_tree (EsCalibration *self, gboolean with_source)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  GFile *file = es_calibration_get_file (self);
  const EsCalibrationNumbers *channels;
  guint n;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, MARK);
  json_builder_add_int_value (builder, VERSION);
  add_numbers (builder, es_calibration_get_common (self));
  channels = es_calibration_get_channels (self, &n);
  if (n > 0)
    {
      json_builder_set_member_name (builder, "channels");
      json_builder_begin_array (builder);
    }
  for (guint i = 0; i < n; i++)
    if (!es_calibration_is_nothing (&channels[i]))
      {
        json_builder_begin_object (builder);
        json_builder_set_member_name (builder, "channel");
        json_builder_add_int_value (builder, i + 1);
        add_numbers (builder, &channels[i]);
        json_builder_end_object (builder);
      }
  if (n > 0)
    json_builder_end_array (builder);
  if (with_source)
    {
      json_builder_set_member_name (builder, "source");
      json_builder_add_string_value (builder, sources[es_calibration_get_source (self)]);
    }
  if (with_source && file != NULL)
    {
      g_autofree char *name = g_file_get_parse_name (file);

      json_builder_set_member_name (builder, "file");
      json_builder_add_string_value (builder, name);
    }
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

JsonNode *
es_calibration_to_node (EsCalibration *self)
{
  return make_tree (self, TRUE);
}

void
es_calibration_add_values (EsCalibration *self, JsonObject *values)
{
  if (self != NULL)
    json_object_set_member (values, "calibration", es_calibration_to_node (self));
  else
    json_object_set_null_member (values, "calibration");
}

gboolean
es_calibration_save (EsCalibration *self, GFile *file, GError **error)
{
  static const char *const known[] = { MARK, "sensitivity-db", "gain-db", "adc-volts", "upa-per-unit", "channels",
                                       "source", "file", NULL };
  static const char *const of_channel[] = { "channel", "sensitivity-db", "gain-db", "adc-volts", "upa-per-unit", NULL };
  static const EsJsonEntries channels = { "channels", "channel", of_channel };
  g_autoptr (JsonNode) root = make_tree (self, FALSE);

  return es_json_file_save_over (root, file, MARK, known, &channels, error);
}

/* ---- reading ---- */

gboolean
es_calibration_refuse (GError **error, const char *name, char *message)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "“%s”: %s", name, message);
  g_free (message);
  return FALSE;
}

/* TRUE and NAN where there is none; FALSE where it is no number. */
static gboolean
read_number (JsonObject *object, const char *key, double *value)
{
  JsonNode *node = json_object_get_member (object, key);

  *value = NAN;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node)
      || (json_node_get_value_type (node) != G_TYPE_INT64 && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return FALSE;
  *value = json_node_get_double (node);
  return isfinite (*value);
}

static gboolean
read_numbers (JsonObject *object, const char *name, EsCalibrationNumbers *numbers, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    if (!read_number (object, members[i].name, &G_STRUCT_MEMBER (double, numbers, members[i].offset)))
      return es_calibration_refuse (error, name, g_strdup_printf (_("“%s” cannot be read, expected a finite number."),
                                                                  members[i].name));
  return TRUE;
}

/* A word that nobody knows is a number that somebody thought to have told. */
static gboolean
check_names (JsonObject *object, gboolean is_channel, const char *name, GError **error)
{
  g_autoptr (GList) names = json_object_get_members (object);

  for (GList *l = names; l != NULL; l = l->next)
    {
      const char *member = l->data;
      gboolean known = is_channel ? strcmp (member, "channel") == 0 || strcmp (member, "name") == 0
                                  : strcmp (member, MARK) == 0 || strcmp (member, "channels") == 0
                                    || strcmp (member, "source") == 0 || strcmp (member, "file") == 0
                                    || strcmp (member, "comment") == 0;

      for (guint i = 0; i < G_N_ELEMENTS (members) && !known; i++)
        known = strcmp (member, members[i].name) == 0;
      if (!known)
        return es_calibration_refuse (error, name,
                                      g_strdup_printf (_("“%s” is not known, expected “sensitivity-db”, “gain-db”, "
                                                         "“adc-volts” or “upa-per-unit”."), member));
    }
  return TRUE;
}

static gboolean
read_channel (JsonNode *node, guint number, const char *name, EsCalibrationTold *told, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  EsCalibrationNumbers *numbers;
  double channel = NAN;

  if (object == NULL || !read_number (object, "channel", &channel)
      || !(channel >= 1 && channel <= ES_CALIBRATION_MOST_CHANNELS && channel == rint (channel)))
    return es_calibration_refuse (error, name,
                                  g_strdup_printf (_("entry %u of the channels has no number of a channel, expected a "
                                                     "whole one from 1 on."), number));
  if (!check_names (object, TRUE, name, error))
    return FALSE;
  numbers = es_calibration_told_channel (told, (guint) channel - 1);
  if (!es_calibration_is_nothing (numbers))
    return es_calibration_refuse (error, name, g_strdup_printf (_("channel %u is there twice."), (guint) channel));
  return read_numbers (object, name, numbers, error);
}

static void
read_source (JsonObject *root, EsCalibrationTold *told)
{
  JsonNode *source = json_object_get_member (root, "source"), *file = json_object_get_member (root, "file");
  const char *text = source != NULL && JSON_NODE_HOLDS_VALUE (source) ? json_node_get_string (source) : NULL;
  const char *path = file != NULL && JSON_NODE_HOLDS_VALUE (file) ? json_node_get_string (file) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (g_strcmp0 (text, sources[i]) == 0)
      told->source = i;
  if (path != NULL)
    told->file = g_file_parse_name (path);
}

static gboolean
read_tree (JsonNode *node, const char *name, EsCalibrationTold *told, GError **error)
{
  JsonObject *root = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *list;
  double version;

  if (root == NULL || !json_object_has_member (root, MARK))
    return es_calibration_refuse (error, name, g_strdup (_("this is no calibration, expected a JSON object with "
                                                           "“eigenscope-calibration”.")));
  if (!read_number (root, MARK, &version) || version != VERSION)
    return es_calibration_refuse (error, name, g_strdup_printf (_("the calibration is of another version, expected "
                                                                  "%d."), VERSION));
  if (!check_names (root, FALSE, name, error) || !read_numbers (root, name, &told->common, error))
    return FALSE;
  list = json_object_get_member (root, "channels");
  if (list != NULL && !JSON_NODE_HOLDS_ARRAY (list))
    return es_calibration_refuse (error, name, g_strdup (_("the channels cannot be read, expected “channels”: "
                                                           "[ … ].")));
  JsonArray *array = list != NULL ? json_node_get_array (list) : NULL;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    if (!read_channel (json_array_get_element (array, i), i + 1, name, told, error))
      return FALSE;
  read_source (root, told);
  return TRUE;
}

gboolean
es_calibration_read_json (const char *text, gsize length, const char *name, EsCalibrationTold *told, GError **error)
{
  g_autoptr (JsonNode) root = es_json_parse (text, length, name, error);

  return root != NULL && read_tree (root, name, told, error);
}

EsCalibration *
es_calibration_from_node (JsonNode *root, GError **error)
{
  g_auto (EsCalibrationTold) told = { .common = ES_CALIBRATION_NOTHING, .source = ES_CALIBRATION_BY_HAND };
  g_autoptr (EsCalibration) plain = NULL;

  if (!read_tree (root, _("the calibration"), &told, error))
    return NULL;
  plain = es_calibration_new (&told.common, told.channels, told.n, error);
  return plain != NULL ? es_calibration_with_source (plain, told.source, told.file) : NULL;
}
