/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra that are kept, as JSON with all values: what a session stores. */

#include "es-spectrum-collection-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "es-spectra-private.h"

#define FORMAT_VERSION 1
#define MOST_KEPT 10000

static const char *const kinds[] = { "pixel", "mean", "region", "library" };

static void
add_text (JsonBuilder *builder, const char *member, const char *text)
{
  if (text == NULL)
    return;
  json_builder_set_member_name (builder, member);
  json_builder_add_string_value (builder, text);
}

/* told: where the list is kept for the next time (nullable). */
static void
add_list (JsonBuilder *builder, const char *member, const double *values, guint n, JsonArray **told)
{
  JsonArray *list = told != NULL ? *told : NULL;

  if (values == NULL)
    return;
  if (list == NULL)
    {
      list = json_array_sized_new (n);
      for (guint i = 0; i < n; i++)
        if (isfinite (values[i]))
          json_array_add_double_element (list, values[i]);
        else
          json_array_add_null_element (list);
    }
  else
    json_array_ref (list);
  if (told != NULL && *told == NULL)
    *told = json_array_ref (list);
  json_builder_set_member_name (builder, member);
  json_builder_add_value (builder, json_node_init_array (json_node_alloc (), list));
  json_array_unref (list);
}

/* Axes are told once, however many spectra lie on them. */
static guint
number_axis (GPtrArray *axes, EsSpectralAxis *axis)
{
  for (guint i = 0; i < axes->len; i++)
    if (es_spectral_axis_equal (g_ptr_array_index (axes, i), axis))
      return i;
  g_ptr_array_add (axes, axis);
  return axes->len - 1;
}

static void
add_kept (JsonBuilder *builder, EsKeptSpectrum *kept, GPtrArray *axes)
{
  const guint n = es_spectrum_get_n (kept->spectrum);
  g_autofree char *colour = g_strdup_printf ("#%06x", kept->colour);
  g_autofree char *region = kept->region != NULL ? es_region_format (kept->region) : NULL;

  json_builder_begin_object (builder);
  add_text (builder, "name", kept->name);
  add_text (builder, "colour", colour);
  json_builder_set_member_name (builder, "shown");
  json_builder_add_boolean_value (builder, kept->shown);
  add_text (builder, "kind", kinds[kept->kind]);
  add_text (builder, "source", kept->source);
  add_text (builder, "identity", kept->identity);
  add_text (builder, "region", region);
  add_text (builder, "unit", kept->unit);
  json_builder_set_member_name (builder, "pixels");
  json_builder_add_int_value (builder, (gint64) kept->count);
  json_builder_set_member_name (builder, "axis");
  json_builder_add_int_value (builder, number_axis (axes, es_spectrum_get_axis (kept->spectrum)));
  add_list (builder, "values", es_spectrum_get_values (kept->spectrum), n, &kept->told[0]);
  add_list (builder, "deviation", kept->deviation, n, &kept->told[1]);
  add_list (builder, "lowest", kept->lowest, n, &kept->told[2]);
  add_list (builder, "highest", kept->highest, n, &kept->told[3]);
  json_builder_end_object (builder);
}

JsonNode *
es_spectrum_collection_to_json (EsSpectrumCollection *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GPtrArray) axes = g_ptr_array_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "spectra_version");
  json_builder_add_int_value (builder, FORMAT_VERSION);
  json_builder_set_member_name (builder, "spectra");
  json_builder_begin_array (builder);
  for (guint i = 0; i < es_spectrum_collection_get_n (self); i++)
    if (es_spectrum_collection_get (self, i)->spectrum != NULL)
      add_kept (builder, es_spectrum_collection_get (self, i), axes);
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "axes");
  json_builder_begin_array (builder);
  for (guint i = 0; i < axes->len; i++)
    {
      const EsSpectralAxis *axis = g_ptr_array_index (axes, i);
      const guint n = es_spectral_axis_get_n (axis);

      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "bands");
      json_builder_add_int_value (builder, n);
      add_list (builder, "wavelengths_nm", es_spectral_axis_get_wavelengths (axis), n, NULL);
      add_list (builder, "fwhm_nm", es_spectral_axis_get_fwhm (axis), n, NULL);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* ---- back ---- */

static gboolean
refuse (const char *name, guint number, const char *what, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s”, spectrum %u: %s."), name, number, what);
  return FALSE;
}

static const char *
get_text (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static gint64
get_number (JsonObject *object, const char *member, gint64 fallback)
{
  JsonNode *node = json_object_get_member (object, member);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
         ? json_node_get_int (node) : fallback;
}

/* n numbers, null where there is none; NULL: there is no such list, or it is another one (*wrong). */
static double *
get_list (JsonObject *object, const char *member, guint n, gboolean *wrong)
{
  JsonNode *node = json_object_get_member (object, member);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autofree double *values = NULL;

  if (node == NULL)
    return NULL;
  if (array == NULL || json_array_get_length (array) != n)
    {
      *wrong = TRUE;
      return NULL;
    }
  values = g_new (double, n + 1);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_NULL (element))
        values[i] = NAN;
      else if (JSON_NODE_HOLDS_VALUE (element) && (json_node_get_value_type (element) == G_TYPE_DOUBLE
                                                   || json_node_get_value_type (element) == G_TYPE_INT64))
        values[i] = json_node_get_double (element);
      else
        {
          *wrong = TRUE;
          return NULL;
        }
    }
  return g_steal_pointer (&values);
}

