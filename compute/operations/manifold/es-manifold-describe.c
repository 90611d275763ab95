/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The result: layers components, eigenvalues, quality, samples; values; warnings. */

#include "es-manifold-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

char *
es_manifold_dup_title (const EsManifoldKind *kind, guint i)
{
  return g_strdup_printf ("%s %u", _(kind->plane), i + 1);
}

static EsCurve *
make_eigenvalues (const EsManifoldRun *self)
{
  const guint m = self->m;
  g_autofree double *x = g_new (double, m);
  EsCurve *curve;

  for (guint i = 0; i < m; i++)
    x[i] = i + 1;
  curve = es_curve_new ("eigenvalues", _("Eigenvalues"), "scree", m, x, _("Component"), NULL);
  es_curve_add_series (curve, _("Eigenvalue"), NULL, ES_CURVE_BARS, FALSE, self->embedding->values);
  return curve;
}

/* Where each sample lies in the cube, and in the embedding; NAN where it is not embedded. */
static EsTable *
make_samples (const EsManifoldRun *self)
{
  const EsCubeWindow place = es_cube_get_place (self->cube);
  const guint64 width = es_cube_get_width (self->cube);
  const guint m = self->m;
  EsTable *table = es_table_new ("samples", _("Samples"));
  g_autofree double *cells = g_new (double, m + 2);
  g_autofree gconstpointer *row = g_new (gconstpointer, m + 2);
  gsize next = 0;

  es_table_add_column (table, _("Column"), NULL, 0);
  es_table_add_column (table, _("Row"), NULL, 0);
  for (guint k = 0; k < m; k++)
    {
      g_autofree char *title = es_manifold_dup_title (self->kind, k);
      es_table_add_column (table, title, NULL, 6);
    }
  for (guint k = 0; k < m + 2; k++)
    row[k] = &cells[k];
  for (gsize i = 0; i < self->samples.n; i++)
    {
      const gboolean embedded = next < self->n_embedded && self->embedded[next] == i;

      cells[0] = (double) (self->samples.pixels[i] % width + place.x);
      cells[1] = (double) (self->samples.pixels[i] / width + place.y);
      for (guint k = 0; k < m; k++)
        cells[2 + k] = embedded ? self->embedding->coordinates[next * m + k] : NAN;
      next += embedded;
      es_table_add_row (table, row);
    }
  return table;
}

static JsonArray *
make_parts (const EsManifoldRun *self)
{
  JsonArray *parts = json_array_new ();

  for (guint i = 0; i < self->n_parts; i++)
    json_array_add_int_element (parts, (gint64) self->part_sizes[i]);
  return parts;
}

static void
add_values (const EsManifoldRun *self, EsResult *result)
{
  JsonObject *values = json_object_new ();

  json_object_set_int_member (values, "components", self->m);
  json_object_set_int_member (values, "valid_pixels", (gint64) self->subset.valid);
  json_object_set_int_member (values, "bands_used", self->bands.n);
  json_object_set_int_member (values, "samples", (gint64) self->samples.n);
  json_object_set_int_member (values, "samples_embedded", (gint64) self->n_embedded);
  json_object_set_int_member (values, "prepared_dimensions", self->preparation.n);
  if (self->graph != NULL)
    {
      json_object_set_int_member (values, "neighbours", es_neighbours_get_k (self->graph));
      json_object_set_boolean_member (values, "neighbours_exact", es_neighbours_is_exact (self->graph));
      json_object_set_array_member (values, "parts", make_parts (self));
      if (self->joining > 0)
        json_object_set_int_member (values, "neighbours_joining", self->joining);
    }
  if (self->embedding->values != NULL)
    {
      JsonArray *eigenvalues = json_array_new ();

      for (guint i = 0; i < self->m; i++)
        json_array_add_double_element (eigenvalues, self->embedding->values[i]);
      json_object_set_array_member (values, "eigenvalues", eigenvalues);
    }
  if (self->quality_values != NULL)
    json_object_set_object_member (values, "quality", json_object_ref (self->quality_values));
  es_result_set_values (result, values);
}

EsResult *
es_manifold_describe (EsManifoldRun *self, EsImageStack *stack)
{
  EsResult *result = es_result_new (self->kind->operation, ES_DATASET (self->cube), self->params);
  g_autoptr (EsTable) samples = make_samples (self);
  g_autofree char *title = g_strdup_printf (_("%s %u of %u"), _(self->kind->operation->short_title), self->m,
                                            self->bands.n);

  es_result_set_title (result, title);
  es_result_add_layer (result, ES_LAYER (stack));
  if (self->embedding->values != NULL)
    {
      g_autoptr (EsCurve) curve = make_eigenvalues (self);
      es_result_add_layer (result, ES_LAYER (curve));
    }
  if (self->quality != NULL)
    es_result_add_layer (result, ES_LAYER (self->quality));
  es_result_add_layer (result, ES_LAYER (samples));
  add_values (self, result);
  for (guint i = 0; i < self->warnings->len; i++)
    es_result_add_warning (result, "%s", (const char *) g_ptr_array_index (self->warnings, i));
  return result;
}
