/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kept-id.h"

#include <string.h>

#define DIGITS 32

static G_DEFINE_QUARK (es-kept-id, id)

gboolean
es_kept_id_is (const char *id)
{
  return id != NULL && strlen (id) == DIGITS && strspn (id, "0123456789abcdef") == DIGITS;
}

static char *
make_id (void)
{
  return g_strdup_printf ("%08x%08x%08x%08x", g_random_int (), g_random_int (), g_random_int (), g_random_int ());
}

const char *
es_kept_id_of (gpointer thing)
{
  const char *id;

  g_return_val_if_fail (ES_IS_DATASET (thing) || ES_IS_RESULT (thing), NULL);

  id = g_object_get_qdata (thing, id_quark ());
  if (id == NULL)
    {
      g_object_set_qdata_full (thing, id_quark (), make_id (), g_free);
      id = g_object_get_qdata (thing, id_quark ());
    }
  return id;
}

void
es_kept_id_set (gpointer thing, const char *id)
{
  g_return_if_fail (ES_IS_DATASET (thing) || ES_IS_RESULT (thing));

  if (es_kept_id_is (id))
    g_object_set_qdata_full (thing, id_quark (), g_strdup (id), g_free);
}

/* ---- references ---- */

/* Calls for each data set, result and layer, until one of them is it. */
typedef gboolean (*Visit) (GObject *thing, EsResult *of, gpointer data);

static gboolean
visit_layers (EsResult *result, Visit visit, gpointer data)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (GObject) layer = g_list_model_get_item (layers, i);

      if (visit (layer, result, data))
        return TRUE;
    }
  return FALSE;
}

static void
visit_all (EsSession *session, Visit visit, gpointer data)
{
  GListModel *datasets = es_session_get_datasets (session);

  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);
      GListModel *results = es_session_get_results (session, dataset);

      if (visit (G_OBJECT (dataset), NULL, data))
        return;
      for (guint k = 0; results != NULL && k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (EsResult) result = g_list_model_get_item (results, k);

          if (visit (G_OBJECT (result), NULL, data) || visit_layers (result, visit, data))
            return;
        }
    }
}

static char *
refer (GObject *thing, EsResult *of)
{
  return of != NULL ? g_strdup_printf ("%s/%s", es_kept_id_of (of), es_layer_get_name (ES_LAYER (thing)))
                    : g_strdup (es_kept_id_of (thing));
}

typedef struct
{
  GObject    *thing;
  const char *reference;
  char       *found;
} Search;

static gboolean
is_thing (GObject *thing, EsResult *of, gpointer data)
{
  Search *search = data;

  if (thing != search->thing)
    return FALSE;
  search->found = refer (thing, of);
  return TRUE;
}

static gboolean
is_reference (GObject *thing, EsResult *of, gpointer data)
{
  Search *search = data;
  g_autofree char *reference = refer (thing, of);

  if (strcmp (reference, search->reference) != 0)
    return FALSE;
  search->thing = thing;
  return TRUE;
}

char *
es_kept_id_refer (EsSession *session, GObject *thing)
{
  Search search = { thing, NULL, NULL };

  if (thing != NULL)
    visit_all (session, is_thing, &search);
  return search.found;
}

GObject *
es_kept_id_find (EsSession *session, const char *reference)
{
  Search search = { NULL, reference, NULL };

  if (reference != NULL)
    visit_all (session, is_reference, &search);
  return search.thing;
}
