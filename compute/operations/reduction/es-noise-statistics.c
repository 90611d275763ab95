/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-noise-statistics-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"

#define FORMAT "eigenscope-noise"
#define VERSION 1
#define WAVELENGTH_TOLERANCE 0.01
#define LARGEST_COVARIANCE 1e150

/* ---- the object ---- */

static double *
copy (const double *values, gsize n)
{
  return values != NULL ? g_memdup2 (values, n * sizeof (double)) : NULL;
}

static EsNoiseStatistics *
make (const char *kind, guint n, const guint32 *bands, guint cube_bands)
{
  EsNoiseStatistics *self = g_new0 (EsNoiseStatistics, 1);
  gsize bytes;

  g_atomic_ref_count_init (&self->references);
  self->kind = g_strdup (kind);
  self->n = n;
  self->cube_bands = cube_bands;
  self->bands = g_memdup2 (bands, n * sizeof *bands);
  if (!g_size_checked_mul (&bytes, (gsize) n * n, sizeof (double))
      || (self->covariance = g_try_malloc0 (bytes)) == NULL)
    g_clear_pointer (&self, es_noise_statistics_unref);
  return self;
}

EsNoiseStatistics *
es_noise_statistics_new (EsCube *cube, const char *kind, guint n, const guint32 *bands, const double *minimum,
                         const double *maximum)
{
  EsNoiseStatistics *self = make (kind, n, bands, es_cube_get_bands (cube));

  if (self == NULL)
    return NULL;
  self->wavelengths = copy (es_cube_get_wavelengths (cube), self->cube_bands);
  self->minimum = copy (minimum, n);
  self->maximum = copy (maximum, n);
  return self;
}

EsNoiseStatistics *
es_noise_statistics_ref (EsNoiseStatistics *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_noise_statistics_unref (EsNoiseStatistics *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->kind);
  g_free (self->bands);
  g_free (self->wavelengths);
  g_free (self->minimum);
  g_free (self->maximum);
  g_free (self->covariance);
  g_free (self);
}

/* ---- as JSON ---- */

static JsonArray *
number_array (const double *values, gsize n)
{
  JsonArray *array = json_array_sized_new (n);

  for (gsize i = 0; i < n; i++)
    json_array_add_double_element (array, values[i]);
  return array;
}

JsonObject *
es_noise_statistics_to_json (EsNoiseStatistics *self)
{
  JsonObject *object = json_object_new ();
  JsonArray *bands = json_array_sized_new (self->n);
  const gsize n = self->n, length = n * (n + 1) / 2;
  g_autofree guint64 *triangle = g_new (guint64, length);

  for (gsize i = 0, k = 0; i < n; i++)
    {
      json_array_add_int_element (bands, (gint64) self->bands[i] + 1);
      for (gsize j = 0; j <= i; j++, k++)
        {
          memcpy (&triangle[k], &self->covariance[i * n + j], sizeof *triangle);
          triangle[k] = GUINT64_TO_LE (triangle[k]);
        }
    }
  g_autofree char *text = g_base64_encode ((const guchar *) triangle, length * sizeof *triangle);

  json_object_set_string_member (object, "format", FORMAT);
  json_object_set_int_member (object, "version", VERSION);
  json_object_set_string_member (object, "noise", self->kind);
  json_object_set_int_member (object, "count", self->count);
  json_object_set_int_member (object, "cube_bands", self->cube_bands);
  json_object_set_array_member (object, "bands", bands);
  if (self->wavelengths != NULL)
    json_object_set_array_member (object, "wavelengths", number_array (self->wavelengths, self->cube_bands));
  if (self->minimum != NULL)
    {
      json_object_set_array_member (object, "minimum", number_array (self->minimum, n));
      json_object_set_array_member (object, "maximum", number_array (self->maximum, n));
    }
  json_object_set_string_member (object, "covariance", text);
  return object;
}