static JsonArray *
get_array (JsonObject *object, const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* Widths are what the header of a cube said, which may be 0 or nothing for some band. */
static EsSpectralAxis *
read_axis (JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const gint64 n = object != NULL ? get_number (object, "bands", 0) : 0;
  g_autofree double *wavelengths = NULL, *fwhm = NULL;
  gboolean wrong = FALSE;

  if (n < 1 || n > ES_SPECTRA_MOST_BANDS)
    return NULL;
  wavelengths = get_list (object, "wavelengths_nm", (guint) n, &wrong);
  fwhm = get_list (object, "fwhm_nm", (guint) n, &wrong);
  for (guint i = 0; i < n && !wrong; i++)
    wrong = wavelengths != NULL && !(wavelengths[i] > 0);
  return wrong ? NULL : es_spectral_axis_new ((guint) n, wavelengths, fwhm);
}

static EsKeptSpectrum *
read_kept (JsonNode *node, guint number, GPtrArray *axes, const char *name, GError **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *title = object != NULL ? get_text (object, "name") : NULL, *kind, *colour, *region;
  const gint64 axis = object != NULL ? get_number (object, "axis", -1) : -1;
  g_autoptr (EsKeptSpectrum) kept = NULL;
  g_autofree double *values = NULL, *deviation = NULL, *lowest = NULL, *highest = NULL;
  g_autoptr (GError) local_error = NULL;
  gboolean wrong = FALSE;
  guint n;

  if (title == NULL || axis < 0 || axis >= axes->len)
    {
      refuse (name, number, _("a name and the number of an axis that is listed were expected"), error);
      return NULL;
    }
  n = es_spectral_axis_get_n (g_ptr_array_index (axes, axis));
  values = get_list (object, "values", n, &wrong);
  deviation = get_list (object, "deviation", n, &wrong);
  lowest = get_list (object, "lowest", n, &wrong);
  highest = get_list (object, "highest", n, &wrong);
  if (values == NULL || wrong)
    {
      refuse (name, number, _("a list of as many values as its axis has bands was expected"), error);
      return NULL;
    }
  kind = get_text (object, "kind");
  colour = get_text (object, "colour");
  kept = es_kept_spectrum_new (ES_KEPT_LIBRARY, title, colour != NULL && *colour == '#'
                                                       ? g_ascii_strtoull (colour + 1, NULL, 16) & 0xffffff : 0);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_strcmp0 (kind, kinds[i]) == 0)
      kept->kind = i;
  region = get_text (object, "region");
  if (region != NULL && (kept->region = es_region_parse (region, &local_error)) == NULL)
    {
      refuse (name, number, local_error->message, error);
      return NULL;
    }
  kept->shown = !json_object_has_member (object, "shown")
                || json_object_get_boolean_member_with_default (object, "shown", TRUE);
  kept->source = g_strdup (get_text (object, "source"));
  kept->identity = g_strdup (get_text (object, "identity"));
  kept->unit = g_strdup (get_text (object, "unit"));
  kept->count = (guint64) MAX (get_number (object, "pixels", 0), 0);
  es_kept_spectrum_take (kept, es_spectrum_new (title, g_ptr_array_index (axes, axis), values, NULL),
                         g_steal_pointer (&deviation), g_steal_pointer (&lowest), g_steal_pointer (&highest), NULL);
  return g_steal_pointer (&kept);
}

gboolean
es_spectrum_collection_add_json (EsSpectrumCollection *self, JsonNode *root, const char *name, GError **error)
{
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonArray *spectra = get_array (object, "spectra"), *axes = get_array (object, "axes");
  g_autoptr (GPtrArray) read_axes = g_ptr_array_new_with_free_func ((GDestroyNotify) es_spectral_axis_unref);
  g_autoptr (GPtrArray) read = g_ptr_array_new_with_free_func (g_object_unref);

  if (spectra == NULL || axes == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” holds no spectra that were kept: expected “spectra”: [ … ] and “axes”: [ … ]."), name);
      return FALSE;
    }
  if (json_array_get_length (spectra) > MOST_KEPT)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE, _("“%s” holds %u spectra; %u are read at most."), name,
                   json_array_get_length (spectra), MOST_KEPT);
      return FALSE;
    }
  for (guint i = 0; i < json_array_get_length (axes); i++)
    {
      EsSpectralAxis *axis = read_axis (json_array_get_element (axes, i));

      if (axis == NULL)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("“%s”, axis %u: expected “bands” and as many wavelengths, all above 0."), name, i + 1);
          return FALSE;
        }
      g_ptr_array_add (read_axes, axis);
    }
  for (guint i = 0; i < json_array_get_length (spectra); i++)
    {
      EsKeptSpectrum *kept = read_kept (json_array_get_element (spectra, i), i + 1, read_axes, name, error);

      if (kept == NULL)
        return FALSE;
      g_ptr_array_add (read, kept);
    }
  for (guint i = 0; i < read->len; i++)
    es_spectrum_collection_append (self, g_ptr_array_index (read, i));
  return TRUE;
}
