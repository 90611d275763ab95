/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-linear-model-internal.h"

#include <math.h>
#include <string.h>

typedef struct
{
  EsLinearModel    model;
  gatomicrefcount  references;
} Counted;

static gpointer
copy (gconstpointer values, gsize n, gsize size)
{
  return values != NULL ? g_memdup2 (values, n * size) : NULL;
}

EsLinearModel *
es_linear_model_new (guint m, guint n, const guint32 *bands, const double *mean, const double *transform,
                     const double *mixing, const double *minimum, const double *maximum, const double *origin)
{
  Counted *self = g_new0 (Counted, 1);

  g_atomic_ref_count_init (&self->references);
  self->model = (EsLinearModel) {
    .m = m,
    .n = n,
    .bands = copy (bands, n, sizeof *bands),
    .mean = copy (mean, n, sizeof (double)),
    .transform = copy (transform, (gsize) m * n, sizeof (double)),
    .mixing = copy (mixing, (gsize) m * n, sizeof (double)),
    .minimum = copy (minimum, n, sizeof (double)),
    .maximum = copy (maximum, n, sizeof (double)),
    .origin = copy (origin, n, sizeof (double)),
  };
  return &self->model;
}

EsLinearModel *
es_linear_model_ref (const EsLinearModel *self)
{
  Counted *counted = (Counted *) self;

  g_atomic_ref_count_inc (&counted->references);
  return &counted->model;
}

void
es_linear_model_unref (EsLinearModel *self)
{
  Counted *counted = (Counted *) self;

  if (!g_atomic_ref_count_dec (&counted->references))
    return;
  g_free ((gpointer) self->bands);
  g_free ((gpointer) self->mean);
  g_free ((gpointer) self->transform);
  g_free ((gpointer) self->mixing);
  g_free ((gpointer) self->minimum);
  g_free ((gpointer) self->maximum);
  g_free ((gpointer) self->origin);
  g_free (counted);
}

guint
es_linear_model_select (const EsLinearModel *self, const gboolean *kept, float **forward, float **backward)
{
  guint n_kept = 0, k = 0;

  for (guint i = 0; i < self->m; i++)
    n_kept += kept == NULL || kept[i];
  *forward = g_new (float, MAX ((gsize) n_kept * self->n, 1));
  *backward = g_new (float, MAX ((gsize) n_kept * self->n, 1));
  for (guint i = 0; i < self->m; i++)
    {
      if (kept != NULL && !kept[i])
        continue;
      for (guint b = 0; b < self->n; b++)
        {
          (*forward)[(gsize) k * self->n + b] = (float) self->transform[(gsize) i * self->n + b];
          (*backward)[(gsize) b * n_kept + k] = (float) self->mixing[(gsize) b * self->m + i];
        }
      k++;
    }
  return n_kept;
}

/* ---- result.json ---- */

static void
set_numbers (JsonObject *object, const char *name, const double *values, gsize n)
{
  JsonArray *array;

  if (values == NULL)
    return;
  array = json_array_sized_new (n);
  for (gsize i = 0; i < n; i++)
    json_array_add_double_element (array, values[i]);
  json_object_set_array_member (object, name, array);
}

JsonNode *
es_linear_model_to_json (const EsLinearModel *self)
{
  JsonObject *object = json_object_new ();
  JsonArray *bands = json_array_sized_new (self->n);
  JsonNode *node = json_node_alloc ();

  const gboolean centred = self->origin != NULL
                           && memcmp (self->origin, self->mean, self->n * sizeof (double)) == 0;

  for (guint i = 0; i < self->n; i++)
    json_array_add_int_element (bands, self->bands[i]);
  json_object_set_int_member (object, "components", self->m);
  json_object_set_boolean_member (object, "centred", centred);
  json_object_set_array_member (object, "bands", bands);
  set_numbers (object, "mean", self->mean, self->n);
  if (!centred)
    set_numbers (object, "origin", self->origin, self->n);
  set_numbers (object, "transform", self->transform, (gsize) self->m * self->n);
  set_numbers (object, "mixing", self->mixing, (gsize) self->m * self->n);
  set_numbers (object, "minimum", self->minimum, self->n);
  set_numbers (object, "maximum", self->maximum, self->n);
  json_node_take_object (json_node_init (node, JSON_NODE_OBJECT), object);
  return node;
}

/* n finite numbers; NULL where it is anything else. Transfer full. */
static double *
get_numbers (JsonObject *object, const char *name, gsize n)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autofree double *values = NULL;

  if (array == NULL || json_array_get_length (array) != n)
    return NULL;
  values = g_new (double, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      const GType type = JSON_NODE_HOLDS_VALUE (element) ? json_node_get_value_type (element) : G_TYPE_INVALID;
      if (type != G_TYPE_DOUBLE && type != G_TYPE_INT64)
        return NULL;
      values[i] = json_node_get_double (element);
      if (!isfinite (values[i]))
        return NULL;
    }
  return g_steal_pointer (&values);
}

EsLinearModel *
es_linear_model_from_json (JsonObject *object, guint n_cube_bands)
{
  JsonNode *list = json_object_get_member (object, "bands"), *count = json_object_get_member (object, "components");
  JsonNode *centred = json_object_get_member (object, "centred");

  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list) || count == NULL || !JSON_NODE_HOLDS_VALUE (count))
    return NULL;
  const gint64 m = json_node_get_int (count);
  const guint n = json_array_get_length (json_node_get_array (list));
  if (n == 0 || n > n_cube_bands || m < 1 || m > n)
    return NULL;

  g_autofree double *given = get_numbers (object, "bands", n);
  g_autofree guint32 *bands = g_new (guint32, n);
  if (given == NULL)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      if (given[i] != floor (given[i]) || given[i] < (i == 0 ? 0 : given[i - 1] + 1) || given[i] >= n_cube_bands)
        return NULL;
      bands[i] = (guint32) given[i];
    }

  g_autofree double *mean = get_numbers (object, "mean", n);
  g_autofree double *transform = get_numbers (object, "transform", (gsize) m * n);
  g_autofree double *mixing = get_numbers (object, "mixing", (gsize) m * n);
  g_autofree double *minimum = get_numbers (object, "minimum", n);
  g_autofree double *maximum = get_numbers (object, "maximum", n);
  g_autofree double *origin = get_numbers (object, "origin", n);
  if (mean == NULL || transform == NULL || mixing == NULL || (minimum == NULL) != (maximum == NULL)
      || (minimum == NULL && json_object_has_member (object, "minimum"))
      || (origin == NULL && json_object_has_member (object, "origin")))
    return NULL;
  return es_linear_model_new (m, n, bands, mean, transform, mixing, minimum, maximum,
                              centred != NULL && JSON_NODE_HOLDS_VALUE (centred) && json_node_get_boolean (centred)
                              ? mean : origin);
}
