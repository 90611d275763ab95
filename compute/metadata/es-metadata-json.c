/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-metadata.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "base/es-text-file-internal.h"
#include "saving/es-json-file-internal.h"

/*
 * { "eigenscope-metadata": 1, "shape": "160x192x224",
 *   "wavelengths": [ ... ], "wavelength-unit": "nm", "fwhm": [ ... ], "band-names": [ ... ],
 *   "good-bands": [ true, ... ], "no-data": 0, "scale": 0.0001, "offset": 0, "unit": "reflectance",
 *   "geotransform": [ 6 ], "coordinate-system": "EPSG:32633", "default-bands": [ 30, 20, 10 ] }
 *
 * Numbers of bands are one for all, or a list with null where there is none ("no-data", "fwhm") or where the file's
 * counts ("scale", "offset"); "no-data": "none" is none in any band. In results also "source".
 */
#define MARK "eigenscope-metadata"
#define VERSION 1
#define LARGEST_FILE ((gsize) 64 << 20)

static const char *const sources[] = { "beside", "named", "hand" };

/* ---- writing ---- */

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_number (JsonBuilder *builder, double value)
{
  if (isnan (value))
    json_builder_add_null_value (builder);
  else
    json_builder_add_double_value (builder, value);
}

/* One for all where they are the same. */
static void
add_numbers (JsonBuilder *builder, const char *name, const double *values, guint n, gboolean one_for_all)
{
  gboolean same = one_for_all;

  if (values == NULL)
    return;
  for (guint i = 1; i < n; i++)
    same = same && (values[i] == values[0] || (isnan (values[i]) && isnan (values[0])));
  json_builder_set_member_name (builder, name);
  if (same && isnan (values[0]))
    json_builder_add_string_value (builder, "none");
  else if (same)
    json_builder_add_double_value (builder, values[0]);
  else
    {
      json_builder_begin_array (builder);
      for (guint i = 0; i < n; i++)
        add_number (builder, values[i]);
      json_builder_end_array (builder);
    }
}

static void
add_lists (JsonBuilder *builder, const EsMetadataFacts *facts)
{
  if (facts->band_names != NULL)
    {
      json_builder_set_member_name (builder, "band-names");
      json_builder_begin_array (builder);
      for (guint b = 0; facts->band_names[b] != NULL; b++)
        json_builder_add_string_value (builder, facts->band_names[b]);
      json_builder_end_array (builder);
    }
  if (facts->good != NULL)
    {
      json_builder_set_member_name (builder, "good-bands");
      json_builder_begin_array (builder);
      for (guint b = 0; b < facts->bands; b++)
        json_builder_add_boolean_value (builder, facts->good[b]);
      json_builder_end_array (builder);
    }
  if (facts->has_default_bands)
    {
      json_builder_set_member_name (builder, "default-bands");
      json_builder_begin_array (builder);
      for (guint i = 0; i < 3; i++)
        json_builder_add_int_value (builder, facts->default_bands[i] + 1);
      json_builder_end_array (builder);
    }
}

static JsonNode *
make_tree (EsMetadata *self, const char *shape, gboolean tell_source)
{
  const EsMetadataFacts *facts = es_metadata_get_facts (self);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, MARK);
  json_builder_add_int_value (builder, VERSION);
  add_text (builder, "shape", shape);
  add_numbers (builder, "wavelengths", facts->wavelengths, facts->bands, FALSE);
  add_text (builder, "wavelength-unit", facts->wavelength_unit);
  add_numbers (builder, "fwhm", facts->fwhm, facts->bands, FALSE);
  add_numbers (builder, "no-data", facts->no_data, facts->bands, TRUE);
  add_numbers (builder, "scale", facts->scale, facts->bands, TRUE);
  add_numbers (builder, "offset", facts->offset, facts->bands, TRUE);
  add_text (builder, "unit", facts->unit);
  add_numbers (builder, "geotransform", facts->geotransform, 6, FALSE);
  add_text (builder, "coordinate-system", facts->system);
  add_lists (builder, facts);
  if (tell_source)
    add_text (builder, "source", sources[es_metadata_get_source (self)]);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

JsonNode *
es_metadata_to_node (EsMetadata *self)
{
  return make_tree (self, NULL, TRUE);
}

char *
es_metadata_to_line (EsMetadata *self)
{
  g_autoptr (JsonNode) root = make_tree (self, NULL, FALSE);
  g_autofree char *text = es_json_to_text (root);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) line = g_string_new (NULL);

  /* Texts hold no line ends: those are written as \n. */
  for (char **part = lines; *part != NULL; part++)
    g_string_append (line, g_strstrip (*part));
  return g_string_free (g_steal_pointer (&line), FALSE);
}