/* Nothing in a file is taken for what it should be. */
static JsonNode *
member (JsonObject *object, const char *name, JsonNodeType type)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && json_node_get_node_type (node) == type ? node : NULL;
}

static JsonObject *
object_member (JsonObject *object, const char *name)
{
  JsonNode *node = member (object, name, JSON_NODE_OBJECT);

  return node != NULL ? json_node_get_object (node) : NULL;
}

static const char *
text_member (JsonObject *object, const char *name)
{
  JsonNode *node = member (object, name, JSON_NODE_VALUE);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

static gint64
count_member (JsonObject *object, const char *name)
{
  JsonNode *node = member (object, name, JSON_NODE_VALUE);

  return node != NULL && json_node_get_value_type (node) == G_TYPE_INT64 ? json_node_get_int (node) : -1;
}

/* n finite numbers, NULL otherwise. Transfer full. */
static double *
numbers_member (JsonObject *object, const char *name, gsize n)
{
  JsonNode *node = member (object, name, JSON_NODE_ARRAY);
  JsonArray *array = node != NULL ? json_node_get_array (node) : NULL;
  g_autofree double *values = NULL;

  if (array == NULL || json_array_get_length (array) != n)
    return NULL;
  values = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      GType type = json_node_get_node_type (element) == JSON_NODE_VALUE ? json_node_get_value_type (element) : 0;
      if (type != G_TYPE_DOUBLE && type != G_TYPE_INT64)
        return NULL;
      values[i] = json_node_get_double (element);
      if (!isfinite (values[i]))
        return NULL;
    }
  return g_steal_pointer (&values);
}

static gboolean
read_covariance (EsNoiseStatistics *self, const char *text)
{
  const gsize n = self->n, length = n * (n + 1) / 2;
  gsize bytes = 0;
  g_autofree guchar *data = text != NULL ? g_base64_decode (text, &bytes) : NULL;

  if (data == NULL || bytes != length * sizeof (guint64))
    return FALSE;
  for (gsize i = 0, k = 0; i < n; i++)
    for (gsize j = 0; j <= i; j++, k++)
      {
        guint64 bits;
        double value;

        memcpy (&bits, data + k * sizeof bits, sizeof bits);
        bits = GUINT64_FROM_LE (bits);
        memcpy (&value, &bits, sizeof value);
        /* Sums of products of covariances stay finite. */
        if (!(fabs (value) < LARGEST_COVARIANCE) || (i == j && value < 0))
          return FALSE;
        self->covariance[i * n + j] = self->covariance[j * n + i] = value;
      }
  /* No correlation is beyond 1, but for rounding. */
  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < i; j++)
      if (fabs (self->covariance[i * n + j])
          > sqrt (self->covariance[i * n + i]) * sqrt (self->covariance[j * n + j]) * (1 + 1e-9))
        return FALSE;
  return TRUE;
}

static EsNoiseStatistics *
read_object (JsonObject *object)
{
  const gint64 cube_bands = count_member (object, "cube_bands"), count = count_member (object, "count");
  JsonNode *node = member (object, "bands", JSON_NODE_ARRAY);
  const guint n = node != NULL ? json_array_get_length (json_node_get_array (node)) : 0;
  g_autofree double *numbers = n > 0 ? numbers_member (object, "bands", n) : NULL;
  const char *kind = text_member (object, "noise");
  g_autofree guint32 *bands = g_new (guint32, MAX (n, 1));
  g_autoptr (EsNoiseStatistics) self = NULL;

  if (numbers == NULL || kind == NULL || count < 2 || cube_bands < n || cube_bands > G_MAXINT32
      || count_member (object, "version") != VERSION)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      if (numbers[i] != floor (numbers[i]) || numbers[i] < (i > 0 ? numbers[i - 1] + 1 : 1) || numbers[i] > cube_bands)
        return NULL;
      bands[i] = (guint32) numbers[i] - 1;
    }

  self = make (kind, n, bands, (guint) cube_bands);
  if (self == NULL || !read_covariance (self, text_member (object, "covariance")))
    return NULL;
  self->count = count;
  self->wavelengths = numbers_member (object, "wavelengths", self->cube_bands);
  self->minimum = numbers_member (object, "minimum", n);
  self->maximum = numbers_member (object, "maximum", n);
  if ((json_object_has_member (object, "wavelengths") && self->wavelengths == NULL)
      || json_object_has_member (object, "minimum") != (self->minimum != NULL)
      || (self->minimum != NULL) != (self->maximum != NULL))
    return NULL;
  return g_steal_pointer (&self);
}

