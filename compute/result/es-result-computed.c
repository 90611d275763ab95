/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a result was computed of, where its cube has been told something else since. */

#include "es-result-computed-internal.h"

#include "cube/es-cube-metadata.h"
#include "es-result-internal.h"

static G_DEFINE_QUARK (es-result-computed, computed)

EsDataset *
es_result_get_computed (EsResult *self)
{
  EsDataset *computed = g_object_get_qdata (G_OBJECT (self), computed_quark ());

  return computed != NULL ? computed : es_result_get_dataset (self);
}

static void
keep (EsResult *self, EsDataset *computed, EsDataset *dataset)
{
  const gboolean same = !ES_IS_CUBE (computed) || !ES_IS_CUBE (dataset)
                        || es_metadata_equal (es_cube_get_metadata (ES_CUBE (computed)),
                                              es_cube_get_metadata (ES_CUBE (dataset)));

  g_object_set_qdata_full (G_OBJECT (self), computed_quark (), same ? NULL : g_object_ref (computed), g_object_unref);
}

void
es_result_move (EsResult *self, EsDataset *dataset)
{
  g_autoptr (EsDataset) computed = g_object_ref (es_result_get_computed (self));

  keep (self, computed, dataset);
  es_result_set_dataset (self, dataset);
}

gboolean
es_result_settle_cube (EsResult *self, JsonNode *metadata, GError **error)
{
  EsDataset *dataset = es_result_get_dataset (self);
  g_autoptr (EsMetadata) told = NULL;
  g_autoptr (EsCube) computed = NULL;

  if (metadata == NULL || !ES_IS_CUBE (dataset))
    return TRUE;
  if (!JSON_NODE_HOLDS_NULL (metadata)
      && (told = es_metadata_from_node (metadata, es_cube_get_bands (ES_CUBE (dataset)), error)) == NULL)
    return FALSE;
  json_object_set_member (es_result_get_values (self), "metadata", json_node_copy (metadata));
  if (es_metadata_equal (told, es_cube_get_metadata (ES_CUBE (dataset))))
    return TRUE;
  computed = es_cube_with_metadata (ES_CUBE (dataset), told, error);
  if (computed == NULL)
    return FALSE;
  keep (self, ES_DATASET (computed), dataset);
  return TRUE;
}