gboolean
es_metadata_save (EsMetadata *self, GFile *file, const char *shape, GError **error)
{
  static const char *const known[] = { MARK, "shape", "wavelengths", "wavelength-unit", "fwhm", "band-names",
                                       "good-bands", "no-data", "scale", "offset", "unit", "geotransform",
                                       "coordinate-system", "default-bands", "source", NULL };
  g_autoptr (JsonNode) root = make_tree (self, shape, FALSE);

  return es_json_file_save_over (root, file, MARK, known, NULL, error);
}

/* ---- reading ---- */

static gpointer
refuse (GError **error, const char *name, char *message)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "“%s”: %s", name, message);
  g_free (message);
  return NULL;
}

static JsonNode *
find (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  return node != NULL && !JSON_NODE_HOLDS_NULL (node) ? node : NULL;
}

static gboolean
is_text (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

static gboolean
read_number (JsonNode *node, double *value)
{
  *value = NAN;
  if (JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_VALUE (node) || (json_node_get_value_type (node) != G_TYPE_INT64
                                        && json_node_get_value_type (node) != G_TYPE_DOUBLE))
    return FALSE;
  *value = json_node_get_double (node);
  return TRUE;
}

/* TRUE and NULL where there are none. */
static gboolean
read_text (JsonObject *root, const char *key, char **text)
{
  JsonNode *node = find (root, key);

  if (node == NULL)
    return TRUE;
  if (!is_text (node))
    return FALSE;
  *text = g_strdup (json_node_get_string (node));
  return TRUE;
}

/* The list of that key, of n entries. FALSE: something else is there. */
static gboolean
find_list (JsonObject *root, const char *key, guint n, JsonArray **list)
{
  JsonNode *node = find (root, key);

  *list = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  return node == NULL || (*list != NULL && json_array_get_length (*list) == n);
}

static gboolean
read_numbers (JsonObject *root, const char *key, guint n, gboolean one_for_all, double **values)
{
  JsonNode *node = find (root, key);
  JsonArray *list;
  double one = NAN;

  if (node == NULL)
    return TRUE;
  if (one_for_all && JSON_NODE_HOLDS_VALUE (node))
    {
      if (is_text (node) ? strcmp (json_node_get_string (node), "none") != 0 : !read_number (node, &one))
        return FALSE;
      *values = g_new (double, n);
      for (guint i = 0; i < n; i++)
        (*values)[i] = one;
      return TRUE;
    }
  if (!find_list (root, key, n, &list))
    return FALSE;
  *values = g_new (double, n);
  for (guint i = 0; i < n; i++)
    if (!read_number (json_array_get_element (list, i), *values + i))
      return FALSE;
  return TRUE;
}

static gboolean
read_names (JsonObject *root, guint n, char ***names)
{
  JsonArray *list;

  if (!find_list (root, "band-names", n, &list))
    return FALSE;
  if (list == NULL)
    return TRUE;
  *names = g_new0 (char *, n + 1);
  for (guint b = 0; b < n; b++)
    {
      JsonNode *name = json_array_get_element (list, b);

      if (!is_text (name))
        return FALSE;
      (*names)[b] = g_strdup (json_node_get_string (name));
    }
  return TRUE;
}

static gboolean
read_good (JsonObject *root, guint n, gboolean **good)
{
  JsonArray *list;

  if (!find_list (root, "good-bands", n, &list))
    return FALSE;
  if (list == NULL)
    return TRUE;
  *good = g_new0 (gboolean, n);
  for (guint b = 0; b < n; b++)
    {
      JsonNode *one = json_array_get_element (list, b);

      if (!JSON_NODE_HOLDS_VALUE (one) || json_node_get_value_type (one) != G_TYPE_BOOLEAN)
        return FALSE;
      (*good)[b] = json_node_get_boolean (one);
    }
  return TRUE;
}

static gboolean
read_default_bands (JsonObject *root, EsMetadataFacts *facts)
{
  JsonArray *list;

  if (!find_list (root, "default-bands", 3, &list))
    return FALSE;
  facts->has_default_bands = list != NULL;
  for (guint i = 0; list != NULL && i < 3; i++)
    {
      double number;

      if (!read_number (json_array_get_element (list, i), &number) || !(number >= 1 && number <= 65535))
        return FALSE;
      facts->default_bands[i] = (int) number - 1;
    }
  return TRUE;
}

/* What of it cannot be read; NULL: all of it can. */
static const char *
read_facts (JsonObject *root, guint bands, EsMetadataFacts *facts)
{
  facts->bands = bands;
  if (!read_numbers (root, "wavelengths", bands, FALSE, &facts->wavelengths))
    return "wavelengths";
  if (!read_text (root, "wavelength-unit", &facts->wavelength_unit))
    return "wavelength-unit";
  if (!read_numbers (root, "fwhm", bands, FALSE, &facts->fwhm))
    return "fwhm";
  if (!read_names (root, bands, &facts->band_names))
    return "band-names";
  if (!read_good (root, bands, &facts->good))
    return "good-bands";
  if (!read_numbers (root, "no-data", bands, TRUE, &facts->no_data))
    return "no-data";
  if (!read_numbers (root, "scale", bands, TRUE, &facts->scale))
    return "scale";
  if (!read_numbers (root, "offset", bands, TRUE, &facts->offset))
    return "offset";
  if (!read_text (root, "unit", &facts->unit))
    return "unit";
  if (!read_numbers (root, "geotransform", 6, FALSE, &facts->geotransform))
    return "geotransform";
  if (!read_text (root, "coordinate-system", &facts->system))
    return "coordinate-system";
  return read_default_bands (root, facts) ? NULL : "default-bands";
}

static void
free_facts (EsMetadataFacts *facts)
{
  g_free (facts->wavelengths);
  g_free (facts->wavelength_unit);
  g_free (facts->fwhm);
  g_strfreev (facts->band_names);
  g_free (facts->good);
  g_free (facts->no_data);
  g_free (facts->scale);
  g_free (facts->offset);
  g_free (facts->unit);
  g_free (facts->geotransform);
  g_free (facts->system);
}

static EsMetadata *
read_tree (JsonNode *node, const char *name, const char *shape, guint bands, GError **error)
{
  JsonObject *root = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  JsonNode *version = root != NULL ? json_object_get_member (root, MARK) : NULL;
  g_autofree char *own = NULL, *told = NULL;
  g_autoptr (EsMetadata) self = NULL;
  EsMetadataFacts facts = { 0 };
  EsMetadataSource source = ES_METADATA_BY_HAND;
  const char *wrong;

  if (version == NULL)
    return refuse (error, name, g_strdup (_("this does not tell what a cube is, expected an object with "
                                            "“eigenscope-metadata”.")));
  if (!JSON_NODE_HOLDS_VALUE (version) || json_node_get_int (version) != VERSION)
    return refuse (error, name, g_strdup_printf (_("what the cube is is told in another version, expected %d."),
                                                 VERSION));
  if (!read_text (root, "shape", &own) || !read_text (root, "source", &told))
    return refuse (error, name, g_strdup (_("“shape” cannot be read, expected a text such as “160x192x224”.")));
  if (shape != NULL && own != NULL && strcmp (own, shape) != 0)
    return refuse (error, name, g_strdup_printf (_("this is of another cube, one of %s; expected %s."), own, shape));
  wrong = read_facts (root, bands, &facts);
  if (wrong != NULL)
    refuse (error, name, g_strdup_printf (_("“%s” cannot be read, or is not of the %u bands of the cube."), wrong,
                                          bands));
  else if (es_metadata_check (&facts, bands, error))
    self = es_metadata_new (&facts);
  else
    g_prefix_error (error, "“%s”: ", name);
  free_facts (&facts);
  if (self == NULL)
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    if (g_strcmp0 (told, sources[i]) == 0)
      source = i;
  return es_metadata_with_source (self, source);
}

EsMetadata *
es_metadata_load (GFile *file, const char *shape, guint bands, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_FILE, &length, NULL, error);
  g_autoptr (JsonNode) root = text != NULL ? es_json_parse (text, length, name, error) : NULL;
  g_autoptr (EsMetadata) told = root != NULL ? read_tree (root, name, shape, bands, error) : NULL;

  return told != NULL ? es_metadata_with_source (told, ES_METADATA_NAMED) : NULL;
}

EsMetadata *
es_metadata_from_node (JsonNode *root, guint bands, GError **error)
{
  return read_tree (root, _("what the cube is"), NULL, bands, error);
}

EsMetadata *
es_metadata_from_line (const char *line, guint bands, GError **error)
{
  g_autoptr (JsonNode) root = es_json_parse (line, strlen (line), _("what the cube is"), error);
  g_autoptr (EsMetadata) told = NULL;

  if (root == NULL)
    return NULL;
  /* Who writes it on a command line need not say what it is. */
  if (JSON_NODE_HOLDS_OBJECT (root) && !json_object_has_member (json_node_get_object (root), MARK))
    json_object_set_int_member (json_node_get_object (root), MARK, VERSION);
  told = es_metadata_from_node (root, bands, error);
  return told != NULL ? es_metadata_with_source (told, ES_METADATA_NAMED) : NULL;
}

GFile *
es_metadata_sidecar_of (GFile *cube)
{
  return es_json_file_beside (cube, ES_METADATA_ENDING);
}

gboolean
es_metadata_is_file (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, ES_METADATA_ENDING);
}