EsNoiseStatistics *
es_noise_statistics_from_json (JsonNode *root, const char *name, GError **error)
{
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  EsNoiseStatistics *self = NULL;

  if (object != NULL && !json_object_has_member (object, "format"))
    object = object_member (object_member (object, "values"), "noise_statistics");
  if (object == NULL || g_strcmp0 (text_member (object, "format"), FORMAT) != 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                 _("“%s” holds no noise statistics: expected the result.json of a minimum noise fraction."), name);
  else if ((self = read_object (object)) == NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("The noise statistics in “%s” are damaged."), name);
  return self;
}

/* ---- files ---- */

gboolean
es_noise_statistics_is_json (GFile *file)
{
  g_autoptr (GFileInputStream) stream = NULL;
  char start[64];
  gssize length = 0, at = 0;

  /* A pipe would wait for ever. */
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_REGULAR)
    stream = g_file_read (file, NULL, NULL);
  if (stream != NULL)
    length = g_input_stream_read (G_INPUT_STREAM (stream), start, sizeof start, NULL, NULL);
  while (at < length && g_ascii_isspace (start[at]))
    at++;
  return at < length && start[at] == '{';
}

EsNoiseStatistics *
es_noise_statistics_load (GFile *file, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (JsonNode) root = es_json_load (file, NULL, error);

  return root != NULL ? es_noise_statistics_from_json (root, name, error) : NULL;
}

/* ---- whose they are ---- */

gboolean
es_wavelengths_agree (const double *a, const double *b, guint n)
{
  for (guint i = 0; a != NULL && b != NULL && i < n; i++)
    if (fabs (a[i] - b[i]) > WAVELENGTH_TOLERANCE)
      return FALSE;
  return TRUE;
}

static gboolean
same_ranges (const EsNoiseStatistics *self, const double *minimum, const double *maximum)
{
  const gsize bytes = self->n * sizeof (double);

  if (self->minimum == NULL || minimum == NULL)
    return self->minimum == NULL && minimum == NULL;
  return memcmp (self->minimum, minimum, bytes) == 0 && memcmp (self->maximum, maximum, bytes) == 0;
}

gboolean
es_noise_statistics_fit (EsNoiseStatistics *self, const char *name, EsCube *cube, guint n, const guint32 *bands,
                         const double *minimum, const double *maximum, GError **error)
{
  const char *cube_name = es_dataset_get_name (ES_DATASET (cube));

  if (self->cube_bands != es_cube_get_bands (cube))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The noise statistics in “%s” are of a cube of %u bands; “%s” has %u."), name, self->cube_bands,
                 cube_name, es_cube_get_bands (cube));
  else if (self->n != n || memcmp (self->bands, bands, n * sizeof *bands) != 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The noise statistics in “%s” are of %u bands that are not the %u good bands of “%s”."), name,
                 self->n, n, cube_name);
  else if (!es_wavelengths_agree (self->wavelengths, es_cube_get_wavelengths (cube), self->cube_bands))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The noise statistics in “%s” are of a cube of other wavelengths than “%s”."), name, cube_name);
  else if (!same_ranges (self, minimum, maximum))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The noise statistics in “%s” are of values that were quantised in another way than those of “%s”."),
                 name, cube_name);
  else
    return TRUE;
  return FALSE;
}
