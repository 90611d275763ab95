/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which published figure is about which rung. */

#include <math.h>
#include <string.h>

#include "es-ladder-climb-internal.h"
#include "result/es-saved-internal.h"

typedef struct
{
  const char *backend;
  const char *rung;
  const char *title;           /* of the table, as files call it */
  const char *column;          /* nullable: the row's label is the rung's, and the column the size */
} Place;

#define COVARIANCE "Covariance kernel, step by step"
#define MAPPINGS "Covariance"
#define TRANSFORM "Transform kernel, step by step"
#define ITERATION "One FastICA iteration, step by step"
#define NOISE "Noise kernel, step by step"
#define JACOBI "Jacobi's rotations on a GPU, step by step"

static const Place covariance[] = {
  { "cuda", "v0", COVARIANCE, "V0" }, { "cuda", "v1", COVARIANCE, "V1" }, { "cuda", "v2", COVARIANCE, "V2" },
  { "cuda", "v3", COVARIANCE, "V3" }, { "cuda", "v4", COVARIANCE, "V4" }, { "cuda", "v4-1", COVARIANCE, "V4_1" },
  { "cuda", "v4-4", COVARIANCE, "V4_4" }, { "cuda", "i", MAPPINGS, "CUDA I" },
  { "cuda", "ii-1", MAPPINGS, "CUDA II-1" }, { "cuda", "ii-2", MAPPINGS, "CUDA II-2" },
  { "cuda", "ii-3", MAPPINGS, "CUDA II-3" },
  { "cuda", "iii", MAPPINGS, "CUDA III" }, { "cpu", "fused", MAPPINGS, "Serial" },
  { "cpu", "threaded", MAPPINGS, "OpenMP 16" }, { NULL },
};
static const Place transform[] = {
  { "cuda", "v0", TRANSFORM, "V0" }, { "cuda", "v1", TRANSFORM, "V1" }, { "cuda", "v2", TRANSFORM, "V2" }, { NULL },
};
static const Place ica[] = {
  { "cuda", "v0", ITERATION, "V0" }, { "cuda", "v1", ITERATION, "V1" }, { "cuda", "v2", ITERATION, "V2" },
  { "cuda", "v3", ITERATION, "V3" }, { "cuda", "v4", ITERATION, "V4" }, { "cuda", "v5", ITERATION, "V5" }, { NULL },
};
static const Place noise[] = {
  { "cuda", "v0", NOISE, "V0" }, { "cuda", "v1", NOISE, "V1" }, { "cuda", "v2", NOISE, "V2" },
  { "cuda", "v3", NOISE, "V3" }, { NULL },
};
static const Place jacobi[] = {
  { "cuda", "v0", JACOBI, "V0" }, { "cuda", "v1", JACOBI, "V1" }, { "cuda", "v2", JACOBI, "V2" }, { NULL },
};

static const Place *const places[ES_N_LADDERS] = {
  [ES_LADDER_COVARIANCE] = covariance, [ES_LADDER_TRANSFORM] = transform, [ES_LADDER_ICA] = ica,
  [ES_LADDER_NOISE] = noise, [ES_LADDER_JACOBI] = jacobi,
};

static double
find_number (JsonObject *table, const char *row, const char *column)
{
  JsonArray *columns = NULL, *rows = NULL;
  const guint n_columns = es_saved_get_array (table, "columns", &columns);
  const guint n_rows = es_saved_get_array (table, "rows", &rows);
  const double unit = strcmp (es_saved_get_text (table, "unit", ""), "ms") == 0 ? 1e-3 : 1;

  for (guint r = 0; r < n_rows; r++)
    {
      JsonObject *at = es_saved_get_element (rows, r);
      JsonArray *values = NULL;
      const guint n = es_saved_get_array (at, "values", &values);

      if (strcmp (es_saved_get_text (at, "label", ""), row) != 0)
        continue;
      for (guint c = 0; c < MIN (n, n_columns); c++)
        if (strcmp (json_array_get_string_element (columns, c), column) == 0
            && !JSON_NODE_HOLDS_NULL (json_array_get_element (values, c)))
          return unit * json_array_get_double_element (values, c);
    }
  return NAN;
}

gboolean
es_ladder_find_published (const EsLadder *ladder, const char *backend, const char *row, const char *rung,
                          double *seconds, const EsPublished **published)
{
  const Place *place = places[ladder->kind];

  *seconds = NAN;
  while (place != NULL && place->rung != NULL
         && (strcmp (place->rung, rung) != 0 || strcmp (place->backend, backend) != 0))
    place++;
  if (place == NULL || place->rung == NULL)
    return FALSE;
  for (guint i = 0; i < es_published_get_n (); i++)
    {
      g_autoptr (JsonNode) node = es_published_to_json (i);
      JsonObject *table = json_node_get_object (node);

      if (strcmp (es_saved_get_text (table, "title", ""), place->title) != 0)
        continue;
      *seconds = find_number (table, row, place->column);
      if (published != NULL)
        *published = es_published_get (i);
      return !isnan (*seconds);
    }
  return FALSE;
}

/* PhD thesis, table 6.11: of all rotations of one sweep, in ms. */
gboolean
es_ladder_find_published_threads (const EsLadder *ladder, const char *row, guint threads, double *seconds)
{
  *seconds = NAN;
  return FALSE;
}
